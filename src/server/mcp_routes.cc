// The permission server: MCP requests of a session, its calls answered at once or after a person.
// A call that waits is a stream from the first moment, with something on it every ten seconds: a
// silent connection would be cut by the client before anybody has read the question.
#include <algorithm>
#include <utility>

#include "json/json.h"
#include "protocol/mcp.h"
#include "protocol/mcp_permission.h"
#include "protocol/mcp_reply.h"
#include "protocol/mcp_tools.h"
#include "server/answers.h"
#include "server/question_value.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

constexpr Millis kHeartbeat = 10'000;

// Under which a call can be taken back. The id comes first: it tells more calls apart.
std::string call_key(const std::string& session, const Value& id) {
  std::string key = json::write(id);
  key.reserve(key.size() + 1 + session.size());
  key += ' ';
  key += session;
  return key;
}

// One call of an MCP request on its way: its answer goes out by itself or with others of a batch.
class McpVisit : public std::enable_shared_from_this<McpVisit> {
 public:
  using Said = std::function<void(Value message)>;

  McpVisit(Daemon& daemon, const McpServer& server, const Visit& visit, McpCall call, Said said)
      : daemon_(daemon),
        server_(server),
        exchange_(visit.exchange),
        session_(visit.arguments[0]),
        call_(std::move(call)),
        said_(std::move(said)) {}

  void run();

 private:
  void ask_permission();
  void ask_user();
  void list_children();
  void answer_child();
  void settle(Arrival arrival, std::function<Value(Outcome&)> result);
  void wait();
  void beat();
  void finish(Value result);
  void take_back(const std::string& why);

  bool alone() const { return !said_; }
  const std::string& session() const { return session_; }

  Daemon& daemon_;
  const McpServer& server_;
  std::shared_ptr<Exchange> exchange_;
  std::string session_;
  McpCall call_;
  Said said_;        // of a batch
  std::string key_;  // under which it can be taken back; "" before it is settled
  std::shared_ptr<Journey> journey_;
  std::unique_ptr<Timer> timer_;
  std::int64_t beats_ = 0;
  bool streaming_ = false;
  bool finished_ = false;
  bool duplicate_ = false;  // another call has its id
  bool asked_ = false;      // somebody was, and has to know that the answer arrived
};

void McpVisit::run() {
  if (is_permission_tool(call_.tool)) return ask_permission();
  if (call_.tool == kAskUserTool) return ask_user();
  if (call_.tool == kListChildrenTool) return list_children();
  if (call_.tool == kAnswerChildTool) return answer_child();
  finish(error_result("there is no tool of that name"));
}

void McpVisit::ask_permission() {
  Result<HookRequest> request = decode_permission(call_);
  const auto self = shared_from_this();
  if (!request)
    return daemon_.gate.refuse(session(), request.error(), "mcp",
                               [self, error = request.error()](const Decision&) {
                                 self->finish(refuse_permission(self->call_, error));
                               });
  Arrival arrival;
  arrival.session = session();
  arrival.call = std::move(request->call);
  arrival.origin = "mcp";
  // The prompt tool's call says neither where nor for whom; the hook's payload did.
  if (const auto seen = daemon_.parts.sessions.call_seen(session(), arrival.call.id)) {
    if (arrival.call.cwd.empty()) arrival.call.cwd = seen->cwd;
    if (arrival.call.client_mode.empty()) arrival.call.client_mode = seen->client_mode;
    arrival.session = seen->session;
    arrival.transcript = seen->transcript;
  }
  // Of what was asked the answer wants the event and the input, which comes back with it.
  const HookEvent event = request->event;
  settle(std::move(arrival), [event, form = permission_form(call_)](Outcome& outcome) {
    HookRequest asked{.event = event, .call = {}, .child = {}, .child_type = {}};
    asked.call.input = std::move(outcome.input);
    const std::optional<Value> changed = answered_input(asked.call, outcome);
    return encode_permission(form, asked, std::move(outcome.record.decision),
                             changed ? &*changed : nullptr);
  });
}

