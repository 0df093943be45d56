// Which project files the user has read and trusts: path and exact bytes.
// The bytes themselves are kept, so that a change can be shown and no hash has to be believed.
// SAFETY: one byte more or less and the file is untrusted again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tollgate::config {

enum class Trust {
  kNone,     // never pinned
  kPinned,   // pinned, and the bytes are the same
  kChanged,  // pinned with other bytes
};

class TrustStore {
 public:
  // An absent store is an empty one. Errors: unsafe-trust-store, bad-trust-store, file-unreadable.
  static Result<TrustStore> open(const std::string& data_dir);
  static std::string file_in(const std::string& data_dir);

  // A file is known by the real path of its project's directory and its name in there.
  // SAFETY: one that is a link leading out of that directory is never kPinned: its bytes belong to
  // somebody else.
  Trust check(const std::string& path, std::string_view text) const;
  // The bytes that were pinned, to show what changed.
  std::optional<std::string> pinned(const std::string& path) const;

  // Error: link-leaves-project, and nothing is pinned.
  Result<void> pin(const std::string& path, std::string text);
  bool forget(const std::string& path);  // false: it was not pinned
  Result<void> save() const;

 private:
  struct Pin {
    std::string path;
    std::string text;
  };
  const Pin* find(const std::string& path) const;

  std::string data_dir_;
  std::vector<Pin> pins_;
};

}  // namespace tollgate::config
