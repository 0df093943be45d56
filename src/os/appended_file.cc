#include "os/appended_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "os/descriptor.h"
#include "os/fault.h"
#include "os/system_error.h"

namespace tollgate::os {
namespace {

Result<AppendedFile> nature_of(const Descriptor& file, const std::string& path) {
  struct statx status{};
  if (detail::fails("statx") ||
      ::statx(file.number(), "", AT_EMPTY_PATH, STATX_BASIC_STATS, &status) != 0)
    return Fail(system_error("file-unreadable", "look at", path, errno));
  if (!S_ISREG(status.stx_mode))
    return Fail({.code = "file-not-regular",
                 .message = "`" + path + "` is no regular file",
                 .hint = "name a regular file",
                 .where = {}});
  return AppendedFile{.append_only = (status.stx_attributes & STATX_ATTR_APPEND) != 0,
                      .own = status.stx_uid == ::geteuid()};
}

}  // namespace

Result<AppendedFile> appended_file(const std::string& path) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const Descriptor file(detail::fails("open") ? -1 : ::open(path.c_str(), kFlags));
  if (!file.valid())
    return Fail(
        system_error(errno == ENOENT ? "file-missing" : "file-unreadable", "read", path, errno));
  return nature_of(file, path);
}

Result<AppendedFile> append_there(const std::string& path, std::string_view bytes) {
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const Descriptor file(detail::fails("open") ? -1 : ::open(path.c_str(), kFlags, 0600));
  if (!file.valid())
    return Fail(
        system_error(errno == ENOENT ? "file-missing" : "file-unwritable", "write", path, errno));
  Result<AppendedFile> nature = nature_of(file, path);
  if (!nature) return nature;
  const ssize_t count =
      detail::fails("write") ? -1 : ::write(file.number(), bytes.data(), bytes.size());
  if (count < 0) return Fail(system_error("file-unwritable", "write", path, errno));
  if (static_cast<std::size_t>(count) != bytes.size())
    return Fail(system_error("file-unwritable", "write", path, ENOSPC));
  if (detail::fails("fsync") || ::fdatasync(file.number()) != 0)
    return Fail(system_error("file-unwritable", "make durable", path, errno));
  return nature;
}

}  // namespace tollgate::os
