// Messages are {"channel", "event", "data"} both ways.
#include "server/live.h"

#include <map>
#include <set>
#include <utility>

#include "json/json.h"
#include "server/event_ring.h"
#include "server/question_value.h"
#include "server/routes.h"
#include "server/session_value.h"

namespace tollgate::server {
namespace {

using json::Value;

// LIMIT: a screen that does not read is let go; it asks again for all when it comes back.
constexpr std::size_t kMostBacklog = 8u << 20;

Value message_value(std::string_view channel, std::string_view event, Value data) {
  return Value::object(
      {{"channel", text_value(channel)}, {"event", text_value(event)}, {"data", std::move(data)}});
}

std::string message(std::string_view channel, std::string_view event, Value data) {
  return json::write(message_value(channel, event, std::move(data)));
}

// The number of an event that a page has heard last; nothing where it is none.
std::optional<std::uint64_t> number_in(const Request& request, std::string_view name) {
  const std::string word = request.query_value(name).value_or("");
  if (word.empty() || word.size() > 15 || word.find_first_not_of("0123456789") != word.npos)
    return std::nullopt;
  return std::stoull(word);
}

std::string_view event_of(approvals::Notice notice) {
  switch (notice) {
    case approvals::Notice::kCreated:
      return "created";
    case approvals::Notice::kVoted:
      return "voted";
    case approvals::Notice::kResolved:
      return "resolved";
    case approvals::Notice::kTimeout:
      return "timeout";
    case approvals::Notice::kDelivered:
      return "delivered";
    case approvals::Notice::kGone:
      return "gone";
    case approvals::Notice::kSeen:
      break;
  }
  return "seen";
}

}  // namespace

// One socket, and who is behind it.
struct Guest : std::enable_shared_from_this<Guest> {
  std::shared_ptr<Socket> socket;
  std::optional<store::Credential> person;
  View view = View::kWhole;  // of a person
  std::string session;
  std::vector<Value> manifest;
  std::map<std::string, std::shared_ptr<Journey>> calls;  // of an application, by call id
  // Of an application: what its questions are about, until they are on the disk and told.
  std::map<std::string, Value> questions;

  void say(std::string_view channel, std::string_view event, Value data) {
    if (socket->backlog() > kMostBacklog) return socket->close(1013, "too slow");
    socket->send(message(channel, event, std::move(data)));
  }
  // REQUIRES: the question is on the disk.
  void tell_asked(const store::Question& question);
  void fail(const Error& error, Value about) {
    about.set("error", Value::object({{"code", text_value(error.code)},
                                      {"message", text_value(error.message)},
                                      {"hint", text_value(error.hint)}}));
    say("error", "refused", std::move(about));
  }
};

void Guest::tell_asked(const store::Question& question) {
  const auto found = questions.find(question.id);
  if (found == questions.end()) return;
  Value out = std::move(found->second);
  questions.erase(found);
  const Decision& decision = question.asked.decision;
  out.set("permissionId", text_value(question.id));
  out.set("tool", text_value(question.asked.call.tool));
  out.set("specifier", question.asked.call.input);
  const Value* mode = question.context.find("mode");
  out.set("mode", mode == nullptr ? Value() : *mode);
  Value suggestions = Value::array();
  for (const std::string& rule : decision.suggestions) suggestions.push(text_value(rule));
  out.set("suggestions", std::move(suggestions));
  out.set("reason", text_value(decision.reasons.empty() ? "" : decision.reasons[0].text));
  out.set("expiresAt", moment_value(question.expires));
  say("agent", "approval_request", std::move(out));
}

struct Live::Inside {
  Daemon* daemon = nullptr;
  std::set<std::shared_ptr<Guest>> guests;
  EventRing events;

