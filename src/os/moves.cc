// Renaming, linking and locking, with the words of files.cc.
// The lock is flock's: it belongs to the open file, so that nothing else that is closed drops it.
// SAFETY: a link in the lock's place is refused, as everywhere in this room.
#include "os/moves.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "os/fault.h"
#include "os/system_error.h"

namespace tollgate::os {
namespace {

Result<void> sync_directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string directory = slash == path.npos ? "." : path.substr(0, slash + 1);
  const Descriptor opened(
      detail::fails("open") ? -1 : ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.valid() && !detail::fails("fsync-directory") && ::fsync(opened.number()) == 0)
    return {};
  return Fail(system_error("file-unwritable", "make durable", path, errno));
}

}  // namespace

Result<void> move_over(const std::string& from, const std::string& to) {
  if (detail::fails("rename") || ::rename(from.c_str(), to.c_str()) != 0)
    return Fail(system_error("file-unwritable", "write", to, errno));
  return sync_directory_of(to);
}

Result<bool> name_also(const std::string& path, const std::string& name) {
  if (!detail::fails("link") && ::link(path.c_str(), name.c_str()) == 0) {
    if (Result<void> synced = sync_directory_of(name); !synced) return Fail(synced.error());
    return true;
  }
  if (errno == EEXIST) return false;
  return Fail(system_error("file-unwritable", "write", name, errno));
}

Result<std::optional<Descriptor>> lock_file(const std::string& path) {
  Descriptor file(detail::fails("open")
                      ? -1
                      : ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) return Fail(system_error("file-unwritable", "lock", path, errno));
  if (!detail::fails("flock") && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0)
    return std::optional(std::move(file));
  if (errno == EWOULDBLOCK) return std::nullopt;
  return Fail(system_error("file-unwritable", "lock", path, errno));
}

}  // namespace tollgate::os
