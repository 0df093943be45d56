#include "os/streams.h"

#include <unistd.h>

#include <cerrno>

#include "os/fault.h"
#include "os/system_error.h"

namespace tollgate::os {
namespace {

Result<void> write_to(int file, std::string_view text, const char* name) {
  while (!text.empty()) {
    const ssize_t count = detail::fails("write") ? -1 : ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Fail(system_error("file-unwritable", "write to", name, errno));
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace

Result<std::string> read_input(std::size_t limit) {
  constexpr std::size_t kPiece = 16'384;
  std::string text;
  while (true) {
    const std::size_t size = text.size();
    text.resize(size + kPiece);
    const ssize_t count =
        detail::fails("read") ? -1 : ::read(STDIN_FILENO, text.data() + size, kPiece);
    text.resize(size + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Fail(system_error("file-unreadable", "read", "standard input", errno));
    if (count == 0) return text;
    if (text.size() > limit)
      return Fail({.code = "file-too-large",
                   .message = "standard input has more than " + std::to_string(limit) + " bytes",
                   .hint = "send less at once",
                   .where = {}});
  }
}

Result<void> write_output(std::string_view text) {
  return write_to(STDOUT_FILENO, text, "standard output");
}

Result<void> write_error(std::string_view text) {
  return write_to(STDERR_FILENO, text, "standard error");
}

}  // namespace tollgate::os
