// Paths as text: made absolute and cleaned, without a look at any file.
// What a link makes of them only os/ can tell.
#pragma once

#include <string>
#include <string_view>

namespace tollgate {

// `path` made absolute with `base` and cleaned of `.`, `..` and doubled slashes.
std::string absolute_path(std::string_view path, std::string_view base);

// What stands behind the last slash; the whole text where there is none.
constexpr std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// Whether a clean path is the directory or lies below it; nothing lies in "".
constexpr bool is_inside(std::string_view path, std::string_view directory) {
  return !directory.empty() && path.starts_with(directory) &&
         (path.size() == directory.size() || directory.ends_with('/') ||
          path[directory.size()] == '/');
}

// The directory that an absolute path lies in.
constexpr std::string_view directory_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(0, slash == 0 ? 1 : slash);
}

}  // namespace tollgate
