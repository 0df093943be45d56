// ntfy: publishing as JSON, by https://docs.ntfy.sh/publish/#publish-as-json.
// The message is posted to the server itself; the topic stands in it. Every action is of the kind
// `view`: it opens the card, or the page that asks once more.
#include "json/json.h"
#include "notify/messages.h"

namespace tollgate::notify {
namespace {

using json::Value;

constexpr int kHigh = 4, kHighest = 5;  // of 1 to 5

Value view(std::string_view label, const std::string& url) {
  return Value::object({{"action", Value::string("view")},
                        {"label", Value::string(std::string(label))},
                        {"url", Value::string(url)},
                        {"clear", Value::boolean(true)}});
}

}  // namespace

Result<HttpMessage> ntfy_message(const Order& order, const PushParts&) {
  const Notice& notice = order.notice;
  Value actions = Value::array({view("Open", notice.link)});
  if (!order.ticket.secret.empty()) actions.push(view("Answer", order.ticket.url));
  Value tags = Value::array({Value::string("tollgate")});
  if (notice.urgent) tags.push(Value::string("warning"));
  const Value body = Value::object({{"topic", Value::string(order.target.topic)},
                                    {"title", Value::string(notice.title)},
                                    {"message", Value::string(notice.text)},
                                    {"priority", Value::integer(notice.urgent ? kHighest : kHigh)},
                                    {"tags", std::move(tags)},
                                    {"click", Value::string(notice.link)},
                                    {"actions", std::move(actions)}});
  HttpMessage out{.url = order.target.url, .headers = {}, .body = json::write(body)};
  out.headers.emplace_back("Content-Type", "application/json");
  if (!order.target.secret.empty())
    out.headers.emplace_back("Authorization", "Bearer " + order.target.secret);
  return out;
}

}  // namespace tollgate::notify
