#include "os/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "os/fault.h"
#include "os/system_error.h"

namespace tollgate::os {
namespace {

constexpr std::size_t kUsualInput = 4'000;  // a call is small

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

bool keep_standard_numbers() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) >= 0) continue;
    // The lowest free number is taken, and that is this one. Opened the wrong way round, so that
    // nobody takes it for an open stream; and kept across exec.
    const int wrong_way = number == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    if (detail::fails("open") || ::open("/dev/null", wrong_way) != number) return false;
  }
  return true;
}

Result<std::string> read_input(std::size_t limit) {
  std::string text;
  text.reserve(kUsualInput);
  while (true) {
    // What is left of the memory there is, so that the last read, which finds the end, needs none.
    const std::size_t left = text.capacity() - text.size();
    const std::size_t room = left > 0 ? left : text.size();
    ssize_t count = 0;
    int error = 0;
    const std::size_t kept = text.size();
    text.resize_and_overwrite(kept + room, [&](char* bytes, std::size_t) {
      count = detail::fails("read") ? -1 : ::read(STDIN_FILENO, bytes + kept, room);
      error = errno;
      return kept + (count > 0 ? static_cast<std::size_t>(count) : 0);
    });
    if (count < 0 && error == EINTR) continue;
    if (count < 0) return Fail(system_error("file-unreadable", "read", "standard input", error));
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
