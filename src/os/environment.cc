// Copies environ.
// The only place that touches it.
// Entries without `=` are left out: no program can ask for them by name.
#include "os/environment.h"

#include <unistd.h>

namespace tollgate::os {

Environment Environment::current() {
  Variables variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return Environment(std::move(variables));
}

std::optional<std::string> Environment::get(std::string_view name) const {
  const auto found = variables_.find(name);
  if (found == variables_.end()) return std::nullopt;
  return found->second;
}

std::optional<std::string> Environment::get_filled(std::string_view name) const {
  std::optional<std::string> value = get(name);
  if (value && value->empty()) return std::nullopt;
  return value;
}

}  // namespace tollgate::os
