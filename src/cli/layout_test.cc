// What people see: no text steers the terminal, columns stand under each other.
#include "cli/layout.h"

#include <gtest/gtest.h>

#include "cli/difference.h"
#include "cli/explanation.h"

namespace tollgate::cli {
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
      {"a bidirectional control is shown", "a\u202eb", "a\\xe2\\x80\\xaeb"},
      {"a zero-width character is shown", "a\u200bb", "a\\xe2\\x80\\x8bb"},
      {"bytes that are no text are shown", "a\xff", "a\\xff"},
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

TEST(Layout, SpansAreUnderlined) {
  const Paint plain(false);
  EXPECT_EQ(underlined("ls && rm x", {{6, 4}}, 2, plain), "  ls && rm x\n        ^^^^\n");
  EXPECT_EQ(underlined("a\nrm x\nb", {{2, 4}}, 0, plain), "a\nrm x\n^^^^\nb\n");
  EXPECT_EQ(underlined("é rm", {{3, 2}}, 0, plain), "é rm\n  ^^\n");
  EXPECT_EQ(underlined("\x1b rm", {{2, 2}}, 0, plain), "\\x1b rm\n     ^^\n");
  EXPECT_EQ(underlined("ls", {}, 0, plain), "ls\n");
  EXPECT_EQ(underlined("ls", {{9, 9}}, 0, plain), "ls\n");
  EXPECT_EQ(underlined("", {}, 0, plain), "\n");
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
}  // namespace tollgate::cli
