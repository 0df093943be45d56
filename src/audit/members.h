// Members of a record as the chain's own rows, heads and exports have them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/value.h"

namespace tollgate {

// A number from 0; -1 where there is none.
std::int64_t integer_in(const json::Value& object, std::string_view name);
// "" where there is none.
std::string text_in(const json::Value& object, std::string_view name);

}  // namespace tollgate
