// Text questions: trimming, splitting, UTF-8, characters that deceive, durations.
// Stands alone; the UTF-8 reader here is the one that json/ trusts as well.
// SAFETY: whatever cannot be decoded counts as hidden, never as harmless.
#include "base/text.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>

namespace tollgate {
namespace {

struct Decoded {
  std::uint32_t point = 0;
  std::size_t size = 0;  // 0: no valid character begins here
};

// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
Decoded decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t first = byte(at);
  if (first < 0x80) return {first, 1};
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + size > text.size()) return {};
  std::uint32_t point = first & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {};
    point = point << 6 | (byte(at + i) & 0x3Fu);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (point < kSmallest[size] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
    return {};
  return {point, size};
}

struct Range {
  std::uint32_t first, last;
};

constexpr Range kHidden[] = {
    {0x00, 0x08},        // controls before tab
    {0x0B, 0x1F},        // controls after newline, carriage return among them
    {0x7F, 0x9F},        // delete and the C1 controls
    {0xAD, 0xAD},        // soft hyphen
    {0x034F, 0x034F},    // combining grapheme joiner
    {0x061C, 0x061C},    // Arabic letter mark
    {0x115F, 0x1160},    // Hangul fillers
    {0x17B4, 0x17B5},    // Khmer inherent vowels
    {0x180E, 0x180E},    // Mongolian vowel separator
    {0x200B, 0x200F},    // zero-width characters, direction marks
    {0x2028, 0x202E},    // line and paragraph separators, embeddings and overrides
    {0x2060, 0x206F},    // word joiner, invisible operators, isolates
    {0x3164, 0x3164},    // Hangul filler
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFA0, 0xFFA0},    // half-width Hangul filler
    {0xFFF9, 0xFFFB},    // interlinear annotation
    {0x1D173, 0x1D17A},  // musical controls
    {0xE0000, 0xE01EF},  // tags and the supplementary variation selectors
};

bool is_hidden(std::uint32_t point) {
  const Range* after = std::upper_bound(std::begin(kHidden), std::end(kHidden), point,
                                        [](std::uint32_t p, Range r) { return p < r.first; });
  return after != std::begin(kHidden) && point <= std::prev(after)->last;
}

constexpr std::size_t kBlock = sizeof(std::uint64_t);

// True when all eight bytes are printable ASCII or newlines, which most text is made of.
// A byte that is neither raises its own top bit; carries leave only bytes that raise it anyway.
bool is_plain_block(const char* bytes) {
  constexpr std::uint64_t kEach = 0x0101010101010101;
  std::uint64_t block = 0;
  std::memcpy(&block, bytes, kBlock);
  const std::uint64_t from_blank = block + kEach * 0x60;
  const std::uint64_t no_newline = (block ^ kEach * '\n') + kEach * 0x7f;
  const std::uint64_t from_delete = block + kEach;
  return ((block | from_delete | (~from_blank & no_newline)) & kEach * 0x80) == 0;
}

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

struct Unit {
  std::string_view name;
  long long milliseconds;
};
constexpr Unit kUnits[] = {
    {"", 1}, {"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000},
};

}  // namespace

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = lower(c);
  return out;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  parts.reserve(static_cast<std::size_t>(std::ranges::count(text, separator)) + 1);
  for (std::size_t begin = 0;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) out += separator;
    out += parts[i];
  }
  return out;
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

bool is_valid_utf8(std::string_view text) { return valid_utf8_prefix(text) == text.size(); }

std::size_t valid_utf8_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.size() - at >= kBlock && is_plain_block(text.data() + at)) {
      at += kBlock;
      continue;
    }
    const std::size_t size = decode(text, at).size;
    if (size == 0) break;
    at += size;
  }
  return at;
}

std::string shortened(std::string_view text) {
  // LIMIT: enough to recognise a name by; a hostile one cannot fill the screen or the log.
  constexpr std::size_t kLongest = 80;
  if (text.size() <= kLongest) return std::string(text);
  return std::string(text.substr(0, valid_utf8_prefix(text.substr(0, kLongest)))) + "...";
}

bool has_hidden_characters(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    // What is left of a plain text is looked at as a block too, together with what stands before.
    if (text.size() >= kBlock && text.size() - i < kBlock &&
        is_plain_block(text.data() + text.size() - kBlock))
      return false;
    if (text.size() - i >= kBlock && is_plain_block(text.data() + i)) {
      i += kBlock;
      continue;
    }
    if (text[i] >= ' ' && text[i] < '\x7f') {
      ++i;
      continue;
    }
    const Decoded character = decode(text, i);
    if (character.size == 0 || is_hidden(character.point)) return true;
    i += character.size;
  }
  return false;
}

std::optional<long long> duration_ms(std::string_view text) {
  constexpr long long kMost = std::numeric_limits<long long>::max();
  long long count = 0;
  std::size_t digits = 0;
  for (; digits < text.size() && text[digits] >= '0' && text[digits] <= '9'; ++digits) {
    const long long digit = text[digits] - '0';
    if (count > (kMost - digit) / 10) return std::nullopt;
    count = count * 10 + digit;
  }
  if (digits == 0) return std::nullopt;
  for (const Unit& unit : kUnits) {
    if (text.substr(digits) != unit.name) continue;
    if (count > kMost / unit.milliseconds) return std::nullopt;
    return count * unit.milliseconds;
  }
  return std::nullopt;
}

std::optional<long long> utc_seconds(std::string_view text) {
  const auto digits = [&](std::size_t at, std::size_t count) -> std::optional<int> {
    if (at + count > text.size()) return std::nullopt;
    int value = 0;
    for (const char c : text.substr(at, count)) {
      if (c < '0' || c > '9') return std::nullopt;
      value = value * 10 + (c - '0');
    }
    return value;
  };
  const bool day_only = text.size() == 10;
  if (!day_only && (text.size() != 20 || text[10] != 'T' || text[13] != ':' || text[16] != ':' ||
                    text[19] != 'Z'))
    return std::nullopt;
  const auto year = digits(0, 4), month = digits(5, 2), day = digits(8, 2);
  if (!year || !month || !day || text[4] != '-' || text[7] != '-') return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const long long midnight = std::chrono::sys_days(date).time_since_epoch().count() * 86'400LL;
  if (day_only) return midnight;
  const auto hour = digits(11, 2), minute = digits(14, 2), second = digits(17, 2);
  if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 59)
    return std::nullopt;
  return midnight + *hour * 3'600LL + *minute * 60LL + *second;
}

}  // namespace tollgate
