// A secret in a file of its own, so that the policy file can be shown to others.
// SAFETY: a file that others may read or write, or that somebody else owns, is not taken.
#pragma once

#include <string>

#include "base/result.h"

namespace tollgate::notify {

// Its text without the white space at both ends. Errors: file-missing, file-unreadable,
// file-not-regular, file-too-large, unsafe-secret-file (its owner or mode, or nothing in it).
Result<std::string> secret_in(const std::string& path);

}  // namespace tollgate::notify
