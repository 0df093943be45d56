// Properties of edits, on random policy files in many layouts.
// What an edit may touch is looked at here by other means than those of the proof inside it.
// A failure prints the file and the edit, which then become a row of edit_test.cc. The quick run
// takes files from fixed seeds; TOLLGATE_LONG=1 takes many more.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "base/text.h"
#include "config/edit.h"
#include "config/edit_meaning.h"
#include "config/fields.h"

namespace tollgate::config {
namespace {

constexpr std::string_view kOld[] = {
    "Read",
    "Bash(npm run *)",
    "\"Bash(git push *)\"",
    "'Grep'",
    "Bash(ls:*)",
    "\"@github\"",
    "WebFetch(domain:a.b)",
    "Edit(/src/**)",
    "\"*\"",
    "mcp__x__y",
    "Bash(echo grün)",
    "Bash(a\n{in}  b)",
    "LS",
    "\"Bash(make test\n{in}x)\"",
};
constexpr std::string_view kNew[] = {
    "WebSearch",          "Bash(echo a: b)",        "Bash(echo #x)",      "@builtin",
    "Bash(cmake, ninja)", "Bash(echo \\\"x\\\" *)", "Bash(echo \\'x: #)", "mcp__a__b(repo=x/*)",
    "Write(~/x/**)",      "Bash({a,b} [c])",
};

// Writes a random file that the loader takes.
class Generator {
 public:
  explicit Generator(unsigned seed) : random_(seed) {
    step_ = 1 + pick(4);
    list_ = pick(2) == 0 ? 0 : step_;
    wide_ = pick(4) == 0 ? 3 : 1;
  }

