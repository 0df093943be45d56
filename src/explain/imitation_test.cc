// What passes for something else, and what is only another language.
#include "explain/imitation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "base/text.h"
#include "explain/layout.h"

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
      {"a Greek question mark is no semicolon", "a\u037Eb", ";"},
      {"the Kelvin sign is no letter", "\u212Aill", "K"},
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

// --- the page's tables are these
// --------------------------------------------------------------------

std::string utf8(char32_t point) {
  std::string out;
  if (point < 0x80) return {static_cast<char>(point)};
  if (point >= 0x10000) out += static_cast<char>(0xF0 | (point >> 18));
  if (point >= 0x800)
    out += static_cast<char>((point >= 0x10000 ? 0x80 : 0xE0) | ((point >> 12) & 0x3F));
  out += static_cast<char>((point >= 0x800 ? 0x80 : 0xC0) | ((point >> 6) & 0x3F));
  out += static_cast<char>(0x80 | (point & 0x3F));
  return out;
}

std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    out.emplace_back(text.substr(at, size));
    at += size;
  }
  return out;
}

std::string part_of_page(const std::string& from, const std::string& to) {
  std::ifstream in(TOLLGATE_SOURCE_DIR "/web/src/text/hidden.ts", std::ios::binary);
  std::stringstream all;
  all << in.rdbuf();
  const std::string text = all.str();
  const std::size_t begin = text.find(from), end = text.find(to, begin);
  EXPECT_TRUE(begin != text.npos && end != text.npos) << from;
  return begin == text.npos ? "" : text.substr(begin, end - begin);
}

// `\\u037e` as the character that it stands for.
std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text.compare(at, 2, "\\u") != 0) {
      out += text[at++];
      continue;
    }
    out += utf8(static_cast<char32_t>(std::stoul(text.substr(at + 2, 4), nullptr, 16)));
    at += 6;
  }
  return out;
}

void each_match(const std::string& text, const std::string& pattern,
                const std::function<void(const std::smatch&)>& take) {
  const std::regex expression(pattern);
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it)
    take(*it);
}

// Full-width letters and digits are a range in both, and no row of a table.
bool is_full_width_word(char32_t point) {
  const char32_t plain = point - 0xFEE0;
  return point >= 0xFF10 && point <= 0xFF5A &&
         ((plain >= '0' && plain <= '9') || (plain >= 'A' && plain <= 'Z') ||
          (plain >= 'a' && plain <= 'z'));
}

// What a character by itself passes for, where it passes for something that can be seen.
std::map<std::string, char> alike_here() {
  std::map<std::string, char> out;
  for (char32_t point = 0x80; point < 0x10000; ++point) {
    if (point >= 0xD800 && point < 0xE000) continue;
    const std::string character = utf8(point);
    for (const Imitation& each : imitations(character))
      if (each.like != ' ' && !is_full_width_word(point)) out[character] = each.like;
  }
  return out;
}

TEST(Imitations, AreThoseOfThePage) {
  std::map<std::string, char> page;
  each_match(part_of_page("const signs =", "const letters ="),
             R"re(\[(?:'\\?(.)'|"(.)"), '([^']*)'\])re", [&](const std::smatch& row) {
               const char like = (row[1].matched ? row[1] : row[2]).str()[0];
               for (const std::string& sign : characters(unescaped(row[3].str())))
                 page[sign] = like;
             });
  EXPECT_GT(page.size(), 90u) << "its table is read";
  const std::size_t signs = page.size();
  each_match(part_of_page("const letters =", "const suspects ="), "'([^']*)'",
             [&](const std::smatch& row) {
               const std::string pairs = unescaped(row[1].str());
               for (const std::string_view pair : split(pairs, ' '))
                 if (const std::vector<std::string> both = characters(pair); both.size() == 2)
                   page[both[0]] = both[1][0];
             });
  EXPECT_GT(page.size(), signs + 100);
  const std::map<std::string, char> here = alike_here();
  for (const auto& [character, like] : page) {
    const auto found = here.find(character);
    EXPECT_TRUE(found != here.end() && found->second == like)
        << "the page marks " << character << " as " << like;
  }
  for (const auto& [character, like] : here)
    EXPECT_TRUE(page.contains(character)) << "the page misses " << character << " for " << like;
}

TEST(Imitations, AndWhatHidesAreThoseOfThePage) {
  const std::string suspects = part_of_page("const suspects = /[", "]|");
  std::vector<std::pair<char32_t, char32_t>> ranges;
  each_match(
      suspects, R"re(\\u([0-9a-f]{4})(?:-\\u([0-9a-f]{4}))?)re", [&](const std::smatch& row) {
        const auto first = static_cast<char32_t>(std::stoul(row[1].str(), nullptr, 16));
        ranges.emplace_back(
            first,
            row[2].matched ? static_cast<char32_t>(std::stoul(row[2].str(), nullptr, 16)) : first);
      });
  EXPECT_GT(ranges.size(), 15u);
  for (char32_t point = 0; point < 0x10000; ++point) {
    if ((point >= 0xD800 && point < 0xE000) || point == 0xFFFD) continue;
    const std::string character = utf8(point);
    const std::vector<Imitation> marks = imitations(character);
    const bool here = has_hidden_characters(character) || (!marks.empty() && marks[0].like == ' ');
    const bool page = std::ranges::any_of(
        ranges, [&](const auto& range) { return point >= range.first && point <= range.second; });
    EXPECT_EQ(here, page) << "U+" << std::hex << static_cast<unsigned>(point);
  }
  // What lies above is written by its halves there.
  const std::string all = part_of_page("const suspects =", "const foreign");
  for (const auto& [point, halves] :
       {std::pair<char32_t, std::string_view>{0x1D173, R"(\ud834[\udd73-\udd7a])"},
        {0xE0001, R"(\udb40[\udc00-\udfff])"}}) {
    EXPECT_TRUE(has_hidden_characters(utf8(point)));
    EXPECT_NE(all.find(halves), std::string::npos) << halves;
  }
}

}  // namespace
}  // namespace tollgate
