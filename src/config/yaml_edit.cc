// Edits of block lists and block mappings, and the lines they are made of.
// New text goes directly below the last line of what it belongs to, so comments that follow stay
// behind it; a comment at the end of a line goes with its line.
// INVARIANT: an item that was put in and taken out again leaves the bytes as they were.
#include "config/yaml_edit.h"

#include <algorithm>

namespace tollgate::config {
namespace {

constexpr auto kNone = std::string::npos;

std::size_t line_begin(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? kNone : text.rfind('\n', at - 1);
  return before == kNone ? 0 : before + 1;
}

// The line break of the line of `at`; the last line has none and does as the first.
std::string line_break_at(std::string_view text, std::size_t at) {
  std::size_t end = text.find('\n', at);
  if (end == kNone) end = text.find('\n');
  return end != kNone && end > 0 && text[end - 1] == '\r' ? "\r\n" : "\n";
}

// Where a key begins, its quote included.
std::size_t key_begin(const Document& document, const Node& key) {
  const std::string& text = document.text();
  const bool quoted =
      !key.plain && key.offset > 0 && (text[key.offset - 1] == '"' || text[key.offset - 1] == '\'');
  return quoted ? key.offset - 1 : key.offset;
}

// Looks for the first mapping and the first list that stand below a key.
void look(const Document& document, const Node& node, std::size_t& step, std::size_t& list) {
  if (!node.is_mapping() || is_flow(document, node)) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& value = node.items[i];
    if (value.is_scalar() || is_flow(document, value)) continue;
    const std::size_t own = column_of(document.text(), key_begin(document, node.keys[i]));
    const std::size_t inner = column_of(document.text(), value.offset);
    std::size_t& found = value.is_mapping() ? step : list;
    if (found == kNone && inner >= own && inner - own <= 16) found = inner - own;
    look(document, value, step, list);
  }
}

Indents indents_of(const Document& document) {
  std::size_t step = kNone, list = kNone;
  look(document, document.root(), step, list);
  Indents indents;
  if (step != kNone && step > 0) indents.step = step;
  indents.list = list != kNone ? list : indents.step;
  return indents;
}

// The dash of each item: the first thing behind the item before it that is no comment.
std::size_t dash_of(const Document& document, const Node& list, std::size_t index) {
  if (index == 0) return list.offset;
  const std::string& text = document.text();
  std::size_t at = text.find('\n', list.items[index - 1].end);
  while (at != kNone) {
    const std::size_t solid = text.find_first_not_of(" \t\r\n", at);
    if (solid == kNone || text[solid] != '#') return solid;
    at = text.find('\n', solid);
  }
  return kNone;
}

// How many blanks stand behind the dash.
std::size_t gap_behind(std::string_view text, std::size_t dash) {
  const std::size_t solid = text.find_first_not_of(' ', dash + 1);
  const bool usual = solid != kNone && text[solid] != '#' && text[solid] > ' ';
  return usual && solid - dash <= 16 ? solid - dash - 1 : 1;
}

// Where the value of a key begins, which is behind its colon; nothing for rare forms.
std::size_t behind_colon(const Document& document, const Node& key) {
  const std::string& text = document.text();
  const std::size_t colon = text.find_first_not_of(' ', key.end);
  return colon != kNone && text[colon] == ':' ? colon + 1 : kNone;
}

}  // namespace

std::string with_cuts(std::string text, std::vector<Cut> cuts) {
  std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) { return a.begin > b.begin; });
  for (const Cut& cut : cuts) text.replace(cut.begin, cut.end - cut.begin, cut.text);
  return text;
}

std::size_t column_of(std::string_view text, std::size_t at) { return at - line_begin(text, at); }

Cut lines_below(std::string_view text, std::size_t at, const std::vector<std::string>& lines) {
  const std::string line_break = line_break_at(text, at);
  const std::size_t end = text.find('\n', at);
  const bool complete = text.empty() || (at == text.size() && text.ends_with('\n'));
  // A last line without a line break stays one: the new last line has none either.
  const bool before = end == kNone && !complete;
  Cut cut{end == kNone ? text.size() : end + 1, end == kNone ? text.size() : end + 1, ""};
  for (const std::string& line : lines) cut.text += before ? line_break + line : line + line_break;
  return cut;
}

