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

namespace {

using namespace tollgate;

constexpr double kTargetPerSecond = 500'000;
constexpr double kTargetMicroseconds = 2;
constexpr double kTargetMilliseconds = 50;
constexpr int kRounds = 101;

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
  double per_second = 0;    // the best round
  double p50 = 0, p99 = 0;  // µs: of each command the median of its rounds
  double allocations = 0;   // for one command
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
    figures.per_second =
        std::max(figures.per_second, count / (seconds(CLOCK_THREAD_CPUTIME_ID) - begin));
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
  std::printf("%-28s %9s %12s %9s %9s %12s\n", "everyday commands", "number", "per second",
              "p50 µs", "p99 µs", "allocations");
  const auto row = [&](const char* name, const std::function<bool(Verdict)>& wanted) {
    std::vector<const bench::Everyday*> commands;
    for (const bench::Everyday& each : corpus.commands)
      if (wanted(each.want)) commands.push_back(&each);
    const Figures figures = measured(commands);
    const bool kept = figures.per_second >= kTargetPerSecond && figures.p50 <= kTargetMicroseconds;
    std::printf("%-28s %9zu %12.0f %9.2f %9.2f %12.1f%s\n", name, figures.commands,
                figures.per_second, figures.p50, figures.p99, figures.allocations,
                kept ? "" : "  missed");
  };
  row("all", [](Verdict) { return true; });
  row("allowed unprompted", [](Verdict want) { return want == Verdict::kAllow; });
  row("look-alikes, asked or denied", [](Verdict want) { return want != Verdict::kAllow; });
  std::printf("target: %.0f a second, p50 at most %.0f µs\n", kTargetPerSecond,
              kTargetMicroseconds);
}

// ---- a megabyte ----

std::string repeated(std::string_view text, std::size_t size) {
  std::string out;
  while (out.size() + text.size() <= size) out += text;
  return out;
}

struct Shape {
  const char* name;
  std::function<std::string(std::size_t)> text;
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"simple commands", [](std::size_t n) { return repeated("git log -3 src/main.c\n", n); }},
      {"commands with everything",
       [](std::size_t n) {
         return repeated(
             "for f in a b; do\n  x=\"$f.c\"; [ -f \"$x\" ] && grep -n 'a b' \"$x\" | wc -l\ndone\n"
             "echo \"$(date +%s) ${x%.c}\" > out/log; cat <<E\n$x\nE\n",
             n);
       }},
      {"different programs",
       [](std::size_t n) {
         std::string out;
         for (int i = 0; out.size() < n; ++i)
           out += "tool" + std::to_string(i) + " -x dir" + std::to_string(i) + "/file\n";
         return out;
       }},
      {"one pipeline", [](std::size_t n) { return "cat a" + repeated(" | grep -v b", n); }},
      {"one and-list", [](std::size_t n) { return "cd a" + repeated(" && test -f b", n); }},
      {"one command, many words", [](std::size_t n) { return "ls" + repeated(" src/a.c", n); }},
      {"one quoted word", [](std::size_t n) { return "echo '" + std::string(n, 'a') + "'"; }},
      {"one word of many quotes",
       [](std::size_t n) { return "echo " + repeated("'a'\"b$c\"", n); }},
      {"one here-document",
       [](std::size_t n) { return "cat <<'E'\n" + repeated("a line of text\n", n) + "E\n"; }},
      {"one expanded here-document",
       [](std::size_t n) { return "cat <<E\n" + repeated("a $line of `text`\n", n) + "E\n"; }},
      {"many here-documents", [](std::size_t n) { return repeated("cat <<E\na $b\nE\n", n); }},
      {"assignments",
       [](std::size_t n) {
         std::string out;
         for (int i = 0; out.size() < n; ++i)
           out += "v" + std::to_string(i) + "=$v" + std::to_string(i / 2) + "x\n";
         return out;
       }},
      {"functions",
       [](std::size_t n) {
         std::string out;
         for (int i = 0; out.size() < n; ++i) {
           const std::string name = "f" + std::to_string(i);
           out += name + "() { ls a; }; " + name + "\n";
         }
         return out;
       }},
      {"open substitutions", [](std::size_t n) { return "echo " + repeated("$(", n); }},
      {"deep substitutions",
       [](std::size_t n) {
         constexpr std::size_t kDeep = 20;
         const std::string nest = repeated("$(echo ", 7 * kDeep) + "a" + std::string(kDeep, ')');
         return repeated("echo " + nest + "\n", n);
       }},
      {"deep subshells",
       [](std::size_t n) {
         constexpr std::size_t kDeep = 60;
         return repeated(std::string(kDeep, '(') + "ls" + std::string(kDeep, ')') + "\n", n);
       }},
      {"brace expansions", [](std::size_t n) { return repeated("ls {a,b}/{c,d}\n", n); }},
  };
  return all;
}

