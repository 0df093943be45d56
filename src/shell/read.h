// Bash text to its tree. Total, linear in the text, bounded in depth; never throws.
// What bash refuses is refused, and what was read before that is in the tree all the same.
// SAFETY: a tree that is refused stands for more than it shows; callers add an Unknown for it.
#pragma once

#include <string_view>

#include "shell/tree.h"

namespace tollgate::shell {

struct ReadOptions {
  bool extglob = false;  // as `bash -c` starts
};

Tree read(std::string_view text, const ReadOptions& options = {});

// LIMIT: commands and words inside each other. People stay far below; a deeper text is refused.
inline constexpr int kMaxNesting = 200;

}  // namespace tollgate::shell
