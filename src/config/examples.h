// The examples under `match` and `not_match`, tried on their rules.
// Loading and the command line share it, so that neither says ok where the other does not.
// LIMIT: a project's examples may take only so long together: a stranger wrote them.
#pragma once

#include <vector>

#include "base/error.h"
#include "policy/match.h"
#include "policy/policy_set.h"

namespace tollgate::config {

// Errors: example-fails, too-many-examples.
void try_examples(const PolicySet& set, const ReadEffects& read_effects,
                  std::vector<Diagnostic>& out);

}  // namespace tollgate::config
