// What the record costs as it grows: a row and a search, from a hundred rows to a million.
// Each size is searched once the index of words has every row, and asked for rows that are as many
// in all sizes, so that only the growth can make a difference.
// TOLLGATE_GROWTH is the largest size (1000000). The stores lie in the temporary directory.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "json/json.h"
#include "os/files.h"
#include "store/sqlite_store.h"

namespace {

using namespace tollgate;

constexpr std::int64_t kGroup = 64;

std::int64_t largest() {
  const char* given = std::getenv("TOLLGATE_GROWTH");
  return given == nullptr ? 1'000'000 : std::atoll(given);
}

// A store that grows and never shrinks; gone at the end.
class Growing {
 public:
  Growing() {
    const char* above = std::getenv("TMPDIR");
    std::string pattern = std::string(above == nullptr ? "/tmp" : above) + "/tollgate-bench-XXXXXX";
    directory_ = ::mkdtemp(pattern.data());
    store_ = std::move(*store::open_sqlite(file()));
  }
  ~Growing() {
    store_.reset();
    for (const char* end : {"", "-wal", "-shm"}) static_cast<void>(os::remove_file(file() + end));
    ::rmdir(directory_.c_str());
  }
  Growing(const Growing&) = delete;
  Growing& operator=(const Growing&) = delete;

  store::Store& store() { return *store_; }

  // One in five rows is denied, by another rule and of another session; the 50th has the needle.
  store::AuditRow next() {
    static const auto kPlaces = std::make_shared<const std::string>(
        "\"situation\":{\"gate\":\"" + std::string(3'000, 'p') + "\"}");
    const std::int64_t number = ++rows_;
    const bool fifth = number % 5 == 0;
    store::AuditRow row;
    row.at = 1'763'400'000'000 + number;
    row.kind = "call";
    row.session = fifth ? "s5" : "s1";
    row.agent = "backend";
    row.tool = "Bash";
    row.verdict = fifth ? "deny" : "allow";
    row.rule = fifth ? "Bash(git push *)" : "Bash(make *)";
    row.origin = "mcp";
    row.text = R"({"call":{"id":"toolu_)" + std::to_string(number) + R"(","input":{"command":")" +
               (number == 50 ? "find the needle" : "make target-" + std::to_string(number)) +
               R"("}},"decision":{"reasons":[{"rule":")" + row.rule + R"("}]},)";
    row.shared = {{row.text.size(), kPlaces}};
    row.text += "}";
    return row;
  }

  void grow_to(std::int64_t rows) {
    while (rows_ < rows) add(std::min<std::int64_t>(rows - rows_, 4'096));
    for (;;) {
      const auto state = store_->record_state();
      if (!state || state->worded >= state->last) return;
      std::this_thread::yield();
    }
  }

  void add(std::int64_t count) {
    std::vector<store::Change> batch;
    for (std::int64_t i = 0; i < count; ++i) batch.emplace_back(store::AppendAudit{next()});
    static_cast<void>(submit_and_wait(*store_, std::move(batch)));
  }

 private:
  std::string file() const { return directory_ + "/store.db"; }
  std::string directory_;
  std::unique_ptr<store::Store> store_;
  std::int64_t rows_ = 0;
};

Growing& searched() {
  static Growing the;
  return the;
}
Growing& written() {
  static Growing the;
  return the;
}

struct Look {
  const char* name;
  store::AuditQuery query;
  std::size_t rows;
};
const Look kLooks[] = {
    {"newest", {.limit = 20}, 20},
    {"agent", {.agent = "backend", .limit = 20}, 20},
    {"verdict", {.verdict = "deny", .limit = 20}, 20},
    {"session_rule", {.session = "s5", .rule = "Bash(git push *)", .limit = 20}, 20},
    {"oldest_after_time",
     {.since = 1'763'400'000'050, .verdict = "deny", .limit = 11, .oldest_first = true},
     11},
    {"common_word", {.grep = "make target", .limit = 20}, 20},
    {"common_word_denied", {.verdict = "deny", .grep = "git push", .limit = 20}, 20},
    {"one_needle", {.grep = "the needle", .limit = 20}, 1},
};

void search(benchmark::State& state, const Look& look) {
  Growing& place = searched();
  place.grow_to(state.range(0));
  for (auto _ : state) {
    const auto rows = place.store().audit(look.query);
    if (!rows || rows->size() != look.rows) state.SkipWithError("other rows than these");
  }
}

// Groups of 64 rows, as 64 agents would make them; the words are taken in meanwhile.
void insert(benchmark::State& state) {
  Growing& place = written();
  place.grow_to(state.range(0));
  for (auto _ : state) {
    std::vector<store::Change> batch;
    for (std::int64_t i = 0; i < kGroup; ++i) batch.emplace_back(store::AppendAudit{place.next()});
    if (!submit_and_wait(place.store(), std::move(batch))) state.SkipWithError("a batch failed");
  }
  state.SetItemsProcessed(state.iterations() * kGroup);
}

// Rows first: what is searched has its index gathered behind, which would count as theirs.
const bool kRegistered = [] {
  for (std::int64_t rows = 100; rows <= largest(); rows *= 10)
    benchmark::RegisterBenchmark("insert", insert)
        ->Arg(rows)
        ->Iterations(100)
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
  for (std::int64_t rows = 100; rows <= largest(); rows *= 10)
    for (const Look& look : kLooks)
      benchmark::RegisterBenchmark((std::string("search/") + look.name).c_str(),
                                   [&look](benchmark::State& state) { search(state, look); })
          ->Arg(rows)
          ->UseRealTime()
          ->Unit(benchmark::kMicrosecond);
  return true;
}();

}  // namespace
