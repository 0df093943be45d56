// The ways in that are not MCP: a client's hook over HTTP, a hook's question over the local socket,
// and one call for its decision.
// SAFETY: whatever goes wrong is said in words that make the client block.
#include "core/codec.h"
#include "json/json.h"
#include "protocol/dialect.h"
#include "protocol/generic.h"
#include "protocol/payload.h"
#include "server/answers.h"
#include "server/routes.h"
#include "server/transcript.h"

namespace tollgate::server {
namespace {

using json::Value;

// LIMIT: how long a client's hook waits where nobody said; its own timer may be longer.
constexpr Millis kHookPatience = 55'000;
constexpr Millis kMostPatience = 24LL * 3600 * 1000;

Millis patience_of(const Request& request) {
  const std::string word = request.query_value("timeout").value_or("");
  Millis seconds = 0;
  for (const char c : word) {
    if (c < '0' || c > '9' || seconds > 1'000'000) return kHookPatience;
    seconds = seconds * 10 + (c - '0');
  }
  // Two seconds before the client's own timer.
  return word.empty() ? kHookPatience : std::clamp<Millis>((seconds - 2) * 1000, 0, kMostPatience);
}

// A reply that was made for a process, over HTTP.
Response response_of(const HookReply& reply) {
  if (reply.status == 0) return json_response(200, reply.out.empty() ? "{}" : reply.out);
  return json_response(200, json::write(Value::object({{"decision", text_value("block")},
                                                       {"reason", text_value(reply.err)},
                                                       {"exit", Value::integer(reply.status)}})));
}

Response hook_answer(const Dialect& dialect, const HookRequest& request, const Decision& decision,
                     const Value* changed) {
  return response_of(
      dialect.encode(request, heard_by(dialect, request, decision, changed), changed));
}

struct Hooked {
  const Dialect* dialect;
  HookRequest request;
  std::string session;
  std::string transcript;
};

// Judges a call that a hook sent, in the name of the session that it belongs to.
void judge_hooked(Daemon& daemon, const Visit& visit, const std::shared_ptr<Hooked>& hooked) {
  Arrival arrival;
  arrival.session = hooked->session;
  arrival.call = hooked->request.call;
  arrival.origin = "hook";
  arrival.peer = peer_value(visit.request().peer);
  arrival.within = patience_of(visit.request());
  // The client has somewhere to go with an ask, and the call comes again from there.
  arrival.wait = visit.request().query_value("ask").value_or("") != "client";
  arrival.transcript = hooked->transcript;
  const auto journey = std::make_shared<std::shared_ptr<Journey>>();
  Result<std::shared_ptr<Journey>> begun = daemon.gate.settle(
      std::move(arrival), [&daemon, visit, hooked, journey](const Outcome& outcome) {
        ++daemon.counters.decisions[std::string(name(outcome.record.decision.verdict))];
        const std::optional<Value> changed = answered_input(hooked->request.call, outcome);
        const std::shared_ptr<Journey>& way = *journey;
        if (way) visit.exchange->on_sent([way] { way->delivered(); });
        visit.exchange->reply(hook_answer(*hooked->dialect, hooked->request,
                                          outcome.record.decision, changed ? &*changed : nullptr));
      });
  if (!begun) return visit.fail(begun.error());
  *journey = *begun;
  visit.exchange->on_gone([way = *begun] { way->gone(); });
}

}  // namespace

void serve_hook(Daemon& daemon, Visit visit) {
  const Millis now = daemon.parts.loop.now();
  const std::string session = visit.arguments[0];
  const Dialect* dialect = dialect_named(visit.arguments[1]);
  if (!daemon.parts.sessions.find(session, now))
    return visit.fail(404, {.code = "unknown-session",
                            .message = "there is no such session",
                            .hint = "start the agent again",
                            .where = {}});
  if (dialect == nullptr)
    return visit.fail(404, {.code = "unknown-route",
                            .message = "there is no client of that name",
                            .hint = "docs/hook.md lists them",
                            .where = {}});
  Result<HookRequest> request = dialect->decode(visit.request().body);
  if (!request)
    return daemon.gate.refuse(session, request.error(), "hook",
                              [visit, dialect](const Decision& decision) {
                                visit.exchange->reply(hook_answer(*dialect, {}, decision, nullptr));
                              });
  const auto hooked = std::make_shared<Hooked>();
  hooked->dialect = dialect;
  hooked->request = std::move(*request);
  hooked->session = session;
  hooked->transcript = transcript_in(visit.request().body);
  const HookEvent event = hooked->request.event;
  if (event == HookEvent::kOther || (event == HookEvent::kSession && hooked->request.child.empty()))
    return visit.exchange->reply(json_response(200, "{}"));
  const bool is_call = event == HookEvent::kTool || event == HookEvent::kPermission;
  const auto go_on = [&daemon, visit, hooked, is_call](const std::string& whose) {
    if (!is_call) return visit.exchange->reply(json_response(200, "{}"));
    const ToolCall& call = hooked->request.call;
    daemon.parts.sessions.note_call(hooked->session, call.id,
                                    {.session = whose,
                                     .cwd = call.cwd,
                                     .client_mode = call.client_mode,
                                     .transcript = hooked->transcript},
                                    daemon.parts.loop.now());
    hooked->session = whose;
    judge_hooked(daemon, visit, hooked);
  };
  if (hooked->request.child.empty()) return go_on(session);
  daemon.parts.sessions.open_child(
      session, hooked->request.child, hooked->request.child_type, now,
      [visit, dialect, hooked, go_on](Result<store::Session> child) {
        if (child) return go_on(child->id);
        visit.exchange->reply(
            hook_answer(*dialect, hooked->request, deny_malformed(child.error()), nullptr));
      });
}

// SAFETY: the hook has judged by its own policy and came to ask. An allow of ours by another rule
// settles nothing there: only a person's answer or a grant does.
void serve_ask(Daemon& daemon, Visit visit) {
  Result<Body> body = Body::read(visit.request());
  if (!body) return visit.fail(body.error());
  const std::optional<Value> call_value = body->value("call"),
                             asked_value = body->value("decision");
  const std::optional<Value> within_value = body->value("withinMs");
  if (const Result<void> read = body->done(); !read) return visit.fail(read.error());
  if (!call_value || !asked_value)
    return visit.fail(malformed_request("a question has `call` and `decision`"));
  Result<ToolCall> call = tool_call_from_json(*call_value);
  if (!call) return visit.fail(call.error());
  Result<Decision> asked = decision_from_json(*asked_value);
  if (!asked) return visit.fail(asked.error());
  if (asked->verdict != Verdict::kAsk)
    return visit.fail(malformed_request("only an ask is put to people"));
  const std::string within_text = within_value ? within_value->number_text() : "";
  const Millis within = within_text.empty() || within_text.size() > 12 ||
                                within_text.find_first_not_of("0123456789") != within_text.npos
                            ? kHookPatience
                            : std::stoll(within_text);
  approvals::NewSession wanted;
  wanted.agent = call->agent;
  wanted.provider = call->provider;
  wanted.cwd = call->cwd;
  wanted.client_session = call->session;
  wanted.search_path = daemon.parts.policies.files().environment.get("PATH").value_or("");
  const auto given = std::make_shared<ToolCall>(std::move(*call));
  const auto decision = std::make_shared<Decision>(std::move(*asked));
  daemon.parts.sessions.open_client(
      std::move(wanted), daemon.parts.loop.now(),
      [&daemon, visit, given, decision, within](Result<store::Session> session) {
        if (!session) return visit.fail(session.error());
        Arrival arrival;
        arrival.session = session->id;
        arrival.call = *given;
        arrival.origin = "hook";
        arrival.peer = peer_value(visit.request().peer);
        arrival.within = within;
        arrival.asked = *decision;
        const auto journey = std::make_shared<std::shared_ptr<Journey>>();
        Result<std::shared_ptr<Journey>> begun = daemon.gate.settle(
            std::move(arrival), [&daemon, visit, journey](const Outcome& outcome) {
              const Decision& settled = outcome.record.decision;
              ++daemon.counters.decisions[std::string(name(settled.verdict))];
              Value reply = Value::object();
              reply.set("verdict", text_value(outcome.pending ? "pending" : name(settled.verdict)));
              reply.set("reason",
                        text_value(settled.reasons.empty() ? "" : settled.reasons[0].text));
              if (const auto changed = answered_input(outcome.record.call, outcome))
                reply.set("updatedInput", *changed);
              const std::shared_ptr<Journey>& way = *journey;
              if (way) visit.exchange->on_sent([way] { way->delivered(); });
              visit.reply(200, reply);
            });
        if (!begun) return visit.fail(begun.error());
        *journey = *begun;
        visit.exchange->on_gone([way = *begun] { way->gone(); });
      });
}

void decide_call(Daemon& daemon, Visit visit) {
  const Millis now = daemon.parts.loop.now();
  const Request& request = visit.request();
  std::string session = request.header("x-tollgate-session").value_or("");
  std::optional<store::Credential> person;
  if (session.empty()) {
    const std::string bearer = request.header("authorization").value_or("");
    constexpr std::string_view kBearer = "Bearer ";
    const std::string secret = bearer.starts_with(kBearer) ? bearer.substr(kBearer.size()) : "";
    if (!secret.empty() && daemon.parts.sessions.find(secret, now)) session = secret;
  }
  if (session.empty()) {
    Result<approvals::Who> who = who_sends(daemon, request);
    if (!who) return visit.fail(who.error());
    if (!who->credential.is_operator)
      return visit.fail({.code = "not-allowed-here",
                         .message = "an operator or a session asks for decisions",
                         .hint = "send a session's id as the bearer",
                         .where = {}});
    person = who->credential;
  } else if (!daemon.parts.sessions.find(session, now)) {
    return visit.fail(401, {.code = "bad-credential",
                            .message = "there is no such session",
                            .hint = "start the agent again",
                            .where = {}});
  }
  Result<ToolCall> call = decode_generic(request.body);
  if (!call)
    return daemon.gate.refuse(session, call.error(), "http", [visit](const Decision& decision) {
      visit.exchange->reply(json_response(200, encode_generic({}, decision, {})));
    });
  Arrival arrival;
  arrival.session = session;
  if (person) {
    store::Session guest;
    guest.agent = call->agent;
    guest.cwd = call->cwd.empty() ? "/" : call->cwd;
    guest.provider = call->provider;
    guest.search_path = daemon.parts.policies.files().environment.get("PATH").value_or("");
    guest.mode = mode_named(call->client_mode);
    guest.made_by = person->person;
    arrival.guest = std::make_shared<const store::Session>(std::move(guest));
  }
  arrival.call = std::move(*call);
  arrival.origin = "http";
  arrival.peer = peer_value(visit.request().peer);
  arrival.wait = false;
  const Result<std::shared_ptr<Journey>> begun =
      daemon.gate.settle(std::move(arrival), [&daemon, visit](const Outcome& outcome) {
        ++daemon.counters.decisions[std::string(name(outcome.record.decision.verdict))];
        visit.exchange->reply(
            json_response(200, encode_generic(generic_id(visit.request().body),
                                              outcome.record.decision, outcome.record.effects)));
      });
  if (!begun) return visit.fail(begun.error());
}

}  // namespace tollgate::server
