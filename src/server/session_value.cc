// The states of sessions, and who is told when one changes.
#include "server/session_value.h"

#include "approvals/digest.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

// LIMIT: of one moment; above that screens are told once, and ask for the list.
constexpr std::size_t kMostTold = 64;

std::string state_of(Daemon& daemon, const store::Session& session) {
  if (session.ended != 0) return "ended";
  if (!daemon.parts.sessions.frozen(session.id).empty()) return "frozen";
  if (daemon.parts.desk.is_asking(session.id)) return "waiting";
  constexpr Millis kIdle = 60'000;
  return daemon.parts.loop.now() - session.seen > kIdle ? "idle" : "running";
}

}  // namespace

Value session_value(Daemon& daemon, const store::Session& session) {
  Value out = Value::object();
  out.set("id", text_value(session.id));
  out.set("handle", text_value(approvals::handle_of(session.id)));
  out.set("agent", text_value(session.agent));
  out.set("parent", session.parent.empty() ? Value() : text_value(session.parent));
  out.set("provider", text_value(session.provider));
  out.set("cwd", text_value(session.cwd));
  Value roots = Value::array();
  for (const std::string& root : session.roots) roots.push(text_value(root));
  out.set("roots", std::move(roots));
  out.set("mode", session.mode ? text_value(std::string(name(*session.mode))) : Value());
  out.set("answer", session.answer ? text_value(std::string(name(*session.answer))) : Value());
  out.set("frozen", Value::boolean(session.frozen));
  out.set("state", text_value(state_of(daemon, session)));
  out.set("madeBy", text_value(session.made_by));
  out.set("clientSession", text_value(session.client_session));
  out.set("childType", text_value(session.child_type));
  out.set("createdAt", moment_value(session.created));
  out.set("expiresAt", moment_value(session.expires));
  out.set("seenAt", moment_value(session.seen));
  out.set("endedAt", moment_value(session.ended));
  return out;
}

SessionStates session_states(Daemon& daemon) {
  SessionStates states;
  for (const store::Session& session : daemon.parts.sessions.all())
    states.emplace(session.id, state_of(daemon, session));
  return states;
}

SessionStates tell_changed_states(Daemon& daemon, const SessionStates& before) {
  SessionStates states;
  std::vector<store::Session> changed;
  for (store::Session& session : daemon.parts.sessions.all()) {
    const std::string& state = states.emplace(session.id, state_of(daemon, session)).first->second;
    const auto known = before.find(session.id);
    if (known != before.end() && known->second != state) changed.push_back(std::move(session));
  }
  if (changed.size() > kMostTold) {
    daemon.live.sessions_changed();
    return states;
  }
  for (const store::Session& session : changed)
    daemon.live.session_changed(session_value(daemon, session));
  return states;
}

}  // namespace tollgate::server
