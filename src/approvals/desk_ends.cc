// How questions end, by an answer or by themselves, and how an end reaches the store.
// INVARIANT: an end is written where the question is still pending, and told after that.
#include <algorithm>

#include "approvals/desk_inside.h"

namespace tollgate::approvals {
namespace {

store::Settlement ended_by(std::string by, std::string reason, Millis at) {
  store::Settlement settlement;
  settlement.by = std::move(by);
  settlement.reason = std::move(reason);
  settlement.at = at;
  return settlement;
}

}  // namespace

// REQUIRES: the question's turn, which lasts until the store has answered and `then` returned.
void Desk::Inside::write(const EntryPtr& entry, std::vector<store::Change> batch,
                         store::Durability durability, Then then) {
  entry->line.begin();
  store.submit(std::move(batch), durability,
               [weak = weak_from_this(), post_back = post, entry,
                then = std::move(then)](Result<void> result) {
                 post_back([weak, entry, then, result = std::move(result)] {
                   const auto self = weak.lock();
                   if (!self) return;
                   then(result);
                   entry->line.finish();
                   self->after_write(entry);
                   if (!entry->line.busy()) entry->pack(self->alike);
                 });
               });
}

void Desk::Inside::end(const EntryPtr& entry, End how, Then then) {
  Question next = entry->whole();
  next.state = how.state;
  next.votes = how.votes;
  next.settlement = how.settlement;
  // The call that waits will hear it; one that comes after a crash must not hear it too.
  if (how.state == store::QuestionState::kApproved && !entry->has_id() && !entry->waiters.empty())
    next.spent = true;
  const Soft written = soft_of(next);
  std::vector<store::Change> batch;
  batch.push_back(store::ChangeQuestion{std::move(next), store::QuestionState::kPending});
  batch.push_back(store::AppendAudit{how.row});
  if (how.grant) batch.push_back(store::PutGrant{*how.grant});
  write(entry, std::move(batch), store::Durability::kNow,
        [this, entry, how = std::move(how), written,
         then = std::move(then)](const Result<void>& result) {
          if (result)
            ended(entry, how, written);
          else
            failed(entry, result.error());
          then(result);
        });
}

void Desk::Inside::ended(const EntryPtr& entry, const End& how, const Soft& written) {
  count_pending(entry->question, -1);
  Outline& question = entry->question;
  question.state = how.state;
  question.votes = how.votes;
  question.settle(how.settlement);
  question.spent = written.spent && !entry->waiters.empty();
  entry->kept = written;
  tell(entry);
  tell_listeners(how.notice, *entry);
  touch(entry);
}

// The store did not take a change: the question stays as it was, unless it ended elsewhere.
void Desk::Inside::failed(const EntryPtr& entry, const Error& error) {
  if (error.code == "already-answered" && entry->is_pending()) adopt_end(entry);
  entry->retry_at = now + kTryAgain;
}

// Another daemon was first. Its word stands; this is rare, and one row is read at once.
void Desk::Inside::adopt_end(const EntryPtr& entry) {
  const Result<std::optional<Question>> kept = store.question(entry->question.id);
  if (!kept || !*kept || (*kept)->state == store::QuestionState::kPending) return;
  count_pending(entry->question, -1);
  hold(entry, **kept);
  entry->kept = soft_of(entry->question);
  tell(entry);
  tell_listeners(Notice::kResolved, *entry);
}

bool Desk::Inside::is_due(const Entry& entry) const {
  if (!entry.is_pending() || !entry.added) return false;
  const Outline& question = entry.question;
  if (!entry.must_end.empty()) return true;
  if (question.expires != 0 && now >= question.expires) return true;
  return question.gone != 0 && now >= question.gone + options.keep_gone;
}

bool Desk::Inside::asks_others_now(const Entry& entry) const {
  const Outline& question = entry.question;
  return entry.is_pending() && entry.added && question.opens != 0 && now >= question.opens;
}

// REQUIRES: it is due, and its turn.
void Desk::Inside::end_due(const EntryPtr& entry, Then then) {
  entry->unpack();  // until the end is written
  const Question question = entry->whole();
  End how;
  how.votes = question.votes;
  how.state = store::QuestionState::kCancelled;
  if (!entry->must_end.empty()) {
    how.settlement = ended_by("session", entry->must_end, now);
  } else if (question.expires != 0 && now >= question.expires) {
    if (go_on(entry, then)) return;
    how.state = store::QuestionState::kExpired;
    const bool again = question.context.find("escalated") != nullptr;
    how.settlement = ended_by(
        "timeout", again ? "nobody answered in time, twice" : "nobody answered in time", now);
    how.notice = Notice::kTimeout;
  } else {
    how.settlement = ended_by("agent-gone", "the agent was gone and did not come back", now);
  }
  how.row = end_row(question, how.settlement, how.state);
  end(entry, std::move(how), std::move(then));
}

// Nobody answered in time, and the question goes on to somebody else. False: it does not.
bool Desk::Inside::go_on(const EntryPtr& entry, const Then& then) {
  const auto wanted = options.on_timeout ? options.on_timeout(entry->whole(), now) : std::nullopt;
  if (!wanted || (wanted->expires != 0 && wanted->expires <= now)) return false;
  Question next = entry->whole();
  next.expires = wanted->expires;
  next.for_session = wanted->for_session;
  next.context = wanted->context;
  put_again(entry, next, "the question goes on", then);
  return true;
}

// A time of its rule is over, and others count from now on as well: all screens tell of it anew.
// REQUIRES: the question's turn.
void Desk::Inside::ask_others(const EntryPtr& entry) {
  entry->unpack();
  Question next = entry->whole();
  if (!next.context.is_object()) next.context = json::Value::object();
  next.context.set("othersAsked", json::Value::integer(now));
  put_again(entry, next, "others are asked as well", [](const Result<void>&) {});
}

// REQUIRES: an open entry, whose turn it is.
void Desk::Inside::put_again(const EntryPtr& entry, const Question& next, std::string why,
                             const Then& then) {
  const Soft written = soft_of(next);
  store::AuditRow row = end_row(next, ended_by("timeout", std::move(why), now), next.state);
  write(entry,
        {store::ChangeQuestion{next, store::QuestionState::kPending},
         store::AppendAudit{std::move(row)}},
        store::Durability::kNow,
        [this, entry, outline = outline_of(next), context = next.context, written,
         then](const Result<void>& result) {
          if (!result) {
            failed(entry, result.error());
          } else {
            entry->question.expires = outline.expires;
            entry->question.for_session = outline.for_session;
            entry->question.opens = outline.opens;
            entry->unpack();
            entry->open->context = context;
            entry->packed = HeldText();
            entry->kept = written;
            tell_listeners(Notice::kCreated, *entry);
            touch(entry);
          }
          then(result);
        });
}

// REQUIRES: the question's turn.
void Desk::Inside::cancel(const EntryPtr& entry, const std::string& why) {
  if (!entry->is_pending() || !entry->added || !entry->waiters.empty()) return;
  End how;
  how.state = store::QuestionState::kCancelled;
  how.votes = entry->question.votes;
  how.settlement = ended_by("agent", why.empty() ? "the call was cancelled" : why, now);
  entry->unpack();
  how.row = end_row(entry->whole(), how.settlement, how.state);
  end(entry, std::move(how), [](const Result<void>&) {});
}

// A turn is over, or something has become due: ends it where it can be ended now.
void Desk::Inside::after_write(const EntryPtr& entry) {
  if (entry->line.busy() || entry->retry_at > now) return;
  if (is_due(*entry)) return end_due(entry, [](const Result<void>&) {});
  if (asks_others_now(*entry)) ask_others(entry);
}

Millis Desk::Inside::kept_until(const Outline& question) const {
  const Millis same = question.settled + options.same_answer;
  return std::max(same, question.use_until);
}

void Desk::Inside::tick() {
  std::vector<EntryPtr> found;  // most of thousands have nothing to do
  for (const auto& [id, entry] : entries)
    if (is_over(*entry) || (entry->retry_at <= now && has_work(*entry))) found.push_back(entry);
  for (const EntryPtr& entry : found) {
    if (entry->line.busy() || !entry->added) continue;
    if (is_over(*entry)) {
      drop(entry);
      continue;
    }
    if (entry->retry_at > now) continue;
    after_write(entry);
    if (!entry->line.busy()) touch(entry);
  }
}

// Nobody will ask for it any more.
bool Desk::Inside::is_over(const Entry& entry) const {
  return !entry.is_pending() && entry.waiters.empty() && now >= kept_until(entry.question);
}

// Something of it has to be written.
bool Desk::Inside::has_work(const Entry& entry) const {
  return is_due(entry) || asks_others_now(entry) || soft_of(entry.question) != entry.kept ||
         !entry.untold.empty();
}

}  // namespace tollgate::approvals