Cut lines_gone(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t last = text.find('\n', end);
  Cut cut{line_begin(text, begin), last == kNone ? text.size() : last + 1, ""};
  if (last != kNone || cut.begin == 0) return cut;
  --cut.begin;
  if (cut.begin > 0 && text[cut.begin - 1] == '\r') --cut.begin;
  return cut;
}

bool is_flow(const Document& document, const Node& node) {
  const std::string& text = document.text();
  return !node.is_scalar() && node.offset < text.size() &&
         (text[node.offset] == '[' || text[node.offset] == '{');
}

YamlPlace place_in(const Document& document, const Node& node) {
  return is_flow(document, node) ? YamlPlace::kFlow : YamlPlace::kBlock;
}

std::string with_item(const Document& document, const Node& list, const Node& item) {
  const std::string& text = document.text();
  if (is_flow(document, list)) return with_flow_piece(document, list, flow_text(item));
  if (list.items.empty()) return text;
  const std::size_t dash = dash_of(document, list, list.items.size() - 1);
  if (dash == kNone) return text;
  const std::string line = std::string(column_of(text, list.offset), ' ') + "-" +
                           std::string(gap_behind(text, dash), ' ') + flow_text(item);
  return with_cuts(text, {lines_below(text, list.items.back().end, {line})});
}

std::string without_item(const Document& document, const Node& mapping, std::size_t key,
                         std::size_t index) {
  const std::string& text = document.text();
  const Node& list = mapping.items[key];
  if (is_flow(document, list)) return without_flow_piece(document, list, index);
  const std::size_t dash = dash_of(document, list, index);
  if (dash == kNone || text.find_first_not_of(' ', line_begin(text, dash)) != dash) return text;
  std::vector<Cut> cuts = {lines_gone(text, dash, list.items[index].end)};
  if (list.items.size() == 1) {
    const std::size_t behind = behind_colon(document, mapping.keys[key]);
    if (behind == kNone || behind > cuts[0].begin) return text;
    cuts.push_back({behind, behind, " []"});
  }
  return with_cuts(text, std::move(cuts));
}

std::string with_member(const Document& document, const Node& mapping, std::size_t index,
                        std::string_view key, const Node& value) {
  const std::string& text = document.text();
  if (is_flow(document, mapping))
    return with_flow_piece(document, mapping, std::string(key) + ": " + flow_text(value));
  std::size_t column = 0, above = text.size();
  if (!mapping.items.empty()) {
    column = column_of(text, key_begin(document, mapping.keys[0]));
    above = mapping.items[std::max<std::size_t>(index, 1) - 1].end;
  }
  std::vector<std::string> lines = block_lines(key, value, column, indents_of(document));
  lines.front().insert(0, column, ' ');
  return with_cuts(text, {lines_below(text, above, lines)});
}

std::string with_value(const Document& document, const Node& mapping, std::size_t key,
                       const Node& value) {
  const std::string& text = document.text();
  const Node& name = mapping.keys[key];
  const Node& old = mapping.items[key];
  if (!old.text.empty()) return with_scalar(document, old, value);  // `~` or `null`
  if (is_flow(document, mapping)) {
    const std::size_t behind = behind_colon(document, name);
    const std::size_t at = behind == kNone ? name.end : behind;
    return with_cuts(text, {{at, at, (behind == kNone ? ": " : " ") + flow_text(value)}});
  }
  const std::size_t column = column_of(text, key_begin(document, name));
  std::vector<std::string> lines = block_lines(name.text, value, column, indents_of(document));
  lines.erase(lines.begin());  // the key stands there already
  return with_cuts(text, {lines_below(text, name.end, lines)});
}

std::string with_scalar(const Document& document, const Node& old, const Node& value) {
  return with_cuts(document.text(), {{key_begin(document, old), old.end, flow_text(value)}});
}

}  // namespace tollgate::config
