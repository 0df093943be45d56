#include "explain/imitation.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>

#include "base/text.h"
#include "explain/layout.h"

namespace tollgate {
namespace {

struct Row {
  char like;
  std::string_view all;
};

// Signs that pass for another one wherever they stand. Those that normalising would turn into it
// are written by their number.
constexpr Row kSigns[] = {
    {'-', "‐‑‒–—―−﹣－˗⁃➖"},
    {'/', "⁄∕╱⧸／〳"},
    {'\\', "∖⧵＼﹨"},
    {'.', "․‥．"},
    {',', "‚，"},
    {':', "꞉ː∶："},
    {';', "\u037E；"},
    {'|', "ǀ∣❘｜│"},
    {'\'', "‘’‛′ʹʻʼˈ＇"},
    {'"', "“”‟″ʺ＂"},
    {'`', "\u1FEFˋ‵｀"},
    {'*', "∗⁎＊٭"},
    {'~', "˜∼～〜"},
    {'!', "ǃ！"},
    {'$', "＄"},
    {'&', "＆"},
    {'>', "›＞❯"},
    {'<', "‹＜❮"},
    {'=', "═＝꓿"},
    {'_', "＿ˍ"},
    {'(', "（❨"},
    {')', "）❩"},
    {'{', "｛❴"},
    {'}', "｝❵"},
    {'[', "［"},
    {']', "］"},
    {'#', "＃"},
    {'%', "％٪"},
    {'+', "＋"},
    {'@', "＠"},
    {'?', "？"},
    {'^', "＾ˆ"},
};

// Letters of other scripts that look like Latin ones, each followed by the Latin one.
constexpr std::string_view kLetters =
    "аaеeоoрpсcуyхxіiјjѕsһhԁdԛqԝwвbкkмmнhтtгrпnԍgӏlАAВBЕEЗZКKМMНHОOРPСCТTУYХXІIЈJЅSӀIԌ6"
    "αaοoνvρpτtυuιiκkωwγyηnΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX"
    "ıiɡgɑaʀRɴNօoսuոnզqհhցgⅼlⅰiⅽcⅾdⅿmⅴvⅹxℓl℮eꓐBꓑPꓓDꓔTꓖGꓗKꓙJꓚCꓜZꓝFꓟMꓠNꓡLꓢSꓣRꓪWꓫXꓬYꓮAꓰEꓲIꓳOꓴU\u212AK";

struct Pair {
  char32_t point;
  char like;
};

struct Range {
  char32_t first, last;
};

// Blanks that are none to a shell, and selectors that take no room.
constexpr Range kBlanks[] = {{0xA0, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A},
                             {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000},
                             {0xFE00, 0xFE0F}, {0x180B, 0x180D}, {0x180F, 0x180F},
                             {0xFFF0, 0xFFF8}, {0xFFFC, 0xFFFC}, {0xFFFE, 0xFFFF}};
// Letters that are Latin though not ASCII: they belong in a word of Latin letters.
constexpr Range kLatin[] = {{0xAA, 0xAA},     {0xBA, 0xBA},     {0xC0, 0x24F},    {0x300, 0x36F},
                            {0x1E00, 0x1EFF}, {0x2C60, 0x2C7F}, {0xA720, 0xA7FF}, {0xAB30, 0xAB64}};
// Punctuation, symbols and pictures: no part of a word.
constexpr Range kNoLetters[] = {{0x80, 0xBF},     {0x2000, 0x206F},   {0x20A0, 0x20CF},
                                {0x2190, 0x2BFF}, {0x3000, 0x3004},   {0x3008, 0x3020},
                                {0xD800, 0xF8FF}, {0xFE00, 0xFE0F},   {0xFE30, 0xFE6F},
                                {0xFFF0, 0xFFFF}, {0x1F000, 0x1FAFF}, {0xE0000, 0xE01EF}};

bool is_in(char32_t point, std::span<const Range> ranges) {
  return std::ranges::any_of(
      ranges, [&](Range range) { return point >= range.first && point <= range.last; });
}

// REQUIRES: one valid character.
char32_t point_of(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first;
  char32_t point = first & (0x7Fu >> character.size());
  for (const char c : character.substr(1))
    point = point << 6 | (static_cast<unsigned char>(c) & 63u);
  return point;
}

std::vector<Pair> sorted(std::vector<Pair> pairs) {
  std::ranges::sort(pairs, {}, &Pair::point);
  return pairs;
}

const std::vector<Pair>& signs() {
  static const std::vector<Pair> kPairs = [] {
    std::vector<Pair> pairs;
    for (const Row& row : kSigns)
      for (std::size_t at = 0; at < row.all.size();) {
        const std::size_t size = character_size(row.all, at);
        pairs.push_back({point_of(row.all.substr(at, size)), row.like});
        at += size;
      }
    return sorted(std::move(pairs));
  }();
  return kPairs;
}

const std::vector<Pair>& letters() {
  static const std::vector<Pair> kPairs = [] {
    std::vector<Pair> pairs;
    for (std::size_t at = 0; at < kLetters.size();) {
      const std::size_t size = character_size(kLetters, at);
      pairs.push_back({point_of(kLetters.substr(at, size)), kLetters[at + size]});
      at += size + 1;
    }
    return sorted(std::move(pairs));
  }();
  return kPairs;
}

std::optional<char> found_in(const std::vector<Pair>& pairs, char32_t point) {
  const auto pair = std::ranges::lower_bound(pairs, point, {}, &Pair::point);
  if (pair == pairs.end() || pair->point != point) return std::nullopt;
  return pair->like;
}

// Mathematical letters and digits come in runs of alphabets; the last run is digits.
std::optional<char> mathematical(char32_t point) {
  if (point < 0x1D400 || point > 0x1D7FF) return std::nullopt;
  if (point >= 0x1D7CE) return static_cast<char>('0' + (point - 0x1D7CE) % 10);
  if (point > 0x1D6A3) return std::nullopt;
  const auto place = static_cast<int>((point - 0x1D400) % 52);
  return static_cast<char>(place < 26 ? 'A' + place : 'a' + place - 26);
}

std::optional<char> latin_for(char32_t point) {
  if (point < 0x80) return std::nullopt;
  if (point >= 0xFF10 && point <= 0xFF5A) return static_cast<char>(point - 0xFEE0);
  if (const std::optional<char> plain = mathematical(point)) return plain;
  return found_in(letters(), point);
}

bool is_ascii_letter(char32_t point) {
  return (point >= 'A' && point <= 'Z') || (point >= 'a' && point <= 'z');
}

// One word while it is read.
struct WordSoFar {
  std::vector<Imitation> alike;
  bool has_ascii = false;
  bool has_others = false;  // letters that neither are Latin nor look so

