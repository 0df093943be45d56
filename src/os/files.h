// Files as the rest of the house sees them: read whole, replaced atomically, stamped, resolved.
// Every failure is an Error with the system's words and the path; nothing here knows the domain.
// SAFETY: a read has a limit, and only regular files are opened for good (a fifo cannot hang us).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tollgate::os {

// What tells one state of a file from another. A file that is not there has a stamp as well.
struct Stamp {
  bool exists = false;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::uint32_t uid = 0;
  std::uint32_t mode = 0;  // type and permission bits, as stat gives them

  bool is_regular() const;
  bool is_directory() const;
  bool operator==(const Stamp&) const = default;
};

// Follows links. A missing file is a stamp with exists = false, not an error.
Result<Stamp> stamp_of(const std::string& path);
// Does not follow a link at the end of the path.
Result<Stamp> link_stamp_of(const std::string& path);

// A file's bytes and its stamp as it was just before they were read.
struct FileText {
  std::string text;
  Stamp stamp;
};

// Errors: file-missing, file-unreadable, file-not-regular, file-too-large.
Result<FileText> read_stamped(const std::string& path, std::size_t limit);
Result<std::string> read_file(const std::string& path, std::size_t limit);

// At most `size` bytes from `offset` on, and the stamp of the file that they are from. A link at
// the end of the path is refused. Errors: file-missing, file-unreadable, file-not-regular.
Result<FileText> read_part(const std::string& path, std::uint64_t offset, std::size_t size);

// Whole or not at all: a temporary file beside it, fsync, rename, fsync of the directory.
// Error: file-unwritable.
Result<void> write_atomically(const std::string& path, std::string_view bytes,
                              std::uint32_t mode = 0600);

// The same for a file that is written once: false where there is one already, which then stays.
Result<bool> write_once(const std::string& path, std::string_view bytes);

// Adds the bytes at the end with one write, so that writers do not mix; `sync` waits for the disk.
// The file is made (0600) when it is missing, and must be nobody else's to write.
// Errors: file-missing when its directory is not there, file-unwritable.
Result<void> append(const std::string& path, std::string_view bytes, bool sync);

// Makes the directory and its parents, each new one with mode 0700. Error: file-unwritable.
Result<void> make_private_directory(const std::string& path);

// Removes a file; one that is not there is no error.
Result<void> remove_file(const std::string& path);

Result<std::string> current_directory();

// A file mapped for reading. The bytes live as long as this does.
class MappedFile {
 public:
  // Refuses a link at the end of the path and whatever is no regular file.
  static Result<MappedFile> open(const std::string& path, std::size_t limit);

  MappedFile() = default;
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  std::span<const std::byte> bytes() const& { return bytes_; }
  std::span<const std::byte> bytes() const&& = delete;
  const Stamp& stamp() const& { return stamp_; }

 private:
  std::span<const std::byte> bytes_;
  Stamp stamp_;
};

}  // namespace tollgate::os
