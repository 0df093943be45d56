// A path specifier taken apart: where it is anchored, and the pattern below that anchor.
// Cheap enough to do at every match; views point into the specifier.
#pragma once

#include <cstdint>
#include <string_view>

namespace tollgate {

enum class Anchor : std::uint8_t {
  kFilesystem,  // //x
  kHome,        // ~/x
  kRoots,       // /x: each workspace root
  kBase,        // ./x, or a slash inside: the session's base
};

struct PathPattern {
  Anchor anchor = Anchor::kBase;
  std::string_view pattern;  // without anchor and closing slash; "" is the anchor itself
  bool floating = false;     // no slash, or a leading **/: any depth for deny and ask
};

PathPattern path_pattern(std::string_view specifier);

// The leading components of the pattern that hold no wildcard.
std::string_view literal_prefix(std::string_view pattern);

// `path` relative to `base`, "" for the base itself; npos-like {nullptr} view when outside.
std::string_view relative_to(std::string_view path, std::string_view base, bool fold_case,
                             bool& inside);

}  // namespace tollgate
