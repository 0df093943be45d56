// YAML text as a plain tree whose every node knows its place.
// The library reads events; the tree, its limits and every error text are ours.
// SAFETY: what two readers could understand differently (duplicate keys, anchors, aliases, merge
// keys, tags, several documents, hidden characters) is an error, not a choice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace tollgate::config {

enum class NodeKind : std::uint8_t { kScalar, kSequence, kMapping };

struct Node {
  NodeKind kind = NodeKind::kScalar;
  bool plain = true;         // a scalar without quotes, so `yes` may be a boolean
  bool verbatim = true;      // the text stands in the file byte for byte at `offset`
  std::uint32_t offset = 0;  // of the first character of the value, quotes skipped
  std::uint32_t width = 1;   // how much of the line the node takes
  std::uint32_t end = 0;     // behind the value and its closing quote or bracket
  std::string text;          // of a scalar
  std::vector<Node> items;   // of a sequence; the values of a mapping
  std::vector<Node> keys;    // of a mapping, one for each item

  bool is_scalar() const { return kind == NodeKind::kScalar; }
  bool is_sequence() const { return kind == NodeKind::kSequence; }
  bool is_mapping() const { return kind == NodeKind::kMapping; }
  // `key:` with nothing after it, `~` or `null`.
  bool is_null() const;
  // The value of `key`, or nothing; lives as long as this node.
  const Node* find(std::string_view key) const&;
};

// Whether both say the same, wherever it stands: kinds, texts, quotes and the order of keys.
bool same_meaning(const Node& a, const Node& b);

// A file that was read, with the tree of what it says.
class Document {
 public:
  Document() = default;
  Document(std::string file, std::string text);

  const std::string& file() const& { return file_; }
  const std::string& text() const& { return text_; }
  const Node& root() const& { return root_; }
  Node& root() & { return root_; }

  Position place(std::uint32_t offset, std::uint32_t width = 1) const;
  Position place(const Node& node) const { return place(node.offset, node.width); }

 private:
  std::string file_;
  std::string text_;
  std::vector<std::uint32_t> lines_;  // the offset of each line's first byte
  Node root_;
};

// LIMIT: no policy that people keep is larger or deeper.
inline constexpr std::size_t kMaxFileBytes = 10u << 20;
inline constexpr std::size_t kMaxProjectBytes = 1u << 20;  // what a stranger wrote is read at once
inline constexpr std::size_t kMaxDepth = 64;
// LIMIT: nobody reads more, and a file made of mistakes must not cost time.
inline constexpr std::size_t kMaxErrors = 100;
// LIMIT: a longer line is not shown with its errors, nor kept with each of its rules.
inline constexpr std::size_t kMaxShownLine = 400;

// That a file was not read to its end for its errors.
Diagnostic too_many_errors(const std::string& file);

// Everything wrong with the text is added to `out`; the tree holds what could be read.
// An empty file is an empty mapping.
Document read_yaml(std::string text, std::string file, std::vector<Diagnostic>& out);

}  // namespace tollgate::config
