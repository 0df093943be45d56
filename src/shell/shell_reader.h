// Bash text to the simple commands it would run, each as its words after quote removal.
// Effects come from these; spans point into the text that was given.
// SAFETY: what is not understood ends the reading, and the rest of the text is one Unknown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace tollgate {

// How a simple command hangs on the one before it.
enum class Joint {
  kNext,  // `;`, a newline, or the first of the text
  kAnd,   // `&&`
  kOr,    // `||`
  kPipe,  // `|`: runs beside the one before it, in a shell of its own
};

struct ShellWord {
  std::string text;    // after quote removal; the literal beginning when not known
  Span span;           // as written, quotes included
  bool known = true;   // false: the reading stopped inside this word
  bool tilde = false;  // begins with an unquoted `~` that stands for the home directory

  bool operator==(const ShellWord&) const = default;
};

struct SimpleCommand {
  Joint joint = Joint::kNext;
  std::vector<ShellWord> words;  // never empty
  Span span;
  bool complete = true;  // false: more words may follow that could not be read
  bool piped = false;    // part of a pipeline of two or more

  bool operator==(const SimpleCommand&) const = default;
};

struct ShellUnknown {
  Span span;
  std::string why;  // "a redirection", "a glob" …

  bool operator==(const ShellUnknown&) const = default;
};

struct ShellReading {
  std::vector<SimpleCommand> commands;  // in the order they are written
  std::vector<ShellUnknown> unknowns;   // what could not be read

  bool operator==(const ShellReading&) const = default;
};

// Linear in the text, total, never throws.
ShellReading read_shell(std::string_view text);

// One line for tests: `cmd(git,push) && cmd(ls) ?(a glob)`.
std::string dump(const ShellReading& reading);

}  // namespace tollgate
