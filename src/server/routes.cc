// The table of routes, and the way from a request to one of them.
// To add a route: a row here, a handler in <noun>_routes.cc, a case in routes_test.cc, a line in
// docs/http.md.
#include "server/routes.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "json/json.h"
#include "server/listener.h"
#include "server/roles_now.h"
#include "server/security_keys.h"
#include "server/touch.h"

namespace tollgate::server {
namespace {

constexpr Route kRoutes[] = {
    {"POST", "/mcp/{session}", Access::kEveryone, serve_mcp},
    {"GET", "/mcp/{session}", Access::kEveryone, serve_mcp},
    {"DELETE", "/mcp/{session}", Access::kEveryone, serve_mcp},
    {"POST", "/hook/{session}/{provider}", Access::kEveryone, serve_hook},
    {"POST", "/ask", Access::kLocalSocket, serve_ask},
    {"POST", "/api/decide", Access::kEveryone, decide_call},
    {"GET", "/api/sessions", Access::kPerson, list_sessions},
    {"POST", "/api/sessions", Access::kOperator, make_session},
    {"PATCH", "/api/sessions/{id}", Access::kOperator, change_session},
    {"DELETE", "/api/sessions/{id}", Access::kOperator, end_session},
    {"POST", "/api/freeze", Access::kApprover, freeze},
    {"GET", "/api/permissions", Access::kApprover, list_permissions},
    {"GET", "/api/permissions/{id}", Access::kApprover, show_permission},
    {"POST", "/api/permissions/answer", Access::kApprover, answer_together},
    {"POST", "/api/permissions/{id}/seen", Access::kApprover, mark_seen},
    {"POST", "/api/permissions/{id}/approve", Access::kApprover, approve_permission},
    {"POST", "/api/permissions/{id}/deny", Access::kApprover, deny_permission},
    {"POST", "/api/permissions/{id}/preview", Access::kApprover, preview_rule},
    {"GET", "/api/audit", Access::kApprover, search_audit},
    {"GET", "/api/audit/{number}", Access::kApprover, show_audit_row},
    {"GET", "/api/record", Access::kApprover, show_record},
    {"POST", "/api/audit/{number}/replay", Access::kApprover, replay_audit_row},
    {"GET", "/api/grants", Access::kApprover, list_grants},
    {"DELETE", "/api/grants/{id}", Access::kApprover, revoke_grant},
    {"GET", "/api/agents", Access::kApprover, list_agents},
    {"GET", "/api/policy", Access::kApprover, show_policy},
    {"POST", "/api/policy/check", Access::kApprover, check_rule},
    {"POST", "/api/policy/edit", Access::kOperator, edit_policy},
    {"GET", "/api/roles", Access::kApprover, list_roles},
    {"POST", "/api/try", Access::kApprover, try_call},
    {"GET", "/api/insight", Access::kApprover, show_insight},
    {"GET", "/api/settings", Access::kApprover, show_settings},
    {"GET", "/api/approvers", Access::kApprover, list_approvers},
    {"POST", "/api/approvers", Access::kOperator, add_approver, Touch::kIfRegistered},
    {"DELETE", "/api/approvers/{name}", Access::kOperator, revoke_approver, Touch::kIfRegistered},
    {"GET", "/api/keys", Access::kApprover, list_keys},
    {"POST", "/api/keys/options", Access::kApprover, offer_key},
    {"POST", "/api/keys", Access::kApprover, add_key, Touch::kIfRegistered},
    {"DELETE", "/api/keys/{id}", Access::kApprover, remove_key, Touch::kIfRegistered},
    {"POST", "/api/touch", Access::kApprover, challenge_touch},
    {"GET", "/api/devices", Access::kPerson, list_devices},
    {"DELETE", "/api/devices/{name}", Access::kPerson, revoke_device},
    {"POST", "/api/pair", Access::kPerson, pair_device, Touch::kIfRegistered},
    {"GET", "/api/certificate", Access::kEveryone, show_certificate},
    {"GET", "/ca.crt", Access::kEveryone, serve_authority},
    {"POST", "/api/links", Access::kPerson, make_link, Touch::kIfRegistered},
    {"GET", "/api/push/key", Access::kApprover, show_push_key},
    {"POST", "/api/push/subscription", Access::kApprover, add_subscription},
    {"DELETE", "/api/push/subscription", Access::kApprover, remove_subscription},
    {"GET", "/api/notices", Access::kApprover, list_notices},
    {"POST", "/api/notices/{target}/try", Access::kApprover, try_notice},
    {"GET", "/answer/{ticket}", Access::kEveryone, show_ticket},
    {"POST", "/answer/{ticket}", Access::kEveryone, answer_by_ticket},
    {"POST", "/slack/{target}", Access::kEveryone, serve_slack},
    {"GET", "/api/me", Access::kPerson, who_am_i},
    {"POST", "/api/login", Access::kEveryone, log_in},
    {"POST", "/api/logout", Access::kEveryone, log_out},
    {"GET", "/login/{secret}", Access::kEveryone, log_in_by_link},
    {"GET", "/health", Access::kEveryone, show_health},
    {"GET", "/metrics", Access::kApprover, show_metrics},
};

constexpr std::string_view kCookie = "tollgate";

// What stands for {…}, or nothing where the path is another.
std::optional<std::vector<std::string>> match(std::string_view pattern,
                                              const std::vector<std::string>& segments) {
  std::vector<std::string> arguments;
  std::size_t at = 0;
  std::string_view rest = pattern.substr(1);
  while (!rest.empty()) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, slash);
    if (at == segments.size()) return std::nullopt;
    if (part.starts_with('{'))
      arguments.push_back(segments[at]);
    else if (part != segments[at])
      return std::nullopt;
    ++at;
    rest.remove_prefix(std::min(slash + 1, rest.size()));
  }
  if (at != segments.size()) return std::nullopt;
  return arguments;
}

