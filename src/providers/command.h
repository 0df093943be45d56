// The command that a client is told to run before a tool, and how it is known again.
// It names policy, agent and data absolutely: the client's environment has no say in them.
// SAFETY: a hook that cannot be started, crashes or is killed ends in exit status 2 with a reason,
// which blocks; most clients take any other failure for consent.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate::providers {

inline constexpr int kHookSeconds = 60;  // when the client gives up; the hook answers before

struct HookCommand {
  std::string program;  // tollgate-hook, absolute
  std::string client;
  std::string config;  // absolute
  std::string agent;   // "": none is named
  std::string data;    // absolute

  bool operator==(const HookCommand&) const = default;
};

// What the client hands the text to.
enum class Shell {
  kPosix,      // sh or bash
  kPosixFlat,  // the same, for a client that reads its reason as JSON from standard output
  kAny,        // the user's own, or nobody knows
};

std::vector<std::string> words_of(const HookCommand& command);
std::string command_line(const HookCommand& command, Shell shell);

// The words of a registered command from the hook program on; nothing where it is not ours.
std::optional<std::vector<std::string>> hook_words(std::string_view line);

inline bool is_ours(std::string_view line) { return hook_words(line).has_value(); }

// What follows `option` among the words of a hook, "" where it is not there.
std::string option_of(const std::vector<std::string>& words, std::string_view option);

}  // namespace tollgate::providers
