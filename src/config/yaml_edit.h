// Small edits of a YAML text that leave every other byte alone: an item or a key more or less.
// Each takes a document that was read without errors and gives the next text, laid out as the
// document is.
// LIMIT: what is written in a rare form (explicit keys, tags) may come out wrong or unchanged: the
// caller reads the new text and compares.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "config/yaml.h"
#include "config/yaml_text.h"

namespace tollgate::config {

// Whether a list or mapping is written between brackets.
bool is_flow(const Document& document, const Node& node);
YamlPlace place_in(const Document& document, const Node& node);

// The list with one item more at its end.
std::string with_item(const Document& document, const Node& list, const Node& item);

// The list that is the value of the mapping's key without its item at `index`; when that was the
// only one, the list is written `[]`.
std::string without_item(const Document& document, const Node& mapping, std::size_t key,
                         std::size_t index);

// The mapping with one key more, which becomes the one at `index`; the first only in an empty one.
std::string with_member(const Document& document, const Node& mapping, std::size_t index,
                        std::string_view key, const Node& value);

// The mapping with a value (a mapping) for its key that has none so far.
std::string with_value(const Document& document, const Node& mapping, std::size_t key,
                       const Node& value);

// With another scalar in the place of this one.
std::string with_scalar(const Document& document, const Node& old, const Node& value);

// ---- shared by the two files of this header ----

// A piece of text in the place of another.
struct Cut {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};
// REQUIRES: cuts that do not overlap.
std::string with_cuts(std::string text, std::vector<Cut> cuts);

std::size_t column_of(std::string_view text, std::size_t at);
// New lines below the line of `at`, with the line break that the text has there.
Cut lines_below(std::string_view text, std::size_t at, const std::vector<std::string>& lines);
// The whole lines from that of `begin` to that of `end` go.
Cut lines_gone(std::string_view text, std::size_t begin, std::size_t end);

std::string with_flow_piece(const Document& document, const Node& container,
                            const std::string& piece);
std::string without_flow_piece(const Document& document, const Node& container, std::size_t index);

}  // namespace tollgate::config
