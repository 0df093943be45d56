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

// Takes the first name off a list with commas.
std::string_view take_name(std::string_view& names) {
  const std::size_t comma = std::min(names.find(','), names.size());
  const std::string_view name = trim(names.substr(0, comma));
  names.remove_prefix(std::min(comma + 1, names.size()));
  return name;
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
  out.reserve(3);  // most calls have no more
  row->read(subject, out);
  if (out.size() > kMaxEffects)
    out.push_back(unknown("more than " + std::to_string(kMaxEffects) + " effects"));
  return out;
}

InputField field_of(const json::Value& input, std::string_view names) {
  if (!may_have_field(input, names)) return {};
  while (!names.empty()) {
    const std::string_view name = take_name(names);
    if (name.empty()) continue;
    if (const json::Value* value = input.find(name)) return {name, value};
  }
  return {};
}

bool may_have_field(const json::Value& input, std::string_view names) {
  return std::ranges::any_of(input.members(), [&](const json::Value::Member& member) {
    return names.find(member.first) != names.npos;
  });
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

InputField only_field(const json::Value& input, std::string_view names) {
  InputField only;
  const auto& members = input.members();
  if (!names.empty() && members.size() == 1 && members[0].first == names)
    return {names, &members[0].second};
  while (!names.empty()) {
    const std::string_view name = take_name(names);
    const json::Value* value = name.empty() ? nullptr : input.find(name);
    if (value == nullptr) continue;
    if (only.value != nullptr) return {};
    only = {name, value};
  }
  return only;
}

std::vector<InputField> fields_of(const Subject& subject, std::string_view names, Effects& out) {
  std::vector<InputField> fields;
  while (!names.empty()) {
    const std::string_view name = take_name(names);
    const json::Value* value = name.empty() ? nullptr : subject.call.input.find(name);
    const bool said = value == nullptr || std::ranges::any_of(fields, [&](const InputField& field) {
                        return *field.value == *value;
                      });
    if (said) continue;
    if (!fields.empty())
      out.push_back(unknown("`" + std::string(fields[0].name) + "` and `" + std::string(name) +
                            "` say different things"));
    fields.push_back({name, value});
  }
  return fields;
}

std::vector<std::string_view> texts_of(const Subject& subject, std::string_view names,
                                       Effects& out) {
  const std::vector<InputField> fields = fields_of(subject, names, out);
  std::vector<std::string_view> texts;
  for (const InputField& field : fields) {
    if (field.value->is_string())
      texts.push_back(field.value->as_string());
    else
      out.push_back(unknown_field(names, field));
  }
  if (fields.empty()) out.push_back(unknown_field(names, {}));
  return texts;
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

void forget_spans(Effects& effects, std::size_t from) {
  for (Effect& effect : std::span(effects).subspan(from)) {
    effect.span = {};
    for (Word& word : effect.argv) word.span = {};
  }
}

}  // namespace tollgate
