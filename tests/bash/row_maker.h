// Commands for a program row: some from the tables in tests/programs, with other words; others made
// from the row's own grammar. Each has a row that understands every word of it.
#pragma once

#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/tool_call.h"
#include "effects/programs/arguments.h"

namespace tollgate::bash {

using Words = std::vector<std::string>;
using Random = std::mt19937_64;

inline std::size_t below(Random& random, std::size_t limit) { return random() % limit; }
inline bool chance(Random& random, std::size_t percent) { return below(random, 100) < percent; }

class RowMaker {
 public:
  RowMaker();

  // Programs of all rows, one name for each alternative.
  const std::vector<std::string>& programs() const { return programs_; }
  // How many lines of the tables a row has.
  std::size_t lines_of(const ProgramRow& row) const;

  struct Made {
    Words words;
    bool from_table = false;
  };
  // Nothing when no command leads to the row.
  std::optional<Made> make(const ProgramRow& row, Random& random) const;

 private:
  std::optional<Words> made_by_grammar(const ProgramRow& row, Random& random) const;
  std::optional<Words> made_with_head(const ProgramRow& row, Random& random) const;
  Words varied(const ProgramRow& row, Words words, Random& random) const;

  std::map<const ProgramRow*, std::vector<Words>> lines_;
  std::vector<std::string> programs_;
};

ToolCall shell_call(const std::string& script, const std::string& directory);

// The row that understands every word of the command; null when none does.
const ProgramRow* understanding_row(const Words& words);

// Rows of a program itself, whose options stand before the subcommand.
bool is_head_row(const ProgramRow& row);

}  // namespace tollgate::bash
