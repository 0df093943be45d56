// The console's twin for tests: what was said is text, what is heard was given before.
// It can be made a terminal, so that a person's answer can be scripted.
#pragma once

#include <deque>
#include <string>

#include "cli/console.h"

namespace tollgate::cli {

class MemoryConsole : public Console {
 public:
  void out(std::string_view text) override { said += text; }
  void err(std::string_view text) override { complained += text; }
  bool flush() override {
    ++flushes;
    return !broken;
  }
  Heard read_line(std::string& line, std::size_t limit) override {
    line.clear();
    if (lines.empty()) return Heard::kEnd;
    line = lines.front();
    lines.pop_front();
    return line.size() > limit ? Heard::kTooLong : Heard::kLine;
  }
  bool is_interactive() const override { return terminal.is_terminal; }
  os::Terminal screen() const override { return terminal; }

  std::deque<std::string> lines;
  std::string said;
  std::string complained;
  os::Terminal terminal;
  int flushes = 0;
  bool broken = false;  // nothing that is said arrives
};

}  // namespace tollgate::cli
