// Zones: our tables against another reader of the same files, and damaged files.
// The other reader is Howard Hinnant's library, which follows the listed transitions.
// Times are sampled, because tables of equal meaning may list different moments.
#include "config/zones.h"

#include <date/tz.h>
#include <gtest/gtest.h>

#include "os/files.h"

namespace tollgate::config {
namespace {

std::int64_t offset_at(const Zone& zone, std::int64_t when) {
  std::int64_t seconds = zone.offsets.front().seconds;
  for (const Zone::Offset& each : zone.offsets)
    if (each.from <= when) seconds = each.seconds;
  return seconds;
}

TEST(Zones, AgreeWithAnotherReader) {
  for (const char* name :
       {"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe",
        "America/Sao_Paulo", "Pacific/Apia", "Etc/GMT+5", "Africa/Casablanca"}) {
    const Result<Zone> zone = load_zone(name);
    ASSERT_TRUE(zone) << name;
    const date::time_zone* other = date::locate_zone(name);
    for (std::int64_t when = 0; when < 2'145'916'800; when += 86'400 * 3 + 1'811) {
      const auto there = other->get_info(date::sys_seconds(std::chrono::seconds(when)));
      ASSERT_EQ(offset_at(*zone, when), there.offset.count()) << name << " at " << when;
    }
  }
}

TEST(Zones, ReachBeyond2038) {
  const Zone berlin = load_zone("Europe/Berlin").value();
  EXPECT_EQ(offset_at(berlin, 3'328'000'000), 7200);  // June 2075
  EXPECT_EQ(offset_at(berlin, 3'313'000'000), 3600);  // December 2074
  const Zone sydney = load_zone("Australia/Sydney").value();
  EXPECT_EQ(offset_at(sydney, 3'328'000'000), 36000);
  EXPECT_EQ(offset_at(sydney, 3'313'000'000), 39600);
  for (std::size_t i = 1; i < berlin.offsets.size(); ++i)
    EXPECT_LT(berlin.offsets[i - 1].from, berlin.offsets[i].from);
}

TEST(Zones, UnknownNamesGetAHint) {
  const Result<Zone> unknown = load_zone("Europe/Berln");
  ASSERT_FALSE(unknown);
  const Error& error = unknown.error();
  EXPECT_EQ(error.message, "unknown time zone `Europe/Berln`");
  EXPECT_EQ(error.hint, "did you mean `Europe/Berlin`?");
  for (const char* name : {"", "/etc/passwd", "../../../etc/passwd", "tzdata.zi", "Europe", "x\ny"})
    EXPECT_EQ(load_zone(name).error().code, "unknown-zone") << name;
  EXPECT_EQ(load_zone("UTC").value().offsets.size(), 1u);
}

TEST(Zones, DamagedFilesAreErrors) {
  const std::string bytes = os::read_file("/usr/share/zoneinfo/Europe/Berlin", 1u << 20).value();
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(read_zone("x", bytes.substr(0, size))) << size;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string forged = bytes;
    forged[at] = static_cast<char>(forged[at] ^ 0x80);
    const auto read = read_zone("x", forged);  // must not crash; many are still a zone
    EXPECT_TRUE(read || !read.error().code.empty());
  }
}

}  // namespace
}  // namespace tollgate::config
