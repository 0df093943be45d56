// What durable rows of the audit cost: many submitters whose batches are committed together, and
// one who waits for each commit.
// The file lies in the temporary directory, so the numbers are those of the disk below it.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/audit_log.h"
#include "os/files.h"
#include "server/gate.h"
#include "store/sqlite_store.h"

namespace {

using namespace tollgate;

class Home {
 public:
  explicit Home(const store::SqliteOptions& options = {}) {
    const char* above = std::getenv("TMPDIR");
    std::string pattern = std::string(above == nullptr ? "/tmp" : above) + "/tollgate-bench-XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
    store_ = std::move(*store::open_sqlite(file(), options));
  }
  ~Home() {
    store_.reset();
    for (const char* end : {"", "-wal", "-shm"}) static_cast<void>(os::remove_file(file() + end));
    ::rmdir(directory_.c_str());
  }
  Home(const Home&) = delete;
  Home& operator=(const Home&) = delete;
  store::Store& store() { return *store_; }

 private:
  std::string file() const { return directory_ + "/store.db"; }
  std::string directory_;
  std::unique_ptr<store::Store> store_;
};

// What the daemon records of `make test`, asked over MCP and allowed by a rule: the gate's own
// files are those of a workspace three directories below the root.
AuditRecord ordinary_record() {
  const auto place = [](const std::string& path) { return Place{path, path}; };
  const std::string home = "/home/me";
  const std::string work = home + "/src/shop";
  AuditRecord record;
  record.call.session = "3b1f6c5e0d7a4f2c9e8b7a6d5c4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d9c8b7a6f";
  record.call.agent = "backend";
  record.call.provider = "claude";
  record.call.native_tool = record.call.tool = "Bash";
  record.call.input = json::Value::object({{"command", json::Value::string("make test")}});
  record.call.cwd = work;
  Effect run;
  run.kind = EffectKind::kRun;
  run.told = true;
  run.span = {0, 9};
  run.argv = {{.text = "make", .span = {0, 4}}, {.text = "test", .span = {5, 4}}};
  record.effects.push_back(run);
  Situation& situation = record.situation;
  situation.now = 1'763'400'000;
  situation.base = situation.cwd = place(work);
  situation.roots = {place(work)};
  situation.home = place(home);
  situation.temporary = {place("/tmp")};
  for (const char* file :
       {"/home/me/.config/tollgate/tollgate.yaml", "/home/me/.local/state/tollgate",
        "/home/me/.local/share/tollgate", "/etc/tollgate/tollgate.yaml", "/usr/bin/tollgate",
        "/usr/bin/tollgate-hook"})
    situation.gate.push_back(place(file));
  for (const char* above : {"/home/me/src/shop/", "/home/me/src/", "/home/me/", "/home/", "/"})
    for (const char* file : {"tollgate.yaml", ".tollgate.yaml", ".agentic/config.yaml"})
      situation.gate.push_back(place(std::string(above) + file));
  situation.path_dirs = {place("/usr/local/bin"), place("/usr/bin"), {"/bin", "/usr/bin"}};
  situation.paths.resize(1);
  record.decision.verdict = Verdict::kAllow;
  record.decision.config_source = ConfigSource::kUser;
  record.decision.reasons.push_back({.kind = ReasonKind::kRule,
                                     .verdict = Verdict::kAllow,
                                     .rule = "Bash(make *)",
                                     .source = "/home/me/.config/tollgate/tollgate.yaml:4:12",
                                     .text = "the rule allows it",
                                     .span = {0, 9}});
  return record;
}

// Calls of one session, each with an id of its own.
class Calls {
 public:
  store::AuditRow next() {
    record_.call.id = "toolu_01" + std::to_string(1'000'000 + ++count_);
    record_.situation.now = 1'763'400'000 + count_ / 1'000;
    return server::audit_row(record_, "mcp", record_.situation.now * 1'000, peer_);
  }

 private:
  AuditRecord record_ = ordinary_record();
  const json::Value peer_ = json::Value::object({{"address", json::Value::string("127.0.0.1")}});
  std::int64_t count_ = 0;
};

// Counts what was told; who submits waits when too much is under way.
class Tally {
 public:
  void submitted() {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return under_way_ < 20'000; });
    ++under_way_;
  }
  void told(const Result<void>& result) {
    const std::lock_guard guard(lock_);
    if (!result) ++failed_;
    if (--under_way_ % 1'024 == 0) changed_.notify_all();
  }
  std::size_t wait() {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return under_way_ == 0; });
    return failed_;
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  std::size_t under_way_ = 0;
  std::size_t failed_ = 0;
};

// Each row is a batch of its own, as each call's is.
void rows_in_groups(benchmark::State& state) {
  constexpr std::int64_t kRows = 100'000;
  const auto submitters = state.range(0);
  for (auto _ : state) {
    state.PauseTiming();
    auto place = std::make_unique<Home>();
    Tally tally;
    state.ResumeTiming();
    std::vector<std::thread> threads;
    for (std::int64_t i = 0; i < submitters; ++i)
      threads.emplace_back([&] {
        Calls calls;
        for (std::int64_t n = 0; n < kRows / submitters; ++n) {
          tally.submitted();
          std::vector<store::Change> batch;
          batch.emplace_back(store::AppendAudit{calls.next()});
          place->store().submit(std::move(batch), store::Durability::kGrouped,
                                [&](const Result<void>& result) { tally.told(result); });
        }
      });
    for (std::thread& thread : threads) thread.join();
    if (tally.wait() != 0) state.SkipWithError("a batch failed");
    state.PauseTiming();
    place.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * kRows);
}
// The time of all threads stands beside the real one, which counts only on a quiet machine.
BENCHMARK(rows_in_groups)
    ->Arg(1)
    ->Arg(8)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

constexpr std::int64_t kRowsOfALog = 60'000;

// As 64 agents do that call at the same time: a group is 64 rows, and the next begins when all have
// their answer.
void groups_of_64(benchmark::State& state) {
  constexpr std::int64_t kRows = 64;
  Home place({.max_group = kRows});
  Calls calls;
  Tally tally;
  const auto put = [&](std::int64_t rows) {
    for (std::int64_t n = 0; n < rows; ++n) {
      tally.submitted();
      std::vector<store::Change> batch;
      batch.emplace_back(store::AppendAudit{calls.next()});
      place.store().submit(std::move(batch), store::Durability::kGrouped,
                           [&](const Result<void>& result) { tally.told(result); });
    }
    if (tally.wait() != 0) state.SkipWithError("a batch failed");
  };
  // Once the log has its length, it is written over: from then on a flush moves no file's end.
  put(kRowsOfALog);
  for (auto _ : state) put(kRows);
  state.SetItemsProcessed(state.iterations() * kRows);
}
BENCHMARK(groups_of_64)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMicrosecond);

// The text alone.
void one_row(benchmark::State& state) {
  Calls calls;
  for (auto _ : state) benchmark::DoNotOptimize(calls.next());
}
BENCHMARK(one_row)->Unit(benchmark::kNanosecond);

void one_commit(benchmark::State& state) {
  Home place;
  Calls calls;
  for (auto _ : state)
    if (!submit_and_wait(place.store(), {store::AppendAudit{calls.next()}},
                         store::Durability::kNow))
      state.SkipWithError("a batch failed");
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(one_commit)->MeasureProcessCPUTime()->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
