// Files that get another name, and the lock that says who may do it. Beside files.h, which writes.
// Whatever is done here is on the disk when it is done: the directory is synced.
// A lock ends with its descriptor, also where the process dies.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "os/descriptor.h"

namespace tollgate::os {

// In the place of what is there. Error: file-unwritable.
Result<void> move_over(const std::string& from, const std::string& to);

// A second name for the same file; false where the name is taken. Error: file-unwritable.
Result<bool> name_also(const std::string& path, const std::string& name);

// The lock of a file that is there for nothing else, made where it is missing. Nothing where
// another holds it. Error: file-unwritable.
Result<std::optional<Descriptor>> lock_file(const std::string& path);

}  // namespace tollgate::os
