// Edits that are refused, and rules that would bring more than themselves.
// A row is a text, edits in a short notation, and the code of the error.
// SAFETY: no rule, however it is spelt, changes a file by more than that rule.
#include <gtest/gtest.h>

#include "config/edit.h"
#include "config/test_edits.h"
#include "config/yaml.h"

namespace tollgate::config {
namespace {

struct Refusal {
  std::string_view name, before, edits, code;
};
constexpr Refusal kRefusals[] = {
    {"a file that is not YAML", "rules: [", "+deny Bash", "yaml-syntax"},
    {"a file with an unknown key", "rulse: {}\n", "+deny Bash", "unknown-key"},
    {"a file with a broken rule", "rules: {deny: [\"Bash(\"]}\n", "+deny Bash", "rule-syntax"},
    {"a list that is nothing", "rules:\n  deny:\n", "+deny Bash", "wrong-type"},
    {"an anchor", "rules: &r {}\n", "+deny Bash", "yaml-alias"},
    {"an agent that is not there", "agents: {backend: {}}\n", "+deny@backnd Bash", "unknown-agent"},
    {"an agent without any", "", "+deny@a Bash", "unknown-agent"},
    {"a rule that is none", "", "+deny Bash(", "rule-syntax"},
    {"a rule that may not stand in its list", "", "+allow mcp__*", "bad-tool-star"},
    {"a mode that is none", "", "mode=pln", "unknown-mode"},
    {"a rule to remove that is not there", "rules: {deny: [Read]}\n", "-deny Bash", "rule-missing"},
    {"or stands in another list", "rules: {deny: [Read]}\n", "-allow Read", "rule-missing"},
    {"a rule that turns direction", "", "+deny Bash(a\xe2\x80\xae)", "yaml-hidden-character"},
    {"a rule with a carriage return", "", "+deny Bash(a\rb)", "yaml-hidden-character"},
    {"a rule that is no text", "", "+deny Bash(\xff)", "yaml-invalid-utf8"},
    {"a file that says that it is nothing", "~\n", "+deny Bash", "edit-failed"},
    {"an only item behind an explicit key", "rules:\n  ? deny\n  : - Bash\n", "-deny Bash",
     "edit-failed"},
    {"the second of two edits", "", "+deny Read -deny Bash", "rule-missing"},
};

TEST(Edit, RefusesAndChangesNothing) {
  for (const Refusal& c : kRefusals) {
    const Result<std::string> got = edited(std::string(c.before), "t.yaml", edits_of(c.edits));
    ASSERT_FALSE(got) << c.name << ": " << *got;
    EXPECT_EQ(got.error().code, c.code) << c.name << ": " << render(got.error());
    EXPECT_FALSE(got.error().hint.empty()) << c.name;
  }
}

TEST(Edit, AnErrorInARuleHasItsPlaceInTheRule) {
  const Edit edit{.list = Verdict::kAllow, .rule = "mcp__*"};
  const Result<std::string> got = edited("", "t.yaml", {&edit, 1});
  ASSERT_FALSE(got);
  EXPECT_EQ(render(got.error()).substr(0, 30), "rule:1:6: error[bad-tool-star]")
      << render(got.error());
}

TEST(Edit, ARuleCannotBringMoreThanItself) {
  for (const std::string_view rule :
       {"Bash(a)\n    - Read", "Bash(x\n  allow: [Bash])", "Bash(a) # b", "Bash(\"a\"), Read",
        "Bash(a]}\nmode: autonomous)", "Bash(\\\"a)", "Bash(a\tb)", "Bash( a )", "- Bash"}) {
    for (const std::string_view before : {"", "rules: {deny: []}\n", "rules:\n  deny:\n  - LS\n"}) {
      const Edit edit{.list = Verdict::kDeny, .rule = std::string(rule)};
      const Result<std::string> got = edited(std::string(before), "t.yaml", {&edit, 1});
      if (!got) {
        EXPECT_NE(got.error().code, "edit-failed") << rule << " in " << before;
        continue;
      }
      std::vector<Diagnostic> problems;
      const Document document = read_yaml(*got, "t.yaml", problems);
      EXPECT_TRUE(problems.empty()) << *got;
      ASSERT_EQ(document.root().keys.size(), 1u) << *got;
      const Node* rules = document.root().find("rules");
      ASSERT_TRUE(rules != nullptr && rules->keys.size() == 1) << *got;
      EXPECT_EQ(rules->find("deny")->items.back().text, rule) << *got;
    }
  }
}

TEST(Edit, RulesAreReadWithTheToolsOfOtherFiles) {
  ToolDeclaration tool;
  tool.name = "mcp__ci__deploy";
  tool.specifier_template = "{target}";
  const Edit edit{.list = Verdict::kAllow, .rule = "mcp__ci__deploy(staging)"};
  EXPECT_FALSE(edited("", "t.yaml", {&edit, 1}));
  const Result<std::string> got = edited("", "t.yaml", {&edit, 1}, {.tools = {&tool, 1}});
  ASSERT_TRUE(got) << render(got.error());
  EXPECT_EQ(*got, "rules:\n  allow:\n    - mcp__ci__deploy(staging)\n");
}

TEST(Edit, NamesThatAnotherFileDefinesAreNoHindrance) {
  const Edit edit{.agent = "a", .list = Verdict::kDeny, .rule = "Bash"};
  const Result<std::string> got = edited("agents:\n  a: {preset: house}\n", "t.yaml", {&edit, 1});
  ASSERT_TRUE(got) << render(got.error());
  EXPECT_EQ(*got, "agents:\n  a: {preset: house, rules: {deny: [Bash]}}\n");
}

}  // namespace
}  // namespace tollgate::config
