// What an agent said last, out of the file that its client keeps: for the people who answer.
// SAFETY: the path is the client's word. Only a file of this user that reads as a transcript is
// shown, a bounded part of it, and to people only.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace tollgate::server {

// The path that a hook's payload names, "" for none.
std::string transcript_in(std::string_view payload);

// The last five messages, oldest first: [{"role", "text"}]; null where nothing can be read. Slow.
json::Value last_messages(const std::string& file);

}  // namespace tollgate::server
