// What leaves as lines comes back as the same chain; heads are found among other lines.
#include "audit/export.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "audit/anchor.h"
#include "audit/place.h"
#include "base/text.h"

namespace tollgate {
namespace {

std::vector<LoggedRow> odd_rows() {
  const std::string part = "\"places\":[\"/a\xff\"]";
  const auto shared = std::make_shared<const SharedPiece>(SharedPiece{part, *sha256(part)});
  std::vector<LoggedRow> rows(4);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].number = static_cast<std::int64_t>(i + 1);
    rows[i].at = i == 2 ? INT64_MIN : 1'763'400'000'000 + static_cast<std::int64_t>(i);
    rows[i].names = {"call", std::string("s\0 \xc0", 4), "\"agent\"\n", "Bash", "", "", "q", "",
                     "mcp"};
    rows[i].pieces = {{"{\"n\":\"\\u0000", nullptr}, {{}, shared}, {"\xfe}", nullptr}};
  }
  Digest before = *genesis_of("here");
  for (LoggedRow& row : rows) before = row.digest = *link_of(before, row);
  return rows;
}

std::string exported(const std::vector<LoggedRow>& rows) {
  ExportLines lines;
  std::string out =
      ExportHead{.start = {.store = "here", .first = 1, .before = *genesis_of("here")}, .last = 4}
          .line();
  for (const LoggedRow& row : rows) out += lines.row(row);
  return out;
}

Result<ChainReport> checked(const std::string& text) {
  ExportReader reader;
  std::optional<ChainCheck> check;
  std::int64_t last = 0;
  for (const std::string_view line : split(text, '\n')) {
    if (line.empty()) continue;
    Result<ExportReader::Line> read = reader.read(line);
    if (!read) return Fail(read.error());
    if (read->head) {
      check.emplace(read->head->start, std::vector<Anchor>());
      last = read->head->last;
    }
    if (read->row) check->row(*read->row);
  }
  return check->finish(last);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

TEST(Export, ComesBackAsTheSameChain) {
  const Result<ChainReport> report = checked(exported(odd_rows()));
  ASSERT_TRUE(report) << render(report.error());
  EXPECT_TRUE(report->holds()) << report->faults.front().text;
  EXPECT_EQ(report->rows, 4u);
  EXPECT_EQ(report->head, odd_rows().back().digest);
}

TEST(Export, EachPartIsToldOnce) {
  const std::string text = exported(odd_rows());
  EXPECT_EQ(text.find("{\"part\":"), text.find('\n') + 1);
  std::size_t told = 0;
  for (std::size_t at = text.find("\n{\"part\":"); at != text.npos;
       at = text.find("\n{\"part\":", at + 1))
    ++told;
  EXPECT_EQ(told, 1u);
}

TEST(Export, WhatWasChangedIsSeen) {
  const std::string text = exported(odd_rows());
  struct Case {
    std::string_view name, from, to;
  };
  for (const Case& each : {Case{"a name", "\"kind\":\"call\"", "\"kind\":\"cell\""},
                           Case{"a part", "\"hex\":\"22", "\"hex\":\"23"},
                           Case{"a digest", "\"digest\":\"", "\"digest\":\"0"},
                           Case{"a time", "\"at\":1763400000000", "\"at\":1763400000001"},
                           Case{"the last number", "\"last\":4", "\"last\":5"}}) {
    const Result<ChainReport> report =
        checked(replaced(text, std::string(each.from), std::string(each.to)));
    ASSERT_TRUE(report) << each.name;
    EXPECT_FALSE(report->holds()) << each.name;
  }
}

TEST(Export, WhatIsNoneIsRefused) {
  for (const std::string_view text :
       {"", "{}", "[]", "hello", R"({"tollgate":"record","version":2})",
        R"({"tollgate":"record","version":1,"before":"00"})"}) {
    ExportReader reader;
    const Result<ExportReader::Line> read = reader.read(text);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, "bad-export") << text;
  }
}

Anchor some_anchor() {
  return {.store = "here",
          .place = "0f",
          .number = 7,
          .digest = *sha256("x"),
          .at = 1'763'400'000'000,
          .from = "f"};
}

TEST(Anchor, IsFoundAmongOtherLines) {
  const std::string line = anchor_line(some_anchor());
  const std::vector<Anchor> want{some_anchor()};
  struct Case {
    std::string_view name;
    std::string text;
    bool found;
  };
  for (const Case& each :
       {Case{"alone", line, true}, Case{"among others", "x\n{}\n" + line + "\n{\"a\":1}\n", true},
        Case{"behind a log's own words", "Nov 18 host tollgate[7]: " + line + "\r\n", true},
        Case{"as a webhook's body", R"({"type":"record.head","data":)" + line + "}", true},
        Case{"cut short", line.substr(0, line.size() - 3), false},
        Case{"another object", R"({"store":"here","number":7})", false},
        Case{"a number that is none", replaced(line, ":7,", ":-7,"), false}})
    EXPECT_EQ(anchors_in(each.text, "f"), each.found ? want : std::vector<Anchor>()) << each.name;
}

TEST(Place, IsThatOfTheDirectoryByWhateverPathItIsNamed) {
  const char* above = std::getenv("TMPDIR");
  std::string made = std::string(above == nullptr ? "/tmp" : above) + "/tollgate-place-XXXXXX";
  ASSERT_NE(::mkdtemp(made.data()), nullptr);
  const std::string link = made + "-link";
  ASSERT_EQ(::symlink(made.c_str(), link.c_str()), 0);
  EXPECT_EQ(place_of_store(made).size(), 32u);
  EXPECT_EQ(place_of_store(made), place_of_store(link));
  EXPECT_NE(place_of_store(made), place_of_store(made + "/data"));
  ::unlink(link.c_str());
  ::rmdir(made.c_str());
}

TEST(Anchor, AFileThatItsUserCanRewriteAttestsNothing) {
  EXPECT_EQ(weakness_of({.append_only = true, .own = true}), "");
  EXPECT_EQ(weakness_of({.append_only = true, .own = false}), "");
  EXPECT_NE(weakness_of({.append_only = false, .own = true}).find("attests nothing"),
            std::string::npos);
  EXPECT_NE(weakness_of({.append_only = false, .own = false}).find("chattr +a"), std::string::npos);
}

}  // namespace
}  // namespace tollgate
