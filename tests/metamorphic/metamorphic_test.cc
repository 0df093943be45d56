// The same said in other words is never judged more loosely: allow < ask < deny.
// Every shell command of the decision cases is judged under its own policy; those of the program
// tables and the dangerous ones under random rules about their programs. Each is then said
// otherwise by a random chain of transformations.
// A fresh seed is printed each time; TOLLGATE_SEED repeats it, TOLLGATE_CHAINS says how many chains
// each command gets. A finding is shown with the smallest chain that still loosens.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <vector>

#include "cli/case_file.h"
#include "effects/effects.h"
#include "explain/call_text.h"
#include "gate/decide.h"
#include "metamorphic/transformations.h"
#include "policy/policy.h"
#include "policy/policy_view.h"
#include "service/memory_log.h"
#include "service/service.h"
#include "service/world.h"
#include "shell/read.h"

namespace tollgate::metamorphic {
namespace {

namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t kChains = 1;
#else
constexpr std::uint64_t kChains = 12;
#endif
constexpr std::string_view kVerdicts[] = {"allow", "ask", "deny"};
constexpr std::size_t kMostSteps = 4;
constexpr std::size_t kMostReports = 40;

std::optional<std::uint64_t> setting(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  return std::strtoull(text, nullptr, 10);
}

std::vector<fs::path> files_in(const char* place, std::string_view extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TOLLGATE_SOURCE_DIR) / place))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

// One way to do something to a text, with the numbers it draws.
struct Step {
  std::size_t which = 0;
  std::uint64_t seed = 0;
};
using Chain = std::vector<Step>;

// Steps that do not apply, or that no shell would read, are left out.
std::string applied(std::string text, const Chain& chain) {
  // LIMIT: a text of many lines within lines says nothing new.
  constexpr std::size_t kMostText = 8'000;
  for (const Step& step : chain) {
    Random random(step.seed);
    auto next = transformations()[step.which].apply(text, random);
    if (!next || next->size() > kMostText || shell::read(*next).refused()) continue;
    text = std::move(*next);
  }
  return text;
}

std::string names_of(const Chain& chain) {
  std::string out;
  for (const Step& step : chain)
    out += (out.empty() ? "" : ", ") + std::string(transformations()[step.which].name);
  return out;
}

ToolCall call_of(const std::string& text) {
  ToolCall call;
  call.tool = call.native_tool = "Bash";
  call.cwd = "/w";
  call.input = json::Value::object({{"command", json::Value::string(text)}});
  return call;
}

// Past a limit a text is asked about, and what it set is not known any more.
bool is_beyond_limit(const std::string& text) {
  return std::ranges::any_of(effects_of(call_of(text), {}, "/h"), [](const Effect& effect) {
    return effect.kind == EffectKind::kUnknown && effect.target == kBeyondLimit;
  });
}

using Judge = std::function<Verdict(const std::string&)>;

class Metamorphoses {
 public:
  explicit Metamorphoses(std::uint64_t seed) : random_(seed) {}

  void check(const std::string& text, const std::string& place, const Judge& judge) {
    if (shell::read(text).refused()) return;
    const Verdict verdict = judge(text);
    ++commands_;
    if (verdict == Verdict::kAllow) return;  // nothing is looser
    const std::uint64_t chains = setting("TOLLGATE_CHAINS").value_or(kChains);
    for (std::uint64_t i = 0; i < chains; ++i) {
      Chain chain;
      for (std::size_t steps = 1 + random_() % kMostSteps; steps > 0; --steps)
        chain.push_back({random_() % transformations().size(), random_()});
      const std::string other = applied(text, chain);
      if (other == text) continue;
      ++texts_;
      // What is hidden may be asked about.
      const bool hidden = std::ranges::any_of(
          chain, [](const Step& step) { return !transformations()[step.which].hides.empty(); });
      if (judge(other) >= verdict) continue;
      const Verdict least =
          hidden || is_beyond_limit(other) ? std::min(verdict, Verdict::kAsk) : verdict;
      if (judge(other) >= least) continue;
      ++loosened_;
      chain = smallest(text, std::move(chain), least, judge);
      auto& kept = findings_[names_of(chain)];
      ++kept.times;
      const std::string shown = applied(text, chain);
      if (!kept.text.empty() && kept.text.size() <= shown.size()) continue;
      kept.text = shown;
      kept.message = place + ": " + std::string(kVerdicts[static_cast<int>(verdict)]) + " -> " +
                     std::string(kVerdicts[static_cast<int>(judge(shown))]) + "\n" + text +
                     "\n--- as\n" + shown + "\n";
    }
  }

  std::uint64_t loosened() const { return loosened_; }

  void report() const {
    std::cout << "commands " << commands_ << ", said otherwise " << texts_ << ", loosened "
              << loosened_ << "\n";
    std::size_t shown = 0;
    for (const auto& [names, finding] : findings_) {
      if (++shown > setting("TOLLGATE_REPORTS").value_or(kMostReports)) break;
      std::cout << "=== " << names << " (" << finding.times << " times)\n"
                << finding.message << "\n";
    }
  }

 private:
  // Without every step that can go.
  static Chain smallest(const std::string& text, Chain chain, Verdict verdict, const Judge& judge) {
    for (std::size_t i = 0; i < chain.size();) {
      Chain less = chain;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      if (!less.empty() && judge(applied(text, less)) < verdict)
        chain = std::move(less);
      else
        ++i;
    }
    return chain;
  }

  struct Finding {
    std::uint64_t times = 0;
    std::string text, message;
  };

