// A path specifier taken apart: where it is anchored, and the pattern below that anchor.
// Cheap enough to do at every match; views point into the specifier.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/text.h"
#include "core/situation.h"

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

// The directory that everything lies in which a path with wildcards matches.
std::string_view above_pattern(std::string_view path);

// `path` relative to `base`, "" for the base itself; npos-like {nullptr} view when outside.
std::string_view relative_to(std::string_view path, std::string_view base, bool fold_case,
                             bool& inside);

// The letter that a path begins with, in any letter case, as one bit of 32.
constexpr std::uint32_t start_bit(std::string_view path) {
  return path.empty() ? 0 : 1u << (static_cast<unsigned char>(lower(path[0])) & 31);
}

// For each anchor the start_bit()s of some prefixes; all bits for an empty one.
using PathStarts = std::array<std::uint32_t, 4>;

// False when the path lies neither above nor below any of the prefixes.
bool may_be_near(const PathStarts& starts, std::string_view path, const Situation& situation);

}  // namespace tollgate
