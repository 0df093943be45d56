// The compiled policy as bytes: equal for shuffled rules, and refused in every damaged form.
#include "policy/policy.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "policy/flat.h"
#include "policy/lint.h"
#include "policy/meta.h"
#include "policy/policy_view.h"

namespace tollgate {
namespace {

PolicySet some_policy() {
  PolicySet set = built_in_policy();
  std::uint32_t line = 1;
  for (const char* text :
       {"Bash(git push *)", "Read(**/.env)", "Edit(/src/**)", "WebFetch(domain:a.io)",
        "mcp__s__t(a=1, b=x*)", "Agent(explore)", "files.write(/x)", "*", "fs_*"}) {
    for (const Verdict list : {Verdict::kAllow, Verdict::kAsk, Verdict::kDeny}) {
      Result<Rule> rule = parse_rule(list, text, {.file = "t.yaml", .line = line++, .column = 5});
      EXPECT_TRUE(rule) << text;
      rule->reason = "a reason";
      rule->hours = Hours{.days = 1, .from = 60, .to = 120, .zone = "UTC"};
      set.rules.push_back(std::move(*rule));
    }
  }
  set.agents.push_back({.name = "one", .servers = {"s"}});
  set.rules.back().agent = "one";
  set.zones = {{.name = "UTC", .offsets = {{.from = 0, .seconds = 0}}}};
  set.tools = {{.name = "db.query", .side_effect = false, .specifier_template = "{q}"}};
  return set;
}

std::shared_ptr<std::vector<std::byte>> bytes_of(const Policy& policy) {
  return std::make_shared<std::vector<std::byte>>(policy.bytes().begin(), policy.bytes().end());
}

TEST(Policy, ADefaultMadeOneIsBroken) {
  const Policy policy;
  EXPECT_TRUE(policy.broken());
}

TEST(Policy, CompilesToTheSameBytesWhateverTheOrder) {
  PolicySet set = some_policy();
  const auto one = bytes_of(compile(set));
  std::mt19937 random(3);
  std::ranges::shuffle(set.rules, random);
  EXPECT_EQ(*one, *bytes_of(compile(set)));
}

TEST(Policy, OpensWhatItCompiled) {
  const PolicySet set = some_policy();
  const Policy made = compile(set);
  const auto bytes = bytes_of(made);
  const Result<Policy> opened = Policy::open(*bytes, bytes);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->rule_count(), set.rules.size());
  EXPECT_EQ(opened->agents(), set.agents);
  EXPECT_EQ(opened->tools(), set.tools);
}

TEST(Policy, RefusesEveryTruncation) {
  const auto whole = bytes_of(compile(some_policy()));
  for (std::size_t size = 0; size < whole->size(); ++size) {
    auto cut = std::make_shared<std::vector<std::byte>>(
        whole->begin(), whole->begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(Policy::open(*cut, cut)) << size;
    // A liar adjusts the size in the header as well.
    if (size < sizeof(flat::Header)) continue;
    reinterpret_cast<flat::Header*>(cut->data())->size = static_cast<std::uint32_t>(size);
    EXPECT_FALSE(Policy::open(*cut, cut)) << size;
  }
}

TEST(Policy, RefusesOffsetsThatLeadOutside) {
  const auto whole = bytes_of(compile(some_policy()));
  const auto forged = [&](const auto& change) {
    auto bytes = std::make_shared<std::vector<std::byte>>(*whole);
    auto* header = reinterpret_cast<flat::Header*>(bytes->data());
    change(*header, bytes->data());
    return !Policy::open(*bytes, bytes).has_value();
  };
  const auto rules = [](flat::Header& h, std::byte* base) {
    return reinterpret_cast<flat::RuleRecord*>(base + h.rules.offset);
  };
  const auto postings = [](flat::Header& h, std::byte* base) {
    return reinterpret_cast<flat::Posting*>(base + h.postings.offset);
  };
  const auto slots = [](flat::Header& h, std::byte* base) {
    return reinterpret_cast<flat::Slot*>(base + h.slots.offset);
  };
  EXPECT_TRUE(forged([](auto& h, auto*) { h.magic ^= 1; }));
  EXPECT_TRUE(forged([](auto& h, auto*) { ++h.version; }));
  EXPECT_TRUE(forged([](auto& h, auto*) { h.size += 8; }));
  EXPECT_TRUE(forged([](auto& h, auto*) { h.rules.count = 0xffffffff; }));
  EXPECT_TRUE(forged([](auto& h, auto*) { h.rules.offset = 0; }));
  EXPECT_TRUE(forged([](auto& h, auto*) { h.rules.offset += 4; }));
  EXPECT_TRUE(forged([](auto& h, auto*) { h.text.count = h.size; }));
  EXPECT_TRUE(forged([](auto& h, auto*) { h.meta.count -= 8; }));
  EXPECT_TRUE(forged([](auto& h, auto*) { h.slots.count -= 1; }));
  EXPECT_TRUE(forged([](auto& h, auto*) { h.slots.count = 0; }));
  EXPECT_TRUE(forged([](auto& h, auto*) { h.tight[3] = 0xffff; }));
  EXPECT_TRUE(forged([](auto& h, auto*) { h.tight = {}; }));
  EXPECT_TRUE(forged([](auto& h, auto*) { h.offsets.count = 0; }));
  EXPECT_TRUE(forged([&](auto& h, auto* b) { rules(h, b)->text.offset = 0xfffffff0; }));
  EXPECT_TRUE(forged([&](auto& h, auto* b) { rules(h, b)->specifier.size = 0x7fffffff; }));
  EXPECT_TRUE(forged([&](auto& h, auto* b) { rules(h, b)->file = 999; }));
  EXPECT_TRUE(forged([&](auto& h, auto* b) { rules(h, b)->agent = 999; }));
  EXPECT_TRUE(forged([&](auto& h, auto* b) { rules(h, b)->verdict = 3; }));
  EXPECT_TRUE(forged([&](auto& h, auto* b) { rules(h, b)->verdict = 0; }));
  EXPECT_TRUE(forged([&](auto& h, auto* b) { rules(h, b)->tool_kind = 77; }));
  EXPECT_TRUE(forged([&](auto& h, auto* b) { rules(h, b)->specifier_kind = 77; }));
  EXPECT_TRUE(forged([&](auto& h, auto* b) { rules(h, b)->extra = 4096; }));
  EXPECT_TRUE(forged([&](auto& h, auto* b) { postings(h, b)->rule = 0xffff; }));
  EXPECT_TRUE(forged([&](auto& h, auto* b) { postings(h, b)[1].next = 0; })) << "a list that loops";
  EXPECT_TRUE(forged([&](auto& h, auto* b) {
    for (std::uint32_t i = 0; i < h.slots.count; ++i) slots(h, b)[i].first = 0;
  })) << "a table without an empty slot, where a search never ends";
}

// Everything that a judge may read, once.
void read_all(const Policy& policy) {
  const PolicyView view(policy);
  std::size_t bytes = 0;
  const auto visit = [&](std::uint32_t rule) {
    bytes += view.rule(rule).specifier.size() + view.rule(rule).tool_name.size();
    bytes += view.text(view.record(rule).text).size() + view.place(rule).size();
    const flat::ExtraRecord* extra = view.extra(rule);
    if (extra == nullptr) return;
    bytes += view.text(extra->reason).size() + view.text(extra->approve).size();
    bytes += view.is_open(*extra, 86'400) ? 1 : 0;
  };
  for (std::uint32_t rule = 0; rule < view.size(); ++rule) visit(rule);
  const auto* header = reinterpret_cast<const flat::Header*>(policy.bytes().data());
  const auto* slots =
      reinterpret_cast<const flat::Slot*>(policy.bytes().data() + header->slots.offset);
  for (std::uint32_t i = 0; i < header->slots.count; ++i) view.look_up(slots[i].key, visit);
  for (Key key = 0; key < 64; ++key) view.look_up(key, visit);
  EXPECT_GT(bytes, 0u);
}

TEST(Policy, RefusesAQuorumThatCannotBeRead) {
  PolicySet set = built_in_policy();
  Result<Rule> rule = parse_rule(Verdict::kAsk, "Bash(git push *)", {});
  ASSERT_TRUE(rule);
  rule->approve = {Quorum{.any = 2, .of = {"lead"}}};
  set.rules.push_back(*rule);
  const Policy policy = compile(set);
  const auto whole =
      std::make_shared<std::vector<std::byte>>(policy.bytes().begin(), policy.bytes().end());
  const std::string_view text(reinterpret_cast<const char*>(whole->data()), whole->size());
  const std::size_t at = text.find("{any: 2");
  ASSERT_NE(at, text.npos);
  EXPECT_TRUE(Policy::open(*whole, whole));
  (*whole)[at + 6] = static_cast<std::byte>('0');
  EXPECT_FALSE(Policy::open(*whole, whole)) << "nobody's agreement is no quorum";
}

TEST(Policy, CheckedAsItIsReadItIsBrokenWhereItWouldHaveBeenRefused) {
  const auto whole = bytes_of(compile(some_policy()));
  const Result<Policy> good = Policy::open(*whole, whole, PolicyCheck::kAsRead);
  ASSERT_TRUE(good);
  read_all(*good);
  EXPECT_FALSE(good->broken());
  const auto* header = reinterpret_cast<const flat::Header*>(whole->data());
  const auto* slots = reinterpret_cast<const flat::Slot*>(whole->data() + header->slots.offset);
  const auto is_empty_slot = [&](std::size_t at) {
    const std::size_t slot = (at - header->slots.offset) / sizeof(flat::Slot);
    return at >= header->slots.offset && slot < header->slots.count &&
           slots[slot].first == flat::kNil;
  };
  std::size_t refused = 0, broken = 0;
  for (std::size_t at = 0; at < whole->size(); ++at) {
    for (const unsigned flipped : {0x01u, 0x80u, 0xffu}) {
      auto bytes = std::make_shared<std::vector<std::byte>>(*whole);
      (*bytes)[at] ^= static_cast<std::byte>(flipped);
      const Result<Policy> eager = Policy::open(*bytes, bytes);
      const Result<Policy> lazy = Policy::open(*bytes, bytes, PolicyCheck::kAsRead);
      if (!lazy) {
        EXPECT_FALSE(eager) << at;
        ++refused;
        continue;
      }
      read_all(*lazy);
      // A section may be said to hold more than anything leads to, and an empty slot not be so.
      const bool unread = at < sizeof(flat::Header) || is_empty_slot(at);
      EXPECT_TRUE(lazy->broken() ? !eager : unread || eager) << at << " " << flipped;
      broken += lazy->broken().has_value();
    }
  }
  EXPECT_GT(refused, 0u);
  EXPECT_GT(broken, 0u);
}

TEST(Lint, WarnsOfBroadAndUselessRules) {
  PolicySet set;
  std::uint32_t line = 1;
  const auto add = [&](Verdict list, const char* text) {
    Result<Rule> rule = parse_rule(list, text, {.file = "t.yaml", .line = line++, .column = 5});
    ASSERT_TRUE(rule) << text;
    set.rules.push_back(std::move(*rule));
  };
  struct Case {
    Verdict list;
    const char* text;
    const char* code;
  };
  constexpr Verdict kAllow = Verdict::kAllow, kDeny = Verdict::kDeny;
  constexpr Case kCases[] = {
      {kAllow, "*", "broad-rule"},
      {kAllow, "Bash", "broad-rule"},
      {kAllow, "Bash(bash *)", "broad-rule"},
      {kAllow, "Bash(python *)", "broad-rule"},
      {kAllow, "Bash(python3 -c *)", "broad-rule"},
      {kAllow, "Bash(env *)", "broad-rule"},
      {kAllow, "Bash(sudo *)", "broad-rule"},
      {kAllow, "Bash(xargs *)", "broad-rule"},
      {kAllow, "Bash(* --version)", "broad-rule"},
      {kDeny, "Teleport", "unlisted-tool"},
      {kDeny, "Read(/etc/hosts)", "root-anchor"},
  };
  for (const Case& c : kCases) {
    set.rules.clear();
    add(c.list, c.text);
    const std::vector<Diagnostic> found = lint(set);
    ASSERT_EQ(found.size(), 1u) << c.text;
    EXPECT_EQ(found[0].error.code, c.code) << c.text;
    EXPECT_EQ(found[0].severity, Severity::kWarning);
  }
  for (const char* text :
       {"Bash(npm run *)", "Bash(python manage.py *)", "Edit(/src/**)", "mcp__x"}) {
    set.rules.clear();
    add(kAllow, text);
    EXPECT_TRUE(lint(set).empty()) << text;
  }
  set.rules.clear();
  add(kAllow, "Bash(npm *)");
  add(kAllow, "Bash(npm run *)");
  ASSERT_EQ(lint(set).size(), 1u);
  EXPECT_EQ(lint(set)[0].error.code, "shadowed-rule");
  EXPECT_EQ(lint(set)[0].error.where.line, set.rules[1].where.line);
  set.rules.clear();
  add(kAllow, "Bash(npm run *)");
  add(kDeny, "Bash(npm run *)");
  ASSERT_EQ(lint(set).size(), 1u);
  EXPECT_EQ(lint(set)[0].error.code, "overruled-rule");
  set.rules.clear();
  add(kDeny, "Bash(npm run *)");
  set.rules[0].expires = 1'000;
  EXPECT_TRUE(lint(set, 999).empty());
  ASSERT_EQ(lint(set, 1'000).size(), 1u);
  EXPECT_EQ(lint(set, 1'000)[0].error.code, "expired-rule");
  EXPECT_EQ(lint(set, 1'000)[0].severity, Severity::kWarning);
}

TEST(Meta, KeepsTheListsOfACeilingAndRefusesTheOlderForm) {
  PolicySet set = built_in_policy();
  Ceiling& ceiling = set.agents[0].ceiling;
  ceiling.lists = {{ceiling.entries, ConfigSource::kUser, "u.yaml:1:2", "allowedTools"},
                   {{}, ConfigSource::kEnv, "V", "V"}};
  const std::string bytes = pack_meta(set);
  const std::optional<PolicyMeta> back = unpack_meta(bytes);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->agents, set.agents);
  EXPECT_FALSE(unpack_meta(std::string_view(bytes).substr(8))) << "it began with the agents";
}

}  // namespace
}  // namespace tollgate
