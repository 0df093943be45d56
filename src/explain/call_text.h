// A tool call as people write it: a tool's name and its main text, or its whole input as JSON.
// Used by eval, explain and the decision cases, so that all three read alike.
// What cannot be placed is an error: no field is guessed.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/span.h"
#include "core/tool_call.h"
#include "core/tool_declaration.h"

namespace tollgate {

// The input that `text` stands for: the object when it is a JSON object, else the tool's main
// field. Error: bad-usage for a tool without a main field, or what begins as an object and is none.
Result<json::Value> input_of(std::string_view tool, std::string_view text,
                             std::span<const ToolDeclaration> declared);

// The call of that tool; tool names are native or canonical.
ToolCall call_of(const std::string& tool, json::Value input);

// The field whose text spans are about, "" when the call has none.
std::string main_field(const ToolCall& call, std::span<const ToolDeclaration> declared);

}  // namespace tollgate
