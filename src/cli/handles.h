// Sessions as commands name them: by handles. An id is a secret, and what stands in arguments or
// scrolls by on a terminal is read by others.
#pragma once

#include <string>

#include "base/result.h"
#include "json/value.h"

namespace tollgate::cli {

// A session that was named in an argument. Error: bad-usage, where it is an id.
Result<void> check_handle(const std::string& word);

// The handle of a text that is a session's id; any other text as it is.
std::string without_id(const std::string& text);

// What the daemon said, for a terminal or a file: handles in place of the ids of sessions. The
// input of a call stays as the agent wrote it.
json::Value without_ids(const json::Value& value);
std::string json_line(const json::Value& value);  // the same, as a line

}  // namespace tollgate::cli
