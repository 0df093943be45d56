// Waiting for company, one transaction a group, and what becomes of it when the disk says no.
// The lock is held only to hand batches over: neither SQLite nor a `done` runs under it.
// SAFETY: success is told only after COMMIT came back, which with synchronous=FULL is after fsync.
#include "store/writer.h"

#include <algorithm>
#include <utility>

namespace tollgate::store {
namespace {

Error no_room() {
  return {.code = "store-unavailable",
          .message = "too many changes wait to be written",
          .hint = "wait until the disk has caught up; it goes on by itself",
          .where = {}};
}

using namespace std::chrono_literals;

// Quiet for so long, and there is time for the search for words.
constexpr auto kQuiet = 2ms;
// It lags so far, and gets time though others wait; they wait for one piece at most.
constexpr auto kFarBehind = 500ms;
constexpr auto kPiece = 1ms;
// Of the time while others wait, one part in so many.
constexpr int kShare = 20;
constexpr auto kAfterFailure = 1s;
// Quiet for so long, and the pieces of the index are gathered.
constexpr auto kLongQuiet = 500ms;

template <class Waiting>
void fail_for_memory(Waiting& waiting) {
  try {
    waiting.result = Fail({.code = "store-unavailable",
                           .message = "there is not enough memory to write it",
                           .hint = "free some memory; it goes on by itself",
                           .where = {}});
  } catch (...) {
    waiting.done = nullptr;
  }
}

// SAFETY: whoever is told may fail over it; the others are told all the same.
template <class Waiting>
void tell(Waiting& waiting) {
  try {
    if (waiting.done) waiting.done(std::move(waiting.result));
  } catch (...) {
    waiting.done = nullptr;
  }
}

bool is_refusal(const Error& error) { return error.code != "store-unavailable"; }

}  // namespace

Writer::Writer(DatabaseFile& file, Database database, const SqliteOptions& options)
    : file_(file),
      options_(options),
      database_(std::move(database)),
      applier_(std::in_place, *database_),
      behind_since_(Clock::now()),
      thread_([this] { run(); }) {}

Writer::~Writer() {
  {
    const std::lock_guard guard(lock_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void Writer::submit(std::vector<Change> batch, Durability durability, Done done) {
  Waiting waiting{.batch = std::move(batch),
                  .done = std::move(done),
                  .durability = durability,
                  .since = Clock::now(),
                  .refused = false,
                  .result = {}};
  bool wake = false;
  {
    const std::lock_guard guard(lock_);
    if (waiting_.size() + in_hand_ >= options_.max_waiting) {
      waiting.refused = true;
      waiting.batch.clear();
    }
    if (durability == Durability::kNow) urgent_ = true;
    waiting_.push_back(std::move(waiting));
    // The thread sleeps for the first, for an urgent one and for a full group.
    wake = durability == Durability::kNow || waiting_.size() == 1 ||
           waiting_.size() == options_.max_group;
  }
  if (wake) changed_.notify_one();
}

void Writer::run() {
  for (;;) {
    std::optional<std::vector<Waiting>> taken = take();
    if (taken && taken->empty()) return;
    if (taken) commit_taken(std::move(*taken));
    if (!taken || words_are_due(Clock::now())) tend_words();
  }
}

void Writer::commit_taken(std::vector<Waiting> taken) {
  std::span<Waiting> left(taken);
  while (!left.empty()) {
    const std::span<Waiting> group = left.first(std::min(left.size(), options_.max_group));
    left = left.subspan(group.size());
    settle(group);
    in_hand_ = left.size();
    for (Waiting& each : group) tell(each);
  }
  if (!behind_) behind_since_ = Clock::now();
  behind_ = true;
}

// SAFETY: what is thrown, for want of memory, fails the group as a disk would; whoever cannot even
// be told so hears nothing, and success least of all.
void Writer::settle(std::span<Waiting> group) {
  try {
    return commit(group);
  } catch (...) {
    for (Waiting& each : group) fail_for_memory(each);
  }
  // What the connection was doing goes with it.
  applier_.reset();
  database_.reset();
}

bool Writer::words_are_due(Clock::time_point now) const {
  return behind_ && now - behind_since_ >= kFarBehind && now >= next_words_;
}

// One piece. What fails, also for want of memory, is tried again later; nobody waits for it.
void Writer::tend_words() {
  const Clock::time_point begun = Clock::now();
  bool done = false;
  try {
    if (const Result<void> tended = behind_ ? word_some() : gather_some(); tended)
      done = true;
    else if (database_)
      roll_back();
  } catch (...) {
    applier_.reset();
    database_.reset();
  }
  const Clock::time_point ended = Clock::now();
  if (!done)
    words_rest_ = next_words_ = ended + kAfterFailure;
  else
    next_words_ = ended + (ended - begun) * (kShare - 1);
}

Result<void> Writer::word_some() {
  const Clock::time_point end = Clock::now() + kPiece;
  Result<bool> more = false;
  const Result<void> done = unsynced([&]() -> Result<void> {
    more = word_rows(*database_, [end] { return Clock::now() < end; });
    return more ? Result<void>() : Fail(more.error());
  });
  if (!done) return done;
  behind_ = *more;
  if (behind_ || gathering_) return {};
  const Result<bool> scattered = words_are_scattered(*database_);
  if (!scattered) return Fail(scattered.error());
  if (!*scattered) return {};
  gathering_ = Gathering::kBegin;
  idle_ = false;
  return {};
}

Result<void> Writer::gather_some() {
  Result<bool> more = false;
  const Result<void> done = unsynced([&]() -> Result<void> {
    more = gather_words(*database_, gathering_.value_or(Gathering::kBegin));
    return more ? Result<void>() : Fail(more.error());
  });
  if (!done) return done;
  gathering_ = *more ? std::optional(Gathering::kGoOn) : std::nullopt;
  return {};
}

// A transaction that nobody is told of, and that can be made again: it reaches the disk with the
// next one that people wait for, which comes behind it in the log.
// SAFETY: whatever fails here, the connection is closed or syncs each commit again.
Result<void> Writer::unsynced(const std::function<Result<void>()>& work) {
  if (Result<void> opened = open_if_needed(); !opened) return opened;
  if (Result<void> set = database_->script("PRAGMA synchronous = NORMAL"); !set) return set;
  Result<void> done = database_->run("BEGIN IMMEDIATE");
  if (done) done = work();
  if (done) done = database_->run("COMMIT");
  if (done) unsynced_ = true;
  if (!done) roll_back();
  if (!database_) return done;
  if (Result<void> set = database_->script("PRAGMA synchronous = FULL"); set) return done;
  applier_.reset();
  database_.reset();
  return done;
}

// All that waits, once there is company or no time left.
std::optional<std::vector<Writer::Waiting>> Writer::take() {
  std::vector<Waiting> taken;
  std::unique_lock guard(lock_);
  const auto called = [this] { return over_ || !waiting_.empty(); };
  if (!behind_ && !gathering_) {
    changed_.wait(guard, called);
  } else {
    const Clock::time_point now = Clock::now();
    const Clock::duration patience = behind_ ? Clock::duration(kQuiet) : kLongQuiet;
    const Clock::time_point quiet = std::max(idle_ ? now : now + patience, words_rest_);
    idle_ = !changed_.wait_until(guard, quiet, called);
    if (idle_) return std::nullopt;
  }
  idle_ = false;
  if (waiting_.empty()) return taken;
  const Clock::time_point deadline = waiting_.front().since + options_.group_delay;
  changed_.wait_until(guard, deadline,
                      [this] { return over_ || urgent_ || waiting_.size() >= options_.max_group; });
  taken.swap(waiting_);
  in_hand_ = taken.size();
  urgent_ = false;
  return taken;
}

void Writer::commit(std::span<Waiting> group) {
  Result<void> done = open_if_needed();
  const bool opened = done.has_value();
  if (opened && doubtful_) done = empty_log();
  if (opened && done) done = commit_all(group);
  if (done) return;
  for (Waiting& each : group) each.result = Fail(done.error());
  if (!opened) return;
  applier_->undone();
  roll_back();
}

// What the connection holds of a damaged file goes with it.
void Writer::roll_back() {
  if (database_->in_transaction()) static_cast<void>(database_->run("ROLLBACK"));
  if (!database_->must_reopen() && !database_->in_transaction()) return;
  applier_.reset();
  database_.reset();
}

// What was not synced before a sync failed may never reach the disk, and no later one says so: all
// behind it in the log would be lost with it. It goes into the database's file, and the log begins
// anew.
// SAFETY: until then nothing is acknowledged.
Result<void> Writer::empty_log() {
  const Result<std::int64_t> busy = database_->integer("PRAGMA wal_checkpoint(TRUNCATE)");
  if (!busy) return Fail(busy.error());
  if (*busy != 0)
    return Fail({.code = "store-unavailable",
                 .message = "the log of the database cannot be emptied while somebody reads it",
                 .hint = "wait; it goes on by itself",
                 .where = {}});
  doubtful_ = unsynced_ = false;
  return {};
}

Result<void> Writer::commit_all(std::span<Waiting> group) {
  const std::int64_t before = database_->all_changes();
  if (Result<void> begun = database_->run("BEGIN IMMEDIATE"); !begun) return begun;
  if (Result<void> applied = apply_all(group); !applied) return applied;
  Result<void> done = database_->run("COMMIT");
  doubtful_ = doubtful_ || (!done && unsynced_);
  // Nothing is synced where nothing is written: every batch was refused, or had nothing to change.
  const bool wrote = done && database_->all_changes() > before &&
                     std::ranges::any_of(group, [](const Waiting& one) { return !!one.result; });
  if (wrote) unsynced_ = false;
  return done;
}

Result<void> Writer::open_if_needed() {
  if (database_) return file_.check_place_and_log();
  Result<Database> opened = file_.open_for_writing();
  if (!opened) return Fail(std::move(opened).error());
  database_.emplace(std::move(*opened));
  applier_.emplace(*database_);
  return {};
}

// An error of this is the whole group's.
Result<void> Writer::apply_all(std::span<Waiting> group) {
  if (Result<void> begun = applier_->begin(); !begun) return begun;
  for (Waiting& each : group) {
    each.result = each.refused ? Fail(no_room()) : applier_->apply(each.batch);
    if (each.result || each.refused || is_refusal(each.result.error())) continue;
    if (!database_->in_transaction() || database_->in_trouble()) return each.result;
  }
  return applier_->end();
}

}  // namespace tollgate::store
