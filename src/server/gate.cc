// The way of a call: levels and a look on the pool, where something has to be read for them; a
// question on the desk, the answer looked at again on the pool, a record, and only then the
// client's answer.
// SAFETY: every early return of this file is a deny that says why, or the ask itself.
#include "server/gate.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <unordered_map>
#include <utility>

#include "core/tool_table.h"
#include "json/json.h"
#include "os/moment.h"
#include "server/answers.h"
#include "server/hook_ask.h"
#include "server/reading.h"
#include "server/redaction.h"
#include "server/standing.h"
#include "server/transcript.h"
#include "service/breakers.h"
#include "service/readings.h"
#include "service/watched_world.h"

namespace tollgate::server {
namespace {

using approvals::Principal;
using store::Question;
using store::QuestionState;

constexpr std::size_t kRecentCalls = 10;
// LIMIT: sessions whose last calls are remembered.
constexpr std::size_t kRecentSessions = 4'096;
// LIMIT: an input of so many bytes is judged without handing it to the pool: a few microseconds.
constexpr std::size_t kJudgedAtOnce = 512;
// Before the client's own timer: its answer has to be written and read yet.
constexpr Millis kAnswerMargin = 150;

bool by_grant(const Decision& decision) {
  return std::ranges::any_of(
      decision.reasons, [](const Reason& reason) { return reason.kind == ReasonKind::kGrant; });
}

// Whether a grant settles what a hook asks: it saw no rule, breaker or guarded place of its own.
bool is_plain(const Decision& asked) {
  return asked.quorums.empty() && asked.approve.empty() && !asked.reasons.empty() &&
         std::ranges::all_of(asked.reasons, [](const Reason& reason) {
           return reason.kind == ReasonKind::kDefault;
         });
}

// A hook goes by the files of its own session: what it asks for is asked beside what we ask for.
void join_asked(Decision& ask, const Decision& asked) {
  if (ask.verdict == Verdict::kAllow) {
    ask = asked;
    return;
  }
  join_settling(ask, asked);
  for (const Reason& reason : asked.reasons) {
    const bool known = std::ranges::any_of(ask.reasons, [&](const Reason& each) {
      return each.kind == reason.kind && each.rule == reason.rule;
    });
    if (!known) ask.reasons.push_back(reason);
  }
}

// The world as it would be if nobody had set the time of day.
class UnsetWorld : public World {
 public:
  UnsetWorld(World& world, Millis step) : world_(world), step_(step) {}
  Situation look(const ToolCall& call, const Effects& effects, const LookPlan& plan) override {
    Situation situation = world_.look(call, effects, plan);
    situation.now -= step_ / 1'000;
    return situation;
  }

