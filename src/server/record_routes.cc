// What is kept and how it stands: the audit, grants, settings, health and counts.
#include <algorithm>
#include <set>

#include "approvals/digest.h"
#include "base/error.h"
#include "core/codec.h"
#include "server/audit_value.h"
#include "server/listener.h"
#include "server/public_address.h"
#include "server/question_value.h"
#include "server/record_keeper.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

Value number(std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); }

Value grant_value(const store::Grant& grant, Millis now) {
  const char* state = grant.revoked != 0                           ? "revoked"
                      : grant.expires != 0 && grant.expires <= now ? "expired"
                                                                   : "active";
  return Value::object({{"id", text_value(grant.id)},
                        {"rule", text_value(grant.rule)},
                        {"scope", text_value(name(grant.scope))},
                        {"session", text_value(grant.session)},
                        {"agent", text_value(grant.agent)},
                        {"root", text_value(grant.root)},
                        {"author", text_value(grant.author)},
                        {"question", text_value(grant.question)},
                        {"state", text_value(state)},
                        {"createdAt", moment_value(grant.created)},
                        {"expiresAt", moment_value(grant.expires)},
                        {"revokedAt", moment_value(grant.revoked)},
                        {"revokedBy", text_value(grant.revoked_by)}});
}

// A whole number in the query; nothing where it is none.
std::optional<std::int64_t> count_in(const Request& request, std::string_view name) {
  const std::optional<std::string> word = request.query_value(name);
  if (!word || word->empty() || word->size() > 15) return std::nullopt;
  std::int64_t out = 0;
  for (const char c : *word) {
    if (c < '0' || c > '9') return std::nullopt;
    out = out * 10 + (c - '0');
  }
  return out;
}

Result<store::AuditQuery> query_of(const Request& request) {
  store::AuditQuery query;
  constexpr std::string_view kKnown[] = {"before",   "after", "since", "until",   "kind",
                                         "session",  "agent", "tool",  "verdict", "rule",
                                         "question", "grep",  "limit", "order",   "wait"};
  for (const auto& [key, value] : request.query)
    if (std::ranges::find(kKnown, key) == std::end(kKnown))
      return Fail(malformed_request("unknown parameter `" + key + "`"));
  const auto word = [&](std::string_view name) { return request.query_value(name).value_or(""); };
  const auto count = [&](std::string_view name) { return count_in(request, name).value_or(0); };
  for (const std::string_view name : {"before", "after", "since", "until", "limit", "wait"})
    if (request.query_value(name) && !count_in(request, name))
      return Fail(malformed_request("`" + std::string(name) + "` must be a whole number"));
  query.before = count("before");
  query.after = count("after");
  query.since = count("since");
  query.until = count("until");
  query.kind = word("kind");
  query.session = word("session");
  query.agent = word("agent");
  query.tool = word("tool");
  query.verdict = word("verdict");
  query.rule = word("rule");
  query.question = word("question");
  query.grep = word("grep");
  query.oldest_first = word("order") == "oldest";
  constexpr std::int64_t kMost = 1'000;
  query.limit = static_cast<std::size_t>(
      std::clamp<std::int64_t>(count_in(request, "limit").value_or(100), 1, kMost));
  return query;
}

Value error_value(const Diagnostic& diagnostic) {
  return Value::object({{"where", text_value(place_name(diagnostic.error.where))},
                        {"code", text_value(diagnostic.error.code)},
                        {"message", text_value(diagnostic.error.message)},
                        {"hint", text_value(diagnostic.error.hint)}});
}

}  // namespace

Value row_value(const store::AuditRow& row) {
  return Value::object({{"number", Value::integer(row.number)},
                        {"at", text_value(moment_text(row.at))},
                        {"kind", text_value(row.kind)},
                        {"session", text_value(row.session)},
                        {"agent", text_value(row.agent)},
                        {"tool", text_value(row.tool)},
                        {"verdict", text_value(row.verdict)},
                        {"rule", text_value(row.rule)},
                        {"question", text_value(row.question)},
                        {"by", text_value(row.by)},
                        {"origin", text_value(row.origin)},
                        {"record", row.record}});
}

