// The file: header, sources, key, then the policy's own bytes, each part 8-byte aligned.
// No sums and no hashes: whoever could forge the file could forge a sum as well; the owner and the
// mode of file and directory are what is relied on.
// SAFETY: a snapshot that is not perfect in every field is refused, and refusing costs only time.
#include "config/snapshot.h"

#include <cstring>
#include <memory>

#include "base/path.h"
#include "os/files.h"
#include "os/user.h"

namespace tollgate::config {
namespace {

constexpr std::uint64_t kMagic = 0x31304c4f54474154;  // "TAGTOL01"
constexpr std::uint64_t kVersion = 2;  // 2: the directories of user and managed files
constexpr std::size_t kMaxSnapshot = 512u << 20;
constexpr std::uint64_t kMaxSources = 10'000;

struct Header {
  std::uint64_t magic = kMagic;
  std::uint64_t version = kVersion;
  std::uint64_t total = 0;
  std::uint64_t source_count = 0;
  std::uint64_t sources_size = 0;
  std::uint64_t key_size = 0;
  std::uint64_t policy_size = 0;
  std::uint64_t reserved = 0;
};

struct SourceRecord {
  std::uint64_t exists = 0;
  std::uint64_t kind = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::int64_t ctime_ns = 0;
  std::uint64_t path_size = 0;
};

std::size_t padded(std::size_t size) { return (size + 7) / 8 * 8; }

Error problem(std::string code, const std::string& path, std::string message) {
  return {.code = std::move(code),
          .message = "the compiled policy `" + path + "` " + std::move(message),
          .hint = "run `tollgate compile` to make it anew",
          .where = {.file = path, .line = 0, .column = 0, .width = 1, .text = {}}};
}
Error bad(const std::string& path, std::string message) {
  return problem("bad-snapshot", path, std::move(message));
}

// The directory must be this user's and closed to everybody else.
Result<void> check_directory(const std::string& path) {
  if (!path.starts_with('/')) return Fail(bad(path, "is not named by an absolute path"));
  const Result<os::Stamp> directory = os::link_stamp_of(std::string(directory_name(path)));
  if (!directory) return Fail(directory.error());
  if (!directory->exists) return Fail(problem("file-missing", path, "does not exist"));
  if (!directory->is_directory() || directory->uid != os::effective_uid() ||
      (directory->mode & 077) != 0)
    return Fail(bad(path, "lies in a directory that is not yours alone (0700)"));
  return {};
}

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void append_padded(std::string& bytes, std::string_view text) {
  bytes += text;
  bytes.resize(padded(bytes.size()), '\0');
}

std::string sources_text(const std::vector<SourceStamp>& sources) {
  std::string bytes;
  for (const SourceStamp& source : sources) {
    append(bytes, SourceRecord{.exists = source.stamp.exists,
                               .kind = static_cast<std::uint64_t>(source.kind),
                               .device = source.stamp.device,
                               .inode = source.stamp.inode,
                               .size = source.stamp.size,
                               .mtime_ns = source.stamp.mtime_ns,
                               .ctime_ns = source.stamp.ctime_ns,
                               .path_size = source.path.size()});
    append_padded(bytes, source.path);
  }
  return bytes;
}

// Reads the parts of a mapped snapshot; every read checks that there is enough left.
class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  bool value(T& into) {
    if (rest_.size() < sizeof into) return false;
    std::memcpy(&into, rest_.data(), sizeof into);
    rest_ = rest_.subspan(sizeof into);
    return true;
  }

  bool bytes(std::uint64_t size, std::span<const std::byte>& into) {
    if (size > rest_.size() || padded(size) > rest_.size()) return false;
    into = rest_.first(size);
    for (std::byte pad : rest_.subspan(size, padded(size) - size))
      if (pad != std::byte{0}) return false;
    rest_ = rest_.subspan(padded(size));
    return true;
  }

