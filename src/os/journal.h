// The system's journal: messages with fields, kept by another user than ours.
// SAFETY: whoever writes can add messages of any content; taking away or changing one needs the
// journal's own rights.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tollgate::os {

using JournalField = std::pair<std::string_view, std::string_view>;  // MESSAGE and others

// Error: journal-unavailable, also where no journal runs.
Result<void> write_journal(std::span<const JournalField> fields);

// The messages that have the field, oldest first. Error: journal-unavailable.
Result<std::vector<std::string>> journal_messages(const JournalField& field);

}  // namespace tollgate::os
