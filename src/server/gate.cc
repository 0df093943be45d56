// The way of a call: levels and a look on the pool, a question on the desk, the answer looked at
// again on the pool, a record, and only then the client's answer.
// SAFETY: every early return of this file is a deny that says why, or the ask itself.
#include "server/gate.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/tool_table.h"
#include "json/json.h"
#include "os/moment.h"
#include "server/answers.h"
#include "server/reading.h"
#include "server/transcript.h"
#include "service/readings.h"

namespace tollgate::server {
namespace {

using approvals::Principal;
using store::Question;
using store::QuestionState;

constexpr std::size_t kRecentCalls = 10;
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

// What the sessions of a chain say, as values that a thread of the pool can take along.
struct Standing {
  std::vector<store::Session> chain;  // the asking one first
  std::vector<std::vector<store::Grant>> grants;
};

bool is_delegated(const config::Settings& settings, const store::Session& child,
                  const store::Session& parent) {
  if (!child.from_operator) return false;
  const auto entry = std::ranges::find(settings.agents, parent.agent, &config::AgentEntry::name);
  return entry != settings.agents.end() &&
         std::ranges::find(entry->delegate, child.agent) != entry->delegate.end();
}

std::shared_ptr<const Grants> granted(const std::vector<store::Grant>& grants,
                                      const Policy& policy) {
  if (grants.empty()) return nullptr;
  auto rules = std::make_shared<Grants>();
  for (const store::Grant& grant : grants)
    if (Result<Granted> rule = kept_grant(grant.rule, grant.id, grant.root, policy.tools()))
      rules->push_back(std::move(*rule));
  return rules;
}

Level level_of(const store::Session& session, const std::vector<store::Grant>& grants,
               Policies& policies, Detail detail) {
  Ground ground = policies.at(session.cwd, session.agent);
  Level level;
  level.session = session.id;
  level.agent = session.agent;
  LookPlan& plan = level.options.plan;
  plan = std::move(ground.plan);
  plan.base = session.cwd;
  if (!session.roots.empty()) {
    plan.roots = session.roots;
    plan.roots.insert(plan.roots.begin(), session.cwd);
  }
  plan.search_path = session.search_path;
  level.options.decide = {.detail = detail,
                          .mode = session.mode,
                          .layer = Layer::kGate,
                          .answer = session.answer,
                          .grants = granted(grants, *ground.policy)};
  level.policy = std::move(ground.policy);
  return level;
}

Levels levels_of(const Standing& standing, Policies& policies, Detail detail) {
  auto levels = std::make_shared<std::vector<Level>>();
  for (std::size_t i = 0; i < standing.chain.size(); ++i)
    levels->push_back(level_of(standing.chain[i], standing.grants[i], policies, detail));
  if (levels->size() == 1) return levels;
  const config::Settings settings = policies.settings();
  for (std::size_t i = 0; i + 1 < standing.chain.size(); ++i)
    (*levels)[i].delegated = is_delegated(settings, standing.chain[i], standing.chain[i + 1]);
  return levels;
}

// Judges with all there is to say only where somebody will read it.
Passage judged(const Standing& standing, Policies& policies, const ToolCall& call) {
  const os::Moment moment;
  RealWorld world;
  Passage passage = Passage::open(levels_of(standing, policies, Detail::kVerdict), world, call);
  if (passage.needs() == Needs::kNothing) return passage;
  return Passage::open(levels_of(standing, policies, Detail::kFull), world, call);
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
  explicit Inside(GateParts given) : parts(given) {}

  GateParts parts;
  bool closed = false;
  std::map<std::string, std::deque<json::Value>> recent;  // by session, newest first
  std::map<const void*, std::weak_ptr<class Trip>> waiting;

  void remember(const AuditRecord& record, Millis now);
  Standing standing_of(const std::string& session, Millis now);
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

  void start(Standing standing);
  void stop_frozen(const std::string& why);
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
  bool forward(const Question& expired);
  void closed();
  void keep(AuditRecord record);
  void say(AuditRecord record);
  void end_wait();

  Loop& loop() { return gate_->parts.loop; }

  std::shared_ptr<Gate::Inside> gate_;
  Arrival arrival_;
  Gate::Done done_;  // empty once called or left
  std::function<void(const std::string&)> waiting_;
  Standing standing_;
  std::optional<Passage> passage_;
  std::vector<std::string> teachable_;
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
};

void Trip::start(Standing standing) {
  standing_ = std::move(standing);
  const auto self = shared_from_this();
  loop().work(
      [self] {
        self->passage_.emplace(
            judged(self->standing_, self->gate_->parts.policies, self->arrival_.call));
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

std::string Trip::why_frozen() const {
  return arrival_.guest ? "" : gate_->parts.sessions.frozen(standing_.chain.front().id);
}

void Trip::opened() {
  if (!done_) return;
  // SAFETY: a freeze or an end that came while it was judged holds for it too.
  if (const std::string why = why_frozen(); !why.empty()) return stop_frozen(why);
  if (!passage_) {
    AuditRecord record;
    record.call = arrival_.call;
    record.decision = denied("gate-failed", "the call could not be judged; retry it");
    return keep(std::move(record));
  }
  const AuditRecord& record = passage_->record();
  // SAFETY: the hook may know a rule of a project that is none of ours; no grant lifts that.
  const bool hook_asks = arrival_.asked && record.decision.verdict == Verdict::kAllow &&
                         !(by_grant(record.decision) && is_plain(*arrival_.asked));
  if (passage_->needs() == Needs::kNothing && !hook_asks) return keep(record);
  if (!arrival_.wait) return keep(record);
  if (gate_->closed) return try_later("the gate is stopping; retry the same call");
  reading_ = reading_of(*passage_, arrival_.asked);
  put_question();
}

void Trip::put_question() {
  const Millis now = loop().now();
  const store::Session& session = standing_.chain.front();
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
  for (const store::Session& each : standing_.chain) question.chain.push_back(each.agent);
  if (passage_->needs() == Needs::kParent) question.for_session = passage_->parent();
  question.root = session.cwd;
  question.digest = approvals::digest_of(arrival_.call);
  question.context = json::Value::object();
  question.context.set("reading", json::Value::string(reading_));
  if (const auto found = gate_->recent.find(session.id); found != gate_->recent.end())
    question.context.set("recent",
                         json::Value::array({found->second.begin(), found->second.end()}));
  if (!messages_.is_null()) question.context.set("messages", messages_);
  if (const Level& asking = passage_->levels().front(); asking.policy != nullptr)
    question.context.set("mode", json::Value::string(std::string(mode_of(asking))));
  if (!forwarded_.is_null()) question.context.set("forwarded", forwarded_);
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
  gate_->waiting[this] = weak_from_this();
  if (waiting_) waiting_(question_);
  if (!arrival_.within) return;
  const Millis wait = std::max<Millis>(*arrival_.within - kAnswerMargin, 0);
  timer_ = loop().after(wait, [self] {
    self->try_later("still pending: nobody has answered yet; retry the same call");
  });
}

// Nobody has answered; the question stays, and the same call joins it.
void Trip::try_later(const std::string& why) {
  if (!done_) return;
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
  if (!done_ || forward(question)) return;
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
  const auto standing = std::make_shared<Standing>(
      arrival_.guest ? standing_ : gate_->standing_of(standing_.chain.front().id, loop().now()));
  loop().work(
      [self, given, standing] {
        const os::Moment moment;
        RealWorld world;
        // Modes, policies and grants may have changed while the question was open.
        if (!standing->chain.empty())
          self->passage_->renew(levels_of(*standing, self->gate_->parts.policies, Detail::kFull));
        if (!self->turned(*given, world)) self->passage_->close(std::move(*given), world);
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
  const Verdict verdict = again.record().decision.verdict;
  // Whoever changed the input has approved just that, as far as it is only asked.
  if (verdict == Verdict::kAllow || (verdict == Verdict::kAsk && given.changed)) return false;
  passage_ = std::move(again);
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
  const auto standing =
      std::make_shared<Standing>(gate_->standing_of(standing_.chain.front().id, loop().now()));
  loop().work(
      [self, standing, waited] {
        const os::Moment moment;
        RealWorld world;
        if (!standing->chain.empty())
          self->passage_->renew(levels_of(*standing, self->gate_->parts.policies, Detail::kFull));
        self->passage_->forward(world, waited);
        self->teachable_ = teachable(*self->passage_);
        // SAFETY: those above are shown what is seen in this moment, and a retry gets their answer
        // only where it is read the same. It has not waited, so it is read as one that has not.
        self->reading_ =
            reading_of(self->judged_now(self->arrival_.call, world), self->arrival_.asked);
      },
      [self] { self->closed(); });
  return true;
}

// The answer was looked at again. What raises a new question is put as one.
void Trip::closed() {
  // SAFETY: a freeze that came while the question was open holds for its answer too.
  if (const std::string why = why_frozen(); !why.empty()) return stop_frozen(why);
  if (passage_->record().decision.verdict == Verdict::kAsk && done_) {
    ticket_.reset();
    return put_question();
  }
  keep(passage_->record());
}

// SAFETY: a call whose record could not be kept is denied.
void Trip::keep(AuditRecord record) {
  const Millis now = loop().now();
  store::AuditRow row = audit_row(record, arrival_.origin, now, arrival_.peer);
  row.question = question_;
  row.by = by_;
  std::vector<store::Change> batch;
  batch.emplace_back(store::AppendAudit{std::move(row)});
  const auto self = shared_from_this();
  const auto kept = std::make_shared<AuditRecord>(std::move(record));
  gate_->parts.store.submit(
      std::move(batch), store::Durability::kGrouped, [self, kept](Result<void> result) {
        self->loop().post([self, kept, result = std::move(result)] {
          if (!result) {
            Decision refusal =
                denied("audit-unavailable", "the call could not be recorded, so it may not run: " +
                                                result.error().message);
            refusal.also = kept->decision.reasons;
            kept->decision = std::move(refusal);
          }
          // SAFETY: a freeze that came while the record was written holds for this call, too.
          const std::string why =
              kept->decision.verdict == Verdict::kAllow ? self->why_frozen() : std::string();
          if (!why.empty()) return self->stop_frozen(why);
          self->say(std::move(*kept));
        });
      });
}

void Trip::say(AuditRecord record) {
  gate_->remember(record, loop().now());
  if (!done_) return;
  Outcome outcome;
  outcome.question = question_;
  outcome.pending = pending_;
  if (record.decision.verdict == Verdict::kAllow) outcome.changed = changed_;
  outcome.reply = std::move(reply_);
  outcome.record = std::move(record);
  const Gate::Done done = std::exchange(done_, nullptr);
  done(std::move(outcome));
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
  done_ = nullptr;
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
  done_ = nullptr;
  end_wait();
  if (ticket_) gate_->parts.desk.cancel(*ticket_, loop().now(), why);
}

void Trip::delivered() {
  if (delivered_ || question_.empty() || pending_) return;
  delivered_ = true;
  gate_->parts.desk.delivered(question_, loop().now());
}

// --- the gate ------------------------------------------------------------------------------------

Standing Gate::Inside::standing_of(const std::string& session, Millis now) {
  Standing standing;
  standing.chain = parts.sessions.chain(session);
  for (const store::Session& each : standing.chain)
    standing.grants.push_back(parts.grants.for_session(each, now));
  return standing;
}

void Gate::Inside::remember(const AuditRecord& record, Millis now) {
  std::deque<json::Value>& calls = recent[record.call.session];
  calls.push_front(json::Value::object(
      {{"at", json::Value::integer(now)},
       {"tool", json::Value::string(record.call.tool)},
       {"text", json::Value::string(short_text(record.call))},
       {"verdict", json::Value::string(std::string(name(record.decision.verdict)))}}));
  if (calls.size() > kRecentCalls) calls.pop_back();
  if (recent.size() > 4'096) recent.erase(recent.begin());
}

Gate::Gate(GateParts parts) : inside_(std::make_shared<Inside>(parts)) {}
Gate::~Gate() = default;

Result<std::shared_ptr<Journey>> Gate::settle(Arrival arrival, Done done,
                                              std::function<void(const std::string&)> waiting) {
  const Millis now = inside_->parts.loop.now();
  const std::optional<store::Session> session =
      arrival.guest ? arrival.guest : inside_->parts.sessions.find(arrival.session, now);
  Standing standing;
  if (arrival.guest)
    standing = {{*session}, {inside_->parts.grants.for_session(*session, now)}};
  else if (session)
    standing = inside_->standing_of(session->id, now);
  if (standing.chain.empty())
    return Fail({.code = "unknown-session",
                 .message = "there is no such session",
                 .hint = "it has ended or expired; start the agent again",
                 .where = {}});
  const bool is_guest = arrival.guest.has_value();
  arrival.call.session = session->id;
  arrival.call.agent = session->agent;
  if (arrival.call.provider.empty()) arrival.call.provider = session->provider;
  if (arrival.call.cwd.empty()) arrival.call.cwd = session->cwd;
  if (!is_guest)
    inside_->parts.desk.note_other_call(session->id, approvals::digest_of(arrival.call));
  auto trip =
      std::make_shared<Trip>(inside_, std::move(arrival), std::move(done), std::move(waiting));
  if (inside_->closed) {
    trip->try_later("the gate is stopping; retry the same call");
    return trip;
  }
  const std::string why = is_guest ? "" : inside_->parts.sessions.frozen(session->id);
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
  batch.emplace_back(store::AppendAudit{audit_row(record, origin, inside_->parts.loop.now())});
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
  const store::Session& session = standing.chain[asking];
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

Checked check(const Standing& standing, Policies& policies, const Question& question,
              const Gate::Approval& approval) {
  Checked checked;
  if (approval.changed) {
    ToolCall call = question.asked.call;
    call.input = *approval.changed;
    const Passage changed = judged(standing, policies, call);
    const Decision& decision = changed.record().decision;
    if (decision.verdict == Verdict::kDeny) {
      checked.refusal = Error{
          .code = "input-refused",
          .message = "the policy denies the call with this input: " + decision.reasons.front().text,
          .hint = "change the input again, or deny the call",
          .where = {}};
      return checked;
    }
  }
  if (approval.scope == store::Scope::kOnce) return checked;
  const Passage passage = judged(standing, policies, question.asked.call);
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
  const auto standing = std::make_shared<Standing>(inside_->standing_of(question->session, now));
  if (standing->chain.empty())
    return done(Fail({.code = "unknown-session",
                      .message = "the session that asked has ended",
                      .hint = "nothing is left to answer",
                      .where = {}}));
  const auto wanted = std::make_shared<Approval>(std::move(approval));
  const auto checked = std::make_shared<Checked>();
  inside_->parts.loop.work(
      [inside = inside_, standing, question = *question, wanted, checked] {
        *checked = check(*standing, inside->parts.policies, question, *wanted);
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
  const auto standing = std::make_shared<Standing>(
      inside_->standing_of(question->session, inside_->parts.loop.now()));
  const auto result = std::make_shared<Result<json::Value>>(json::Value());
  inside_->parts.loop.work(
      [inside = inside_, standing, question = *question, rule = std::move(rule), result] {
        if (standing->chain.empty()) return;
        const Passage passage = judged(*standing, inside->parts.policies, question.asked.call);
        const std::size_t asking = asking_level(passage);
        *result =
            preview_value(rule, passage.at(asking), passage.levels()[asking], inside->parts.store);
      },
      [result, done = std::move(done)] { done(std::move(*result)); });
}

json::Value Gate::recent(const std::string& session) const {
  const auto found = inside_->recent.find(session);
  if (found == inside_->recent.end()) return json::Value::array();
  return json::Value::array({found->second.begin(), found->second.end()});
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
  return levels_of({{session}, {grants}}, policies, Detail::kFull);
}

}  // namespace tollgate::server
