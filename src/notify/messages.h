// One notice as each kind of target takes it over HTTP.
// Pure: the clock, the key and the salt come in; http_client.h sends what comes out.
// To add a kind: a name in target.h, a file here with its function, a row in messages.cc, a case.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "notify/notice.h"
#include "notify/push_key.h"
#include "notify/target.h"

namespace tollgate::notify {

// What becomes of a message of Slack whose button was pressed.
// https://docs.slack.dev/interactivity/ handling-user-interaction: `response_url` takes five
// messages within half an hour.
struct SlackReply {
  std::string url;    // "": no reply
  std::string words;  // what became of the press
  bool whole =
      false;  // in place of the message, buttons and all; else for the presser's eyes alone
};

// What is to be said to whom.
struct Order {
  Target target;
  Subscription subscription;  // of push
  Notice notice;
  Ticket ticket;         // no secret: the notice answers nothing
  std::string delivery;  // the same for every try, so that a receiver takes it once
  Millis now = 0;
  json::Value head = {};  // of webhook: not a notice, but a head of the record's chain
  SlackReply reply = {};  // of slack: not a notice, but a word on one whose button was pressed
};

struct HttpMessage {
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  bool operator==(const HttpMessage&) const = default;
};

// The key of push messages, where there is one, and a salt for this one.
struct PushParts {
  const PushKey* key = nullptr;
  Key once;
  std::string salt;
};

// Errors: notify-failed, malformed-request (a subscription whose keys are none).
Result<HttpMessage> message_of(const Order& order, const PushParts& push);

Result<HttpMessage> push_message(const Order& order, const PushParts& push);
Result<HttpMessage> ntfy_message(const Order& order, const PushParts& push);
Result<HttpMessage> slack_message(const Order& order, const PushParts& push);
Result<HttpMessage> webhook_message(const Order& order, const PushParts& push);

// What the browser's worker gets: {"title", "body", "id", "tag"}.
std::string push_text(const Notice& notice);

}  // namespace tollgate::notify