void McpVisit::ask_user() {
  const Result<UserQuestion> question = decode_ask_user(call_);
  if (!question) return finish(error_result(question.error().message));
  Value options = Value::array();
  for (const std::string& option : question->options) options.push(text_value(option));
  Arrival arrival;
  arrival.session = session();
  arrival.call.native_tool = std::string(kAskUserTool);
  arrival.call.tool = "AskUserQuestion";
  arrival.call.input = Value::object(
      {{"question", text_value(question->question)}, {"options", std::move(options)}});
  arrival.origin = "mcp";
  settle(std::move(arrival), [](const Outcome& outcome) {
    const Decision& decision = outcome.record.decision;
    if (decision.verdict != Verdict::kAllow)
      return error_result(decision.reasons.empty() ? "denied" : decision.reasons[0].text);
    const std::string option = text_in(outcome.reply, "option");
    const std::string words = text_in(outcome.reply, "text");
    if (option.empty()) return text_result(words);
    return text_result(words.empty() ? option : option + "\n" + words);
  });
}

void McpVisit::list_children() {
  Value list = Value::array();
  // SAFETY: whoever has a session's id asks in its name; a parent needs it for nothing.
  for (const store::Question& question : daemon_.parts.desk.pending_for(session())) {
    Value shown = question_value(question);
    shown.set("sessionId", text_value(question.session.substr(0, 8)));
    list.push(std::move(shown));
  }
  finish(text_result(json::write(Value::object({{"permissions", std::move(list)}}))));
}

// SAFETY: the desk takes it only for a question that was put to this very session, and the answer
// is judged again by its policy.
void McpVisit::answer_child() {
  const Result<ChildAnswer> answer = decode_answer_child(call_);
  if (!answer) return finish(error_result(answer.error().message));
  approvals::Principal by;
  by.via = "parent";
  by.session = session();
  const auto self = shared_from_this();
  const auto done = [self](const Result<store::Question>& result) {
    self->finish(result ? text_result(std::string(name(result->state)))
                        : error_result(result.error().message));
  };
  Gate::Approval approval;
  approval.reason = answer->reason;
  if (answer->allow)
    daemon_.gate.approve(answer->permission, std::move(approval), by, done);
  else
    daemon_.gate.deny(answer->permission, answer->reason, by, done);
}

void McpVisit::settle(Arrival arrival, std::function<Value(Outcome&)> result) {
  if (!call_.accepts_sse || !alone()) arrival.within = daemon_.status.patience;
  arrival.peer = peer_value(exchange_->request().peer);
  // Which of the two a cancellation means could not be told.
  key_ = call_key(session(), call_.id);
  if (daemon_.mcp_calls.contains(key_)) {
    duplicate_ = true;
    return finish(is_permission_tool(call_.tool)
                      ? refuse_permission(call_, "a call with this id is open already")
                      : error_result("a call with this id is open already"));
  }
  // The call has all that was sent; while it waits nothing is held twice.
  call_.arguments = call_.params = call_.meta = {};
  const auto self = shared_from_this();
  Result<std::shared_ptr<Journey>> begun = daemon_.gate.settle(
      std::move(arrival),
      [self, result = std::move(result)](Outcome&& outcome) {
        ++self->daemon_.counters.decisions[std::string(name(outcome.record.decision.verdict))];
        self->asked_ = !outcome.question.empty();
        self->finish(result(outcome));
      },
      [self](const std::string&) { self->wait(); });
  if (!begun) return finish(error_result(begun.error().message));
  journey_ = *begun;
  if (finished_) return;
  daemon_.mcp_calls[key_] = [weak = weak_from_this()](const std::string& why) {
    if (const auto here = weak.lock()) here->take_back(why);
  };
  // A modern client takes its call back by closing; a legacy one has only lost the connection.
  const bool modern = call_.era == McpEra::kModern;
  exchange_->on_gone([self, modern] {
    self->timer_.reset();
    self->daemon_.mcp_calls.erase(self->key_);
    if (!self->journey_) return;
    if (modern)
      self->journey_->cancel("the client took the call back");
    else
      self->journey_->gone();
  });
}

void McpVisit::wait() {
  if (!alone() || !call_.accepts_sse || streaming_ || finished_) return;
  streaming_ = true;
  HttpOut head = stream_head();
  exchange_->begin_stream({head.status, std::move(head.headers), {}});
  beat();
}

void McpVisit::beat() {
  const std::optional<Value> progress =
      progress_message(call_, ++beats_, "waiting for a person to answer");
  exchange_->send(progress ? event(*progress) : keep_alive());
  const auto self = weak_from_this();
  timer_ = daemon_.parts.loop.after(kHeartbeat, [self] {
    if (const auto here = self.lock(); here && !here->finished_) here->beat();
  });
}

