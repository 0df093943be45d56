// What MCP asks of a request's headers: which one there is, what the client takes, whether a header
// says the same as the body.
// Only the MCP files of this room use it.
// SAFETY: a header that stands twice is never taken for one of the two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "json/value.h"
#include "protocol/mcp.h"

namespace tollgate {

struct HeaderValue {
  enum class Count : std::uint8_t { kNone, kOne, kMore };
  Count count = Count::kNone;
  std::string text;  // of kOne, without blanks around it

  bool missing() const { return count == Count::kNone; }
  bool says(std::string_view wanted) const { return count == Count::kOne && text == wanted; }
};

HeaderValue header_of(const HttpIn& in, std::string_view lower_name);

// Which of the two forms of an answer the client takes; without the header it takes both.
struct Accepted {
  bool json = false;
  bool events = false;
};
Accepted accepted_by(const HttpIn& in);

bool is_json_body(const HttpIn& in);

// A value that may be written `=?base64?…?=`. Nothing where that is not base64 of UTF-8, or where
// it holds what a header may not.
std::optional<std::string> decoded_header(std::string_view text);

// Whether the `Mcp-Param-…` headers say what the arguments say, for each property of the schema
// with an `x-mcp-header`; the name of the first header that does not, "" where all do.
std::string mismatched_parameter(const HttpIn& in, const json::Value& schema,
                                 const json::Value& arguments);

}  // namespace tollgate
