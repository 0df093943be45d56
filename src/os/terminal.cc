// Asks the kernel about the terminal.
// COLUMNS is not read: it is often stale.
// Where nothing is known the width is 80.
#include "os/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "os/descriptor.h"
#include "os/fault.h"

namespace tollgate::os {

Terminal output_terminal(const Environment& environment, int descriptor) {
  Terminal terminal;
  terminal.is_terminal = !detail::fails("isatty") && ::isatty(descriptor) == 1;
  if (!terminal.is_terminal) return terminal;
  terminal.color = !environment.get_filled("NO_COLOR") && environment.get("TERM") != "dumb";
  struct winsize size{};
  if (!detail::fails("ioctl") && ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    terminal.width = size.ws_col;
  return terminal;
}

std::optional<std::string> ask_secret(const std::string& prompt) {
  const Descriptor terminal(detail::fails("open") ? -1 : ::open("/dev/tty", O_RDWR | O_CLOEXEC));
  if (!terminal.valid()) return std::nullopt;
  struct termios before{};
  if (::tcgetattr(terminal.number(), &before) != 0) return std::nullopt;
  struct termios quiet = before;
  quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  // What was typed before the question is no answer to it.
  if (::tcsetattr(terminal.number(), TCSAFLUSH, &quiet) != 0) return std::nullopt;
  static_cast<void>(::write(terminal.number(), prompt.data(), prompt.size()));
  std::string line;
  char c = 0;
  constexpr std::size_t kMost = 4'096;
  while (line.size() < kMost && ::read(terminal.number(), &c, 1) == 1 && c != '\n') line += c;
  ::tcsetattr(terminal.number(), TCSAFLUSH, &before);
  static_cast<void>(::write(terminal.number(), "\n", 1));
  return line;
}

}  // namespace tollgate::os
