// Argument specifiers: `repo=acme/*, labels.0="a, b"`.
// Patterns keep their escapes; a quoted one may hold `, ` and `)`.
// Two patterns for one name that no value can meet make the rule an error.
#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "policy/glob.h"
#include "policy/specifier.h"

namespace tollgate {
namespace {

// LIMIT: no tool has more, and each is compared with all before it.
constexpr std::size_t kMaxArguments = 64;

bool is_argument_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '-';
}

std::unexpected<SpecifierError> fail(std::size_t offset, std::size_t size, std::string code,
                                     std::string message, std::string hint) {
  return std::unexpected(SpecifierError{offset, std::max<std::size_t>(size, 1), std::move(code),
                                        std::move(message), std::move(hint)});
}

// A quoted pattern from `at` (its opening quote); moves `at` behind the closing one.
SpecifierResult<std::string> quoted(std::string_view text, std::size_t& at) {
  const std::size_t begin = at++;
  std::string pattern;
  for (; at < text.size(); ++at) {
    if (text[at] == '"') {
      ++at;
      return pattern;
    }
    if (text[at] == '\\' && at + 1 < text.size()) {
      // `\"` is a quote; every other escape is the pattern's own.
      if (text[at + 1] != '"') pattern += '\\';
      ++at;
    }
    pattern += text[at];
  }
  return fail(begin, 1, "bad-specifier", "the quote is never closed", "add the closing `\"`");
}

// An escape is kept for the pattern, except of a quote, which needs none there.
SpecifierResult<std::string> bare(std::string_view text, std::size_t& at) {
  std::string pattern;
  std::size_t solid = 0;  // up to here nothing is trimmed
  for (; at < text.size() && !text.substr(at).starts_with(", "); ++at) {
    const bool escapes = text[at] == '\\';
    if (escapes) {
      if (at + 1 == text.size())
        return fail(at, 1, "bad-specifier", "the backslash at the end escapes nothing",
                    "write `\\\\` for a backslash");
      if (text[++at] != '"') pattern += '\\';
    }
    pattern += text[at];
    if (escapes || text[at] != ' ') solid = pattern.size();
  }
  pattern.resize(solid);
  pattern.erase(0, std::min(pattern.find_first_not_of(' '), pattern.size()));
  return pattern;
}

bool lies_below(std::string_view name, std::string_view parent) {
  return name.size() > parent.size() && name[parent.size()] == '.' && name.starts_with(parent);
}

bool contradict(const ArgumentPattern& a, const ArgumentPattern& b) {
  if (a.name != b.name) return lies_below(a.name, b.name) || lies_below(b.name, a.name);
  // LIMIT: comparing takes the product of both; a rule that is not compared only never matches.
  constexpr std::size_t kMaxCompared = 1'000'000;
  if (a.pattern.size() * b.pattern.size() > kMaxCompared) return false;
  const bool a_open = has_star(a.pattern), b_open = has_star(b.pattern);
  if (a_open && b_open) return false;
  if (a_open) return !value_glob(a.pattern, unescaped(b.pattern));
  return !value_glob(b.pattern, unescaped(a.pattern));
}

}  // namespace

SpecifierResult<std::vector<ArgumentPattern>> argument_patterns(std::string_view text) {
  std::vector<ArgumentPattern> arguments;
  if (trim(text).empty())
    return fail(0, 1, "bad-specifier", "the specifier is empty",
                "leave the parentheses out to mean any arguments");
  for (std::size_t at = 0; at < text.size();) {
    while (at < text.size() && text[at] == ' ') ++at;
    const std::size_t begin = at;
    if (arguments.size() == kMaxArguments)
      return fail(begin, 1, "bad-specifier",
                  "the specifier names more than " + std::to_string(kMaxArguments) + " arguments",
                  "name the few that matter");
    while (at < text.size() && is_argument_character(text[at])) ++at;
    std::string name(text.substr(begin, at - begin));
    if (name.empty() || at == text.size() || text[at] != '=')
      return fail(begin, text.size() - begin, "bad-specifier",
                  "`" + std::string(text.substr(begin)) + "` is no argument specifier",
                  "write name=pattern, several joined by `, `: (repo=acme/*, state=open)");
    ++at;
    SpecifierResult<std::string> pattern =
        at < text.size() && text[at] == '"' ? quoted(text, at) : bare(text, at);
    if (!pattern) return std::unexpected(std::move(pattern).error());
    ArgumentPattern argument{std::move(name), std::move(*pattern)};
    for (const ArgumentPattern& other : arguments)
      if (contradict(other, argument))
        return fail(begin, at - begin, "rule-never-matches",
                    "no call meets both `" + other.name + "=" + other.pattern + "` and `" +
                        argument.name + "=" + argument.pattern + "`",
                    "write two rules");
    arguments.push_back(std::move(argument));
    if (at == text.size()) break;
    if (!text.substr(at).starts_with(", "))
      return fail(at, 1, "bad-specifier", "unexpected `" + std::string(text.substr(at, 1)) + "`",
                  "join several arguments by `, `");
    at += 2;
  }
  return arguments;
}

std::string packed(const std::vector<ArgumentPattern>& arguments) {
  std::string text;
  for (const ArgumentPattern& argument : arguments)
    text.append(argument.name).append(1, '\0').append(argument.pattern).append(1, '\0');
  return text;
}

std::string format_arguments(const std::vector<ArgumentPattern>& arguments) {
  std::string text;
  for (const ArgumentPattern& argument : arguments) {
    if (!text.empty()) text += ", ";
    text += argument.name + '=';
    const std::string& pattern = argument.pattern;
    const bool plain = pattern.find_first_of("\")") == pattern.npos &&
                       pattern.find(", ") == pattern.npos && trim(pattern) == pattern &&
                       !pattern.empty();
    if (plain) {
      text += pattern;
      continue;
    }
    text += '"';
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (pattern[i] == '\\' && i + 1 < pattern.size())
        text += pattern[i++];
      else if (pattern[i] == '"')
        text += '\\';
      text += pattern[i];
    }
    text += '"';
  }
  return text;
}

}  // namespace tollgate
