// What Slack sends back when somebody presses a button, and whether it was Slack that sent it.
// https://docs.slack.dev/authentication/verifying-requests-from-slack: v0, HMAC-SHA256 over the
// version, the time and the body as it came.
// SAFETY: a signature proves that Slack sent it, not that the presser may answer: the ticket in the
// button and the name of the person are checked beside it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "notify/notice.h"

namespace tollgate::notify {

// LIMIT: how old or new a request may be.
inline constexpr Millis kSlackWindow = 5LL * 60 * 1000;

inline constexpr std::string_view kSlackOpen = "tollgate-open";
inline constexpr std::string_view kSlackAllow = "tollgate-allow";
inline constexpr std::string_view kSlackDeny = "tollgate-deny";

std::string slack_signature(std::string_view secret, std::string_view timestamp,
                            std::string_view body);

// Error: bad-signature.
Result<void> check_slack(std::string_view secret, std::string_view timestamp,
                         std::string_view signature, std::string_view body, Millis now);

struct SlackPress {
  std::string action;    // one of the three
  std::string ticket;    // of allow and deny
  std::string user;      // Slack's id of whoever pressed
  std::string question;  // whose message it is
  std::string reply;     // where a word on it may be sent: `response_url`
};

// Whether a reply may go there. SAFETY: the address came in a request; only the place that the
// configuration names for notices is spoken to.
bool may_reply(std::string_view target_url, std::string_view reply_url);

// The form `payload=…` that Slack posts. Error: malformed-request.
Result<SlackPress> slack_press(std::string_view body);

}  // namespace tollgate::notify