struct Cost {
  double milliseconds = 0;  // the best of some runs
  double megabytes = 0;     // allocated in all
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
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t before = bench::allocations().bytes;
    const double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
    if (decided(each).reasons.empty()) std::abort();
    const double spent = (seconds(CLOCK_THREAD_CPUTIME_ID) - begin) * 1e3;
    cost.milliseconds = i == 0 ? spent : std::min(cost.milliseconds, spent);
    cost.megabytes = static_cast<double>(bench::allocations().bytes - before) * 1e-6;
  }
  return cost;
}

void print_megabytes() {
  constexpr std::size_t kMegabyte = 1'000'000;
  const Policy policy = compile(built_in_policy());
  std::printf("\n%-28s %9s %9s %9s   %s\n", "ms for a text of", "0.25 MB", "0.5 MB", "1 MB",
              "MB allocated for each");
  for (const Shape& shape : shapes()) {
    const Cost costs[] = {cost_of(policy, shape.text(kMegabyte / 4)),
                          cost_of(policy, shape.text(kMegabyte / 2)),
                          cost_of(policy, shape.text(kMegabyte))};
    const Cost& whole = costs[2];
    // A quarter of the text takes about a quarter of the memory; vectors that double blur it.
    const bool linear = whole.megabytes <= 1 + costs[0].megabytes * 6;
    std::printf("%-28s %9.1f %9.1f %9.1f   %8.1f %8.1f %8.1f%s%s\n", shape.name,
                costs[0].milliseconds, costs[1].milliseconds, whole.milliseconds,
                costs[0].megabytes, costs[1].megabytes, whole.megabytes,
                whole.milliseconds <= kTargetMilliseconds ? "" : "  missed",
                linear ? "" : "  not linear");
  }
  std::printf("target: at most %.0f ms for 1 MB, memory linear\n", kTargetMilliseconds);
}

// For a profiler that counts: `--toggle-collect='*counted*'` leaves out what the first round sets
// up.
[[gnu::noinline]] Verdict counted(const bench::Everyday& each) { return decided(each).verdict; }

void count_once(const bench::Corpus& corpus) {
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
  if (argc == 2 && std::strcmp(argv[1], "--large") == 0) {
    print_megabytes();
    return 0;
  }
  const bench::Corpus corpus =
      bench::everyday_corpus(TOLLGATE_SOURCE_DIR "/tests/decisions/everyday");
  if (argc == 3 && std::strcmp(argv[1], "--dump") == 0) return dump(corpus, argv[2]);
  if (argc == 2 && std::strcmp(argv[1], "--everyday") == 0) {
    print_everyday(corpus);
    return 0;
  }
  if (argc == 2 && std::strcmp(argv[1], "--once") == 0) {
    count_once(corpus);
    return 0;
  }
  if (argc != 1) {
    std::fprintf(stderr, "usage: shell_bench [--everyday | --large | --once | --dump FILE]\n");
    return 2;
  }
  print_everyday(corpus);
  print_megabytes();
  return 0;
}
