// What a whole decision about shell text costs: the text read, its effects, the verdict.
// First the everyday commands, one after the other on one core; then a megabyte in several shapes.
// The look at files comes from the cases and is taken beforehand: no system call is counted.
// `shell_bench --dump FILE` writes the commands, NUL behind each, for the comparison with a parser.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "bench/allocations.h"
#include "bench/corpus.h"
#include "effects/effects.h"
#include "gate/decide.h"
#include "json/json.h"
#include "service/world.h"
#include "tests/limits/big_texts.h"

namespace {

using namespace tollgate;

constexpr double kTargetPerSecond = 500'000;
constexpr double kTargetMicroseconds = 2;
constexpr double kTargetMilliseconds = 50;
constexpr int kRounds = 101;
constexpr int kTries = 3;
constexpr double kSlow = 60;  // ms; what takes longer is measured once

double seconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Decision decided(const bench::Everyday& each) {
  const Effects effects = effects_of(each.call, each.policy->tools(), each.home);
  return decide(*each.policy, each.call, effects, each.situation);
}

double quantile(std::vector<double> sorted, double part) {
  std::ranges::sort(sorted);
  return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
}

// ---- everyday commands ----

struct Figures {
  std::size_t commands = 0;
  double per_second = 0;      // the best round, over calls that were just made
  double far_per_second = 0;  // the best round, over calls as the corpus holds them
  double p50 = 0, p99 = 0;    // µs: of each command the median of its rounds
  double allocations = 0;     // for one command
};

Figures measured(const std::vector<const bench::Everyday*>& commands) {
  Figures figures{.commands = commands.size()};
  const auto round = [&] {
    for (const bench::Everyday* each : commands)
      if (decided(*each).verdict != each->want) std::abort();
  };
  round();
  const std::uint64_t before = bench::allocations().made;
  round();
  const auto made = static_cast<double>(bench::allocations().made - before);
  const auto count = static_cast<double>(commands.size());
  figures.allocations = made / count;
  for (int i = 0; i < kRounds; ++i) {
    const double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    round();
    figures.far_per_second =
        std::max(figures.far_per_second, count / (seconds(CLOCK_THREAD_CPUTIME_ID) - begin));
  }
  // A call that is decided was read and looked at just before, so that it lies in the cache. The
  // corpus is larger than that, and its calls come from far away: hence a copy, made untimed.
  bench::Everyday near;
  for (int i = 0; i < kRounds; ++i) {
    double spent = 0;
    for (const bench::Everyday* each : commands) {
      near = *each;
      const double begin = seconds(CLOCK_MONOTONIC);
      const Verdict verdict = decided(near).verdict;
      spent += seconds(CLOCK_MONOTONIC) - begin;
      if (verdict != each->want) std::abort();
    }
    figures.per_second = std::max(figures.per_second, count / spent);
  }
  std::vector<double> medians;
  for (const bench::Everyday* each : commands) {
    std::vector<double> samples;
    for (int i = 0; i < kRounds; ++i) {
      const double begin = seconds(CLOCK_MONOTONIC);
      if (decided(*each).verdict != each->want) std::abort();
      samples.push_back((seconds(CLOCK_MONOTONIC) - begin) * 1e6);
    }
    medians.push_back(quantile(std::move(samples), 0.5));
  }
  figures.p50 = quantile(medians, 0.5);
  figures.p99 = quantile(medians, 0.99);
  return figures;
}

void print_everyday(const bench::Corpus& corpus) {
  std::printf("%-28s %9s %12s %12s %9s %9s %12s\n", "everyday commands", "number", "per second",
              "from far", "p50 µs", "p99 µs", "allocations");
  const auto row = [&](const char* name, const std::function<bool(Verdict)>& wanted) {
    std::vector<const bench::Everyday*> commands;
    for (const bench::Everyday& each : corpus.commands)
      if (wanted(each.want)) commands.push_back(&each);
    const Figures figures = measured(commands);
    const bool kept = figures.per_second >= kTargetPerSecond && figures.p50 <= kTargetMicroseconds;
    std::printf("%-28s %9zu %12.0f %12.0f %9.2f %9.2f %12.1f%s\n", name, figures.commands,
                figures.per_second, figures.far_per_second, figures.p50, figures.p99,
                figures.allocations, kept ? "" : "  missed");
  };
  row("all", [](Verdict) { return true; });
  row("allowed unprompted", [](Verdict want) { return want == Verdict::kAllow; });
  row("look-alikes, asked or denied", [](Verdict want) { return want != Verdict::kAllow; });
  std::printf("target: %.0f a second, p50 at most %.0f µs\n", kTargetPerSecond,
              kTargetMicroseconds);
}

// ---- a megabyte ----

struct Cost {
  double milliseconds = 0;  // the best of some runs
  double megabytes = 0;     // allocated in all
  double peak = 0;          // megabytes held at one time
};

Cost cost_of(const Policy& policy, const std::string& text) {
  bench::Everyday each;
  each.policy = &policy;
  each.call.tool = each.call.native_tool = "Bash";
  each.call.cwd = "/home/user/project";
  each.call.input = json::Value::object({{"command", json::Value::string(text)}});
  each.home = "/home/user";
  const Effects effects = effects_of(each.call, {}, each.home);
  FixedWorld world;
  each.situation = world.look(each.call, effects, {.base = each.call.cwd, .home = each.home});
  Cost cost;
  for (int i = 0; i < kTries && (i == 0 || cost.milliseconds < kSlow); ++i) {
    bench::reset_peak();
    const std::int64_t held = bench::allocations().held;
    const std::uint64_t before = bench::allocations().bytes;
    const double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    if (decided(each).reasons.empty()) std::abort();
    const double spent = (seconds(CLOCK_THREAD_CPUTIME_ID) - begin) * 1e3;
    cost.milliseconds = i == 0 ? spent : std::min(cost.milliseconds, spent);
    cost.megabytes = static_cast<double>(bench::allocations().bytes - before) * 1e-6;
    cost.peak = static_cast<double>(bench::allocations().peak - held) * 1e-6;
  }
  return cost;
}

// Only the texts whose name holds `part`.
void print_megabytes(std::string_view part) {
  constexpr std::size_t kMegabyte = 1'000'000;
  const Policy policy = compile(built_in_policy());
  std::printf("\n%-32s %9s %9s %9s %12s %8s\n", "ms for a text of", "0.25 MB", "0.5 MB", "1 MB",
              "MB allocated", "MB held");
  int missed = 0;
  for (const BigText& each : big_texts()) {
    if (each.name.find(part) == part.npos) continue;
    const Cost costs[] = {cost_of(policy, each.text(kMegabyte / 4)),
                          cost_of(policy, each.text(kMegabyte / 2)),
                          cost_of(policy, each.text(kMegabyte))};
    const Cost& whole = costs[2];
    // A quarter of the text takes about a quarter of the memory; vectors that double blur it.
    const bool linear = whole.peak <= 1 + costs[0].peak * 6;
    const bool quick = whole.milliseconds <= kTargetMilliseconds;
    missed += quick && linear ? 0 : 1;
    std::printf("%-32.*s %9.1f %9.1f %9.1f %12.1f %8.1f%s%s\n", static_cast<int>(each.name.size()),
                each.name.data(), costs[0].milliseconds, costs[1].milliseconds, whole.milliseconds,
                whole.megabytes, whole.peak, quick ? "" : "  missed", linear ? "" : "  not linear");
  }
  std::printf("target: at most %.0f ms for 1 MB, memory linear; missed by %d\n",
              kTargetMilliseconds, missed);
}

// For a profiler that counts: `--toggle-collect='*namespace)::counted*'` leaves out what the rounds
// before set up.
[[gnu::noinline]] Verdict counted(const bench::Everyday& each) { return decided(each).verdict; }

void count_once(const bench::Corpus& corpus) {
  // Rows of programs are made into tables where they are asked more than a few times.
  constexpr int kWarmUps = 20;
  for (int i = 0; i < kWarmUps; ++i)
    for (const bench::Everyday& each : corpus.commands)
      if (decided(each).verdict != each.want) std::abort();
  for (const bench::Everyday& each : corpus.commands)
    if (counted(each) != each.want) std::abort();
}

int dump(const bench::Corpus& corpus, const char* path) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) {
    std::perror(path);
    return 1;
  }
  bool written = true;
  for (const bench::Everyday& each : corpus.commands)
    written =
        std::fwrite(each.text.c_str(), 1, each.text.size() + 1, file) == each.text.size() + 1 &&
        written;
  return std::fclose(file) == 0 && written ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  if (argc >= 2 && argc <= 3 && std::strcmp(argv[1], "--large") == 0) {
    print_megabytes(argc == 3 ? argv[2] : "");
    return 0;
  }
  const bench::Corpus corpus =
      bench::everyday_corpus(TOLLGATE_SOURCE_DIR "/tests/decisions/everyday");
  if (argc == 3 && std::strcmp(argv[1], "--dump") == 0) return dump(corpus, argv[2]);
  if (argc == 2 && std::strcmp(argv[1], "--everyday") == 0) {
    print_everyday(corpus);
    return 0;
  }
  // A short run of all benchmarks, only to see that they work, is told so in the library's words.
  const bool brief = argc == 2 && std::strncmp(argv[1], "--benchmark_min_time", 20) == 0;
  if (brief || (argc == 2 && std::strcmp(argv[1], "--once") == 0)) {
    count_once(corpus);
    return 0;
  }
  if (argc != 1) {
    std::fprintf(stderr,
                 "usage: shell_bench [--everyday | --large [NAME] | --once | --dump FILE]\n");
    return 2;
  }
  print_everyday(corpus);
  print_megabytes("");
  return 0;
}
