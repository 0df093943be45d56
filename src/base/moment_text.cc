#include "base/moment_text.h"

#include <chrono>

namespace tollgate {
namespace {

std::string digits(std::int64_t value, std::size_t width) {
  std::string text = std::to_string(value);
  return text.size() < width ? std::string(width - text.size(), '0') + text : text;
}

}  // namespace

std::string moment_text(std::int64_t milliseconds) {
  using namespace std::chrono;
  const sys_time<std::chrono::milliseconds> at{std::chrono::milliseconds(milliseconds)};
  const sys_days day = floor<days>(at);
  const year_month_day date(day);
  const hh_mm_ss time(at - day);
  return digits(static_cast<int>(date.year()), 4) + "-" +
         digits(static_cast<unsigned>(date.month()), 2) + "-" +
         digits(static_cast<unsigned>(date.day()), 2) + "T" + digits(time.hours().count(), 2) +
         ":" + digits(time.minutes().count(), 2) + ":" + digits(time.seconds().count(), 2) + "." +
         digits(time.subseconds().count(), 3) + "Z";
}

}  // namespace tollgate