 private:
  World& world_;
  Millis step_;
};

// Judges with all there is to say only where somebody will read it.
Passage judged(World& world, const Standing& standing, Policies& policies, const ToolCall& call) {
  const os::Moment moment;
  Passage passage = Passage::open(standing.levels(policies, Detail::kVerdict), world, call);
  if (passage.needs() == Needs::kNothing) return passage;
  return Passage::open(standing.levels(policies, Detail::kFull), world, call);
}

// From here on somebody has set the time of day.
constexpr Millis kSetClock = 1'000;
bool is_set(Millis step) { return std::abs(step) >= kSetClock; }

// By both clocks, where the time of day was set while something waits: the stricter of the two.
Passage judged(World& world, Millis step, const Standing& standing, Policies& policies,
               const ToolCall& call) {
  Passage set = judged(world, standing, policies, call);
  if (!is_set(step)) return set;
  UnsetWorld unset(world, step);
  Passage kept = judged(unset, standing, policies, call);
  return set.record().decision.verdict < kept.record().decision.verdict ? std::move(kept)
                                                                        : std::move(set);
}

// What is left of `most` bytes behind a value, 0 where it has more.
std::size_t room_behind(const json::Value& value, std::size_t most) {
  constexpr std::size_t kEach = 8;  // a value costs something, however short it is
  const auto take = [&](std::size_t bytes) { most -= std::min(most, bytes); };
  take(kEach + value.as_string().size());
  for (const json::Value& item : value.items())
    if (most > 0) most = room_behind(item, most);
  for (const auto& [key, member] : value.members()) {
    take(key.size());
    if (most > 0) most = room_behind(member, most);
  }
  return most;
}

// Judges where nothing has to be read for it, and it is settled by that; else nothing.
std::optional<AuditRecord> judged_at_once(WatchedWorld& world, const Standing& standing,
                                          const Policies& policies, const ToolCall& call) {
  Levels levels = standing.levels_at_once(policies, Detail::kVerdict);
  if (levels == nullptr || room_behind(call.input, kJudgedAtOnce) == 0) return std::nullopt;
  WatchedWorld::AtOnce known(world);
  Passage passage = Passage::open(std::move(levels), known, call);
  if (!known.knew_all() || passage.needs() != Needs::kNothing) return std::nullopt;
  return std::move(passage).record();
}

// The level that asks: a grant is for its agent.
std::size_t asking_level(const Passage& passage) {
  for (std::size_t i = 0; i < passage.judged(); ++i)
    if (passage.at(i).decision.verdict == Verdict::kAsk) return i;
  return 0;
}

// Rules that may be taught by the answer; others are not offered.
std::vector<std::string> teachable(const Passage& passage) {
  if (passage.needs() == Needs::kNothing) return {};
  const std::size_t asking = asking_level(passage);
  return grantable(passage.at(asking), passage.levels()[asking]);
}

Decision denied(std::string rule, std::string text) {
  Decision out;
  out.verdict = Verdict::kDeny;
  Reason reason;
  reason.kind = ReasonKind::kLimit;
  reason.verdict = Verdict::kDeny;
  reason.rule = std::move(rule);
  reason.source = "built-in";
  reason.text = std::move(text);
  out.reasons.push_back(std::move(reason));
  return out;
}

// When its call was asked about first; one that was forwarded knows it.
Millis asked_since(const Question& question) {
  const json::Value* forwarded = question.context.find("forwarded");
  const json::Value* first = forwarded == nullptr ? nullptr : forwarded->find("since");
  const std::string text = first == nullptr ? "" : first->number_text();
  Millis since = question.created;
  std::from_chars(text.data(), text.data() + text.size(), since);
  return std::min(since, question.created);
}

// What a session's mode is, as people set it.
std::string_view mode_of(const Level& level) {
  const AgentPolicy* agent = level.policy->agent(level.agent);
  const Mode own = agent == nullptr ? Mode::kDefault : agent->mode.value;
  const Mode limit = agent == nullptr ? Mode::kAutonomous : agent->mode_limit;
  return name(tighter(level.options.decide.mode.value_or(own), limit));
}

// One of the calls that a session made last.
struct RecentCall {
  Millis at = 0;
  std::string tool;
  std::string text;
  Verdict verdict = Verdict::kDeny;

  json::Value value() const {
    return json::Value::object({{"at", json::Value::integer(at)},
                                {"tool", json::Value::string(tool)},
                                {"text", json::Value::string(text)},
                                {"verdict", json::Value::string(std::string(name(verdict)))}});
  }
};

std::string short_text(const ToolCall& call) {
  const ToolRow* row = tool_row(call.provider, call.native_tool);
  const json::Value* main = nullptr;
  if (row != nullptr && row->main.find(',') == row->main.npos) main = call.input.find(row->main);
  std::string text =
      main != nullptr && main->is_string() ? main->as_string() : json::write(call.input);
  constexpr std::size_t kMost = 400;
  if (text.size() > kMost) {
    std::size_t cut = kMost;
    while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
    text = text.substr(0, cut) + "… (" + std::to_string(text.size() - cut) + " bytes more)";
  }
  return text;
}

}  // namespace

struct Gate::Inside : std::enable_shared_from_this<Gate::Inside> {
  explicit Inside(GateParts given) : parts(given), standings(given.sessions, given.grants) {}

  GateParts parts;
  WatchedWorld world;  // for any thread
  Standings standings;
  bool closed = false;
  std::unordered_map<std::string, std::deque<RecentCall>> recent;  // by session, newest first
  std::map<const void*, std::weak_ptr<class Trip>> waiting;

  void remember(const AuditRecord& record, Millis now);
  store::AuditRow row_of(const AuditRecord& record, const std::string& origin,
                         const json::Value& peer) const {
    const Millis now = parts.loop.now();
    return parts.redaction == nullptr ? audit_row(record, origin, now, peer)
                                      : parts.redaction->row(record, origin, now, peer);
  }
  json::Value recent_value(const std::string& session) const;  // null where it has made none
};

// One call on its way. Kept alive by whatever it waits for.
class Trip : public Journey, public std::enable_shared_from_this<Trip> {
 public:
  Trip(std::shared_ptr<Gate::Inside> gate, Arrival arrival, Gate::Done done,
       std::function<void(const std::string&)> waiting)
      : gate_(std::move(gate)),
        arrival_(std::move(arrival)),
        done_(std::move(done)),
        waiting_(std::move(waiting)) {}

