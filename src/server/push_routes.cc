// Web Push subscriptions of logged-in pages, and what became of notices.
// SAFETY: a subscription belongs to the credential that registered it, and its address must be a
// push service: a page cannot make the gate speak to anything else.
#include "notify/push_cipher.h"
#include "notify/web_address.h"
#include "server/notices.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;

// LIMIT: push services use some hundred characters.
constexpr std::size_t kMostEndpoint = 2'000;

Error no_push() {
  return {.code = "unknown-target",
          .message = "the gate is not set up for Web Push",
          .hint = "add `{name: phones, type: push}` to `notify` in your own policy file",
          .where = {}};
}

const NoticeRoute* push_route(const Daemon& daemon) {
  if (daemon.notices == nullptr || daemon.notices->push_key().empty()) return nullptr;
  return daemon.notices->route_of(notify::Kind::kPush);
}

// What PushSubscription.toJSON() gives.
Result<notify::Subscription> subscription_in(const Request& request) {
  Result<Body> body = Body::read(request);
  if (!body) return Fail(std::move(body).error());
  notify::Subscription out;
  out.endpoint = body->text("endpoint");
  body->has("expirationTime");
  const std::optional<Value> keys = body->value("keys");
  if (keys) {
    out.p256dh = text_in(*keys, "p256dh");
    out.auth = text_in(*keys, "auth");
  }
  if (Result<void> read = body->done(); !read) return Fail(std::move(read).error());
  if (out.endpoint.empty() || out.endpoint.size() > kMostEndpoint)
    return Fail(malformed_request("`endpoint` must have 1 to 2000 characters"));
  return out;
}

Result<void> check_endpoint(const notify::Subscription& subscription,
                            const std::vector<std::string>& hosts) {
  const std::optional<notify::WebAddress> address = notify::web_address(subscription.endpoint);
  if (!address || !notify::is_push_service(address->host, hosts) ||
      (!address->tls && !address->is_loopback()))
    return Fail({.code = "malformed-request",
                 .message = "`endpoint` is no push service that the gate knows",
                 .hint = "name its host under `hosts` of the target of type push",
                 .where = {}});
  return notify::check_subscription(subscription);
}

}  // namespace

void show_push_key(Daemon& daemon, Visit visit) {
  if (push_route(daemon) == nullptr) return visit.fail(no_push());
  visit.reply(200, Value::object({{"key", text_value(daemon.notices->push_key())}}));
}

void add_subscription(Daemon& daemon, Visit visit) {
  const NoticeRoute* route = push_route(daemon);
  if (route == nullptr) return visit.fail(no_push());
  Result<notify::Subscription> subscription = subscription_in(visit.request());
  if (!subscription) return visit.fail(subscription.error());
  if (const Result<void> good = check_endpoint(*subscription, route->entry.hosts); !good)
    return visit.fail(good.error());
  daemon.notices->shelf().add(std::move(*subscription), visit.who.credential,
                              daemon.parts.loop.now(), [visit](const Result<void>& kept) {
                                if (!kept) return visit.fail(kept.error());
                                visit.reply(201,
                                            Value::object({{"subscribed", Value::boolean(true)}}));
                              });
}

void remove_subscription(Daemon& daemon, Visit visit) {
  Result<notify::Subscription> subscription = subscription_in(visit.request());
  if (!subscription) return visit.fail(subscription.error());
  if (daemon.notices == nullptr) return visit.fail(no_push());
  daemon.notices->shelf().remove(
      subscription->endpoint, visit.who.credential, [visit](const Result<void>& kept) {
        if (!kept) return visit.fail(kept.error());
        visit.reply(200, Value::object({{"subscribed", Value::boolean(false)}}));
      });
}

void list_notices(Daemon& daemon, Visit visit) {
  visit.reply(200, Value::object(
                       {{"targets", daemon.notices == nullptr ? Value::array()
                                                              : daemon.notices->targets_value()}}));
}

void try_notice(Daemon& daemon, Visit visit) {
  if (daemon.notices == nullptr) return visit.fail(no_push());
  daemon.notices->try_target(visit.arguments[0], [visit](const Result<Value>& tried) {
    if (!tried) return visit.fail(tried.error());
    visit.reply(200, *tried);
  });
}

}  // namespace tollgate::server
