// What the record says about the questions of the last days: how many, how they ended, how fast,
// which rules ask, and which rule would have saved some of them.
// Pure but for judging: rows and questions come in, one JSON value goes out. Slow; on the pool.
// SAFETY: a candidate is only ever shown; a person adds it like any other rule.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "server/policies.h"
#include "store/store.h"

namespace tollgate::server {

// LIMIT: what one insight looks at, from the newest on; it says how far it got.
inline constexpr std::size_t kInsightRows = 20'000;
inline constexpr std::size_t kInsightQuestions = 3'000;
inline constexpr store::Millis kInsightTime = 4'000;  // spent on rows
inline constexpr std::int64_t kInsightDays = 90;
// A rule is offered when so many calls would not have been asked about.
inline constexpr std::size_t kCandidateCalls = 3;
inline constexpr std::size_t kCandidates = 10;

// What was read of the record.
struct Seen {
  std::vector<store::AuditRow> rows;       // of calls; the records are not needed
  std::vector<store::Question> questions;  // that have ended
  store::Millis since = 0;                 // all that came after this is there
  bool complete = true;                    // … and that is all that was asked for
};

// Errors: store-unavailable.
Result<Seen> seen_since(store::Store& store, store::Millis since, store::Millis now);

// {"days", "rules", "answer", "candidates", "since", "complete"}.
json::Value insight_value(const Seen& seen, store::Millis since, store::Millis now,
                          Policies& policies);

// [{"rule", "calls", "agents", "note"}]: rules that would have settled calls which people always
// allowed, that risk little, and that each of those calls was tried with.
json::Value candidates_value(const std::vector<store::Question>& questions, Policies& policies);

// Whether a person settled it, and how long that took.
bool is_by_people(const store::Question& question);
store::Millis answer_time(const store::Question& question);

}  // namespace tollgate::server
