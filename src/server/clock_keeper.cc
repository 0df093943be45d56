#include "server/clock_keeper.h"

#include <cstdlib>
#include <optional>

#include "json/json.h"

namespace tollgate::server {
namespace {

using json::Value;

constexpr std::string_view kSetting = "clock";

std::optional<Millis> number_in(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  if (member == nullptr || member->number_text().empty()) return std::nullopt;
  return std::strtoll(std::string(member->number_text()).c_str(), nullptr, 10);
}

}  // namespace

void ClockKeeper::restore(const std::vector<std::pair<std::string, std::string>>& settings,
                          const os::ClockLook& look, const std::string& boot) {
  boot_ = boot;
  for (const auto& [name, text] : settings) {
    if (name != kSetting) continue;
    kept_ = look.boot;
    const Result<Value> value = json::parse(text);
    const Value* of = value ? value->find("boot") : nullptr;
    if (of == nullptr || of->as_string() != boot || boot.empty()) continue;
    const std::optional<Millis> time = number_in(*value, "time");
    const std::optional<Millis> since = number_in(*value, "sinceBoot");
    if (!time || !since || *since > look.boot) continue;
    clocks_ = os::TwoClocks(*time, {.day = *time, .boot = *since});
  }
}

void ClockKeeper::tick(Waits waits, const os::ClockLook& look) {
  const Millis step = clocks_.step(look);
  if (std::abs(step - told_) >= kClockStep) tell_step(step, look);
  if (waits == Waits::kNothing) {
    clocks_.adopt(look);
    told_ = 0;
    if (kept_ == 0) return;
    kept_ = 0;
    store_.submit({store::PutSetting{std::string(kSetting), ""}}, store::Durability::kGrouped,
                  [](const Result<void>&) {});
    return;
  }
  clocks_.follow(look);
  if (kept_ == 0 || look.boot - kept_ >= kClockKept) keep(look);
}

void ClockKeeper::keep(const os::ClockLook& look) {
  kept_ = look.boot;
  const Value text = Value::object({{"boot", Value::string(boot_)},
                                    {"sinceBoot", Value::integer(look.boot)},
                                    {"time", Value::integer(clocks_.now(look))}});
  store_.submit({store::PutSetting{std::string(kSetting), json::write(text)}},
                store::Durability::kGrouped, [](const Result<void>&) {});
}

void ClockKeeper::tell_step(Millis step, const os::ClockLook& look) {
  told_ = step;
  store::AuditRow row;
  row.at = clocks_.now(look);
  row.kind = "clock";
  row.origin = "daemon";
  row.record = Value::object({{"stepMs", Value::integer(step)}});
  store_.submit({store::AppendAudit{std::move(row)}}, store::Durability::kGrouped,
                [](const Result<void>&) {});
  if (log_)
    log_("the time of day is " + std::to_string(step) +
         " ms from the daemon's clock: somebody set it. What waits goes on as if nobody had");
}

}  // namespace tollgate::server
