// Reading, stamping and replacing files with plain system calls.
// Each call asks the fault seam first, so that tests reach every failure below.
// SAFETY: opens are non-blocking and close-on-exec; what is no regular file is refused.
#include "os/files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>

#include "os/descriptor.h"
#include "os/fault.h"
#include "os/moment.h"
#include "os/system_error.h"

namespace tollgate::os {
namespace {

Stamp stamp_from(const struct stat& status) {
  constexpr std::int64_t kBillion = 1'000'000'000;
  return {.exists = true,
          .device = status.st_dev,
          .inode = status.st_ino,
          .size = static_cast<std::uint64_t>(status.st_size),
          .mtime_ns = status.st_mtim.tv_sec * kBillion + status.st_mtim.tv_nsec,
          .ctime_ns = status.st_ctim.tv_sec * kBillion + status.st_ctim.tv_nsec,
          .uid = status.st_uid,
          .mode = status.st_mode};
}

// A path with a NUL inside would name another file than the one that was checked.
bool is_whole(const std::string& path) {
  return !path.empty() && path.find('\0') == std::string::npos;
}

Result<Stamp> stamp_with(const std::string& path, int flags) {
  struct stat status{};
  if (!is_whole(path)) return Fail(system_error("file-unreadable", "look at", path, ENOENT));
  const auto look = flags == AT_SYMLINK_NOFOLLOW ? detail::lstat : detail::stat;
  if (detail::fails("stat") || look(path, status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return Stamp{};
    return Fail(system_error("file-unreadable", "look at", path, errno));
  }
  return stamp_from(status);
}

struct Opened {
  Descriptor file;
  Stamp stamp;
};

Result<Opened> open_regular(const std::string& path, int flags, std::size_t limit) {
  if (!is_whole(path)) return Fail(system_error("file-missing", "read", path, ENOENT));
  Descriptor file(detail::fails("open")
                      ? -1
                      : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags));
  if (!file.valid()) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return Fail(system_error(missing ? "file-missing" : "file-unreadable", "read", path, errno));
  }
  struct stat status{};
  if (detail::fails("fstat") || ::fstat(file.number(), &status) != 0)
    return Fail(system_error("file-unreadable", "read", path, errno));
  const Stamp stamp = stamp_from(status);
  const Position where{.file = path, .line = 0, .column = 0, .width = 1, .text = {}};
  if (!stamp.is_regular())
    return Fail({.code = "file-not-regular",
                 .message = "`" + path + "` is not a regular file",
                 .hint = "name a regular file",
                 .where = where});
  if (stamp.size > limit)
    return Fail({.code = "file-too-large",
                 .message = "`" + path + "` has " + std::to_string(stamp.size) +
                            " bytes, more than the limit of " + std::to_string(limit),
                 .hint = "split it or make it smaller",
                 .where = where});
  return Opened{std::move(file), stamp};
}

Result<void> write_all(int file, std::string_view bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t count = detail::fails("write") ? -1 : ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Fail(system_error("file-unwritable", "write", path, errno));
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Opens a new file beside `path`; the process id keeps two writers apart.
Result<Descriptor> open_temporary(const std::string& path, std::string& temporary) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    temporary = path + ".new-" + std::to_string(::getpid()) + "-" + std::to_string(attempt);
    Descriptor file(detail::fails("create")
                        ? -1
                        : ::open(temporary.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (file.valid()) return file;
    if (errno != EEXIST) break;
  }
  return Fail(system_error("file-unwritable", "write", path, errno));
}

Result<void> fill_and_move(Descriptor file, const std::string& temporary, const std::string& path,
                           std::string_view bytes, std::uint32_t mode) {
  Result<void> written = write_all(file.number(), bytes, path);
  if (!written) return written;
  if (detail::fails("fchmod") || ::fchmod(file.number(), mode) != 0 || detail::fails("fsync") ||
      ::fsync(file.number()) != 0 || detail::fails("rename") ||
      ::rename(temporary.c_str(), path.c_str()) != 0)
    return Fail(system_error("file-unwritable", "write", path, errno));
  return {};
}

}  // namespace

bool Stamp::is_regular() const { return S_ISREG(mode); }
bool Stamp::is_directory() const { return S_ISDIR(mode); }

Result<Stamp> stamp_of(const std::string& path) { return stamp_with(path, 0); }
Result<Stamp> link_stamp_of(const std::string& path) {
  return stamp_with(path, AT_SYMLINK_NOFOLLOW);
}

Result<FileText> read_stamped(const std::string& path, std::size_t limit) {
  Result<Opened> opened = open_regular(path, 0, limit);
  if (!opened) return Fail(std::move(opened).error());
  FileText result{.text = {}, .stamp = opened->stamp};
  // One byte more than stat said, so that a file that grew meanwhile is noticed and read on.
  std::size_t room = static_cast<std::size_t>(opened->stamp.size) + 1;
  std::size_t size = 0;
  for (;;) {
    result.text.resize(size + room);
    const ssize_t count =
        detail::fails("read") ? -1 : ::read(opened->file.number(), result.text.data() + size, room);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Fail(system_error("file-unreadable", "read", path, errno));
    size += static_cast<std::size_t>(count);
    if (count == 0) break;
    if (size > limit)
      return Fail({.code = "file-too-large",
                   .message = "`" + path + "` grew over the limit of " + std::to_string(limit) +
                              " bytes while it was read",
                   .hint = "split it or make it smaller",
                   .where = {.file = path, .line = 0, .column = 0, .width = 1, .text = {}}});
    room = 4096;
  }
  result.text.resize(size);
  return result;
}

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  Result<FileText> file = read_stamped(path, limit);
  if (!file) return Fail(std::move(file).error());
  return std::move(file->text);
}

