// What it costs to begin: 10,000 rules from YAML, checked and compiled, and a snapshot of them
// opened. The files lie in a temporary directory of their own, so the look at the sources is
// counted too. Targets: load, lint and compile within 20 ms together; the snapshot open within 0.2
// ms.
#include <benchmark/benchmark.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "bench/workload.h"
#include "config/loader.h"
#include "config/snapshot.h"
#include "config/yaml.h"
#include "os/files.h"
#include "policy/lint.h"
#include "policy/policy.h"

namespace {

using namespace tollgate;

constexpr std::size_t kRules = 10'000;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "load_bench: %s\n", why.c_str());
  std::exit(1);
}

// A configuration on disk, gone with the program.
class Files {
 public:
  Files() {
    std::string pattern = "/tmp/tollgate-bench-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) give_up("no temporary directory");
    directory_ = pattern;
    text_ = bench::yaml_of(bench::rule_texts(kRules));
    if (Result<void> made = os::write_atomically(config(), text_, 0600); !made)
      give_up(made.error().message);
  }
  ~Files() {
    for (const std::string& path : {snapshot(), config()}) ::unlink(path.c_str());
    ::rmdir(directory_.c_str());
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  std::string config() const { return directory_ + "/tollgate.yaml"; }
  std::string snapshot() const { return directory_ + "/policy.snapshot"; }
  const std::string& text() const& { return text_; }

  config::LoadOptions options() const {
    config::LoadOptions options;
    options.config_file = config();
    options.managed_file = "";
    options.cwd = directory_;
    options.data_dir = directory_;
    return options;
  }

 private:
  std::string directory_, text_;
};

const Files& files() {
  static const Files made;
  return made;
}

const PolicySet& loaded() {
  static const PolicySet set = [] {
    config::Loaded read = config::load(files().options());
    if (read.set.broken) give_up(read.set.broken->message);
    if (read.set.rules.size() < kRules) give_up("rules are missing");
    return std::move(read.set);
  }();
  return set;
}

void read_yaml(benchmark::State& state) {
  for (auto _ : state) {
    std::vector<Diagnostic> problems;
    benchmark::DoNotOptimize(config::read_yaml(files().text(), "tollgate.yaml", problems));
  }
}
BENCHMARK(read_yaml)->Unit(benchmark::kMillisecond);

void parse_rules(benchmark::State& state) {
  const std::vector<bench::RuleText> rules = bench::rule_texts(kRules);
  for (auto _ : state)
    for (const bench::RuleText& rule : rules)
      benchmark::DoNotOptimize(parse_rule(rule.list, rule.text, {}));
}
BENCHMARK(parse_rules)->Unit(benchmark::kMillisecond);

void load_file(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(config::load(files().options()));
}
BENCHMARK(load_file)->Unit(benchmark::kMillisecond);

void lint_rules(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(lint(loaded()));
}
BENCHMARK(lint_rules)->Unit(benchmark::kMillisecond);

void compile_rules(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(compile(loaded()));
}
BENCHMARK(compile_rules)->Unit(benchmark::kMillisecond);

void load_lint_and_compile(benchmark::State& state) {
  for (auto _ : state) {
    const config::Loaded read = config::load(files().options());
    benchmark::DoNotOptimize(lint(read.set));
    benchmark::DoNotOptimize(compile(read.set));
  }
  state.counters["target_ms"] = 20;
}
BENCHMARK(load_lint_and_compile)->Unit(benchmark::kMillisecond);

void open_bytes(benchmark::State& state) {
  const Policy policy = compile(loaded());
  for (auto _ : state) benchmark::DoNotOptimize(Policy::open(policy.bytes(), nullptr));
  state.counters["bytes"] = static_cast<double>(policy.bytes().size());
}
BENCHMARK(open_bytes)->Unit(benchmark::kMicrosecond);

void open_snapshot(benchmark::State& state) {
  const config::Loaded read = config::load(files().options());
  const std::string key = config::load_key(files().options());
  const Result<void> written =
      config::write_snapshot(files().snapshot(), compile(read.set), read.sources, key);
  if (!written) return state.SkipWithError(written.error().message.c_str());
  for (auto _ : state) {
    const Result<Policy> opened = config::open_snapshot(files().snapshot(), key);
    if (!opened) return state.SkipWithError(opened.error().message.c_str());
    benchmark::DoNotOptimize(opened);
  }
  state.counters["target_us"] = 200;
}
BENCHMARK(open_snapshot)->Unit(benchmark::kMicrosecond);

}  // namespace
