// Any other receiver: JSON, signed as https://www.standardwebhooks.com says, so that libraries for
// it check it: HMAC-SHA256 over id, time and body, each time a try is made.
// The id stays the same over tries: a receiver that has it takes it once.
#include "base/moment_text.h"
#include "json/json.h"
#include "notify/codes.h"
#include "notify/messages.h"

namespace tollgate::notify {
namespace {

using json::Value;

Value moment(Millis at) { return at == 0 ? Value() : Value::string(moment_text(at)); }

// `whsec_` and base64, as those libraries write a key; any other text is the key itself.
std::string key_of(const std::string& secret) {
  constexpr std::string_view kPrefix = "whsec_";
  if (!secret.starts_with(kPrefix)) return secret;
  return bytes_of_base64(std::string_view(secret).substr(kPrefix.size())).value_or(secret);
}

Value notice_data(const Order& order) {
  const Notice& notice = order.notice;
  Value data = Value::object({{"id", Value::string(notice.question)},
                              {"agent", Value::string(notice.agent)},
                              {"tool", Value::string(notice.tool)},
                              {"title", Value::string(notice.title)},
                              {"text", Value::string(notice.text)},
                              {"link", Value::string(notice.link)},
                              {"urgent", Value::boolean(notice.urgent)},
                              {"createdAt", moment(notice.created)},
                              {"expiresAt", moment(notice.expires)}});
  if (!order.ticket.secret.empty())
    data.set("answer", Value::object({{"url", Value::string(order.ticket.url)},
                                      {"expiresAt", moment(order.ticket.expires)}}));
  return data;
}

}  // namespace

Result<HttpMessage> webhook_message(const Order& order, const PushParts&) {
  const bool asked = order.head.is_null();
  const Value body =
      Value::object({{"type", Value::string(asked ? "question.asked" : "record.head")},
                     {"timestamp", moment(order.now)},
                     {"data", asked ? notice_data(order) : order.head}});
  HttpMessage out{.url = order.target.url, .headers = {}, .body = json::write(body)};
  const std::string time = std::to_string(order.now / 1000);
  const std::string mac =
      hmac_sha256(key_of(order.target.secret), order.delivery + "." + time + "." + out.body);
  if (mac.empty() || order.target.secret.empty())
    return Fail({.code = "notify-failed",
                 .message = "a notice to a webhook cannot be signed",
                 .hint = "give the target a `secretFile`",
                 .where = {}});
  out.headers = {{"Content-Type", "application/json"},
                 {"webhook-id", order.delivery},
                 {"webhook-timestamp", time},
                 {"webhook-signature", "v1," + base64(mac)}};
  return out;
}

}  // namespace tollgate::notify
