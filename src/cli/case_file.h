// Decision cases as data: a policy, a world, and what the gate should say of each call.
// Users' cases and our own have this one format; `tollgate test` runs both.
// SAFETY: a file that is not understood in full is an error; no case is skipped.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/loader.h"
#include "core/decision.h"
#include "core/mode.h"
#include "json/value.h"
#include "service/world.h"

namespace tollgate::cli {

struct DecisionCase {
  std::string name;
  Position where;
  std::string tool;
  std::string text;                  // the main text, or
  std::optional<json::Value> input;  // the whole input
  std::string agent;
  std::string cwd;
  std::optional<Mode> mode;
  std::optional<std::int64_t> now;
  Verdict want = Verdict::kDeny;
  std::optional<ReasonKind> kind;   // of the first reason
  std::optional<std::string> rule;  // of the first reason
};

struct CaseFile {
  std::string file;
  config::Loaded policy;
  FixedWorld world;
  LookPlan plan;
  std::string cwd;
  std::vector<DecisionCase> cases;
  std::vector<Diagnostic> diagnostics;  // any error: no case can be trusted
};

// `shown` is how the file is called in errors and places.
CaseFile read_case_file(const std::string& path, const std::string& shown);

}  // namespace tollgate::cli
