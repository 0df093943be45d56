// The suite's tools, one row each; those that need more than a fixed answer have a function.
#include "conformance/fixtures.h"

#include <algorithm>
#include <array>
#include <span>

#include "json/json.h"
#include "protocol/mcp_permission.h"
#include "protocol/mcp_tools.h"

namespace tollgate::conformance {
namespace {

constexpr std::string_view kNothing = R"({"type":"object","additionalProperties":false})";
constexpr std::string_view kPixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg"
    "==";
constexpr std::string_view kSound =
    "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";

constexpr std::string_view kSchema2020 = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "$defs": {"address": {"$anchor": "addressDef", "type": "object",
    "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
  "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"},
    "contactMethod": {"type": "string", "enum": ["phone", "email"]},
    "phone": {"type": "string"}, "email": {"type": "string"}},
  "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
  "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
  "then": {"required": ["phone"]}, "else": {"required": ["email"]},
  "additionalProperties": false
})";

struct ToolRow {
  std::string_view name;
  std::string_view schema = kNothing;
};

constexpr ToolRow kTools[] = {
    {"test_simple_text"},
    {"test_image_content"},
    {"test_audio_content"},
    {"test_embedded_resource"},
    {"test_multiple_content_types"},
    {"test_error_handling"},
    {"test_tool_with_progress"},
    {"test_tool_with_logging"},
    {"test_sampling",
     R"({"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]})"},
    {"test_elicitation",
     R"({"type":"object","properties":{"message":{"type":"string"}},"required":["message"]})"},
    {"json_schema_2020_12_tool", kSchema2020},
    {"test_x_mcp_header",
     R"({"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}},)"
     R"("required":["region"]})"},
    {"test_missing_capability"},
    {"test_streaming_elicitation"},
    {"test_logging_tool"},
    {"test_input_required_result_elicitation"},
    {"test_input_required_result_sampling"},
    {"test_input_required_result_list_roots"},
    {"test_input_required_result_request_state"},
    {"test_input_required_result_multiple_inputs"},
    {"test_input_required_result_multi_round"},
    {"test_input_required_result_tampered_state"},
    {"test_input_required_result_capabilities"},
};

// What is asked of the client in one round, by key.
struct InputRow {
  std::string_view tool;
  int round;
  std::string_view key;
  std::string_view method;
  std::string_view params;
  std::string_view answer;  // the member of the answer's content that has to be there; "" for any
};

constexpr std::string_view kAskName =
    R"({"message":"What is your name?","requestedSchema":{"type":"object",)"
    R"("properties":{"name":{"type":"string"}},"required":["name"]}})";
constexpr std::string_view kAskOk =
    R"({"message":"Please confirm","requestedSchema":{"type":"object",)"
    R"("properties":{"ok":{"type":"boolean"}},"required":["ok"]}})";
constexpr std::string_view kAskCapital =
    R"({"messages":[{"role":"user","content":{"type":"text",)"
    R"("text":"What is the capital of France?"}}],"maxTokens":100})";

constexpr std::string_view kElicit = "elicitation/create";
constexpr std::string_view kSample = "sampling/createMessage";
constexpr std::string_view kRoots = "roots/list";

constexpr InputRow kInputs[] = {
    {"test_input_required_result_elicitation", 1, "user_name", kElicit, kAskName, "name"},
    {"test_input_required_result_sampling", 1, "capital_question", kSample, kAskCapital, ""},
    {"test_input_required_result_list_roots", 1, "client_roots", kRoots, "{}", ""},
    {"test_input_required_result_request_state", 1, "confirm", kElicit, kAskOk, "ok"},
    {"test_input_required_result_multiple_inputs", 1, "user_name", kElicit, kAskName, "name"},
    {"test_input_required_result_multiple_inputs", 1, "greeting", kSample,
     R"({"messages":[{"role":"user","content":{"type":"text","text":"Generate a greeting"}}],)"
     R"("maxTokens":50})",
     ""},
    {"test_input_required_result_multiple_inputs", 1, "client_roots", kRoots, "{}", ""},
    {"test_input_required_result_multi_round", 1, "step1", kElicit,
     R"({"message":"Step 1: What is your name?","requestedSchema":{"type":"object",)"
     R"("properties":{"name":{"type":"string"}},"required":["name"]}})",
     "name"},
    {"test_input_required_result_multi_round", 2, "step2", kElicit,
     R"({"message":"Step 2: What is your favorite color?","requestedSchema":{"type":"object",)"
     R"("properties":{"color":{"type":"string"}},"required":["color"]}})",
     "color"},
    {"test_input_required_result_tampered_state", 1, "confirm", kElicit, kAskOk, "ok"},
    {"test_input_required_result_capabilities", 1, "user_name", kElicit, kAskName, "name"},
    {"test_input_required_result_capabilities", 1, "capital_question", kSample, kAskCapital, ""},
    {"test_streaming_elicitation", 1, "user_name", kElicit, kAskName, "name"},
    {"test_input_required_result_prompt", 1, "user_context", kElicit,
     R"({"message":"What context should the prompt use?","requestedSchema":{"type":"object",)"
     R"("properties":{"context":{"type":"string"}},"required":["context"]}})",
     "context"},
};