  bool at_end() const { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A snapshot counts only if its owner owns every policy file in it.
Result<void> check_source(const SourceStamp& source, const std::string& path) {
  if (!is_fresh(source))
    return Fail(problem("stale-snapshot", path,
                        source.kind == SourceKind::kHolder
                            ? "cannot vouch for `" + source.path + "`, to which others may write"
                            : "is older than `" + source.path + "`"));
  if (!source.stamp.exists || source.kind != SourceKind::kPolicy) return {};
  const Result<os::Stamp> now = os::stamp_of(source.path);
  if (!now) return Fail(now.error());
  if (now->uid != os::effective_uid())
    return Fail(bad(path, "does not count: `" + source.path + "` belongs to another user"));
  return {};
}

Result<void> check_sources(std::span<const std::byte> bytes, std::uint64_t count,
                           const std::string& path) {
  Cursor cursor(bytes);
  for (std::uint64_t i = 0; i < count; ++i) {
    SourceRecord record;
    std::span<const std::byte> name;
    if (!cursor.value(record) || record.exists > 1 ||
        record.kind > static_cast<std::uint64_t>(SourceKind::kHolder) || record.path_size == 0 ||
        !cursor.bytes(record.path_size, name))
      return Fail(bad(path, "is damaged in its list of sources"));
    SourceStamp source;
    source.path = text_of(name);
    source.kind = static_cast<SourceKind>(record.kind);
    source.stamp.exists = record.exists == 1;
    source.stamp.device = record.device;
    source.stamp.inode = record.inode;
    source.stamp.size = record.size;
    source.stamp.mtime_ns = record.mtime_ns;
    source.stamp.ctime_ns = record.ctime_ns;
    if (!source.path.starts_with('/'))
      return Fail(bad(path, "names a source without an absolute path"));
    if (Result<void> checked = check_source(source, path); !checked) return checked;
  }
  if (!cursor.at_end()) return Fail(bad(path, "is damaged in its list of sources"));
  return {};
}

}  // namespace

Result<void> write_snapshot(const std::string& path, const Policy& policy,
                            const std::vector<SourceStamp>& sources, std::string_view key) {
  if (policy.broken()) return Fail(bad(path, "is not written, because the policy is broken"));
  for (const SourceStamp& source : sources)
    if (Result<void> checked = check_source(source, path); !checked) return checked;
  if (Result<void> made = os::make_private_directory(std::string(directory_name(path))); !made)
    return made;
  if (Result<void> checked = check_directory(path); !checked) return checked;
  const std::string list = sources_text(sources);
  const std::span<const std::byte> compiled = policy.bytes();
  Header header;
  header.source_count = sources.size();
  header.sources_size = list.size();
  header.key_size = key.size();
  header.policy_size = compiled.size();
  header.total = sizeof header + padded(list.size()) + padded(key.size()) + padded(compiled.size());
  std::string bytes;
  bytes.reserve(header.total);
  append(bytes, header);
  append_padded(bytes, list);
  append_padded(bytes, key);
  append_padded(bytes, text_of(compiled));
  return os::write_atomically(path, bytes, 0600);
}

Result<Policy> open_snapshot(const std::string& path, std::string_view key, PolicyCheck check) {
  if (Result<void> checked = check_directory(path); !checked) return Fail(checked.error());
  Result<os::MappedFile> mapped = os::MappedFile::open(path, kMaxSnapshot);
  if (!mapped && mapped.error().code == "file-missing") return Fail(std::move(mapped).error());
  if (!mapped) return Fail(bad(path, "cannot be used: " + mapped.error().message));
  const os::Stamp& stamp = mapped->stamp();
  if (stamp.uid != os::effective_uid() || (stamp.mode & 022) != 0)
    return Fail(bad(path, "can be written by somebody else"));
  const auto owner = std::make_shared<const os::MappedFile>(std::move(*mapped));

  Cursor cursor(owner->bytes());
  Header header;
  std::span<const std::byte> list, stored_key, compiled;
  if (!cursor.value(header) || header.magic != kMagic) return Fail(bad(path, "is no such file"));
  if (header.version != kVersion) return Fail(bad(path, "is of another version"));
  if (header.total != owner->bytes().size() || header.reserved != 0 ||
      header.source_count > kMaxSources || !cursor.bytes(header.sources_size, list) ||
      !cursor.bytes(header.key_size, stored_key) || !cursor.bytes(header.policy_size, compiled) ||
      !cursor.at_end())
    return Fail(bad(path, "is damaged"));
  if (text_of(stored_key) != key)
    return Fail(problem("stale-snapshot", path, "was made for other settings"));
  if (Result<void> checked = check_sources(list, header.source_count, path); !checked)
    return Fail(checked.error());
  return Policy::open(compiled, owner, check);
}

}  // namespace tollgate::config
