// The names of a decision's parts: reason kinds, layers, configuration sources.
// The names themselves stand in names.h, where the codec and the schemas find them too.
// They are fixed by the output of `tollgate eval`: scripts compare them.
#include "core/decision.h"

#include "core/names.h"

namespace tollgate {

std::string_view name(ReasonKind kind) { return name_in_list(kind); }
std::string_view name(Layer layer) { return name_in_list(layer); }
std::string_view name(ConfigSource source) { return name_in_list(source); }

}  // namespace tollgate
