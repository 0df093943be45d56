// Edits of policy texts: what comes out, byte for byte.
// A row is a text before, edits in a short notation, and the text after.
// What is refused is in edit_refusal_test.cc.
#include "config/edit.h"

#include <gtest/gtest.h>

#include "config/test_edits.h"

namespace tollgate::config {
namespace {

struct Case {
  std::string_view name, before, edits, after;
};

void expect_rows(std::span<const Case> cases) {
  for (const Case& c : cases) {
    const Result<std::string> got = edited(std::string(c.before), "t.yaml", edits_of(c.edits));
    ASSERT_TRUE(got) << c.name << ": " << render(got.error());
    EXPECT_EQ(*got, c.after) << c.name;
  }
}

constexpr Case kNewLists[] = {
    {"an empty file gets all of it", "", "+allow Read", "rules:\n  allow:\n    - Read\n"},
    {"a file of comments keeps them", "# mine\n", "+deny Bash(rm *)",
     "# mine\nrules:\n  deny:\n    - Bash(rm *)\n"},
    {"a missing last line break stays missing", "mode: plan", "+deny Bash",
     "mode: plan\nrules:\n  deny:\n    - Bash"},
    {"a file without rules gets them at its end", "version: 1\nmode: plan # for now\n\n# the end\n",
     "+ask Bash(git push *)",
     "version: 1\nmode: plan # for now\nrules:\n  ask:\n    - Bash(git push *)\n\n# the end\n"},
    {"carriage returns are kept", "mode: plan\r\n", "+deny Bash",
     "mode: plan\r\nrules:\r\n  deny:\r\n    - Bash\r\n"},
    {"a missing list comes after the others, indented like them",
     "rules:\n    deny:\n        - Bash # no\n# end\n", "+allow Read",
     "rules:\n    deny:\n        - Bash # no\n    allow:\n        - Read\n# end\n"},
    {"where dashes stand under their key, new ones do", "rules:\n  deny:\n  - Bash\nmode: plan\n",
     "+allow Read", "rules:\n  deny:\n  - Bash\n  allow:\n  - Read\nmode: plan\n"},
    {"rules between brackets stay there", "rules: {deny: [Bash]} # x\n", "+allow Read",
     "rules: {deny: [Bash], allow: [Read]} # x\n"},
    {"empty rules between brackets", "rules: {}\n", "+allow Read", "rules: {allow: [Read]}\n"},
    {"a whole file between brackets", "{mode: plan}\n", "+allow Read",
     "{mode: plan, rules: {allow: [Read]}}\n"},
    {"an empty file between brackets", "{}\n", "+allow Read", "{rules: {allow: [Read]}}\n"},
    {"a file that is indented as a whole", "  mode: plan\n", "+allow Read",
     "  mode: plan\n  rules:\n    allow:\n      - Read\n"},
    {"a document with its marks", "---\nmode: plan\n...\n", "+allow Read",
     "---\nmode: plan\nrules:\n  allow:\n    - Read\n...\n"},
    {"block text above keeps the blank lines it owns",
     "rules:\n  ask:\n    - rule: Bash\n      reason: |+\n        why\n\nmode: plan\n",
     "+deny Read",
     "rules:\n  ask:\n    - rule: Bash\n      reason: |+\n        why\n\n  deny:\n    - Read\n"
     "mode: plan\n"},
    {"block text above leaves the blank lines that are not its own",
     "rules:\n  ask:\n    - rule: Bash\n      reason: |\n        why\n\nmode: plan\n", "+deny Read",
     "rules:\n  ask:\n    - rule: Bash\n      reason: |\n        why\n  deny:\n    - Read\n\n"
     "mode: plan\n"},
};

TEST(Edit, MakesTheListThatIsMissing) { expect_rows(kNewLists); }

constexpr Case kLists[] = {
    {"a rule comes last", "rules:\n  allow:\n    - Read\n", "+allow Bash(npm *)",
     "rules:\n  allow:\n    - Read\n    - Bash(npm *)\n"},
    {"dashes under their key", "rules:\n  allow:\n  - Read\n  deny:\n  - Bash\n",
     "+allow Bash(npm *)", "rules:\n  allow:\n  - Read\n  - Bash(npm *)\n  deny:\n  - Bash\n"},
    {"wide dashes stay wide", "rules:\n allow:\n      -   Read\n", "+allow Bash(npm *)",
     "rules:\n allow:\n      -   Read\n      -   Bash(npm *)\n"},
    {"a comment at the line's end stays with its line",
     "rules:\n  allow: # free\n    # first\n    - Read # why\n    # more to come\n\n  deny: []\n",
     "+allow Bash(npm *)",
     "rules:\n  allow: # free\n    # first\n    - Read # why\n    - Bash(npm *)\n"
     "    # more to come\n\n  deny: []\n"},
    {"behind a mapping", "rules:\n  deny:\n    - rule: Bash\n      reason: no # x\n", "+deny Read",
     "rules:\n  deny:\n    - rule: Bash\n      reason: no # x\n    - Read\n"},
    {"behind a text of several lines",
     "rules:\n  deny:\n    - \"Bash(a\n      b)\"\n    - Bash(c\n      d)\n", "+deny Read",
     "rules:\n  deny:\n    - \"Bash(a\n      b)\"\n    - Bash(c\n      d)\n    - Read\n"},
    {"a dash with its item on the next line", "rules:\n  deny:\n    -\n      Bash\n", "+deny Read",
     "rules:\n  deny:\n    -\n      Bash\n    - Read\n"},
    {"without a last line break", "rules:\n  deny:\n    - Bash", "+deny Read",
     "rules:\n  deny:\n    - Bash\n    - Read"},
    {"carriage returns", "rules:\r\n  deny:\r\n    - Bash\r\n", "+deny Read",
     "rules:\r\n  deny:\r\n    - Bash\r\n    - Read\r\n"},
    {"carriage returns without a last line break", "rules:\r\n  deny:\r\n    - Bash", "+deny Read",
     "rules:\r\n  deny:\r\n    - Bash\r\n    - Read"},
    {"an empty list", "rules:\n  allow: [] # none\n", "+allow Read",
     "rules:\n  allow: [Read] # none\n"},
    {"an empty list with air", "rules: {allow: [ ]}\n", "+allow Read",
     "rules: {allow: [ Read ]}\n"},
    {"an empty list over two lines", "rules:\n  allow: [ # none\n  ]\n", "+allow Read",
     "rules:\n  allow: [ # none\n    Read\n  ]\n"},
    {"a list on one line", "rules:\n  allow: [Read, \"Bash(a, b)\"]\n", "+allow WebFetch",
     "rules:\n  allow: [Read, \"Bash(a, b)\", WebFetch]\n"},
    {"a list on one line with a last comma", "rules:\n  allow: [Read , ]\n", "+allow WebFetch",
     "rules:\n  allow: [Read, WebFetch , ]\n"},
    {"a list over several lines", "rules:\n  allow: [\n    Read, # first\n    Grep # why\n  ]\n",
     "+allow WebFetch",
     "rules:\n  allow: [\n    Read, # first\n    Grep, # why\n    WebFetch\n  ]\n"},
    {"a list over several lines with a last comma",
     "rules:\n  allow: [\n    Read,\n    Grep, # why\n  ]\n", "+allow WebFetch",
     "rules:\n  allow: [\n    Read,\n    Grep, # why\n    WebFetch,\n  ]\n"},
    {"a mapping in a list on one line", "rules: {deny: [{rule: Bash, reason: no}]}\n", "+deny Read",
     "rules: {deny: [{rule: Bash, reason: no}, Read]}\n"},
    {"quoted keys", "\"rules\":\n  'deny':\n    - Bash\n", "+deny Read +ask Grep",
     "\"rules\":\n  'deny':\n    - Bash\n    - Read\n  ask:\n    - Grep\n"},
    {"an explicit key", "rules:\n  ? deny\n  : - Bash\n", "+deny Read",
     "rules:\n  ? deny\n  : - Bash\n    - Read\n"},
    {"several edits, one after the other", "", "+allow Read +deny Bash -allow Read mode=plan",
     "rules:\n  allow: []\n  deny:\n    - Bash\nmode: plan\n"},
};

TEST(Edit, AddsToAListAsItIsWritten) { expect_rows(kLists); }

constexpr Case kSame[] = {
    {"a rule that is there", "rules:\n  allow:\n    - Read\n", "+allow Read",
     "rules:\n  allow:\n    - Read\n"},
    {"in another spelling", "rules:\n  allow:\n    - Bash(npm run:*)\n", "+allow Bash(npm run *)",
     "rules:\n  allow:\n    - Bash(npm run:*)\n"},
    {"with a reason", "rules:\n  deny:\n    - {rule: Bash, reason: no}\n", "+deny Bash",
     "rules:\n  deny:\n    - {rule: Bash, reason: no}\n"},
    {"a mode that is set", "mode: manual\n", "mode=default", "mode: manual\n"},
    {"one that holds only at times does not count",
     "rules:\n  allow:\n    - rule: Read\n      expires: 2099-01-01\n", "+allow Read",
     "rules:\n  allow:\n    - rule: Read\n      expires: 2099-01-01\n    - Read\n"},
    {"nor does one of another list", "rules: {deny: [Read]}\n", "+ask Read",
     "rules: {deny: [Read], ask: [Read]}\n"},
};

TEST(Edit, LeavesAFileThatSaysItAlready) { expect_rows(kSame); }

constexpr Case kQuotes[] = {
    {"a star in front", "", "+deny *", "rules:\n  deny:\n    - \"*\"\n"},
    {"an at sign in front", "", "+deny @github", "rules:\n  deny:\n    - \"@github\"\n"},
    {"a colon and a blank", "", "+deny Bash(echo a:  b)",
     "rules:\n  deny:\n    - \"Bash(echo a:  b)\"\n"},
    {"a colon alone needs none", "", "+deny WebFetch(domain:a.b)",
     "rules:\n  deny:\n    - WebFetch(domain:a.b)\n"},
    {"a number sign behind a blank", "", "+deny Bash(echo #x)",
     "rules:\n  deny:\n    - \"Bash(echo #x)\"\n"},
    {"a number sign in a word needs none", "", "+deny Bash(echo a#x)",
     "rules:\n  deny:\n    - Bash(echo a#x)\n"},
    {"double quotes in the middle need none", "", "+deny Bash(echo \\\"a)",
     "rules:\n  deny:\n    - Bash(echo \\\"a)\n"},
    {"double quotes beside something that does", "", "+deny Bash(echo \\\"a: #)",
     "rules:\n  deny:\n    - 'Bash(echo \\\"a: #)'\n"},
    {"single quotes beside something that does", "", "+deny Bash(echo \\'a: #)",
     "rules:\n  deny:\n    - 'Bash(echo \\''a: #)'\n"},
    {"a backslash needs none", "", "+deny Bash(echo \\*)",
     "rules:\n  deny:\n    - Bash(echo \\*)\n"},
    {"a comma between brackets", "rules: {deny: []}\n", "+deny Bash(a, b)",
     "rules: {deny: [\"Bash(a, b)\"]}\n"},
    {"a comma outside of them needs none", "", "+deny Bash(a, b)",
     "rules:\n  deny:\n    - Bash(a, b)\n"},
    {"brackets between brackets", "rules: {deny: []}\n", "+deny Bash({a,b})",
     "rules: {deny: [\"Bash({a,b})\"]}\n"},
    {"letters of all the world", "", "+deny Bash(echo grün)",
     "rules:\n  deny:\n    - Bash(echo grün)\n"},
};

TEST(Edit, QuotesWhatNeedsIt) { expect_rows(kQuotes); }

constexpr Case kRemovals[] = {
    {"the first", "rules:\n  allow:\n    # r\n    - Read # why\n    # g\n    - Grep\n",
     "-allow Read", "rules:\n  allow:\n    # r\n    # g\n    - Grep\n"},
    {"the last", "rules:\n  allow:\n    - Read\n    - Grep # why\n    # end\n", "-allow Grep",
     "rules:\n  allow:\n    - Read\n    # end\n"},
    {"the last without a line break", "rules:\r\n  allow:\r\n    - Read\r\n    - Grep",
     "-allow Grep", "rules:\r\n  allow:\r\n    - Read"},
    {"the only one leaves an empty list", "rules:\n  allow: # free\n    # r\n    - Read # why\n",
     "-allow Read", "rules:\n  allow: [] # free\n    # r\n"},
    {"the only one without a line break", "rules:\n  allow:\n  - Read", "-allow Read",
     "rules:\n  allow: []"},
    {"a mapping goes whole",
     "rules:\n  deny:\n    - Read\n    - rule: Bash # x\n      # y\n      reason: |\n        no\n\n"
     "        never\n\n    - Grep\n",
     "-deny Bash", "rules:\n  deny:\n    - Read\n\n    - Grep\n"},
    {"by another spelling", "rules: {allow: [\"Bash(npm run:*)\"]}\n", "-allow Bash(npm run *)",
     "rules: {allow: []}\n"},
    {"every entry that says it",
     "rules:\n  allow:\n    - Read\n    - Grep\n    - \"Read\"\n    - {rule: Read, reason: x}\n",
     "-allow Read", "rules:\n  allow:\n    - Grep\n"},
    {"those with conditions stay while there is one without",
     "rules:\n  allow:\n    - {rule: Read, expires: 2099-01-01}\n    - Read\n", "-allow Read",
     "rules:\n  allow:\n    - {rule: Read, expires: 2099-01-01}\n"},
    {"and go where there is none",
     "rules:\n  allow:\n    - {rule: Read, expires: 2099-01-01}\n    - Grep\n", "-allow Read",
     "rules:\n  allow:\n    - Grep\n"},
    {"the first between brackets", "rules: {allow: [Read, Grep]}\n", "-allow Read",
     "rules: {allow: [Grep]}\n"},
    {"the last between brackets", "rules: {allow: [Read, Grep ]}\n", "-allow Grep",
     "rules: {allow: [Read ]}\n"},
    {"the last before a comma", "rules: {allow: [Read, Grep,]}\n", "-allow Grep",
     "rules: {allow: [Read,]}\n"},
    {"the only one between brackets", "rules: {allow: [ \"Read\" ]}\n", "-allow Read",
     "rules: {allow: [ ]}\n"},
    {"a line between brackets",
     "rules:\n  allow: [\n    Read, # a\n    Grep, # b\n    LS # c\n  ]\n", "-allow Grep",
     "rules:\n  allow: [\n    Read, # a\n    LS # c\n  ]\n"},
    {"the last line between brackets", "rules:\n  allow: [\n    Read, # a\n    LS # c\n  ]\n",
     "-allow LS", "rules:\n  allow: [\n    Read # a\n  ]\n"},
    {"a comment of the next one stays", "rules:\n  allow: [Read,\n    # b\n    Grep]\n",
     "-allow Read", "rules:\n  allow: [\n    # b\n    Grep]\n"},
    {"a comment of the one before stays", "rules:\n  allow: [Read, # a\n    Grep]\n", "-allow Grep",
     "rules:\n  allow: [Read # a\n    ]\n"},
};

TEST(Edit, RemovesARule) { expect_rows(kRemovals); }

constexpr Case kAgents[] = {
    {"an agent without rules", "agents:\n  a:\n    role: reviewer\n  b: {}\n", "+allow@a Read",
     "agents:\n  a:\n    role: reviewer\n    rules:\n      allow:\n        - Read\n  b: {}\n"},
    {"an agent that is only named", "agents:\n  a: # x\n  b:\n    mode: plan\n", "+allow@a Read",
     "agents:\n  a: # x\n    rules:\n      allow:\n        - Read\n  b:\n    mode: plan\n"},
    {"an agent that is nothing", "agents:\n  a: ~\n", "+allow@a Read",
     "agents:\n  a: {rules: {allow: [Read]}}\n"},
    {"an agent between brackets", "agents: {a: {role: reviewer}}\n", "+allow@a Read",
     "agents: {a: {role: reviewer, rules: {allow: [Read]}}}\n"},
    {"named between brackets", "agents: {a: , b: {}}\n", "+allow@a Read +deny@b Bash",
     "agents: {a: {rules: {allow: [Read]}} , b: {rules: {deny: [Bash]}}}\n"},
    {"named between brackets without a colon", "agents: {a}\n", "+allow@a Read",
     "agents: {a: {rules: {allow: [Read]}}}\n"},
    {"the other spelling", "teams:\n    a:\n        mode: plan\n", "+ask@a Bash",
     "teams:\n    a:\n        mode: plan\n        rules:\n            ask:\n                - "
     "Bash\n"},
    {"the right one of two",
     "agents:\n  a:\n    rules:\n      allow:\n        - Read\n  b:\n    rules:\n      allow:\n"
     "        - Read\nrules:\n  allow:\n    - Read\n",
     "-allow@b Read",
     "agents:\n  a:\n    rules:\n      allow:\n        - Read\n  b:\n    rules:\n      allow: []\n"
     "rules:\n  allow:\n    - Read\n"},
};

TEST(Edit, WritesIntoAnAgentsEntry) { expect_rows(kAgents); }

constexpr Case kModes[] = {
    {"a new mode in the place of the old", "mode: \"plan\" # for now\nversion: 1\n", "mode=default",
     "mode: default # for now\nversion: 1\n"},
    {"a mode stands below the version", "# top\nversion: 1 # first\nrules: {}\n", "mode=plan",
     "# top\nversion: 1 # first\nmode: plan\nrules: {}\n"},
    {"an agent's own", "agents:\n  a:\n    role: reviewer\n", "mode@a=dontAsk",
     "agents:\n  a:\n    role: reviewer\n    mode: dontAsk\n"},
    {"an agent that is only named", "agents:\n  a:\n", "mode@a=plan",
     "agents:\n  a:\n    mode: plan\n"},
    {"between brackets", "{version: 1, agents: {a: {mode: plan}}}", "mode@a=yolo mode=plan",
     "{version: 1, agents: {a: {mode: yolo}}, mode: plan}"},
};

TEST(Edit, SetsAMode) { expect_rows(kModes); }

struct ReasonCase {
  std::string_view name, before, reason, after;
};
constexpr ReasonCase kReasons[] = {
    {"a reason stands beside its rule", "rules:\n  ask:\n    - Read # x\n", "they are ours",
     "rules:\n  ask:\n    - Read # x\n    - {rule: Bash(git push *), reason: they are ours}\n"},
    {"what means something to YAML is quoted", "rules: {ask: []}\n", "a: b, #c",
     "rules: {ask: [{rule: Bash(git push *), reason: \"a: b, #c\"}]}\n"},
    {"a new list has it too", "", "why",
     "rules:\n  ask:\n    - {rule: Bash(git push *), reason: why}\n"},
};

TEST(Edit, ARuleMayComeWithItsReason) {
  for (const ReasonCase& c : kReasons) {
    Edit edit;
    edit.list = Verdict::kAsk;
    edit.rule = "Bash(git push *)";
    edit.reason = c.reason;
    const Result<std::string> got = edited(std::string(c.before), "t.yaml", {&edit, 1});
    ASSERT_TRUE(got) << c.name << ": " << render(got.error());
    EXPECT_EQ(*got, c.after) << c.name;
    edit.kind = Edit::Kind::kRemoveRule;
    edit.reason.clear();
    EXPECT_TRUE(edited(*got, "t.yaml", {&edit, 1})) << c.name;
  }
  Edit hidden;
  hidden.rule = "Bash";
  hidden.reason = "a\u202e";
  EXPECT_EQ(edited("", "t.yaml", {&hidden, 1}).error().code, "yaml-hidden-character");
}

}  // namespace
}  // namespace tollgate::config
