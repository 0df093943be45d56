// What becomes of a chain under each attack, and what heads from elsewhere make of it.
#include "audit/chain_check.h"

#include <gtest/gtest.h>

#include <functional>

namespace tollgate {
namespace {

constexpr std::string_view kStore = "0123456789abcdef0123456789abcdef";

LoggedRow row_of(std::int64_t number, const std::string& record = "") {
  static const auto kPlaces =
      std::make_shared<const SharedPiece>(SharedPiece{"\"places\":[]", *sha256("\"places\":[]")});
  LoggedRow row;
  row.number = number;
  row.at = number * 10;
  row.names = {"call", "s1", "backend", "Bash", "allow", "Bash(make *)", "", "", "mcp"};
  row.pieces = {{record.empty() ? "{\"n\":" + std::to_string(number) + "," : record, nullptr}};
  if (record.empty()) {
    row.pieces.push_back({{}, kPlaces});
    row.pieces.push_back({"}", nullptr});
  }
  return row;
}

// Gives every row the digest that it would have had.
void chain(std::vector<LoggedRow>& rows, Digest before) {
  for (LoggedRow& row : rows) before = row.digest = *link_of(before, row);
}

std::vector<LoggedRow> ten_rows() {
  std::vector<LoggedRow> rows;
  for (std::int64_t number = 1; number <= 10; ++number) rows.push_back(row_of(number));
  chain(rows, *genesis_of(kStore));
  return rows;
}

Anchor anchor_at(const std::vector<LoggedRow>& rows, std::int64_t number) {
  return {.store = std::string(kStore),
          .number = number,
          .digest = rows.at(static_cast<std::size_t>(number - 1)).digest,
          .at = 1'763'400'000'000,
          .from = "a file"};
}

std::string told(const ChainReport& report) {
  std::string out;
  for (const ChainFault& fault : report.faults) {
    out += std::string(kChainFaultNames[static_cast<std::size_t>(fault.kind)]) + " " +
           std::to_string(fault.first);
    if (fault.last != fault.first) out += "-" + std::to_string(fault.last);
    out += "; ";
  }
  out += "attested " + std::to_string(report.attested);
  return out;
}

ChainReport checked(const std::vector<LoggedRow>& rows, std::vector<Anchor> anchors = {},
                    std::int64_t last = 10) {
  ChainCheck check({.store = std::string(kStore), .first = 1, .before = *genesis_of(kStore)},
                   std::move(anchors));
  for (const LoggedRow& row : rows) check.row(row);
  return check.finish(last);
}

void renumber(std::vector<LoggedRow>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].number = static_cast<std::int64_t>(i + 1);
}

using Rows = std::vector<LoggedRow>;
struct Attack {
  std::string_view name;
  void (*change)(Rows&);
  std::string_view want;
};

const Attack kAttacks[] = {
    {"nothing is done", [](Rows&) {}, "attested 0"},
    {"a letter of a record is changed", [](Rows& r) { r[4].pieces[0].own[2] = 'm'; },
     "changed 5; attested 0"},
    {"a time is changed", [](Rows& r) { r[4].at += 1; }, "changed 5; attested 0"},
    {"a name is changed", [](Rows& r) { r[4].names[4] = "deny"; }, "changed 5; attested 0"},
    {"a name moves to the next column", [](Rows& r) { std::swap(r[4].names[5], r[4].names[6]); },
     "changed 5; attested 0"},
    {"a part is changed",
     [](Rows& r) {
       r[4].pieces[1].shared =
           std::make_shared<const SharedPiece>(SharedPiece{"other", *sha256("other")});
     },
     "changed 5; attested 0"},
    {"a part becomes the row's own",
     [](Rows& r) { r[4].pieces[1] = {r[4].pieces[1].shared->text, nullptr}; },
     "changed 5; attested 0"},
    {"a digest is changed, which the next row notices as well",
     [](Rows& r) { r[4].digest.bytes[0] ^= 1; }, "changed 5-6; attested 0"},
    {"a row is changed and given a digest that fits it",
     [](Rows& r) {
       r[4].at += 1;
       r[4].digest = *link_of(r[3].digest, r[4]);
     },
     "changed 6; attested 0"},
    {"a row is removed", [](Rows& r) { r.erase(r.begin() + 4); }, "missing 5; attested 0"},
    {"rows are removed and the rest numbered anew",
     [](Rows& r) {
       r.erase(r.begin() + 4, r.begin() + 6);
       renumber(r);
     },
     "changed 5; end 9-10; attested 0"},
    {"a row is put in and the rest numbered anew",
     [](Rows& r) {
       r.insert(r.begin() + 4, row_of(5));
       renumber(r);
     },
     "changed 5-6; attested 0"},
    {"two rows change places",
     [](Rows& r) {
       std::swap(r[4], r[5]);
       renumber(r);
     },
     "changed 5-7; attested 0"},
    {"a row stands behind a later one", [](Rows& r) { std::swap(r[4], r[5]); },
     "missing 5; order 5; attested 0"},
    {"the end is cut", [](Rows& r) { r.resize(7); }, "end 8-10; attested 0"},
    {"the beginning is cut", [](Rows& r) { r.erase(r.begin(), r.begin() + 3); },
     "missing 1-3; attested 0"},
    {"a row cannot be read", [](Rows& r) { r[4].problem = "a part is missing"; },
     "unreadable 5; attested 0"},
    {"two places are changed, and both are named",
     [](Rows& r) {
       r[1].at += 1;
       r[7].at += 1;
     },
     "changed 2; changed 8; attested 0"},
};

TEST(ChainCheck, SaysWhatIsWrongAndWhere) {
  for (const Attack& attack : kAttacks) {
    Rows rows = ten_rows();
    attack.change(rows);
    EXPECT_EQ(told(checked(rows)), attack.want) << attack.name;
  }
}

struct Anchored {
  std::string_view name;
  void (*change)(Rows&);
  std::vector<std::int64_t> anchors;
  std::int64_t last;
  std::string_view want;
};

const Anchored kAnchored[] = {
    {"rows up to the last head are attested", [](Rows&) {}, {4, 8}, 10, "attested 8"},
    {"no row is attested without a head", [](Rows&) {}, {}, 10, "attested 0"},
    {"all is written anew with digests that fit",
     [](Rows& r) {
       r[2].names[4] = "deny";
       chain(r, *genesis_of(kStore));
     },
     {8},
     10,
     "anchor 1-8; attested 0"},
    {"what lies between two heads is written anew",
     [](Rows& r) {
       r[6].at += 1;
       chain(r, *genesis_of(kStore));
     },
     {4, 8},
     10,
     "anchor 5-8; attested 4"},
    {"the end is cut, and the store is made to agree",
     [](Rows& r) { r.resize(5); },
     {4, 8},
     5,
     "end 6-8; attested 4"},
    {"what came after the last head is written anew, which nothing shows",
     [](Rows& r) {
       r[9].at += 1;
       chain(r, *genesis_of(kStore));
     },
     {8},
     10,
     "attested 8"},
};

TEST(ChainCheck, HeadsFromElsewhereShowWhatFitsItself) {
  for (const Anchored& each : kAnchored) {
    std::vector<Anchor> anchors;
    for (const std::int64_t number : each.anchors) anchors.push_back(anchor_at(ten_rows(), number));
    Rows rows = ten_rows();
    each.change(rows);
    EXPECT_EQ(told(checked(rows, anchors, each.last)), each.want) << each.name;
  }
}

TEST(ChainCheck, HeadsOfAnotherStoreSayNothing) {
  Anchor other = anchor_at(ten_rows(), 8);
  other.store = "another";
  other.digest = {};
  EXPECT_EQ(told(checked(ten_rows(), {other})), "attested 0");
}

TEST(ChainCheck, AStoreThatTookThePlaceOfAnotherIsSeenByTheHeadsOfThatOne) {
  struct Case {
    std::string_view name, store, place, own;
    std::string_view want;
  };
  for (const Case& each :
       {Case{"another store lay here", "another", "here", "here", "replaced 1-8; attested 0"},
        Case{"another store lies elsewhere", "another", "there", "here", "attested 0"},
        Case{"nobody said where the other lay", "another", "", "here", "attested 0"},
        Case{"a copy may lie anywhere", "another", "here", "", "attested 0"},
        Case{"its own heads say nothing of the kind", kStore, "here", "here", "attested 8"}}) {
    const Rows rows = ten_rows();
    std::vector<Anchor> heads{anchor_at(rows, 4), anchor_at(rows, 8)};
    for (Anchor& head : heads) {
      head.store = each.store;
      head.place = each.place;
    }
    ChainCheck check({.store = std::string(kStore),
                      .first = 1,
                      .before = *genesis_of(kStore),
                      .place = std::string(each.own)},
                     heads);
    for (const LoggedRow& row : rows) check.row(row);
    EXPECT_EQ(told(check.finish(10)), each.want) << each.name;
  }
}

// The rows 1 to 5 went by the rule, and row 11 says so.
ChainReport without_the_first(const std::string& digest, std::int64_t last,
                              const std::string& before = "55", std::vector<Anchor> anchors = {}) {
  Rows rows = ten_rows();
  LoggedRow act = row_of(11, R"({"act":"removed","first":1,"last":)" + std::to_string(last) +
                                 R"(,"digest":")" + digest + R"(","before":)" + before + "}");
  act.names[0] = "retention";
  rows.push_back(act);
  chain(rows, *genesis_of(kStore));
  ChainCheck check({.store = std::string(kStore), .first = 6, .before = rows[4].digest},
                   std::move(anchors));
  for (std::size_t i = 5; i < rows.size(); ++i) check.row(rows[i]);
  return check.finish(11);
}

TEST(ChainCheck, WhatTheRuleRemovedIsAccountedForByItsRow) {
  const std::string digest = text_of(ten_rows()[4].digest);
  EXPECT_EQ(told(without_the_first(digest, 5)), "attested 0");
  EXPECT_EQ(without_the_first(digest, 5).removed, 5);
  EXPECT_EQ(told(without_the_first(digest, 4)), "beginning 1-5; attested 0");
  EXPECT_EQ(told(without_the_first(std::string(64, '0'), 5)), "beginning 1-5; attested 0");
}

// Whoever can write the file removes rows and writes a row of `retention` that fits.
TEST(ChainCheck, HeadsShowThatTheRuleDidNotRemoveIt) {
  const Rows rows = ten_rows();
  const std::string digest = text_of(rows[4].digest);
  const auto head = [&](std::int64_t number, std::int64_t at) {
    Anchor anchor = anchor_at(rows, number);
    anchor.at = at;
    return anchor;
  };
  EXPECT_EQ(told(without_the_first(digest, 5, "55", {head(3, 30), head(8, 80)})), "attested 8");
  EXPECT_EQ(told(without_the_first(digest, 5, "55", {head(5, 1'000), head(8, 1'000)})),
            "attested 8")
      << "the last of them may have been old when its head was taken";
  EXPECT_EQ(told(without_the_first(digest, 5, "35", {head(3, 40), head(8, 80)})),
            "beginning 4-5; attested 8");
  EXPECT_EQ(told(without_the_first(digest, 5, "0", {head(3, 40)})), "beginning 4-5; attested 0");
  EXPECT_EQ(told(without_the_first(digest, 5, "null")), "beginning 1-5; attested 0");
  EXPECT_EQ(without_the_first(digest, 5).removed_before, 55);
}

// An export says of which store it is; its rows must be of that one.
TEST(ChainCheck, AChainThatBeginsWithAnotherStoresIsNone) {
  Rows rows = ten_rows();
  chain(rows, *genesis_of("another"));
  ChainCheck check({.store = std::string(kStore), .first = 1, .before = *genesis_of("another")},
                   {});
  for (const LoggedRow& row : rows) check.row(row);
  EXPECT_EQ(told(check.finish(10)), "beginning 1; attested 0");
}

TEST(ChainCheck, ASliceBeginsWhereItSays) {
  const Rows rows = ten_rows();
  ChainCheck check(
      {.store = std::string(kStore), .first = 6, .before = rows[4].digest, .is_slice = true},
      {anchor_at(rows, 5), anchor_at(rows, 9)});
  for (std::size_t i = 5; i < rows.size(); ++i) check.row(rows[i]);
  EXPECT_EQ(told(check.finish(10)), "attested 9");
}

TEST(ChainCheck, ManyFaultsAreCounted) {
  Rows rows;
  for (std::int64_t number = 1; number <= 500; ++number) rows.push_back(row_of(number));
  chain(rows, *genesis_of(kStore));
  for (std::size_t i = 0; i < rows.size(); i += 2) rows[i].at += 1;
  const ChainReport report = checked(rows, {}, 500);
  EXPECT_EQ(report.faults.size(), 100u);
  EXPECT_EQ(report.more_faults, 150u);
  EXPECT_FALSE(report.holds());
}

TEST(Digest, IsTheOneThatOthersMake) {
  EXPECT_EQ(text_of(*sha256("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(text_of(*hmac_sha256("key", "The quick brown fox jumps over the lazy dog")),
            "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8");
  EXPECT_EQ(digest_from(text_of(*sha256("abc"))), sha256("abc"));
  EXPECT_EQ(digest_from("ba78"), std::nullopt);
  EXPECT_EQ(digest_from(std::string(64, 'g')), std::nullopt);
}

// INVARIANT: this digest stands in stores; a change of the link's form breaks every one of them.
TEST(Link, HasTheFormThatStoresHave) {
  EXPECT_EQ(text_of(*genesis_of(kStore)),
            "191f403017a16e7f283f3de7f89ab6cc0c3e0469d369397690718ed4e24ad566");
  EXPECT_EQ(text_of(ten_rows()[9].digest),
            "158fd79464d5069108a6c4ea52a69935a6c274c92d0968d76e35f8b77d33339f");
}

}  // namespace
}  // namespace tollgate
