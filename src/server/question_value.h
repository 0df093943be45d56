// A question as people's screens get it.
#pragma once

#include "json/value.h"
#include "store/rows.h"

namespace tollgate::server {

json::Value question_value(const store::Question& question);

std::string_view name(store::QuestionState state);
std::string_view name(store::Scope scope);

}  // namespace tollgate::server
