// What happens, and what becomes of it: state and event give the next state, and what the daemon is
// to be asked. Pure: no clock, no socket, no terminal; the time comes with the event.
// SAFETY: nothing here counts as answered before the daemon has said that it is recorded.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "cli/top/key.h"
#include "cli/top/state.h"
#include "json/value.h"

namespace tollgate::cli::top {

enum class Purpose {
  kMe,
  kWhole,     // `about`: the question
  kSeen,      //
  kAnswer,    //
  kPreview,   //
  kTogether,  // several questions
  kSessions,
  kChange,  // of a session, or a freeze
  kHistory,
  kOlder,  // rows before the last
  kRow,
  kReplay,
  kRecord,  // how far it is attested
};

struct Request {
  Purpose purpose = Purpose::kMe;
  std::string about;
  std::string method = "GET";
  std::string target;
  json::Value body;  // null for none

  bool operator==(const Request&) const = default;
};
using Requests = std::vector<Request>;

struct Ticked {};
struct Resized {
  Size size;
};
struct Pressed {
  Key key;
};
struct Heard {  // a message of the web socket
  json::Value message;
};
struct Lost {
  std::string why;
};
struct Replied {
  Request asked;
  Result<json::Value> said;
};
using Event = std::variant<Ticked, Resized, Pressed, Heard, Lost, Replied>;

// What to ask first.
Requests first_requests();

Requests apply(State& state, const Event& event, Millis now);

}  // namespace tollgate::cli::top
