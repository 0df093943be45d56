// Roles and presets by name: the built-in ones, the files' own, and what they extend.
// A name resolves when the files load; one that does not is an error with the nearest known name.
// `extends` starts from the other: a key said here replaces it, denied things add up.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/statement.h"

namespace tollgate::config {

enum class Named { kRole, kPreset };

// Who refers to a name; from the most trusted on.
enum class Asker { kManaged, kUser, kProject };

Asker asker_of(const Statement& statement);

class Names {
 public:
  // Definitions of trusted files count; the statements must outlive this.
  Names(const std::vector<Statement>& statements, std::vector<Diagnostic>& out);

  // The whole of a role or preset, or nothing (and an error) when there is none of that name.
  // SAFETY: only definitions of layers at least as trusted as the asker are looked at, so that no
  // project fills in a name which the user left open.
  std::optional<Bundle> find(Named named, const Said<std::string>& name, Asker asker);

 private:
  struct Definition {
    const Bundle* bundle = nullptr;  // nothing: there is none
    Asker by = Asker::kManaged;
  };
  Definition definition(Named named, std::string_view name, Asker asker) const;
  void add(Named named, const std::vector<Bundle>& bundles, Asker by);
  void unknown(Named named, const Said<std::string>& name, Asker asker);

  std::map<std::pair<Named, std::string_view>, Definition> definitions_;
  std::vector<Diagnostic>& out_;
};

// The block of `upper` with the keys it leaves out taken from the other.
WorkspaceText over(const WorkspaceText& upper, WorkspaceText lower_block);

// The names of the built-in presets, for documentation and `init`.
std::span<const std::string_view> built_in_presets();

}  // namespace tollgate::config
