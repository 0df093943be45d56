#include "server/age_clock.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "json/json.h"
#include "server/clock_keeper.h"

namespace tollgate::server {
namespace {

using json::Value;

constexpr std::string_view kSetting = "ageClock";
constexpr Millis kWrittenEvery = 3'600'000;
constexpr Millis kSlewed = 1'000;  // a clock that is slewed gains less than a part of so many

std::optional<Millis> number_in(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  if (member == nullptr || member->number_text().empty()) return std::nullopt;
  return std::strtoll(std::string(member->number_text()).c_str(), nullptr, 10);
}

}  // namespace

void AgeClock::restore(const std::vector<std::pair<std::string, std::string>>& settings,
                       const Start& start) {
  name_ = start.name;
  boot_ = start.boot;
  time_ = start.newest == 0 ? start.now : std::min(start.now, start.newest);
  for (const auto& [setting, text] : settings) {
    if (setting != kSetting) continue;
    const Result<Value> value = json::parse(text);
    if (!value || !value->is_object()) continue;
    const std::optional<Millis> time = number_in(*value, "time");
    const std::optional<Millis> quiet = number_in(*value, "quiet");
    const std::optional<Millis> behind = number_in(*value, "behind");
    const std::optional<Millis> boot = number_in(*value, "sinceBoot");
    if (!time || !quiet || !behind || !boot) continue;
    time_ = *time;
    quiet_ = *quiet;
    behind_ = *behind;
    const Value* name = value->find("boot");
    const bool same = name != nullptr && !name_.empty() && name->as_string() == name_;
    if (same && *boot <= start.boot) boot_ = *boot;
  }
}

Millis AgeClock::look(Millis now, Millis boot, Millis keep) {
  const Millis passed = std::max<Millis>(boot - boot_, 0);
  boot_ = boot;
  time_ = std::min(now, time_ + passed + passed / kSlewed);
  const bool stepped = now - time_ - behind_ > kClockStep;
  quiet_ = stepped ? 0 : quiet_ + passed;
  if (quiet_ >= keep) time_ = now;
  behind_ = now - time_;
  due_ = due_ || stepped || boot - written_ >= kWrittenEvery;
  return time_;
}

std::pair<std::string, std::string> AgeClock::kept() {
  due_ = false;
  written_ = boot_;
  return {std::string(kSetting), json::write(Value::object({{"boot", Value::string(name_)},
                                                            {"sinceBoot", Value::integer(boot_)},
                                                            {"time", Value::integer(time_)},
                                                            {"behind", Value::integer(behind_)},
                                                            {"quiet", Value::integer(quiet_)}}))};
}

}  // namespace tollgate::server
