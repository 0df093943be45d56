#include "providers/command.h"

#include <algorithm>

#include "base/path.h"
#include "base/shell_words.h"

namespace tollgate::providers {
namespace {

// What blocks when the hook itself has not answered. `$?` is the hook's own status.
constexpr std::string_view kOtherwise =
    " || { [ $? -eq 2 ] || echo 'Tollgate: the hook failed, so the call is blocked' >&2; exit 2; }";

// The same where the model hears only what stands on standard output.
constexpr std::string_view kOtherwiseFlat =
    " || { echo '{\"permissionDecision\":\"deny\",\"permissionDecisionReason\":\"Tollgate: the "
    "hook "
    "failed, so the call is blocked\"}'; exit 2; }";

// The same for a shell that may have a grammar of its own: it only has to start a program.
constexpr std::string_view kThroughSh =
    "/bin/sh -c '\"$@\" || { [ $? -eq 2 ] || echo \"Tollgate: the hook failed, so the call is "
    "blocked\" >&2; exit 2; }' tollgate ";

// The words of the first simple command in the text, quotes taken away.
std::vector<std::string> first_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  const auto finish = [&] {
    if (in_word) words.push_back(std::move(word));
    word.clear();
    in_word = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'' || c == '"') {
      in_word = true;
      for (++i; i < text.size() && text[i] != c; ++i) {
        if (c == '"' && text[i] == '\\' && i + 1 < text.size()) ++i;
        word += text[i];
      }
    } else if (c == '\\' && i + 1 < text.size()) {
      in_word = true;
      word += text[++i];
    } else if (c == ' ' || c == '\t') {
      finish();
    } else if (c == '|' || c == ';' || c == '&' || c == '\n') {
      break;
    } else {
      in_word = true;
      word += c;
    }
  }
  finish();
  return words;
}

}  // namespace

std::vector<std::string> words_of(const HookCommand& command) {
  std::vector<std::string> words = {command.program, command.client, "--config", command.config};
  if (!command.agent.empty()) words.insert(words.end(), {"--agent", command.agent});
  words.insert(words.end(), {"--data", command.data, "--timeout", std::to_string(kHookSeconds)});
  return words;
}

std::string command_line(const HookCommand& command, Shell shell) {
  const std::string line = shell_line(words_of(command));
  switch (shell) {
    case Shell::kPosix:
      return line + std::string(kOtherwise);
    case Shell::kPosixFlat:
      return line + std::string(kOtherwiseFlat);
    case Shell::kAny:
      break;
  }
  return std::string(kThroughSh) + line;
}

std::optional<std::vector<std::string>> hook_words(std::string_view line) {
  std::vector<std::string> words = first_words(line);
  const bool through_sh =
      words.size() > 4 && words[0] == "/bin/sh" && words[1] == "-c" && words[3] == "tollgate";
  if (through_sh) words.erase(words.begin(), words.begin() + 4);
  if (words.size() < 2) return std::nullopt;
  if (base_name(words[0]) == "tollgate-hook") return words;
  if (base_name(words[0]) == "tollgate" && words[1] == "hook" && words.size() > 2) {
    words.erase(words.begin() + 1);
    return words;
  }
  return std::nullopt;
}

std::string option_of(const std::vector<std::string>& words, std::string_view option) {
  const auto found = std::ranges::find(words, option);
  return found == words.end() || found + 1 == words.end() ? "" : *(found + 1);
}

}  // namespace tollgate::providers
