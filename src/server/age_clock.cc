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
constexpr Millis kHour = 3'600'000;
constexpr Millis kWrittenEvery = kHour;
// LIMIT: hours with a step that are told apart; the last ones go as one beyond that, later.
constexpr std::size_t kMostLags = 1'024;
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
  now_ = start.newest == 0 ? start.now : std::min(start.now, start.newest);
  for (const auto& [setting, text] : settings) {
    if (setting != kSetting) continue;
    const Result<Value> value = json::parse(text);
    if (!value || !value->is_object()) continue;
    const std::optional<Millis> now = number_in(*value, "time");
    const std::optional<Millis> measured = number_in(*value, "measured");
    const std::optional<Millis> boot = number_in(*value, "sinceBoot");
    const Value* lags = value->find("lags");
    if (!now || !measured || !boot || lags == nullptr) continue;
    now_ = *now;
    measured_ = *measured;
    lags_.clear();
    for (const Value& lag : lags->items()) {
      const std::optional<Millis> by = number_in(lag, "by");
      const std::optional<Millis> end = number_in(lag, "end");
      if (by && end) lags_.push_back({.by = *by, .end = *end});
    }
    const Value* name = value->find("boot");
    const bool same = name != nullptr && !name_.empty() && name->as_string() == name_;
    if (same && *boot <= start.boot) boot_ = *boot;
  }
}

Millis AgeClock::look(Millis now, Millis boot, Millis keep) {
  const Millis passed = std::max<Millis>(boot - boot_, 0);
  const Millis ahead = now - now_ - passed - passed / kSlewed;
  boot_ = boot;
  now_ = now;
  measured_ += passed;
  if (ahead > 0)
    fall_behind(ahead);
  else
    catch_up(-ahead);
  std::erase_if(lags_, [&](const Lag& lag) { return measured_ - lag.end >= keep; });
  due_ = due_ || ahead > kClockStep || boot - written_ >= kWrittenEvery;
  for (const Lag& lag : lags_) now -= lag.by;
  return now;
}

// Those of an hour count as one of its end.
void AgeClock::fall_behind(Millis by) {
  const Millis end = (measured_ / kHour + 1) * kHour;
  if (!lags_.empty() && (lags_.back().end == end || lags_.size() >= kMostLags))
    lags_.back() = {.by = lags_.back().by + by, .end = end};
  else
    lags_.push_back({.by = by, .end = end});
}

void AgeClock::catch_up(Millis by) {
  while (by > 0 && !lags_.empty()) {
    const Millis some = std::min(by, lags_.back().by);
    lags_.back().by -= some;
    by -= some;
    if (lags_.back().by == 0) lags_.pop_back();
  }
}

std::pair<std::string, std::string> AgeClock::kept() {
  due_ = false;
  written_ = boot_;
  Value lags = Value::array();
  for (const Lag& lag : lags_)
    lags.push(Value::object({{"by", Value::integer(lag.by)}, {"end", Value::integer(lag.end)}}));
  return {std::string(kSetting), json::write(Value::object({{"boot", Value::string(name_)},
                                                            {"sinceBoot", Value::integer(boot_)},
                                                            {"time", Value::integer(now_)},
                                                            {"measured", Value::integer(measured_)},
                                                            {"lags", std::move(lags)}}))};
}

}  // namespace tollgate::server
