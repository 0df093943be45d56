// Tools that change one file, with the new text where the call carries it.
// A tool whose row names no path field carries a patch instead.
// All the text that a call could write is kept: a secret may stand in any piece of it.
#include <utility>

#include "base/text.h"
#include "effects/paths.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

// How clients call the new text inside a list of edits.
constexpr std::string_view kPieceNames =
    "new_string,newString,new_str,newText,new_text,new,ReplacementContent,text,content";

void add_text(const json::Value& value, std::string& out) {
  if (value.is_array()) {
    for (const json::Value& item : value.items()) add_text(item, out);
    return;
  }
  if (value.is_object()) {
    for (const std::string_view name : split(kPieceNames, ','))
      if (const json::Value* piece = value.find(name); piece != nullptr && piece->is_string())
        add_text(*piece, out);
    return;
  }
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
  const InputField field = field_of(subject.call.input, names);
  const std::string* text = field.value == nullptr ? nullptr : patch_text(*field.value);
  if (text == nullptr) return out.push_back(unknown_field(names, field));
  read_patch(subject, *text, out);
}

}  // namespace

void read_edit_call(const Subject& subject, Effects& out) {
  const std::string_view names = main_names(subject.call);
  if (names.empty()) return read_patch_call(subject, out);
  const auto path = text_of(subject, names, out);
  if (!path) return;
  add_placed(subject, EffectKind::kWrite, *path, out);
  for (const std::string_view name : split(text_names(subject.call), ',')) {
    if (name.empty()) continue;
    if (const json::Value* value = subject.call.input.find(trim(name)))
      add_text(*value, out.back().text);
  }
}

}  // namespace tollgate
