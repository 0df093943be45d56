// Waiting for company, one transaction a group, and what becomes of it when the disk says no.
// The lock is held only to hand batches over: neither SQLite nor a `done` runs under it.
// SAFETY: success is told only after COMMIT came back, which with synchronous=FULL is after fsync.
#include "store/writer.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "store/apply.h"

namespace tollgate::store {
namespace {

Error no_room() {
  return {.code = "store-unavailable",
          .message = "too many changes wait to be written",
          .hint = "wait until the disk has caught up; it goes on by itself",
          .where = {}};
}

bool is_refusal(const Error& error) { return error.code != "store-unavailable"; }

}  // namespace

Writer::Writer(DatabaseFile& file, Database database, const SqliteOptions& options)
    : file_(file), options_(options), database_(std::move(database)), thread_([this] { run(); }) {}

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
    if (waiting_.size() >= options_.max_waiting) {
      waiting.refused = true;
      waiting.batch.clear();
    }
    if (durability == Durability::kNow) ++urgent_;
    waiting_.push_back(std::move(waiting));
    // The thread sleeps for the first, for an urgent one and for a full group.
    wake = durability == Durability::kNow || waiting_.size() == 1 ||
           waiting_.size() == options_.max_group;
  }
  if (wake) changed_.notify_one();
}

void Writer::run() {
  for (;;) {
    std::vector<Waiting> group = next_group();
    if (group.empty()) return;
    commit(group);
    for (Waiting& each : group)
      if (each.done) each.done(std::move(each.result));
  }
}

std::vector<Writer::Waiting> Writer::next_group() {
  std::unique_lock guard(lock_);
  changed_.wait(guard, [this] { return over_ || !waiting_.empty(); });
  if (waiting_.empty()) return {};
  const Clock::time_point deadline = waiting_.front().since + options_.group_delay;
  changed_.wait_until(guard, deadline, [this] {
    return over_ || urgent_ > 0 || waiting_.size() >= options_.max_group;
  });
  const std::size_t count = std::min(waiting_.size(), options_.max_group);
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
  std::vector<Waiting> group(std::make_move_iterator(waiting_.begin()),
                             std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  urgent_ -=
      static_cast<std::size_t>(std::ranges::count(group, Durability::kNow, &Waiting::durability));
  return group;
}

void Writer::commit(std::vector<Waiting>& group) {
  Result<void> done = open_if_needed();
  const bool opened = done.has_value();
  if (opened) done = commit_all(group);
  if (done) return;
  for (Waiting& each : group) each.result = Fail(done.error());
  if (!opened) return;
  if (database_->in_transaction()) static_cast<void>(database_->run("ROLLBACK"));
  // What the connection holds of a damaged file goes with it.
  if (database_->must_reopen()) database_.reset();
}

Result<void> Writer::commit_all(std::vector<Waiting>& group) {
  if (Result<void> begun = database_->run("BEGIN IMMEDIATE"); !begun) return begun;
  if (Result<void> applied = apply_all(group); !applied) return applied;
  return database_->run("COMMIT");
}

Result<void> Writer::open_if_needed() {
  if (database_) return file_.check_place_and_log();
  Result<Database> opened = file_.open_for_writing();
  if (!opened) return Fail(std::move(opened).error());
  database_.emplace(std::move(*opened));
  return {};
}

// An error of this is the whole group's.
Result<void> Writer::apply_all(std::vector<Waiting>& group) {
  Applier applier(*database_);
  if (Result<void> begun = applier.begin(); !begun) return begun;
  for (Waiting& each : group) {
    each.result = each.refused ? Fail(no_room()) : applier.apply(each.batch);
    if (each.result || each.refused || is_refusal(each.result.error())) continue;
    if (!database_->in_transaction() || database_->in_trouble()) return each.result;
  }
  return applier.end();
}

}  // namespace tollgate::store
