// Quoting and writing.
// The test for plain text is narrower than YAML's own, because readers differ at its edges.
// Keys are written as they are: only names of the table of keys are ever given.
#include "config/yaml_text.h"

#include "base/text.h"

namespace tollgate::config {
namespace {

// What some reader takes for nothing, a flag or a number.
bool is_word_of_yaml(std::string_view text) {
  const std::string word = lower(text);
  for (std::string_view known : {"~", "null", "true", "false", "yes", "no", "on", "off", "y", "n"})
    if (word == known) return true;
  return std::string_view("0123456789+-.").find(text.front()) != std::string_view::npos;
}

bool is_printable(std::string_view text) {
  return is_valid_utf8(text) && !has_hidden_characters(text) &&
         text.find_first_of("\t\n\r") == text.npos;
}

// One byte of a text between double quotes.
void append_escaped(std::string& out, char c) {
  if (c == '\n')
    out += "\\n";
  else if (c == '\t')
    out += "\\t";
  else if (c == '"' || c == '\\')
    (out += '\\') += c;
  else
    out += c;
}

}  // namespace

bool is_plain_text(std::string_view text, YamlPlace place) {
  constexpr std::string_view kIndicators = "-?:,[]{}#&*!|>'\"%@`";
  if (text.empty() || text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (kIndicators.find(text.front()) != kIndicators.npos || is_word_of_yaml(text)) return false;
  if (text.find(": ") != text.npos || text.find(" #") != text.npos) return false;
  if (place == YamlPlace::kFlow && text.find_first_of(",[]{}") != text.npos) return false;
  return is_printable(text);
}

std::string quoted_text(std::string_view text) {
  std::string out;
  if (is_printable(text) && text.find_first_of("\"\\") != text.npos) {
    for (char c : text) out += c == '\'' ? "''" : std::string(1, c);
    return "'" + out + "'";
  }
  for (char c : text) append_escaped(out, c);
  return "\"" + out + "\"";
}

Node scalar_node(std::string_view text, YamlPlace place) {
  Node node;
  node.text = text;
  node.plain = is_plain_text(text, place);
  return node;
}

Node list_node(Node item) {
  Node node;
  node.kind = NodeKind::kSequence;
  node.items.push_back(std::move(item));
  return node;
}

Node mapping_node(std::string_view key, Node value) {
  Node node, name;
  node.kind = NodeKind::kMapping;
  name.text = key;
  node.keys.push_back(std::move(name));
  node.items.push_back(std::move(value));
  return node;
}

std::string flow_text(const Node& node) {
  if (node.is_scalar()) return node.plain ? node.text : quoted_text(node.text);
  std::string out = node.is_mapping() ? "{" : "[";
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) out += ", ";
    if (node.is_mapping()) out += node.keys[i].text + ": ";
    out += flow_text(node.items[i]);
  }
  return out + (node.is_mapping() ? "}" : "]");
}

std::vector<std::string> block_lines(std::string_view key, const Node& value, std::size_t column,
                                     const Indents& indents) {
  const std::string name = std::string(key) + ":";
  if (value.is_scalar()) return {name + " " + flow_text(value)};
  std::vector<std::string> lines = {name};
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    if (value.is_sequence()) {
      lines.push_back(std::string(column + indents.list, ' ') + "- " + flow_text(value.items[i]));
      continue;
    }
    const std::size_t inner = column + indents.step;
    std::vector<std::string> below =
        block_lines(value.keys[i].text, value.items[i], inner, indents);
    below.front().insert(0, inner, ' ');
    lines.insert(lines.end(), below.begin(), below.end());
  }
  return lines;
}

}  // namespace tollgate::config
