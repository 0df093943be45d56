// Lending and taking back; opening happens outside the lock, because it may wait for the disk.
#include "store/readers.h"

namespace tollgate::store {

Result<Database> Readers::borrow() {
  if (Result<void> same = file_.check_place(); !same) return Fail(std::move(same).error());
  {
    std::unique_lock guard(lock_);
    free_.wait(guard, [this] { return lent_ < most_; });
    ++lent_;
    if (!idle_.empty()) {
      Database database = std::move(idle_.back());
      idle_.pop_back();
      return database;
    }
  }
  Result<Database> opened = file_.open_for_reading();
  if (!opened) drop();
  return opened;
}

void Readers::give_back(Database database) {
  {
    const std::lock_guard guard(lock_);
    idle_.push_back(std::move(database));
    --lent_;
  }
  free_.notify_one();
}

void Readers::drop() {
  {
    const std::lock_guard guard(lock_);
    --lent_;
  }
  free_.notify_one();
}

}  // namespace tollgate::store
