// What a reader of one kind of tool is given, and the few questions all of them ask of a call.
// kReaders in effects.cc picks the reader; each adds what it finds to the effects.
// SAFETY: a field that is missing or of the wrong type becomes an Unknown, never silence.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/effect.h"
#include "core/tool_call.h"
#include "core/tool_declaration.h"
#include "core/tool_table.h"
#include "json/value.h"

namespace tollgate {

// Lives only while effects_of runs; everything it points at is the caller's.
struct Subject {
  const ToolCall& call;
  std::span<const ToolDeclaration> declared;
  std::string_view home;
};

// The first of the comma separated `names` that the input has; value is null when it has none.
struct InputField {
  std::string_view name;
  const json::Value* value = nullptr;
};
InputField field_of(const json::Value& input, std::string_view names);
// A quick no for most names: no field of the input could have one of them.
bool may_have_field(const json::Value& input, std::string_view names);

// The one of `names` that the input has, where it has no other of them.
InputField only_field(const json::Value& input, std::string_view names);
// Every one of `names` that the input has, each value once, the client's first choice first.
// SAFETY: where they differ an Unknown is added, because one of them is there to mislead somebody.
std::vector<InputField> fields_of(const Subject& subject, std::string_view names, Effects& out);

// What the table says of the call's tool: the provider's row, else that of the canonical name;
// nothing for tools of servers and applications.
const ToolRow* row_of(const ToolCall& call);
// The names of the tool's main field, and of its field with new text; "" when it has none.
std::string_view main_names(const ToolCall& call);
std::string_view text_names(const ToolCall& call);

Effect unknown(std::string why, Span span = {});
// The Unknown for a field that is not there, or is no string.
Effect unknown_field(std::string_view names, const InputField& field);

// The texts of the fields called by one of `names`, which are one text in an honest call. Where
// there is none, where one is no string, or where they differ, an Unknown is added.
std::vector<std::string_view> texts_of(const Subject& subject, std::string_view names,
                                       Effects& out);

// All of a text.
Span whole(std::string_view text);
// Spans are places in the first text of the main field: effects from any other text have none.
void forget_spans(Effects& effects, std::size_t from);

// One reader for each kind of tool; each is a file of that name.
void read_shell_call(const Subject& subject, Effects& out);
void read_shell_input(const Subject& subject, Effects& out);
void read_file_call(const Subject& subject, Effects& out);
void read_list_call(const Subject& subject, Effects& out);
void read_edit_call(const Subject& subject, Effects& out);
void read_fetch_call(const Subject& subject, Effects& out);
void read_search_call(const Subject& subject, Effects& out);
void read_agent_call(const Subject& subject, Effects& out);
void read_mcp_call(const Subject& subject, Effects& out);
void read_app_call(const Subject& subject, Effects& out);

// Shared between readers of tools that carry the same thing.
struct ShellText {
  std::string_view text;
  std::span<const std::string> directories;  // where it may run; "" for one that is not known
  std::string_view home;
};
void read_shell_text(const ShellText& shell, Effects& out);
void read_argv(std::span<const std::string> argv, const ShellText& shell, Effects& out);
// A path as a file tool writes it; an Unknown where it cannot be placed. Adds exactly one effect.
void add_placed(const Subject& subject, EffectKind kind, std::string_view written, Effects& out);
void read_patch(const Subject& subject, std::string_view text, Effects& out);
// All new text in the fields called by one of `names` or by any name that clients use for it.
std::string new_text(const json::Value& input, std::string_view names);
void read_url(std::string_view url, Span span, Effects& out);
// What the tool's declaration says it does; false when there is none or it says nothing.
bool read_declared(const Subject& subject, Effects& out);

}  // namespace tollgate
