// The words of a command sorted into options and operands, for deny and ask rules.
// A pattern and a call are sorted by the same rows, so that each finds its like in the other.
// Everything here is views of the words that were read, and lives no longer than they do.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/effect.h"
#include "policy/option_grammar.h"

namespace tollgate {

struct Option {
  std::string_view written;  // as it stands
  std::string_view word;     // with dashes, without `=value`
  std::string_view value;    // in a call the next word, wherever it may be the value
  bool has_value = false;
  const Word* open = nullptr;        // a word that may be an option, and begins like this
  const Word* open_value = nullptr;  // the value is not known
  bool named = false;                // of an open one: only its value is not known

  bool attached() const { return written.size() != word.size(); }
};

struct Operand {
  std::string_view text;
  bool optional = false;       // it may as well be the value of the option before it
  const Word* open = nullptr;  // a word that is not known
  std::string_view other;      // what it is where it is no subcommand; "" where that is the same
};

struct CommandReading {
  std::vector<Option> options;
  std::vector<Operand> operands;              // the subcommand first where there is one
  std::vector<std::string_view> subcommands;  // the words that may be it
  bool any_subcommand = false;                // one of those words is not known
  bool doubtful = false;                      // the readings of a pattern differ
};

// A pattern is read three times: options in doubt take the next word, only those that a row
// lists do, or none does.
enum class Doubt { kTakesValue, kByRow, kTakesNone };

// Whether a word that is not known, or one of the words that it may come to, can begin with a dash.
bool could_be_option(const Word& word);

// REQUIRES: the program is the first word. Of words that are not known every reading is kept.
CommandReading read_pattern(std::span<const std::string_view> words, const OptionGrammar* grammar,
                            Doubt doubt);
CommandReading read_call(std::span<const Word> argv, const OptionGrammar* grammar);
CommandReading read_call(std::span<const std::string_view> words, const OptionGrammar* grammar);

// The words with a bundle that has no dash spelled out, each letter before its value: `tar xfC a d`
// as `tar -x -f a -C d`. Nothing where the first word is no such bundle. `letters` holds what the
// words do not, and must outlive the result.
std::vector<std::string_view> spelled_out(std::span<const std::string_view> words,
                                          const OptionGrammar* grammar, std::string& letters);
// The same for words that may not be known.
struct SpelledWords {
  std::vector<Word> words;
  bool told = true;  // false where it may be a bundle and cannot be spelled out
};
SpelledWords spelled_out(std::span<const Word> words, const OptionGrammar* grammar);

}  // namespace tollgate
