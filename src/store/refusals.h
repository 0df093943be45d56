// The errors that a change can bring upon its batch, worded once for every kind of store.
// Nothing here is a failure of the store itself: that is store-unavailable, with other words each.
#pragma once

#include <string>

#include "base/error.h"

namespace tollgate::store {

inline Error already_answered(const std::string& question) {
  return {.code = "already-answered",
          .message = "the question `" + question + "` has its answer already",
          .hint = "read the answer that it has",
          .where = {}};
}

inline Error question_exists(const std::string& question) {
  return {.code = "already-answered",
          .message = "there is a question `" + question + "` already",
          .hint = "ask again with an id of its own",
          .where = {}};
}

inline Error link_spent() {
  return {.code = "link-spent",
          .message = "the link was used, is unknown or too old",
          .hint = "ask for a new link",
          .where = {}};
}

}  // namespace tollgate::store
