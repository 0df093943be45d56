// Rows as the JSON text of a column, and back.
// A member that is missing has its default, so that rows written earlier can be read.
// INVARIANT: what is written reads back equal; text that is no UTF-8 stands as hexadecimal digits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/rows.h"

namespace tollgate::store {

std::string text_of(const Session& row);
std::string text_of(const Question& row);
std::string text_of(const Grant& row);
std::string text_of(const Credential& row);

// Nothing where the text is not such a row.
std::optional<Session> session_from(std::string_view text);
std::optional<Question> question_from(std::string_view text);
std::optional<Grant> grant_from(std::string_view text);
std::optional<Credential> credential_from(std::string_view text);
std::optional<json::Value> value_from(std::string_view text);

}  // namespace tollgate::store
