// A response as bytes.
// The connection knows how the request came, and says here how the answer must end.
// SAFETY: a header that would break the head apart is left out.
#pragma once

#include <cstdint>
#include <string>

#include "server/exchange.h"

namespace tollgate::server {

enum class BodyEnd {
  kLength,  // the body is whole, and its length is said
  kChunks,  // it comes in chunks
  kClose,   // it comes until the connection ends
};

struct ResponseShape {
  BodyEnd end = BodyEnd::kLength;
  bool keep_alive = true;
  bool head_only = false;  // the request was HEAD
};

// `now` in seconds since 1970, for `Date`.
void append_response(std::string& out, const Response& response, ResponseShape shape,
                     std::int64_t now);
void append_chunk(std::string& out, std::string_view piece);

std::string_view reason_phrase(int status);

}  // namespace tollgate::server
