// Tools that start another agent: what matters is its type.
// A tool that is one agent has its own name for a type; a call that names none starts the
// client's default one, which no rule for a type covers.
#include <utility>

#include "effects/subject.h"

namespace tollgate {

void read_agent_call(const Subject& subject, Effects& out) {
  const std::string_view names = main_names(subject.call);
  const InputField field = field_of(subject.call.input, names);
  Effect effect;
  effect.kind = EffectKind::kAgent;
  if (names.empty()) effect.target = subject.call.native_tool;
  if (field.value != nullptr && field.value->is_string()) {
    effect.target = field.value->as_string();
    effect.span = whole(effect.target);
  }
  out.push_back(std::move(effect));
  const bool odd = field.value != nullptr && !field.value->is_null() && !field.value->is_string();
  if (odd) out.push_back(unknown_field(names, field));
}

}  // namespace tollgate
