// Every program row, its commands wrapped in constructs at random: told apart as the bare command
// is, allowed no sooner, and run by the real bash with just the words that were foreseen.
// All scripts are judged; a few of each row are run as well, and the table shows both numbers.
// The seed is printed; see settings.h for what can be set. TOLLGATE_TIMES is how often each row
// comes, TOLLGATE_ONLY takes the rows whose names begin so.
// Not run: builtins that no program starts, and the few programs that are real in the stubs' world
// (running_test runs those).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <set>
#include <utility>

#include "bash/names.h"
#include "bash/prediction.h"
#include "bash/row_maker.h"
#include "bash/row_wrapping.h"
#include "bash/settings.h"
#include "bash/stub_world.h"
#include "effects/effect_dump.h"
#include "effects/effects.h"
#include "gate/decide.h"
#include "policy/policy.h"
#include "service/world.h"

namespace tollgate::bash {
namespace {

constexpr std::size_t kBatch = 400;
constexpr std::uint64_t kTimes = kIsSlow ? 12 : 200;  // each row
constexpr std::uint64_t kRuns = kIsSlow ? 1 : 5;      // of those, run by bash
constexpr std::uint64_t kUnderstood = 95;             // of a hundred
constexpr std::uint64_t kTelling = 100;               // of a dozen one is more than a twentieth
constexpr std::uint64_t kAllUnderstood = 99;          // of a hundred, over all rows
constexpr std::uint64_t kDropped = 1;                 // of a thousand, over all rows
constexpr std::uint64_t kMostDropped = 30;            // of a hundred, of one row
constexpr std::uint64_t kReports = 20;

struct RowCount {
  const ProgramRow* row = nullptr;
  std::uint64_t lines = 0, occurred = 0, understood = 0, unknown = 0, ran = 0;
  std::uint64_t made = 0, dropped = 0;  // for want of an understanding without anything around
};

struct Judgement {
  Effects effects;
  Verdict verdict = Verdict::kDeny;
};

// Without any rule.
Judgement judgement_of(const std::string& script, const std::string& directory) {
  static const Policy policy = compile(built_in_policy());
  const ToolCall call = shell_call(script, directory);
  const std::string home(StubWorld::kHome);
  Judgement result{.effects = effects_of(call, {}, home)};
  FixedWorld world;
  for (const std::string& place : {directory, directory + "/d1", directory + "/d2",
                                   directory + "/src", directory + "/.git", home})
    world.files[place] = {.state = PathState::kDirectory};
  const Situation situation = world.look(call, result.effects, {.base = directory, .home = home});
  result.verdict =
      decide(policy, call, result.effects, situation, {.detail = Detail::kVerdict}).verdict;
  return result;
}

bool is_told(const Words& words, const Effects& effects) {
  return std::ranges::any_of(effects, [&](const Effect& effect) {
    return effect.kind == EffectKind::kRun && effect.told &&
           std::ranges::equal(effect.argv, words, [](const Word& word, const std::string& text) {
             return word.known && word.text == text;
           });
  });
}

std::multiset<std::string> dumps_of(const Effects& effects) {
  std::multiset<std::string> all;
  for (const Effect& effect : effects) all.insert(dump_effect(effect));
  return all;
}

struct Script {
  RowCount* count = nullptr;
  Words words;
  Wrapped made;
  std::string directory;
  std::string problem;  // why it is not understood; "" when it is
  bool unsound = false;
  bool may_run = false;
};

// A program need not do what the builtin of its name does, and with another input a command may do
// something else.
bool is_same(const Script& script) {
  return script.made.keeps_input && !(script.made.by_program && is_bash_name(script.words[0]));
}

bool runs_in_bash(const Script& script) {
  constexpr std::string_view kReal[] = {"env",  "timeout", "nice",   "nohup",  "xargs",
                                        "bash", "sh",      "setsid", "stdbuf", "find"};
  const std::string& program = script.words[0];
  if (std::ranges::find(kReal, program) != std::end(kReal)) return false;
  if (is_bash_name(program)) return script.made.by_program;
  // The stub of `cat` reads what it is given.
  return program != "cat" || std::ranges::none_of(script.words, [](const std::string& word) {
           return word.find("/dev/") != std::string::npos;
         });
}

void judge(Script& script) {
  const Judgement bare = judgement_of(plainly(script.words), script.directory);
  const Judgement whole = judgement_of(script.made.text, script.directory);
  script.count->unknown += has_unknown(whole.effects);
  script.unsound = is_same(script) && whole.verdict < bare.verdict;
  if (!is_told(script.words, whole.effects)) script.problem = "its words are not known";
  if (!script.problem.empty() || !is_same(script)) return;
  if (has_unknown(whole.effects) && !has_unknown(bare.effects))
    script.problem = "something unknown";
  else if (whole.verdict > bare.verdict)
    script.problem = "a stricter verdict";
  const std::multiset<std::string> few = dumps_of(bare.effects), all = dumps_of(whole.effects);
  if (script.problem.empty() && !std::ranges::includes(all, few)) script.problem = "other effects";
}

class Rows {
 public:
  explicit Rows(std::uint64_t seed) : world_(maker_.programs()), seed_(seed) {
    for (const ProgramRow& row : all_rows())
      counts_.push_back({.row = &row, .lines = maker_.lines_of(row)});
  }

