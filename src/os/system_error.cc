// The words of a failed system call.
// The texts are ours and lower case, so that they do not change with the locale.
// A number without a row is shown as a number.
#include "os/system_error.h"

#include <cerrno>

namespace tollgate::os {
namespace {

struct Row {
  int number;
  std::string_view words;
  std::string_view hint;
};

constexpr Row kRows[] = {
    {ENOENT, "no such file or directory", "check the path, or create the file"},
    {EACCES, "permission denied", "check the owner and the permissions"},
    {EPERM, "operation not permitted", "check the owner and the permissions"},
    {ENOTDIR, "a part of the path is no directory", "check the path"},
    {EISDIR, "it is a directory", "name a file"},
    {ELOOP, "it is a link, or there are too many links", "name the file itself"},
    {ENAMETOOLONG, "the name is too long", "use a shorter path"},
    {ENOSPC, "no space left on the device", "free some space and try again"},
    {EDQUOT, "the disk quota is used up", "free some space and try again"},
    {EROFS, "the file system is read-only", "use a directory that can be written"},
    {EMFILE, "too many open files", "raise the limit on open files"},
    {ENFILE, "too many open files on this machine", "raise the limit on open files"},
    {EIO, "input or output error", "check the disk"},
    {ENOMEM, "not enough memory", "free some memory and try again"},
    {EINTR, "interrupted", "try again"},
    {EBADF, "it is closed", "leave it open"},
    {EEXIST, "it exists already", "remove it or choose another name"},
};

}  // namespace

Error system_error(std::string_view code, std::string_view doing, const std::string& path,
                   int number) {
  std::string words = "system error " + std::to_string(number);
  std::string hint = "check the path and the permissions";
  for (const Row& row : kRows) {
    if (row.number != number) continue;
    words = row.words;
    hint = row.hint;
  }
  return {.code = std::string(code),
          .message = "cannot " + std::string(doing) + " `" + path + "`: " + words,
          .hint = std::move(hint),
          .where = {.file = path, .line = 0, .column = 0, .width = 1, .text = {}}};
}

}  // namespace tollgate::os
