// The questions that are open, and what becomes of them: joined, answered, expired, cancelled.
// One thread at a time: the daemon's own. What is durable goes through the store first, and `post`
// brings the store's word back to that thread. Time comes in as an argument.
// INVARIANT: a question has exactly one end; nobody hears of an end that is not durable.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace tollgate::approvals {

using store::Millis;
using store::Question;

// LIMIT: above these a new question is refused with `too-many-questions`.
inline constexpr std::size_t kMaxPendingOfSession = 64;
inline constexpr std::size_t kMaxPendingOfAgent = 256;

struct DeskOptions {
  Millis keep_gone = 60'000;     // how long a question stays whose agent is gone
  Millis same_answer = 120'000;  // how long the same call gets the same answer

  // The people who made the question's session, one above it, or a grant that covers a part of its
  // call. Nothing, or no such function: it is not known, and a question that wants others than
  // these can only be denied.
  std::function<std::optional<std::vector<std::string>>(const Question&)> makers = {};
  // What becomes of a question that nobody answered in time: the question as it goes on, with
  // `expires`, `for_session` and `context` of its own, or nothing, and then it ends. No function:
  // it ends.
  std::function<std::optional<Question>(const Question&, Millis now)> on_timeout = {};
  // Whether a person has registered a security key: then what weighs most needs its touch.
  std::function<bool(const std::string& person)> has_key = {};
};

// LIMIT: answers to one question that wait while another one is being written.
inline constexpr std::size_t kMaxWaitingAnswers = 64;
// How long a change that the store did not take waits before it is tried again.
inline constexpr Millis kTryAgain = 1'000;

// Who answers: made by People from a credential, or by the gate for a parent's agent.
struct Principal {
  std::string approver;  // name of the credential
  std::string person;
  std::vector<std::string> roles;
  std::string via;       // page, cli, socket, link …
  std::string session;   // of a parent's agent: its session; then the rest is empty
  std::string key = {};  // the person's security key that was touched for just this act
};

// What weighs most: a breaker, and what is taught to more than one session. Whoever has a security
// key touches it for that.
bool wants_touch(const Question& question, bool allow, store::Scope scope);

struct AnswerRequest {
  bool allow = false;
  store::Scope scope = store::Scope::kOnce;
  std::string reason;
  std::optional<json::Value> changed;  // checked by whoever calls: it was judged and not denied
  std::optional<store::Grant> grant;   // checked and complete, but for its id
  json::Value reply;                   // of an escalation
};

// What a call that waits is told; once. `question` is in its final state, or still pending where
// the wait ended first (Desk::leave never calls it).
using Waiter = std::function<void(const Question& question)>;

struct Ticket {
  std::string question;
  std::uint64_t waiter = 0;
  bool joined = false;  // the question was open already, or had its answer
};

// What people's screens are told. Called on the desk's thread after the change is durable. kGone:
// `gone` is another now, and 0 says that the agent is back. kCreated comes again where a question
// is put to somebody else after a time.
enum class Notice : std::uint8_t {
  kCreated,
  kVoted,
  kResolved,
  kTimeout,
  kDelivered,
  kGone,
  kSeen
};
using Listener = std::function<void(Notice, const Question&)>;

class Desk {
 public:
  using Post = std::function<void(std::function<void()>)>;

  Desk(store::Store& store, Post post, DeskOptions options = {});

  // After a start: what was open is open again, without a waiter and so with `gone` running; the
  // same call takes its place with any id, as after leave_to_retry().
  void restore(std::vector<Question> questions, Millis now);

  // Puts a question. The same call id and digest join the question that is open, or get the answer
  // that it had for `same_answer`; without an id an allow `once` is taken once, and not after
  // another call of that session (`note_other_call`). One whose context says `forwarded` does not
  // join what has expired. `asked` has everything but id, state and
  // created. Errors: too-many-questions. Where the store fails, the waiter hears a denied question
  // whose settlement says so.
  Result<Ticket> ask(Question asked, Millis now, Waiter waiter);

  // A call of this session with another digest came by: answers kept for calls without an id end.
  void note_other_call(const std::string& session, const std::string& digest);
  // The same; the digest is made only where the session has questions.
  void note_other_call(const ToolCall& call);

  // The client went away: the waiter is forgotten; the question stays for `keep_gone`. A waiter
  // that was told ends by this or by delivered(): until then its answer is on its way, and no other
  // call without an id is given it.
  void leave(const Ticket& ticket, Millis now);
  // The same, and the client was told to try again, or has given up as it said it would: the model
  // then makes the same call with an id of its own, and that call takes the place of this one.
  void leave_to_retry(const Ticket& ticket, Millis now);
  // The protocol cancelled the call: the question ends, unless another call waits for it too.
  void cancel(const Ticket& ticket, Millis now, const std::string& why);
  // The agent's call got its answer.
  void delivered(const std::string& question, Millis now);
  // Somebody looked at it.
  void shown(const std::string& question, Millis now);

  using Answered = std::function<void(Result<Question>)>;
  // Votes, and settles when that is enough; `done` may be called before it returns. Errors:
  // unknown-question, already-answered (the question as it ended is in `find`), not-your-question
  // (a parent's agent and a question that is not its), not-allowed-here (nobody's name; a parent's
  // agent that wants more than once), presence-required (the person's security key was not touched
  // for it), answer-not-counted (the person made the session of a quorum, has none of its roles, is
  // not asked yet, or has voted), grant-refused and input-refused (a scope or an input of one
  // person's own where several decide), store-unavailable.
  void answer(const std::string& question, AnswerRequest request, const Principal& by, Millis now,
              Answered done);

  // Ends all that is open for a session: it was ended or frozen. What was approved for it and not
  // used yet is void.
  void end_session(const std::string& session, Millis now, const std::string& why);

  // Ends what has run out, and tries again what the store did not take; call it at or after
  // next_deadline(), or every second.
  void tick(Millis now);
  std::optional<Millis> next_deadline() const;

  std::vector<Question> pending() const;             // oldest first
  std::vector<std::string> asking_sessions() const;  // those with a question that is open
  bool is_asking(const std::string& session) const;  // it has a question that is open
  std::vector<Question> pending_for(const std::string& parent_session) const;
  std::vector<std::string> pending_of_call(const std::string& call_id) const;  // ids of questions
  std::optional<Question> find(const std::string& id) const;  // pending or settled not long ago
  std::size_t pending_count() const;
  bool is_empty() const;  // nothing is open, and no answer counts any more
  // What a question was put about, also before the store has it.
  std::optional<AuditRecord> asked(const std::string& id) const;

  void listen(Listener listener);

 private:
  struct Inside;
  std::shared_ptr<Inside> inside_;  // the store's callbacks may outlive the desk
};

// Over session, agent, cwd, tool and canonical input; SHA-256 in hexadecimal digits.
std::string digest_of(const ToolCall& call);

}  // namespace tollgate::approvals
