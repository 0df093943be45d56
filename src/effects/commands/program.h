// What is known of programs: one row each, as data.
// A row says which options are harmless in themselves and what becomes of the operands.
// SAFETY: an option that is not in the row makes the program unlisted; nothing is ever guessed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/effect.h"
#include "shell/shell_reader.h"

namespace tollgate {

// What a program does with the words that are no options.
enum class Operands : std::uint8_t {
  kNone,    // takes none
  kText,    // prints or ignores them
  kFormat,  // printf: a format, then text
  kClock,   // date: a format after `+`; anything else would set the clock
  kRead,    // reads each file; standard input where there is none or `-`
  kList,    // reads each directory, or the current one
  kCreate,  // makes each
  kDelete,  // removes each
  kCopy,    // reads all but the last, writes the last or into it
  kMove,    // takes away all but the last, puts them at the last or into it
  kMode,    // permissions first, then what they are for
  kOwn,     // tollgate itself: eval and explain judge text, check reads files
};

// Options are separated by blanks: one letter is a short option, more is a long one. What stands
// behind the name says what it takes:
//   :  a value     ?  a value only when attached     <  a file to read     >  a directory to fill
//   !  no value, but the program goes down the tree
//   @  no value, but links are followed: where the tree leads is then not known
//   &  no value, but links are made instead of copies: the program is not listed
// A row lists every long option that begins like one it has, or abbreviations would mislead.
// `#` takes -NUMBER; `+` first: options end at the first operand; `*` alone: words are all text.
struct ProgramRow {
  std::string_view name;
  Operands operands;
  std::string_view options;
};

// One table per file in this folder; `programs.cc` lists the tables.
std::span<const ProgramRow> file_programs();
std::span<const ProgramRow> quiet_programs();

// The row for a program word: a bare name, or a path in a directory of the system.
const ProgramRow* program_row(std::string_view word);

// The base name, when the word is a bare name or a path in a directory of the system; else "".
std::string_view program_name(std::string_view word);

// A word that is no option, or an option's value.
struct ProgramOperand {
  std::string text;
  Span span;
  bool tilde = false;

  bool operator==(const ProgramOperand&) const = default;
};

// A command's words, told apart by its program's row.
struct ProgramArguments {
  bool listed = true;  // every word was understood
  bool recursive = false;
  bool into = false;   // a `>` option named the directory to fill, in `target`
  bool exact = false;  // the target is never a directory to fill (-T)
  bool links = false;  // an `&` option: the target becomes a link to the source
  ProgramOperand target;
  std::vector<ProgramOperand> operands;
  std::vector<ProgramOperand> reads;  // values of `<` options

  bool operator==(const ProgramArguments&) const = default;
};

// `words` starts with the program.
ProgramArguments parse_arguments(const ProgramRow& row, std::span<const ShellWord> words);

// Where a command may find itself when it runs.
struct Surroundings {
  std::span<const std::string> directories;  // absolute; "" for one that is not known
  std::string_view home;
  std::uint32_t owner = kNoOwner;  // index of its kRun effect
};

// Adds what the program does to its operands. False when it may do more than that.
bool add_operand_effects(const ProgramRow& row, const ProgramArguments& arguments,
                         const Surroundings& around, Effects& out);

}  // namespace tollgate
