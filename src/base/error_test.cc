// How errors are shown: whole texts, as a person sees them.
// The layout is a promise: editors and agents find the place by it.
// Hostile source lines are shown here too; none may reach a terminal raw.
#include "base/error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace tollgate {
namespace {

struct RenderCase {
  std::string_view name;
  Error error;
  std::string_view want;
};

TEST(Error, RendersPlaceLineCaretAndHint) {
  const RenderCase cases[] = {
      {"all four parts are shown with a caret below the place",
       {"unknown-role",
        "unknown role `reviwer`",
        "did you mean `reviewer`?",
        {"tollgate.yaml", 14, 7, 1, "role: reviwer"}},
       "tollgate.yaml:14:7: error[unknown-role]: unknown role `reviwer`\n"
       "  role: reviwer\n"
       "        ^\n"
       "  hint: did you mean `reviewer`?\n"},
      {"a wide place gets as many carets",
       {"c", "m", "h", {"f", 1, 3, 4, "ab1234cd"}},
       "f:1:3: error[c]: m\n  ab1234cd\n    ^^^^\n  hint: h\n"},
      {"carets stop at the end of the line",
       {"c", "m", "", {"f", 1, 7, 40, "ab1234cd"}},
       "f:1:7: error[c]: m\n  ab1234cd\n        ^^\n"},
      {"a place beyond the line points just after it",
       {"c", "m", "", {"f", 1, 99, 1, "abc"}},
       "f:1:99: error[c]: m\n  abc\n     ^\n"},
      {"tabs before the place stay tabs, so the caret stands right at any tab width",
       {"c", "m", "", {"f", 2, 4, 1, "\ta\tb"}},
       "f:2:4: error[c]: m\n  \ta\tb\n  \t \t^\n"},
      {"a character of several bytes takes one column",
       {"c", "m", "", {"f", 1, 9, 2, "\"\xC3\xA9\xE2\x82\xAC\" \xC3\xBC"}},
       "f:1:9: error[c]: m\n  \"\xC3\xA9\xE2\x82\xAC\" \xC3\xBC\n       ^\n"},
      {"without a place there is only the message and the hint",
       {"c", "m", "h", {}},
       "error[c]: m\n  hint: h\n"},
      {"a file without a line is named",
       {"c", "m", "h", {"f", 0, 0, 1, ""}},
       "f: error[c]: m\n  hint: h\n"},
      {"a line without a column is shown without a caret",
       {"c", "m", "h", {"f", 3, 0, 1, "text"}},
       "f:3: error[c]: m\n  text\n  hint: h\n"},
      {"a place in unnamed text still has line and column",
       {"c", "m", "h", {"", 3, 2, 1, "text"}},
       "3:2: error[c]: m\n  text\n   ^\n  hint: h\n"},
      {"terminal escapes in the source line are replaced",
       {"c", "m", "", {"f", 1, 3, 1, "\x1b[2J"}},
       "f:1:3: error[c]: m\n  ?[2J\n    ^\n"},
      {"escapes and reordering marks in the message are spelled out",
       {"c", "unknown `a\x1b[0m\xE2\x80\xAE`", "two\nlines", {}},
       "error[c]: unknown `a\\x1b[0m\\xe2\\x80\\xae`\n  hint: two\n  lines\n"},
      {"only the first line of the source text is shown",
       {"c", "m", "", {"f", 1, 1, 1, "abc\r\ndef"}},
       "f:1:1: error[c]: m\n  abc\n  ^\n"},
  };
  for (const RenderCase& c : cases) EXPECT_EQ(render(c.error), c.want) << c.name;
}

TEST(Error, CutsALongLineAroundThePlace) {
  Error error{
      "c", "m", "", {"f", 1, 1001, 3, std::string(1000, 'a') + "bad" + std::string(1000, 'z')}};
  const std::string shown = render(error);
  EXPECT_LT(shown.size(), 400u);
  EXPECT_NE(shown.find("..." + std::string(60, 'a') + "bad"), std::string::npos) << shown;
  EXPECT_NE(shown.find("\n  " + std::string(63, ' ') + "^^^\n"), std::string::npos) << shown;
}

TEST(Error, RendersWarningsAsWarnings) {
  const Diagnostic warning{Severity::kWarning, {"c", "m", "h", {}}};
  EXPECT_EQ(render(warning), "warning[c]: m\n  hint: h\n");
}

TEST(Error, SortsByPlaceThenCode) {
  const auto at = [](std::string file, std::uint32_t line, std::uint32_t column, std::string code) {
    return Diagnostic{Severity::kError,
                      {std::move(code), "m", "h", {std::move(file), line, column, 1, ""}}};
  };
  std::vector<Diagnostic> list = {at("b", 1, 1, "x"), at("a", 10, 1, "x"), at("a", 2, 9, "x"),
                                  at("a", 2, 3, "y"), at("a", 2, 3, "x")};
  sort_by_place(list);
  const std::vector<Diagnostic> want = {at("a", 2, 3, "x"), at("a", 2, 3, "y"), at("a", 2, 9, "x"),
                                        at("a", 10, 1, "x"), at("b", 1, 1, "x")};
  EXPECT_EQ(list, want);
}

TEST(Error, WarningsAloneAreNoErrors) {
  EXPECT_FALSE(has_errors({}));
  EXPECT_FALSE(has_errors({{Severity::kWarning, {}}}));
  EXPECT_TRUE(has_errors({{Severity::kWarning, {}}, {Severity::kError, {}}}));
}

TEST(ErrorCodes, AreSortedUniqueAndExplained) {
  const std::vector<ErrorCode>& codes = error_codes();
  ASSERT_FALSE(codes.empty());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    EXPECT_FALSE(codes[i].meaning.empty()) << codes[i].code;
    EXPECT_NE(codes[i].meaning.back(), '.') << codes[i].code;
    EXPECT_EQ(codes[i].code.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string_view::npos)
        << codes[i].code;
    if (i > 0) {
      EXPECT_LT(codes[i - 1].code, codes[i].code) << "error_codes.inc is sorted by code";
    }
  }
}

}  // namespace
}  // namespace tollgate
