// Taking a pattern apart: its beginning, its alternatives, and the name that is left without stars.
// The forms are those of ripgrep, gitignore and the common glob packages taken together.
// LIMIT: alternatives are bounded, because a short pattern can have very many.
#include "effects/patterns.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "effects/paths.h"

namespace tollgate {
namespace {

constexpr std::size_t kMaxAlternatives = 64;
constexpr std::ptrdiff_t kMaxBraces = 8;
constexpr std::string_view kWildcards = "*?[]{}()!|\\+@,^";
constexpr std::string_view kSpecial = "*?[{\\!(";

constexpr std::array<std::string_view, 5> kSecretStarts = {".env", "id_rsa", "id_dsa", "id_ecdsa",
                                                           "id_ed25519"};
constexpr std::array<std::string_view, 2> kSecretParts = {".pem", ".key"};

// One text for each choice of `{a,b}`, from the innermost braces outwards.
std::optional<std::vector<std::string>> alternatives(std::string_view pattern) {
  if (pattern.size() >= kMaxPathBytes || std::ranges::count(pattern, '{') > kMaxBraces)
    return std::nullopt;
  std::vector<std::string> open{std::string(pattern)}, done;
  while (!open.empty()) {
    std::vector<std::string> next;
    for (const std::string& text : open) {
      const std::size_t close = text.find('}');
      const std::size_t begin = close == text.npos ? text.npos : text.rfind('{', close);
      if (begin == text.npos) {
        done.push_back(text);
        continue;
      }
      const std::string inner = text.substr(begin + 1, close - begin - 1);
      for (const std::string_view choice : split(inner, ','))
        next.push_back(text.substr(0, begin) + std::string(choice) + text.substr(close + 1));
      if (next.size() + done.size() > kMaxAlternatives) return std::nullopt;
    }
    open = std::move(next);
  }
  return done;
}

bool looks_secret(std::string_view name) {
  const std::string folded = lower(name);
  return std::ranges::any_of(kSecretStarts,
                             [&](std::string_view start) { return folded.starts_with(start); }) ||
         std::ranges::any_of(kSecretParts, [&](std::string_view part) {
           return folded.find(part) != std::string::npos;
         });
}

// The last part of a pattern without its wildcards, placed where the pattern starts.
std::optional<std::string> secret_name(std::string_view pattern) {
  const std::string_view last = base_name(pattern);
  std::string name;
  for (const char c : last)
    if (kWildcards.find(c) == std::string_view::npos) name += c;
  if (!looks_secret(name)) return std::nullopt;
  // `.pem` alone is an ending: any name may stand before it.
  for (const std::string_view part : kSecretParts)
    if (lower(name).starts_with(part) && !last.starts_with('.')) {
      name.insert(name.begin(), '*');
      break;
    }
  std::string start = pattern_start(pattern).value_or(".");
  if (!start.ends_with('/')) start += '/';
  return start + name;
}

}  // namespace

std::optional<std::string> pattern_start(std::string_view pattern) {
  const std::size_t special = pattern.find_first_of(kSpecial);
  if (special == std::string_view::npos) return std::string(pattern);
  const std::string_view rest = pattern.substr(special);
  for (const std::string_view elsewhere : {"..", "{/", ",/", "|/", "(/", "{~", ",~", "\\"})
    if (rest.find(elsewhere) != std::string_view::npos) return std::nullopt;
  const std::size_t slash = pattern.rfind('/', special);
  if (slash == std::string_view::npos) return ".";
  return std::string(pattern.substr(0, slash + 1));
}

std::optional<std::vector<std::string>> names_in(std::string_view pattern) {
  std::vector<std::string> names;
  // A leading `!` leaves files out.
  if (pattern.starts_with('!') && !pattern.starts_with("!(")) return names;
  const auto choices = alternatives(pattern);
  if (!choices) return std::nullopt;
  for (std::string_view choice : *choices) {
    while (choice.starts_with("**/")) choice.remove_prefix(3);
    if (choice.empty()) continue;
    const bool plain = choice.find_first_of(kSpecial) == std::string_view::npos;
    std::optional<std::string> name = plain ? std::string(choice) : secret_name(choice);
    if (name && std::ranges::find(names, *name) == names.end()) names.push_back(std::move(*name));
  }
  return names;
}

}  // namespace tollgate
