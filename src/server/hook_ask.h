// The mark of a question that only a hook asks: we allow the call, and the reasons are what came
// over the local socket.
// SAFETY: any program of the same user may send there, so that those words may be an agent's.
#pragma once

#include <string>

#include "store/rows.h"

namespace tollgate::server {

inline void mark_hook_asks(store::Question& question) {
  question.context.set("hookAsks", json::Value::boolean(true));
}

inline bool is_hook_asking(const store::Question& question) {
  return question.context.find("hookAsks") != nullptr;
}

}  // namespace tollgate::server
