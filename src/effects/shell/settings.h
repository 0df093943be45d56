// What a script may set, found without following it: for bodies that run any number of times.
// SAFETY: whatever is not looked into makes `anything` true; a name too many only costs knowledge.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "effects/shell/state.h"
#include "shell/tree.h"

namespace tollgate {

class Settings {
 public:
  // What is known before the script runs. REQUIRES: it outlives this and does not change.
  explicit Settings(const ShellState& state) : functions_(state.functions), state_(state) {}

  void look(const shell::Script* script);
  void look(const shell::Arithmetic& expression) { look_arithmetic(expression.text); }

  // Whether all that a name is ever given here are numbers.
  bool counts(std::string_view name) const;

  std::vector<std::string> names;
  std::vector<std::string> programs;   // names whose values are programs that it runs
  std::vector<std::string> evaluated;  // names whose values are evaluated as arithmetic
  bool anything = false;               // it may set or change what cannot be told
  bool moves = false;                  // it changes the directory
  bool parameters = false;             // it changes the positional parameters
  bool options = false;                // it changes how words are expanded

 private:
  void look(const shell::Command* command);
  void look_simple(const shell::SimpleCommand& command);
  void look_builtin(const shell::SimpleCommand& command, std::size_t at);
  void look_assignment(const shell::Assignment& assignment);
  void look(const shell::Word& word);
  void look(const shell::Part& part);
  void look(const shell::Condition* condition);
  void look_arithmetic(const shell::Word& word);
  void look_expression(std::string_view text);
  void look_text(const shell::SimpleCommand& command, std::size_t at);
  void look_options(const shell::SimpleCommand& command, std::size_t at);
  void set_text(std::string_view name);

  std::string program_in(const shell::Word& word);

  const Shared<ShellFunction> functions_;
  const ShellState& state_;
  std::deque<shell::Tree> trees_;              // of texts in the script
  std::vector<const shell::Command*> looked_;  // bodies of functions
  std::vector<std::string> texts_;             // names that are given more than numbers
};

}  // namespace tollgate