Result<FileText> read_part(const std::string& path, std::uint64_t offset, std::size_t size) {
  Result<Opened> opened = open_regular(path, O_NOFOLLOW, SIZE_MAX);
  if (!opened) return Fail(std::move(opened).error());
  const std::uint64_t behind = opened->stamp.size > offset ? opened->stamp.size - offset : 0;
  size = static_cast<std::size_t>(std::min<std::uint64_t>(size, behind));
  FileText result{.text = std::string(size, '\0'), .stamp = opened->stamp};
  std::size_t have = 0;
  while (have < size) {
    const ssize_t count = detail::fails("read")
                              ? -1
                              : ::pread(opened->file.number(), result.text.data() + have,
                                        size - have, static_cast<off_t>(offset + have));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Fail(system_error("file-unreadable", "read", path, errno));
    if (count == 0) break;
    have += static_cast<std::size_t>(count);
  }
  result.text.resize(have);
  return result;
}

Result<void> write_atomically(const std::string& path, std::string_view bytes, std::uint32_t mode) {
  if (!is_whole(path)) return Fail(system_error("file-unwritable", "write", path, ENOENT));
  begin_new_moment();
  std::string temporary;
  Result<Descriptor> file = open_temporary(path, temporary);
  if (!file) return Fail(std::move(file).error());
  Result<void> moved = fill_and_move(std::move(*file), temporary, path, bytes, mode);
  if (!moved) {
    ::unlink(temporary.c_str());
    return moved;
  }
  Descriptor directory(detail::fails("open")
                           ? -1
                           : ::open(parent_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid() || detail::fails("fsync-directory") || ::fsync(directory.number()) != 0)
    return Fail(system_error("file-unwritable", "make durable", path, errno));
  return {};
}

Result<bool> write_once(const std::string& path, std::string_view bytes) {
  if (!is_whole(path)) return Fail(system_error("file-unwritable", "write", path, ENOENT));
  begin_new_moment();
  std::string temporary;
  Result<Descriptor> file = open_temporary(path, temporary);
  if (!file) return Fail(std::move(file).error());
  Result<void> written = write_all(file->number(), bytes, path);
  if (written && (detail::fails("fsync") || ::fsync(file->number()) != 0))
    written = Fail(system_error("file-unwritable", "write", path, errno));
  const bool first =
      written && !detail::fails("link") && ::link(temporary.c_str(), path.c_str()) == 0;
  const int error = errno;
  ::unlink(temporary.c_str());
  if (!written) return Fail(std::move(written).error());
  if (!first && error != EEXIST) return Fail(system_error("file-unwritable", "write", path, error));
  return first;
}

Result<void> append(const std::string& path, std::string_view bytes, bool sync) {
  if (!is_whole(path)) return Fail(system_error("file-unwritable", "write", path, ENOENT));
  begin_new_moment();
  constexpr int kFlags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  Descriptor file(detail::fails("open") ? -1 : ::open(path.c_str(), kFlags, 0600));
  if (!file.valid())
    return Fail(
        system_error(errno == ENOENT ? "file-missing" : "file-unwritable", "write", path, errno));
  struct stat status{};
  if (detail::fails("fstat") || ::fstat(file.number(), &status) != 0)
    return Fail(system_error("file-unwritable", "write", path, errno));
  const bool own =
      S_ISREG(status.st_mode) && status.st_uid == ::geteuid() && (status.st_mode & 022) == 0;
  if (!own) return Fail(system_error("file-unwritable", "write", path, EPERM));
  ssize_t count = -1;
  do {
    count = detail::fails("write") ? -1 : ::write(file.number(), bytes.data(), bytes.size());
  } while (count < 0 && errno == EINTR);
  if (count < 0) return Fail(system_error("file-unwritable", "write", path, errno));
  // What is missing of it has no room: the rest may not be written behind another's record.
  if (static_cast<std::size_t>(count) != bytes.size())
    return Fail(system_error("file-unwritable", "write", path, ENOSPC));
  if (sync && (detail::fails("fsync") || ::fdatasync(file.number()) != 0))
    return Fail(system_error("file-unwritable", "make durable", path, errno));
  return {};
}

Result<void> make_private_directory(const std::string& path) {
  if (!is_whole(path)) return Fail(system_error("file-unwritable", "make", path, ENOENT));
  for (std::size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string part = path.substr(0, slash);
    if (detail::fails("mkdir") || (::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST))
      return Fail(system_error("file-unwritable", "make the directory", part, errno));
    if (slash == std::string::npos) break;
  }
  begin_new_moment();
  Result<Stamp> made = stamp_of(path);
  if (!made) return Fail(std::move(made).error());
  if (!made->is_directory())
    return Fail(system_error("file-unwritable", "make the directory", path, ENOTDIR));
  return {};
}

Result<void> remove_file(const std::string& path) {
  if (detail::fails("unlink") || (::unlink(path.c_str()) != 0 && errno != ENOENT))
    return Fail(system_error("file-unwritable", "remove", path, errno));
  return {};
}

Result<std::string> current_directory() {
  char buffer[PATH_MAX];
  if (detail::fails("getcwd") || ::getcwd(buffer, sizeof buffer) == nullptr)
    return Fail(system_error("file-unreadable", "find", "the current directory", errno));
  return std::string(buffer);
}

Result<MappedFile> MappedFile::open(const std::string& path, std::size_t limit) {
  Result<Opened> opened = open_regular(path, O_NOFOLLOW, limit);
  if (!opened) return Fail(std::move(opened).error());
  MappedFile result;
  result.stamp_ = opened->stamp;
  const auto size = static_cast<std::size_t>(opened->stamp.size);
  if (size == 0) return result;
  void* start = detail::fails("mmap")
                    ? MAP_FAILED
                    : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, opened->file.number(), 0);
  if (start == MAP_FAILED) return Fail(system_error("file-unreadable", "map", path, errno));
  result.bytes_ = {static_cast<const std::byte*>(start), size};
  return result;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})), stamp_(other.stamp_) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(stamp_, other.stamp_);
  return *this;
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

}  // namespace tollgate::os
