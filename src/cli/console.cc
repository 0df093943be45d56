// The process's own streams, by way of C's: no iostream, so that start-up stays cheap.
// A line is read as far as it came, so that a program on a pipe can ask line by line.
// SAFETY: a failed write is remembered until the end of the program.
#include "cli/console.h"

#include <cstdio>

namespace tollgate::cli {

ProcessConsole::ProcessConsole(const os::Environment& environment)
    : screen_(os::output_terminal(environment, 1)),
      hears_terminal_(os::output_terminal(environment, 0).is_terminal) {}

void ProcessConsole::out(std::string_view text) {
  lost_ = lost_ || std::fwrite(text.data(), 1, text.size(), stdout) != text.size();
}

void ProcessConsole::err(std::string_view text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

bool ProcessConsole::flush() {
  lost_ = std::fflush(stdout) != 0 || lost_;
  return !lost_;
}

Heard ProcessConsole::read_line(std::string& line, std::size_t limit) {
  line.clear();
  bool too_long = false;
  for (;;) {
    const int c = ::getc_unlocked(stdin);
    if (c == EOF) break;
    if (c == '\n') return too_long ? Heard::kTooLong : Heard::kLine;
    if (line.size() < limit)
      line += static_cast<char>(c);
    else
      too_long = true;
  }
  if (too_long) return Heard::kTooLong;
  return line.empty() ? Heard::kEnd : Heard::kLine;
}

bool ProcessConsole::is_interactive() const { return hears_terminal_ && screen_.is_terminal; }

Result<std::string> read_all(Console& console, std::size_t limit) {
  std::string all, line;
  for (;;) {
    const Heard heard = console.read_line(line, limit);
    if (heard == Heard::kEnd) return all;
    if (heard == Heard::kTooLong || all.size() + line.size() > limit)
      return Fail({.code = "file-too-large",
                   .message = "standard input is longer than " + std::to_string(limit) + " bytes",
                   .hint = "give a smaller file",
                   .where = {}});
    all += line + "\n";
  }
}

}  // namespace tollgate::cli