  void welcome(Guest& guest);
  void tell(Value brief, const std::function<Value()>& whole = {});
  void hear(const std::shared_ptr<Guest>& guest, const std::string& words);
  void hear_person(Guest& guest, const std::string& event, const Value& data);
  void hear_application(const std::shared_ptr<Guest>& guest, const std::string& event,
                        const Value& data);
  void judge(const std::shared_ptr<Guest>& guest, const Value& data);
  void respond(const std::shared_ptr<Guest>& guest, const Value& data);
};

Live::Live() : inside_(std::make_shared<Inside>()) {}
Live::~Live() = default;

void Live::serve(Daemon& daemon) {
  inside_->daemon = &daemon;
  daemon.parts.sessions.watch([this, &daemon](const store::Session& session) {
    session_changed(session_value(daemon, session));
  });
}

std::optional<Response> Live::may_enter(const Request& request) {
  if (request.segments != std::vector<std::string>{"ws"})
    return error_response(404, "unknown-route", "there is nothing here", "the web socket is /ws");
  const Millis now = inside_->daemon->parts.loop.now();
  if (const std::optional<std::string> session = request.query_value("session")) {
    if (inside_->daemon->parts.sessions.find(*session, now)) return std::nullopt;
    return error_response(404, "unknown-session", "there is no such session", "start it again");
  }
  const Result<approvals::Who> who = who_sends(*inside_->daemon, request);
  if (!who)
    return error_response(status_of(who.error().code), who.error().code, who.error().message,
                          who.error().hint);
  if (who->by_cookie && !comes_from_our_page(request))
    return error_response(403, "not-allowed-here", "the page is not the gate's own",
                          "open the gate's own page");
  if (!who->credential.approver)
    return error_response(403, "not-allowed-here", "this credential may not watch",
                          "use an approver's");
  return std::nullopt;
}

void Live::enter(std::shared_ptr<Socket> socket) {
  const auto guest = std::make_shared<Guest>();
  guest->socket = std::move(socket);
  const Request& request = guest->socket->request();
  if (const std::optional<std::string> session = request.query_value("session")) {
    guest->session = *session;
  } else {
    Result<approvals::Who> who = who_sends(*inside_->daemon, request);
    if (!who) return guest->socket->close(1008, who.error().message);
    guest->person = who->credential;
  }
  inside_->guests.insert(guest);
  const std::weak_ptr<Inside> inside = inside_;
  const std::weak_ptr<Guest> weak = guest;
  guest->socket->on_text([inside, weak](const std::string& words) {
    const auto here = inside.lock();
    const auto who = weak.lock();
    if (here && who) here->hear(who, words);
  });
  guest->socket->on_gone([inside, weak] {
    const auto here = inside.lock();
    const auto who = weak.lock();
    if (!here || !who) return;
    for (const auto& [id, journey] : who->calls) journey->gone();
    here->guests.erase(who);
  });
  if (guest->person) inside_->welcome(*guest);
}

// All that is open comes first, so that nothing is missed between asking and watching; a page that
// was cut off gets what it has missed, where that is known.
void Live::Inside::welcome(Guest& guest) {
  const Request& request = guest.socket->request();
  if (request.query_value("view") == "brief") guest.view = View::kBrief;
  Value data = Value::object({{"now", text_value(moment_text(daemon->parts.loop.now()))},
                              {"seq", Value::integer(static_cast<std::int64_t>(events.last()))},
                              {"run", text_value(events.run())}});
  const std::optional<std::uint64_t> since = number_in(request, "since");
  if (guest.view == View::kBrief && since && request.query_value("run") == events.run())
    if (const std::optional<std::vector<std::string>> missed = events.since(*since)) {
      guest.say("gate", "resumed", std::move(data));
      for (const std::string& words : *missed) guest.socket->send(words);
      return;
    }
  Value list = Value::array();
  for (const store::Question& question : daemon->parts.desk.pending())
    list.push(question_value(question, guest.view));
  data.set("permissions", std::move(list));
  guest.say("permission", "all", std::move(data));
}

// Every event has a number of its own, and is kept in its brief form for those who come back.
void Live::Inside::tell(Value brief, const std::function<Value()>& whole) {
  const std::string words = events.add(std::move(brief));
  std::string whole_words;
  for (const auto& guest : std::set<std::shared_ptr<Guest>>(guests)) {
    if (!guest->person) continue;
    const bool is_brief = guest->view == View::kBrief || !whole;
    if (!is_brief && whole_words.empty()) whole_words = events.numbered(whole());
    if (guest->socket->backlog() > kMostBacklog)
      guest->socket->close(1013, "too slow");
    else
      guest->socket->send(is_brief ? words : whole_words);
  }
}

void Live::Inside::hear(const std::shared_ptr<Guest>& guest, const std::string& words) {
  const Result<Value> heard = json::parse(words);
  if (!heard || !heard->is_object())
    return guest->fail(malformed_request("the message is no JSON object"), Value::object());
  const std::string event = text_in(*heard, "event");
  const Value* data = heard->find("data");
  const Value nothing = Value::object();
  if (data == nullptr) data = &nothing;
  if (!data->is_object())
    return guest->fail(malformed_request("`data` is no object"), Value::object());
  if (event == "approval_response") return respond(guest, *data);
  if (!guest->session.empty()) return hear_application(guest, event, *data);
  if (event == "ping") return guest->say("gate", "pong", Value::object());
  guest->fail(malformed_request("unknown event `" + event + "`"), Value::object());
}

// SAFETY: a session's socket is refused here, whatever it says.
void Live::Inside::respond(const std::shared_ptr<Guest>& guest, const Value& data) {
  const std::string id = text_in(data, "permissionId"), call = text_in(data, "callId");
  const std::string decision = text_in(data, "decision");
  Value about = Value::object({{"permissionId", text_value(id)}, {"callId", text_value(call)}});
  if (!guest->person)
    return guest->fail({.code = "not-allowed-here",
                        .message = "a session can only ask",
                        .hint = "a person answers, with a credential of their own",
                        .where = {}},
                       std::move(about));
  // The credential may have been revoked since the socket was opened.
  const Result<approvals::Who> who = who_sends(*daemon, guest->socket->request());
  if (!who) return guest->fail(who.error(), std::move(about));
  std::string question = id;
  std::vector<std::string> found;
  if (id.empty() && !call.empty()) found = daemon->parts.desk.pending_of_call(call);
  if (!found.empty()) question = found.front();
  // SAFETY: clients choose the ids of their calls, and an agent may choose another's.
  if (found.size() > 1)
    return guest->fail(malformed_request("several open questions have this `callId`; send the "
                                         "`permissionId` of the one that is meant"),
                       std::move(about));
  const approvals::Principal by = approvals::principal_of(who->credential, "page");
  const std::weak_ptr<Guest> weak = guest;
  const auto done = [weak, about](const Result<store::Question>& result) {
    const auto here = weak.lock();
    if (here && !result) here->fail(result.error(), about);
  };
  if (decision == "deny") return daemon->gate.deny(question, text_in(data, "reason"), by, done);
  Gate::Approval approval;
  approval.rule = text_in(data, "rule");
  approval.reason = text_in(data, "reason");
  if (decision == "allow_always")
    approval.scope = store::Scope::kAgent;
  else if (decision != "allow_once")
    return guest->fail(malformed_request("`decision` must be allow_once, allow_always or deny"),
                       std::move(about));
  daemon->gate.approve(question, std::move(approval), by, done);
}

void Live::Inside::hear_application(const std::shared_ptr<Guest>& guest, const std::string& event,
                                    const Value& data) {
  if (event == "gate_request") return judge(guest, data);
  if (event == "manifest") {
    const Value* tools = data.find("tools");
    guest->manifest.clear();
    if (tools != nullptr)
      for (const Value& tool : tools->items())
        if (!text_in(tool, "name").empty()) guest->manifest.push_back(tool);
    return guest->say("agent", "tools", Value::object({{"tools", Value::array(guest->manifest)}}));
  }
  if (event == "list_tools")
    return guest->say("agent", "tools", Value::object({{"tools", Value::array(guest->manifest)}}));
  guest->fail(malformed_request("unknown event `" + event + "`"), Value::object());
}

void Live::Inside::judge(const std::shared_ptr<Guest>& guest, const Value& data) {
  const std::string turn = text_in(data, "turnId"), id = text_in(data, "callId");
  const Value* arguments = data.find("args");
  Arrival arrival;
  arrival.session = guest->session;
  arrival.origin = "socket";
  arrival.call.id = id;
  arrival.call.native_tool = arrival.call.tool = text_in(data, "tool");
  arrival.call.input = arguments == nullptr ? Value::object() : *arguments;
  arrival.call.stated_reason = text_in(data, "reason");
  Value about = Value::object({{"turnId", text_value(turn)}, {"callId", text_value(id)}});
  if (arrival.call.tool.empty() || id.empty() || !arrival.call.input.is_object())
    return guest->fail(malformed_request("a request has `callId`, `tool` and `args`, an object"),
                       std::move(about));
  if (guest->calls.size() >= approvals::kMaxPendingOfSession)
    return guest->fail({.code = "too-many-questions",
                        .message = "too many calls of this socket are open",
                        .hint = "wait for their answers",
                        .where = {}},
                       std::move(about));
  const std::weak_ptr<Guest> weak = guest;
  const auto done = [weak, about, id](const Outcome& outcome) {
    const auto here = weak.lock();
    if (!here) return;
    Value out = about;
    const Decision& decision = outcome.record.decision;
    out.set("verdict", text_value(name(decision.verdict)));
    out.set("reason", text_value(decision.reasons.empty() ? "" : decision.reasons[0].text));
    if (outcome.changed) out.set("updatedInput", *outcome.changed);
    here->say("agent", "gate_decision", std::move(out));
    if (const auto found = here->calls.find(id); found != here->calls.end()) {
      found->second->delivered();
      here->calls.erase(found);
    }
  };
  const auto waiting = [this, weak, about](const std::string& question) {
    const auto here = weak.lock();
    if (!here) return;
    here->questions[question] = about;
    // One that was joined is known already; a new one is told when it is on the disk.
    if (const std::optional<store::Question> open = daemon->parts.desk.find(question))
      here->tell_asked(*open);
  };
  Result<std::shared_ptr<Journey>> journey = daemon->gate.settle(std::move(arrival), done, waiting);
  if (!journey) return guest->fail(journey.error(), std::move(about));
  guest->calls[id] = *journey;
}

void Live::question_changed(approvals::Notice notice, const store::Question& question) {
  // An application hears of its own question that it was put; of its end by the decision.
  if (notice == approvals::Notice::kCreated)
    for (const auto& guest : std::set<std::shared_ptr<Guest>>(inside_->guests))
      if (!guest->person) guest->tell_asked(question);
  const std::string_view event = event_of(notice);
  inside_->tell(message_value("permission", event, question_value(question, View::kBrief)),
                [&] { return message_value("permission", event, question_value(question)); });
}

void Live::drop(const std::string& credential) {
  for (const auto& guest : std::set<std::shared_ptr<Guest>>(inside_->guests)) {
    if (!guest->person || guest->person->name != credential) continue;
    inside_->guests.erase(guest);
    guest->socket->close(1008, "the credential was revoked");
  }
}

void Live::look_again() {
  for (const auto& guest : std::set<std::shared_ptr<Guest>>(inside_->guests)) {
    if (!guest->person || who_sends(*inside_->daemon, guest->socket->request())) continue;
    inside_->guests.erase(guest);
    guest->socket->close(1008, "the login has ended");
  }
}

void Live::session_changed(const Value& session) {
  inside_->tell(message_value("session", "changed", session));
}

void Live::sessions_changed() { inside_->tell(message_value("session", "all", Value::object())); }

void Live::policy_changed(const Value& status) {
  inside_->tell(message_value("policy", "changed", status));
}

std::size_t Live::watching() const {
  std::size_t count = 0;
  for (const auto& guest : inside_->guests) count += guest->person ? 1 : 0;
  return count;
}

void Live::close() {
  for (const auto& guest : std::set<std::shared_ptr<Guest>>(inside_->guests))
    guest->socket->close(1001, "the gate is stopping");
}

}  // namespace tollgate::server
