// Sessions over HTTP: made and changed by operators, listed for people; freezing.
// SAFETY: a session is made under a parent only by whoever may make sessions; the parent's limits
// hold for it whatever its own entry says.
#include <algorithm>
#include <utility>

#include "base/edit_distance.h"
#include "base/text.h"
#include "os/paths.h"
#include "server/hook_freezes.h"
#include "server/routes.h"
#include "server/security_keys.h"
#include "server/session_value.h"
#include "server/touch.h"

namespace tollgate::server {
namespace {

using json::Value;

Value with_urls(Daemon& daemon, const store::Session& session) {
  Value out = session_value(daemon, session);
  out.set("mcp_url", text_value(daemon.status.url + "/mcp/" + session.id));
  const std::string provider = session.provider.empty() ? "claude" : session.provider;
  out.set("hook_url", text_value(daemon.status.url + "/hook/" + session.id + "/" + provider));
  return out;
}

// Absent, null (back to the agent's own) or a name.
template <class T>
Result<std::optional<std::optional<T>>> named(Body& body, std::string_view member,
                                              std::optional<T> (*find)(std::string_view),
                                              std::span<const std::string_view> names,
                                              std::string_view code) {
  if (!body.has(member)) return std::nullopt;
  const std::optional<Value> value = body.value(member);
  if (!value) return std::optional<std::optional<T>>(std::optional<T>());
  const std::string word = value->as_string();
  const std::optional<T> found = find(word);
  if (!found)
    return Fail({.code = std::string(code),
                 .message = "unknown " + std::string(member) + " `" + shortened(word) + "`",
                 .hint = did_you_mean(word, "values", names),
                 .where = {}});
  return std::optional<std::optional<T>>(found);
}

const AgentPolicy* agent_named(const std::vector<AgentPolicy>& agents, const std::string& wanted) {
  const auto found = std::ranges::find(agents, wanted, &AgentPolicy::name);
  return found == agents.end() ? nullptr : &*found;
}

// What is open for sessions that may do nothing any more is over.
void end_questions(Daemon& daemon, const std::string& why) {
  for (const std::string& session : daemon.parts.desk.asking_sessions())
    if (!daemon.parts.sessions.frozen(session).empty())
      daemon.parts.desk.end_session(session, daemon.parts.loop.now(), why);
}

// Hooks settle most calls by themselves, and learn of a freeze by a file. Whoever froze something
// hears that it holds when it holds there as well. One write at a time: the last one says it all.
void tell_hooks(Daemon& daemon) {
  FreezeFile& file = daemon.freeze_file;
  if (file.writing || file.waiting.empty()) return;
  file.writing = true;
  const auto told = std::make_shared<Result<void>>();
  const auto waiting = std::make_shared<std::vector<std::function<void(Result<void>)>>>(
      std::exchange(file.waiting, {}));
  daemon.parts.loop.work(
      [told, &daemon, freezes = hook_freezes(daemon.parts.sessions)] {
        *told = hook::write_freezes(daemon.parts.policies.files().data_dir, freezes);
      },
      [told, waiting, &daemon] {
        daemon.freeze_file.writing = false;
        for (const auto& done : *waiting) done(*told);
        tell_hooks(daemon);
      });
}

void tell_hooks(Daemon& daemon, const Visit& visit, const Value& reply) {
  daemon.freeze_file.waiting.emplace_back([visit, reply](const Result<void>& told) {
    if (!told)
      return visit.fail(
          {.code = "store-unavailable",
           .message = "the daemon goes by it, and hooks could not be told: " + told.error().message,
           .hint = "see that the data directory can be written, and try again",
           .where = {}});
    visit.reply(200, reply);
  });
  tell_hooks(daemon);
}

bool asks_nobody(std::optional<Mode> mode, std::optional<Answerer> answer) {
  return mode == Mode::kAutonomous || mode == Mode::kAcceptEdits || answer == Answerer::kYes;
}

// SAFETY: a session that asks nobody is wider than any rule, for which a key is touched.
Result<void> may_set(const Daemon& daemon, const Visit& visit, std::optional<Mode> mode,
                     std::optional<Answerer> answer) {
  const std::string& person = visit.who.credential.person;
  if (asks_nobody(mode, answer) && visit.who.key.empty() && daemon.keys != nullptr &&
      daemon.keys->has(person))
    return Fail(touch_required(person));
  return {};
}

// Taking back what an operator has set is setting the agent's own, where that is another.
template <class T>
std::optional<T> set_by(const std::optional<std::optional<T>>& change, const std::optional<T>& set,
                        const T& own) {
  if (!change) return std::nullopt;
  if (*change || !set) return *change;
  return own;
}

Result<void> may_change(const Daemon& daemon, const Visit& visit, const std::string& id,
                        const approvals::SessionChange& change) {
  const std::optional<store::Session> session =
      daemon.parts.sessions.find(id, daemon.parts.loop.now());
  if (!session)  // the change itself says so
    return may_set(daemon, visit, change.mode.value_or(std::nullopt),
                   change.answer.value_or(std::nullopt));
  const std::vector<AgentPolicy> agents = daemon.parts.policies.agents();
  const AgentPolicy* known = agent_named(agents, session->agent);
  const AgentPolicy agent = known == nullptr ? AgentPolicy() : *known;
  return may_set(daemon, visit, set_by(change.mode, session->mode, agent.mode.value),
                 set_by(change.answer, session->answer, agent.answer.value));
}

Result<approvals::NewSession> wanted_in(Daemon& daemon, const Visit& visit) {
  Result<Body> body = Body::read(visit.request());
  if (!body) return Fail(body.error());
  approvals::NewSession wanted;
  wanted.agent = body->text("agent");
  wanted.parent = body->text("parent");
  wanted.cwd = body->text("cwd");
  wanted.roots = body->texts("roots");
  wanted.provider = body->text("provider");
  wanted.search_path = body->text("path");
  const auto mode = named<Mode>(*body, "mode", mode_named, mode_names(), "unknown-mode");
  if (!mode) return Fail(mode.error());
  if (*mode) wanted.mode = **mode;
  if (const Result<void> read = body->done(); !read) return Fail(read.error());
  if (const Result<void> may = may_set(daemon, visit, wanted.mode, std::nullopt); !may)
    return Fail(may.error());
  if (!wanted.parent.empty()) {
    Result<std::string> parent = daemon.parts.sessions.id_of(wanted.parent);
    if (!parent) return Fail(std::move(parent).error());
    wanted.parent = std::move(*parent);
  }
  const std::vector<AgentPolicy> agents = daemon.parts.policies.agents();
  const AgentPolicy* agent = agent_named(agents, wanted.agent);
  if (agent == nullptr) {
    std::vector<std::string_view> names;
    for (const AgentPolicy& each : agents) names.push_back(each.name);
    return Fail({.code = "unknown-agent",
                 .message = "unknown agent `" + shortened(wanted.agent) + "`",
                 .hint = did_you_mean(wanted.agent, "agents", names),
                 .where = {}});
  }
  if (wanted.cwd.empty()) wanted.cwd = agent->path.empty() ? "/" : agent->path;
  if (wanted.provider.empty()) wanted.provider = agent->provider;
  if (wanted.search_path.empty())
    wanted.search_path = daemon.parts.policies.files().environment.get("PATH").value_or("");
  for (const std::string& path : wanted.roots)
    if (!path.starts_with('/')) return Fail(malformed_request("`roots` must be absolute paths"));
  if (!wanted.cwd.starts_with('/')) return Fail(malformed_request("`cwd` must be absolute"));
  wanted.cwd = os::absolute(wanted.cwd, "/");
  wanted.from_operator = true;
  wanted.made_by = visit.who.credential.person;
  return wanted;
}

}  // namespace

void list_sessions(Daemon& daemon, Visit visit) {
  Value list = Value::array();
  for (const store::Session& session : daemon.parts.sessions.all())
    list.push(session_value(daemon, session));
  if (visit.request().query_value("state") == "all")
    for (const store::Session& session : daemon.parts.sessions.ended(daemon.parts.loop.now()))
      list.push(session_value(daemon, session));
  visit.reply(200, Value::object({{"sessions", std::move(list)}}));
}

void make_session(Daemon& daemon, Visit visit) {
  Result<approvals::NewSession> wanted = wanted_in(daemon, visit);
  if (!wanted) return visit.fail(wanted.error());
  daemon.parts.sessions.open(*wanted, daemon.parts.loop.now(),
                             [&daemon, visit](Result<store::Session> session) {
                               if (!session) return visit.fail(session.error());
                               visit.reply(201, with_urls(daemon, *session));
                             });
}

void change_session(Daemon& daemon, Visit visit) {
  Result<Body> body = Body::read(visit.request());
  if (!body) return visit.fail(body.error());
  approvals::SessionChange change;
  auto mode = named<Mode>(*body, "mode", mode_named, mode_names(), "unknown-mode");
  if (!mode) return visit.fail(422, mode.error());
  auto answer =
      named<Answerer>(*body, "answer", answerer_named, answerer_names(), "unknown-answer");
  if (!answer) return visit.fail(422, answer.error());
  change.mode = *mode;
  change.answer = *answer;
  change.frozen = body->flag("frozen");
  if (const Result<void> read = body->done(); !read) return visit.fail(read.error());
  const Result<std::string> id = daemon.parts.sessions.id_of(visit.arguments[0]);
  if (!id) return visit.fail(id.error());
  if (const Result<void> may = may_change(daemon, visit, *id, change); !may)
    return visit.fail(may.error());
  SessionStates before = session_states(daemon);
  before.erase(*id);  // the book tells of it
  daemon.parts.sessions.change(
      *id, change, visit.who.credential.person, daemon.parts.loop.now(),
      [&daemon, visit, before = std::move(before)](Result<store::Session> session) {
        if (!session) return visit.fail(session.error());
        end_questions(daemon, "the session was frozen");
        tell_changed_states(daemon, before);  // those below it, too
        tell_hooks(daemon, visit, session_value(daemon, *session));
      });
}

void end_session(Daemon& daemon, Visit visit) {
  const Millis now = daemon.parts.loop.now();
  const Result<std::string> id = daemon.parts.sessions.id_of(visit.arguments[0]);
  if (!id) return visit.fail(id.error());
  const std::vector<std::string> ended = daemon.parts.sessions.below(*id);
  daemon.parts.sessions.end(*id, visit.who.credential.person, now,
                            [&daemon, visit, ended](Result<store::Session> session) {
                              if (!session) return visit.fail(session.error());
                              for (const std::string& each : ended) {
                                daemon.parts.desk.end_session(each, daemon.parts.loop.now(),
                                                              "the session was ended");
                                daemon.parts.grants.end_session(each);
                              }
                              visit.reply(200, session_value(daemon, *session));
                            });
}

void freeze(Daemon& daemon, Visit visit) {
  Result<Body> body = Body::read(visit.request());
  if (!body) return visit.fail(body.error());
  const std::string agent = body->text("agent");
  const bool frozen = body->flag("frozen").value_or(true);
  if (const Result<void> read = body->done(); !read) return visit.fail(read.error());
  daemon.parts.sessions.freeze(
      agent, frozen, visit.who.credential.person, daemon.parts.loop.now(),
      [&daemon, visit, agent, frozen, before = session_states(daemon)](Result<void> done) {
        if (!done) return visit.fail(done.error());
        end_questions(daemon, agent.empty() ? "everything was frozen" : "the agent was frozen");
        tell_changed_states(daemon, before);
        tell_hooks(daemon, visit,
                   Value::object({{"agent", agent.empty() ? Value() : text_value(agent)},
                                  {"frozen", Value::boolean(frozen)}}));
      });
}

}  // namespace tollgate::server
