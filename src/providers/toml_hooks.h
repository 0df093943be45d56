// Blocks of a TOML file: a header and the pairs under it, taken away or added at the end.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "providers/provider.h"
#include "providers/toml_text.h"

namespace tollgate::providers {

// Without the headers at these places and their pairs; blank lines before them go as well.
std::string without_blocks(const TomlText& document, std::span<const std::size_t> headers);

// `block` at the end, behind a blank line.
std::string with_block(std::string text, const std::string& block);

// Whether `path` begins with `start`.
bool begins_with(const std::vector<std::string>& path, std::span<const std::string_view> start);

// The whole path of a pair: its table's and its own.
std::vector<std::string> full_path(const TomlText& document, const TomlStatement& pair);

}  // namespace tollgate::providers
