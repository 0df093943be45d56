// Quorums as text and back, and texts that are none.
#include "core/quorum.h"

#include <gtest/gtest.h>

namespace tollgate {
namespace {

struct Case {
  std::string_view name;
  Quorum quorum;
  std::string_view text;
};

// NOLINTNEXTLINE(cert-err58-cpp)
const Case kCases[] = {
    {"one person, as it is made", {}, "{any: 1, deny: 1}"},
    {"two of two roles",
     {.any = 2, .of = {"lead", "security"}, .deny = 1},
     "{any: 2, of: [lead, security], deny: 1}"},
    {"with its times",
     {.any = 2, .of = {"lead"}, .deny = 3, .within_ms = 600'000, .expires_ms = 5},
     "{any: 2, of: [lead], deny: 3, within: 600000ms, expires: 5ms}"},
    {"one time alone", {.expires_ms = 300'000}, "{any: 1, deny: 1, expires: 300000ms}"},
    {"a role of two words", {.of = {"on call"}}, R"({any: 1, of: ["on call"], deny: 1})"},
    {"a role that looks like more",
     {.of = {"a, deny: 9", "]}"}},
     R"({any: 1, of: ["a, deny: 9", "]}"], deny: 1})"},
    {"a role with quotes", {.of = {R"(a"b\)"}}, R"({any: 1, of: ["a\"b\\"], deny: 1})"},
    {"a role without letters", {.of = {""}}, R"({any: 1, of: [""], deny: 1})"},
};

TEST(Quorum, IsWrittenOnOneLineAndReadBack) {
  for (const Case& c : kCases) {
    EXPECT_EQ(format_quorum(c.quorum), c.text) << c.name;
    const std::optional<Quorum> read = parse_quorum(c.text);
    ASSERT_TRUE(read) << c.name;
    EXPECT_EQ(*read, c.quorum) << c.name;
  }
}

TEST(Quorum, AnythingElseIsNone) {
  for (const std::string_view text :
       {"", "{}", "{any: 2}", "any: 1, deny: 1", "{any: 0, deny: 1}", "{any: 1, deny: 0}",
        "{any: -1, deny: 1}", "{any: 1, of: [], deny: 1}", "{any: 1, of: [a b], deny: 1}",
        "{any: 1, of: [\"a], deny: 1}", "{any: 1, of: [a, deny: 1}", "{any: 1, deny: 1, within: 5}",
        "{any: 1, deny: 1, within: 0ms}", "{any: 1, deny: 1} ", "{any: 1, deny: 1}x",
        "{any: 99999999999, deny: 1}", "{any: 1, of: [\"\\"})
    EXPECT_FALSE(parse_quorum(text)) << text;
}

TEST(Quorum, NoPieceOfOneIsAnother) {
  for (const Case& c : kCases)
    for (std::size_t size = 0; size < c.text.size(); ++size)
      EXPECT_FALSE(parse_quorum(c.text.substr(0, size))) << c.text.substr(0, size);
}

}  // namespace
}  // namespace tollgate
