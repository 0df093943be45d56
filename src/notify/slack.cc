#include "notify/slack.h"

#include <charconv>

#include "base/text.h"
#include "json/json.h"
#include "notify/codes.h"
#include "notify/messages.h"
#include "notify/web_address.h"

namespace tollgate::notify {
namespace {

using json::Value;

// LIMIT: of a text in a block.
constexpr std::size_t kMostText = 2'900;

Value plain(std::string_view text) {
  return Value::object({{"type", Value::string("plain_text")},
                        {"text", Value::string(std::string(text.substr(0, kMostText)))},
                        {"emoji", Value::boolean(false)}});
}

Value button(std::string_view label, std::string_view action) {
  return Value::object({{"type", Value::string("button")},
                        {"text", plain(label)},
                        {"action_id", Value::string(std::string(action))}});
}

Error malformed(std::string message) {
  return {.code = "malformed-request",
          .message = std::move(message),
          .hint = "set this address as the interactivity request URL of the Slack app",
          .where = {}};
}

std::string unescaped(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
      continue;
    }
    if (text[i] != '%' || i + 2 >= text.size()) {
      out += text[i];
      continue;
    }
    const std::size_t high = kDigits.find(lower(text[i + 1])),
                      low = kDigits.find(lower(text[i + 2]));
    if (high == kDigits.npos || low == kDigits.npos) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

std::string text_at(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  return member == nullptr ? "" : member->as_string();
}

Value section(std::string_view text) {
  return Value::object({{"type", Value::string("section")}, {"text", plain(text)}});
}

Result<HttpMessage> slack_reply(const Order& order) {
  if (!may_reply(order.target.url, order.reply.url))
    return Fail({.code = "notify-failed",
                 .message = "the reply would go to another place than the target's",
                 .hint = "report it",
                 .where = {}});
  Value body = Value::object({{"text", Value::string(as_markup(order.reply.words))},
                              {"replace_original", Value::boolean(order.reply.whole)}});
  if (!order.reply.whole) {
    body.set("response_type", Value::string("ephemeral"));
  } else {
    Value blocks = Value::array();
    if (!order.notice.title.empty())
      blocks.push(section(order.notice.title + "\n" + order.notice.text));
    blocks.push(section(order.reply.words));
    body.set("blocks", std::move(blocks));
  }
  return HttpMessage{.url = order.reply.url,
                     .headers = {{"Content-Type", "application/json; charset=utf-8"}},
                     .body = json::write(body)};
}

Error bad_signature(std::string message) {
  return {.code = "bad-signature",
          .message = std::move(message),
          .hint = "compare the signing secret of the Slack app with the target's, and the clocks",
          .where = {}};
}

}  // namespace

bool may_reply(std::string_view target_url, std::string_view reply_url) {
  const std::optional<WebAddress> target = web_address(target_url), reply = web_address(reply_url);
  return target && reply && target->origin() == reply->origin();
}

Result<HttpMessage> slack_message(const Order& order, const PushParts&) {
  if (!order.reply.url.empty()) return slack_reply(order);
  const Notice& notice = order.notice;
  Value open = button("Open", kSlackOpen);
  open.set("url", Value::string(notice.link));
  Value elements = Value::array({std::move(open)});
  if (!order.ticket.secret.empty()) {
    for (const auto& [label, action, style] :
         {std::tuple("Allow once", kSlackAllow, "primary"), {"Deny", kSlackDeny, "danger"}}) {
      Value each = button(label, action);
      each.set("style", Value::string(style));
      each.set("value", Value::string(order.ticket.secret));
      elements.push(std::move(each));
    }
  }
  Value actions = Value::object({{"type", Value::string("actions")}});
  // Slack gives it back with a press of any of them.
  if (!notice.question.empty()) actions.set("block_id", Value::string(notice.question));
  actions.set("elements", std::move(elements));
  const Value body = Value::object(
      {{"text", Value::string(as_markup(notice.title))},
       {"unfurl_links", Value::boolean(false)},
       {"unfurl_media", Value::boolean(false)},
       {"blocks", Value::array({section(notice.title + "\n" + notice.text), std::move(actions)})}});
  return HttpMessage{.url = order.target.url,
                     .headers = {{"Content-Type", "application/json; charset=utf-8"}},
                     .body = json::write(body)};
}

std::string slack_signature(std::string_view secret, std::string_view timestamp,
                            std::string_view body) {
  std::string text = "v0:";
  text.append(timestamp).append(":").append(body);
  const std::string mac = hmac_sha256(secret, text);
  return mac.empty() ? "" : "v0=" + hexadecimal(mac);
}

Result<void> check_slack(std::string_view secret, std::string_view timestamp,
                         std::string_view signature, std::string_view body, Millis now) {
  Millis seconds = 0;
  const auto [end, error] =
      std::from_chars(timestamp.data(), timestamp.data() + timestamp.size(), seconds);
  const bool number = error == std::errc() && end == timestamp.data() + timestamp.size() &&
                      seconds >= 0 && seconds < 100'000'000'000;
  if (!number) return Fail(bad_signature("the request says no time"));
  const Millis apart = now - seconds * 1000;
  if (apart > kSlackWindow || apart < -kSlackWindow)
    return Fail(bad_signature("the request is older or newer than five minutes"));
  if (secret.empty() || !same_secret(slack_signature(secret, timestamp, body), signature))
    return Fail(bad_signature("the request's signature is not Slack's"));
  return {};
}

Result<SlackPress> slack_press(std::string_view body) {
  std::string payload;
  for (const std::string_view part : split(body, '&'))
    if (part.starts_with("payload=")) payload = unescaped(part.substr(8));
  const Result<Value> value = json::parse(payload);
  if (payload.empty() || !value) return Fail(malformed("there is no `payload` that can be read"));
  const Value* actions = value->find("actions");
  if (text_at(*value, "type") != "block_actions" || actions == nullptr ||
      actions->items().size() != 1)
    return Fail(malformed("the payload is no press of one button"));
  const Value& action = actions->items()[0];
  SlackPress press{.action = text_at(action, "action_id"),
                   .ticket = text_at(action, "value"),
                   .user = {},
                   .question = text_at(action, "block_id"),
                   .reply = text_at(*value, "response_url")};
  if (const Value* user = value->find("user")) press.user = text_at(*user, "id");
  return press;
}

}  // namespace tollgate::notify
