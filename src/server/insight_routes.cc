// Insight over HTTP: made on the pool, one at a time, and kept for a minute.
#include "server/insight.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

constexpr Millis kDay = 24LL * 3600 * 1000;
constexpr Millis kKept = 60'000;
constexpr std::int64_t kUsualDays = 30;

std::optional<std::int64_t> days_in(const Request& request) {
  const std::optional<std::string> word = request.query_value("days");
  if (!word) return kUsualDays;
  if (word->empty() || word->size() > 3 || word->find_first_not_of("0123456789") != word->npos)
    return std::nullopt;
  const std::int64_t days = std::stoll(*word);
  return days >= 1 && days <= kInsightDays ? std::optional(days) : std::nullopt;
}

void make(Daemon& daemon, const Visit& visit, std::int64_t days) {
  InsightShelf& shelf = daemon.insight;
  shelf.making = true;
  const Millis now = daemon.parts.loop.now();
  const auto result = std::make_shared<Result<Value>>(Value());
  daemon.parts.loop.work(
      [&daemon, result, days, now] {
        // Whole days, the present one among them.
        const Millis since = now - now % kDay - (days - 1) * kDay;
        const Result<Seen> seen = seen_since(daemon.parts.store, since, now);
        *result = seen ? Result<Value>(insight_value(*seen, since, now, daemon.parts.policies))
                       : Fail(seen.error());
      },
      [&daemon, visit, result, days, now] {
        InsightShelf& done = daemon.insight;
        done.making = false;
        if (*result) {
          done.days = days;
          done.made = now;
          done.kept = std::make_shared<const Value>(std::move(**result));
          visit.reply(200, *done.kept);
        } else {
          visit.fail(result->error());
        }
        for (const std::function<void()>& next : std::exchange(done.waiting, {})) next();
      });
}

}  // namespace

void show_insight(Daemon& daemon, Visit visit) {
  const std::optional<std::int64_t> days = days_in(visit.request());
  if (!days) return visit.fail(malformed_request("`days` must be a number from 1 to 90"));
  InsightShelf& shelf = daemon.insight;
  const Millis age = daemon.parts.loop.now() - shelf.made;
  if (shelf.kept && shelf.days == *days && age < kKept) return visit.reply(200, *shelf.kept);
  if (shelf.making)
    return shelf.waiting.push_back([&daemon, visit] { show_insight(daemon, visit); });
  make(daemon, visit, *days);
}

}  // namespace tollgate::server
