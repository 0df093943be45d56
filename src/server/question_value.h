// A question as people's screens get it.
#pragma once

#include "json/value.h"
#include "store/rows.h"

namespace tollgate::server {

// kBrief is for lists: no effects, no context, of the input the start of its main argument.
enum class View : std::uint8_t { kWhole, kBrief };

json::Value question_value(const store::Question& question, View view = View::kWhole);

std::string_view name(store::QuestionState state);
std::string_view name(store::Scope scope);

}  // namespace tollgate::server
