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

#include "json/json.h"
#include "os/files.h"
#include "store/sqlite_store.h"

namespace {

using namespace tollgate;

class Place {
 public:
  Place() {
    const char* above = std::getenv("TMPDIR");
    std::string pattern = std::string(above == nullptr ? "/tmp" : above) + "/tollgate-bench-XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
    store_ = std::move(*store::open_sqlite(file()));
  }
  ~Place() {
    store_.reset();
    for (const char* end : {"", "-wal", "-shm"}) static_cast<void>(os::remove_file(file() + end));
    ::rmdir(directory_.c_str());
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  store::Store& store() { return *store_; }

 private:
  std::string file() const { return directory_ + "/store.db"; }
  std::string directory_;
  std::unique_ptr<store::Store> store_;
};

// As the daemon writes one for an ordinary call.
store::AuditRow ordinary_row() {
  store::AuditRow row;
  row.at = 1'763'400'000'000;
  row.kind = "call";
  row.session = "3b1f6c5e0d7a4f2c9e8b7a6d5c4f3e2d1c0b9a8f7e6d5c4b3a2f1e0d9c8b7a6f";
  row.agent = "backend";
  row.tool = "Bash";
  row.verdict = "allow";
  row.rule = "Bash(npm run *)";
  row.origin = "http";
  row.record = *json::parse(
      R"~({"call":{"id":"toolu_01","tool":"Bash","input":{"command":"npm run build"},"cwd":"/home/me/shop"},)~"
      R"~("effects":[{"kind":"run","argv":[{"text":"npm"},{"text":"run"},{"text":"build"}]}],)~"
      R"~("situation":{"now":1763400000,"approver_reachable":true},)~"
      R"~("decision":{"verdict":"allow","reasons":[{"kind":"rule","rule":"Bash(npm run *)",)~"
      R"~("source":"tollgate.yaml:4:7","text":"a rule allows it","span":[0,13],"verdict":"allow"}],)~"
      R"~("layer":"gate","config_source":"user"}})~");
  return row;
}

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
  const store::AuditRow row = ordinary_row();
  for (auto _ : state) {
    state.PauseTiming();
    auto place = std::make_unique<Place>();
    Tally tally;
    state.ResumeTiming();
    std::vector<std::thread> threads;
    for (std::int64_t i = 0; i < submitters; ++i)
      threads.emplace_back([&] {
        for (std::int64_t n = 0; n < kRows / submitters; ++n) {
          tally.submitted();
          std::vector<store::Change> batch;
          batch.emplace_back(store::AppendAudit{row});
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

void one_commit(benchmark::State& state) {
  Place place;
  const store::AuditRow row = ordinary_row();
  for (auto _ : state)
    if (!submit_and_wait(place.store(), {store::AppendAudit{row}}, store::Durability::kNow))
      state.SkipWithError("a batch failed");
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(one_commit)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