  std::string file() {
    comments(0);
    if (pick(3) == 0) line(0, "version: 1");
    if (pick(2) == 0) rules(0);
    if (pick(3) == 0) line(0, "mode: plan");
    if (pick(2) == 0) agents();
    if (pick(3) == 0) line(0, "settings: {permissionTimeout: 20s, redact: [a, \"b, c\"]}");
    if (out_.find("\nrules:") == out_.npos && !out_.starts_with("rules:") && pick(2) == 0) rules(0);
    comments(0);
    std::string text = out_;
    if (pick(5) == 0 && text.ends_with('\n')) text.pop_back();
    if (pick(4) != 0) return text;
    std::string windows;
    for (char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
    return windows;
  }

  std::size_t pick(std::size_t below) { return random_() % below; }

 private:
  void line(std::size_t column, const std::string& text) {
    comments(column);
    out_ += std::string(column, ' ') + text + (pick(4) == 0 ? "  # why: [x] - y" : "") + "\n";
  }
  void comments(std::size_t column) {
    while (pick(4) == 0)
      out_ += pick(2) == 0 ? "\n" : std::string(pick(2) * column, ' ') + "# - Read: {x}\n";
  }
  std::string old_rule(std::size_t column) {
    std::string rule(kOld[pick(std::size(kOld))]);
    if (const std::size_t at = rule.find("{in}"); at != rule.npos)
      rule.replace(at, 4, std::string(column + 2, ' '));
    return rule;
  }
  std::string flow_rule() {
    for (;;) {
      std::string rule(kOld[pick(std::size(kOld))]);
      if (rule.find('\n') != rule.npos) continue;
      return pick(5) == 0 ? "{rule: " + rule + ", reason: \"a, b\"}" : rule;
    }
  }
  void block_item(std::size_t column) {
    const std::string dash = "-" + std::string(wide_, ' ');
    const std::size_t inner = column + dash.size();
    if (pick(4) != 0) return line(column, dash + old_rule(inner));
    line(column, dash + "rule: " + old_rule(inner));
    switch (pick(3)) {
      case 0:
        return line(inner, "reason: because");
      case 1:
        out_ += std::string(inner, ' ') + (pick(2) == 0 ? "reason: |\n" : "reason: >+\n") +
                std::string(inner + 1, ' ') + "one # two\n" + (pick(2) == 0 ? "\n\n" : "");
        return;
      default:
        return line(inner, "expires: 2099-01-01");
    }
  }
  void flow_list(std::size_t column, const std::string& key) {
    const std::size_t count = pick(4);
    const bool lines = pick(3) == 0;
    std::string text = key + ": [";
    if (lines) text += pick(2) == 0 ? " # open\n" : "\n";
    if (count == 0 && !lines && pick(2) == 0) text += " ";
    for (std::size_t i = 0; i < count; ++i) {
      const bool comma = i + 1 < count || pick(3) == 0;
      if (lines)
        text += std::string(column + step_, ' ') + flow_rule() + (comma ? "," : "") +
                (pick(3) == 0 ? " # [a], b\n" : "\n");
      else
        text += flow_rule() + (comma ? pick(3) == 0 ? " , " : ", " : "");
    }
    if (lines) text += std::string(column + pick(2), ' ');
    line(column, text + "]");
  }
  void rules(std::size_t column) {
    if (pick(4) == 0) return line(column, flow_rules());
    line(column, "rules:");
    std::size_t made = 0;
    for (const std::string key : {"deny", "allow", "ask"}) {
      if (pick(2) == 0 && (made > 0 || key != "ask")) continue;
      ++made;
      if (pick(3) == 0) {
        flow_list(column + step_, key);
        continue;
      }
      line(column + step_, key + ":");
      for (std::size_t i = 1 + pick(3); i > 0; --i) block_item(column + step_ + list_);
    }
  }
  std::string flow_rules() {
    std::string text = "rules: {";
    if (pick(2) == 0) text += "deny: [" + flow_rule() + "]" + (pick(2) == 0 ? ", ask: []" : "");
    return text + "}";
  }
  void agents() {
    line(0, pick(2) == 0 ? "agents:" : "teams:");
    for (const std::string name : {"a", "b", "c"}) {
      switch (pick(5)) {
        case 0:
          line(step_, name + ":");
          break;
        case 1:
          line(step_, name + ": {role: reviewer, " + flow_rules() + "}");
          break;
        case 2:
          line(step_, name + ": {}");
          break;
        case 3:
          line(step_, "\"" + name + "\": ~");
          break;
        default:
          line(step_, name + ":");
          line(2 * step_, "provider: claude");
          if (pick(2) == 0) rules(2 * step_);
          if (pick(2) == 0) line(2 * step_, "answer: no");
      }
    }
  }

  std::mt19937 random_;
  std::size_t step_, list_, wide_;
  std::string out_;
};

// Every rule with its list and agent, in order, and all else that the file says.
struct Said {
  std::vector<std::string> rules;
  PolicySet rest;
  Settings settings;
  bool operator==(const Said&) const = default;
};

Said said_by(const std::string& text) {
  Result<Reading> reading = reading_of(text, "t.yaml", {});
  EXPECT_TRUE(reading) << render(reading.error()) << text;
  if (!reading) return {};
  Said said{{}, std::move(reading->set), std::move(reading->settings)};
  for (const Rule& rule : said.rest.rules)
    said.rules.push_back(std::string(name(rule.verdict)) + "@" + rule.agent + " " + rule.text +
                         (rule.expires > 0 ? " expires" : "") + " " + rule.reason);
  said.rest.rules.clear();
  return said;
}

bool is_in_order(std::string_view part, std::string_view whole) {
  std::size_t next = 0;
  for (char c : whole) next += next < part.size() && part[next] == c;
  return next == part.size();
}

// A text whose line breaks at the end count (`>+`) takes up what is written behind it. Such a file
// is left alone, and its user is told so.
bool may_be_left_alone(const std::string& text, const Result<std::string>& result) {
  return !result && result.error().code == "edit-failed" &&
         (text.find(">+") != text.npos || text.find("|+") != text.npos);
}

bool has_list(const std::string& text, const Edit& edit) {
  std::vector<Diagnostic> ignored;
  const Document document = read_yaml(text, "t.yaml", ignored);
  const Node* owner = &document.root();
  if (!edit.agent.empty()) owner = value_of(*owner, "", "agents")->find(edit.agent);
  const Node* rules = owner->find("rules");
  return rules != nullptr && rules->find(name(edit.list)) != nullptr;
}

void holds(const std::string& text, Edit edit) {
  SCOPED_TRACE("file:\n" + text + "\nedit: " + std::string(name(edit.list)) + "@" + edit.agent +
               " " + edit.rule);
  const Said before = said_by(text);
  edit.kind = Edit::Kind::kAddRule;
  const Result<std::string> added = edited(text, "t.yaml", {&edit, 1});
  if (may_be_left_alone(text, added)) return;
  ASSERT_TRUE(added) << render(added.error());
  EXPECT_EQ(edited(*added, "t.yaml", {&edit, 1}).value(), *added);
  Said after = said_by(*added);
  const std::string rule = std::string(name(edit.list)) + "@" + edit.agent + " " + edit.rule + " ";
  EXPECT_EQ(std::erase(after.rules, rule), 1u) << *added;
  EXPECT_EQ(after, before) << *added;
  const bool replaces = text.find('~') != text.npos;
  EXPECT_TRUE(replaces || is_in_order(text, *added)) << *added;

  edit.kind = Edit::Kind::kRemoveRule;
  const Result<std::string> removed = edited(*added, "t.yaml", {&edit, 1});
  if (may_be_left_alone(text, removed)) return;
  ASSERT_TRUE(removed) << render(removed.error()) << *added;
  EXPECT_EQ(said_by(*removed), before) << *removed;
  EXPECT_TRUE(!has_list(text, edit) || *removed == text) << *added << "\nremoved:\n" << *removed;
}

unsigned seeds() { return std::getenv("TOLLGATE_LONG") != nullptr ? 10'000 : 200; }

TEST(EditProperty, AddingAndRemovingGivesTheFileBack) {
  constexpr Verdict kLists[] = {Verdict::kAllow, Verdict::kAsk, Verdict::kDeny};
  constexpr std::string_view kAgents[] = {"a", "b", "c"};
  for (unsigned seed = 0; seed < seeds() && !testing::Test::HasFailure(); ++seed) {
    Generator generator(seed);
    const std::string text = generator.file();
    const bool agents = text.find("agents:") != text.npos || text.find("teams:") != text.npos;
    Edit edit;
    edit.rule = kNew[generator.pick(std::size(kNew))];
    edit.list = kLists[generator.pick(3)];
    holds(text, edit);
    edit.list = kLists[generator.pick(3)];
    edit.agent = kAgents[generator.pick(3)];
    if (agents) holds(text, edit);
  }
}

// Removing any rule that a file has takes that rule and nothing else.
TEST(EditProperty, RemovingTakesThatRuleAlone) {
  for (unsigned seed = 0; seed < seeds() / 4 && !testing::Test::HasFailure(); ++seed) {
    Generator generator(seed);
    const std::string text = generator.file();
    const Result<Reading> reading = reading_of(text, "t.yaml", {});
    ASSERT_TRUE(reading) << render(reading.error()) << text;
    for (const Rule& rule : reading->set.rules) {
      if (rule.source != ConfigSource::kUser) continue;
      const Edit edit{Edit::Kind::kRemoveRule, rule.agent, rule.verdict, rule.text, ""};
      SCOPED_TRACE("file:\n" + text + "\nremoved: " + rule.text);
      const Result<std::string> left = edited(text, "t.yaml", {&edit, 1});
      if (may_be_left_alone(text, left)) continue;
      ASSERT_TRUE(left) << render(left.error());
      // A list that lost its last rule says `[]` in its place.
      std::string kept = *left;
      for (std::size_t at; (at = kept.find(" []")) != kept.npos;) kept.erase(at, 3);
      EXPECT_TRUE(is_in_order(kept, text)) << *left;
      Said before = said_by(text), after = said_by(*left);
      const auto is_it = [&](const std::string& line) {
        return line.starts_with(std::string(name(rule.verdict)) + "@" + rule.agent + " ") &&
               line.find(rule.text) != line.npos;
      };
      EXPECT_LT(after.rules.size(), before.rules.size());
      std::erase_if(before.rules, is_it);
      std::erase_if(after.rules, is_it);
      EXPECT_EQ(after, before) << *left;
    }
  }
}

}  // namespace
}  // namespace tollgate::config
