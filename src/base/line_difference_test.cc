// Differences of texts: the form that patch takes, and that nothing is lost on the way.
// Rows are pairs of texts with the whole difference.
// Random texts are put together again from the steps.
#include "base/line_difference.h"

#include <gtest/gtest.h>

#include <random>

#include "base/text.h"

namespace tollgate {
namespace {

struct Case {
  std::string_view name, before, after, want;
};
constexpr Case kCases[] = {
    {"equal texts have none", "a\nb\n", "a\nb\n", ""},
    {"a new text is all new", "", "a\nb\n", "--- t\n+++ t\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
    {"a text that is gone", "a\n", "", "--- t\n+++ t\n@@ -1 +0,0 @@\n-a\n"},
    {"three lines stand about a change", "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
     "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
     "--- t\n+++ t\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
    {"changes far apart are two pieces", "a\n1\n2\n3\n4\n5\n6\n7\nb\n",
     "x\n1\n2\n3\n4\n5\n6\n7\ny\n",
     "--- t\n+++ t\n@@ -1,4 +1,4 @@\n-a\n+x\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+y\n"},
    {"changes nearby are one piece", "a\n1\n2\n3\n4\n5\n6\nb\n", "x\n1\n2\n3\n4\n5\n6\ny\n",
     "--- t\n+++ t\n@@ -1,8 +1,8 @@\n-a\n+x\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+y\n"},
    {"a missing last line break is told", "a", "a\nb",
     "--- t\n+++ t\n@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n"
     "\\ No newline at end of file\n"},
    {"a carriage return is a byte of its line", "a\r\n", "a\r\nb\r\n",
     "--- t\n+++ t\n@@ -1 +1,2 @@\n a\r\n+b\r\n"},
};

TEST(UnifiedDifference, IsWhatPatchTakes) {
  for (const Case& c : kCases)
    EXPECT_EQ(unified_difference(c.before, c.after, "t"), c.want) << c.name;
}

TEST(LineSteps, GiveBothTextsBack) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::string before, after;
    for (std::string* text : {&before, &after})
      for (std::size_t i = random() % 12; i > 0; --i)
        *text += std::string(1, "abc"[random() % 3]) + '\n';
    const std::vector<std::string_view> a = split(before, '\n'), b = split(after, '\n');
    std::string old_text, new_text;
    for (const LineStep& step : line_steps(a, b)) {
      if (step.mark != '+') old_text += std::string(a[step.line]) + '\n';
      if (step.mark != '-')
        new_text += std::string(step.mark == '+' ? b[step.line] : a[step.line]) + '\n';
    }
    EXPECT_EQ(old_text, before + '\n') << after;
    EXPECT_EQ(new_text, after + '\n') << before;
  }
}

}  // namespace
}  // namespace tollgate
