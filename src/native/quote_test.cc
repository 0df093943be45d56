// Quoting, as the formats that read it want it.
#include "native/quote.h"

#include <gtest/gtest.h>

#include "base/shell_words.h"

// The clients' patterns are JavaScript's, and so are these. gcc 12 sees something uninitialized in
// them when it sanitizes.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <regex>
#pragma GCC diagnostic pop

namespace tollgate::native {
namespace {

TEST(Quote, MakesOneWordOfAShell) {
  struct Row {
    std::string_view name, text, want;
  };
  constexpr Row kRows[] = {
      {"a plain word stays bare", "--allowedTools", "--allowedTools"},
      {"nothing is a word as well", "", "''"},
      {"a pattern is quoted", "Bash(npm run *)", "'Bash(npm run *)'"},
      {"a quote is closed and opened again", "it's", "'it'\\''s'"},
      {"a dollar is no variable", "${HOME}", "'${HOME}'"},
      {"a home is not expanded", "~/x", "'~/x'"},
      {"a line stays one word", "a\nb", "'a\nb'"},
  };
  for (const Row& row : kRows) EXPECT_EQ(shell_word(row.text), row.want) << row.name;
  EXPECT_EQ(shell_line({"claude", "--setting-sources", "", "a b"}),
            "claude --setting-sources '' 'a b'");
}

TEST(Quote, MakesAPatternOfText) {
  for (const std::string text : {"npm test", "a.b*c", "x+[y]{2}", "(a|b)?", "^$\\", "/w/p-1"}) {
    EXPECT_TRUE(std::regex_match(text, std::regex(regex_escaped(text)))) << text;
    EXPECT_FALSE(std::regex_match(text + "x", std::regex(regex_escaped(text)))) << text;
  }
  EXPECT_FALSE(std::regex_match("axb", std::regex(regex_escaped("a.b"))));
  EXPECT_TRUE(std::regex_match("Secrets.D", std::regex(regex_folded("sEcrets.d"))));
  EXPECT_FALSE(std::regex_match("SecretsxD", std::regex(regex_folded("secrets.d"))));
}

TEST(Quote, MakesAStringOfTomlAndItsLike) {
  EXPECT_EQ(quoted("a\"b\\c\n"), "\"a\\\"b\\\\c\\n\"");
  EXPECT_EQ(quoted("a\x7f\xc2\x9b\xc2\xa0\xc3\x9f\x01"),
            "\"a\\u007f\\u009b\xc2\xa0\xc3\x9f\\u0001\"");
}

}  // namespace
}  // namespace tollgate::native
