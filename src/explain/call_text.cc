// Finds a tool's main field: by the table of tools, or by its declaration.
// A tool without effects of its own takes no text at all.
#include "explain/call_text.h"

#include <utility>

#include "base/text.h"
#include "core/tool_table.h"
#include "json/json.h"

namespace tollgate {
namespace {

// The names the main field may have, first choice first; "" when there is none.
std::string main_names(std::string_view tool, std::span<const ToolDeclaration> declared,
                       std::string_view provider = "") {
  if (const ToolDeclaration* declaration = declaration_of(tool, declared))
    return declaration->arguments.size() == 1 ? declaration->arguments[0] : "";
  const ToolRow* row = tool_row(provider, tool);
  return row == nullptr ? "" : std::string(row->main);
}

std::unexpected<Error> bad_usage(std::string message, std::string hint) {
  return Fail(
      {.code = "bad-usage", .message = std::move(message), .hint = std::move(hint), .where = {}});
}

}  // namespace

Result<json::Value> input_of(std::string_view tool, std::string_view text,
                             std::span<const ToolDeclaration> declared) {
  const std::string names = main_names(tool, declared);
  const std::string field = names.substr(0, names.find(','));
  if (text.starts_with('{')) {
    Result<json::Value> value = json::parse(text);
    if (value) return std::move(*value);
    // `{ rm -rf /; }` and `{a,b}` are the tool's own text; what was meant as JSON is not.
    if (field.empty() || text.starts_with("{\""))
      return bad_usage(
          "the input of `" + shortened(tool) + "` is not JSON: " + value.error().message,
          value.error().hint);
  }
  json::Value input = json::Value::object();
  if (!is_valid_utf8(text)) return bad_usage("the text is not valid UTF-8", "write it in UTF-8");
  if (!field.empty())
    input.set(field, json::Value::string(std::string(text)));
  else if (!text.empty())
    return bad_usage("`" + shortened(tool) + "` has no main text",
                     "give its whole input as a JSON object, such as '{\"name\": \"value\"}'");
  return input;
}

ToolCall call_of(const std::string& tool, json::Value input) {
  ToolCall call;
  call.native_tool = tool;
  call.tool = canonical_tool("", tool);
  call.input = std::move(input);
  return call;
}

std::string main_field(const ToolCall& call, std::span<const ToolDeclaration> declared) {
  const std::string names = main_names(call.native_tool, declared, call.provider);
  for (const std::string_view name : split(names, ',')) {
    const json::Value* value = call.input.find(trim(name));
    if (value != nullptr && value->is_string()) return std::string(trim(name));
  }
  return "";
}

}  // namespace tollgate
