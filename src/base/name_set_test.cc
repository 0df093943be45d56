// Sets of names: every name is in its set, whatever shelf it lies on, and nothing else is.
#include "base/name_set.h"

#include <gtest/gtest.h>

namespace tollgate {
namespace {

constexpr NameSet kLetters({"a", "b", "c"});
// The first and the last letter and the length of these are the same.
constexpr NameSet kAlike({"table", "trade", "there", "these", "those", "twice"});
constexpr NameSet kAll = joined(kLetters, kAlike);

struct Case {
  std::string_view name, word;
  bool letter, alike;
};

constexpr Case kCases[] = {
    {"the first name", "a", true, false},
    {"the last name", "c", true, false},
    {"a name among others that look alike at a glance", "these", false, true},
    {"the last of those", "twice", false, true},
    {"a word that only looks like one of them", "tease", false, false},
    {"the beginning of a name", "tabl", false, false},
    {"a longer word", "tables", false, false},
    {"another word", "zebra", false, false},
    {"a word with letters beyond ASCII", "\xc3\xa9", false, false},
    {"no word at all", "", false, false},
};

TEST(NameSet, HasItsNamesAndNoOthers) {
  for (const Case& c : kCases) {
    EXPECT_EQ(kLetters.has(c.word), c.letter) << c.name;
    EXPECT_EQ(kAlike.has(c.word), c.alike) << c.name;
    EXPECT_EQ(kAll.has(c.word), c.letter || c.alike) << c.name;
  }
}

TEST(NameSet, KeepsEveryName) {
  EXPECT_EQ(kAll.names().size(), kLetters.names().size() + kAlike.names().size());
  for (const std::string_view name : kAll.names()) EXPECT_TRUE(kAll.has(name)) << name;
}

}  // namespace
}  // namespace tollgate
