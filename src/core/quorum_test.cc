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
    {"after a time, with a name",
     {.any = 1, .of = {"security"}, .within_ms = 900'000, .after_ms = 300'000, .name = "the night"},
     R"({name: "the night", any: 1, of: [security], deny: 1, after: 300000ms, within: 900000ms})"},
    {"a role without letters", {.of = {""}}, R"({any: 1, of: [""], deny: 1})"},
};

TEST(Quorum, IsWrittenOnOneLineAndReadBack) {
  for (const Case& c : kCases) {
    EXPECT_EQ(format_quorum(c.quorum), c.text) << c.name;
    const std::optional<std::vector<Quorum>> read = parse_quorums(c.text);
    ASSERT_TRUE(read) << c.name;
    EXPECT_EQ(*read, std::vector<Quorum>{c.quorum}) << c.name;
  }
}

const Quorum kLeads{.any = 2, .of = {"lead"}};
const Quorum kOrSecurity{.any = 1, .of = {"security"}, .or_else = true};

TEST(Quorum, ThresholdsOfOneRuleAreAList) {
  const std::vector<Quorum> both{kLeads, kOrSecurity};
  const std::string text = "[{any: 2, of: [lead], deny: 1}, {any: 1, of: [security], deny: 1}]";
  EXPECT_EQ(format_quorums(both), text);
  EXPECT_EQ(parse_quorums(text), both);
  EXPECT_EQ(format_quorums({}), "");
  for (std::size_t size = 0; size < text.size(); ++size)
    EXPECT_FALSE(parse_quorums(text.substr(0, size))) << text.substr(0, size);
  std::vector<Quorum> many(kMaxThresholds + 1, kLeads);
  EXPECT_FALSE(parse_quorums(format_quorums(many))) << "more than a person would read";
}

TEST(Quorum, EachRuleKeepsItsOwnThresholds) {
  std::vector<Quorum> all;
  add_rule(all, std::vector<Quorum>{kLeads, kOrSecurity});
  add_rule(all, std::vector<Quorum>{Quorum{}});
  add_rule(all, std::vector<Quorum>{kLeads});  // alone it is another one
  add_rule(all, std::vector<Quorum>{kLeads, kOrSecurity});
  std::vector<std::size_t> sizes;
  for (const Thresholds rule : by_rule(all)) sizes.push_back(rule.size());
  EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 1, 1}));
  EXPECT_TRUE(by_rule({}).empty());
}

TEST(Quorum, ARuleThatIsAddedNeverStandsBesideAnother) {
  std::vector<Quorum> all{kLeads};
  add_rule(all, std::vector<Quorum>{kOrSecurity});
  ASSERT_EQ(by_rule(all).size(), 2u);
  EXPECT_FALSE(by_rule(all)[1].front().or_else);
  add_rule(all, std::vector<Quorum>{kOrSecurity});
  EXPECT_EQ(all.size(), 2u) << "it is there";
}

TEST(Quorum, AnythingElseIsNone) {
  for (const std::string_view text : {"",
                                      "{}",
                                      "{any: 2}",
                                      "any: 1, deny: 1",
                                      "{any: 0, deny: 1}",
                                      "{any: 1, deny: 0}",
                                      "{any: -1, deny: 1}",
                                      "{any: 1, of: [], deny: 1}",
                                      "{any: 1, of: [a b], deny: 1}",
                                      "{any: 1, of: [\"a], deny: 1}",
                                      "{any: 1, of: [a, deny: 1}",
                                      "{any: 1, deny: 1, within: 5}",
                                      "{any: 1, deny: 1, within: 0ms}",
                                      "{any: 1, deny: 1} ",
                                      "{any: 1, deny: 1}x",
                                      "{any: 99999999999, deny: 1}",
                                      "[{any: 1, deny: 1}]",
                                      "[]",
                                      "{any: 1, deny: 1}, {any: 1, deny: 1}",
                                      "[{any: 1, deny: 1}, {any: 1, deny: 1}",
                                      "{name: , any: 1, deny: 1}",
                                      "{any: 1, of: [\"\\"})
    EXPECT_FALSE(parse_quorums(text)) << text;
}

TEST(Quorum, NoPieceOfOneIsAnother) {
  for (const Case& c : kCases)
    for (std::size_t size = 0; size < c.text.size(); ++size)
      EXPECT_FALSE(parse_quorums(c.text.substr(0, size))) << c.text.substr(0, size);
}

}  // namespace
}  // namespace tollgate