  Random random_;
  std::uint64_t commands_ = 0, texts_ = 0, loosened_ = 0;
  std::map<std::string, Finding> findings_;
};

std::uint64_t fresh_seed() {
  const std::uint64_t seed = setting("TOLLGATE_SEED").value_or(std::random_device{}());
  std::cout << "TOLLGATE_SEED=" << seed << "\n" << std::flush;
  return seed;
}

// One file of decision cases.
class CaseJudge {
 public:
  explicit CaseJudge(const cli::CaseFile& file)
      : file_(file), policy_(compile(file.policy.set)), walks_(PolicyView(policy_).walks()) {}

  Verdict verdict(const cli::DecisionCase& one, const std::string& text) const {
    const Result<json::Value> input = input_of(one.tool, text, policy_.tools());
    if (!input) return Verdict::kDeny;
    ToolCall call = tollgate::call_of(one.tool, *input);
    call.cwd = one.cwd;
    call.agent = one.agent;
    FixedWorld world = file_.world;
    if (one.now) world.now = *one.now;
    LookPlan plan = file_.plan;
    plan.walk = walks_;
    MemoryLog log;
    Service service(
        {policy_, world, log, nullptr},
        {.plan = std::move(plan), .decide = {.detail = Detail::kVerdict, .mode = one.mode}});
    return service.handle(call).verdict;
  }

 private:
  const cli::CaseFile& file_;
  Policy policy_;
  bool walks_;
};

TEST(Metamorphic, NoDecisionCaseIsLooserInOtherWords) {
  Metamorphoses all(fresh_seed());
  for (const fs::path& path : files_in("tests/decisions", ".yaml")) {
    // There a question is a yes where the configuration says so.
    if (path.filename() == "answerers.yaml") continue;
    const cli::CaseFile file = cli::read_case_file(path, path.filename());
    const CaseJudge judge(file);
    for (const cli::DecisionCase& one : file.cases)
      if (one.tool == "Bash" && !one.input)
        all.check(one.text, place_name(one.where),
                  [&](const std::string& text) { return judge.verdict(one, text); });
  }
  all.report();
  EXPECT_EQ(all.loosened(), 0u);
}

// Rules about the programs of a command, in lists drawn at random.
class RandomRules {
 public:
  RandomRules(const std::string& text, Random& random) {
    PolicySet set = built_in_policy();
    const auto add = [&](const std::string& specifier) {
      constexpr Verdict kLists[] = {Verdict::kAllow, Verdict::kAsk, Verdict::kDeny};
      const Verdict list = kLists[random() % 3];
      auto rule =
          parse_rule(list, "Bash(" + specifier + ")", {.file = "t.yaml", .line = 1, .column = 1});
      if (!rule) return;
      rules_ += (rules_.empty() ? "" : ", ") + std::string(kVerdicts[static_cast<int>(list)]) +
                " " + specifier;
      set.rules.push_back(std::move(*rule));
    };
    for (const Effect& effect : effects_of(call_of(text), {}, "/h")) {
      if (effect.kind != EffectKind::kRun || effect.argv.empty() || random() % 2 == 0) continue;
      const std::string program = effect.argv[0].text;
      if (program.empty() || program.find_first_of("*()\\ ") != program.npos) continue;
      // A path from here is another one where other words leave open where here is: then it asks.
      if (program.find('/', 1) != program.npos && program[0] != '/') continue;
      const std::string second = effect.argv.size() > 1 ? effect.argv[1].text : "";
      const bool plain = !second.empty() && second.find_first_of("*()\\ '\"$\n") == second.npos;
      add(plain && random() % 2 == 0 ? program + " " + second + " *" : program + " *");
    }
    policy_ = std::make_unique<Policy>(compile(set));
    if (random() % 4 == 0) mode_ = Mode::kAutonomous;
    if (random() % 6 == 0) mode_ = Mode::kAcceptEdits;
    for (const char* directory : {"/w", "/w/.git", "/w/src", "/h", "/h/.ssh", "/srv"})
      world_.files[directory] = {.state = PathState::kDirectory};
  }

  Verdict verdict(const std::string& text) {
    const ToolCall call = call_of(text);
    const Effects effects = effects_of(call, {}, "/h");
    const Situation situation = world_.look(call, effects, {.base = "/w", .home = "/h"});
    return decide(*policy_, call, effects, situation, {.detail = Detail::kVerdict, .mode = mode_})
        .verdict;
  }

  std::string shown() const {
    return "[" + rules_ + (mode_ ? "; mode " + std::string(name(*mode_)) : "") + "]";
  }

 private:
  std::unique_ptr<Policy> policy_;
  FixedWorld world_;
  std::optional<Mode> mode_;
  std::string rules_;
};

TEST(Metamorphic, NoCommandIsLooserInOtherWordsUnderAnyRules) {
  const std::uint64_t seed = fresh_seed();
  Metamorphoses all(seed);
  Random random(seed + 1);
  std::vector<fs::path> files = files_in("tests/programs", ".cases");
  for (const fs::path& path : files_in("tests/suggestions", ".txt")) files.push_back(path);
  for (const fs::path& path : files) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
      if (line.empty() || line[0] == '#' || line.starts_with("    ")) continue;
      if (path.extension() == ".cases") line.erase(0, 2);
      RandomRules rules(line, random);
      all.check(line, path.filename().string() + " " + rules.shown(),
                [&](const std::string& text) { return rules.verdict(text); });
    }
  }
  all.report();
  EXPECT_EQ(all.loosened(), 0u);
}

}  // namespace
}  // namespace tollgate::metamorphic
