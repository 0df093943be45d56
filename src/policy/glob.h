// The three kinds of pattern text: words of a command, paths, and argument values.
// All run in time bounded by pattern times text, without recursion and without allocation.
// In every kind a backslash makes the next character stand for itself.
#pragma once

#include <string>
#include <string_view>

namespace tollgate {

// Between the words of a joined command; no argument of a program can hold it.
inline constexpr char kWordEnd = '\0';

// A command pattern against words joined by kWordEnd. A blank is a word boundary, `*` is any run
// of characters across words, a closing ` *` may be absent with its boundary.
bool command_glob(std::string_view pattern, std::string_view joined_words);

// True when a command pattern closes with ` *`, and that blank is not an escaped one.
bool ends_open(std::string_view pattern);

enum class Fold { kNo, kCase };
enum class Below { kExact, kCovered };  // kCovered: whatever lies below a match matches too

// A path pattern without its anchor against a relative path ("a/b/c", "" for the base itself).
// `*` and `?` stay within a component, `**` is any number of components, `[a-z]` a set.
bool path_glob(std::string_view pattern, std::string_view path, Below below, Fold fold);

// One component, as path_glob reads it.
bool component_glob(std::string_view pattern, std::string_view name, Fold fold);

// An argument value: `*` stays within a `/` segment, `**` crosses.
bool value_glob(std::string_view pattern, std::string_view value);

// Any run of characters for every `*`: tool names, agent types, rendered templates.
bool plain_glob(std::string_view pattern, std::string_view text);

// True when a path pattern holds a character that is more than itself.
bool has_wildcard(std::string_view pattern);

// The same for every other kind, where only the star is special.
bool has_star(std::string_view pattern);

// The pattern without its escapes. REQUIRES: nothing in it is more than itself.
std::string unescaped(std::string_view pattern);

}  // namespace tollgate
