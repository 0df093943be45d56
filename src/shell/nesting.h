// Counts how deep the reader stands; every construct that can hold itself makes one.
#pragma once

#include "shell/read.h"

namespace tollgate::shell {

class Nesting {
 public:
  explicit Nesting(int& depth) : depth_(depth) { ++depth_; }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

  bool too_deep() const { return depth_ > kMaxNesting; }

 private:
  int& depth_;
};

}  // namespace tollgate::shell
