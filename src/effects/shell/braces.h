// Brace expansion: `a{b,c}` and `{1..3}`, as bash does it before anything else.
// Works on the parts of a word, because quoted braces and commas are only letters.
// Lives while one word is expanded; the parts it gives out point into it and into the tree.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "shell/tree.h"

namespace tollgate {

class Braces {
 public:
  using Parts = std::vector<shell::Part>;

  // True when there is anything to do.
  static bool has_brace(const shell::List<shell::Part>& parts);

  // The words that the word becomes; nothing where there are too many of them.
  std::optional<std::vector<Parts>> expand(const shell::List<shell::Part>& parts);
  // How many letters that made, and wrote down for nothing where it is too many.
  std::size_t letters() const { return letters_; }

 private:
  // A letter that is not quoted, or a whole part.
  struct Atom {
    char letter = 0;
    const shell::Part* part = nullptr;
    const char* place = nullptr;  // of the letter
  };
  using Atoms = std::vector<Atom>;

  struct Group {
    std::size_t open = 0, close = 0;
    std::vector<std::size_t> commas;
  };

  static std::optional<Group> first_group(const Atoms& atoms);
  static bool has_odd_group(const Atoms& atoms);
  static bool has_false_expansion(const shell::List<shell::Part>& parts);
  static bool is_sequence(const Atoms& atoms, const Group& group);
  std::vector<Atoms> ways(const Atoms& atoms);
  std::vector<Atoms> items(const Atoms& atoms, const Group& group);
  std::vector<Atoms> sequence(const Atoms& atoms, const Group& group);
  Parts parts_of(const Atoms& atoms);

  std::size_t made_ = 0;
  std::size_t letters_ = 0;
  std::deque<std::string> texts_;
};

}  // namespace tollgate
