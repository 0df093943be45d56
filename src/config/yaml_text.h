// Values as YAML text: plain where that reads back, in quotes where it would not.
// Used by the edits of a file; a whole file is never written from a tree.
// INVARIANT: what is written here reads back as the same text, in every YAML reader.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/yaml.h"

namespace tollgate::config {

enum class YamlPlace {
  kBlock,  // on a line of its own, or behind a dash
  kFlow,   // between brackets, where commas and brackets mean something
};

// Whether the text may stand there without quotes.
bool is_plain_text(std::string_view text, YamlPlace place);
// In double quotes, or in single ones where that saves escapes.
// REQUIRES: a text without hidden characters, which the reader refuses in any form.
std::string quoted_text(std::string_view text);

// Nodes to be written; a scalar has quotes only where it needs them.
Node scalar_node(std::string_view text, YamlPlace place);
Node list_node(Node item);
Node mapping_node(std::string_view key, Node value);

// How far a file indents.
struct Indents {
  std::size_t step = 2;  // a mapping below its key
  std::size_t list = 2;  // the dashes below their key; 0 where they stand under it
};

// `[a, b]`, `{k: v}` or the scalar.
std::string flow_text(const Node& node);
// `key: value`, in one line or with the lines below it; the first is not indented.
std::vector<std::string> block_lines(std::string_view key, const Node& value, std::size_t column,
                                     const Indents& indents);

}  // namespace tollgate::config
