#include "providers/json_edit.h"

#include <algorithm>

#include "json/json.h"

namespace tollgate::providers {
namespace {

using json::Kind;
using json::Value;

constexpr std::string_view kBlanks = " \t\r\n";

// How the text is laid out.
struct Layout {
  std::string unit = "  ";
  std::string newline = "\n";
};

Layout layout_of(std::string_view text) {
  Layout layout;
  if (text.find("\r\n") != text.npos) layout.newline = "\r\n";
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) {
    const std::size_t word = text.find_first_not_of(" \t", at + 1);
    if (word == text.npos || word == at + 1 || text[word] == '\n' || text[word] == '\r') continue;
    layout.unit = std::string(text.substr(at + 1, word - at - 1));
    break;
  }
  return layout;
}

void render(const Value& value, const Layout& layout, const std::string& indent, std::string& out) {
  const bool object = value.is_object();
  const bool empty = object ? value.members().empty() : value.items().empty();
  if ((!object && !value.is_array()) || empty) {
    out += json::write(value);
    return;
  }
  const std::string inner = indent + layout.unit;
  const auto begin_child = [&](bool first) { out += (first ? "" : ",") + layout.newline + inner; };
  bool first = true;
  out += object ? '{' : '[';
  for (const auto& [key, child] : value.members()) {
    begin_child(std::exchange(first, false));
    out += json::quote(key) + ": ";
    render(child, layout, inner, out);
  }
  for (const Value& child : value.items()) {
    begin_child(std::exchange(first, false));
    render(child, layout, inner, out);
  }
  out += layout.newline + indent + (object ? '}' : ']');
}

// The blanks that begin the line of `at`.
std::string indent_at(std::string_view text, std::size_t at) {
  const std::size_t start = text.substr(0, at).rfind('\n') + 1;
  const std::size_t word = std::min(text.find_first_not_of(" \t", start), text.size());
  return std::string(text.substr(start, word - start));
}

std::string child_text(const Value& value, std::string_view key, const Layout& layout,
                       const std::string& indent) {
  std::string out = key.empty() ? "" : json::quote(key) + ": ";
  render(value, layout, indent, out);
  return out;
}

// A new last child of `container`; `key` is "" in a list.
std::string with_child(const JsonText& document, const JsonNode& container, std::string_view key,
                       const Value& value) {
  std::string text = document.text;
  const Layout layout = layout_of(text);
  const std::size_t close = container.end - 1;
  // Behind what stands last in there, be it a comment.
  const std::size_t last = text.find_last_not_of(kBlanks, close - 1) + 1;
  if (container.children.empty()) {
    const std::string indent = indent_at(text, container.value);
    const std::string inner = indent + layout.unit;
    return text.replace(
        last, close - last,
        layout.newline + inner + child_text(value, key, layout, inner) + layout.newline + indent);
  }
  const JsonNode& first = container.children.front();
  const std::size_t end = container.children.back().end;
  const bool on_lines =
      text.substr(container.value, first.begin - container.value).find('\n') != text.npos;
  if (on_lines) {
    const std::string inner = indent_at(text, first.begin);
    text.insert(last, layout.newline + inner + child_text(value, key, layout, inner));
    return text.insert(end, ",");
  }
  const std::string label = key.empty() ? "" : json::quote(key) + ": ";
  // A comment that stands last goes to the end of its line.
  const bool comment = document.bare.find_last_not_of(kBlanks, close - 1) + 1 != last;
  text.insert(last, (comment ? layout.newline : " ") + label + json::write(value));
  return text.insert(end, ",");
}

std::string without_child(const JsonText& document, const JsonNode& container, std::size_t index) {
  std::string text = document.text;
  const JsonNode& child = container.children[index];
  const std::size_t inside = container.value + 1;
  if (container.children.size() == 1) {
    const std::size_t close = container.end - 1;
    text.erase(child.begin, child.end - child.begin);
    const std::size_t length = close - (child.end - child.begin) - inside;
    // A comment stays where it was.
    if (text.substr(inside, length).find_first_not_of(kBlanks) == text.npos)
      text.erase(inside, length);
    return text;
  }
  std::size_t begin = child.begin, end = child.end;
  const bool last = index + 1 == container.children.size();
  const std::size_t comma =
      document.bare.find(',', last ? container.children[index - 1].end : child.end);
  if (!last) end = comma + 1;
  // The whole line goes when nothing else stands on it.
  const std::size_t word = text.find_first_not_of(" \t", end);
  const std::size_t before = text.find_last_not_of(" \t", begin - 1);
  const bool ends_line =
      word != text.npos && (text[word] == '\n' || text.compare(word, 2, "\r\n") == 0);
  if (before != text.npos && text[before] == '\n' && ends_line) {
    begin = before + 1;
    end = text.find('\n', word) + 1;
  } else if (!last) {
    end = std::min(text.find_first_not_of(" \t", end), text.size());
  } else {
    begin = std::max(comma + 1, before + 1);
  }
  text.erase(begin, end - begin);
  if (last) text.erase(comma, 1);
  return text;
}

}  // namespace

Result<std::string> append_item(const JsonText& document, const std::string& file,
                                std::span<const std::string_view> path, const Value& item) {
  const JsonNode* node = &document.root;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (node->kind != Kind::kObject)
      return Fail(error_at("settings-shape",
                           "`" + std::string(path[i - 1]) + "` is expected to be an object",
                           "correct it, then install again", file, document.text, node->value));
    const JsonNode* next = node->find(path[i]);
    if (next != nullptr) {
      node = next;
      continue;
    }
    Value made = Value::array({item});
    for (std::size_t k = path.size(); --k > i;)
      made = Value::object({{std::string(path[k]), std::move(made)}});
    return with_child(document, *node, path[i], made);
  }
  if (node->kind != Kind::kArray)
    return Fail(error_at("settings-shape",
                         "`" + std::string(path.back()) + "` is expected to be a list",
                         "correct it, then install again", file, document.text, node->value));
  return with_child(document, *node, "", item);
}

std::string add_member(const JsonText& document, std::string_view key, const Value& value) {
  return document.root.find(key) != nullptr ? document.text
                                            : with_child(document, document.root, key, value);
}

std::string remove_child(const JsonText& document, std::vector<std::size_t> steps) {
  std::vector<const JsonNode*> containers = {&document.root};
  for (std::size_t i = 0; i + 1 < steps.size(); ++i)
    containers.push_back(&containers.back()->children[steps[i]]);
  // What would be empty goes as a whole.
  while (steps.size() > 1 && containers.back()->children.size() == 1) {
    containers.pop_back();
    steps.pop_back();
  }
  return without_child(document, *containers.back(), steps.back());
}

}  // namespace tollgate::providers
