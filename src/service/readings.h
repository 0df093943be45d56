// A call that can be read in more than one way: each reading is judged, and what they come to is
// one answer. Nobody gets past a rule by a name, or a home, that could be another. SAFETY: a deny
// or ask of any reading holds; an allow holds where every reading has it, or where the name as it
// was sent has one.
#pragma once

#include <vector>

#include "core/audit_log.h"

namespace tollgate {

// The stricter of two records of one call; the first where they are as strict.
AuditRecord stricter(AuditRecord a, AuditRecord b);

// `plain` is the call under the name that was sent, `readings` the same under each name that it may
// stand for. REQUIRES: at least one reading.
AuditRecord settled(AuditRecord plain, std::vector<AuditRecord> readings);

}  // namespace tollgate
