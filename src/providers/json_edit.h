// Small edits of a JSON text that leave every other byte alone: one item more, one item less.
// Each takes a text and gives the next one; what they add is laid out as the text is.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "providers/json_text.h"

namespace tollgate::providers {

// Adds `item` at the end of the list that `path` leads to; what is missing on the way is made.
// Error: settings-shape when something else stands there.
Result<std::string> append_item(const JsonText& document, const std::string& file,
                                std::span<const std::string_view> path, const json::Value& item);

// Sets a member of the whole, unless it is there.
std::string add_member(const JsonText& document, std::string_view key, const json::Value& value);

// Without the child at `index` of the list or object that `steps` lead to (each step is a place
// among the children). Containers that are empty after that are taken away as well.
std::string remove_child(const JsonText& document, std::vector<std::size_t> steps);

}  // namespace tollgate::providers