namespace {

// A search that may wait until there is something to be found.
struct Search {
  store::AuditQuery query;
  std::string handle;  // of a session that only the record knows
  Millis until = 0;    // 0: it does not wait
  Result<std::vector<store::AuditRow>> rows = std::vector<store::AuditRow>();
  store::RecordState state;
  std::unique_ptr<Timer> timer;
};

// LIMIT: of one request; whoever follows asks again.
constexpr Millis kLongestWait = 30'000;
constexpr Millis kLookAgain = 200;

// LIMIT: rows about sessions that are gone through for a handle, the newest first.
constexpr std::size_t kMostNamed = 100'000;

// The session that once had the handle. REQUIRES: on the pool.
Result<void> name_session(store::Store& store, Search& search) {
  if (search.handle.empty()) return {};
  store::AuditQuery query;
  query.kind = "session";
  query.limit = 1'000;
  std::set<std::string> found;
  for (std::size_t seen = 0; seen < kMostNamed; seen += query.limit) {
    const Result<std::vector<store::AuditRow>> rows = store.audit(query);
    if (!rows) return Fail(rows.error());
    for (const store::AuditRow& row : *rows)
      if (approvals::handle_of(row.session) == search.handle) found.insert(row.session);
    if (rows->size() < query.limit) break;
    query.before = rows->back().number;
  }
  if (found.size() > 1) return Fail(approvals::ambiguous_session(search.handle));
  if (found.empty()) return Fail(approvals::unknown_handle(search.handle));
  search.query.session = *found.begin();
  search.handle.clear();
  return {};
}

// A session is named by its handle, or by its id as the record has it.
Result<void> take_session(const Daemon& daemon, Search& search) {
  const std::string& word = search.query.session;
  if (!approvals::is_handle(word)) return {};
  Result<std::string> id = daemon.parts.sessions.id_of(word);
  if (id)
    search.query.session = std::move(*id);
  else if (id.error().code != "unknown-session")
    return Fail(std::move(id).error());
  else
    search.handle = word;
  return {};
}

void run_search(Daemon& daemon, const Visit& visit, const std::shared_ptr<Search>& search) {
  daemon.parts.loop.work(
      [&daemon, search] {
        // Before the rows: whoever follows goes on behind `last`, and what comes in between must
        // not be left out.
        const Result<store::RecordState> state = daemon.parts.store.record_state();
        if (!state) {
          search->rows = Fail(state.error());
          return;
        }
        search->state = *state;
        if (Result<void> named = name_session(daemon.parts.store, *search); !named) {
          search->rows = Fail(std::move(named).error());
          return;
        }
        search->rows = daemon.parts.store.audit(search->query);
      },
      [&daemon, visit, search] {
        search->timer.reset();
        if (!search->rows) return visit.fail(search->rows.error());
        if (search->rows->empty() && daemon.parts.loop.now() < search->until) {
          search->timer = daemon.parts.loop.after(
              kLookAgain, [&daemon, visit, search] { run_search(daemon, visit, search); });
          return;
        }
        Value list = Value::array();
        for (const store::AuditRow& row : *search->rows) list.push(row_value(row));
        visit.reply(200, Value::object({{"rows", std::move(list)},
                                        {"last", Value::integer(search->state.last)},
                                        {"wordedTo", Value::integer(search->state.worded)}}));
      });
}

}  // namespace

void search_audit(Daemon& daemon, Visit visit) {
  Result<store::AuditQuery> query = query_of(visit.request());
  if (!query) return visit.fail(query.error());
  const auto search = std::make_shared<Search>();
  search->query = std::move(*query);
  if (const Result<void> named = take_session(daemon, *search); !named)
    return visit.fail(named.error());
  if (const Millis wait = count_in(visit.request(), "wait").value_or(0); wait > 0)
    search->until = daemon.parts.loop.now() + std::min(wait, kLongestWait);
  run_search(daemon, visit, search);
}

void show_record(Daemon& daemon, Visit visit) {
  using State = Result<store::RecordState>;
  const auto state = std::make_shared<State>(store::RecordState());
  daemon.parts.loop.work([&daemon, state] { *state = daemon.parts.store.record_state(); },
                         [&daemon, visit, state] {
                           if (!*state) return visit.fail((*state).error());
                           if (daemon.keeper == nullptr) return visit.reply(200, Value::object());
                           visit.reply(200, daemon.keeper->value(**state));
                         });
}

