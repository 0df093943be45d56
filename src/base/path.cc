// Component by component; a `..` at the root stays there, as it does for the kernel.
#include "base/path.h"

namespace tollgate {
namespace {

void add_components(std::string_view path, std::string& result) {
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, slash - at);
    at = slash + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      result.resize(result.empty() ? 0 : result.rfind('/'));
      continue;
    }
    result += '/';
    result += part;
  }
}

}  // namespace

std::string absolute_path(std::string_view path, std::string_view base) {
  std::string result;
  result.reserve(base.size() + path.size() + 1);
  if (!path.starts_with('/')) add_components(base, result);
  add_components(path, result);
  return result.empty() ? "/" : result;
}

}  // namespace tollgate
