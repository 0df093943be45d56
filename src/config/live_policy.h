// The policy to judge by: from the compiled snapshot while that is fresh, else from the files.
// A policy that was read from files is compiled and kept for the next start.
// SAFETY: a snapshot that cannot be used costs time and nothing else; a broken policy denies all.
#pragma once

#include <string>
#include <vector>

#include "config/fresh_policy.h"
#include "config/loader.h"
#include "policy/policy.h"

namespace tollgate::config {

struct LivePolicy {
  Policy policy;
  std::vector<Diagnostic> diagnostics;  // none when the snapshot was used: it has no errors
  bool from_snapshot = false;
};

LivePolicy live_policy(const LoadOptions& options);

}  // namespace tollgate::config
