// The files of a machine's authority: made once, kept, renewed in time, refused when others read.
#include "certificates/place.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>

#include "os/files.h"

namespace tollgate::certificates {
namespace {

constexpr std::int64_t kNow = 1'790'000'000'000;

class CertificateFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = "/tmp/tollgate-certificates-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    place_ = place_in(pattern);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  Made made(std::vector<std::string> names, std::int64_t now = kNow,
            Authority which = Authority::kKeep) {
    Result<Made> out =
        ensure(place_, {.machine = "box", .names = std::move(names), .now = now}, which);
    EXPECT_TRUE(out) << out.error().message;
    return out ? std::move(*out) : Made();
  }
  static unsigned mode_of(const std::string& file) { return os::stamp_of(file)->mode & 07777u; }

  std::string directory_;
  Place place_;
};

TEST_F(CertificateFiles, IsMadeOnceAndKept) {
  const Made first = made({"localhost", "box"});
  EXPECT_TRUE(first.new_authority && first.new_server);
  const Made second = made({"box", "localhost", "localhost"});
  EXPECT_FALSE(second.new_authority || second.new_server);
  EXPECT_EQ(second.server, first.server);
  EXPECT_EQ(second.authority, first.authority);
}

TEST_F(CertificateFiles, KeysAreForTheirOwnerAlone) {
  made({"localhost"});
  EXPECT_EQ(mode_of(place_.directory), 0700u);
  EXPECT_EQ(mode_of(place_.authority_key), 0600u);
  EXPECT_EQ(mode_of(place_.server), 0600u);
  EXPECT_EQ(os::read_file(place_.authority, 1 << 20)->find("PRIVATE"), std::string::npos);
  EXPECT_EQ(
      os::read_file(place_.server, 1 << 20)->find(*os::read_file(place_.authority_key, 1 << 20)),
      std::string::npos);
  for (const std::string& file : {place_.authority_key, place_.server}) {
    ::chmod(file.c_str(), 0640);
    const Result<Made> refused =
        ensure(place_, {.machine = "box", .names = {"localhost"}, .now = kNow});
    ASSERT_FALSE(refused) << file;
    EXPECT_EQ(refused.error().code, "tls-unusable");
    ::chmod(file.c_str(), 0600);
  }
}

TEST_F(CertificateFiles, OtherNamesGetAnotherCertificateOfTheSameAuthority) {
  const Made first = made({"localhost"}), second = made({"localhost", "192.168.1.20"});
  EXPECT_TRUE(second.new_server);
  EXPECT_EQ(second.authority, first.authority);
  EXPECT_NE(second.server.sha256, first.server.sha256);
}

TEST_F(CertificateFiles, ANewAuthorityReplacesAllOfIt) {
  const Made first = made({"localhost"}), second = made({"localhost"}, kNow, Authority::kNew);
  EXPECT_NE(second.authority.sha256, first.authority.sha256);
  EXPECT_TRUE(second.new_server);
  const auto chain = facts_in(*os::read_file(place_.server, 1 << 20), place_.server);
  EXPECT_EQ(chain->back().sha256, second.authority.sha256);
}

TEST_F(CertificateFiles, IsRenewedInItsLastThirdForTheSameNames) {
  const Made first = made({"localhost", "box"});
  EXPECT_EQ(renew(place_, kNow + 200 * kDay)->has_value(), false);
  const auto renewed = renew(place_, kNow + 300 * kDay);
  ASSERT_TRUE(renewed && *renewed) << renewed.error().message;
  EXPECT_EQ((*renewed)->names, first.server.names);
  EXPECT_EQ((*renewed)->subject, first.server.subject);
  EXPECT_GT((*renewed)->not_after, first.server.not_after);
  EXPECT_EQ(renew(place_, kNow + 301 * kDay)->has_value(), false);
  // One that has run out is renewed as well, and so is one whose authority is asked for by hand.
  EXPECT_EQ(renew(place_, kNow + 900 * kDay)->has_value(), true);
  EXPECT_TRUE(made({"localhost", "box"}, kNow + 1800 * kDay).new_server);
}

TEST_F(CertificateFiles, WithoutAnAuthorityThereIsNothingToRenew) {
  EXPECT_EQ(renew(place_, kNow)->has_value(), false);
  made({"localhost"});
  std::filesystem::remove(place_.authority_key);
  EXPECT_EQ(renew(place_, kNow + 900 * kDay)->has_value(), false);
}

TEST_F(CertificateFiles, ADamagedFileIsAnErrorAndStays) {
  made({"localhost"});
  ASSERT_TRUE(os::write_atomically(place_.authority, "nothing"));
  const Result<Made> refused =
      ensure(place_, {.machine = "box", .names = {"localhost"}, .now = kNow});
  ASSERT_FALSE(refused);
  EXPECT_EQ(*os::read_file(place_.authority, 100), "nothing");
}

TEST(Names, AreThoseOfPrivateNetworks) {
  const std::vector<std::string> want = {"localhost", "127.0.0.1",    "::1",    "box",
                                         "box.local", "192.168.1.20", "fd12::1"};
  EXPECT_EQ(usual_names("Box", {"127.0.0.1", "::1", "192.168.1.20", "203.0.113.5", "fe80::1",
                                "169.254.3.4", "2001:db8::1", "fd12::1"}),
            want);
  EXPECT_EQ(usual_names("box.example.org", {}).back(), "box.example.org");
  EXPECT_EQ(usual_names("", {}).size(), 3u);
}

}  // namespace
}  // namespace tollgate::certificates
