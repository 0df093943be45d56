// Text questions as tables: trimming, splitting, UTF-8, hidden characters, durations.
// Rows about UTF-8 name the attack they stand for.
// Bytes are spelled out, so that an editor cannot change what is tested.
#include "base/text.h"

#include <gtest/gtest.h>

namespace tollgate {
namespace {

TEST(Text, TrimsSplitsJoinsAndLowers) {
  EXPECT_EQ(trim(" \t a b \r\n"), "a b");
  EXPECT_EQ(trim(" \n "), "");
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
  EXPECT_EQ(split("a,", ','), (std::vector<std::string_view>{"a", ""}));
  EXPECT_EQ(join({"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(join({}, ", "), "");
  EXPECT_EQ(lower(std::string_view("AbZ\xC3\x84[")), "abz\xC3\x84[");
}

struct Utf8Case {
  std::string_view name, text;
  bool want;
};
constexpr Utf8Case kUtf8[] = {
    {"plain ASCII is valid", "abc", true},
    {"nothing is valid", "", true},
    {"two, three and four bytes are valid", "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", true},
    {"the last code point is valid", "\xF4\x8F\xBF\xBF", true},
    {"beyond the last code point is not", "\xF4\x90\x80\x80", false},
    {"an overlong slash is not", "\xC0\xAF", false},
    {"an overlong slash of three bytes is not", "\xE0\x80\xAF", false},
    {"an overlong form of four bytes is not", "\xF0\x80\x80\xAF", false},
    {"a surrogate is not", "\xED\xA0\x80", false},
    {"a lone continuation is not", "\x80", false},
    {"a cut character is not", "\xE2\x82", false},
    {"a lead followed by ASCII is not", "\xC3(", false},
    {"0xFF is not", "\xFF", false},
};

TEST(Text, KnowsValidUtf8) {
  for (const Utf8Case& c : kUtf8) EXPECT_EQ(is_valid_utf8(c.text), c.want) << c.name;
  EXPECT_EQ(valid_utf8_prefix("a\xC3\xA9\xFF"
                              "b"),
            3u);
}

TEST(Text, ShortensWithoutCuttingACharacter) {
  EXPECT_EQ(shortened("name"), "name");
  EXPECT_EQ(shortened(std::string(80, 'a')), std::string(80, 'a'));
  EXPECT_EQ(shortened(std::string(79, 'a') + "\xC3\xA9"), std::string(79, 'a') + "...");
}

constexpr Utf8Case kHidden[] = {
    {"plain text hides nothing", "ls -la\t\n", false},
    {"accents, symbols and emoji hide nothing", "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", false},
    {"an emoji presentation selector hides nothing", "\xE2\x9A\xA0\xEF\xB8\x8F", false},
    {"a carriage return can overwrite a line", "rm x\rls", true},
    {"an escape drives the terminal", "\x1b[2J", true},
    {"backspace rubs out", "ls\b\b", true},
    {"delete is a control", "\x7f", true},
    {"a C1 control drives the terminal", "\xC2\x9B", true},
    {"a right-to-left override reorders", "\xE2\x80\xAE", true},
    {"an isolate reorders", "\xE2\x81\xA6", true},
    {"a zero-width space hides", "r\xE2\x80\x8Bm", true},
    {"a byte order mark hides", "\xEF\xBB\xBFls", true},
    {"a soft hyphen hides", "a\xC2\xAD", true},
    {"tag characters hide whole texts", "\xF3\xA0\x81\x81", true},
    {"what is no UTF-8 counts as hidden", "\x9B", true},
};

TEST(Text, FindsCharactersThatHideOrReorder) {
  for (const Utf8Case& c : kHidden) EXPECT_EQ(has_hidden_characters(c.text), c.want) << c.name;
  EXPECT_TRUE(has_hidden_characters(std::string_view("a\0b", 3)));
}

TEST(Text, FindsAHiddenByteWhereverItStandsInPlainText) {
  const std::string plain = "Bash(npm run build *)\n";
  for (int byte = 0; byte < 256; ++byte) {
    const std::string alone(1, static_cast<char>(byte));
    for (std::size_t at = 0; at < plain.size(); ++at) {
      std::string text = plain;
      text[at] = alone[0];
      EXPECT_EQ(has_hidden_characters(text), has_hidden_characters(alone)) << byte << " at " << at;
    }
  }
}

struct DurationCase {
  std::string_view name, text;
  std::optional<long long> want;
};
constexpr DurationCase kDurations[] = {
    {"seconds", "30s", 30'000},
    {"minutes", "10m", 600'000},
    {"hours", "2h", 7'200'000},
    {"days", "7d", 604'800'000},
    {"milliseconds", "1500ms", 1'500},
    {"a bare number is milliseconds", "60000", 60'000},
    {"zero is a duration", "0", 0},
    {"a negative number is none", "-1s", std::nullopt},
    {"a fraction is none", "1.5h", std::nullopt},
    {"a unit alone is none", "s", std::nullopt},
    {"nothing is none", "", std::nullopt},
    {"a blank is none", "30 s", std::nullopt},
    {"an unknown unit is none", "3w", std::nullopt},
    {"units are lower case", "30S", std::nullopt},
    {"a number that overflows is none", "99999999999999999999", std::nullopt},
    {"a product that overflows is none", "9999999999999999d", std::nullopt},
};

TEST(Text, ReadsDurations) {
  for (const DurationCase& c : kDurations) EXPECT_EQ(duration_ms(c.text), c.want) << c.name;
}

}  // namespace
}  // namespace tollgate
