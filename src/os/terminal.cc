// Asks the kernel about the terminal.
// COLUMNS is not read: it is often stale.
// Where nothing is known the width is 80.
#include "os/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

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

}  // namespace tollgate::os
