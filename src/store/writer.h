// The one thread that writes: it takes what waits, commits it together, and tells each batch.
// A batch that is refused is undone alone; a database that fails, fails the whole group, and is
// opened again for the next.
// INVARIANT: batches are applied and told of in the order they came; every one is told of once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "store/database_file.h"
#include "store/sqlite.h"
#include "store/sqlite_store.h"
#include "store/store.h"

namespace tollgate::store {

class Writer {
 public:
  Writer(DatabaseFile& file, Database database, const SqliteOptions& options);
  // Commits what still waits.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // From any thread, its own included.
  void submit(std::vector<Change> batch, Durability durability, Done done);

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    std::vector<Change> batch;
    Done done;
    Durability durability = Durability::kNow;
    Clock::time_point since;
    bool refused = false;  // there was no room for it
    Result<void> result;
  };

  void run();
  std::vector<Waiting> next_group();  // empty: it is over
  void commit(std::vector<Waiting>& group);
  Result<void> commit_all(std::vector<Waiting>& group);
  Result<void> apply_all(std::vector<Waiting>& group);
  Result<void> open_if_needed();

  DatabaseFile& file_;
  const SqliteOptions options_;
  std::optional<Database> database_;  // of the thread alone

  std::mutex lock_;  // guards all below
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
  std::size_t urgent_ = 0;  // how many of them are kNow
  bool over_ = false;

  std::thread thread_;
};

}  // namespace tollgate::store
