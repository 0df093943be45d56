// What a deny or ask rule must know of a program's options to see through their spelling.
// A row a program: options whose value is the next word, and pairs of long and short twins.
// A program without a row is read with the general rules of getopt_long.
#pragma once

#include <span>
#include <string_view>

namespace tollgate {

struct OptionTwin {
  std::string_view command;  // the subcommand it belongs to, "" for all
  char letter;
  std::string_view name;     // without dashes
};

struct OptionGrammar {
  std::string_view program;
  std::string_view global_values;  // options before the subcommand that take the next word, blank separated
  std::string_view values;         // options elsewhere that take the next word
  std::span<const OptionTwin> twins;
  bool subcommands = false;        // the first operand is a subcommand
};

const OptionGrammar* option_grammar(std::string_view program);

}  // namespace tollgate
