// Putting a question: joining one that is there, the limits, keeping it, leaving it.
// SAFETY: a call without an id is given an open question or a kept answer only when no other call
// has it, so that one yes never runs two calls.
#include <algorithm>

#include "approvals/desk_inside.h"
#include "approvals/digest.h"
#include "os/random.h"

namespace tollgate::approvals {
namespace {

Error too_many(std::size_t limit, const std::string& whose) {
  return {.code = "too-many-questions",
          .message = std::to_string(limit) + " questions of this " + whose + " are open",
          .hint = "wait until a person has answered some of them, then retry the same call",
          .where = {}};
}

std::size_t count_of(const std::map<std::string, std::size_t>& counts, const std::string& name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

// SAFETY: whoever answers one answers the other only where the gate says the same of both. Files,
// modes and policies change between a call and its retry; then the retry is a question of its own.
// A no holds for it all the same.
bool is_same_question(const Outline& open, const Outline& asked) {
  return open.type == asked.type &&
         (open.state == store::QuestionState::kDenied || open.reading == asked.reading);
}

bool is_same_call(const Outline& one, const Outline& other) {
  return one.session == other.session && one.call_id == other.call_id && one.digest == other.digest;
}

}  // namespace

Result<std::string> new_id() {
  Result<std::string> bytes = os::random_bytes(16);
  if (!bytes) return Fail(std::move(bytes).error());
  return hexadecimal(*bytes);
}

Result<Ticket> Desk::Inside::ask(Question asked, Waiter waiter) {
  note_other_call(asked.session, asked.digest);
  const Outline wanted = outline_of(asked);
  // One that goes on under its parent after its time is a question of its own.
  const bool goes_on = asked.context.find("forwarded") != nullptr;
  if (const EntryPtr open = joinable(wanted, goes_on)) return join(open, std::move(waiter));
  if (const EntryPtr left = left_to_retry(wanted)) {
    hand_over(left, asked.asked.call.id);
    return join(left, std::move(waiter));
  }
  if (count_of(pending_of_session, asked.session) >= kMaxPendingOfSession)
    return Fail(too_many(kMaxPendingOfSession, "session"));
  if (count_of(pending_of_agent, asked.agent) >= kMaxPendingOfAgent)
    return Fail(too_many(kMaxPendingOfAgent, "agent"));
  Result<std::string> id = new_id();
  if (!id) return Fail(std::move(id).error());

  asked.id = *id;
  asked.state = store::QuestionState::kPending;
  asked.created = now;
  asked.votes.clear();
  asked.settlement = {};
  asked.seen = asked.gone = asked.delivered = 0;
  asked.spent = false;
  const auto entry = std::make_shared<Entry>();
  hold(entry, std::move(asked));
  const std::uint64_t number = ++last_waiter;
  entry->waiters[number] = std::move(waiter);
  insert(entry);
  add(entry);
  return Ticket{.question = *id, .waiter = number, .joined = false};
}

// The newest one.
EntryPtr Desk::Inside::joinable(const Outline& asked, bool goes_on) const {
  EntryPtr newest;
  if (asked.digest.empty()) return newest;
  const auto [begin, end] = by_call.equal_range(hash_of_call(asked));
  for (auto each = begin; each != end; ++each) {
    const EntryPtr& entry = each->second;
    if (!is_same_call(entry->question, asked)) continue;
    if (goes_on && entry->question.state == store::QuestionState::kExpired) continue;
    if (!is_same_question(entry->question, asked) || !is_joinable(*entry)) continue;
    if (!newest || newest->order < entry->order) newest = entry;
  }
  return newest;
}

bool Desk::Inside::is_joinable(const Entry& entry) const {
  const bool free = entry.has_id() || (entry.waiters.empty() && entry.told.empty());
  if (entry.is_pending()) return free && entry.must_end.empty();
  const Outline& question = entry.question;
  const Millis same_until = question.settled + options.same_answer;
  switch (question.state) {
    case store::QuestionState::kApproved:
      if (entry.voided || !free) return false;
      if (!entry.has_id()) return !question.spent && now < question.use_until;
      // A retry hears it again, but never behind the time that its threshold gives it.
      return now < (question.delivered != 0 ? std::min(same_until, question.use_until)
                                            : question.use_until);
    case store::QuestionState::kDenied:
      if (!entry.has_id() && (entry.voided || question.delivered != 0)) return false;
      return free && now < same_until;
    case store::QuestionState::kExpired:
      return entry.has_id() && now < same_until;
    case store::QuestionState::kPending:
    case store::QuestionState::kCancelled:  // no answer: the call is asked about anew
      return false;
  }
  return false;
}

// The newest question of the same call whose client was told to try again and has not.
// SAFETY: nobody waits for it and nobody has heard its answer, so that one yes is for one call.
EntryPtr Desk::Inside::left_to_retry(const Outline& asked) const {
  const auto found = by_session.find(asked.session);
  if (asked.digest.empty() || asked.call_id.empty() || found == by_session.end()) return nullptr;
  EntryPtr newest;
  for (const EntryPtr& entry : found->second) {
    if (!entry->retry || !entry->waiters.empty() || !entry->told.empty()) continue;
    const Outline& question = entry->question;
    const bool same = question.digest == asked.digest && is_same_question(question, asked);
    const bool heard = question.delivered != 0 || question.state == store::QuestionState::kExpired;
    if (!same || heard || !is_joinable(*entry)) continue;
    if (!newest || newest->order < entry->order) newest = entry;
  }
  return newest;
}

// From now on it is the question of the call that came back, and no longer of the one that left.
void Desk::Inside::hand_over(const EntryPtr& entry, const std::string& call_id) {
  forget_call(entry);
  entry->question.call_id = call_id;
  by_call.emplace(hash_of_call(entry->question), entry);
  entry->retry = false;
}

Ticket Desk::Inside::join(const EntryPtr& entry, Waiter waiter) {
  const std::uint64_t number = ++last_waiter;
  entry->waiters[number] = std::move(waiter);
  entry->retry = false;  // until this one leaves in its turn
  if (entry->is_pending()) {
    if (entry->question.gone != 0) entry->untold.push_back(Notice::kGone);
    entry->question.gone = 0;
    touch(entry);
  } else {
    post([weak = weak_from_this(), entry] {
      if (const auto self = weak.lock()) self->tell(entry);
    });
  }
  return {.question = entry->question.id, .waiter = number, .joined = true};
}

void Desk::Inside::add(const EntryPtr& entry) {
  const Soft written = soft_of(entry->question);
  Question whole = entry->whole();
  store::AuditRow row = question_row(whole);
  std::vector<store::Change> batch;
  batch.push_back(store::AddQuestion{std::move(whole)});
  batch.push_back(store::AppendAudit{std::move(row)});
  write(entry, std::move(batch), store::Durability::kNow,
        [this, entry, written](const Result<void>& result) { added(entry, written, result); });
}

void Desk::Inside::added(const EntryPtr& entry, const Soft& written, const Result<void>& result) {
  if (!result) {
    drop(entry);
    return refuse(entry, result.error());
  }
  entry->added = true;
  entry->kept = written;
  tell_listeners(Notice::kCreated, *entry);
  touch(entry);
}

void Desk::Inside::note_other_call(const std::string& session, const std::string& digest) {
  const auto found = by_session.find(session);
  if (found == by_session.end()) return;
  for (const EntryPtr& entry : found->second) {
    if (entry->is_pending() || entry->question.digest == digest) continue;
    entry->retry = false;
    if (entry->has_id() || entry->voided) continue;
    entry->voided = true;
    if (entry->is_approved()) entry->question.spent = true;
    touch(entry);
  }
}

void Desk::Inside::leave(const Ticket& ticket) {
  const EntryPtr entry = find(ticket.question);
  if (!entry) return;
  forget_waiter(entry, ticket.waiter);
}

void Desk::Inside::forget_waiter(const EntryPtr& entry, std::uint64_t waiter) {
  const bool waited = entry->waiters.erase(waiter) + entry->told.erase(waiter) > 0;
  if (!waited || !entry->waiters.empty() || !entry->told.empty()) return;
  Outline& question = entry->question;
  if (entry->is_pending()) {
    question.gone = now;
    entry->untold.push_back(Notice::kGone);
  } else if (entry->is_approved() && !entry->has_id() && question.delivered == 0 &&
             !entry->voided) {
    question.spent = false;  // the call never got it, so its retry may have it
  }
  touch(entry);
}

}  // namespace tollgate::approvals
