// Roles and presets by name: the built-in ones, the files' own, and what they extend.
// A name resolves when the files load; one that does not is an error with the nearest known name.
// `extends` starts from the other: a key said here replaces it, denied things add up.
#pragma once

#include <map>
#include <optional>
#include <set>
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

// LIMIT: how many roles or presets one may extend, one through the other. It keeps loading linear
// in the size of the files; nobody reads a longer chain.
inline constexpr std::size_t kMaxExtends = 64;

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
  // It and all that it extends, the built-in end last; empty (and an error) where that fails.
  std::vector<const Bundle*> chain(Named named, const Said<std::string>& name, Asker asker);
  void circle(Named named, const Bundle& bundle, const Position& where);
  void too_deep(Named named, const Said<std::string>& name);
  void add(Named named, const std::vector<Bundle>& bundles, Asker by);
  void unknown(Named named, const Said<std::string>& name, Asker asker);

  std::map<std::pair<Named, std::string_view>, Definition> definitions_;
  std::vector<Diagnostic>& out_;
  std::set<Named> deep_;  // kinds of which too long a chain was told; each longer one has it inside
};

// The block of `upper` with the keys it leaves out taken from the other.
WorkspaceText over(const WorkspaceText& upper, WorkspaceText lower_block);

// The names of the built-in presets, for documentation and `init`.
std::span<const std::string_view> built_in_presets();

}  // namespace tollgate::config