  void take(std::size_t at, std::size_t size, char32_t point) {
    const std::optional<char> like = latin_for(point);
    if (like) alike.push_back({at, size, *like});
    has_ascii = has_ascii || is_ascii_letter(point);
    has_others = has_others || (!like && point >= 0x80 && !is_in(point, kLatin));
  }
  void end(std::vector<Imitation>& out) {
    if (!has_others || has_ascii) out.insert(out.end(), alike.begin(), alike.end());
    *this = {};
  }
};

bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

std::vector<Imitation> imitations(std::string_view text) {
  std::vector<Imitation> out;
  if (is_plain(text)) return out;
  WordSoFar word;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    const std::string_view character = text.substr(at, size);
    const char32_t point = is_valid_utf8(character) ? point_of(character) : 0;
    const std::optional<char> sign = point < 0x80 ? std::nullopt : found_in(signs(), point);
    const bool blank = is_in(point, kBlanks);
    const bool letter =
        point >= 0x80 ? !sign && !blank && !is_in(point, kNoLetters)
                      : is_ascii_letter(point) || point == '_' || (point >= '0' && point <= '9');
    if (letter)
      word.take(at, size, point);
    else
      word.end(out);
    if (sign || blank) out.push_back({at, size, sign.value_or(' ')});
    at += size;
  }
  word.end(out);
  std::ranges::sort(out, {}, &Imitation::begin);
  return out;
}

}  // namespace tollgate
