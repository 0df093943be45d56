// Roles and presets by name: the built-in ones, the files' own, and what they extend.
// A name resolves when the files load; one that does not is an error with the nearest known name.
// `extends` starts from the other: a key said here replaces it, denied things add up.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "config/statement.h"

namespace tollgate::config {

enum class Named { kRole, kPreset };

class Names {
 public:
  // Definitions of trusted files count; the statements must outlive this.
  Names(const std::vector<Statement>& statements, std::vector<Diagnostic>& out);

  // The whole of a role or preset, or nothing (and an error) when there is none of that name.
  std::optional<Bundle> find(Named named, const Said<std::string>& name);

 private:
  struct Definition {
    Named named;
    const Bundle* bundle;
  };
  const Bundle* definition(Named named, std::string_view name) const;
  void add(Named named, const std::vector<Bundle>& bundles);
  void unknown(Named named, const Said<std::string>& name);

  std::vector<Definition> definitions_;
  std::vector<Diagnostic>& out_;
};

// The block of `upper` with the keys it leaves out taken from the other.
WorkspaceText over(const WorkspaceText& upper, WorkspaceText lower_block);

// The names of the built-in presets, for documentation and `init`.
std::span<const std::string_view> built_in_presets();

}  // namespace tollgate::config
