// The readings of a dotted argument name: `a.b` is a key of that name, or `b` inside `a`.
// The matcher and the index both take the readings from here, so that neither misses one.
// SAFETY: a tool may use any of them, so every one that the input holds counts.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tollgate {

// Calls each(member, rest of the name) for every member of `value` that the name may begin with.
template <class Each>
void each_reading(const json::Value& value, std::string_view name, const Each& each) {
  if (const json::Value* member = value.find(name)) each(*member, std::string_view());
  for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1))
    if (const json::Value* member = value.find(name.substr(0, dot)))
      each(*member, name.substr(dot + 1));
}

}  // namespace tollgate
