// Patterns against text, case by case, and against a slow matcher that cannot be wrong.
#include "policy/glob.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace tollgate {
namespace {

std::string words(std::string text) {
  for (char& c : text)
    if (c == ' ') c = kWordEnd;
  for (char& c : text)
    if (c == '_') c = ' ';  // `_` writes a blank inside a word
  return text;
}

struct CommandCase {
  const char* name;
  const char* pattern;
  const char* text;
  bool want;
};

constexpr CommandCase kCommands[] = {
    {"an exact command matches itself", "npm test", "npm test", true},
    {"a longer command is another command", "npm test", "npm test x", false},
    {"a closing star may be absent", "npm run *", "npm run", true},
    {"a closing star takes many words", "npm run *", "npm run build --watch", true},
    {"a closing star starts at a boundary", "npm run *", "npm runner", false},
    {"a glued star takes the rest of the word", "npm run*", "npm runner", true},
    {"a glued star crosses words", "git commit -m fix*", "git commit -m fixed --amend", true},
    {"a blank inside a word is not a boundary", "echo a b", "echo a_b", false},
    {"an escaped blank is one", "echo a\\ b", "echo a_b", true},
    {"an escaped blank is no boundary", "echo a\\ b", "echo a b", false},
    {"a star takes a blank inside a word", "echo *", "echo a_b", true},
    {"a middle star is one word or more", "a * b", "a x b", true},
    {"a middle star is many words", "a * b", "a x y b", true},
    {"a middle star is never nothing", "a * b", "a b", false},
    {"an escaped star is a star", "echo \\*", "echo *", true},
    {"an escaped star is nothing else", "echo \\*", "echo x", false},
    {"an escaped closing star must be there", "echo \\*", "echo", false},
    {"a star in front", "* --version", "node --version", true},
    {"only a star", "*", "anything at all", true},
};

TEST(CommandGlob, MatchesWords) {
  for (const CommandCase& c : kCommands)
    EXPECT_EQ(command_glob(c.pattern, words(c.text)), c.want) << c.name << ": " << c.pattern;
}

struct PathCase {
  const char* name;
  const char* pattern;
  const char* path;
  Below below;
  bool want;
};

constexpr PathCase kPaths[] = {
    {"a name is itself", "a/b", "a/b", Below::kExact, true},
    {"a name does not cover what is below", "a", "a/b", Below::kExact, false},
    {"a name covers what is below when asked", "a", "a/b/c", Below::kCovered, true},
    {"a star stays in its component", "a/*", "a/b/c", Below::kExact, false},
    {"two stars cross", "a/**", "a/b/c", Below::kExact, true},
    {"two stars are also nothing", "a/**", "a", Below::kExact, true},
    {"two stars in front", "**/x", "x", Below::kExact, true},
    {"two stars in front, deep", "**/x", "a/b/x", Below::kExact, true},
    {"two stars in the middle", "a/**/b", "a/x/y/b", Below::kExact, true},
    {"two stars in the middle are also nothing", "a/**/b", "a/b", Below::kExact, true},
    {"two stars twice", "**/a/**/b", "x/a/y/a/z/b", Below::kExact, true},
    {"a suffix star", "*.pem", "key.pem", Below::kExact, true},
    {"a suffix star does not cross", "*.pem", "a/key.pem", Below::kExact, false},
    {"a question mark is one character", "a?c", "abc", Below::kExact, true},
    {"a question mark is not a slash", "a?c", "a/c", Below::kExact, false},
    {"a set", "[ab]x", "bx", Below::kExact, true},
    {"a range", "[a-c]x", "dx", Below::kExact, false},
    {"a negated set", "[!a]x", "bx", Below::kExact, true},
    {"an open bracket alone is itself", "[ax", "[ax", Below::kExact, true},
    {"an escaped star is a star", "a\\*", "ab", Below::kExact, false},
    {"everything", "**", "a/b", Below::kExact, true},
    {"everything, the base too", "**", "", Below::kExact, true},
    {"an empty pattern is the base", "", "", Below::kExact, true},
    {"an empty pattern covers all when asked", "", "a", Below::kCovered, true},
};

TEST(PathGlob, MatchesComponents) {
  for (const PathCase& c : kPaths)
    EXPECT_EQ(path_glob(c.pattern, c.path, c.below, Fold::kNo), c.want) << c.name;
  EXPECT_TRUE(path_glob("Secret", "sEcReT/x", Below::kCovered, Fold::kCase));
  EXPECT_FALSE(path_glob("Secret", "secret", Below::kExact, Fold::kNo));
}

TEST(ValueGlob, StaysWithinSegments) {
  EXPECT_TRUE(value_glob("acme/*", "acme/site"));
  EXPECT_FALSE(value_glob("acme/*", "acme/site/sub"));
  EXPECT_TRUE(value_glob("acme/**", "acme/site/sub"));
  EXPECT_TRUE(value_glob("**/x*", "a/b/xy"));
  EXPECT_FALSE(value_glob("**/x*", "a/b/xy/z"));
  EXPECT_TRUE(value_glob("*", ""));
  EXPECT_FALSE(value_glob("*", "a/b"));
}

// Tries every split: slow, short, and plainly right.
bool slow_command(std::string_view pattern, std::string_view text) {
  if (pattern == " *") return text.empty() || text[0] == kWordEnd;
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    for (std::size_t i = 0; i <= text.size(); ++i)
      if (slow_command(pattern.substr(1), text.substr(i))) return true;
    return false;
  }
  if (text.empty()) return false;
  const bool escaped = pattern[0] == '\\' && pattern.size() > 1;
  const char want = escaped ? pattern[1] : pattern[0] == ' ' ? kWordEnd : pattern[0];
  return text[0] == want && slow_command(pattern.substr(escaped ? 2 : 1), text.substr(1));
}

bool slow_value(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    const bool deep = pattern.size() > 1 && pattern[1] == '*';
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (slow_value(pattern.substr(deep ? 2 : 1), text.substr(i))) return true;
      if (!deep && i < text.size() && text[i] == '/') return false;
    }
    return false;
  }
  return !text.empty() && text[0] == pattern[0] && slow_value(pattern.substr(1), text.substr(1));
}

std::string random_text(std::mt19937& random, std::string_view alphabet, int most) {
  std::string text;
  for (int n = static_cast<int>(random() % static_cast<unsigned>(most + 1)); n > 0; --n)
    text += alphabet[random() % alphabet.size()];
  return text;
}

TEST(Globs, AgreeWithTheSlowMatchers) {
  std::mt19937 random(7);
  for (int i = 0; i < 200'000; ++i) {
    const std::string pattern = random_text(random, "ab* *", 8);
    const std::string text = words(random_text(random, "ab_ ", 8));
    ASSERT_EQ(command_glob(pattern, text), slow_command(pattern, text)) << pattern << "|" << text;
    const std::string value_pattern = random_text(random, "ab/**", 8);
    const std::string value = random_text(random, "ab/", 8);
    ASSERT_EQ(value_glob(value_pattern, value), slow_value(value_pattern, value))
        << value_pattern << "|" << value;
  }
}

}  // namespace
}  // namespace tollgate
