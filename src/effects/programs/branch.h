// The rows of a program as a tree: each word of the subcommand leads to the rows that go on with
// it. Grown where commands lead, once for each thread, so that nobody reads a row twice or waits.
// INVARIANT: only words that rows spell out are kept, so the tree never outgrows the table.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "effects/programs/row.h"
#include "effects/programs/row_text.h"

namespace tollgate {

// A row with its texts read.
struct ReadRow {
  explicit ReadRow(const ProgramRow& from)
      : row(from), options(from.options), operands(from.operands) {}

  const ProgramRow& row;
  RowOptions options;
  OperandKinds operands;
};

class Branch {
 public:
  using Rows = std::vector<const ProgramRow*>;

  // `rows` agree in their first `level` words, and stand as they are written.
  Branch(const Rows& rows, std::size_t level);

  // The branch of a program's name; null when it has no rows. Lives as long as the thread.
  static Branch* of(std::string_view program);

  // The row whose options stand before the next word; null when there is none.
  const ReadRow* head();
  bool goes_on() const { return !longer_.empty(); }
  // Rows without a further word.
  std::size_t own() const { return own_.size(); }
  const ReadRow& own(std::size_t index) { return read(own_[index]); }

  // Where `word` leads; null when no row goes on with it. `made` keeps what is not kept here.
  Branch* next(std::string_view word, std::unique_ptr<Branch>& made);

 private:
  struct Lazy {
    const ProgramRow* row = nullptr;
    const ReadRow* read = nullptr;
  };
  static const ReadRow& read(Lazy& lazy);
  const Rows& rows_for(std::string_view word);

  // How often the rows themselves are gone through for a word that is not kept.
  static constexpr int kSearches = 8;

  std::size_t level_;
  Lazy head_;
  std::vector<Lazy> own_;
  Rows longer_;
  struct Hash {
    std::size_t operator()(std::string_view word) const {
      if (word.empty()) return 0;
      const auto letter = [&](std::size_t at) { return static_cast<unsigned char>(word[at]); };
      return word.size() + letter(0) * 31u + letter(word.size() / 2) * 1021u +
             letter(word.size() - 1) * 8191u;
    }
  };
  std::unordered_map<std::string_view, std::unique_ptr<Branch>, Hash> next_;
  int searches_ = 0;
  std::vector<std::string_view>
      spelled_;   // once there were more: the words without stars, in order
  Rows starred_;  // … and the rows that have others
};

}  // namespace tollgate
