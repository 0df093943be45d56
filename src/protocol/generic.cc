// Reads and writes the plain dialect; the members it knows are one table.
// Effects and decisions are written by core's codec, so that records and answers look alike.
// A number as an id keeps its type in the answer and is text in the call.
#include "protocol/generic.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/edit_distance.h"
#include "core/codec.h"
#include "core/mode.h"
#include "core/tool_table.h"
#include "json/json.h"
#include "protocol/payload.h"

namespace tollgate {
namespace {

// Members whose value is a string that the call keeps as it is.
struct TextMember {
  std::string_view name;
  std::string ToolCall::* place;
};

constexpr TextMember kTextMembers[] = {
    {"tool", &ToolCall::native_tool},     {"cwd", &ToolCall::cwd},
    {"agent", &ToolCall::agent},          {"mode", &ToolCall::client_mode},
    {"provider", &ToolCall::provider},    {"session", &ToolCall::session},
    {"reason", &ToolCall::stated_reason},
};

constexpr std::array<std::string_view, 9> kNames = {
    "tool", "input", "cwd", "agent", "mode", "id", "provider", "session", "reason",
};

bool is_id(const json::Value& value) {
  return value.is_string() || value.kind() == json::Kind::kNumber;
}

Result<void> read_member(const std::string& name, const json::Value& value, ToolCall& call) {
  const auto* row = std::ranges::find(kTextMembers, std::string_view(name), &TextMember::name);
  if (row != std::end(kTextMembers)) {
    if (!value.is_string())
      return malformed("`" + name + "` is not a string", "send `" + name + "` as a string");
    call.*(row->place) = value.as_string();
    return {};
  }
  if (name == "input") {
    if (!value.is_object())
      return malformed("`input` is not an object", "send the tool's arguments as an object");
    call.input = value;
    return {};
  }
  if (name == "id") {
    if (!is_id(value))
      return malformed("`id` is neither a string nor a number", "send `id` as a string");
    call.id = value.is_string() ? value.as_string() : value.number_text();
    return {};
  }
  return malformed("unknown member `" + name + "`", did_you_mean(name, "members", kNames));
}

Result<void> check(const ToolCall& call, bool has_mode) {
  if (call.native_tool.empty())
    return malformed("there is no `tool`", "name the tool that is called");
  if (!call.input.is_object())
    return malformed("there is no `input`", "send the tool's arguments as an object");
  const bool placed =
      call.cwd.empty() || (call.cwd[0] == '/' && call.cwd.find('\0') == std::string::npos);
  if (!placed)
    return malformed("`cwd` is not an absolute path", "send the whole path, from `/` on");
  if (has_mode && !mode_named(call.client_mode))
    return malformed("unknown mode `" + call.client_mode + "`",
                     did_you_mean(call.client_mode, "modes", mode_names()));
  return {};
}

}  // namespace

Result<ToolCall> decode_generic(std::string_view text) {
  const Result<json::Value> value = json::parse(text, {.max_bytes = kMaxCallBytes});
  if (!value) {
    Error error = value.error();
    error.code = "malformed-call";
    return Fail(std::move(error));
  }
  if (!value->is_object())
    return malformed("the call is not an object", R"(send {"tool": …, "input": {…}})");
  ToolCall call;
  for (const auto& [name, member] : value->members())
    if (Result<void> read = read_member(name, member, call); !read)
      return Fail(std::move(read).error());
  if (Result<void> sound = check(call, value->find("mode") != nullptr); !sound)
    return Fail(std::move(sound).error());
  call.tool = canonical_tool(call.provider, call.native_tool);
  return call;
}

json::Value generic_id(std::string_view text) {
  const Result<json::Value> value = json::parse(text, {.max_bytes = kMaxCallBytes});
  if (!value) return {};
  const json::Value* id = value->find("id");
  return id != nullptr && is_id(*id) ? *id : json::Value();
}

std::string encode_generic(const json::Value& id, const Decision& decision,
                           const Effects& effects) {
  json::Value out = json::Value::object();
  if (!id.is_null()) out.set("id", id);
  const json::Value decided = to_json(decision);
  for (const auto& [name, member] : decided.members()) out.set(name, member);
  out.set("effects", to_json(effects));
  return json::write(out);
}

}  // namespace tollgate
