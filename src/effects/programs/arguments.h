// A command's words told apart by its program's rows.
// Lives while one command is read, and so do the words: nothing here copies one.
#pragma once

#include <cstdint>
#include <forward_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/effect.h"
#include "effects/programs/row.h"

namespace tollgate {

// What a word is to its program; the names stand in row.h.
enum class Kind : std::uint8_t {
  kText,
  kNumber,
  kSet,
  kAt,
  kRead,
  kTree,
  kRev,
  kRevTree,
  kList,
  kNames,
  kWrite,
  kEdit,
  kCreate,
  kDelete,
  kRemove,
  kMode,
  kFill,
  kCopy,
  kMove,
  kLink,
  kMount,
  kSource,
  kFilter,
  kDir,
  kHost,
  kUrl,
  kOrigin,
  kRepo,
  kImage,
  kPackage,
  kAnyHost,
  kHome,
  kRemote,
  kRcopy,
  kCommand,
  kLent,
  kShell,
  kShellRest,
  kLentShell,
  kLentShellRest,
  kCode,
  kConfig,
  kFlags,
  kGoal,
  kProject,
  kScript,
  kInput,
  kAssign,
  kSub,
  kSed,
  kAwk,
  kJq,
  kYq,
  kFind,
  kDd,
  kTest,
  kDate,
  kBad,  // no kind of that name
};

Kind kind_named(std::string_view name);

// Whether one of the words that may stand here could be an option. Behind a blank in what is not
// known there is another word, and only the first of them begins like what is written.
inline bool may_hold_option(const Word& word) {
  const bool pattern = word.rest == Rest::kPattern || word.rest == Rest::kJoined;
  return may_be_option(word) || (word.several && !word.known && !pattern);
}

// One word, or the value of an option.
// REQUIRES: the word is one of the command's, or one of MadeWords.
struct Bound {
  Kind kind;
  bool behind;              // it is an operand behind `--`
  std::size_t at;           // index of the word in the command
  std::string_view option;  // the option that it is a value of; "" for operands
  const Word& word;
};

// Words that the command does not have as such: parts of its words, and what stands in for one.
using MadeWords = std::forward_list<Word>;

struct ProgramArguments {
  const ProgramRow* row = nullptr;
  bool understood = true;  // every word
  bool more = false;       // an option makes the run do more than the row says
  bool recursive = false;
  bool follows = false;
  bool links = false;
  bool removes = false;      // what is read is removed then
  bool anywhere = false;     // it cannot be told where the run writes
  bool away = false;         // nor in which directory it runs what it runs
  bool exact = false;        // the target is never a directory to fill (-T)
  std::vector<Bound> bound;  // in the order of the words
};

// The rows of a program, in the order in which they are written.
struct ProgramRows {
  std::span<const ProgramRow* const> rows;
  std::size_t place = 0;  // another one for each list of rows
};
inline constexpr std::size_t kMostPlaces = 8192;
ProgramRows rows_of(std::string_view program);
std::span<const ProgramRow> all_rows();

// What is asked of every row of a program, so that the row itself need not be looked at.
struct RowShape {
  std::uint8_t words = 1;    // of its name
  bool head = false;         // its options stand before a subcommand
  std::uint16_t second = 0;  // a hash of the second word; 0 where that has alternatives or stars
};
// REQUIRES: a row of the table.
RowShape shape_of(const ProgramRow& row);
// What `second` is of a row whose second word is this one and nothing else.
std::uint16_t second_word_hash(std::string_view word);

// The row that counts, and the words by it; nothing when no row fits. They lead into `argv` and
// `made`.
std::optional<ProgramArguments> read_arguments(std::string_view program, std::span<const Word> argv,
                                               MadeWords& made);
// When they are not needed any more: their memory is the next command's.
void let_go(ProgramArguments& arguments);

// Whether a word of a row's name, with its alternatives and stars, is this word.
bool name_fits(std::string_view pattern, std::string_view word);

}  // namespace tollgate