  void start(std::shared_ptr<const Standing> standing);
  void stop_frozen(const std::string& why);
  void stop_failed();
  std::string why_frozen() const;

  void gone() override;
  void cancel(const std::string& why) override;
  void delivered() override;
  void try_later(const std::string& why);

 private:
  void opened();
  void put_question();
  void answered(const Question& question);
  Passage judged_now(const ToolCall& call, World& world) const;
  bool turned(const Answer& given, World& world);
  bool shut(const Answer& given, World& world, Millis step);
  bool forward(const Question& expired);
  void closed();
  void keep_judged();
  // These take the record away: it is large, even to move.
  void keep(AuditRecord&& record);
  void kept(AuditRecord&& record, const Result<void>& result);
  void say(AuditRecord&& record);
  void rest();
  void wake(AuditRecord asked);
  void end_wait();
  Gate::Done let_go();
  void on_pool(std::function<void()> heavy, std::function<void()> then);
  void step(const std::function<void()>& act);

  Loop& loop() { return gate_->parts.loop; }

  std::shared_ptr<Gate::Inside> gate_;
  Arrival arrival_;
  Gate::Done done_;  // empty once called or left
  std::function<void(const std::string&)> waiting_;
  std::shared_ptr<const Standing> standing_;
  std::unique_ptr<Passage> passage_;  // nothing while it rests, and once its record was handed over
  std::unique_ptr<Passage::Rest> rest_;
  std::vector<std::string> teachable_;
  std::string tool_;  // of one that rests: as it was judged
  std::optional<approvals::Ticket> ticket_;
  std::unique_ptr<Timer> timer_;
  std::string question_;
  std::string reading_;  // of the passage as it was asked about
  std::string by_;
  json::Value messages_;   // what the agent said last
  json::Value forwarded_;  // of one that nobody answered: {"since", "question"}
  json::Value reply_;
  std::optional<json::Value> changed_;
  bool pending_ = false;
  bool delivered_ = false;
  bool failed_ = false;  // something was thrown while it was judged
};

void Trip::start(std::shared_ptr<const Standing> standing) {
  standing_ = std::move(standing);
  // Where a hook asks, people are asked, and shown more than a verdict.
  const Millis step = loop().step();
  // SAFETY: all of it in one turn of the loop, so that no freeze can come in between.
  if (!arrival_.asked && !is_set(step))
    if (std::optional<AuditRecord> record =
            judged_at_once(gate_->world, *standing_, gate_->parts.policies, arrival_.call))
      return keep(std::move(*record));
  const auto self = shared_from_this();
  on_pool(
      [self, step] {
        Gate::Inside& gate = *self->gate_;
        self->passage_ = std::make_unique<Passage>(
            judged(gate.world, step, *self->standing_, gate.parts.policies, self->arrival_.call));
        self->teachable_ = teachable(*self->passage_);
        // Read for people only: where nobody is asked, nobody reads it.
        if (self->arrival_.wait && !self->arrival_.transcript.empty() &&
            (self->arrival_.asked || self->passage_->needs() != Needs::kNothing))
          self->messages_ = last_messages(self->arrival_.transcript);
      },
      [self] { self->opened(); });
}

void Trip::stop_frozen(const std::string& why) {
  AuditRecord record;
  record.call = arrival_.call;
  record.decision = denied("frozen", why);
  keep(std::move(record));
}

void Trip::stop_failed() {
  AuditRecord record;
  record.call = arrival_.call;
  record.decision = denied("gate-failed", "the call could not be judged; retry it");
  keep(std::move(record));
}

// SAFETY: what is thrown while a call is judged is a deny of that call, and is recorded as one.
void Trip::on_pool(std::function<void()> heavy, std::function<void()> then) {
  loop().work(
      [self = shared_from_this(), heavy = std::move(heavy)] {
        try {
          heavy();
        } catch (...) {
          self->failed_ = true;
        }
      },
      [self = shared_from_this(), then = std::move(then)] { self->step(then); });
}

// SAFETY: so is what is thrown between. Where not even that can be said the client's connection
// ends, and it has no answer.
void Trip::step(const std::function<void()>& act) {
  try {
    return act();
  } catch (...) {
    failed_ = true;
  }
  try {
    stop_failed();
  } catch (...) {
    let_go();
    end_wait();
  }
}

std::string Trip::why_frozen() const {
  return arrival_.guest ? "" : gate_->parts.sessions.frozen(arrival_.call.session);
}

void Trip::opened() {
  if (!done_) return;
  // SAFETY: a freeze or an end that came while it was judged holds for it too.
  if (const std::string why = why_frozen(); !why.empty()) return stop_frozen(why);
  if (failed_) return stop_failed();
  const AuditRecord& record = passage_->record();
  // SAFETY: the hook may know a rule of a project that is none of ours; no grant lifts that.
  const bool hook_asks = arrival_.asked && record.decision.verdict == Verdict::kAllow &&
                         !(by_grant(record.decision) && is_plain(*arrival_.asked));
  if ((passage_->needs() == Needs::kNothing && !hook_asks) || !arrival_.wait) return keep_judged();
  if (gate_->closed) return try_later("the gate is stopping; retry the same call");
  reading_ = reading_of(*passage_, arrival_.asked);
  put_question();
}

void Trip::put_question() {
  const Millis now = loop().now();
  const store::Session& session = standing_->chain().front();
  Question question;
  question.asked = passage_->record();
  if (arrival_.asked) join_asked(question.asked.decision, *arrival_.asked);
  question.asked.decision.suggestions = teachable_;
  const Decision& decision = question.asked.decision;
  question.type = kind_of(arrival_.call.tool) == ToolKind::kPerson
                      ? store::QuestionType::kEscalation
                      : store::QuestionType::kPermission;
  question.session = session.id;
  question.agent = session.agent;
  for (const store::Session& each : standing_->chain()) question.chain.push_back(each.agent);
  if (passage_->needs() == Needs::kParent) question.for_session = passage_->parent();
  question.root = session.cwd;
  question.digest = approvals::digest_of(arrival_.call);
  question.context = json::Value::object();
  question.context.set("reading", json::Value::string(reading_));
  if (json::Value recent = gate_->recent_value(session.id); !recent.is_null())
    question.context.set("recent", std::move(recent));
  if (!messages_.is_null()) question.context.set("messages", messages_);
  if (const Level& asking = passage_->levels().front(); asking.policy != nullptr)
    question.context.set("mode", json::Value::string(std::string(mode_of(asking))));
  if (!forwarded_.is_null()) question.context.set("forwarded", forwarded_);
  if (arrival_.asked && passage_->record().decision.verdict == Verdict::kAllow)
    mark_hook_asks(question);
  if (decision.within_ms > 0) question.expires = now + decision.within_ms;
  const auto self = shared_from_this();
  Result<approvals::Ticket> ticket = gate_->parts.desk.ask(
      std::move(question), now, [self](const Question& ended) { self->answered(ended); });
  if (!ticket) {
    AuditRecord record = passage_->record();
    record.decision = denied(ticket.error().code, ticket.error().message);
    return keep(std::move(record));
  }
  ticket_ = *ticket;
  question_ = ticket->question;
  if (!done_) return;
  if (!ticket->joined) rest();
  gate_->waiting[this] = weak_from_this();
  // A copy: the call may end while it is told.
  if (const auto waiting = waiting_) waiting(question_);
  if (!arrival_.within) return;
  const Millis wait = std::max<Millis>(*arrival_.within - kAnswerMargin, 0);
  timer_ = loop().after(wait, [self] {
    self->try_later("still pending: nobody has answered yet; retry the same call");
  });
}

// While it waits the desk alone holds what was asked: there may be thousands. REQUIRES: the
// question is this call's own.
void Trip::rest() {
  tool_ = passage_->record().call.tool;
  rest_ = std::make_unique<Passage::Rest>(std::move(*passage_).rest());
  passage_ = nullptr;
  // Assigning {} would keep their room.
  arrival_.session = std::string();
  arrival_.transcript = std::string();
  teachable_ = std::vector<std::string>();
  arrival_.call.input = json::Value();
}

void Trip::wake(AuditRecord asked) {
  if (rest_ == nullptr) return;
  // The same call may have come back with another id, and the question is then of that.
  arrival_.call.input = std::move(asked.call.input);
  asked.call = arrival_.call;
  asked.call.tool = std::move(tool_);
  passage_ = std::make_unique<Passage>(Passage::wake(std::move(*rest_), std::move(asked)));
  rest_ = nullptr;
}

// Nobody has answered; the question stays, and the same call joins it.
void Trip::try_later(const std::string& why) {
  if (!done_) return;
  if (rest_ != nullptr)
    if (std::optional<AuditRecord> asked = gate_->parts.desk.asked(question_))
      wake(std::move(*asked));
  if (ticket_) gate_->parts.desk.leave_to_retry(*ticket_, loop().now());
  end_wait();
  pending_ = true;
  AuditRecord record = passage_ ? passage_->record() : AuditRecord{};
  record.call = arrival_.call;
  record.decision = denied("pending", why);
  keep(std::move(record));
}

void Trip::answered(const Question& question) {
  end_wait();
  if (!done_) return;
  wake(question.asked);
  if (forward(question)) return;
  Answer answer = answer_of(question);
  by_ = question.settlement.by;
  reply_ = question.settlement.reply;
  changed_ = answer.changed;
  question_ = question.id;
  if (answer.decision.verdict != Verdict::kAllow) {
    AuditRecord record = passage_->record();
    record.decision = std::move(answer.decision);
    return keep(std::move(record));
  }
  const auto self = shared_from_this();
  const auto given = std::make_shared<Answer>(std::move(answer));
  const auto standing =
      arrival_.guest ? standing_ : gate_->standings.of(arrival_.call.session, loop().now());
  on_pool(
      [self, given, standing, step = loop().step()] {
        const os::Moment moment;
        // Modes, policies and grants may have changed while the question was open.
        World& world = self->gate_->world;
        if (!standing->chain().empty())
          self->passage_->renew(standing->levels(self->gate_->parts.policies, Detail::kFull));
        if (!self->turned(*given, world) && !self->shut(*given, world, step))
          self->passage_->close(std::move(*given), world);
        if (self->passage_->needs() == Needs::kNothing) return;
        self->teachable_ = teachable(*self->passage_);
        self->reading_ = reading_of(*self->passage_, self->arrival_.asked);
      },
      [self] { self->closed(); });
}

// A call by the levels of the passage, as if it had just come. On the pool.
Passage Trip::judged_now(const ToolCall& call, World& world) const {
  return Passage::open(std::vector<Level>(passage_->levels()), world, call);
}

// Where only the hook asked, close() has no question of ours to look at again. Whether we do not
// allow it any more; then it is denied, or asked about as ours. On the pool.
bool Trip::turned(const Answer& given, World& world) {
  if (passage_->record().decision.verdict != Verdict::kAllow) return false;
  ToolCall call = arrival_.call;
  if (given.changed) call.input = *given.changed;
  Passage again = judged_now(call, world);
  const Decision& decision = again.record().decision;
  // Whoever changed the input has approved just that, as far as it is only asked.
  const bool others = !decision.quorums.empty() || !decision.approve.empty() ||
                      again.needs() != Needs::kPerson || adds_breaker(decision.reasons, {});
  if (decision.verdict == Verdict::kAllow ||
      (decision.verdict == Verdict::kAsk && given.changed && !others))
    return false;
  const bool refused = decision.verdict == Verdict::kAsk && given.changed;
  *passage_ = std::move(again);
  // SAFETY: a question of its own would be about an input that nobody asked to run.
  if (refused)
    passage_->close({.decision = denied("changed-input",
                                        "the call was approved with another input, and that one "
                                        "is for others to approve"),
                     .changed = {}},
                    world);
  return true;
}

// Whether it would be denied if nobody had set the time of day while the question was open: hours
// that are reached by setting a clock are not reached. On the pool.
bool Trip::shut(const Answer& given, World& world, Millis step) {
  if (!is_set(step)) return false;
  UnsetWorld unset(world, step);
  ToolCall call = arrival_.call;
  if (given.changed) call.input = *given.changed;
  Passage again = judged_now(call, unset);
  if (again.record().decision.verdict != Verdict::kDeny) return false;
  *passage_ = std::move(again);
  return true;
}

// Nobody answered in time, and a rule leaves it to the parent then: judged again up there. False:
// it is over.
bool Trip::forward(const Question& expired) {
  if (expired.state != QuestionState::kExpired || arrival_.guest) return false;
  const Millis since = asked_since(expired);
  const Millis waited = expired.settlement.at - since;
  if (!passage_->goes_on_after(waited)) return false;
  forwarded_ = json::Value::object(
      {{"since", json::Value::integer(since)}, {"question", json::Value::string(expired.id)}});
  question_ = expired.id;
  const auto self = shared_from_this();
  const auto standing = gate_->standings.of(arrival_.call.session, loop().now());
  on_pool(
      [self, standing, waited] {
        const os::Moment moment;
        if (!standing->chain().empty())
          self->passage_->renew(standing->levels(self->gate_->parts.policies, Detail::kFull));
        self->passage_->forward(self->gate_->world, waited);
        self->teachable_ = teachable(*self->passage_);
        // SAFETY: those above are shown what is seen in this moment, and a retry gets their answer
        // only where it is read the same. It has not waited, so it is read as one that has not.
        self->reading_ = reading_of(self->judged_now(self->arrival_.call, self->gate_->world),
                                    self->arrival_.asked);
      },
      [self] { self->closed(); });
  return true;
}

// The answer was looked at again. What raises a new question is put as one.
void Trip::closed() {
  // SAFETY: a freeze that came while the question was open holds for its answer too.
  if (const std::string why = why_frozen(); !why.empty()) return stop_frozen(why);
  if (failed_) return stop_failed();
  if (passage_->record().decision.verdict == Verdict::kAsk && done_) {
    ticket_.reset();
    return put_question();
  }
  keep_judged();
}

void Trip::keep_judged() {
  AuditRecord record = std::move(*passage_).record();
  passage_.reset();
  keep(std::move(record));
}

// SAFETY: a call whose record could not be kept is denied.
void Trip::keep(AuditRecord&& record) {
  store::AuditRow row = gate_->row_of(record, arrival_.origin, arrival_.peer);
  row.question = question_;
  row.by = by_;
  // From here on nobody looks at its look.
  gate_->world.give_back(std::exchange(record.situation, {}));
  std::vector<store::Change> batch;
  batch.emplace_back(store::AppendAudit{std::move(row)});
  // Whoever has answered waits no longer than the disk takes.
  const auto when = by_.empty() ? store::Durability::kGrouped : store::Durability::kNow;
  auto self = shared_from_this();
  auto kept = std::make_shared<AuditRecord>(std::move(record));
  // It is told of once, and hands on what it has: counting references costs, across threads.
  gate_->parts.store.submit(
      std::move(batch), when,
      [self = std::move(self), kept = std::move(kept)](Result<void> result) mutable {
        Loop& loop = self->loop();
        loop.post([self = std::move(self), kept = std::move(kept), result = std::move(result)] {
          self->step([&] { self->kept(std::move(*kept), result); });
        });
      });
}

void Trip::kept(AuditRecord&& record, const Result<void>& result) {
  if (!result) {
    Decision refusal =
        denied("audit-unavailable",
               "the call could not be recorded, so it may not run: " + result.error().message);
    refusal.also = record.decision.reasons;
    record.decision = std::move(refusal);
  }
  // SAFETY: a freeze that came while the record was written holds for this call, too.
  const std::string why = record.decision.verdict == Verdict::kAllow ? why_frozen() : std::string();
  if (!why.empty()) return stop_frozen(why);
  say(std::move(record));
}

void Trip::say(AuditRecord&& record) {
  gate_->remember(record, loop().now());
  if (!done_) return;
  Outcome outcome;
  outcome.question = question_;
  outcome.pending = pending_;
  if (record.decision.verdict == Verdict::kAllow) outcome.changed = changed_;
  outcome.reply = std::move(reply_);
  outcome.input = std::move(arrival_.call.input);
  outcome.record = std::move(record);
  const Gate::Done done = let_go();
  done(std::move(outcome));
}

// INVARIANT: what came in holds the trip, so a trip that has ended holds nothing of it.
Gate::Done Trip::let_go() {
  waiting_ = nullptr;
  return std::exchange(done_, nullptr);
}

void Trip::end_wait() {
  timer_.reset();
  gate_->waiting.erase(this);
}

void Trip::gone() {
  if (!done_) {
    // The answer was on its way and did not arrive: the next try gets it.
    if (ticket_ && !delivered_ && !pending_) gate_->parts.desk.leave(*ticket_, loop().now());
    return;
  }
  let_go();
  end_wait();
  if (!ticket_) return;
  // One that waits for a time only has given up, and a model tries again with another id; one that
  // waits as long as it takes has lost its connection, and comes back with the same.
  if (arrival_.within)
    gate_->parts.desk.leave_to_retry(*ticket_, loop().now());
  else
    gate_->parts.desk.leave(*ticket_, loop().now());
}

void Trip::cancel(const std::string& why) {
  if (!done_) return;
  let_go();
  end_wait();
  if (ticket_) gate_->parts.desk.cancel(*ticket_, loop().now(), why);
}

void Trip::delivered() {
  if (delivered_ || question_.empty() || pending_) return;
  delivered_ = true;
  gate_->parts.desk.delivered(question_, loop().now());
}

// --- the gate ------------------------------------------------------------------------------------

void Gate::Inside::remember(const AuditRecord& record, Millis now) {
  if (recent.size() >= kRecentSessions && !recent.contains(record.call.session))
    recent.erase(recent.begin());
  std::deque<RecentCall>& calls = recent[record.call.session];
  calls.push_front({.at = now,
                    .tool = record.call.tool,
                    .text = short_text(record.call),
                    .verdict = record.decision.verdict});
  if (calls.size() > kRecentCalls) calls.pop_back();
}

json::Value Gate::Inside::recent_value(const std::string& session) const {
  const auto found = recent.find(session);
  if (found == recent.end()) return {};
  json::Value list = json::Value::array();
  for (const RecentCall& call : found->second) list.push(call.value());
  return list;
}

Gate::Gate(GateParts parts) : inside_(std::make_shared<Inside>(parts)) {}
Gate::~Gate() = default;

Result<std::shared_ptr<Journey>> Gate::settle(Arrival arrival, Done done,
                                              std::function<void(const std::string&)> waiting) {
  const Millis now = inside_->parts.loop.now();
  const bool is_guest = arrival.guest != nullptr;
  const store::Session* session =
      is_guest ? arrival.guest.get() : inside_->parts.sessions.live(arrival.session, now);
  if (session == nullptr)
    return Fail({.code = "unknown-session",
                 .message = "there is no such session",
                 .hint = "it has ended or expired; start the agent again",
                 .where = {}});
  std::shared_ptr<const Standing> standing =
      is_guest
          ? std::make_shared<const Standing>(std::vector<store::Session>{*session},
                                             std::vector<std::vector<store::Grant>>{
                                                 inside_->parts.grants.for_session(*session, now)})
          : inside_->standings.of(session->id, now);
  arrival.call.session = session->id;
  arrival.call.agent = session->agent;
  if (arrival.call.provider.empty()) arrival.call.provider = session->provider;
  if (arrival.call.cwd.empty()) arrival.call.cwd = session->cwd;
  if (!is_guest) inside_->parts.desk.note_other_call(arrival.call);
  auto trip =
      std::make_shared<Trip>(inside_, std::move(arrival), std::move(done), std::move(waiting));
  if (inside_->closed) {
    trip->try_later("the gate is stopping; retry the same call");
    return trip;
  }
  const std::string why = trip->why_frozen();
  if (!why.empty())
    trip->stop_frozen(why);
  else
    trip->start(std::move(standing));
  return trip;
}

void Gate::refuse(const std::string& session, const Error& error, const std::string& origin,
                  std::function<void(Decision)> done) {
  AuditRecord record;
  record.call.session = session;
  record.decision = deny_malformed(error, Layer::kGate);
  std::vector<store::Change> batch;
  batch.emplace_back(store::AppendAudit{inside_->row_of(record, origin, {})});
  const auto inside = inside_;
  inside->parts.store.submit(
      std::move(batch), store::Durability::kGrouped,
      [inside, decision = std::move(record.decision), done = std::move(done)](Result<void>) {
        // Kept or not, it is a deny.
        inside->parts.loop.post([decision, done] { done(decision); });
      });
}

void Gate::deny(const std::string& question, std::string reason, const Principal& by,
                Answered done) {
  inside_->parts.desk.answer(question, {.allow = false, .reason = std::move(reason)}, by,
                             inside_->parts.loop.now(), std::move(done));
}

// What an approval is checked for on the pool: the input that it changes, the rule that it teaches.
struct Checked {
  std::optional<Error> refusal;
  std::optional<store::Grant> grant;
};

namespace {

Result<store::Grant> checked_grant(const Passage& passage, const Standing& standing,
                                   const Question& question, const Gate::Approval& approval) {
  const std::size_t asking = asking_level(passage);
  Result<Granted> rule = grant_of(approval.rule, passage.at(asking), passage.levels()[asking]);
  if (!rule) return Fail(std::move(rule).error());
  const store::Session& session = standing.chain()[asking];
  store::Grant grant;
  grant.rule = rule->rule.text;
  grant.scope = approval.scope;
  if (approval.scope == store::Scope::kSession) grant.session = session.id;
  if (approval.scope != store::Scope::kEveryone) grant.agent = session.agent;
  grant.root = rule->root;
  grant.question = question.id;
  grant.expires = approval.expires;
  return grant;
}

Checked check(World& world, const Standing& standing, Policies& policies, const Question& question,
              const Gate::Approval& approval) {
  Checked checked;
  if (approval.changed) {
    ToolCall call = question.asked.call;
    call.input = *approval.changed;
    const Passage changed = judged(world, standing, policies, call);
    const Decision& decision = changed.record().decision;
    if (decision.verdict == Verdict::kDeny) {
      checked.refusal = Error{
          .code = "input-refused",
          .message = "the policy denies the call with this input: " + decision.reasons.front().text,
          .hint = "change the input again, or deny the call",
          .where = {}};
      return checked;
    }
    // SAFETY: a breaker is for whoever is shown it, and touches a key for it where there is one.
    if (adds_breaker(decision.reasons, question.asked.decision.reasons)) {
      checked.refusal = Error{.code = "input-refused",
                              .message = "a breaker stops the call with this input",
                              .hint = "deny the call, and say what to ask instead",
                              .where = {}};
      return checked;
    }
  }
  if (approval.scope == store::Scope::kOnce) return checked;
  const Passage passage = judged(world, standing, policies, question.asked.call);
  Result<store::Grant> grant = checked_grant(passage, standing, question, approval);
  if (grant)
    checked.grant = std::move(*grant);
  else
    checked.refusal = std::move(grant).error();
  return checked;
}

}  // namespace

void Gate::approve(const std::string& id, Approval approval, const Principal& by,
                   const Answered& done) {
  const Millis now = inside_->parts.loop.now();
  const std::optional<Question> question = inside_->parts.desk.find(id);
  const bool plain = approval.scope == store::Scope::kOnce && !approval.changed;
  const auto answer = [inside = inside_, id, by, done](const Approval& wanted, Checked checked) {
    if (checked.refusal) return done(Fail(*checked.refusal));
    approvals::AnswerRequest request{.allow = true,
                                     .scope = wanted.scope,
                                     .reason = wanted.reason,
                                     .changed = wanted.changed,
                                     .grant = checked.grant,
                                     .reply = wanted.reply};
    if (request.grant) request.grant->author = by.person;
    inside->parts.desk.answer(
        id, std::move(request), by, inside->parts.loop.now(),
        [inside, done, grant = checked.grant, by](Result<Question> result) mutable {
          // The store has it; from now on it holds.
          if (result && grant && !result->settlement.grant.empty()) {
            grant->id = result->settlement.grant;
            grant->author = by.person;
            grant->created = result->settlement.at;
            inside->parts.grants.learn(std::move(*grant));
          }
          done(std::move(result));
        });
  };
  if (!question || question->state != QuestionState::kPending || plain) return answer(approval, {});
  if (question->type == store::QuestionType::kEscalation) {
    approval.scope = store::Scope::kOnce;
    if (!approval.changed) return answer(approval, {});
  }
  const auto standing = inside_->standings.of(question->session, now);
  if (standing->chain().empty())
    return done(Fail({.code = "unknown-session",
                      .message = "the session that asked has ended",
                      .hint = "nothing is left to answer",
                      .where = {}}));
  const auto wanted = std::make_shared<Approval>(std::move(approval));
  const auto checked = std::make_shared<Checked>();
  inside_->parts.loop.work(
      [inside = inside_, standing, question = *question, wanted, checked] {
        *checked = check(inside->world, *standing, inside->parts.policies, question, *wanted);
      },
      [answer, wanted, checked] { answer(*wanted, std::move(*checked)); });
}

void Gate::preview(const std::string& id, std::string rule,
                   std::function<void(Result<json::Value>)> done) {
  const std::optional<Question> question = inside_->parts.desk.find(id);
  if (!question)
    return done(Fail({.code = "unknown-question",
                      .message = "there is no question `" + id + "`",
                      .hint = "see what is open",
                      .where = {}}));
  const auto standing = inside_->standings.of(question->session, inside_->parts.loop.now());
  const auto result = std::make_shared<Result<json::Value>>(json::Value());
  inside_->parts.loop.work(
      [inside = inside_, standing, question = *question, rule = std::move(rule), result] {
        if (standing->chain().empty()) return;
        const Passage passage =
            judged(inside->world, *standing, inside->parts.policies, question.asked.call);
        const std::size_t asking = asking_level(passage);
        *result =
            preview_value(rule, passage.at(asking), passage.levels()[asking], inside->parts.store);
      },
      [result, done = std::move(done)] { done(std::move(*result)); });
}

json::Value Gate::recent(const std::string& session) const {
  json::Value list = inside_->recent_value(session);
  return list.is_null() ? json::Value::array() : list;
}

void Gate::close() {
  inside_->closed = true;
  std::vector<std::shared_ptr<Trip>> trips;
  for (const auto& [key, trip] : inside_->waiting)
    if (std::shared_ptr<Trip> alive = trip.lock()) trips.push_back(std::move(alive));
  for (const std::shared_ptr<Trip>& trip : trips)
    trip->try_later("the gate is stopping; retry the same call");
}

Levels guest_levels(const store::Session& session, const std::vector<store::Grant>& grants,
                    Policies& policies) {
  return Standing({session}, {grants}).levels(policies, Detail::kFull);
}

}  // namespace tollgate::server
