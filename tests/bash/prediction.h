// What the gate says of a script, and how that stands to what the script then ran.
// The rules are made for the stubs: some are allowed, some denied, of some nothing is said.
#pragma once

#include <string>

#include "bash/stub_world.h"
#include "core/effect.h"
#include "core/verdict.h"

namespace tollgate::bash {

struct Judged {
  Effects effects;
  Verdict verdict = Verdict::kDeny;
  Verdict lenient = Verdict::kDeny;  // where every stub is allowed with any words
};

// `directory` is where the script would run.
Judged judged(const std::string& script, const std::string& directory);

// Whether a run is among the effects.
enum class Foreseen {
  kNot,
  kRoughly,  // by a prediction with words that are not known
  kExactly,
};
Foreseen foreseen(const Run& run, const Effects& effects);

// What the rules say of a run by itself.
enum class Standing { kAllowed, kOpen, kDenied };
Standing standing(const Run& run);

bool has_unknown(const Effects& effects);

// For messages: `p1 a 'b c'`.
std::string shown(const Run& run);
std::string shown(const Runs& runs);

}  // namespace tollgate::bash
