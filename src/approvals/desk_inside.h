// The desk's inside: every question in memory, who waits for it, what is being written.
// Shared by the desk's source files and nobody else.
// INVARIANT: state, votes and settlement of an entry are as the store has them; a line lets one
// change of a question be written at a time.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "approvals/alike.h"
#include "approvals/desk.h"
#include "approvals/line.h"
#include "approvals/quorum.h"

namespace tollgate::approvals {

// What of a question changes without a person's act; written when it is convenient.
struct Soft {
  Millis seen = 0;
  Millis gone = 0;
  Millis delivered = 0;
  bool spent = false;

  bool operator==(const Soft&) const = default;
};
Soft soft_of(const Question& question);

// What the desk goes by, and all of a question that changes.
struct Outline {
  std::string id;
  store::QuestionType type = store::QuestionType::kPermission;
  std::string session;
  std::string agent;
  std::string for_session;
  std::string call_id;
  std::string digest;
  std::string reading;  // of its context
  Millis created = 0;
  Millis expires = 0;
  Millis opens = 0;  // when others are asked as well, 0 for not any more
  store::QuestionState state = store::QuestionState::kPending;
  std::vector<store::Vote> votes;
  std::shared_ptr<const store::Settlement> settlement;  // null while it is pending
  Millis settled = 0;                                   // when, and
  Millis use_until = 0;                                 // as the settlement has them
  Millis seen = 0;
  Millis gone = 0;
  Millis delivered = 0;
  bool spent = false;

  void settle(store::Settlement how);
};
Outline outline_of(const Question& question);
Soft soft_of(const Outline& question);

struct Entry {
  Outline question;
  // What it was put about: as a value while something is done with it, else as the store's text,
  // which takes a fraction of the room: thousands may wait. Without the places of the look, which
  // the questions of a session have in common. Whoever is told of a question, the store above all,
  // is given the whole().
  std::unique_ptr<Question> open;
  HeldText packed;  // "" before it was packed for the first time
  std::shared_ptr<const Situation> places;
  std::uint64_t order = 0;       // of arrival
  bool call_of_session = false;  // the call names the same session
  bool added = false;            // the store has it
  bool voided = false;           // its answer is for no other call
  bool retry = false;            // the same call with another id may take its place
  std::string must_end;          // why it has to end, though nobody answered
  Millis retry_at = 0;           // the store failed: not before this
  Soft kept;                     // as the store has it
  bool soft_posted = false;      // a soft write is on its way
  std::vector<Notice> untold;    // of soft changes that are not written yet
  std::map<std::uint64_t, Waiter> waiters;
  std::set<std::uint64_t> told;  // their answer is on its way
  Line line;

  bool is_pending() const { return question.state == store::QuestionState::kPending; }
  bool has_id() const { return !question.call_id.empty(); }
  bool is_approved() const { return question.state == store::QuestionState::kApproved; }
  Question whole() const;
  void pack(Alike& alike);
  void unpack();

 private:
  Question unpacked() const;
};
using EntryPtr = std::shared_ptr<Entry>;

// One end of a question, as it is to be written.
struct End {
  store::QuestionState state = store::QuestionState::kDenied;
  store::Settlement settlement;
  std::vector<store::Vote> votes;
  std::optional<store::Grant> grant;
  store::AuditRow row;
  Notice notice = Notice::kResolved;
};

struct Vote {
  AnswerRequest request;
  Principal by;
  Millis now = 0;
};

struct Desk::Inside : std::enable_shared_from_this<Inside> {
  Inside(store::Store& store_in, Post post_in, DeskOptions options_in)
      : store(store_in), post(std::move(post_in)), options(std::move(options_in)) {}
  ~Inside() {
    for (const auto& [id, entry] : entries) entry->line.clear();
  }

  using Then = std::function<void(Result<void>)>;

  store::Store& store;
  Post post;
  DeskOptions options;
  std::map<std::string, EntryPtr> entries;
  std::unordered_multimap<std::size_t, EntryPtr> by_call;  // by hash_of_call()
  std::map<std::string, std::set<EntryPtr>> by_session;
  std::map<std::string, std::shared_ptr<const Situation>> places;  // by session, of its last one
  std::map<std::string, std::size_t> pending_of_session;
  std::map<std::string, std::size_t> pending_of_agent;
  Alike alike;  // what questions are held by
  std::vector<Listener> listeners;
  std::uint64_t last_waiter = 0;
  std::uint64_t last_order = 0;
  Millis now = 0;  // the latest that anybody said since there was something

