// Enter sends, except in a text of several lines, where Ctrl-D does.
#include "cli/top/form.h"

#include <algorithm>

#include "explain/layout.h"

namespace tollgate::cli::top {
namespace {

bool is_text(const Field& field) {
  return field.kind == FieldKind::kLine || field.kind == FieldKind::kText;
}

std::size_t before(const std::string& text, std::size_t at) {
  if (at == 0) return 0;
  std::size_t begin = at - 1;
  while (begin > 0 && at - begin < 4 && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80)
    --begin;
  return character_size(text, begin) == at - begin ? begin : at - 1;
}

std::size_t line_begin(const std::string& text, std::size_t at) {
  const std::size_t found = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  return found == std::string::npos ? 0 : found + 1;
}

std::size_t line_end(const std::string& text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

// To the same column of the line above or below; false where there is none.
bool move_line(Field& field, int by) {
  const std::string& text = field.text;
  const std::size_t begin = line_begin(text, field.at), column = field.at - begin;
  std::size_t other = 0;
  if (by < 0) {
    if (begin == 0) return false;
    other = line_begin(text, begin - 1);
  } else {
    const std::size_t end = line_end(text, field.at);
    if (end == text.size()) return false;
    other = end + 1;
  }
  const std::size_t end = line_end(text, other);
  field.at = other;
  while (field.at < end && field.at - other < column) field.at += character_size(text, field.at);
  field.at = std::min(field.at, end);
  return true;
}

void insert(Field& field, std::string text) {
  if (field.kind == FieldKind::kLine) std::ranges::replace(text, '\n', ' ');
  field.text.insert(field.at, text);
  field.at += text.size();
}

bool step_choice(Field& field, int by) {
  const std::size_t count = field.options.size();
  if (count == 0 || (by < 0 && field.chosen == 0) || (by > 0 && field.chosen + 1 >= count))
    return false;
  field.chosen = by < 0 ? field.chosen - 1 : field.chosen + 1;
  return true;
}

// Above and below a text of one line stand the texts that were offered for it.
bool offer(Field& field, int by) {
  if (!step_choice(field, by)) return false;
  field.text = field.options[field.chosen];
  field.at = field.text.size();
  return true;
}

// Whether the key was one for the text.
bool edit(Field& field, const Key& key) {
  switch (key.kind) {
    case KeyKind::kCharacter:
    case KeyKind::kPaste:
      insert(field, key.text);
      return true;
    case KeyKind::kEnter:
      if (field.kind != FieldKind::kText) return false;
      insert(field, "\n");
      return true;
    case KeyKind::kLeft:
      field.at = before(field.text, field.at);
      return true;
    case KeyKind::kRight:
      if (field.at < field.text.size()) field.at += character_size(field.text, field.at);
      return true;
    case KeyKind::kHome:
      field.at = line_begin(field.text, field.at);
      return true;
    case KeyKind::kEnd:
      field.at = line_end(field.text, field.at);
      return true;
    case KeyKind::kUp:
      return field.kind == FieldKind::kText ? move_line(field, -1) : offer(field, -1);
    case KeyKind::kDown:
      return field.kind == FieldKind::kText ? move_line(field, 1) : offer(field, 1);
    case KeyKind::kBackspace: {
      const std::size_t begin = before(field.text, field.at);
      field.text.erase(begin, field.at - begin);
      field.at = begin;
      return true;
    }
    case KeyKind::kDelete:
      if (field.at < field.text.size())
        field.text.erase(field.at, character_size(field.text, field.at));
      return true;
    case KeyKind::kClearLine: {
      const std::size_t begin = line_begin(field.text, field.at);
      field.text.erase(begin, field.at - begin);
      field.at = begin;
      return true;
    }
    default:
      return false;
  }
}

bool choose(Field& field, const Key& key) {
  if (key.kind == KeyKind::kUp || key.kind == KeyKind::kLeft || key.is('k'))
    return step_choice(field, -1) || key.kind != KeyKind::kUp;
  if (key.kind == KeyKind::kDown || key.kind == KeyKind::kRight || key.is('j'))
    return step_choice(field, 1) || key.kind != KeyKind::kDown;
  if (key.is(' ') && field.kind == FieldKind::kSeveral && field.chosen < field.ticked.size()) {
    field.ticked[field.chosen] = field.ticked[field.chosen] == 0 ? 1 : 0;
    return true;
  }
  if (key.kind == KeyKind::kCharacter && key.text >= "1" && key.text <= "9" &&
      key.text.size() == 1) {
    const auto number = static_cast<std::size_t>(key.text[0] - '1');
    if (number < field.options.size()) field.chosen = number;
    return true;
  }
  return key.kind == KeyKind::kCharacter || key.kind == KeyKind::kPaste;
}

void move(Form& form, int by) {
  const std::size_t count = form.fields.size();
  if (count > 0) form.active = (form.active + (by < 0 ? count - 1 : 1)) % count;
}

}  // namespace

std::string chosen_in(const Field& field) {
  return field.chosen < field.options.size() ? field.options[field.chosen] : "";
}

FormDone type(Form& form, const Key& key) {
  if (key.kind == KeyKind::kEscape) return FormDone::kCancel;
  if (form.waits) return FormDone::kNo;
  if (key.kind == KeyKind::kSend) return FormDone::kSend;
  if (key.kind == KeyKind::kTab || key.kind == KeyKind::kBackTab) {
    move(form, key.kind == KeyKind::kTab ? 1 : -1);
    return FormDone::kNo;
  }
  if (form.active < form.fields.size()) {
    Field& field = form.fields[form.active];
    if (is_text(field) ? edit(field, key) : choose(field, key)) return FormDone::kNo;
  }
  if (key.kind == KeyKind::kEnter) return FormDone::kSend;
  if (key.kind == KeyKind::kUp && form.active > 0) move(form, -1);
  if (key.kind == KeyKind::kDown && form.active + 1 < form.fields.size()) move(form, 1);
  return FormDone::kNo;
}

}  // namespace tollgate::cli::top
