// Telling those who wait, and writing what changes by itself.
// SAFETY: an approval of a call without an id is spent in the store before the call hears of it; a
// crash in between asks a person again and never runs a call twice.
#include "approvals/desk_inside.h"

namespace tollgate::approvals {

// Whoever waits hears the end of the question, once.
void Desk::Inside::tell(const EntryPtr& entry) {
  if (entry->is_pending() || entry->waiters.empty()) return;
  if (!entry->is_approved() || entry->has_id()) return tell_now(entry);
  entry->line.enter([this, entry] { claim(entry); });
}

void Desk::Inside::tell_now(const EntryPtr& entry) {
  while (!entry->waiters.empty()) {  // one that is told may make another one leave
    auto first = entry->waiters.extract(entry->waiters.begin());
    entry->told.insert(first.key());
    if (entry->is_approved() && !entry->has_id()) entry->question.spent = true;
    first.mapped()(entry->whole());
  }
  touch(entry);
}

void Desk::Inside::claim(const EntryPtr& entry) {
  if (entry->waiters.empty()) return;
  if (entry->kept.spent) return tell_now(entry);
  entry->question.spent = true;
  const Soft written = soft_of(entry->question);
  write(entry, {store::ChangeQuestion{entry->whole(), store::QuestionState::kApproved}},
        store::Durability::kNow, [this, entry, written](const Result<void>& result) {
          if (!result) {
            entry->question.spent = entry->kept.spent;
            return refuse(entry, result.error());
          }
          entry->kept = written;
          if (!entry->waiters.empty()) return tell_now(entry);
          if (!entry->voided) entry->question.spent = false;
          touch(entry);
        });
}

// Whoever waits hears a denial that is in no store: there was none to keep it.
void Desk::Inside::refuse(const EntryPtr& entry, const Error& error) {
  Question denied = entry->whole();
  denied.state = store::QuestionState::kDenied;
  denied.settlement = {};
  denied.settlement.by = "store-unavailable";
  denied.settlement.reason =
      "the question could not be kept: " + error.message + "; retry the same call";
  denied.settlement.at = now;
  while (!entry->waiters.empty()) {
    const auto first = entry->waiters.extract(entry->waiters.begin());
    first.mapped()(denied);
  }
}

// Something of the question changed by itself; it is written with whatever else changes until then.
void Desk::Inside::touch(const EntryPtr& entry) {
  if (!entry->added || entry->soft_posted) return;
  if (soft_of(entry->question) == entry->kept && entry->untold.empty()) return;
  entry->soft_posted = true;
  post([weak = weak_from_this(), entry] {
    const auto self = weak.lock();
    if (!self) return;
    entry->line.enter([inside = self.get(), entry] { inside->write_soft(entry); });
  });
}

void Desk::Inside::write_soft(const EntryPtr& entry) {
  entry->soft_posted = false;
  const Soft written = soft_of(entry->question);
  std::vector<Notice> notices = std::move(entry->untold);
  entry->untold.clear();
  if (written == entry->kept) {  // it is again as it was
    for (const Notice notice : notices) tell_listeners(notice, *entry);
    return;
  }
  write(entry, {store::ChangeQuestion{entry->whole(), entry->question.state}},
        store::Durability::kGrouped,
        [this, entry, written, notices = std::move(notices)](const Result<void>& result) {
          if (!result) {
            entry->untold.insert(entry->untold.begin(), notices.begin(), notices.end());
            return failed(entry, result.error());
          }
          entry->kept = written;
          for (const Notice notice : notices) tell_listeners(notice, *entry);
          touch(entry);
        });
}

void Desk::Inside::delivered(const EntryPtr& entry, Millis at) {
  if (entry->is_pending()) return;
  entry->told.clear();
  Outline& question = entry->question;
  if (entry->is_approved()) question.spent = true;
  if (question.delivered == 0) {
    question.delivered = at;
    entry->untold.push_back(Notice::kDelivered);
  }
  touch(entry);
}

}  // namespace tollgate::approvals
