// A key that was pressed, or a text that was pasted.
#pragma once

#include <string>

namespace tollgate::cli::top {

enum class KeyKind {
  kCharacter,  // `text` is it, in UTF-8
  kPaste,      // `text` is all of it: never a command
  kEnter,
  kEscape,
  kTab,
  kBackTab,
  kUp,
  kDown,
  kLeft,
  kRight,
  kHome,
  kEnd,
  kPageUp,
  kPageDown,
  kBackspace,
  kDelete,
  kSend,       // Ctrl-D
  kClearLine,  // Ctrl-U
  kQuit,       // Ctrl-C
};

struct Key {
  KeyKind kind = KeyKind::kCharacter;
  std::string text;

  bool is(char c) const { return kind == KeyKind::kCharacter && text.size() == 1 && text[0] == c; }
};

}  // namespace tollgate::cli::top
