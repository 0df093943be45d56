// A Compiled as people and programs read it.
#pragma once

#include <string>

#include "json/value.h"
#include "native/client.h"

namespace tollgate::native {

enum class ShowFiles { kNames, kTexts };

// Who holds each rule, hard or soft, and the command line; the files where they were not written.
std::string report_text(const Compiled& compiled, std::string_view program, ShowFiles files);
json::Value report_json(const Compiled& compiled);

}  // namespace tollgate::native
