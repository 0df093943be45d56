// The whole call as people read it best: a command line with its parts, an edit as a difference, or
// the arguments as a tree. Whatever the call has besides stands below: nothing stays unseen.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/top/picture.h"
#include "json/value.h"

namespace tollgate::cli::top {

// Whether lines that an edit leaves as they are, far from every change, are counted or shown.
enum class Folds { kCounted, kShown };

// Of a permission as `GET /api/permissions/{id}` gives it, or a record with `reading` beside it.
struct CallText {
  const json::Value& input;
  const json::Value& reading;
  std::string cwd;  // paths below it are shown without it
};
std::vector<Line> call_lines(const CallText& call, std::size_t width, Folds folds);

// Of a shell text: what each of its commands would do, as far as the gate knows.
std::vector<Line> effect_lines(const CallText& call, std::size_t width);

// A value as a tree, `name  value`, each level two blanks further in.
std::vector<Line> tree_lines(const json::Value& value, std::size_t width, std::size_t indent = 0);

}  // namespace tollgate::cli::top
