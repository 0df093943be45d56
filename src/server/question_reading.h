// What people need beside a question to answer it: why it is asked, how its call is read, which
// rules may be taught, and with which others it may be answered.
// The gate's own words; nothing in here is the agent's.
// SAFETY: what only a person's look settles (breakers, guarded and sensitive places) has no group.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/tool_declaration.h"
#include "json/value.h"
#include "store/rows.h"

namespace tollgate::server {

// A text that is equal for questions that may be answered together: they are the same call, or the
// same stated rules ask and the summary of each says all that it does. "" where each must be looked
// at by itself.
std::string group_of(const store::Question& question);

bool is_breaker(const store::Question& question);
// A breaker, a guarded or a sensitive place: only a person who looked may settle it.
bool needs_eyes(const store::Question& question);

// [{kind, rule, source, text}], the first one decides.
json::Value why_value(const store::Question& question);

// How the call is read, null where there is nothing to add to it. Looks at a file that an edit
// would replace: on the pool.
json::Value reading_value(const AuditRecord& record, std::span<const ToolDeclaration> declared);

// The main argument of the call as people know it: the command, the path, the question.
std::string main_argument(const ToolCall& call);

// What a list shows of a text: its first characters.
std::string_view start_of(std::string_view text);

// Whether a list shows the whole call: nothing that it does stands outside its summary.
bool fits_summary(const ToolCall& call);

// Whether all that the call does stands in the parts of it that are asked about.
bool stands_in_what_asks(const AuditRecord& asked);

}  // namespace tollgate::server