  // desk.cc
  EntryPtr find(const std::string& id) const;
  std::vector<Question> pending(const std::function<bool(const Outline&)>& wanted) const;
  void insert(const EntryPtr& entry);
  void hold(const EntryPtr& entry, Question whole);
  void drop(const EntryPtr& entry);
  void forget_call(const EntryPtr& entry);
  void count_pending(const Outline& question, int by);
  void tell_listeners(Notice notice, const Entry& entry) const;
  // While there is nothing, whoever says an earlier moment is believed: the time of day was set.
  void see(Millis moment) { now = entries.empty() ? moment : std::max(now, moment); }

  // desk_ask.cc
  Result<Ticket> ask(Question asked, Waiter waiter);
  EntryPtr joinable(const Outline& asked, bool goes_on) const;
  bool is_joinable(const Entry& entry) const;
  EntryPtr left_to_retry(const Outline& asked) const;
  void hand_over(const EntryPtr& entry, const std::string& call_id);
  Ticket join(const EntryPtr& entry, Waiter waiter);
  void add(const EntryPtr& entry);
  void added(const EntryPtr& entry, const Soft& written, const Result<void>& result);
  void note_other_call(const std::string& session, const std::string& digest);
  void leave(const Ticket& ticket);
  void forget_waiter(const EntryPtr& entry, std::uint64_t waiter);

  // desk_tell.cc
  void tell(const EntryPtr& entry);
  void tell_now(const EntryPtr& entry);
  void claim(const EntryPtr& entry);
  void refuse(const EntryPtr& entry, const Error& error);
  void touch(const EntryPtr& entry);
  void write_soft(const EntryPtr& entry);
  void delivered(const EntryPtr& entry, Millis at);

  // desk_answer.cc
  void answer(const EntryPtr& entry, const Vote& vote, const Answered& done);
  void settle(const EntryPtr& entry, const Vote& vote, std::vector<store::Vote> votes,
              bool approved, const Answered& done);
  void keep_vote(const EntryPtr& entry, const Vote& vote, std::vector<store::Vote> votes,
                 const Answered& done);
  Result<void> may_answer(const Question& question, const Vote& vote,
                          const store::Vote& cast) const;
  Result<void> may_count(const Question& question, const store::Vote& cast,
                         const AnswerRequest& request) const;
  store::Vote cast(const Question& question, const Vote& vote) const;

  // desk_ends.cc
  void write(const EntryPtr& entry, std::vector<store::Change> batch, store::Durability durability,
             Then then);
  void end(const EntryPtr& entry, End end, Then then);
  void ended(const EntryPtr& entry, const End& end, const Soft& written);
  void failed(const EntryPtr& entry, const Error& error);
  void adopt_end(const EntryPtr& entry);
  bool is_due(const Entry& entry) const;
  bool asks_others_now(const Entry& entry) const;
  void end_due(const EntryPtr& entry, Then then);
  bool go_on(const EntryPtr& entry, const Then& then);
  void ask_others(const EntryPtr& entry);
  void put_again(const EntryPtr& entry, const Question& next, std::string why, const Then& then);
  void cancel(const EntryPtr& entry, const std::string& why);
  void after_write(const EntryPtr& entry);
  Millis kept_until(const Outline& question) const;
  void tick();
  bool is_over(const Entry& entry) const;
  bool has_work(const Entry& entry) const;
};

// The audit's lines of a question.
store::AuditRow question_row(const Question& question);
store::AuditRow vote_row(const Question& question, const Vote& vote, std::string_view outcome);
store::AuditRow end_row(const Question& question, const store::Settlement& settlement,
                        store::QuestionState state);
std::string_view name(store::QuestionState state);
std::string_view name(store::Scope scope);

// Over session, call id and digest.
std::size_t hash_of_call(const Outline& question);

// 128 random bits in hexadecimal digits. Error: random-unavailable.
Result<std::string> new_id();

Error store_failed(const Error& error);

}  // namespace tollgate::approvals
