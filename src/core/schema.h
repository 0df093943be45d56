// JSON Schemas (2020-12) of what goes in and out of the gate.
// Made from the same tables as the codec; the texts are kept in schema/ and a test compares them.
// To change one, change field_tables.h and write the new text into schema/.
#pragma once

#include <string>

namespace tollgate {

// Both end with a newline.
std::string tool_call_schema();
std::string decision_schema();

}  // namespace tollgate
