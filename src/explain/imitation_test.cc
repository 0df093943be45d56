// What passes for something else, and what is only another language.
#include "explain/imitation.h"

#include <gtest/gtest.h>

#include <string>

namespace tollgate {
namespace {

struct Case {
  std::string_view name, text, want;  // what the marked characters look like, in order
};

TEST(Imitations, AreMarkedWhereTheyCouldPassForAnother) {
  constexpr Case kCases[] = {
      {"plain text has none", "rm -rf build", ""},
      {"a Cyrillic letter in a Latin word", "gооgle.com", "oo"},
      {"a word of nothing but look-alikes", "сору file", "copy"},
      {"a Russian word is a Russian word", "привет мир", ""},
      {"a letter with an accent is itself", "café résumé", ""},
      {"a dash that is no dash", "rm –rf x", "-"},
      {"quotes that quote nothing", "echo ‘a’", "''"},
      {"a blank that is none to a shell", "ls\u00a0x", " "},
      {"full-width letters", "ｒｍ", "rm"},
      {"mathematical letters", "𝐫𝐦 𝟏", "rm1"},
      {"a slash that is none", "a∕b", "/"},
      {"a selector that takes no room", "a\uFE0Fb", " "},
      {"Chinese is a language", "删除 文件", ""},
      {"bytes that are no text are none of ours", "a\xff\xfe", ""},
  };
  for (const Case& row : kCases) {
    std::string got;
    for (const Imitation& each : imitations(row.text)) got += each.like;
    EXPECT_EQ(got, row.want) << row.name;
  }
}

TEST(Imitations, SayWhereTheyStand) {
  EXPECT_EQ(imitations("go\u043Egle"), (std::vector<Imitation>{{2, 2, 'o'}}));
}

}  // namespace
}  // namespace tollgate
