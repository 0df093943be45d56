// A name by which a language starts programs, and the literal behind it.
// SAFETY: a name counts wherever it stands, also in a text that is only printed; what is found
// forbids and never allows, and the code stays unread all the same.
#include "effects/programs/calls.h"

#include <algorithm>
#include <utility>

namespace tollgate {
namespace {

// The text of a literal whose quote stands at `at`, and where it ends.
std::string literal_at(std::string_view code, std::size_t& at) {
  std::string text;
  for (const char quote = code[at++]; at < code.size() && code[at] != quote; ++at) {
    if (code[at] == '\\' && at + 1 < code.size()) ++at;
    text += code[at];
  }
  ++at;
  return text;
}

bool is_quote(char c) { return c == '\'' || c == '"' || c == '`'; }

// What a call is given: one literal, or several with commas between, which are the words of one
// command. Some languages need no parenthesis.
std::string given_to_call(std::string_view code, std::size_t at, bool bare) {
  const auto skip = [&](std::string_view signs) {
    at = std::min(code.find_first_not_of(signs, at), code.size());
  };
  skip(" ");
  const bool opened = at < code.size() && (code[at] == '(' || code[at] == '{');
  if (!opened && !bare) return {};
  skip(" \t\n([{");
  if (at >= code.size() || !is_quote(code[at])) return {};
  std::string text = literal_at(code, at);
  for (skip(" \t\n,["); at < code.size() && is_quote(code[at]); skip(" \t\n,["))
    text += ' ' + literal_at(code, at);
  return text;
}

// Plain words, and what may stand between commands. Other text may as well be a pattern.
bool is_plain_command(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(" _-./:=@,~;&|+%^").find(c) != std::string_view::npos;
  });
}

}  // namespace

bool is_language(std::string_view program) {
  constexpr std::string_view kNames[] = {"python", "pypy",  "perl",      "ruby",    "node",
                                         "nodejs", "php",   "lua",       "luajit",  "deno",
                                         "bun",    "tclsh", "osascript", "Rscript", "julia"};
  return std::ranges::any_of(kNames, [&](std::string_view name) {
    return program.starts_with(name) &&
           program.find_first_not_of("0123456789.", name.size()) == program.npos;
  });
}

std::vector<std::string> calls_in(std::string_view program, std::string_view code) {
  constexpr std::string_view kCalls[] = {"system",    "exec",
                                         "popen",     "Popen",
                                         "spawn",     "execSync",
                                         "spawnSync", "execFileSync",
                                         "run",       "call",
                                         "execv",     "execvp",
                                         "execl",     "execlp",
                                         "execFile",  "check_output",
                                         "getoutput", "getstatusoutput",
                                         "passthru",  "capture2",
                                         "capture3",  "check_call",
                                         "spawnlp",   "do shell script",
                                         "qx",        "%x"};
  const bool bare =
      program.starts_with("perl") || program.starts_with("ruby") || program == "osascript";
  const bool ticks = bare || program.starts_with("php");
  // LIMIT: one more than is read; whoever reads them sees that there are more.
  constexpr std::size_t kMost = 17;
  std::vector<std::string> found;
  const auto add = [&](std::string text) {
    if (found.size() < kMost && is_plain_command(text) &&
        std::ranges::find(found, text) == found.end())
      found.push_back(std::move(text));
  };
  for (const std::string_view name : kCalls)
    for (std::size_t at = code.find(name); at != code.npos; at = code.find(name, at + 1))
      add(given_to_call(code, at + name.size(), bare));
  for (std::size_t at = ticks ? code.find('`') : code.npos; at < code.size();
       at = code.find('`', at))
    add(literal_at(code, at));
  return found;
}

}  // namespace tollgate
