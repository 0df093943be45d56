// Words that the grammar knows by their text, and the one way to look for them.
// The stages of the reader share them; a word counts only where nothing of it is quoted.
// INVARIANT: every word that ends or divides a compound command is a closer.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/name_set.h"

namespace tollgate::shell {

template <std::size_t kSize>
constexpr bool is_one_of(const NameSet<kSize>& list, std::string_view word) {
  return list.has(word);
}

// These begin no command, and no coprocess.
inline constexpr NameSet kClosers({"then", "else", "elif", "fi", "do", "done", "esac", "}", "in",
                                   "]]"});

inline constexpr NameSet kOpeners({"{", "if", "while", "until", "for", "select", "case", "[["});

inline constexpr NameSet kReserved = joined(kClosers, kOpeners);

// Builtins whose arguments may be assignments with brackets.
inline constexpr NameSet kDeclarers({"declare", "typeset", "local", "export", "readonly", "alias",
                                     "eval", "let"});

}  // namespace tollgate::shell
