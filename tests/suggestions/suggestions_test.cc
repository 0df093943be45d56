// What may be said of every rule that the gate suggests, tried on every ask of tests/decisions.
// (a) With the rule the very call is allowed. (b) The rule lets none of dangerous.txt through.
// (c) Of a program that runs what it is given, or reaches where it is told, it names one call.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "cli/case_file.h"
#include "effects/effects.h"
#include "explain/call_text.h"
#include "gate/decide.h"
#include "policy/policy.h"
#include "policy/policy_view.h"
#include "service/memory_log.h"
#include "service/service.h"
#include "service/world.h"

namespace tollgate {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> case_files() {
  std::vector<fs::path> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(TOLLGATE_SOURCE_DIR) / "tests/decisions"))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

struct Offer {
  std::string place, text;  // the case that it was offered for
  std::string rule;
};

// One case file's calls, judged with and without rules that were offered.
class Judged {
 public:
  explicit Judged(const cli::CaseFile& file) : file_(file) {}

  void collect(std::vector<Offer>& out) const {
    const Policy policy = compile(file_.policy.set);
    for (const cli::DecisionCase& one : file_.cases) {
      if (one.want != Verdict::kAsk) continue;
      const Decision decision = decided(policy, one, Detail::kFull);
      if (decision.verdict != Verdict::kAsk) continue;
      for (const std::string& rule : decision.suggestions) {
        out.push_back({place_name(one.where), one.text, rule});
        EXPECT_EQ(verdict_with(one, rule), Verdict::kAllow)
            << place_name(one.where) << ": `" << rule << "` is offered and does not settle it";
      }
    }
  }

 private:
  Verdict verdict_with(const cli::DecisionCase& one, const std::string& text) const {
    PolicySet set = file_.policy.set;
    Result<Rule> rule = parse_rule(Verdict::kAllow, text, {}, {.tools = set.tools});
    if (!rule) return Verdict::kDeny;
    set.rules.push_back(std::move(*rule));
    return decided(compile(set), one, Detail::kVerdict).verdict;
  }

  Decision decided(const Policy& policy, const cli::DecisionCase& one, Detail detail) const {
    Result<json::Value> input =
        one.input ? Result<json::Value>(*one.input) : input_of(one.tool, one.text, policy.tools());
    if (!input) return {};
    ToolCall call = call_of(one.tool, std::move(*input));
    call.cwd = one.cwd;
    call.agent = one.agent;
    FixedWorld world = file_.world;
    if (one.now) world.now = *one.now;
    LookPlan plan = file_.plan;
    plan.walk = PolicyView(policy).walks();
    MemoryLog log;
    Service service({policy, world, log, nullptr},
                    {.plan = std::move(plan), .decide = {.detail = detail, .mode = one.mode}});
    return service.handle(call);
  }

  const cli::CaseFile& file_;
};

const std::vector<Offer>& offers() {
  static const std::vector<Offer> all = [] {
    std::vector<Offer> out;
    for (const fs::path& path : case_files()) {
      const cli::CaseFile file = cli::read_case_file(path, path.filename());
      Judged(file).collect(out);
    }
    return out;
  }();
  return all;
}

// A dangerous command with all that its judgement needs.
struct Danger {
  ToolCall call;
  Effects effects;
  Situation situation;
  std::string text;
};

std::vector<Danger> dangers() {
  FixedWorld world;
  for (const char* directory :
       {"/w", "/w/.git", "/w/src", "/h", "/h/.ssh", "/srv", "/srv/elsewhere"})
    world.files[directory] = {.state = PathState::kDirectory};
  std::vector<Danger> out;
  std::ifstream in(fs::path(TOLLGATE_SOURCE_DIR) / "tests/suggestions/dangerous.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    Danger danger{.call = {}, .effects = {}, .situation = {}, .text = line};
    danger.call.tool = danger.call.native_tool = "Bash";
    danger.call.cwd = "/w";
    danger.call.input = json::Value::object({{"command", json::Value::string(line)}});
    danger.effects = effects_of(danger.call, {}, "/h");
    danger.situation = world.look(danger.call, danger.effects, {.base = "/w", .home = "/h"});
    out.push_back(std::move(danger));
  }
  return out;
}

Verdict verdict_of(const Policy& policy, const Danger& danger) {
  return decide(policy, danger.call, danger.effects, danger.situation).verdict;
}

TEST(Suggestions, EachSettlesTheCallItIsOfferedFor) { EXPECT_GT(offers().size(), 1000u); }

TEST(Suggestions, NoneLetsADangerousCommandThrough) {
  const std::vector<Danger> all = dangers();
  EXPECT_GE(all.size(), 150u);
  const Policy plain = compile(built_in_policy());
  for (const Danger& danger : all)
    EXPECT_NE(verdict_of(plain, danger), Verdict::kAllow) << danger.text << ": is no danger";
  std::map<std::string, const Offer*> rules;
  for (const Offer& offer : offers()) rules.emplace(offer.rule, &offer);
  for (const auto& [text, offer] : rules) {
    PolicySet set = built_in_policy();
    Result<Rule> rule = parse_rule(Verdict::kAllow, text, {});
    if (!rule) continue;  // of a tool that only its case file declares
    set.rules.push_back(std::move(*rule));
    const Policy policy = compile(set);
    for (const Danger& danger : all)
      EXPECT_NE(verdict_of(policy, danger), Verdict::kAllow)
          << offer->place << ": `" << text << "` lets through: " << danger.text;
  }
}

// Programs that are broadened at all, and the word behind which a star may stand. What is not here
// gets the exact call.
TEST(Suggestions, OnlyAFewProgramsAreBroadened) {
  constexpr std::string_view kBroadened[] = {
      "npm run ",   "npm run-script ", "npm test ",    "pnpm run ",     "pnpm test ",
      "yarn test ", "cargo build ",    "cargo check ", "cargo clippy ", "cargo test ",
      "git add ",   "git commit ",     "mkdir ",       "touch "};
  std::size_t broad = 0;
  for (const Offer& offer : offers()) {
    if (!offer.rule.starts_with("Bash(") || !offer.rule.ends_with(" *)")) continue;
    ++broad;
    const std::string specifier = offer.rule.substr(5);
    EXPECT_TRUE(std::ranges::any_of(
        kBroadened, [&](std::string_view start) { return specifier.starts_with(start); }))
        << offer.place << ": " << offer.rule;
  }
  EXPECT_GT(broad, 20u);
}

TEST(Suggestions, NoStarStandsAnywhereElse) {
  for (const Offer& offer : offers()) {
    if (!offer.rule.starts_with("Bash(")) continue;
    const std::string_view rule = offer.rule;
    for (std::size_t i = rule.find('*'); i != rule.npos; i = rule.find('*', i + 1))
      EXPECT_TRUE(rule[i - 1] == '\\' || rule.substr(i) == "*)") << offer.place << ": " << rule;
    EXPECT_NE(rule, "Bash(*)") << offer.place;
  }
}

TEST(Suggestions, AtMostTwoAreBroader) {
  std::map<std::string, int> count;
  for (const Offer& offer : offers())
    if (offer.rule.ends_with(" *)")) ++count[offer.place];
  for (const auto& [place, broad] : count) EXPECT_LE(broad, 2) << place;
}

}  // namespace
}  // namespace tollgate
