#include "notify/outlet.h"

#include "os/random.h"

namespace tollgate::notify {
namespace {

constexpr std::size_t kSaltBytes = 16;

Result<HttpMessage> made(const Order& order, const PushKey* key) {
  PushParts push;
  if (order.target.kind == Kind::kPush) {
    Result<std::string> salt = os::random_bytes(kSaltBytes);
    if (!salt) return Fail(std::move(salt).error());
    push = {.key = key, .once = new_key(), .salt = std::move(*salt)};
  }
  return message_of(order, push);
}

}  // namespace

Outcome outcome_of(Kind kind, const Result<HttpReply>& reply) {
  using enum Outcome::Kind;
  if (!reply) return {.kind = kRefused, .wait = 0, .why = reply.error().message};
  const int status = reply->status;
  if (status == 0) return {.kind = kAgain, .wait = 0, .why = reply->why};
  if (status >= 200 && status < 300) return {.kind = kDelivered, .wait = 0, .why = {}};
  const std::string why = "it answered with status " + std::to_string(status);
  if (kind == Kind::kPush && (status == 404 || status == 410))
    return {.kind = kGone, .wait = 0, .why = "the subscription has ended"};
  if (status == 408 || status == 425 || status == 429 || status >= 500)
    return {.kind = kAgain, .wait = reply->retry_ms, .why = why};
  return {.kind = kRefused, .wait = 0, .why = why};
}

Outlet::Outlet(OutletOptions options)
    : push_key_(std::move(options.push_key)), http_(options.request_time) {
  if (!options.bus_address.empty())
    desktop_ = std::make_unique<Desktop>(std::move(options.bus_address), std::move(options.looked));
}

void Outlet::send(Order order, std::function<void(Outcome)> done) {
  if (order.target.kind == Kind::kDesktop) {
    if (desktop_ != nullptr) return desktop_->send(std::move(order.notice), std::move(done));
    return done(
        {.kind = Outcome::Kind::kRefused, .wait = 0, .why = "there is no session bus here"});
  }
  const Kind kind = order.target.kind;
  // SAFETY: http is for this machine alone where the address came from a browser.
  HttpWay way{.ca_file = order.target.ca_file, .plain = order.target.plain && kind != Kind::kPush};
  http_.send([order = std::move(order), key = push_key_] { return made(order, key.get()); },
             std::move(way),
             [kind, done = std::move(done)](const Result<HttpReply>& reply) {
               done(outcome_of(kind, reply));
             });
}

void Outlet::recall(const std::string& question) {
  if (desktop_ != nullptr) desktop_->recall(question);
}

}  // namespace tollgate::notify
