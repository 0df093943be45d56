// Security keys: listed, registered, removed, and the challenges that they answer.
// SAFETY: a person's first key needs a login alone; every further one, and removing one, needs the
// touch of one that is there (routes.cc). Of another person's keys only an operator removes one.
#include "base/base64.h"
#include "base/text.h"
#include "server/routes.h"
#include "server/security_keys.h"
#include "server/touch.h"

namespace tollgate::server {
namespace {

using json::Value;

constexpr std::size_t kMostName = 60;
constexpr std::int64_t kEs256 = -7;

Value key_value(const SecurityKey& key) {
  return Value::object({{"id", text_value(key.id())},
                        {"name", text_value(key.name)},
                        {"person", text_value(key.person)},
                        {"rpId", text_value(key.rp_id)},
                        {"createdAt", moment_value(key.created)},
                        {"usedAt", moment_value(key.used)}});
}

Value ids_of(const SecurityKeys& keys, const std::string& person, const std::string& rp_id) {
  Value ids = Value::array();
  for (const SecurityKey& each : keys.all())
    if (each.person == person && each.rp_id == rp_id) ids.push(text_value(each.id()));
  return ids;
}

}  // namespace

void list_keys(Daemon& daemon, Visit visit) {
  const store::Credential& who = visit.who.credential;
  Value list = Value::array();
  for (const SecurityKey& each : daemon.keys->all())
    if (who.is_operator || each.person == who.person) list.push(key_value(each));
  const std::optional<KeyPlace> place = key_place(daemon, visit.request());
  visit.reply(200, Value::object({{"keys", std::move(list)},
                                  {"rpId", place ? text_value(place->rp_id) : Value()}}));
}

// What the page hands to navigator.credentials.create().
void offer_key(Daemon& daemon, Visit visit) {
  const std::optional<KeyPlace> place = key_place(daemon, visit.request());
  if (!place) return visit.fail(presence_unavailable());
  const std::string& person = visit.who.credential.person;
  const Result<std::string> challenge =
      daemon.keys->challenge(person, std::string(kRegister), daemon.parts.loop.now());
  if (!challenge) return visit.fail(challenge.error());
  visit.reply(200, Value::object({{"challenge", text_value(base64url(*challenge))},
                                  {"rpId", text_value(place->rp_id)},
                                  {"user", text_value(person)},
                                  {"algorithms", Value::array({Value::integer(kEs256)})},
                                  {"known", ids_of(*daemon.keys, person, place->rp_id)},
                                  {"timeoutMs", Value::integer(kChallengeLifetime)}}));
}

void add_key(Daemon& daemon, Visit visit) {
  Result<Body> body = Body::read(visit.request());
  if (!body) return visit.fail(body.error());
  const std::string name = body->text("name");
  const Value made =
      Value::object({{"clientDataJSON", text_value(body->text("clientDataJSON"))},
                     {"attestationObject", text_value(body->text("attestationObject"))}});
  if (const Result<void> read = body->done(); !read) return visit.fail(read.error());
  if (name.empty() || name.size() > kMostName || has_hidden_characters(name))
    return visit.fail(malformed_request("`name` must be a name of 1 to 60 characters"));
  const std::optional<KeyPlace> place = key_place(daemon, visit.request());
  if (!place) return visit.fail(presence_unavailable());
  daemon.keys->add(visit.who.credential.person, name, made, *place, daemon.parts.loop.now(),
                   [visit, name](const Result<void>& added) {
                     if (!added) return visit.fail(added.error());
                     visit.reply(201, Value::object({{"name", text_value(name)}}));
                   });
}

void remove_key(Daemon& daemon, Visit visit) {
  const std::string id = visit.arguments[0];
  const store::Credential& who = visit.who.credential;
  const SecurityKey* key = daemon.keys->find(id);
  if (key != nullptr && key->person != who.person && !who.is_operator)
    return visit.fail({.code = "not-allowed-here",
                       .message = "only an operator removes the key of somebody else",
                       .hint = "ask an operator",
                       .where = {}});
  daemon.keys->remove(id, who.person, daemon.parts.loop.now(),
                      [visit, id](const Result<void>& removed) {
                        if (!removed) return visit.fail(removed.error());
                        visit.reply(200, Value::object({{"removed", text_value(id)}}));
                      });
}

// What the page hands to navigator.credentials.get() before it sends a request.
void challenge_touch(Daemon& daemon, Visit visit) {
  Result<Body> body = Body::read(visit.request());
  if (!body) return visit.fail(body.error());
  const std::string method = body->text("method"), path = body->text("path");
  const Value wanted = body->value("body").value_or(Value());
  if (const Result<void> read = body->done(); !read) return visit.fail(read.error());
  const std::optional<KeyPlace> place = key_place(daemon, visit.request());
  if (!place) return visit.fail(presence_unavailable());
  const std::string& person = visit.who.credential.person;
  const Result<std::string> challenge =
      daemon.keys->challenge(person, act_of(daemon, method, path, wanted), daemon.parts.loop.now());
  if (!challenge) return visit.fail(challenge.error());
  visit.reply(200, Value::object({{"challenge", text_value(base64url(*challenge))},
                                  {"rpId", text_value(place->rp_id)},
                                  {"keys", ids_of(*daemon.keys, person, place->rp_id)},
                                  {"timeoutMs", Value::integer(kChallengeLifetime)}}));
}

}  // namespace tollgate::server
