// The table of keys: sound in itself, and the committed schema is what it says.
// Also the small readers of sizes, hosts and flags.
// When the schema differs on purpose, write it anew with `tollgate schema config`.
#include "config/fields.h"

#include <gtest/gtest.h>

#include <set>

#include "json/json.h"
#include "os/files.h"

namespace tollgate::config {
namespace {

TEST(Fields, TheTableIsSound) {
  std::set<std::string> seen, blocks;
  for (const Field& field : fields()) {
    EXPECT_TRUE(seen.insert(std::string(field.block) + "/" + std::string(field.key)).second)
        << field.key;
    blocks.insert(std::string(field.block));
    EXPECT_FALSE(field.description.empty()) << field.key;
    if (!field.same_as.empty()) {
      EXPECT_NE(field_of(field.block, field.same_as), nullptr) << field.key;
    }
  }
  for (const Field& field : fields())
    if (!field.of.empty()) {
      EXPECT_TRUE(blocks.contains(std::string(field.of))) << field.key;
    }
}

TEST(Fields, TheSchemaIsTheCommittedOne) {
  const Result<std::string> committed =
      os::read_file(std::string(TOLLGATE_SOURCE_DIR) + "/schema/config.schema.json", 1u << 20);
  ASSERT_TRUE(committed);
  EXPECT_EQ(*committed, config_schema());
  EXPECT_TRUE(json::parse(config_schema()));
}

TEST(Fields, SizesHostsAndFlagsAreRead) {
  EXPECT_EQ(size_of("4G"), 4LL << 30);
  EXPECT_EQ(size_of("512MiB"), 512LL << 20);
  EXPECT_EQ(size_of("x"), std::nullopt);
  EXPECT_EQ(size_of("99999999999T"), std::nullopt);
  EXPECT_EQ(host_of("GitHub.com."), "github.com");
  EXPECT_EQ(host_of("*.example.com"), "*.example.com");
  EXPECT_EQ(host_of("0x7f.1"), "127.0.0.1");
  EXPECT_EQ(host_of("[2001:DB8::0:1]"), "2001:db8::1");
  for (const char* bad : {"a.1", "*.10.1", "a-.com", "[x]", "", "*", "a b", "http://x", "a..b",
                          "-a.com", "x:80", "*.*.x", "u@h"})
    EXPECT_EQ(host_of(bad), std::nullopt) << bad;
  Node node;
  node.text = "Yes";
  EXPECT_EQ(flag_of(node), true);
  node.plain = false;
  EXPECT_EQ(flag_of(node), std::nullopt);
}

}  // namespace
}  // namespace tollgate::config
