// A text as a list of signs: quotes and arithmetic are left out, since all shells have them.
// SAFETY: where it is not plain where such a piece ends, the whole text is searched as it stands.
#include "effects/programs/other_shells.h"

#include <algorithm>
#include <optional>
#include <string>

namespace tollgate {
namespace {

// `${name}`; 0 for all that has more in it.
std::size_t name_size(std::string_view text) {
  const std::size_t end = text.find('}');
  if (end == text.npos) return 0;
  const bool plain = std::ranges::all_of(text.substr(2, end - 2), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '@' || c == '*';
  });
  return plain ? end + 1 : 0;
}

// `$((…))` with nothing in it but numbers, names and signs; else 0.
std::size_t arithmetic_size(std::string_view text) {
  constexpr std::string_view kLetters = " +-*/%<>=!&|^~?:()$_";
  int depth = 2;
  for (std::size_t i = 3; i < text.size(); ++i) {
    const char c = text[i];
    const bool letter = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && kLetters.find(c) == kLetters.npos) return 0;
    if (c == '(') ++depth;
    if (c == ')' && --depth == 1) return text.substr(i).starts_with("))") ? i + 2 : 0;
  }
  return 0;
}

// From one double quote to the other; 0 where something in between may have quotes of its own.
std::size_t quoted_size(std::string_view text) {
  for (std::size_t i = 1; i < text.size();) {
    const std::string_view rest = text.substr(i);
    std::size_t size = 1;
    if (rest[0] == '"') return i + 1;
    if (rest[0] == '\\') size = 2;
    if (rest.starts_with("${")) size = name_size(rest);
    if (rest.starts_with("$(")) size = rest.starts_with("$((") ? arithmetic_size(rest) : 0;
    if (rest[0] == '`' || rest.starts_with("$[")) size = 0;
    if (size == 0) return 0;
    i += size;
  }
  return 0;
}

// The text with one sign for each quoted text and each arithmetic expansion, which all shells
// have; nothing where it is not plain where they end.
std::optional<std::string> without_quotes(std::string_view text) {
  std::string bare;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const char before = at == 0 ? '\n' : text[at - 1];
    // Quotes in here-documents and in old substitutions follow other rules.
    if (rest[0] == '`' || rest.starts_with("<<")) return std::nullopt;
    std::size_t size = 1;
    if (rest[0] == '\\') size = 2;
    if (rest[0] == '\'') size = rest.find('\'', 1) + 1;
    if (rest[0] == '"') size = quoted_size(rest);
    if (rest.starts_with("${")) size = name_size(rest);
    if (rest.starts_with("$((")) size = arithmetic_size(rest);
    if (rest[0] == '#' && std::string_view(" \t\n;&|()").find(before) != std::string_view::npos)
      size = std::min(rest.find('\n'), rest.size());
    if (size == 0) return std::nullopt;
    // A `$` before quotes counts with them.
    const bool dollar = before == '$' && (rest[0] == '"' || rest[0] == '\'');
    bare += size == 1 || dollar ? rest[0] : '_';
    at += size;
  }
  return bare;
}

// `{name}>`, which to other shells is a word and a redirection.
bool has_named_descriptor(std::string_view text) {
  for (std::size_t at = text.find('}'); at != text.npos; at = text.find('}', at + 1)) {
    if (at + 1 == text.size() || (text[at + 1] != '<' && text[at + 1] != '>')) continue;
    const std::size_t open = text.find_last_of("{ \t\n;&|()<>", at - 1);
    if (at > 0 && open != text.npos && text[open] == '{' && open + 1 < at) return true;
  }
  return false;
}

}  // namespace

// What other shells read otherwise: in `sh` two parentheses are two subshells.
bool only_bash_reads(std::string_view text) {
  constexpr std::string_view kSigns[] = {"[[",  "$'", "$\"", "<(",       ">(", "&>",
                                         "<<<", "|&", "$[",  "function", "=("};
  std::string whole;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("\\\n"))
      ++i;
    else
      whole += text[i];
  }
  const std::string bare = without_quotes(whole).value_or(whole);
  // Arithmetic expansion they all have.
  for (std::size_t at = bare.find("(("); at != bare.npos; at = bare.find("((", at + 2))
    if (at == 0 || bare[at - 1] != '$') return true;
  if (has_named_descriptor(bare)) return true;
  return std::ranges::any_of(kSigns,
                             [&](std::string_view sign) { return bare.find(sign) != bare.npos; });
}

}  // namespace tollgate
