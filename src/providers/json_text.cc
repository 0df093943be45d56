#include "providers/json_text.h"

#include <algorithm>

#include "json/json.h"

namespace tollgate::providers {
namespace {

std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

void blank(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to && i < text.size(); ++i)
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
}

std::string without_comments(std::string text) {
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      at = end_of_string(text, at);
    } else if (text.compare(at, 2, "//") == 0) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      blank(text, at, end);
      at = end;
    } else if (text.compare(at, 2, "/*") == 0) {
      const std::size_t close = text.find("*/", at + 2);
      if (close == text.npos) return text;
      blank(text, at, close + 2);
      at = close + 2;
    } else {
      ++at;
    }
  }
  return text;
}

// Walks text that json::parse() has taken, so that nothing in it can be wrong.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  JsonNode value() {
    skip();
    JsonNode node;
    node.begin = node.value = at_;
    switch (text_[at_]) {
      case '{':
        node.kind = json::Kind::kObject;
        children(node, '}');
        break;
      case '[':
        node.kind = json::Kind::kArray;
        children(node, ']');
        break;
      case '"':
        node.kind = json::Kind::kString;
        at_ = end_of_string(text_, at_);
        break;
      default:
        node.kind = json::Kind::kNumber;  // or a word; nobody asks
        at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
    }
    node.end = at_;
    return node;
  }

 private:
  void skip() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size() - 1); }

  void children(JsonNode& node, char close) {
    for (++at_;; ++at_) {
      skip();
      if (text_[at_] == close) break;
      node.children.push_back(close == '}' ? member() : value());
      skip();
      if (text_[at_] == close) break;
    }
    ++at_;
  }

  JsonNode member() {
    const std::size_t begin = at_;
    at_ = end_of_string(text_, at_);
    const json::Value key = json::parse(text_.substr(begin, at_ - begin)).value_or(json::Value());
    skip();
    ++at_;  // the colon
    JsonNode node = value();
    node.begin = begin;
    node.key = key.as_string();
    return node;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view name) const& {
  const auto found = std::ranges::find(children, name, &JsonNode::key);
  return kind != json::Kind::kObject || found == children.end() ? nullptr : &*found;
}

Error error_at(std::string code, std::string message, std::string hint, const std::string& file,
               std::string_view text, std::size_t offset) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1 is 0
  std::string_view line = text.substr(start, text.find('\n', start) - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return {.code = std::move(code),
          .message = std::move(message),
          .hint = std::move(hint),
          .where = {.file = file,
                    .line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1),
                    .column = static_cast<std::uint32_t>(offset - start + 1),
                    .width = 1,
                    .text = std::string(line)}};
}

Result<JsonText> read_json(std::string text, const std::string& file, JsonForm form) {
  JsonText out;
  out.bare = form == JsonForm::kWithComments ? without_comments(text) : text;
  Result<json::Value> value = json::parse(out.bare);
  if (!value) {
    Error error = std::move(value).error();
    error.where.file = file;
    error.hint = "correct the file: its client cannot read it as it is";
    return Fail(std::move(error));
  }
  if (!value->is_object())
    return Fail(error_at("settings-shape", "the file does not hold an object",
                         "the client's settings are one object: `{…}`", file, text,
                         out.bare.find_first_not_of(" \t\r\n")));
  out.value = std::move(*value);
  out.root = Walker(out.bare).value();
  out.text = std::move(text);
  return out;
}

}  // namespace tollgate::providers
