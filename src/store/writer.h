// The one thread that writes: it takes what waits, commits it together, and tells each batch.
// A batch that is refused is undone alone; a database that fails, fails the whole group, and is
// opened again for the next.
// INVARIANT: batches are applied and told of in the order they came; every one is told of once.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "store/apply.h"
#include "store/database_file.h"
#include "store/sqlite.h"
#include "store/sqlite_store.h"
#include "store/store.h"
#include "store/words.h"

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
  // Nothing: there is nothing, and time for other things. Empty: it is over.
  std::optional<std::vector<Waiting>> take();
  void commit_taken(std::vector<Waiting> taken);
  void settle(std::span<Waiting> group);
  bool words_are_due(Clock::time_point now) const;
  void tend_words();
  Result<void> word_some();
  Result<void> gather_some();
  Result<void> unsynced(const std::function<Result<void>()>& work);
  void commit(std::span<Waiting> group);
  void roll_back();
  Result<void> empty_log();
  Result<void> commit_all(std::span<Waiting> group);
  Result<void> apply_all(std::span<Waiting> group);
  Result<void> open_if_needed();

  DatabaseFile& file_;
  const SqliteOptions options_;
  std::optional<Database> database_;  // of the thread alone, as is
  std::optional<Applier> applier_;    // what is known of its tables

  // Of the thread alone: the search for words, which is filled when there is time, or when it lags
  // too far, and then for a part of the time only.
  bool behind_ = true;                  // there may be rows that it does not have
  Clock::time_point behind_since_;      // since when
  Clock::time_point next_words_;        // where others wait, not earlier than this
  Clock::time_point words_rest_;        // not earlier than this at all: it failed
  bool unsynced_ = false;               // something was committed that no sync has confirmed
  bool doubtful_ = false;               // and one has failed since
  bool idle_ = false;                   // nobody waited when it was last looked
  std::optional<Gathering> gathering_;  // its pieces are to be one, or are on the way to it

  std::atomic<std::size_t> in_hand_ = 0;  // taken, and not yet committed

  std::mutex lock_;  // guards all below
  std::condition_variable changed_;
  std::vector<Waiting> waiting_;
  bool urgent_ = false;  // one of them is kNow
  bool over_ = false;

  std::thread thread_;
};

}  // namespace tollgate::store