void list_grants(Daemon& daemon, Visit visit) {
  const Millis now = daemon.parts.loop.now();
  Value list = Value::array();
  if (visit.request().query_value("state") != "all") {
    for (const store::Grant& grant : daemon.parts.grants.all(now))
      list.push(grant_value(grant, now));
    return visit.reply(200, Value::object({{"grants", std::move(list)}}));
  }
  using Grants = Result<std::vector<store::Grant>>;
  const auto grants = std::make_shared<Grants>(std::vector<store::Grant>());
  daemon.parts.loop.work([&daemon, grants] { *grants = daemon.parts.store.grants(); },
                         [visit, grants, now] {
                           if (!*grants) return visit.fail(grants->error());
                           Value all = Value::array();
                           for (const store::Grant& grant : **grants)
                             all.push(grant_value(grant, now));
                           visit.reply(200, Value::object({{"grants", std::move(all)}}));
                         });
}

void revoke_grant(Daemon& daemon, Visit visit) {
  const Millis now = daemon.parts.loop.now();
  daemon.parts.grants.revoke(visit.arguments[0], visit.who.credential.person, now,
                             [visit, now](Result<store::Grant> grant) {
                               if (!grant) return visit.fail(grant.error());
                               visit.reply(200, grant_value(*grant, now));
                             });
}

void show_settings(Daemon& daemon, Visit visit) {
  const config::Settings settings = daemon.parts.policies.settings();
  const PublicAddress address = public_address(daemon);
  Value errors = Value::array();
  for (const Diagnostic& each : daemon.parts.policies.errors()) errors.push(error_value(each));
  visit.reply(
      200, Value::object({{"listen", text_value(settings.listen.host + ":" +
                                                std::to_string(settings.listen.port))},
                          {"publicUrl", text_value(settings.public_url)},
                          {"address", text_value(address.url)},
                          {"reachable", Value::boolean(address.reachable)},
                          {"sha256", text_value(address.fingerprint)},
                          {"permissionTimeoutMs", Value::integer(settings.permission_timeout_ms)},
                          {"retentionMs", Value::integer(settings.retention_ms)},
                          {"errors", std::move(errors)}}));
}

void show_health(Daemon& daemon, Visit visit) {
  Value errors = Value::array();
  for (const Diagnostic& each : daemon.parts.policies.errors()) errors.push(error_value(each));
  const bool broken = !errors.items().empty();
  Value body = Value::object({{"status", text_value(broken ? "policy-error" : "ok")},
                              {"version", text_value(daemon.status.version)}});
  // To others than this machine it says that it lives, and no more.
  const Peer& peer = visit.request().peer;
  if (peer.local_socket || is_loopback(peer.address)) {
    body.set("pending", number(daemon.parts.desk.pending_count()));
    body.set("connections", number(daemon.status.connections ? daemon.status.connections() : 0));
    body.set("openFiles", number(daemon.status.open_files));
    body.set("uptimeMs", Value::integer(daemon.parts.loop.now() - daemon.status.started));
    body.set("policyErrors", std::move(errors));
  }
  visit.reply(200, body);
}

void show_metrics(Daemon& daemon, Visit visit) {
  std::string out;
  const auto line = [&](const std::string& words, std::uint64_t value) {
    out += words + " " + std::to_string(value) + "\n";
  };
  out += "# TYPE tollgate_decisions_total counter\n";
  for (const auto& [verdict, count] : daemon.counters.decisions)
    line("tollgate_decisions_total{verdict=\"" + verdict + "\"}", count);
  out += "# TYPE tollgate_requests_total counter\n";
  line("tollgate_requests_total", daemon.counters.requests);
  out += "# TYPE tollgate_questions_pending gauge\n";
  line("tollgate_questions_pending", daemon.parts.desk.pending_count());
  out += "# TYPE tollgate_screens_watching gauge\n";
  line("tollgate_screens_watching", daemon.live.watching());
  out += "# TYPE tollgate_connections gauge\n";
  line("tollgate_connections", daemon.status.connections ? daemon.status.connections() : 0);
  out += "# TYPE tollgate_open_files_limit gauge\n";
  line("tollgate_open_files_limit", daemon.status.open_files);
  out += "# TYPE tollgate_policy_errors gauge\n";
  line("tollgate_policy_errors", daemon.parts.policies.errors().size());
  visit.exchange->reply(
      {200, {{"Content-Type", "text/plain; version=0.0.4; charset=utf-8"}}, std::move(out)});
}

}  // namespace tollgate::server
