// Paths as a call writes them, made absolute and clean without a look at any file.
// The look (service/) resolves the uncleaned spelling, because `link/..` is not `.`.
// SAFETY: what cannot be placed gives nothing, and the caller says Unknown.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "base/path.h"
#include "core/effect.h"

namespace tollgate {

enum class Tilde { kHome, kLiteral };  // whether a leading `~` stands for the home directory

struct PathContext {
  std::string_view cwd;   // absolute; "" when it is not known
  std::string_view home;  // absolute; "" when it is not known
  Tilde tilde = Tilde::kHome;
};

// `spelled` is absolute as the kernel would walk it, `path` is cleaned of `.`, `..` and `//`.
struct Located {
  std::string path;
  std::string spelled;

  bool operator==(const Located&) const = default;
};

// LIMIT: the kernel takes no longer path, so one that long can only be meant to mislead.
inline constexpr std::size_t kMaxPathBytes = 4'096;

// Where the path is, or why that cannot be told, in words for people.
std::expected<Located, std::string> locate(std::string_view written, const PathContext& context);
std::string cannot_place(std::string_view written);  // those words for any other reason

// `scheme://` of any scheme, or `file:` in any spelling.
bool is_uri(std::string_view written);
// The path of a file: URI, percent-decoded; nothing for another scheme, host, query or fragment.
std::optional<std::string> path_of_file_uri(std::string_view uri);

// An effect on a located path.
Effect path_effect(EffectKind kind, Located located, Span span);

}  // namespace tollgate
