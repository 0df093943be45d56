// A call that can be read in more than one way: each reading is judged, and what they come to is
// one answer. Nobody gets past a rule by a name, or a home, that could be another. SAFETY: a deny
// or ask of any reading holds; an allow holds where every reading has it, or where the name as it
// was sent has one.
#pragma once

#include <string>
#include <vector>

#include "core/audit_log.h"

namespace tollgate {

// Two asks about one call become one: every quorum, the strictest answerer and end, the shortest
// time. Reasons and suggestions stay those of `ask`. REQUIRES: asks, both of them.
void join_settling(Decision& ask, const Decision& other);

// The stricter of two records of one call; the first where they are as strict. Of two asks it is
// settled by whoever may settle both.
AuditRecord stricter(AuditRecord a, AuditRecord b);

// The call under a name that it may stand for.
struct Reading {
  AuditRecord record;
  bool counts = true;  // for an allow; false where the configuration has servers and not this one
};

// `plain` is the call under the name that was sent. REQUIRES: a reading that counts.
AuditRecord settled(AuditRecord plain, std::vector<Reading> readings);

// Whether each name counts for an allow, `servers` being those of the configuration, if any.
std::vector<bool> counting(const std::vector<std::string>& names,
                           const std::vector<std::string>& servers);

}  // namespace tollgate