  StubWorld& world() { return world_; }

  void work(std::uint64_t times, std::uint64_t runs) {
    const char* only = std::getenv("TOLLGATE_ONLY");
    for (RowCount& count : counts_) {
      if (only != nullptr && !count.row->name.starts_with(only)) continue;
      // Each row has a seed of its own, so that a change of one leaves the others as they were.
      random_.seed(seed_ + std::hash<std::string_view>{}(count.row->name) +
                   std::hash<std::string_view>{}(count.row->options));
      std::uint64_t chosen = 0;
      for (std::uint64_t i = 0; i < times; ++i) {
        const auto made = understood_bare(count);
        if (!made) break;
        Script script{.count = &count,
                      .words = *made,
                      .made = {},
                      .directory = world_.directory(batch_.size()),
                      .problem = {}};
        script.made = wrapped(script.words, random_);
        judge(script);
        ++count.occurred;
        // Those that come first are as much by chance as any.
        if (chosen < runs && runs_in_bash(script)) {
          ++chosen;
          batch_.push_back(std::move(script));
          if (batch_.size() == kBatch) run_batch();
        } else {
          settle(script);
        }
      }
    }
    run_batch();
    finish_batch();
  }

  // A few programs read words in ways that no grammar shows: what is not told apart by itself is
  // no command of the row. Where few are, they come again; how many are dropped is held to a bound.
  std::optional<Words> understood_bare(RowCount& count) {
    std::vector<Words>& known = known_[count.row];
    for (int tries = 0; tries < (known.empty() ? 20 : 2); ++tries) {
      const auto made = maker_.make(*count.row, random_);
      if (!made) break;
      ++count.made;
      if (!is_told(made->words, effects_of(shell_call(plainly(made->words), "/w"), {}, "/h"))) {
        ++count.dropped;
        continue;
      }
      known.push_back(made->words);
      return made->words;
    }
    if (known.empty()) return std::nullopt;
    return known[below(random_, known.size())];
  }

  // While bash works through these, the next ones are made.
  void run_batch() {
    finish_batch();
    std::vector<std::string> texts;
    for (const Script& script : batch_) texts.push_back(script.made.text);
    running_ = std::exchange(batch_, {});
    if (!running_.empty()) world_.start(texts, Outside::kOne, Start::kForked);
  }

  void finish_batch() {
    if (running_.empty()) return;
    const std::vector<Runs> ran = world_.finish();
    stuck_ += world_.stuck().size();
    for (std::size_t i = 0; i < running_.size(); ++i) {
      Script& script = running_[i];
      ++script.count->ran;
      runs_ += ran[i].size();
      compare(script, ran[i]);
      settle(script);
    }
    running_.clear();
  }

  void compare(Script& script, const Runs& ran) {
    const Judgement whole = judgement_of(script.made.text, script.directory);
    for (const Run& run : ran) {
      const Foreseen how = foreseen(run, whole.effects);
      if (how == Foreseen::kExactly) continue;
      if (script.problem.empty()) script.problem = "unforeseen: " + shown(run);
      if (how == Foreseen::kNot && whole.verdict == Verdict::kAllow) script.unsound = true;
    }
    if (std::ranges::find(ran, script.words) == ran.end() && script.problem.empty())
      script.problem = "bash ran other words: " + shown(ran);
  }

  void settle(const Script& script) {
    const bool good = script.problem.empty();
    script.count->understood += good;
    unsound_ += script.unsound;
    if (good && !script.unsound) return;
    ++problems_[script.problem.substr(0, script.problem.find(':'))];
    // LIMIT: a few of each row say enough; what bash ran otherwise is always shown.
    const bool always = script.unsound || script.problem.find(':') != std::string::npos;
    if (++shown_[script.count->row] > 2 && !always) return;
    if (++reports_ > setting("TOLLGATE_REPORTS").value_or(kReports) && !always) return;
    std::cout << "=== " << (script.unsound ? "unsound, " : "") << script.problem << ", row "
              << script.count->row->name << "\n"
              << plainly(script.words) << "\n--- as\n"
              << script.made.text << "\n    "
              << dump_effects(judgement_of(plainly(script.words), "/w").effects) << "\n    "
              << dump_effects(judgement_of(script.made.text, "/w").effects) << "\n";
  }

