// The tree and its places.
// Lines are found once, so that a place costs a binary search and not a scan.
// INVARIANT: offsets come from the text that the document holds.
#include "config/yaml.h"

#include <algorithm>

namespace tollgate::config {

bool Node::is_null() const {
  return is_scalar() && plain &&
         (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL");
}

const Node* Node::find(std::string_view key) const& {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (keys[i].text == key) return &items[i];
  return nullptr;
}

bool same_meaning(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.plain != b.plain || a.text != b.text ||
      a.items.size() != b.items.size() || a.keys.size() != b.keys.size())
    return false;
  for (std::size_t i = 0; i < a.keys.size(); ++i)
    if (a.keys[i].text != b.keys[i].text) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i)
    if (!same_meaning(a.items[i], b.items[i])) return false;
  return true;
}

Document::Document(std::string file, std::string text)
    : file_(std::move(file)), text_(std::move(text)), lines_{0} {
  if (text_.find('\r') == std::string::npos) {
    for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1))
      lines_.push_back(static_cast<std::uint32_t>(at + 1));
    return;
  }
  for (std::size_t i = 0; i < text_.size(); ++i) {
    const bool ends =
        text_[i] == '\n' || (text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n'));
    if (ends) lines_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

Position Document::place(std::uint32_t offset, std::uint32_t width) const {
  if (lines_.empty()) return {.file = file_, .line = 0, .column = 0, .width = 1, .text = {}};
  const auto next = std::upper_bound(lines_.begin(), lines_.end(), offset);
  const std::uint32_t begin = *(next - 1);
  std::size_t end = next == lines_.end() ? text_.size() : *next;
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  const std::uint32_t column = offset - begin + 1;
  const auto length = static_cast<std::uint32_t>(end - begin);
  const std::uint32_t room = column <= length ? length - column + 1 : 1;
  return {.file = file_,
          .line = static_cast<std::uint32_t>(next - lines_.begin()),
          .column = column,
          .width = std::clamp(width, 1u, std::max(room, 1u)),
          .text = length <= kMaxShownLine ? text_.substr(begin, length) : std::string()};
}

Diagnostic too_many_errors(const std::string& file) {
  return {Severity::kError,
          {.code = "too-many-errors",
           .message = "the file has " + std::to_string(kMaxErrors) +
                      " errors or more and was not read to its end",
           .hint = "correct the errors that are shown, then look again",
           .where = {.file = file, .line = 0, .column = 0, .width = 1, .text = {}}}};
}

}  // namespace tollgate::config
