#include "server/insight.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/moment_text.h"
#include "os/clock.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

constexpr Millis kDay = 24LL * 3600 * 1000;
constexpr std::size_t kPageOfRows = 1'000;
constexpr std::size_t kShownRules = 50;

std::string day_of(Millis at) { return moment_text(at).substr(0, 10); }
Value count(std::size_t number) { return Value::integer(static_cast<std::int64_t>(number)); }

struct Day {
  std::size_t calls = 0;
  std::set<std::string> asked, approved, denied, expired;  // questions: a call may come again
};

Value days_value(const Seen& seen, Millis since, Millis now) {
  std::map<std::string, Day> days;
  for (Millis at = since; at <= now; at += kDay) days[day_of(at)];
  days[day_of(now)];
  for (const store::AuditRow& row : seen.rows) {
    Day& day = days[day_of(row.at)];
    ++day.calls;
    if (row.question.empty()) continue;
    day.asked.insert(row.question);
    if (row.verdict == "allow") day.approved.insert(row.question);
    if (row.rule == "answered" && row.verdict == "deny") day.denied.insert(row.question);
    if (row.rule == "timeout") day.expired.insert(row.question);
  }
  Value out = Value::array();
  for (const auto& [name, day] : days)
    out.push(Value::object({{"day", text_value(name)},
                            {"calls", count(day.calls)},
                            {"asked", count(day.asked.size())},
                            {"approved", count(day.approved.size())},
                            {"denied", count(day.denied.size())},
                            {"expired", count(day.expired.size())}}));
  return out;
}

// REQUIRES: sorted. 0 where there is none.
Millis quantile(const std::vector<Millis>& sorted, std::size_t percent) {
  if (sorted.empty()) return 0;
  return sorted[std::min(sorted.size() - 1, sorted.size() * percent / 100)];
}

struct RuleCount {
  std::size_t asked = 0, approved = 0, denied = 0;
  std::vector<Millis> times;
};

Value rules_value(const std::vector<store::Question>& questions) {
  std::map<std::pair<std::string, std::string>, RuleCount> rules;
  for (const store::Question& question : questions) {
    const std::vector<Reason>& reasons = question.asked.decision.reasons;
    if (reasons.empty()) continue;
    const Reason& first = reasons.front();
    const std::string rule = first.rule.empty() ? std::string(name(first.kind)) : first.rule;
    RuleCount& one = rules[{rule, first.source}];
    ++one.asked;
    if (!is_by_people(question)) continue;
    ++(question.state == store::QuestionState::kApproved ? one.approved : one.denied);
    one.times.push_back(answer_time(question));
  }
  std::vector<std::pair<std::pair<std::string, std::string>, RuleCount>> sorted(rules.begin(),
                                                                                rules.end());
  std::ranges::stable_sort(sorted, std::greater(),
                           [](const auto& each) { return each.second.asked; });
  if (sorted.size() > kShownRules) sorted.resize(kShownRules);
  Value out = Value::array();
  for (auto& [key, one] : sorted) {
    std::ranges::sort(one.times);
    out.push(Value::object(
        {{"rule", text_value(key.first)},
         {"source", text_value(key.second)},
         {"asked", count(one.asked)},
         {"approved", count(one.approved)},
         {"denied", count(one.denied)},
         {"medianMs", one.times.empty() ? Value() : Value::integer(quantile(one.times, 50))}}));
  }
  return out;
}

// As a share with three digits, written as JSON numbers are: 0.125.
Value share(std::size_t part, std::size_t whole) {
  if (whole == 0) return {};
  const std::size_t thousandth = part * 1'000 / whole;
  if (thousandth % 1'000 == 0) return count(thousandth / 1'000);
  std::string digits = std::to_string(1'000 + thousandth).substr(1);
  while (digits.ends_with('0')) digits.pop_back();
  return Value::number("0." + digits);
}

Value answer_value(const std::vector<store::Question>& questions) {
  constexpr std::array<Millis, 10> kUpTo = {1'000,  2'000,   5'000,   10'000,    30'000,
                                            60'000, 300'000, 900'000, 3'600'000, 0};  // 0: more
  std::vector<Millis> times;
  for (const store::Question& question : questions)
    if (is_by_people(question)) times.push_back(answer_time(question));
  std::ranges::sort(times);
  Value histogram = Value::array();
  std::size_t before = 0;
  for (const Millis up_to : kUpTo) {
    const auto end = up_to == 0 ? times.end() : std::ranges::lower_bound(times, up_to);
    const auto until = static_cast<std::size_t>(end - times.begin());
    histogram.push(Value::object({{"upToMs", up_to == 0 ? Value() : Value::integer(up_to)},
                                  {"count", count(until - before)}}));
    before = until;
  }
  const auto quick =
      static_cast<std::size_t>(std::ranges::lower_bound(times, kUpTo[0]) - times.begin());
  return Value::object({{"count", count(times.size())},
                        {"p50Ms", times.empty() ? Value() : Value::integer(quantile(times, 50))},
                        {"p90Ms", times.empty() ? Value() : Value::integer(quantile(times, 90))},
                        {"underSecond", share(quick, times.size())},
                        {"histogram", std::move(histogram)}});
}

}  // namespace

bool is_by_people(const store::Question& question) {
  const bool settled = question.state == store::QuestionState::kApproved ||
                       question.state == store::QuestionState::kDenied;
  return settled && !question.votes.empty() && question.for_session.empty();
}

Millis answer_time(const store::Question& question) {
  return std::max<Millis>(question.settlement.at - question.created, 0);
}

Result<Seen> seen_since(store::Store& store, Millis since, Millis now) {
  Seen seen;
  seen.since = since;
  const std::int64_t began = os::now_monotonic();
  store::AuditQuery query;
  query.kind = "call";
  query.since = since;
  query.limit = kPageOfRows;
  while (true) {
    Result<std::vector<store::AuditRow>> page = store.audit(query);
    if (!page) return Fail(std::move(page).error());
    for (store::AuditRow& row : *page) {
      row.record = {};
      seen.rows.push_back(std::move(row));
    }
    if (page->size() < kPageOfRows) break;
    query.before = seen.rows.back().number;
    if (seen.rows.size() >= kInsightRows || os::now_monotonic() - began > kInsightTime) {
      seen.complete = false;
      seen.since = seen.rows.back().at;
      break;
    }
  }
  Result<std::vector<store::Question>> questions =
      store.questions({.state = {}, .session = {}, .limit = kInsightQuestions});
  if (!questions) return Fail(std::move(questions).error());
  std::erase_if(*questions, [&](const store::Question& question) {
    return question.created < since || question.created > now;
  });
  if (questions->size() == kInsightQuestions) seen.complete = false;
  seen.questions = std::move(*questions);
  return seen;
}

Value insight_value(const Seen& seen, Millis since, Millis now, Policies& policies) {
  return Value::object({{"days", days_value(seen, since, now)},
                        {"rules", rules_value(seen.questions)},
                        {"answer", answer_value(seen.questions)},
                        {"candidates", candidates_value(seen.questions, policies)},
                        {"since", moment_value(seen.since)},
                        {"complete", Value::boolean(seen.complete)}});
}

}  // namespace tollgate::server
