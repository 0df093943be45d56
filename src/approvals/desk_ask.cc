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
bool is_same_question(const Question& open, const Question& asked) {
  const auto reading = [](const Question& question) {
    const json::Value* found = question.context.find("reading");
    return found == nullptr ? std::string() : found->as_string();
  };
  return open.type == asked.type &&
         (open.state == store::QuestionState::kDenied || reading(open) == reading(asked));
}

}  // namespace

Result<std::string> new_id() {
  Result<std::string> bytes = os::random_bytes(16);
  if (!bytes) return Fail(std::move(bytes).error());
  return hexadecimal(*bytes);
}

Result<Ticket> Desk::Inside::ask(Question asked, Waiter waiter) {
  note_other_call(asked.session, asked.digest);
  if (const EntryPtr open = joinable(asked)) return join(open, std::move(waiter));
  if (const EntryPtr left = left_to_retry(asked)) {
    hand_over(left, asked.asked.call.id);
    return join(left, std::move(waiter));
  }
  if (count_of(pending_of_session, asked.session) >= kMaxPendingOfSession)
    return Fail(too_many(kMaxPendingOfSession, "session"));
  if (count_of(pending_of_agent, asked.agent) >= kMaxPendingOfAgent)
    return Fail(too_many(kMaxPendingOfAgent, "agent"));
  Result<std::string> id = new_id();
  if (!id) return Fail(std::move(id).error());

  const auto entry = std::make_shared<Entry>();
  hold(entry, std::move(asked));
  Question& question = entry->question;
  question.id = *id;
  question.state = store::QuestionState::kPending;
  question.created = now;
  question.votes.clear();
  question.settlement = {};
  question.seen = question.gone = question.delivered = 0;
  question.spent = false;
  const std::uint64_t number = ++last_waiter;
  entry->waiters[number] = std::move(waiter);
  insert(entry);
  add(entry);
  return Ticket{.question = *id, .waiter = number, .joined = false};
}

EntryPtr Desk::Inside::joinable(const Question& asked) const {
  if (asked.digest.empty()) return nullptr;
  const auto found = by_call.find({asked.session, asked.asked.call.id, asked.digest});
  if (found == by_call.end()) return nullptr;
  // One that goes on under its parent after its time is a question of its own.
  const bool goes_on = asked.context.find("forwarded") != nullptr;
  for (auto id = found->second.rbegin(); id != found->second.rend(); ++id) {
    const EntryPtr entry = find(*id);
    if (entry && goes_on && entry->question.state == store::QuestionState::kExpired) continue;
    if (entry && is_same_question(entry->question, asked) && is_joinable(*entry)) return entry;
  }
  return nullptr;
}

bool Desk::Inside::is_joinable(const Entry& entry) const {
  const bool free = entry.has_id() || (entry.waiters.empty() && entry.told.empty());
  if (entry.is_pending()) return free && entry.must_end.empty();
  const Question& question = entry.question;
  const Millis same_until = question.settlement.at + options.same_answer;
  switch (question.state) {
    case store::QuestionState::kApproved:
      if (entry.voided || !free) return false;
      if (!entry.has_id()) return !question.spent && now < question.settlement.use_until;
      return now < (question.delivered != 0 ? same_until : question.settlement.use_until);
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
EntryPtr Desk::Inside::left_to_retry(const Question& asked) const {
  const auto found = by_session.find(asked.session);
  if (asked.digest.empty() || asked.asked.call.id.empty() || found == by_session.end())
    return nullptr;
  EntryPtr newest;
  for (const std::string& id : found->second) {
    const EntryPtr entry = find(id);
    if (!entry || !entry->retry || !entry->waiters.empty() || !entry->told.empty()) continue;
    const Question& question = entry->question;
    const bool same = question.digest == asked.digest && is_same_question(question, asked);
    const bool heard = question.delivered != 0 || question.state == store::QuestionState::kExpired;
    if (!same || heard || !is_joinable(*entry)) continue;
    if (!newest || newest->order < entry->order) newest = entry;
  }
  return newest;
}

// From now on it is the question of the call that came back, and no longer of the one that left.
void Desk::Inside::hand_over(const EntryPtr& entry, const std::string& call_id) {
  Question& question = entry->question;
  const auto old = by_call.find({question.session, question.asked.call.id, question.digest});
  if (old != by_call.end()) {
    std::erase(old->second, question.id);
    if (old->second.empty()) by_call.erase(old);
  }
  question.asked.call.id = call_id;
  by_call[{question.session, call_id, question.digest}].push_back(question.id);
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
  write(entry,
        {store::AddQuestion{entry->whole()}, store::AppendAudit{question_row(entry->question)}},
        store::Durability::kNow,
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
  for (const std::string& id : found->second) {
    const EntryPtr entry = find(id);
    if (!entry || entry->is_pending() || entry->question.digest == digest) continue;
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
  Question& question = entry->question;
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