bool may(const store::Credential& credential, Access access) {
  switch (access) {
    case Access::kApprover:
      return credential.approver;
    case Access::kOperator:
      return credential.is_operator;
    case Access::kPerson:
      return credential.approver || credential.is_operator;
    case Access::kEveryone:
      return true;
    case Access::kLocalSocket:
      break;
  }
  return false;
}

// How long the hint says to wait, in seconds.
std::string seconds_in(const std::string& hint) {
  const std::size_t begin = hint.find_first_of("0123456789");
  if (begin == hint.npos) return "5";
  const std::size_t end = hint.find_first_not_of("0123456789", begin);
  return hint.substr(begin, end == hint.npos ? hint.npos : end - begin);
}

Error not_found() {
  return {.code = "unknown-route",
          .message = "there is nothing here",
          .hint = "docs/http.md lists the routes",
          .where = {}};
}

}  // namespace

bool is_browser(const Request& request) {
  return request.header("sec-fetch-site") || request.header("origin") ||
         request.header("user-agent").value_or("").starts_with("Mozilla/");
}

std::optional<LoginSecrets> login_of(const Request& request) {
  const std::optional<std::string> cookie = request.cookie(kCookie);
  if (!cookie) return std::nullopt;
  if (const std::optional<std::string> key = request.header("x-tollgate-key"))
    return LoginSecrets{*cookie, *key};
  // A page's web socket has no headers of its own, only names of protocols.
  const std::string protocols = request.header("sec-websocket-protocol").value_or("");
  for (const std::string_view name : split(protocols, ','))
    if (trim(name).starts_with("tgk_")) return LoginSecrets{*cookie, std::string(trim(name))};
  const std::size_t dot = cookie->find('.');
  if (dot == cookie->npos || is_browser(request)) return LoginSecrets{*cookie, ""};
  return LoginSecrets{cookie->substr(0, dot), cookie->substr(dot + 1)};
}

// SAFETY: the key proves that our page sends; this holds where a browser was made to send it from
// elsewhere. A program that is no browser sends none of these headers.
bool comes_from_our_page(const Request& request) {
  const std::optional<std::string> site = request.header("sec-fetch-site");
  if (site && *site != "same-origin") return false;
  const std::optional<std::string> kind = request.header("content-type");
  return !kind || kind->starts_with("application/json");
}

namespace {

Result<approvals::Who> who_knocks(Daemon& daemon, const Request& request) {
  const Millis now = daemon.parts.loop.now();
  const std::string from = request.peer.name();
  if (const std::optional<std::string> header = request.header("authorization")) {
    constexpr std::string_view kBearer = "Bearer ";
    if (!header->starts_with(kBearer))
      return Fail({.code = "bad-credential",
                   .message = "`Authorization` is not of the form `Bearer SECRET`",
                   .hint = "send the credential that `tollgate approver add` printed",
                   .where = {}});
    return daemon.people.by_secret(std::string_view(*header).substr(kBearer.size()), from, now);
  }
  const std::optional<LoginSecrets> login = login_of(request);
  if (!login)
    return Fail({.code = "bad-credential",
                 .message = "this needs a credential",
                 .hint = "log in with the link that `tollgate serve` printed, or send "
                         "`Authorization: Bearer SECRET`",
                 .where = {}});
  if (login->key.empty())
    return Fail({.code = "bad-credential",
                 .message = "the login's cookie came without its key",
                 .hint = "log in again; the key is sent as `X-Tollgate-Key`",
                 .where = {}});
  Result<approvals::Who> who = daemon.people.by_cookie(login->cookie, login->key, from, now);
  if (!who) return who;
  const bool acts = request.method != "GET" && request.method != "HEAD";
  if (acts && !comes_from_our_page(request))
    return Fail({.code = "not-allowed-here",
                 .message = "the request does not come from the gate's own page",
                 .hint = "send JSON, and from no other page",
                 .where = {}});
  return who;
}

// SAFETY: a proof that does not hold ends the request, whether or not one was needed.
Result<void> touched(Daemon& daemon, const Route& route, Visit& visit) {
  const std::string& person = visit.who.credential.person;
  Result<std::string> key = touch_of(daemon, visit.request(), person);
  if (!key) return Fail(std::move(key).error());
  visit.who.key = std::move(*key);
  const bool wanted = route.touch == Touch::kIfRegistered && visit.who.key.empty();
  if (wanted && daemon.keys != nullptr && daemon.keys->has(person))
    return Fail(touch_required(person));
  return {};
}

}  // namespace

