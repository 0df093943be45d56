// What a deny or ask rule must know of a program's options to see through their spelling.
// A row a program: options whose value is the next word, plain flags, long and short twins.
// No row is complete: what it does not list is in doubt, and the reader then tries both ways.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate {

struct OptionTwin {
  std::string_view command;  // the subcommand it belongs to, "" for all
  char letter = 0;
  std::string_view name;  // without dashes
};

// A letter that stands for several options given together: git branch -D.
struct OptionSum {
  std::string_view command;
  char letter = 0;
  std::string_view names;  // without dashes, blank separated
};

// Options that take the next word for sure behind a subcommand, also one that begins with a dash.
struct CommandValues {
  std::string_view command;  // "" for all
  std::string_view options;
};

// Other names of a subcommand.
struct CommandName {
  std::string_view others;  // blank separated
  std::string_view name;
};

struct OptionGrammar {
  std::string_view program;
  std::string_view global_values = {};  // options before the subcommand that take the next word
  std::string_view values = {};         // options elsewhere that do, for some subcommand at least
  std::string_view flags = {};          // options that never do; `*` for all that are not listed
  std::span<const OptionTwin> twins = {};
  std::span<const OptionSum> sums = {};
  std::span<const CommandValues> sure_values = {};
  std::span<const CommandName> names = {};
  std::string_view shortened = {};  // subcommands that may be cut as far as they stay one of these
  std::string_view groups = {};     // words that may stand before the subcommand
  bool subcommands = false;         // the first operand is a subcommand
  bool any_operand = false;         // each operand is a goal: make clean deploy
  bool single_dash = false;         // `-word` is one option, never a bundle of letters
  bool bundle_first = false;        // the first word is a bundle of letters, also without a dash
  bool signals = false;             // `-9`, `-KILL` and `-s KILL` are one option
  bool dash_ends = false;           // no option takes a word with a dash as value
};

const OptionGrammar* option_grammar(std::string_view program);

// The subcommand that a word means; the word itself where no other name is known.
std::string_view command_named(const OptionGrammar& grammar, std::string_view word);

// `list` holds words with single blanks between them.
bool in_list(std::string_view list, std::string_view word);

// Where an option stands: the words before it that may be the subcommand, and whether the last
// of them is one for sure.
struct OptionPlace {
  std::span<const std::string_view> subcommands;
  bool settled = false;
};

// What the word behind an option is to it.
enum class NextWord {
  kApart,     // nothing: the option is a flag, or has its value already
  kDoubtful,  // its value, perhaps: no row knows the option
  kLikely,    // its value for some subcommand, while it may be another's flag
  kValue,     // its value for sure
};
NextWord next_word(const OptionGrammar* grammar, std::string_view option, OptionPlace place);

// Where the letter stands in an option that takes what follows as value for sure, whatever that
// begins with: the rest of the word, or the next word where it is the last. 0 where there is none.
// `--name` has its last letter there.
std::size_t value_letter(const OptionGrammar* grammar, std::string_view option, OptionPlace place);

// Adds every subcommand that a row speaks of: the words of a call may be any of them.
void add_subcommands(const OptionGrammar* grammar, std::vector<std::string_view>& subcommands);

// Whether the row lists an option among those that take a value, by either of its names.
bool lists_value(const OptionGrammar* grammar, std::string_view option,
                 std::span<const std::string_view> subcommands);

// Every letter and long name by which a call may give an option. A star in it is a wildcard.
struct OptionSpellings {
  std::string letters;
  std::vector<std::string_view> names;  // views into the option and the rows
};
OptionSpellings spellings(const OptionGrammar* grammar, std::string_view option,
                          std::span<const std::string_view> subcommands);

// The options that `-L` or its twin sums up, as names without dashes; none for any other option.
std::vector<std::string_view> summed(const OptionGrammar* grammar, std::string_view option,
                                     std::span<const std::string_view> subcommands);

}  // namespace tollgate
