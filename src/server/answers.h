// What a question that ended means for the call that asked, and what a rule would have covered.
#pragma once

#include <optional>

#include "core/approver.h"
#include "service/passage.h"
#include "store/store.h"

namespace tollgate::server {

struct Outcome;

// Allow or deny, with a reason that says who answered and what.
Answer answer_of(const store::Question& question);

// The input that the client is to run: what an approver made of it, or, of a question that the
// client asks its user (AskUserQuestion), the same with the answers in it. Nothing: as it was.
std::optional<json::Value> answered_input(const ToolCall& call, const Outcome& outcome);

// {"rule", "root", "covers": N, "of": M, "examples": […]} over the latest calls. Slow; on the pool.
// Errors: grant-refused, store-unavailable.
Result<json::Value> preview_value(const std::string& rule, const AuditRecord& asked,
                                  const Level& level, store::Store& store);

// The record that a row of the audit holds. Errors: malformed-call …
Result<AuditRecord> record_of(const json::Value& value);

}  // namespace tollgate::server
