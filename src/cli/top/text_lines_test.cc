// Text on its way to the screen: whole, visible, folded.
#include "cli/top/text_lines.h"

#include <gtest/gtest.h>

namespace tollgate::cli::top {
namespace {

struct Case {
  std::string_view name, text;
  std::size_t width;
  Manner manner;
  Breaks breaks;
  std::string_view want;  // lines, a bar between
};

TEST(TextLines, AreWholeVisibleAndFolded) {
  constexpr auto kCode = Manner::kCode;
  constexpr auto kProse = Manner::kProse;
  constexpr auto kAny = Breaks::kAnywhere;
  constexpr auto kWords = Breaks::kBetweenWords;
  constexpr Case kCases[] = {
      {"a short line", "ls -l", 20, kCode, kAny, "ls -l"},
      {"lines of its own", "a\nb\n", 20, kCode, kAny, "a|b|"},
      {"a fold is no newline", "abcdefghij", 8, kCode, kAny, "abcdefgh|↪ ij"},
      {"prose is broken between words", "one two three", 8, kProse, kWords, "one two|three"},
      {"a word longer than the line is folded", "ab cdefghijklmn", 8, kProse, kWords,
       "ab cdefg|↪ hijklm|↪ n"},
      {"what steers is shown by its number", "a\x1b[2J\rb", 40, kCode, kAny, "a\\x1b[2J\\x0db"},
      {"what turns the text is", "a\u202eb", 40, kProse, kAny, "a\\u202eb"},
      {"what imitates is, in code", "g\u043egle", 40, kCode, kAny, "g\\u043egle"},
      {"and is not in prose", "g\u043egle", 40, kProse, kAny, "gоgle"},
      {"bytes that are no text", "a\xff", 40, kCode, kAny, "a\\xff"},
      {"wide characters take two columns", "中文中文中", 8, kCode, kAny, "中文中文|↪ 中"},
      {"a heap of accents hides nothing", "a\u0301\u0301\u0301\u0301", 40, kCode, kAny,
       "a\u0301\u0301\\u0301\\u0301"},
      {"a tab goes to the next stop", "a\tb", 40, kCode, kAny, "a   b"},
      {"nothing is a line", "", 40, kCode, kAny, ""},
  };
  for (const Case& row : kCases) {
    TextOptions options;
    options.width = row.width;
    options.manner = row.manner;
    options.breaks = row.breaks;
    std::string got;
    for (const Line& line : text_lines(row.text, options))
      got += (got.empty() ? "" : "|") + plain(line);
    EXPECT_EQ(got, row.want) << row.name;
  }
}

TEST(TextLines, MarksHaveTheirStyleAndOddCharactersKeepTheirs) {
  TextOptions options;
  options.marks = {{0, 9, Style::kCommand}, {3, 6, Style::kDeciding}};
  const std::vector<Line> lines = text_lines("rm \u202e x", options);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0],
            (Line{{"rm ", Style::kCommand}, {"\\u202e", Style::kHidden}, {" x", Style::kCommand}}));
}

TEST(Pictures, GiveWayAtTheLeftAndSayThatTheyDo) {
  EXPECT_EQ(plain(fitted({{"abcdef", Style::kPlain}}, 4)), "abc…");
  EXPECT_EQ(plain(spread({{"left side", Style::kPlain}}, {{"9:59", Style::kAsk}}, 10)),
            "left… 9:59");
  EXPECT_EQ(plain(fitted({{"中中中", Style::kPlain}}, 4)), "中…");
}

}  // namespace
}  // namespace tollgate::cli::top
