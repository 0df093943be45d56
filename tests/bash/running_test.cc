// The gate held against the real bash, on random scripts: what ran, and what was said beforehand.
// The seed is printed; see settings.h for what can be set.
// Allowed means: everything that ran is covered by a rule and was foreseen with the same words.
// A judge that asks about everything fails too: what is static has to be understood.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <random>
#include <set>

#include "bash/checking.h"
#include "bash/prediction.h"
#include "bash/run_maker.h"
#include "bash/settings.h"
#include "bash/stub_world.h"
#include "bash/tally.h"
#include "shell/read.h"

namespace tollgate::bash {
namespace {

constexpr std::size_t kBatch = 400;
constexpr std::uint64_t kFreshEach = 10;  // every so many batches each script has its own shell
constexpr std::size_t kMostReports = 5;
constexpr std::uint64_t kUnderstood = 99;  // of a hundred static scripts

struct Script {
  std::uint64_t seed = 0;
  Made made;
  Judged judgement;
};

// The script of a seed, or where TOLLGATE_CONSTRUCT names one, the next seed's that has it.
Script made_at(std::uint64_t seed) {
  constexpr std::uint64_t kStride = std::uint64_t{1} << 40;
  const char* const wanted = std::getenv("TOLLGATE_CONSTRUCT");
  for (;; seed += kStride) {
    Script one{.seed = seed, .made = script_of(seed), .judgement = {}};
    if (wanted == nullptr) return one;
    for (std::size_t i = 0; i < construct_count(); ++i)
      if (one.made.used[i] && construct_name(i) == wanted) return one;
  }
}

std::vector<Script> made_from(std::uint64_t seed, std::size_t count, const StubWorld& world) {
  std::vector<Script> all;
  for (std::size_t i = 0; i < count; ++i) {
    Script one = made_at(seed + i);
    one.judgement = judged(one.made.text, world.directory(i));
    // A test that begins with an operator is no script at all.
    one.made.is_static = one.made.is_static && !shell::read(one.made.text).refused();
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<std::string> texts_of(const std::vector<Script>& scripts) {
  std::vector<std::string> texts;
  for (const Script& one : scripts) texts.push_back(one.made.text);
  return texts;
}

// The same wherever the script ran, and in whatever order what runs side by side came.
Runs placeless(Runs runs, const std::string& directory) {
  for (Run& run : runs)
    for (std::string& word : run)
      for (std::size_t at = word.find(directory); at != word.npos; at = word.find(directory))
        word.replace(at, directory.size(), "");
  std::ranges::sort(runs);
  return runs;
}

class Running {
 public:
  Running() {
    for (std::size_t i = 0; i < construct_count(); ++i)
      counts_.push_back(
          {.name = std::string(construct_name(i)), .is_static = is_static_construct(i)});
  }

  StubWorld& world() { return world_; }
  const std::vector<Count>& counts() const { return counts_; }

  void check(const std::vector<Script>& scripts, const std::vector<Runs>& ran) {
    std::vector<const Script*> doubtful;
    std::vector<Finding> findings;
    std::vector<Runs> first;
    for (std::size_t i = 0; i < scripts.size(); ++i) {
      const Script& one = scripts[i];
      runs_ += ran[i].size();
      ++allowed_[static_cast<int>(one.judgement.verdict)];
      if (const Finding found = unsound(one.judgement, ran[i]); found.fault != Fault::kNone)
        note(found, one);
      const Finding found = one.made.is_static ? muddled(one.judgement, ran[i]) : Finding{};
      if (found.fault == Fault::kNone) {
        count(one, one.made.is_static, true);
        continue;
      }
      doubtful.push_back(&one);
      findings.push_back(found);
      first.push_back(placeless(ran[i], world_.directory(i)));
    }
    check_other_world(doubtful, findings, first);
  }

  // A script that runs otherwise in another world is not static, whatever its maker believes.
  void check_other_world(const std::vector<const Script*>& scripts,
                         const std::vector<Finding>& findings, const std::vector<Runs>& first) {
    if (scripts.empty()) return;
    std::vector<std::string> texts;
    for (const Script* one : scripts) texts.push_back(one->made.text);
    world_.start(texts, Outside::kOther, Start::kFresh);
    const std::vector<Runs> other = world_.finish();
    for (std::size_t i = 0; i < scripts.size(); ++i) {
      const bool same = first[i] == placeless(other[i], world_.directory(i));
      count(*scripts[i], same, false);
      if (same) note(findings[i], *scripts[i]);
      if (!same) ++moved_;
    }
  }

  void count(const Script& one, bool is_static, bool understood) {
    const bool unknown = has_unknown(one.judgement.effects);
    if (is_static) ++static_, understood_ += understood;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (!one.made.used[i]) continue;
      ++counts_[i].occurred;
      counts_[i].unknown += unknown;
      counts_[i].in_static += is_static;
      counts_[i].understood += is_static && understood;
    }
  }

  void note(const Finding& finding, const Script& script) {
    ++causes_[{finding.fault, finding.fault == Fault::kMuddled ? finding.cause : ""}];
    if (finding.fault != Fault::kMuddled) ++unsound_;
    std::vector<Script>& kept = kept_[{finding.fault, finding.cause}];
    // The shortest ones say most, and are soonest made smaller still.
    kept.push_back(script);
    std::ranges::stable_sort(kept, {}, [](const Script& one) { return one.made.text.size(); });
    if (kept.size() > most_reports()) kept.pop_back();
  }

  static std::size_t most_reports() { return setting("TOLLGATE_REPORTS").value_or(kMostReports); }

  // The smallest script of each sort of finding.
  void report_findings() {
    std::set<std::string> seen;
    const std::size_t most = most_reports();
    for (const auto& [which, scripts] : kept_) {
      const Finding finding{which.first, which.second};
      for (const Script& one : scripts) {
        if (seen.size() >= most) break;
        const bool raw = setting("TOLLGATE_RAW").has_value();
        const std::string text = raw ? one.made.text : smallest(world_, one.made.text, finding);
        if (!seen.insert(text).second) continue;
        std::cout << "\n=== " << kFaults[static_cast<int>(finding.fault)] << ": " << finding.cause
                  << ", seed " << one.seed << "\n"
                  << report(world_, text);
      }
    }
  }

  void summary(std::uint64_t total) {
    std::cout << table_of(counts_) << "scripts " << total << ", programs run " << runs_
              << ", allow/ask/deny " << allowed_[0] << '/' << allowed_[1] << '/' << allowed_[2]
              << ", static " << static_ << ", understood " << understood_
              << ", not static after all " << moved_ << ", unsound " << unsound_ << "\n";
    for (const auto& [cause, times] : causes_)
      std::cout << times << " times " << kFaults[static_cast<int>(cause.first)] << ": "
                << cause.second << "\n";
  }

  std::uint64_t unsound_ = 0, static_ = 0, understood_ = 0, moved_ = 0, runs_ = 0, stuck_ = 0;
  std::uint64_t allowed_[3] = {};

 private:
  static constexpr std::string_view kFaults[] = {"", "unforeseen", "uncovered", "muddled"};
  StubWorld world_;
  std::vector<Count> counts_;
  std::map<std::pair<Fault, std::string>, std::uint64_t> causes_;
  std::map<std::pair<Fault, std::string>, std::vector<Script>> kept_;
};

TEST(Running, ForeseesWhatBashRuns) {
  const std::uint64_t seed = first_seed(0);
  const std::uint64_t total =
      setting("TOLLGATE_SCRIPTS").value_or(kIsSlow ? 3'000 : scripts(20'000, 40'000));
  std::cout << "TOLLGATE_SEED=" << seed << " TOLLGATE_SCRIPTS=" << total << "\n" << std::flush;
  Running running;
  if (!running.world().problem().empty()) GTEST_SKIP() << running.world().problem();
  const auto batch_at = [&](std::uint64_t at) {
    return made_from(seed + at, std::min<std::uint64_t>(kBatch, total - at), running.world());
  };
  std::vector<Script> batch = batch_at(0);
  for (std::uint64_t at = 0; at < total; at += kBatch) {
    const bool fresh = at / kBatch % kFreshEach == 0;
    running.world().start(texts_of(batch), Outside::kOne, fresh ? Start::kFresh : Start::kForked);
    // The next ones are made while bash works.
    std::vector<Script> next;
    if (at + kBatch < total) next = batch_at(at + kBatch);
    const std::vector<Runs> ran = running.world().finish();
    ASSERT_EQ(running.world().problem(), "");
    // Who waits for a coprocess that waits for him is ended; there are not many of those.
    running.stuck_ += running.world().stuck().size();
    running.check(batch, ran);
    batch = std::move(next);
  }
  running.summary(total);
  running.report_findings();
  EXPECT_EQ(running.unsound_, 0u);
  EXPECT_LE(running.stuck_ * 1'000, total);
  EXPECT_GE(running.understood_ * 100, running.static_ * kUnderstood);
  EXPECT_LT(running.moved_ * 100, running.static_);
  if (total < 20'000 || std::getenv("TOLLGATE_CONSTRUCT") != nullptr) return;
  EXPECT_EQ(shortfalls(running.counts(), kLeast), "");
}

}  // namespace
}  // namespace tollgate::bash
