// The roles and presets that an agent of the user's file may have, each with what it comes to.
// For people who choose one; judging goes by the policy, where names are resolved already.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "config/names.h"

namespace tollgate::config {

struct CatalogueEntry {
  Named named = Named::kRole;
  Bundle bundle;        // with all that it extends
  std::string extends;  // "" for none
  bool built_in = false;
};

// Built-in ones first, then those of the text in its order. `file` is for places of errors.
// Error: whatever is wrong in the text.
Result<std::vector<CatalogueEntry>> catalogue(std::string text, const std::string& file);

}  // namespace tollgate::config