void McpVisit::finish(Value result) {
  if (finished_) return;
  finished_ = true;
  timer_.reset();
  if (!duplicate_ && !key_.empty()) daemon_.mcp_calls.erase(key_);
  Value message = result_message(call_, server_, std::move(result));
  if (!alone()) return said_(std::move(message));
  const std::shared_ptr<Journey> journey = journey_;
  if (journey && asked_) exchange_->on_sent([journey] { journey->delivered(); });
  if (streaming_) {
    exchange_->send(event(message));
    return exchange_->finish();
  }
  HttpOut out = whole_reply(call_, message);
  exchange_->reply({out.status, std::move(out.headers), std::move(out.body)});
}

// The client wants no answer any more; its request still has to end.
void McpVisit::take_back(const std::string& why) {
  if (finished_) return;
  finished_ = true;
  timer_.reset();
  if (journey_) journey_->cancel(why);
  if (!alone()) return said_({});
  if (streaming_) return exchange_->finish();
  HttpOut out = accepted();
  exchange_->reply({out.status, std::move(out.headers), std::move(out.body)});
}

// SAFETY: the tools for children are there for everybody; who has none is told that nothing is
// open.
McpServer gate_server(const std::string& version) {
  McpServer server;
  server.name = "tollgate";
  server.version = version;
  server.instructions =
      "The gate that the tool calls of this session go through. Clients call `approve`; models may "
      "use `ask_user` to put a question to a person.";
  server.tools = session_tools(McpSessionKind::kParent);
  return server;
}

void take_back(Daemon& daemon, const Visit& visit, const McpCancelled& cancelled) {
  const auto found = daemon.mcp_calls.find(call_key(visit.arguments[0], cancelled.request_id));
  if (found == daemon.mcp_calls.end()) return;
  const auto take_back = std::move(found->second);
  daemon.mcp_calls.erase(found);
  take_back(cancelled.reason.empty() ? "the client took the call back" : cancelled.reason);
}

Response response_of(HttpOut out) {
  return {out.status, std::move(out.headers), std::move(out.body)};
}

// The messages of a batch are answered together, when the last is.
struct Batch {
  McpBatch batch;
  std::vector<Value> messages;
  std::size_t open = 0;
};

void run_batch(Daemon& daemon, const McpServer& server, const Visit& visit, McpBatch given) {
  const auto batch = std::make_shared<Batch>();
  batch->batch = std::move(given);
  const auto end = [batch, visit] {
    if (--batch->open == 0)
      visit.exchange->reply(response_of(batch_reply(batch->batch, batch->messages)));
  };
  batch->open = 1;
  for (const McpPart& part : batch->batch.parts) {
    if (const auto* reply = std::get_if<McpReply>(&part)) {
      if (!reply->message.is_null()) batch->messages.push_back(reply->message);
    } else if (const auto* cancelled = std::get_if<McpCancelled>(&part)) {
      take_back(daemon, visit, *cancelled);
    } else if (const auto* call = std::get_if<McpCall>(&part)) {
      ++batch->open;
      std::make_shared<McpVisit>(daemon, server, visit, *call, [batch, end](Value message) {
        if (!message.is_null()) batch->messages.push_back(std::move(message));
        end();
      })->run();
    }
  }
  end();
}

}  // namespace

void serve_mcp(Daemon& daemon, Visit visit) {
  const Millis now = daemon.parts.loop.now();
  if (daemon.parts.sessions.live(visit.arguments[0], now) == nullptr)
    return visit.fail(404, {.code = "unknown-session",
                            .message = "there is no such session",
                            .hint = "start the agent again",
                            .where = {}});
  static const McpServer kServer = gate_server(daemon.status.version);
  Request request = visit.exchange->take_request();
  McpTurn turn = read_mcp(
      {std::move(request.method), std::move(request.headers), std::move(request.body)}, kServer);
  if (auto* out = std::get_if<HttpOut>(&turn))
    return visit.exchange->reply(response_of(std::move(*out)));
  if (auto* call = std::get_if<McpCall>(&turn))
    return std::make_shared<McpVisit>(daemon, kServer, visit, std::move(*call), nullptr)->run();
  if (auto* batch = std::get_if<McpBatch>(&turn))
    return run_batch(daemon, kServer, visit, std::move(*batch));
  if (const auto* cancelled = std::get_if<McpCancelled>(&turn))
    take_back(daemon, visit, *cancelled);
  visit.exchange->reply(response_of(accepted()));
}

}  // namespace tollgate::server
