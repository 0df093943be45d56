// The words of builtins: their options, and names of variables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "core/effect.h"

namespace tollgate {

// Where the words behind the options begin. `flags` are letters without a value; nothing when an
// option is another one.
inline std::optional<std::size_t> operands_from(std::span<const Word> argv,
                                                std::string_view flags) {
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const std::string& text = argv[i].text;
    if (!argv[i].known && may_be_option(argv[i])) return std::nullopt;
    if (!argv[i].known || text.size() < 2 || text[0] != '-') return i;
    if (text == "--") return i + 1;
    if (text.find_first_not_of(flags, 1) != text.npos) return std::nullopt;
  }
  return argv.size();
}

// A name that a variable may have.
inline bool is_name(std::string_view text) {
  return !text.empty() && (text[0] < '0' || text[0] > '9') && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace tollgate
