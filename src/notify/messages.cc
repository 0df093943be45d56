#include "notify/messages.h"

#include <algorithm>

#include "json/json.h"
#include "notify/push_cipher.h"
#include "notify/web_address.h"

namespace tollgate::notify {
namespace {

using json::Value;
using Make = Result<HttpMessage> (*)(const Order&, const PushParts&);

struct Row {
  Kind kind;
  Make make;
};
constexpr Row kRows[] = {
    {Kind::kPush, push_message},
    {Kind::kNtfy, ntfy_message},
    {Kind::kSlack, slack_message},
    {Kind::kWebhook, webhook_message},
};

// How long a push service keeps a message for a device that sleeps: as long as the question stands.
constexpr Millis kLongest = 24LL * 3600 * 1000;
constexpr Millis kTokenLife = 12LL * 3600 * 1000;  // RFC 8292 allows 24 hours

Error failed(std::string message, std::string hint) {
  return {
      .code = "notify-failed", .message = std::move(message), .hint = std::move(hint), .where = {}};
}

std::string seconds_left(const Notice& notice, Millis now) {
  const Millis left = notice.expires == 0 ? kLongest : notice.expires - now;
  return std::to_string(std::clamp<Millis>(left, 0, kLongest) / 1000);
}

}  // namespace

Result<HttpMessage> message_of(const Order& order, const PushParts& push) {
  if (!order.target.problem.empty()) return Fail(failed(order.target.problem, "mend its entry"));
  const auto* row = std::ranges::find(kRows, order.target.kind, &Row::kind);
  if (row == std::end(kRows)) return Fail(failed("this kind is not sent over HTTP", "report it"));
  return row->make(order, push);
}

std::string push_text(const Notice& notice) {
  Value out = Value::object(
      {{"title", Value::string(notice.title)},
       {"body", Value::string(notice.text)},
       {"id", Value::string(notice.question)},
       {"tag", Value::string(notice.question.empty() ? "tollgate" : notice.question)}});
  return json::write(out);
}

Result<HttpMessage> push_message(const Order& order, const PushParts& push) {
  const std::optional<WebAddress> address = web_address(order.subscription.endpoint);
  // SAFETY: the address came from a browser; only push services are spoken to.
  if (!address || !is_push_service(address->host, order.target.hosts))
    return Fail(failed("the subscription's address is no push service that is known",
                       "name its host under `hosts` of the target"));
  if (push.key == nullptr) return Fail(failed("there is no key for push messages", "see the log"));
  Result<std::string> authorization = push.key->authorization(
      address->origin(), order.target.contact, (order.now + kTokenLife) / 1000);
  if (!authorization) return Fail(std::move(authorization).error());
  Result<std::string> body =
      encrypted(push_text(order.notice), order.subscription, push.once, push.salt);
  if (!body) return Fail(std::move(body).error());
  HttpMessage out{.url = order.subscription.endpoint, .headers = {}, .body = std::move(*body)};
  out.headers = {{"Authorization", std::move(*authorization)},
                 {"Content-Encoding", "aes128gcm"},
                 {"Content-Type", "application/octet-stream"},
                 {"TTL", seconds_left(order.notice, order.now)},
                 {"Urgency", "high"}};
  // A later message with the topic takes the place of one that has not arrived: at most 32 letters.
  if (const std::string& topic = order.notice.question; !topic.empty() && topic.size() <= 32)
    out.headers.emplace_back("Topic", topic);
  return out;
}

}  // namespace tollgate::notify
