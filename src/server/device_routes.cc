// A person's other devices: paired by a link that works once, named, revoked one by one.
// A device has a credential of its own, whose secret nobody gets: only the link leads to it.
// SAFETY: a device answers as its person and is never an operator; it pairs no further device, so
// that one that was lost cannot leave another behind.
#include <algorithm>

#include "base/text.h"
#include "server/notices.h"
#include "server/public_address.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

constexpr std::size_t kMostName = 60;

Value device_value(const Daemon& daemon, const store::Credential& device, const Visit& visit) {
  const bool push = daemon.notices != nullptr && daemon.notices->shelf().has(device.name);
  return Value::object({{"name", text_value(device.name)},
                        {"push", Value::boolean(push)},
                        {"person", text_value(device.person)},
                        {"createdAt", moment_value(device.created)},
                        {"expiresAt", moment_value(device.expires)},
                        {"current", Value::boolean(device.name == visit.who.credential.name)}});
}

bool is_theirs(const store::Credential& device, const store::Credential& by) {
  return !device.device.empty() && device.revoked == 0 &&
         (by.is_operator || device.person == by.person);
}

Error taken(const std::string& device) {
  return {.code = "approver-taken",
          .message = "the name `" + device + "` is taken",
          .hint = "choose another name, or revoke that device first",
          .where = {}};
}

// SAFETY: what stands behind the # is never sent to a server, so that neither the code nor the
// digest lies in the log of a proxy, and nothing that looks at a link before a person does spends
// it.
std::string code_of(const PublicAddress& address, const std::string& secret) {
  return address.url + "/#/pair/" + secret +
         (address.fingerprint.empty() ? "" : "?sha256=" + address.fingerprint);
}

void tell_link(Daemon& daemon, const Visit& visit, const std::string& device) {
  const Millis now = daemon.parts.loop.now();
  daemon.people.make_link(
      device, now,
      [&daemon, visit, device, now](const Result<std::string>& secret) {
        if (!secret) return visit.fail(secret.error());
        const PublicAddress address = public_address(daemon);
        const std::string url = code_of(address, *secret);
        visit.reply(201,
                    Value::object({{"device", text_value(device)},
                                   {"url", text_value(url)},
                                   {"qr", text_value(url)},
                                   {"reachable", Value::boolean(address.reachable)},
                                   {"sha256", text_value(address.fingerprint)},
                                   {"expiresAt", moment_value(now + approvals::kPairLifetime)}}));
      },
      approvals::kPairLifetime);
}

void add_device(Daemon& daemon, const Visit& visit, const std::string& device) {
  const store::Credential& by = visit.who.credential;
  daemon.people.add({.name = device,
                     .person = by.person,
                     .roles = by.roles,
                     .approver = true,
                     .is_operator = false,
                     .device = device},
                    by.person, daemon.parts.loop.now(),
                    [&daemon, visit, device](const Result<std::string>& added) {
                      if (!added) return visit.fail(added.error());
                      tell_link(daemon, visit, device);
                    });
}

}  // namespace

// A name whose device never came, or is logged in no more, is the person's to give again.
void pair_device(Daemon& daemon, Visit visit) {
  Result<Body> body = Body::read(visit.request());
  if (!body) return visit.fail(body.error());
  const std::string device = body->text("device");
  if (const Result<void> read = body->done(); !read) return visit.fail(read.error());
  if (device.empty() || device.size() > kMostName || has_hidden_characters(device) ||
      device.find_first_of("/\\\n\t") != device.npos)
    return visit.fail(malformed_request("`device` must be a name of 1 to 60 characters"));
  const store::Credential& by = visit.who.credential;
  if (!by.device.empty() || !by.approver)
    return visit.fail({.code = "not-allowed-here",
                       .message = "a paired device pairs no other",
                       .hint = "pair it from the machine that the gate runs on",
                       .where = {}});
  const std::vector<store::Credential> all = daemon.people.all();
  const auto known = std::ranges::find_if(
      all, [&](const store::Credential& each) { return each.name == device && each.revoked == 0; });
  if (known == all.end()) return add_device(daemon, visit, device);
  const bool replaces = !known->device.empty() && known->person == by.person &&
                        !daemon.people.is_logged_in(device, daemon.parts.loop.now());
  if (!replaces) return visit.fail(taken(device));
  // What is left of the old one ends first: its code, its web sockets, its notices.
  daemon.people.revoke(device, by.person, daemon.parts.loop.now(),
                       [&daemon, visit, device](const Result<void>& done) {
                         if (!done) return visit.fail(done.error());
                         daemon.live.drop(device);
                         add_device(daemon, visit, device);
                       });
}

void list_devices(Daemon& daemon, Visit visit) {
  Value list = Value::array();
  for (const store::Credential& each : daemon.people.all())
    if (is_theirs(each, visit.who.credential)) list.push(device_value(daemon, each, visit));
  visit.reply(200, Value::object({{"devices", std::move(list)}}));
}

void revoke_device(Daemon& daemon, Visit visit) {
  const std::string device = visit.arguments[0];
  const std::vector<store::Credential> all = daemon.people.all();
  if (std::ranges::none_of(all, [&](const store::Credential& each) {
        return each.name == device && is_theirs(each, visit.who.credential);
      }))
    return visit.fail({.code = "unknown-device",
                       .message = "you have no device of that name",
                       .hint = "GET /api/devices lists them",
                       .where = {}});
  daemon.people.revoke(device, visit.who.credential.person, daemon.parts.loop.now(),
                       [&daemon, visit, device](const Result<void>& done) {
                         if (!done) return visit.fail(done.error());
                         daemon.live.drop(device);
                         visit.reply(200, Value::object({{"revoked", text_value(device)}}));
                       });
}

}  // namespace tollgate::server
