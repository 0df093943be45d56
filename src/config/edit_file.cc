// The edit of a file on disk: read, plan, look again, replace.
// What the text becomes is edit.cc's business; here is whose file it is and whether it moved.
// SAFETY: a file is replaced only when it is still, byte for byte, what the edit was proved on.
#include "base/line_difference.h"
#include "config/edit.h"
#include "config/source.h"
#include "config/yaml.h"
#include "os/moment.h"
#include "os/paths.h"
#include "os/user.h"

namespace tollgate::config {
namespace {

Error about(const std::string& path, std::string code, std::string message, std::string hint) {
  return {.code = std::move(code),
          .message = "`" + path + "` " + std::move(message),
          .hint = std::move(hint),
          .where = {.file = path, .line = 0, .column = 0, .width = 1, .text = {}}};
}

Error changed(const std::string& path) {
  return about(path, "file-changed", "was changed while it was edited",
               "repeat the edit: it begins with the file as it is now");
}

std::string directory_of(const std::string& path) { return os::absolute(path + "/..", "/"); }

// As the loader asks it, of the directory by the name that the loader will use.
Result<void> safe_directory(const std::string& path) {
  const std::string directory = directory_of(path);
  const Result<os::Stamp> stamp = os::stamp_of(directory);
  if (!stamp) return Fail(stamp.error());
  if (!stamp->exists) return {};
  if (std::optional<Error> unsafe = unsafe_policy(directory, *stamp))
    return Fail(std::move(*unsafe));
  return {};
}

// What lies at the path now; everything but the text after.
Result<FileEdit> looked_at(const std::string& path) {
  os::begin_new_moment();
  FileEdit edit;
  edit.path = path;
  const os::RealPath real = os::real_path(path);
  if (real.found == os::Found::kUnknown)
    return Fail(about(path, "file-unreadable", "leads nowhere that can be told",
                      "name it from the root on, and look at its links"));
  edit.file = real.path;
  if (Result<void> safe = safe_directory(path); !safe) return Fail(std::move(safe).error());
  if (real.found == os::Found::kMissing) return edit;
  Result<os::FileText> read = os::read_stamped(edit.file, kMaxFileBytes);
  if (!read) return Fail(std::move(read).error());
  if (std::optional<Error> unsafe = unsafe_policy(path, read->stamp))
    return Fail(std::move(*unsafe));
  // A file that is replaced belongs to whoever replaces it.
  if (read->stamp.uid != os::effective_uid())
    return Fail(about(path, "file-unwritable", "belongs to root",
                      "edit it as the user that it belongs to"));
  edit.stamp = read->stamp;
  edit.before = std::move(read->text);
  return edit;
}

Result<void> write_new(const FileEdit& edit) {
  if (Result<void> made = os::make_private_directory(directory_of(edit.file)); !made) return made;
  if (Result<void> safe = safe_directory(edit.path); !safe) return safe;
  const Result<bool> first = os::write_once(edit.file, edit.after);
  if (!first) return Fail(first.error());
  if (!*first) return Fail(changed(edit.path));
  return {};
}

}  // namespace

Result<FileEdit> planned_edit(const std::string& path, std::span<const Edit> edits,
                              const EditContext& context) {
  Result<FileEdit> edit = looked_at(path);
  if (!edit) return edit;
  Result<std::string> after = edited(edit->before, path, edits, context);
  if (!after) return Fail(std::move(after).error());
  edit->after = std::move(*after);
  return edit;
}

Result<std::string> write_edit(const FileEdit& edit) {
  if (edit.before == edit.after) return "";
  const Result<FileEdit> now = looked_at(edit.path);
  if (!now && now.error().code != "file-missing") return Fail(now.error());
  if (!now || now->file != edit.file || now->stamp != edit.stamp || now->before != edit.before)
    return Fail(changed(edit.path));
  constexpr std::uint32_t kPermissions = 0777;
  Result<void> written = edit.stamp.exists ? os::write_atomically(edit.file, edit.after,
                                                                  edit.stamp.mode & kPermissions)
                                           : write_new(edit);
  if (!written) return Fail(std::move(written).error());
  return unified_difference(edit.before, edit.after, edit.path);
}

Result<std::string> edit_file(const std::string& path, std::span<const Edit> edits,
                              const EditContext& context) {
  const Result<FileEdit> edit = planned_edit(path, edits, context);
  if (!edit) return Fail(edit.error());
  return write_edit(*edit);
}

}  // namespace tollgate::config
