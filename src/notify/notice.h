// What people are told of a question: who asks, with which tool, and how the gate reads it.
// Made by the gate; the agent's own text is not in it, and the whole call is behind the link.
// SAFETY: a notice opens the card and answers nothing; what may answer is a Ticket, made only where
// the configuration says so for a rule.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tollgate::notify {

using Millis = std::int64_t;  // since 1970; 0: never

struct Notice {
  std::string question;  // its id; "" of a notice about several
  std::string agent;     // visible text
  std::string tool;      // visible text
  std::string title;     // one line
  std::string text;      // the gate's short reading, and what asks
  std::string link;      // opens the card
  bool urgent = false;   // a breaker asks
  bool several = false;  // more than one person must answer: that one has seen it is not enough
  Millis created = 0;
  Millis expires = 0;

  bool operator==(const Notice&) const = default;
};

// The power to answer one question once, as somebody. The secret stands in what is sent and nowhere
// else.
struct Ticket {
  std::string secret;
  std::string url;  // of the page that asks once more before it answers
  Millis expires = 0;

  bool operator==(const Ticket&) const = default;
};

}  // namespace tollgate::notify