int status_of(std::string_view code) {
  struct Row {
    std::string_view code;
    int status;
  };
  constexpr Row kRows[] = {
      {"already-answered", 409},  {"answer-not-counted", 403},   {"answer-refused", 422},
      {"approver-taken", 409},    {"bad-credential", 401},       {"chain-too-deep", 422},
      {"grant-refused", 422},     {"input-refused", 422},        {"json-too-large", 413},
      {"not-allowed-here", 403},  {"not-your-question", 403},    {"store-unavailable", 503},
      {"too-many-guesses", 429},  {"too-many-questions", 429},   {"unknown-agent", 422},
      {"unknown-approver", 404},  {"unknown-grant", 404},        {"unknown-question", 404},
      {"unknown-route", 404},     {"unknown-session", 404},      {"file-changed", 409},
      {"file-unwritable", 422},   {"not-together", 422},         {"unknown-device", 404},
      {"unknown-row", 404},       {"unknown-target", 404},       {"bad-signature", 401},
      {"link-spent", 410},        {"too-many-requests", 429},    {"presence-refused", 403},
      {"presence-required", 403}, {"presence-unavailable", 422}, {"unknown-security-key", 404},
      {"ambiguous-session", 409},
  };
  const auto* found = std::ranges::find(kRows, code, &Row::code);
  return found == std::end(kRows) ? 400 : found->status;
}

void Visit::reply(int status, const json::Value& body) const {
  exchange->reply(json_response(status, json::write(body)));
}

void Visit::fail(int status, const Error& error) const {
  Response response = error_response(status, error.code, error.message, error.hint);
  if (status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (status == 429 || status == 503)
    response.headers.emplace_back("Retry-After", seconds_in(error.hint));
  exchange->reply(std::move(response));
}

void Visit::fail(const Error& error) const { fail(status_of(error.code), error); }

Result<approvals::Who> who_sends(Daemon& daemon, const Request& request) {
  Result<approvals::Who> who = who_knocks(daemon, request);
  if (who) who->credential.roles = roles_now(daemon, who->credential);
  return who;
}

void handle(Daemon& daemon, std::shared_ptr<Exchange> exchange) {
  ++daemon.counters.requests;
  const Request& request = exchange->request();
  Visit visit{std::move(exchange), {}, {}};
  std::string methods;
  for (const Route& route : kRoutes) {
    std::optional<std::vector<std::string>> arguments = match(route.pattern, request.segments);
    if (!arguments) continue;
    if (route.method != request.method && !(request.method == "HEAD" && route.method == "GET")) {
      methods += (methods.empty() ? "" : ", ") + std::string(route.method);
      continue;
    }
    visit.arguments = std::move(*arguments);
    if (route.access == Access::kLocalSocket && !request.peer.local_socket)
      return visit.fail(404, not_found());
    if (route.access == Access::kEveryone || route.access == Access::kLocalSocket)
      return route.handler(daemon, std::move(visit));
    Result<approvals::Who> who = who_sends(daemon, request);
    if (!who) return visit.fail(who.error());
    if (!may(who->credential, route.access))
      return visit.fail({.code = "not-allowed-here",
                         .message = "this credential may not do that",
                         .hint = "operators make sessions, approvers answer",
                         .where = {}});
    visit.who = std::move(*who);
    if (const Result<void> may = touched(daemon, route, visit); !may)
      return visit.fail(may.error());
    return route.handler(daemon, std::move(visit));
  }
  if (methods.empty() && serve_page(visit)) return;
  if (methods.empty()) return visit.fail(404, not_found());
  Response response =
      error_response(405, "unknown-route", "`" + shortened(request.method) + "` is not known here",
                     "known here: " + methods);
  response.headers.emplace_back("Allow", methods);
  visit.exchange->reply(std::move(response));
}

}  // namespace tollgate::server
