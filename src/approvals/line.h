// One write at a time: what comes while the store has something waits for its turn.
// Each question has a line of its own; the book of sessions has one for all of them.
// INVARIANT: work that waits runs in the order it came, and only when nothing is under way.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <utility>

namespace tollgate::approvals {

class Line {
 public:
  using Work = std::function<void()>;

  // Runs it now, or when its turn comes. Work that hands something to the store calls begin().
  void enter(Work work) {
    if (busy_)
      waiting_.push_back(std::move(work));
    else
      work();
  }
  void begin() { busy_ = true; }
  // The store has answered. REQUIRES: whoever owns this line lives until it returns.
  void finish() {
    busy_ = false;
    while (!busy_ && !waiting_.empty()) {
      const Work next = std::move(waiting_.front());
      waiting_.pop_front();
      next();
    }
  }

  // Forgets what waits: its owner is about to go, and the work may hold that owner.
  void clear() { waiting_.clear(); }

  bool busy() const { return busy_; }
  std::size_t waiting() const { return waiting_.size(); }

 private:
  bool busy_ = false;
  std::list<Work> waiting_;  // of thousands of lines hardly one has any
};

}  // namespace tollgate::approvals
