// Puts a question to the gate's daemon, which has people to ask, and waits for what they say.
// One HTTP request over the socket in the data directory; see docs/hook.md for its words.
// SAFETY: only an answer that reads as one settles anything. Where nobody listens the question
// stays open for the client to ask; where a daemon took it and did not settle it, the call is
// denied.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "core/approver.h"

namespace tollgate::hook {

class Daemon : public Approver {
 public:
  // `until` counts as os::now_monotonic().
  Daemon(std::string socket, std::int64_t until) : socket_(std::move(socket)), until_(until) {}

  Answer ask(const ToolCall& call, const Decision& decision) override;

 private:
  std::string socket_;
  std::int64_t until_;
};

// Where a daemon with this data directory listens.
std::string socket_in(const std::string& data_dir);

// The request as it goes over the wire, and the answer that came. Error: bad-answer.
std::string request_for(const ToolCall& call, const Decision& decision, std::int64_t within);
Result<Answer> answer_in(std::string_view response, const Decision& asked);

}  // namespace tollgate::hook
