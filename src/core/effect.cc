// The names of effect kinds.
// The names themselves stand in names.h, where the codec and the schemas find them too.
// They are written into records: a name never changes its meaning.
#include "core/effect.h"

#include "core/names.h"

namespace tollgate {

std::string_view name(EffectKind kind) { return name_in_list(kind); }

}  // namespace tollgate
