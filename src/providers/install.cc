#include "providers/install.h"

#include <optional>

#include "base/path.h"
#include "json/json.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/user.h"
#include "providers/sha256.h"

namespace tollgate::providers {
namespace {

using json::Value;

constexpr std::size_t kMostBytes = 4u << 20;

// What an earlier install of a file left behind.
struct Record {
  bool existed = false;
  std::string original;
  std::string after;  // the hash of what it wrote
};

std::string record_name(const std::string& file, const std::string& data_dir) {
  return data_dir + "/installed/" + std::string(base_name(file)) + "-" + sha256(file).substr(0, 16);
}

// Nothing where there is none that can be read: then our entries are found by what they say.
std::optional<Record> record_of(const std::string& file, const std::string& data_dir) {
  const std::string name = record_name(file, data_dir);
  const Result<std::string> text = os::read_file(name + ".json", kMostBytes);
  if (!text) return std::nullopt;
  const Result<Value> value = json::parse(*text);
  if (!value || value->find("after") == nullptr || value->find("existed") == nullptr)
    return std::nullopt;
  Record record;
  record.existed = value->find("existed")->as_bool();
  record.after = value->find("after")->as_string();
  if (!record.existed) return record;
  Result<std::string> original = os::read_file(name + ".before", kMostBytes);
  if (!original) return std::nullopt;
  record.original = std::move(*original);
  return record;
}

Result<void> keep(const Change& change, const std::string& data_dir) {
  const std::string name = record_name(change.file, data_dir);
  if (Result<void> made = os::make_private_directory(std::string(directory_name(name))); !made)
    return made;
  if (change.original_existed)
    if (Result<void> kept = os::write_atomically(name + ".before", change.original); !kept)
      return kept;
  // Where only our entries are exchanged, the text as it was just now is kept as well.
  if (change.existed && change.before != change.original)
    if (Result<void> kept = os::write_atomically(name + ".previous", change.before); !kept)
      return kept;
  const Value value = Value::object({{"file", Value::string(change.file)},
                                     {"existed", Value::boolean(change.original_existed)},
                                     {"after", Value::string(sha256(change.after))}});
  return os::write_atomically(name + ".json", json::write_pretty(value));
}

Error refused(std::string message, std::string hint) {
  return {.code = "file-unwritable",
          .message = std::move(message),
          .hint = std::move(hint),
          .where = {}};
}

// The file that a path leads to, and what it says now.
Result<Change> look_at(const std::string& path) {
  Change change;
  change.path = path;
  const os::RealPath real = os::real_path(path);
  if (real.found == os::Found::kUnknown)
    return Fail(refused("`" + path + "` leads nowhere that can be told", "look at its links"));
  change.file = real.path;
  if (real.found == os::Found::kMissing) return change;
  Result<os::FileText> read = os::read_stamped(change.file, kMostBytes);
  if (!read) return Fail(std::move(read).error());
  if (read->stamp.uid != os::effective_uid())
    return Fail(refused("`" + change.file + "` belongs to another user",
                        "run this as the user that it belongs to"));
  change.existed = true;
  change.before = std::move(read->text);
  return change;
}

Result<void> write(const Change& change) {
  Result<Change> now = look_at(change.path);
  if (!now) return Fail(std::move(now).error());
  if (now->file != change.file || now->existed != change.existed || now->before != change.before)
    return Fail({.code = "file-changed",
                 .message = "`" + change.path + "` has changed since it was read",
                 .hint = "run this again",
                 .where = {}});
  if (!change.stays) return os::remove_file(change.file);
  if (Result<void> made = os::make_private_directory(std::string(directory_name(change.file)));
      !made)
    return made;
  const Result<os::Stamp> stamp = os::stamp_of(change.file);
  if (!stamp) return Fail(stamp.error());
  return os::write_atomically(change.file, change.after, stamp->exists ? stamp->mode & 0777 : 0600);
}

}  // namespace

Result<std::vector<Change>> plan_install(const std::vector<Target>& targets,
                                         const std::string& data_dir) {
  std::vector<Change> changes;
  for (const Target& target : targets) {
    Result<Change> change = look_at(target.path);
    if (!change) return Fail(std::move(change).error());
    Result<std::string> after = target.put(change->before);
    if (!after) return Fail(std::move(after).error());
    if (*after == change->before && change->existed) continue;
    change->after = std::move(*after);
    change->original = change->before;
    change->original_existed = change->existed;
    const std::optional<Record> record = record_of(change->file, data_dir);
    if (change->existed && record && sha256(change->before) == record->after) {
      change->original = record->original;
      change->original_existed = record->existed;
    } else if (change->existed) {
      Result<std::string> without = target.drop(change->before);
      if (!without) return Fail(std::move(without).error());
      change->original_existed = !without->empty() || change->before.empty();
      change->original = std::move(*without);
    }
    changes.push_back(std::move(*change));
  }
  return changes;
}

Result<std::vector<Change>> plan_uninstall(const std::vector<Target>& targets,
                                           const std::string& data_dir) {
  std::vector<Change> changes;
  for (const Target& target : targets) {
    Result<Change> change = look_at(target.path);
    if (!change) return Fail(std::move(change).error());
    if (!change->existed) continue;
    const std::optional<Record> record = record_of(change->file, data_dir);
    if (record && sha256(change->before) == record->after) {
      change->after = record->original;
      change->stays = record->existed;
    } else {
      Result<std::string> after = target.drop(change->before);
      if (!after) return Fail(std::move(after).error());
      if (*after == change->before) continue;
      // Nothing is left: it goes, unless it was there before us with nothing in it.
      const bool was_empty = record && record->existed && record->original.empty();
      change->stays = !after->empty() || was_empty;
      change->after = std::move(*after);
    }
    changes.push_back(std::move(*change));
  }
  return changes;
}

Result<void> apply_install(const std::vector<Change>& changes, const std::string& data_dir) {
  for (const Change& change : changes) {
    if (Result<void> kept = keep(change, data_dir); !kept) return kept;
    if (Result<void> written = write(change); !written) return written;
  }
  return {};
}

Result<void> apply_uninstall(const std::vector<Change>& changes, const std::string& data_dir) {
  for (const Change& change : changes) {
    if (Result<void> written = write(change); !written) return written;
    // The text before is kept: it is the last way back.
    if (Result<void> gone = os::remove_file(record_name(change.file, data_dir) + ".json"); !gone)
      return gone;
  }
  return {};
}

std::string backup_of(const Change& change, const std::string& data_dir) {
  return record_name(change.file, data_dir) + ".before";
}

std::vector<std::string> installed_files(const std::string& data_dir) {
  constexpr std::size_t kMostRecords = 10'000;  // LIMIT
  std::vector<std::string> files;
  const std::string directory = data_dir + "/installed";
  const auto names = os::names_in(directory, kMostRecords);
  for (const std::string& name : names.value_or(std::vector<std::string>())) {
    if (!name.ends_with(".json")) continue;
    const Result<std::string> text = os::read_file(directory + "/" + name, kMostBytes);
    const Result<Value> value = text ? json::parse(*text) : Fail(text.error());
    if (const Value* file = value ? value->find("file") : nullptr)
      files.push_back(file->as_string());
  }
  return files;
}

Result<std::string> text_of(const std::string& path) {
  Result<std::string> text = os::read_file(path, kMostBytes);
  if (!text && text.error().code == "file-missing") return std::string();
  return text;
}

}  // namespace tollgate::providers