json::Value read(std::string_view text) { return json::parse(text).value_or(json::Value()); }

json::Value content(std::vector<json::Value> blocks) {
  return json::Value::object({{"content", json::Value::array(std::move(blocks))}});
}

json::Value text_block(std::string text) {
  return json::Value::object(
      {{"type", json::Value::string("text")}, {"text", json::Value::string(std::move(text))}});
}

json::Value media_block(std::string type, std::string_view bytes, std::string mime) {
  return json::Value::object({{"type", json::Value::string(std::move(type))},
                              {"data", json::Value::string(std::string(bytes))},
                              {"mimeType", json::Value::string(std::move(mime))}});
}

bool declares(const McpCall& call, std::string_view capability) {
  const json::Value* all = call.meta.find("io.modelcontextprotocol/clientCapabilities");
  return all != nullptr && all->find(capability) != nullptr;
}

std::string_view capability_of(std::string_view method) {
  return method.substr(0, method.find('/'));
}

// Fixed answers; nothing for a tool that has to do something.
std::optional<json::Value> fixed_answer(const std::string& tool) {
  if (tool == "test_simple_text") return text_result("This is a simple text response for testing.");
  if (tool == "test_image_content") return content({media_block("image", kPixel, "image/png")});
  if (tool == "test_audio_content") return content({media_block("audio", kSound, "audio/wav")});
  if (tool == "test_embedded_resource")
    return read(R"({"content":[{"type":"resource","resource":{"uri":"test://embedded-resource",)"
                R"("mimeType":"text/plain","text":"This is an embedded resource content."}}]})");
  if (tool == "test_multiple_content_types")
    return content(
        {text_block("Multiple content types test:"), media_block("image", kPixel, "image/png"),
         read(R"({"type":"resource","resource":{"uri":"test://mixed-content-resource",)"
              R"("mimeType":"application/json","text":"{\"test\":\"data\",\"value\":123}"}})")});
  if (tool == "test_error_handling")
    return error_result("This tool intentionally returns an error for testing");
  if (tool == "json_schema_2020_12_tool" || tool == "test_x_mcp_header" ||
      tool == "test_logging_tool")
    return text_result(tool + " was called");
  return std::nullopt;
}

Outcome with_progress(const McpCall& call, Line& line) {
  for (const std::int64_t done : {0, 50, 100}) {
    std::optional<json::Value> message = progress_message(call, done, "working");
    if (!message) continue;
    json::Value params = *message->find("params");
    params.set("total", json::Value::integer(100));
    line.tell(message->set("params", std::move(params)));
  }
  return text_result("The tool reported its progress.");
}

Outcome with_logging(Line& line) {
  for (const std::string_view text :
       {"Tool execution started", "Tool processing data", "Tool execution completed"})
    line.tell(
        notification("notifications/message",
                     json::Value::object({{"level", json::Value::string("info")},
                                          {"data", json::Value::string(std::string(text))}})));
  return text_result("The tool wrote three log messages.");
}

Outcome asked(Line& line, std::string_view method, json::Value params) {
  const std::optional<json::Value> answer = line.ask(method, std::move(params));
  if (!answer) return error_result("the client did not answer");
  return text_result("The client answered: " + json::write(*answer));
}

Outcome with_sampling(const McpCall& call, Line& line) {
  const json::Value* prompt = call.arguments.find("prompt");
  json::Value block = text_block(prompt == nullptr ? "" : prompt->as_string());
  json::Value message =
      json::Value::object({{"role", json::Value::string("user")}, {"content", std::move(block)}});
  return asked(line, kSample,
               json::Value::object({{"messages", json::Value::array({std::move(message)})},
                                    {"maxTokens", json::Value::integer(100)}}));
}

Outcome with_elicitation(const McpCall& call, Line& line) {
  const json::Value* message = call.arguments.find("message");
  json::Value params = read(R"({"message":"","requestedSchema":{"type":"object","properties":{)"
                            R"("username":{"type":"string","description":"User's response"},)"
                            R"("email":{"type":"string","description":"User's email address"}},)"
                            R"("required":["username","email"]}})");
  params.set("message", json::Value::string(message == nullptr ? "" : message->as_string()));
  return asked(line, kElicit, std::move(params));
}

// Whether the client's answer to a row is one: an accepted form with its member, or an object.
bool answers(const InputRow& row, const json::Value* responses) {
  const json::Value* answer = responses == nullptr ? nullptr : responses->find(row.key);
  if (answer == nullptr || !answer->is_object()) return false;
  if (row.answer.empty()) return true;
  const json::Value* given = answer->find("content");
  return given != nullptr && given->find(row.answer) != nullptr;
}

std::vector<InputRow> rows_of(const McpCall& call, int round) {
  std::vector<InputRow> out;
  for (const InputRow& row : kInputs)
    if (row.tool == call.tool && row.round == round && declares(call, capability_of(row.method)))
      out.push_back(row);
  return out;
}

json::Value finished(const McpCall& call) {
  if (call.method == "tools/call") return text_result("Thank you, that is all.");
  return read(R"({"messages":[{"role":"user","content":{"type":"text","text":"A prompt."}}]})");
}

// The call without what a client adds from round to round.
json::Value same_call(const McpCall& call) {
  return json::Value::object({{"method", json::Value::string(call.method)},
                              {"name", json::Value::string(call.tool)},
                              {"arguments", call.arguments}});
}

// The gate's own tools have nobody to ask here: the permission tool says no in its own words.
Outcome own_tool(const McpCall& call) {
  if (!is_permission_tool(call.tool)) return error_result("nobody answers here");
  const Result<HookRequest> request = decode_permission(call);
  if (!request) return refuse_permission(call, request.error());
  return encode_permission(permission_form(call), *request, Decision(), nullptr);
}

}  // namespace

