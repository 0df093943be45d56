// The terminal, by way of ncurses: paints pictures, gives keys. Nothing else here knows of it.
// One at a time, on the thread that opened it; the terminal is as it was when it is closed.
#pragma once

#include <optional>

#include "base/result.h"
#include "cli/top/key.h"
#include "cli/top/picture.h"

namespace tollgate::cli::top {

enum class Colors { kSome, kNone };

class Screen {
 public:
  // Error: no-terminal where the terminal's kind is not known.
  static Result<Screen> open(Colors colors);
  ~Screen();
  Screen(Screen&& other) noexcept;
  Screen& operator=(Screen&&) = delete;

  Size size() const;
  void paint(const Picture& picture);
  void ring();

  // The next key that was pressed, nothing where none waits. A changed size is told by size().
  std::optional<Key> key();

 private:
  Screen() = default;
  std::optional<Key> pasted();
  bool open_ = true;
};

}  // namespace tollgate::cli::top
