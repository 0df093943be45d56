// What a person is asked about, as a digest: a yes is for that and for nothing else.
// The digest of a call says which words it has; this one what the gate made of them, and where they
// lead. A retry joins a question only where both are the same.
#pragma once

#include <optional>
#include <string>

#include "service/passage.h"

namespace tollgate::server {

// `asked` is a hook's own ask. Places of rules in their files do not count, so that an edit
// elsewhere in a policy asks nobody twice.
std::string reading_of(const Passage& passage, const std::optional<Decision>& asked);

}  // namespace tollgate::server