McpServer plain_server() {
  return {.name = "tollgate-conformance",
          .version = "1.0.0",
          .instructions = {},
          .tools = session_tools(McpSessionKind::kParent),
          .ttl_ms = 0,
          .prompts = {},
          .logging = false};
}

McpServer fixture_server() {
  McpServer server = plain_server();
  server.prompts = {read(R"({"name":"test_input_required_result_prompt"})")};
  server.logging = true;
  for (const ToolRow& row : kTools)
    server.tools.push_back({.name = std::string(row.name),
                            .title = {},
                            .description = "A fixture of the conformance suite.",
                            .input_schema = read(row.schema),
                            .annotations = {}});
  return server;
}

Outcome Fixtures::run(const McpCall& call, Line& line) {
  if (std::optional<json::Value> fixed = fixed_answer(call.tool)) return std::move(*fixed);
  if (call.tool == "test_tool_with_progress") return with_progress(call, line);
  if (call.tool == "test_missing_capability" && !declares(call, "sampling"))
    return McpError{mcp_code::kMissingCapability, "the tool needs sampling",
                    read(R"({"requiredCapabilities":{"sampling":{}}})")};
  if (call.era == McpEra::kLegacy) {
    if (call.tool == "test_tool_with_logging") return with_logging(line);
    if (call.tool == "test_sampling") return with_sampling(call, line);
    if (call.tool == "test_elicitation") return with_elicitation(call, line);
  }
  const bool has_rows =
      std::ranges::any_of(kInputs, [&](const InputRow& row) { return row.tool == call.tool; });
  if (has_rows && call.era == McpEra::kModern) return with_input(call);
  return own_tool(call);
}

// Asks for what is missing, round after round. A state that is not ours ends it.
Outcome Fixtures::with_input(const McpCall& call) {
  const json::Value* state = call.params.find("requestState");
  const json::Value* responses = call.params.find("inputResponses");
  const json::Value about = same_call(call);
  const std::lock_guard lock(mutex_);
  int round = 1;
  if (state != nullptr) {
    const std::optional<int> known = states_.take(state->as_string(), about);
    if (!known) return McpError{mcp_code::kInvalidParams, "this state was not given for it", {}};
    round = *known;
  }
  std::vector<InputRow> rows = rows_of(call, round);
  if (std::ranges::all_of(rows, [&](const InputRow& row) { return answers(row, responses); })) {
    rows = rows_of(call, ++round);
    if (rows.empty()) return finished(call);
  }
  json::Value requests = json::Value::object();
  for (const InputRow& row : rows)
    requests.set(std::string(row.key),
                 json::Value::object({{"method", json::Value::string(std::string(row.method))},
                                      {"params", read(row.params)}}));
  return json::Value::object({{"resultType", json::Value::string("input_required")},
                              {"inputRequests", std::move(requests)},
                              {"requestState", json::Value::string(states_.give(round, about))}});
}

}  // namespace tollgate::conformance
