// A form: its title, a field below the other, and what the gate said about it.
// Whatever somebody typed or an agent wrote goes through text_lines(), also in the field.
#include <algorithm>

#include "cli/top/draw.h"
#include "cli/top/text_lines.h"
#include "explain/layout.h"

namespace tollgate::cli::top {
namespace {

using Lines = std::vector<Line>;

// Where the cursor comes to lie: after the text before it, laid out by itself.
Spot spot_of(const Field& field, const TextOptions& options, std::size_t first_row) {
  const Lines before = text_lines(std::string_view(field.text).substr(0, field.at), options);
  const std::size_t column = std::min(columns_of(before.back()), options.width - 1);
  return {static_cast<int>(first_row + before.size() - 1), static_cast<int>(column)};
}

void add_text(Lines& out, const Field& field, bool active, std::size_t width,
              std::optional<Spot>& cursor) {
  TextOptions options;
  options.width = width - 1;
  options.first = options.rest = {{active ? " ▏" : "  ", Style::kKey}};
  if (active) cursor = spot_of(field, options, out.size());
  for (Line& line : text_lines(field.text, options)) out.push_back(std::move(line));
}

void add_options(Lines& out, const Field& field, bool active, std::size_t width,
                 std::optional<Spot>& cursor) {
  for (std::size_t i = 0; i < field.options.size(); ++i) {
    const bool chosen = i == field.chosen;
    if (active && chosen) cursor = Spot{static_cast<int>(out.size()), 1};
    Line line = {{active && chosen ? " ▸ " : "   ", Style::kKey}};
    const bool several = field.kind == FieldKind::kSeveral;
    const bool on = several ? field.ticked[i] != 0 : chosen;
    add(line, several ? (on ? "[x] " : "[ ] ") : (on ? "(•) " : "( ) "),
        on ? Style::kAllow : Style::kFaint);
    for (const Piece& piece : painted(field.options[i], on ? Style::kStrong : Style::kPlain))
      add(line, piece.text, piece.style);
    if (i < field.remarks.size() && !field.remarks[i].empty()) {
      add(line, "  ");
      for (const Piece& piece : painted(field.remarks[i], Style::kFaint, Manner::kProse))
        add(line, piece.text, piece.style);
    }
    out.push_back(fitted(line, width));
  }
}

// A choice among a few words stands in one line; options that say more have a line each.
bool is_short(const Field& field) {
  std::size_t length = 0;
  for (const std::string& option : field.options) length += columns(option) + 6;
  return field.kind == FieldKind::kChoice && field.remarks.empty() && length < 64;
}

void add_short(Lines& out, const Field& field, bool active, std::size_t width,
               std::optional<Spot>& cursor) {
  Line line = {{active ? " ▸ " : "   ", Style::kKey}};
  add(line, padded(visible(field.label), 12), Style::kFaint);
  if (active) cursor = Spot{static_cast<int>(out.size()), 1};
  for (std::size_t i = 0; i < field.options.size(); ++i) {
    const bool on = i == field.chosen;
    add(line, on ? "(•) " : "( ) ", on ? Style::kAllow : Style::kFaint);
    add(line, visible(field.options[i]) + "  ", on ? Style::kStrong : Style::kPlain);
  }
  out.push_back(fitted(line, width));
}

}  // namespace

std::vector<Line> form_lines(const Form& form, std::size_t width, std::optional<Spot>& cursor) {
  Lines out;
  out.push_back(fitted({{" " + visible(form.title), Style::kTitle}}, width));
  for (std::size_t i = 0; i < form.fields.size(); ++i) {
    const Field& field = form.fields[i];
    const bool active = i == form.active;
    if (is_short(field)) {
      add_short(out, field, active, width, cursor);
      continue;
    }
    TextOptions label;
    label.width = width - 1;
    label.style = Style::kFaint;
    label.manner = Manner::kProse;
    label.first = label.rest = {{" ", Style::kPlain}};
    for (Line& line : text_lines(field.label, label)) out.push_back(std::move(line));
    if (field.kind == FieldKind::kLine || field.kind == FieldKind::kText) {
      add_text(out, field, active, width, cursor);
      if (active && field.options.size() > 1)
        out.push_back(
            fitted({{"   ↑↓ " + std::to_string(field.chosen + 1) + " of " +
                         std::to_string(field.options.size()) + " suggestions, narrowest first",
                     Style::kFaint}},
                   width));
      for (const std::string& remark : field.remarks) {
        Line line = {{"   · ", Style::kFaint}};
        for (const Piece& piece : painted(remark, Style::kPlain))
          add(line, piece.text, piece.style);
        out.push_back(fitted(line, width));
      }
    } else {
      add_options(out, field, active, width, cursor);
    }
  }
  for (const std::string& note : form.notes)
    if (!note.empty()) out.push_back(fitted({{" " + visible(note), Style::kAsk}}, width));
  if (form.waits) out.push_back({{" sending …", Style::kFaint}});
  if (form.waits) cursor.reset();
  return out;
}

}  // namespace tollgate::cli::top
