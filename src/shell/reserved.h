// Words that the grammar knows by their text, and the one way to look for them.
// The stages of the reader share them; a word counts only where nothing of it is quoted.
// INVARIANT: every word that ends or divides a compound command is a closer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace tollgate::shell {

template <std::size_t kSize>
constexpr bool is_one_of(const std::string_view (&list)[kSize], std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

// These begin no command, and no coprocess.
inline constexpr std::string_view kClosers[] = {"then", "else", "elif", "fi", "do",
                                                "done", "esac", "}",    "in", "]]"};

inline constexpr std::string_view kOpeners[] = {"{",   "if",     "while", "until",
                                                "for", "select", "case",  "[["};

// Builtins whose arguments may be assignments with brackets.
inline constexpr std::string_view kDeclarers[] = {"declare",  "typeset", "local", "export",
                                                  "readonly", "alias",   "eval",  "let"};

}  // namespace tollgate::shell
