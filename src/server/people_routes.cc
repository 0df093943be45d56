// Logging in and out, and the credentials of those who answer.
// SAFETY: a secret is said once, in the answer to whoever had it made, and nowhere else.
#include "base/text.h"
#include "json/json.h"
#include "os/addresses.h"
#include "server/public_address.h"
#include "server/routes.h"
#include "server/self_approval.h"

namespace tollgate::server {
namespace {

using json::Value;

Value credential_value(const store::Credential& credential) {
  Value roles = Value::array();
  for (const std::string& role : credential.roles) roles.push(text_value(role));
  return Value::object({{"name", text_value(credential.name)},
                        {"person", text_value(credential.person)},
                        {"roles", std::move(roles)},
                        {"approver", Value::boolean(credential.approver)},
                        {"operator", Value::boolean(credential.is_operator)},
                        {"device", text_value(credential.device)},
                        {"createdAt", moment_value(credential.created)},
                        {"expiresAt", moment_value(credential.expires)},
                        {"revokedAt", moment_value(credential.revoked)}});
}

std::pair<std::string, std::string> cookie_header(const Daemon& daemon, const Request& request,
                                                  const std::string& value, Millis lifetime) {
  return {"Set-Cookie", "tollgate=" + value + "; Path=/; HttpOnly; SameSite=Strict; Max-Age=" +
                            std::to_string(lifetime / 1000) +
                            (is_encrypted(daemon, request) ? "; Secure" : "")};
}

Response entered(const Daemon& daemon, const Request& request,
                 const approvals::People::Cookie& cookie, int status) {
  Value body = credential_value(cookie.credential);
  body.set("key", text_value(cookie.key));
  Response response = json_response(status, json::write(body));
  response.headers.push_back(
      cookie_header(daemon, request, cookie.value, approvals::login_lifetime(cookie.credential)));
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

Response led_on(std::string where) {
  Response response;
  response.status = 303;
  response.headers.emplace_back("Location", std::move(where));
  response.headers.emplace_back("Cache-Control", "no-store");
  response.headers.emplace_back("Referrer-Policy", "no-referrer");
  return response;
}

// What stands behind the last slash of a link: …/login/SECRET, …/#/pair/SECRET?sha256=….
std::string secret_of(const std::string& link) {
  const std::string last = link.substr(link.rfind('/') + 1);
  return last.substr(0, last.find('?'));
}

// The entry of the configuration, if it has one of that name.
std::optional<config::ApproverEntry> entry_of(Daemon& daemon, const std::string& wanted) {
  for (const config::ApproverEntry& entry : daemon.parts.policies.settings().approvers)
    if (entry.name == wanted) return entry;
  return std::nullopt;
}

}  // namespace

// A program gets in at once. In a browser the secret goes on behind the #, where the page finds it
// and sends it itself: what logs in is the page, which alone can keep the key.
void log_in_by_link(Daemon& daemon, Visit visit) {
  const std::string& secret = visit.arguments[0];
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789_";
  if (secret.find_first_not_of(kLetters) != secret.npos)
    return visit.fail(malformed_request("the link is malformed"));
  if (is_browser(visit.request())) return visit.exchange->reply(led_on("/#/login/" + secret));
  const auto done = [&daemon, visit](Result<approvals::People::Cookie> cookie) {
    if (!cookie) return visit.fail(cookie.error());
    Response response = led_on("/");
    response.headers.push_back(cookie_header(daemon, visit.request(),
                                             cookie->value + "." + cookie->key,
                                             approvals::login_lifetime(cookie->credential)));
    visit.exchange->reply(std::move(response));
  };
  daemon.people.enter_by_link(secret, visit.request().peer.name(), daemon.parts.loop.now(), done);
}

void log_in(Daemon& daemon, Visit visit) {
  Result<Body> body = Body::read(visit.request());
  if (!body) return visit.fail(body.error());
  const std::string secret = body->text("credential"), link = body->text("link");
  if (const Result<void> read = body->done(); !read) return visit.fail(read.error());
  if (secret.empty() == link.empty())
    return visit.fail(malformed_request("send `credential` or `link`"));
  const auto done = [&daemon, visit](Result<approvals::People::Cookie> cookie) {
    if (!cookie) return visit.fail(cookie.error());
    visit.exchange->reply(entered(daemon, visit.request(), *cookie, 200));
  };
  const std::string from = visit.request().peer.name();
  const Millis now = daemon.parts.loop.now();
  // The whole link is as good as the secret in it.
  if (!link.empty()) return daemon.people.enter_by_link(secret_of(link), from, now, done);
  daemon.people.enter_by_secret(secret, from, now, done);
}

void log_out(Daemon& daemon, Visit visit) {
  const std::optional<LoginSecrets> login = login_of(visit.request());
  if (!login) return visit.reply(200, Value::object());
  const Result<approvals::Who> who = who_sends(daemon, visit.request());
  if (!who) return visit.fail(who.error());
  daemon.people.leave(login->cookie, login->key, [&daemon, visit](Result<void> left) {
    if (!left) return visit.fail(left.error());
    daemon.live.look_again();
    Response response = json_response(200, "{}");
    response.headers.push_back(cookie_header(daemon, visit.request(), "", 0));
    visit.exchange->reply(std::move(response));
  });
}

void who_am_i(Daemon&, Visit visit) {
  Value body = credential_value(visit.who.credential);
  body.set("selfApproval", self_approval_value(visit.request().peer, os::own_addresses()));
  visit.reply(200, body);
}

void make_link(Daemon& daemon, Visit visit) {
  daemon.people.make_link(
      visit.who.credential.name, daemon.parts.loop.now(),
      [&daemon, visit](Result<std::string> secret) {
        if (!secret) return visit.fail(secret.error());
        visit.reply(201, Value::object({{"login", text_value(public_address(daemon).url +
                                                             "/login/" + *secret)}}));
      });
}

void list_approvers(Daemon& daemon, Visit visit) {
  Value list = Value::array();
  for (const store::Credential& credential : daemon.people.all())
    list.push(credential_value(credential));
  visit.reply(200, Value::object({{"approvers", std::move(list)}}));
}

void add_approver(Daemon& daemon, Visit visit) {
  Result<Body> body = Body::read(visit.request());
  if (!body) return visit.fail(body.error());
  approvals::People::NewCredential wanted;
  wanted.name = body->text("name");
  wanted.person = body->text("person");
  wanted.roles = body->texts("roles");
  wanted.is_operator = body->flag("operator").value_or(false);
  if (const Result<void> read = body->done(); !read) return visit.fail(read.error());
  if (wanted.name.empty() || wanted.name.size() > 100)
    return visit.fail(malformed_request("`name` must have 1 to 100 characters"));
  // Names stand beside answers: one must not read like another's.
  if (has_hidden_characters(wanted.name) || has_hidden_characters(wanted.person))
    return visit.fail(malformed_request("a name has characters that cannot be seen"));
  if (wanted.is_operator && !visit.who.credential.is_operator)
    return visit.fail({.code = "not-allowed-here",
                       .message = "only an operator makes operators",
                       .hint = "leave `operator` out, or use an operator's credential",
                       .where = {}});
  // What the configuration says of a person and their roles is not for the request to change.
  if (const std::optional<config::ApproverEntry> entry = entry_of(daemon, wanted.name)) {
    wanted.person = entry->person;
    wanted.roles = entry->roles;
  }
  if (wanted.person.empty()) wanted.person = wanted.name;
  daemon.people.add(wanted, visit.who.credential.person, daemon.parts.loop.now(),
                    [visit, wanted](Result<std::string> secret) {
                      if (!secret) return visit.fail(secret.error());
                      visit.reply(201, Value::object({{"name", text_value(wanted.name)},
                                                      {"person", text_value(wanted.person)},
                                                      {"credential", text_value(*secret)}}));
                    });
}

void revoke_approver(Daemon& daemon, Visit visit) {
  daemon.people.revoke(visit.arguments[0], visit.who.credential.person, daemon.parts.loop.now(),
                       [&daemon, visit](Result<void> done) {
                         if (!done) return visit.fail(done.error());
                         // A person's devices may have gone with it.
                         for (const store::Credential& each : daemon.people.all())
                           if (each.revoked != 0) daemon.live.drop(each.name);
                         visit.reply(200,
                                     Value::object({{"revoked", text_value(visit.arguments[0])}}));
                       });
}

}  // namespace tollgate::server
