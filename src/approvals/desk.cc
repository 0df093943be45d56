// The desk's public part: what it lists, and the way to each act.
// The acts themselves stand in desk_ask.cc, desk_answer.cc, desk_tell.cc and desk_ends.cc.
#include "approvals/desk.h"

#include <algorithm>
#include <charconv>

#include "approvals/desk_inside.h"
#include "store/row_codec.h"

namespace tollgate::approvals {

Desk::Desk(store::Store& store, Post post, DeskOptions options)
    : inside_(std::make_shared<Inside>(store, std::move(post), std::move(options))) {}

void Desk::restore(std::vector<Question> questions, Millis now) {
  inside_->see(now);
  std::ranges::sort(questions, {}, [](const Question& one) { return one.created; });
  for (Question& question : questions) {
    const bool is_open = question.state == store::QuestionState::kPending;
    if (!is_open && inside_->kept_until(outline_of(question)) <= now) continue;
    const auto entry = std::make_shared<Entry>();
    inside_->hold(entry, std::move(question));
    entry->added = true;
    entry->kept = soft_of(entry->question);
    entry->pack(inside_->alike);
    inside_->insert(entry);
    if (!entry->is_pending()) continue;
    // Whoever waited was cut off, and a model may try again with another id.
    entry->retry = entry->has_id();
    entry->question.gone = now;
    inside_->touch(entry);
  }
}

Result<Ticket> Desk::ask(Question asked, Millis now, Waiter waiter) {
  inside_->see(now);
  return inside_->ask(std::move(asked), std::move(waiter));
}

void Desk::note_other_call(const std::string& session, const std::string& digest) {
  inside_->note_other_call(session, digest);
}

void Desk::note_other_call(const ToolCall& call) {
  if (inside_->by_session.contains(call.session))
    inside_->note_other_call(call.session, digest_of(call));
}

void Desk::leave(const Ticket& ticket, Millis now) {
  inside_->see(now);
  inside_->leave(ticket);
}

void Desk::leave_to_retry(const Ticket& ticket, Millis now) {
  inside_->see(now);
  if (const EntryPtr entry = inside_->find(ticket.question); entry && entry->has_id())
    entry->retry = true;
  inside_->leave(ticket);
}

void Desk::cancel(const Ticket& ticket, Millis now, const std::string& why) {
  inside_->see(now);
  inside_->leave(ticket);
  const EntryPtr entry = inside_->find(ticket.question);
  if (!entry) return;
  entry->line.enter([inside = inside_.get(), entry, why] { inside->cancel(entry, why); });
}

void Desk::delivered(const std::string& question, Millis now) {
  inside_->see(now);
  if (const EntryPtr entry = inside_->find(question)) inside_->delivered(entry, now);
}

void Desk::shown(const std::string& question, Millis now) {
  inside_->see(now);
  const EntryPtr entry = inside_->find(question);
  if (!entry || entry->question.seen != 0) return;
  entry->question.seen = now;
  entry->untold.push_back(Notice::kSeen);
  inside_->touch(entry);
}

void Desk::answer(const std::string& question, AnswerRequest request, const Principal& by,
                  Millis now, Answered done) {
  inside_->see(now);
  const EntryPtr entry = inside_->find(question);
  if (!entry || !entry->added)
    return done(Fail({.code = "unknown-question",
                      .message = "there is no question of that id",
                      .hint = "`tollgate pending` lists what is open",
                      .where = {}}));
  if (entry->line.waiting() >= kMaxWaitingAnswers)
    return done(Fail({.code = "store-unavailable",
                      .message = "too many answers to this question are being written",
                      .hint = "try again",
                      .where = {}}));
  const Vote vote{.request = std::move(request), .by = by, .now = now};
  entry->line.enter([inside = inside_.get(), entry, vote, done = std::move(done)] {
    inside->answer(entry, vote, done);
  });
}

void Desk::end_session(const std::string& session, Millis now, const std::string& why) {
  inside_->see(now);
  const auto found = inside_->by_session.find(session);
  if (found == inside_->by_session.end()) return;
  for (const EntryPtr& entry : std::set<EntryPtr>(found->second)) {
    entry->voided = true;
    if (!entry->is_pending()) continue;
    entry->must_end = why.empty() ? "the session has ended" : why;
    inside_->after_write(entry);
  }
}

void Desk::tick(Millis now) {
  inside_->see(now);
  inside_->tick();
}

std::optional<Millis> Desk::next_deadline() const {
  std::optional<Millis> next;
  const auto take = [&](Millis at) { next = std::min(next.value_or(at), at); };
  for (const auto& [id, entry] : inside_->entries) {
    if (!entry->added || entry->line.busy()) continue;
    const Outline& question = entry->question;
    const auto no_sooner = [&](Millis at) { take(std::max(at, entry->retry_at)); };
    if (soft_of(question) != entry->kept && !entry->soft_posted) no_sooner(entry->retry_at);
    if (!entry->is_pending()) {
      if (entry->waiters.empty()) take(inside_->kept_until(question));
      continue;
    }
    if (!entry->must_end.empty()) no_sooner(entry->retry_at);
    if (question.expires != 0) no_sooner(question.expires);
    if (question.opens != 0) no_sooner(question.opens);
    if (question.gone != 0) no_sooner(question.gone + inside_->options.keep_gone);
  }
  return next;
}

std::vector<Question> Desk::pending() const {
  return inside_->pending([](const Outline&) { return true; });
}

std::vector<Question> Desk::Inside::pending(
    const std::function<bool(const Outline&)>& wanted) const {
  std::vector<EntryPtr> open;
  for (const auto& [id, entry] : entries)
    if (entry->added && entry->is_pending() && wanted(entry->question)) open.push_back(entry);
  std::ranges::sort(open, {}, [](const EntryPtr& entry) { return entry->order; });
  std::vector<Question> questions;
  questions.reserve(open.size());
  for (const EntryPtr& entry : open) questions.push_back(entry->whole());
  return questions;
}

std::vector<Question> Desk::pending_for(const std::string& parent_session) const {
  if (parent_session.empty()) return {};
  return inside_->pending(
      [&](const Outline& question) { return question.for_session == parent_session; });
}

std::vector<std::string> Desk::pending_of_call(const std::string& call_id) const {
  std::vector<std::string> ids;
  for (const auto& [id, entry] : inside_->entries)
    if (entry->added && entry->is_pending() && entry->question.call_id == call_id)
      ids.push_back(id);
  return ids;
}

bool Desk::is_asking(const std::string& session) const {
  const auto found = inside_->by_session.find(session);
  return found != inside_->by_session.end() &&
         std::ranges::any_of(found->second, [](const EntryPtr& entry) {
           return entry->added && entry->is_pending();
         });
}

std::vector<std::string> Desk::asking_sessions() const {
  std::vector<std::string> sessions;
  for (const auto& [session, count] : inside_->pending_of_session) sessions.push_back(session);
  return sessions;
}

std::optional<Question> Desk::find(const std::string& id) const {
  const EntryPtr entry = inside_->find(id);
  if (!entry || !entry->added) return std::nullopt;
  return entry->whole();
}

std::optional<AuditRecord> Desk::asked(const std::string& id) const {
  const EntryPtr entry = inside_->find(id);
  if (!entry) return std::nullopt;
  return entry->whole().asked;
}

std::size_t Desk::pending_count() const {
  return static_cast<std::size_t>(std::ranges::count_if(inside_->entries, [](const auto& one) {
    return one.second->added && one.second->is_pending();
  }));
}

bool Desk::is_empty() const { return inside_->entries.empty(); }

void Desk::listen(Listener listener) { inside_->listeners.push_back(std::move(listener)); }

// --- the entries
// -----------------------------------------------------------------------------------

Soft soft_of(const Question& question) {
  return {.seen = question.seen,
          .gone = question.gone,
          .delivered = question.delivered,
          .spent = question.spent};
}

Soft soft_of(const Outline& question) {
  return {.seen = question.seen,
          .gone = question.gone,
          .delivered = question.delivered,
          .spent = question.spent};
}

void Outline::settle(store::Settlement how) {
  settled = how.at;
  use_until = how.use_until;
  settlement = std::make_shared<const store::Settlement>(std::move(how));
}

// When others are asked as well, whom nobody has told yet.
Millis opening_in(const Question& question) {
  const json::Value* told = question.context.find("othersAsked");
  const std::string text = told == nullptr ? "" : told->number_text();
  Millis until = 0;
  std::from_chars(text.data(), text.data() + text.size(), until);
  return next_opening(question.asked.decision.quorums, begun_of(question), until);
}

Outline outline_of(const Question& question) {
  const json::Value* reading = question.context.find("reading");
  Outline out{.id = question.id,
              .type = question.type,
              .session = question.session,
              .agent = question.agent,
              .for_session = question.for_session,
              .call_id = question.asked.call.id,
              .digest = question.digest,
              .reading = reading == nullptr ? std::string() : reading->as_string(),
              .created = question.created,
              .expires = question.expires,
              .opens = opening_in(question),
              .state = question.state,
              .votes = question.votes,
              .settlement = nullptr,
              .seen = question.seen,
              .gone = question.gone,
              .delivered = question.delivered,
              .spent = question.spent};
  if (question.settlement != store::Settlement()) out.settle(question.settlement);
  return out;
}

std::size_t hash_of_call(const Outline& question) {
  const std::hash<std::string> hash;
  return (hash(question.session) * 31 + hash(question.call_id)) * 31 + hash(question.digest);
}

// SAFETY: what would not read back as it was stays a value.
void Entry::pack(Alike& alike) {
  if (open == nullptr) return;
  if (packed.own.empty()) {
    std::string text = store::text_of(*open);
    if (store::question_from(text) != *open) return;
    packed = alike.hold(std::move(text));
  }
  open = nullptr;
}

void Entry::unpack() {
  if (open == nullptr) open = std::make_unique<Question>(unpacked());
}

// SAFETY: pack() has tried it. What is damaged since can only be denied: nobody can tell any more
// how many people it takes.
Question Entry::unpacked() const {
  if (std::optional<Question> read = store::question_from(packed.whole().value_or("")))
    return std::move(*read);
  Question damaged;
  damaged.asked.decision.verdict = Verdict::kAsk;
  damaged.asked.decision.approve = "unreadable";
  damaged.asked.decision.reasons.push_back(
      {.kind = ReasonKind::kBreaker,
       .verdict = Verdict::kAsk,
       .rule = "unreadable",
       .source = "built-in",
       .text = "what was asked cannot be read any more; deny it, and let the agent ask again"});
  return damaged;
}

Question Entry::whole() const {
  Question out;
  if (open != nullptr)
    out = *open;
  else
    out = unpacked();
  out.id = question.id;
  out.session = question.session;
  out.agent = question.agent;
  out.digest = question.digest;
  if (call_of_session) out.asked.call.session = question.session;
  out.asked.call.id = question.call_id;
  out.for_session = question.for_session;
  out.created = question.created;
  out.expires = question.expires;
  out.state = question.state;
  out.votes = question.votes;
  out.settlement = question.settlement == nullptr ? store::Settlement() : *question.settlement;
  out.seen = question.seen;
  out.gone = question.gone;
  out.delivered = question.delivered;
  out.spent = question.spent;
  if (places == nullptr) return out;
  Situation& situation = out.asked.situation;
  Situation look = *places;
  look.now = situation.now;
  look.paths = std::move(situation.paths);
  look.approver_reachable = situation.approver_reachable;
  situation = std::move(look);
  return out;
}

// Takes the places of its look out of the question.
void Desk::Inside::hold(const EntryPtr& entry, Question whole) {
  Situation& situation = whole.asked.situation;
  Situation brief;
  brief.now = situation.now;
  brief.paths = std::move(situation.paths);
  brief.approver_reachable = situation.approver_reachable;
  const Situation made;
  situation.now = made.now;
  situation.paths.clear();
  situation.approver_reachable = made.approver_reachable;
  std::shared_ptr<const Situation>& known = places[whole.session];
  if (known == nullptr || *known != situation)
    known = std::make_shared<const Situation>(std::move(situation));
  entry->places = known;
  situation = std::move(brief);
  entry->question = outline_of(whole);
  // What the outline has is not held twice.
  entry->call_of_session = whole.asked.call.session == whole.session;
  if (entry->call_of_session) whole.asked.call.session.clear();
  for (std::string* text : {&whole.id, &whole.session, &whole.agent, &whole.digest}) text->clear();
  entry->packed = HeldText();
  entry->open = std::make_unique<Question>(std::move(whole));
}

EntryPtr Desk::Inside::find(const std::string& id) const {
  const auto found = entries.find(id);
  return found == entries.end() ? nullptr : found->second;
}

void Desk::Inside::insert(const EntryPtr& entry) {
  const Outline& question = entry->question;
  entry->order = ++last_order;
  entries[question.id] = entry;
  by_call.emplace(hash_of_call(question), entry);
  by_session[question.session].insert(entry);
  if (entry->is_pending()) count_pending(question, 1);
}

void Desk::Inside::drop(const EntryPtr& entry) {
  const Outline& question = entry->question;
  if (entry->is_pending()) count_pending(question, -1);
  forget_call(entry);
  const auto session = by_session.find(question.session);
  if (session != by_session.end()) {
    session->second.erase(entry);
    if (session->second.empty()) {
      places.erase(question.session);
      by_session.erase(session);
    }
  }
  entries.erase(question.id);
}

void Desk::Inside::forget_call(const EntryPtr& entry) {
  const auto [begin, end] = by_call.equal_range(hash_of_call(entry->question));
  for (auto each = begin; each != end; ++each)
    if (each->second == entry) {
      by_call.erase(each);
      return;
    }
}

void Desk::Inside::count_pending(const Outline& question, int by) {
  const auto change = [by](std::map<std::string, std::size_t>& counts, const std::string& name) {
    std::size_t& count = counts[name];
    count += static_cast<std::size_t>(by);
    if (count == 0) counts.erase(name);
  };
  change(pending_of_session, question.session);
  change(pending_of_agent, question.agent);
}

void Desk::Inside::tell_listeners(Notice notice, const Entry& entry) const {
  const std::vector<Listener> all = listeners;
  if (all.empty()) return;
  const Question question = entry.whole();
  for (const Listener& listener : all) listener(notice, question);
}

}  // namespace tollgate::approvals
