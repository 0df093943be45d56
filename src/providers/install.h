// Puts a client's entries into its files, and takes them away again.
// A plan is what would change, shown before anything is written; the texts before are kept in the
// data directory, so that an uninstall can give back the very bytes.
// SAFETY: a file is replaced whole or not at all, and only while it is what the plan was made from.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "providers/provider.h"

namespace tollgate::providers {

// One file, before and after.
struct Change {
  std::string path;  // as the client knows it
  std::string file;  // where it really lies, links resolved
  bool existed = false;
  bool stays = true;  // false: the file goes
  std::string before, after;
  std::string original;           // what it said before the first install
  bool original_existed = false;  // and whether it was there at all

  bool operator==(const Change&) const = default;
};

// Files that stay as they are have no change. Errors: those of the edits, and of reading.
Result<std::vector<Change>> plan_install(const std::vector<Target>& targets,
                                         const std::string& data_dir);
Result<std::vector<Change>> plan_uninstall(const std::vector<Target>& targets,
                                           const std::string& data_dir);

// Keeps the texts before and writes those after. Errors: file-changed, file-unwritable.
Result<void> apply_install(const std::vector<Change>& changes, const std::string& data_dir);
Result<void> apply_uninstall(const std::vector<Change>& changes, const std::string& data_dir);

// Where the text before the first install of that file is kept.
std::string backup_of(const Change& change, const std::string& data_dir);

// The files that installs have written and no uninstall has taken back.
std::vector<std::string> installed_files(const std::string& data_dir);

// A client's file, "" where there is none. LIMIT: 4 MiB.
Result<std::string> text_of(const std::string& path);

}  // namespace tollgate::providers
