// The index: from what a call says to the few rules that could speak of it.
// A rule is filed under its rarest literal part; a call is looked up under everything it says.
// SAFETY: it may name too many rules, never too few; tests compare it with asking every rule.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "policy/match.h"
#include "policy/path_pattern.h"

namespace tollgate {

// The sorts of key. The number goes into the hash, so equal texts of two sorts do not meet.
enum class KeySort : std::uint8_t {
  kAlways,         // no literal part worth filing under
  kTool,           // a tool's exact name
  kServer,         // an MCP server
  kNamespace,      // "files."
  kToolGram,       // three characters of a tool's name
  kFamily,         // a kind of built-in tool
  kProgram,        // a command's program
  kProgramWord,    // program and one of its words
  kProgramGram,    // program and three characters of a word
  kWord,           // one of a command's words, whatever the program
  kGram,           // three characters of a word, whatever the program
  kPathPrefix,     // leading components below an anchor
  kPathWord,       // a component anywhere
  kPathGram,       // three characters of a component
  kHost,           // a host, or one it lies below
  kArgument,       // tool, argument name and literal value
  kArgumentNames,  // one posting for each argument name that literal values of a tool are filed
                   // under
  kArgumentName,   // tool and argument name: for calls that lack the value
  kAgentType,
};

constexpr std::uint32_t feature(KeySort sort) { return 1u << static_cast<unsigned>(sort); }

using Key = std::uint32_t;

Key key(KeySort sort, std::string_view a = {}, std::string_view b = {}, std::string_view c = {});
// Keys of three characters: the first part is mixed once, each gram costs a few instructions.
std::uint64_t gram_base(KeySort sort, std::string_view first = {});
Key gram_key(std::uint64_t base, std::string_view gram);  // REQUIRES: kGramSize characters
Key extend(Key key, std::string_view component);          // for prefixes, component by component

// Keys a rule could be filed under: exactly one of `any` is needed, all of `all` are.
struct RuleKeys {
  struct Entry {
    KeySort sort;
    Key key;
    std::uint8_t depth = 0;   // kPathPrefix: components
    std::uint8_t anchor = 0;  // kPathPrefix
    std::uint32_t start = 0;  // kPathPrefix: its start_bit()
  };
  std::vector<Entry> any;
  std::vector<Entry> all;
};

// Adds to `keys`, so that its memory serves many rules.
void list_keys_of(const RuleView& rule, RuleKeys& keys);

// The first argument of a packed specifier whose pattern is a literal; empty when none is.
struct LiteralArgument {
  std::string_view name;
  std::string_view pattern;
};
LiteralArgument literal_argument(std::string_view packed);

// LIMIT: longer prefixes are filed under their first components.
inline constexpr std::size_t kMaxPrefixDepth = 31;
inline constexpr std::size_t kGramSize = 3;

// Case-folded copy into a fixed buffer happens per component; see PolicyView.
Key path_root_key(Anchor anchor);

}  // namespace tollgate
