// A file that lines are added to and that need not be ours: a log of another owner.
// SAFETY: links at the end of the path are refused, and so is whatever is no regular file.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace tollgate::os {

struct AppendedFile {
  bool append_only = false;  // the file system lets nobody do anything else with it
  bool own = true;           // it belongs to the user of this process
};

// Errors: file-missing, file-unreadable, file-not-regular.
Result<AppendedFile> appended_file(const std::string& path);

// Adds the bytes with one write and waits for the disk; makes the file (0600) when it is missing.
// Errors: file-missing when its directory is not there, file-unwritable.
Result<AppendedFile> append_there(const std::string& path, std::string_view bytes);

}  // namespace tollgate::os
