// Which rules a person may teach the gate by an answer, and what one of them covers.
// Pure: a rule is tried on the record of the call that was asked about, not on the world.
// SAFETY: a grant is narrower than a rule in a file. Whatever here is in doubt is refused, and the
// person answers for the one call.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "service/level.h"

namespace tollgate {

// The grant of `text` for the agent of `level`, or, where the text is empty, of the rule that says
// exactly the call. `asked` is that level's own record (Passage::at). It is replayed: with it in
// force the call comes to allow by it. `id` is left empty; `root` is set where the rule means
// something else in another workspace. Error: grant-refused.
Result<Granted> grant_of(std::string_view text, const AuditRecord& asked, const Level& level);

// The suggestions of the asked record that grant_of() takes, narrowest first.
std::vector<std::string> grantable(const AuditRecord& asked, const Level& level);

// A grant that was kept, read again: what may not be a grant today was not one either, whoever
// wrote it there. Error: grant-refused.
Result<Granted> kept_grant(std::string_view text, std::string id, std::string root,
                           std::span<const ToolDeclaration> tools = {});

// Which of these calls the grant alone would have allowed: indices into `rows`, ascending. What is
// allowed without it, or asked in spite of it, is none of them.
std::vector<std::size_t> preview(const Granted& grant, std::span<const AuditRecord> rows,
                                 std::span<const ToolDeclaration> tools = {});

}  // namespace tollgate
