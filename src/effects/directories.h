// Where a shell may find itself while it goes through a list of commands.
// `cd` can fail, so after `cd a; b` there are two answers, after `cd a && b` only one for b.
// SAFETY: one directory that is not known ("") makes every relative path there Unknown.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "shell/shell_reader.h"

namespace tollgate {

class Directories {
 public:
  using List = std::vector<std::string>;

  explicit Directories(List first) : after_success_(std::move(first)) {
    if (after_success_.empty()) forget();
  }

  // Call before a command: where it may run.
  const List& enter(const SimpleCommand& command) {
    if (command.joint == Joint::kPipe) return here_;
    joint_ = command.joint;
    switch (joint_) {
      case Joint::kAnd:
        here_ = after_success_;
        break;
      case Joint::kOr:
        here_ = after_failure_;
        break;
      default:
        here_ = both(after_success_, after_failure_);
        break;
    }
    if (here_.empty()) here_ = both(after_success_, after_failure_);
    return here_;
  }

  // Call after it: where the shell is when it succeeded. A pipeline's parts have shells of their
  // own, so for them nothing moves.
  void leave(const SimpleCommand& command, List moved) {
    if (command.joint == Joint::kPipe) return;
    if (command.piped) moved = here_;
    const List skipped_ok = joint_ == Joint::kOr ? after_success_ : List{};
    const List skipped_bad = joint_ == Joint::kAnd ? after_failure_ : List{};
    after_success_ = both(std::move(moved), skipped_ok);
    after_failure_ = both(here_, skipped_bad);
  }

  List all() const { return both(after_success_, after_failure_); }
  void forget() { after_success_ = after_failure_ = {""}; }

 private:
  // LIMIT: more directories than this count as "anywhere".
  static constexpr std::size_t kMost = 8;

  static List both(List a, const List& b) {
    for (const std::string& directory : b)
      if (std::ranges::find(a, directory) == a.end()) a.push_back(directory);
    return a.size() > kMost ? List{""} : a;
  }

  Joint joint_ = Joint::kNext;
  List here_;
  List after_success_;
  List after_failure_;
};

}  // namespace tollgate
