// Reads and judges opening hours. A window belongs to the day it begins on, so "Fri 22:00-06:00"
// is open on Saturday morning. Local time comes from the zone's offset at that very moment, so a
// clock change inside the window needs no special case.
#include "policy/hours.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/edit_distance.h"
#include "base/text.h"

namespace tollgate {
namespace {

constexpr std::array<std::string_view, 7> kDays = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
constexpr std::int64_t kDaySeconds = 86'400;

std::unexpected<Error> bad_hours(std::string message) {
  return Fail({.code = "bad-hours",
               .message = std::move(message),
               .hint = "write days, times and a time zone: `Mon-Fri 09:00-18:00 Europe/Berlin`",
               .where = {}});
}

std::optional<int> day_named(std::string_view text) {
  for (std::size_t i = 0; i < kDays.size(); ++i)
    if (lower(text) == lower(kDays[i])) return static_cast<int>(i);
  return std::nullopt;
}

Result<std::uint8_t> parse_days(std::string_view text) {
  unsigned days = 0;
  for (std::string_view part : split(text, ',')) {
    const std::size_t dash = part.find('-');
    const std::string_view first = part.substr(0, dash);
    const std::string_view last = dash == part.npos ? first : part.substr(dash + 1);
    const std::optional<int> from = day_named(first), to = day_named(last);
    if (!from || !to) {
      const std::string_view wrong = from ? last : first;
      return Fail({.code = "bad-hours",
                   .message = "unknown day `" + std::string(wrong) + "`",
                   .hint = did_you_mean(wrong, "days", kDays),
                   .where = {}});
    }
    for (int day = *from;; day = (day + 1) % 7) {
      days |= 1u << static_cast<unsigned>(day);
      if (day == *to) break;
    }
  }
  return static_cast<std::uint8_t>(days);
}

std::optional<std::uint16_t> parse_minute(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  for (const std::size_t i : {0u, 1u, 3u, 4u})
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
  const int hour = (text[0] - '0') * 10 + (text[1] - '0');
  const int minute = (text[3] - '0') * 10 + (text[4] - '0');
  if (minute > 59 || hour > 24 || (hour == 24 && minute > 0)) return std::nullopt;
  return static_cast<std::uint16_t>(hour * 60 + minute);
}

bool looks_like_times(std::string_view text) {
  return !text.empty() && text[0] >= '0' && text[0] <= '9';
}

}  // namespace

Result<Hours> parse_hours(std::string_view text) {
  Hours hours{.days = 0x7f, .from = 0, .to = 24 * 60, .zone = "UTC"};
  std::vector<std::string_view> parts;
  for (std::string_view part : split(trim(text), ' '))
    if (!part.empty()) parts.push_back(part);
  std::size_t next = 0;
  if (next < parts.size() && !looks_like_times(parts[next])) {
    Result<std::uint8_t> days = parse_days(parts[next++]);
    if (!days) return Fail(std::move(days).error());
    hours.days = *days;
  }
  if (next >= parts.size()) return bad_hours("hours `" + std::string(text) + "` name no times");
  const std::string_view times = parts[next++];
  const std::size_t dash = times.find('-');
  const auto from = parse_minute(times.substr(0, dash));
  const auto to = dash == times.npos ? std::nullopt : parse_minute(times.substr(dash + 1));
  if (!from || !to || *from == 24 * 60)
    return bad_hours("`" + std::string(times) + "` is no span of time");
  if (*from == *to)
    return Fail({.code = "rule-never-matches",
                 .message = "the hours `" + std::string(times) + "` are never open",
                 .hint = "write 00:00-24:00 for the whole day",
                 .where = {}});
  hours.from = *from;
  hours.to = *to;
  if (next < parts.size()) hours.zone = std::string(parts[next++]);
  if (next < parts.size())
    return bad_hours("unexpected `" + std::string(parts[next]) + "` after the time zone");
  return hours;
}

std::string format_hours(const Hours& hours) {
  std::string text;
  for (std::size_t i = 0; i < kDays.size(); ++i) {
    if (!(hours.days >> i & 1)) continue;
    std::size_t last = i;
    while (last + 1 < kDays.size() && (hours.days >> (last + 1) & 1)) ++last;
    if (!text.empty()) text += ',';
    text += kDays[i];
    if (last > i) text += '-' + std::string(kDays[last]);
    i = last;
  }
  const auto minute = [](int m) {
    const int h = m / 60, r = m % 60;
    return std::string{static_cast<char>('0' + h / 10), static_cast<char>('0' + h % 10), ':',
                       static_cast<char>('0' + r / 10), static_cast<char>('0' + r % 10)};
  };
  return text + ' ' + minute(hours.from) + '-' + minute(hours.to) + ' ' + hours.zone;
}

bool is_open(const Hours& hours, std::int64_t now, const std::vector<Zone::Offset>& offsets) {
  const auto after = std::upper_bound(
      offsets.begin(), offsets.end(), now,
      [](std::int64_t moment, const Zone::Offset& offset) { return moment < offset.from; });
  std::int64_t seconds = 0;
  if (after != offsets.begin())
    seconds = std::prev(after)->seconds;
  else if (!offsets.empty())
    seconds = offsets.front().seconds;
  const std::int64_t local = now + seconds;
  std::int64_t day = local / kDaySeconds;
  if (local % kDaySeconds < 0) --day;
  const int minute = static_cast<int>((local - day * kDaySeconds) / 60);
  const auto has_day = [&](std::int64_t d) {
    return hours.days >> (((d + 3) % 7 + 7) % 7) & 1;  // day 0, 1 January 1970, was a Thursday
  };
  if (hours.from < hours.to) return has_day(day) && minute >= hours.from && minute < hours.to;
  return (has_day(day) && minute >= hours.from) || (has_day(day - 1) && minute < hours.to);
}

}  // namespace tollgate
