// What people see: no text steers the terminal, columns stand under each other.
#include "explain/layout.h"

#include <gtest/gtest.h>

#include "explain/difference.h"
#include "explain/underline.h"

namespace tollgate {
namespace {

struct Case {
  std::string_view name, text, want;
};

TEST(Layout, TextIsMadeVisible) {
  constexpr Case kCases[] = {
      {"plain text stays", "git push", "git push"},
      {"letters of every script stay", "größe 日本", "größe 日本"},
      {"an escape is shown", "\x1b[2J", "\\x1b[2J"},
      {"a newline is shown", "a\nb", "a\\nb"},
      {"a tab is a blank", "a\tb", "a b"},
      {"a bidirectional control is shown", "a\u202eb", "a\\u202eb"},
      {"a zero-width character is shown", "a\u200bb", "a\\u200bb"},
      {"bytes that are no text are shown", "a\xff", "a\\xff"},
      {"half a character is shown by its bytes", "a\xe6\x97 b", "a\\xe6\\x97 b"},
      {"a hidden character beyond the first plane is shown", "\U000e0041", "\\U000e0041"},
  };
  for (const Case& one : kCases) EXPECT_EQ(visible(one.text), one.want) << one.name;
}

TEST(Layout, WhatIsCutIsCounted) {
  EXPECT_EQ(visible_start("abcdef", 6), "abcdef");
  EXPECT_EQ(visible_start("abcdef", 4), "abcd… (2 bytes more)");
  EXPECT_EQ(visible_start("aé", 2), "a… (2 bytes more)");
}

TEST(Layout, ColumnsStandUnderEachOther) {
  EXPECT_EQ(table({{"a", "1"}, {"größe", "2"}, {"x", ""}}, 2), "  a      1\n  größe  2\n  x\n");
}

TEST(Layout, PathsInsideLoseTheirDirectory) {
  EXPECT_EQ(near_path("/w/a/b", "/w"), "a/b");
  EXPECT_EQ(near_path("/wide/a", "/w"), "/wide/a");
  EXPECT_EQ(near_path("/a", "/"), "/a");
  EXPECT_EQ(near_path("/a", ""), "/a");
}

TEST(Layout, ColourIsOnlyThereWhenWanted) {
  EXPECT_EQ(Paint(false).verdict(Verdict::kDeny, "deny"), "deny");
  EXPECT_EQ(Paint(true).verdict(Verdict::kDeny, "deny"), "\x1b[1;31mdeny\x1b[0m");
}

TEST(Layout, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(columns("日本語"), 6u);
  EXPECT_EQ(columns("größe"), 5u);
  EXPECT_EQ(columns("e\u0301"), 1u);
  EXPECT_EQ(columns("👍 ok"), 5u);
  EXPECT_EQ(columns("\xff"), 1u);
}

TEST(Layout, LongTextIsBrokenAtBlanks) {
  EXPECT_EQ(wrapped("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("abcdefghij k", 4), (std::vector<std::string>{"abcdefghij", "k"}));
  EXPECT_EQ(wrapped("", 4), (std::vector<std::string>{""}));
}

TEST(Underline, SpansAreUnderlined) {
  struct Row {
    std::string_view name, text;
    std::vector<Span> spans;
    std::string_view want;
  };
  const Row rows[] = {
      {"a command", "ls && rm x", {{6, 4}}, "ls && rm x\n      ^^^^\n"},
      {"one line of several", "a\nrm x\nb", {{2, 4}}, "a\nrm x\n^^^^\nb\n"},
      {"letters of two bytes", "é rm", {{3, 2}}, "é rm\n  ^^\n"},
      {"wide letters", "日本 rm", {{7, 2}}, "日本 rm\n     ^^\n"},
      {"a control character", "\x1b rm", {{2, 2}}, "\\x1b rm\n     ^^\n"},
      {"a tab is blanks up to the next stop", "\trm", {{1, 2}}, "    rm\n    ^^\n"},
      {"no span", "ls", {}, "ls\n"},
      {"a span outside", "ls", {{9, 9}}, "ls\n"},
      {"a text that ends too early", "if a", {{4, 0}}, "if a\n    ^\n"},
      {"a line that ends too early", "a (\nb", {{3, 0}}, "a (\n   ^\nb\n"},
      {"newlines at the end are no lines", "ls\n\n", {}, "ls\n"},
      {"nothing", "", {}, "\n"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(underlined(row.text, row.spans, Paint(false)), row.want) << row.name;
}

TEST(Underline, LongLinesAreFolded) {
  EXPECT_EQ(underlined("echo one two three four && rm x", {{27, 4}}, Paint(false),
                       {.margin = 2, .width = 24}),
            "  echo one two three\n    four && rm x\n            ^^^^\n");
}

TEST(Underline, OfLongTextsOnlyWhatDecidesIsShown) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "ls\n";
  const Span last{static_cast<std::uint32_t>(text.size()), 4};
  EXPECT_EQ(underlined(text + "rm x", {last}, Paint(false)),
            "ls\n… 27 lines\nls\nls\nrm x\n^^^^\n");
  const std::string plain = underlined(text, {}, Paint(false));
  EXPECT_TRUE(plain.ends_with("ls\n… 18 lines\n")) << plain;
}

TEST(Difference, ShowsWhatChanged) {
  struct Row {
    std::string_view name, before, after, want;
  };
  constexpr Row kRows[] = {
      {"equal texts show nothing", "a\nb\n", "a\nb\n", ""},
      {"a new text is all new", "", "a\nb\n", "+ a\n+ b\n"},
      {"a changed line is gone and new", "a\nb\nc\n", "a\nx\nc\n", "  a\n- b\n+ x\n  c\n"},
      {"a line that is gone is shown", "a\nb\n", "a\n", "  a\n- b\n"},
      {"lines far away are counted", "1\n2\n3\n4\n5\n", "1\n2\n3\n4\n6\n",
       "  … 2 unchanged\n  3\n  4\n- 5\n+ 6\n"},
      {"two changes keep what lies between", "a\nb\nc\n", "x\nb\ny\n", "- a\n+ x\n  b\n- c\n+ y\n"},
      {"controls are made visible", "", "\x1b[2J\n", "+ \\x1b[2J\n"},
  };
  for (const Row& row : kRows) EXPECT_EQ(difference(row.before, row.after), row.want) << row.name;
}

}  // namespace
}  // namespace tollgate
