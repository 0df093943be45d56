// Reads one spelling of a moment and no other: digits where digits stand, a real day, UTC.
#include "cli/moment.h"

#include <charconv>
#include <chrono>

namespace tollgate::cli {
namespace {

template <class N>
bool number_at(std::string_view text, std::size_t at, std::size_t size, N& into) {
  const char* begin = text.data() + at;
  const auto read = std::from_chars(begin, begin + size, into);
  return read.ec == std::errc() && read.ptr == begin + size;
}

}  // namespace

std::optional<std::int64_t> utc_seconds(std::string_view text) {
  constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:ddZ";
  if (text.size() != kShape.size()) return std::nullopt;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == 'd' ? !digit : text[i] != kShape[i]) return std::nullopt;
  }
  int year = 0;
  unsigned month = 0, day = 0, hour = 0, minute = 0, second = 0;
  number_at(text, 0, 4, year);
  number_at(text, 5, 2, month);
  number_at(text, 8, 2, day);
  number_at(text, 11, 2, hour);
  number_at(text, 14, 2, minute);
  number_at(text, 17, 2, second);
  const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month),
                                         std::chrono::day(day)};
  if (!date.ok() || hour > 23 || minute > 59 || second > 59) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return ((days * 24 + hour) * 60 + minute) * 60 + second;
}

}  // namespace tollgate::cli