  void print() {
    std::vector<RowCount> sorted = counts_;
    std::ranges::stable_sort(sorted, {}, share);
    std::cout << "  occurred       ran understood   unknown   dropped     lines  row\n";
    for (const RowCount& one : sorted) {
      char line[120];
      std::snprintf(
          line, sizeof line, "%10llu%10llu%9.2f %%%10llu%10llu%10llu  ",
          static_cast<unsigned long long>(one.occurred), static_cast<unsigned long long>(one.ran),
          share(one), static_cast<unsigned long long>(one.unknown),
          static_cast<unsigned long long>(one.dropped), static_cast<unsigned long long>(one.lines));
      std::cout << line << one.row->name << " [" << one.row->operands << "]\n";
    }
    for (const auto& [problem, times] : problems_)
      std::cout << times << " times " << problem << "\n";
    std::uint64_t occurred = 0, understood = 0, ran = 0, made = 0, dropped = 0;
    for (const RowCount& one : counts_) {
      occurred += one.occurred, understood += one.understood, ran += one.ran;
      made += one.made, dropped += one.dropped;
    }
    std::cout << "rows " << counts_.size() << ", scripts " << occurred << ", understood "
              << understood << ", run by bash " << ran << ", programs run " << runs_ << ", unsound "
              << unsound_ << ", stuck " << stuck_ << ", dropped bare " << dropped << " of " << made
              << "\n";
  }

  bool is_understood() const {
    std::uint64_t occurred = 0, understood = 0;
    for (const RowCount& one : counts_) occurred += one.occurred, understood += one.understood;
    return understood * 100 >= occurred * kAllUnderstood;
  }

  // Of all rows together: a few alone may well be those that drop.
  bool drops_few() const {
    if (std::getenv("TOLLGATE_ONLY") != nullptr) return true;
    std::uint64_t made = 0, dropped = 0;
    for (const RowCount& one : counts_) made += one.made, dropped += one.dropped;
    return dropped * 1000 <= made * kDropped;
  }

  // A row of the program itself has none: its options stand in lines of the subcommands.
  std::string without_lines() const {
    std::string out;
    for (const RowCount& one : counts_)
      if (one.lines == 0 && !is_head_row(*one.row)) out += name_of(one) + "\n";
    return out;
  }

  std::string shortfalls(std::uint64_t least) const {
    std::string out;
    for (const RowCount& one : counts_) {
      const std::string name = name_of(one);
      if (std::getenv("TOLLGATE_ONLY") != nullptr && one.occurred == 0) continue;
      if (one.occurred < least)
        out += "too seldom: " + name + ", " + std::to_string(one.occurred) + " times\n";
      else if (least >= kTelling && one.understood * 100 < one.occurred * kUnderstood)
        out += "too seldom understood: " + name + ", " + std::to_string(one.understood) + " of " +
               std::to_string(one.occurred) + "\n";
      if (least >= kTelling && one.dropped * 100 > one.made * kMostDropped)
        out += "too often dropped: " + name + ", " + std::to_string(one.dropped) + " of " +
               std::to_string(one.made) + "\n";
    }
    return out;
  }

  std::uint64_t unsound_ = 0, stuck_ = 0;

 private:
  static std::string name_of(const RowCount& one) {
    return std::string(one.row->name) + " [" + std::string(one.row->operands) + "] " +
           std::string(one.row->options.substr(0, 40));
  }

  static double share(const RowCount& one) {
    if (one.occurred == 0) return 0;
    return 100.0 * static_cast<double>(one.understood) / static_cast<double>(one.occurred);
  }

  RowMaker maker_;
  StubWorld world_;
  std::uint64_t seed_;
  Random random_;
  std::vector<RowCount> counts_;
  std::vector<Script> batch_, running_;
  std::map<const ProgramRow*, std::vector<Words>> known_;
  std::map<const ProgramRow*, int> shown_;
  std::map<std::string, std::uint64_t> problems_;
  std::uint64_t reports_ = 0, runs_ = 0;
};

TEST(Rows, AreUnderstoodWhateverStandsAroundThem) {
  const std::uint64_t seed = first_seed(9'000'000);
  std::cout << "TOLLGATE_SEED=" << seed << "\n" << std::flush;
  Rows rows(seed);
  const bool runs = rows.world().problem().empty();
  const std::uint64_t times = setting("TOLLGATE_TIMES").value_or(kTimes);
  rows.work(times, runs ? kRuns : 0);
  rows.print();
  ASSERT_EQ(rows.world().problem(), "");
  EXPECT_EQ(rows.unsound_, 0u);
  EXPECT_EQ(rows.stuck_, 0u);
  EXPECT_TRUE(rows.is_understood());
  EXPECT_TRUE(rows.drops_few());
  EXPECT_EQ(rows.shortfalls(times), "");
}

TEST(Rows, HaveALineEachInTheTablesOfPrograms) {
  EXPECT_EQ(Rows(0).without_lines(), "") << "write lines into tests/programs/*.cases";
}

}  // namespace
}  // namespace tollgate::bash
