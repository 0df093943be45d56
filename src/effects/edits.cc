// Tools that change one file, with the new text where the call carries it.
// A tool whose row names no path field carries a patch instead.
// All the text that a call could write is kept: a secret may stand in any piece of it.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "effects/paths.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

// How clients call new text, whatever the tool's own row says.
constexpr std::string_view kNewNames =
    "content,contents,text,new_text,newText,new_string,newString,new_str,edits,edit,changes";
// What stands beside new text and is taken away by the edit.
constexpr std::string_view kOldNames =
    "old_string,oldString,old_str,oldStr,oldText,old_text,old,TargetContent";

bool is_among(std::string_view names, std::string_view name) {
  return std::ranges::any_of(split(names, ','),
                             [&](std::string_view part) { return trim(part) == name; });
}

// Every string below the value. The parser bounds how deep a value is.
void add_text(const json::Value& value, std::string& out) {
  for (const json::Value& item : value.items()) add_text(item, out);
  for (const auto& [name, member] : value.members())
    if (!is_among(kOldNames, name)) add_text(member, out);
  if (!value.is_string()) return;
  if (!out.empty()) out += '\n';
  out += value.as_string();
}

// The patch itself, or the second word of [apply_patch, text].
const std::string* patch_text(const json::Value& value) {
  if (value.is_string()) return &value.as_string();
  const auto& words = value.items();
  const bool command = words.size() == 2 && words[0].is_string() &&
                       words[0].as_string() == "apply_patch" && words[1].is_string();
  return command ? &words[1].as_string() : nullptr;
}

void read_patch_call(const Subject& subject, Effects& out) {
  const std::string_view names = text_names(subject.call);
  const std::vector<InputField> fields = fields_of(subject, names, out);
  for (const InputField& field : fields) {
    const std::size_t before = out.size();
    if (const std::string* text = patch_text(*field.value))
      read_patch(subject, *text, out);
    else
      out.push_back(unknown_field(names, field));
    if (&field != &fields.front()) forget_spans(out, before);
  }
  if (fields.empty()) out.push_back(unknown_field(names, {}));
}

}  // namespace

std::string new_text(const json::Value& input, std::string_view names) {
  std::string text;
  for (const auto& [name, value] : input.members())
    if (is_among(names, name) || is_among(kNewNames, name)) add_text(value, text);
  return text;
}

void read_edit_call(const Subject& subject, Effects& out) {
  const std::string_view names = main_names(subject.call);
  if (names.empty()) return read_patch_call(subject, out);
  const std::vector<std::string_view> paths = texts_of(subject, names, out);
  for (const std::string_view path : paths) {
    add_placed(subject, EffectKind::kWrite, path, out);
    out.back().text = new_text(subject.call.input, text_names(subject.call));
    if (path != paths.front()) out.back().span = {};
  }
}

}  // namespace tollgate
