// Picks the reader of a call's tool, and makes sure that no call leaves without an answer.
// To add a kind of tool: its file, a line in subject.h, a row in kReaders, a table in its test.
// INVARIANT: only a listed helper has no effects by its kind alone.
#include "effects/effects.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/text.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

void read_helper_call(const Subject&, Effects&) {}

void read_person_call(const Subject& subject, Effects& out) {
  Effect effect;
  effect.kind = EffectKind::kPerson;
  effect.target = subject.call.tool;
  out.push_back(std::move(effect));
}

struct ReaderRow {
  ToolKind kind;
  void (*read)(const Subject&, Effects&);
};

constexpr ReaderRow kReaders[] = {
    {ToolKind::kShell, read_shell_call},        // a command, as text or as an argv
    {ToolKind::kShellInput, read_shell_input},  // keys for a running process
    {ToolKind::kRead, read_file_call},          // one file
    {ToolKind::kList, read_list_call},          // a tree
    {ToolKind::kEdit, read_edit_call},          // new text, or a patch
    {ToolKind::kFetch, read_fetch_call},        // a URL
    {ToolKind::kSearch, read_search_call},      // words for a search service
    {ToolKind::kAgent, read_agent_call},        // another agent
    {ToolKind::kHelper, read_helper_call},      // nothing
    {ToolKind::kPerson, read_person_call},      // a question
    {ToolKind::kMcp, read_mcp_call},            // a server's tool
    {ToolKind::kApp, read_app_call},            // an application's tool
    {ToolKind::kOther, read_app_call},          // a name that stands in no table
};

}  // namespace

Effects effects_of(const ToolCall& call, std::span<const ToolDeclaration> declared,
                   std::string_view home) {
  const Subject subject{call, declared, home};
  Effects out;
  if (!call.input.is_object()) {
    out.push_back(unknown("the input of the call is not an object"));
    return out;
  }
  const ToolKind kind = kind_of(call.tool);
  const auto* row = std::ranges::find(kReaders, kind, &ReaderRow::kind);
  if (row == std::end(kReaders)) {
    out.push_back(unknown("nothing is known about this tool"));
    return out;
  }
  row->read(subject, out);
  if (out.size() > kMaxEffects)
    out.push_back(unknown("more than " + std::to_string(kMaxEffects) + " effects"));
  return out;
}

InputField field_of(const json::Value& input, std::string_view names) {
  for (const std::string_view part : split(names, ',')) {
    const std::string_view name = trim(part);
    if (name.empty()) continue;
    if (const json::Value* value = input.find(name)) return {name, value};
  }
  return {};
}

const ToolRow* row_of(const ToolCall& call) {
  const ToolRow* row = tool_row(call.provider, call.native_tool);
  if (row != nullptr && row->canonical == call.tool) return row;
  return tool_row("", call.tool);
}

std::string_view main_names(const ToolCall& call) {
  const ToolRow* row = row_of(call);
  return row == nullptr ? "" : row->main;
}

std::string_view text_names(const ToolCall& call) {
  const ToolRow* row = row_of(call);
  return row == nullptr ? "" : row->text;
}

std::optional<std::string_view> text_of(const Subject& subject, std::string_view names,
                                        Effects& out) {
  const InputField field = field_of(subject.call.input, names);
  if (field.value == nullptr || !field.value->is_string()) {
    out.push_back(unknown_field(names, field));
    return std::nullopt;
  }
  for (const std::string_view name : split(names, ',')) {
    const json::Value* other = subject.call.input.find(trim(name));
    if (other == nullptr || *other == *field.value) continue;
    out.push_back(unknown("`" + std::string(field.name) + "` and `" + std::string(trim(name)) +
                          "` say different things"));
  }
  return field.value->as_string();
}

Effect unknown(std::string why, Span span) {
  Effect effect;
  effect.kind = EffectKind::kUnknown;
  effect.why = std::move(why);
  effect.span = span;
  return effect;
}

Effect unknown_field(std::string_view names, const InputField& field) {
  if (field.value != nullptr) return unknown("`" + std::string(field.name) + "` is not a string");
  return unknown("there is no `" + std::string(names.substr(0, names.find(','))) + "`");
}

Span whole(std::string_view text) { return {0, static_cast<std::uint32_t>(text.size())}; }

}  // namespace tollgate
