// What a command says and hears: standard output, standard error, standard input.
// ProcessConsole is the process's own; tests bring one in memory. Nothing else here prints.
// SAFETY: flush() tells whether everything said has arrived, so that a lost answer is no success.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/environment.h"
#include "os/terminal.h"

namespace tollgate::cli {

enum class Heard {
  kLine,     // a line, without its newline
  kTooLong,  // a line beyond the limit; it was skipped to its end
  kEnd,
};

class Console {
 public:
  virtual ~Console() = default;

  virtual void out(std::string_view text) = 0;
  virtual void err(std::string_view text) = 0;
  virtual bool flush() = 0;

  virtual Heard read_line(std::string& line, std::size_t limit) = 0;
  virtual bool is_interactive()
      const = 0;  // a person can be asked: input and output are a terminal
  virtual os::Terminal screen() const = 0;
};

class ProcessConsole : public Console {
 public:
  explicit ProcessConsole(const os::Environment& environment);

  void out(std::string_view text) override;
  void err(std::string_view text) override;
  bool flush() override;
  Heard read_line(std::string& line, std::size_t limit) override;
  bool is_interactive() const override;
  os::Terminal screen() const override { return screen_; }

 private:
  os::Terminal screen_;
  bool hears_terminal_ = false;
  bool lost_ = false;
};

// Everything on standard input. Errors: file-too-large.
Result<std::string> read_all(Console& console, std::size_t limit);

}  // namespace tollgate::cli
