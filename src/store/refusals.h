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

// SAFETY: a row without its link in the chain is not kept.
inline Error no_digest() {
  return {.code = "store-unavailable",
          .message = "no digest could be made of what is to be written",
          .hint = "look whether the cryptographic library is whole; it goes on by itself",
          .where = {}};
}

}  // namespace tollgate::store
