// What may be said of a command whose program has no row: paths among its words, code that it
// runs, hosts that it reaches.
// All of it only tightens: nothing here makes a command listed.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "effects/commands/program.h"

namespace tollgate {

// Every path that a word of the command may stand for, as a guess that its run owns.
void add_guesses(std::span<const ShellWord> words, const Surroundings& around, Effects& out);

// What comes into a command by a pipe.
enum class Input { kNone, kPiped, kFetched };

// Code that a command runs and that no table follows.
struct UnreadCode {
  std::string_view what;  // one of kUnread…
  std::string flag;       // kUnreadCode: what the code stands behind
  std::string why;
  std::vector<std::string> shell_texts;  // shell text among it, to be read for deny rules
};
std::optional<UnreadCode> unread_code(std::span<const ShellWord> words, Input input);

// `find x -delete` without a test takes away the tree x.
void add_find_deletes(std::span<const ShellWord> words, const Surroundings& around, Effects& out);

// True for programs that print what they fetch.
bool is_fetcher(std::string_view program);

// Hosts that the command reaches; one that cannot be told is an empty one.
void add_reached(std::span<const ShellWord> words, std::uint32_t owner, Effects& out);

}  // namespace tollgate
