#include "os/local_time.h"

#include <ctime>

namespace tollgate::os {
namespace {

LocalTime written(const std::tm* parts) {
  char text[32] = {}, zone[16] = {};
  if (parts == nullptr || std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", parts) == 0)
    return {};
  if (std::strftime(zone, sizeof zone, "%Z", parts) == 0 || zone[0] == '\0')
    std::strftime(zone, sizeof zone, "%z", parts);
  return {.text = text, .zone = zone};
}

}  // namespace

LocalTime local_time(std::int64_t seconds) {
  const std::time_t moment = seconds;
  std::tm parts = {};
  ::tzset();
  return written(::localtime_r(&moment, &parts));
}

LocalTime utc_time(std::int64_t seconds) {
  const std::time_t moment = seconds;
  std::tm parts = {};
  LocalTime out = written(::gmtime_r(&moment, &parts));
  out.zone = "UTC";
  return out;
}

}  // namespace tollgate::os
