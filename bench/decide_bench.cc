// What one decision costs: six ordinary calls under 10 to 10,000 rules.
// Every row has the median of single calls and what they allocated; a table of the targets closes
// the run. `decide_bench --dump FILE` writes rules and calls for the comparison with other engines.
// An answer that is not the expected one ends the program: a fast wrong answer is no result.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "bench/allocations.h"
#include "bench/workload.h"
#include "core/codec.h"
#include "gate/decide.h"
#include "json/json.h"

namespace {

using namespace tollgate;

constexpr double kTargetNanoseconds = 1'000;
constexpr double kTargetGrowth = 1.5;
constexpr int kSamples = 20'000;
constexpr int kBatch = 16;

const Policy& policy_of(std::size_t size) {
  static std::map<std::size_t, Policy> policies;
  const auto found = policies.find(size);
  if (found != policies.end()) return found->second;
  return policies.emplace(size, compile(bench::policy_set_of(bench::rule_texts(size))))
      .first->second;
}

struct Cost {
  double median_ns = 0;
  double allocated = 0;  // in all, for one decision
  double extra = 0;      // of these freed again before the decision was handed over
};

// The median over many short batches: a single call is too short for the clock.
double median_ns(const Policy& policy, const bench::Asked& asked) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> samples;
  samples.reserve(kSamples);
  for (int i = 0; i < kSamples; ++i) {
    const Clock::time_point begin = Clock::now();
    for (int k = 0; k < kBatch; ++k)
      benchmark::DoNotOptimize(decide(policy, asked.call, asked.effects, asked.situation));
    const std::chrono::duration<double, std::nano> spent = Clock::now() - begin;
    samples.push_back(spent.count() / kBatch);
  }
  std::nth_element(samples.begin(), samples.begin() + kSamples / 2, samples.end());
  return samples[kSamples / 2];
}

Cost cost_of(std::size_t size, const bench::CallCase& each) {
  const Policy& policy = policy_of(size);
  const bench::Asked asked = bench::ask(each);
  const bench::Allocations before = bench::allocations();
  const Decision decision = decide(policy, asked.call, asked.effects, asked.situation);
  const bench::Allocations after = bench::allocations();
  if (decision.verdict != each.want) {
    std::fprintf(stderr, "decide_bench: %s: wrong answer under %zu rules: %s\n", each.name.data(),
                 size, json::write(to_json(decision)).c_str());
    std::exit(1);
  }
  return {.median_ns = median_ns(policy, asked),
          .allocated = static_cast<double>(after.made - before.made),
          .extra = static_cast<double>(after.freed - before.freed)};
}

// Each pair is measured once, however often the library calls its benchmark.
std::map<std::pair<std::string_view, std::size_t>, Cost>& costs() {
  static std::map<std::pair<std::string_view, std::size_t>, Cost> all;
  return all;
}

const Cost& measured(std::size_t size, const bench::CallCase& each) {
  const auto key = std::pair(each.name, size);
  const auto found = costs().find(key);
  return found != costs().end() ? found->second
                                : costs().emplace(key, cost_of(size, each)).first->second;
}

void decide_one(benchmark::State& state, const bench::CallCase& each) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const Cost& cost = measured(size, each);
  const Policy& policy = policy_of(size);
  const bench::Asked asked = bench::ask(each);
  for (auto _ : state)
    benchmark::DoNotOptimize(decide(policy, asked.call, asked.effects, asked.situation));
  state.counters["p50_ns"] = cost.median_ns;
  state.counters["allocs_per_op"] = cost.allocated;
  state.counters["extra_allocs_per_op"] = cost.extra;
}

void print_targets() {
  if (costs().empty()) return;
  std::printf("\n%-42s %9s %9s %9s %9s %7s %7s\n", "p50 in ns, by number of rules", "10", "100",
              "1000", "10000", "growth", "extra");
  for (const bench::CallCase& each : bench::call_cases()) {
    std::printf("%-42s", each.name.data());
    double first = 0, last = 0, worst = 0, extra = 0;
    for (const std::size_t size : bench::kSizes) {
      const auto found = costs().find({each.name, size});
      if (found == costs().end()) {
        std::printf(" %9s", "-");
        continue;
      }
      last = found->second.median_ns;
      if (first == 0) first = last;
      worst = std::max(worst, last);
      extra = std::max(extra, found->second.extra);
      std::printf(" %9.0f", last);
    }
    const bool kept = worst <= kTargetNanoseconds && last <= first * kTargetGrowth &&
                      (extra == 0 || each.want != Verdict::kAllow);
    std::printf(" %6.2fx %7.0f%s\n", first == 0 ? 0 : last / first, extra, kept ? "" : "  missed");
  }
  std::printf(
      "target: at most %.0f ns, growth at most %.1fx, no extra allocation on the way to allow\n",
      kTargetNanoseconds, kTargetGrowth);
}

int dump(const char* path) {
  std::FILE* file = std::fopen(path, "w");
  if (file == nullptr) {
    std::perror(path);
    return 1;
  }
  const std::string text = bench::workload_json();
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written ? 0 : 1;
}

// From the rules' texts to a policy, the median of some runs.
double load_us(std::size_t size) {
  using Clock = std::chrono::steady_clock;
  const std::vector<bench::RuleText> texts = bench::rule_texts(size);
  std::vector<double> samples(11);
  for (double& sample : samples) {
    const Clock::time_point begin = Clock::now();
    benchmark::DoNotOptimize(compile(bench::policy_set_of(texts)));
    sample = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  }
  std::nth_element(samples.begin(), samples.begin() + 5, samples.end());
  return samples[5];
}

// Medians and load times as JSON on one line, for the comparison.
void print_costs() {
  json::Value calls = json::Value::array();
  json::Value loads = json::Value::array();
  for (const std::size_t size : bench::kSizes) {
    const json::Value rules = json::Value::integer(static_cast<std::int64_t>(size));
    for (const bench::CallCase& each : bench::call_cases()) {
      json::Value row = json::Value::object();
      row.set("call", json::Value::string(std::string(each.name)));
      row.set("rules", rules);
      row.set("ns",
              json::Value::integer(static_cast<std::int64_t>(measured(size, each).median_ns)));
      calls.push(std::move(row));
    }
    json::Value row = json::Value::object();
    row.set("rules", rules);
    row.set("us", json::Value::integer(static_cast<std::int64_t>(load_us(size))));
    loads.push(std::move(row));
  }
  json::Value all = json::Value::object();
  all.set("calls", std::move(calls)).set("loads", std::move(loads));
  std::puts(json::write(all).c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--dump") == 0) return dump(argv[2]);
  if (argc == 2 && std::strcmp(argv[1], "--costs") == 0) {
    print_costs();
    return 0;
  }
  for (const bench::CallCase& each : bench::call_cases()) {
    auto* made =
        benchmark::RegisterBenchmark(std::string(each.name).c_str(),
                                     [&each](benchmark::State& state) { decide_one(state, each); });
    for (const std::size_t size : bench::kSizes) made->Arg(static_cast<std::int64_t>(size));
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  print_targets();
  return 0;
}
