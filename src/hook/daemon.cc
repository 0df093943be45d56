#include "hook/daemon.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "core/codec.h"
#include "json/json.h"
#include "os/clock.h"
#include "os/local_socket.h"

namespace tollgate::hook {
namespace {

// LIMIT: an answer holds a call's input at most, and some words.
constexpr std::size_t kMostAnswer = kMaxCallBytes + (1u << 16);

std::unexpected<Error> bad(std::string message) {
  return Fail({.code = "bad-answer",
               .message = std::move(message),
               .hint = "is the daemon of this version?",
               .where = {}});
}

Decision settled(const Decision& asked, Verdict verdict, std::string rule, std::string text) {
  Decision out = asked;
  out.verdict = verdict;
  Reason reason;
  reason.kind = ReasonKind::kAnswerer;
  reason.verdict = verdict;
  reason.rule = std::move(rule);
  reason.source = "daemon";
  reason.text = std::move(text);
  out.also.insert(out.also.begin(), out.reasons.begin(), out.reasons.end());
  out.reasons = {std::move(reason)};
  out.changes.clear();
  out.suggestions.clear();
  return out;
}

Answer pending(const Decision& asked) {
  return {.decision = settled(asked, Verdict::kDeny, "pending",
                              "still pending: nobody has answered yet; retry the same call"),
          .changed = {}};
}

std::string text_in(const json::Value& value, std::string_view name) {
  const json::Value* member = value.find(name);
  return member == nullptr ? std::string() : member->as_string();
}

// The body of a response that says how long it is, and the number in its first line.
struct Response {
  int status = 0;
  std::string_view body;
};

std::optional<Response> response_in(std::string_view text) {
  constexpr std::string_view kStart = "HTTP/1.1 ";
  const std::size_t end = text.find("\r\n\r\n");
  if (!text.starts_with(kStart) || end == text.npos || end < kStart.size() + 3) return {};
  Response response;
  for (const char c : text.substr(kStart.size(), 3)) {
    if (c < '0' || c > '9') return {};
    response.status = response.status * 10 + (c - '0');
  }
  response.body = text.substr(end + 4);
  // SAFETY: a body that was cut off is no answer.
  const std::string head = lower(text.substr(0, end + 2));
  const std::string want = "\r\ncontent-length: " + std::to_string(response.body.size()) + "\r\n";
  if (head.find(want) == head.npos) return {};
  return response;
}

}  // namespace

std::string socket_in(const std::string& data_dir) { return data_dir + "/gate.sock"; }

std::string request_for(const ToolCall& call, const Decision& decision, std::int64_t within) {
  json::Value body = json::Value::object();
  body.set("call", to_json(call));
  body.set("decision", to_json(decision));
  body.set("withinMs", json::Value::integer(within));
  const std::string text = json::write(body);
  return "POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
         "Connection: close\r\nContent-Length: " +
         std::to_string(text.size()) + "\r\n\r\n" + text;
}

Result<Answer> answer_in(std::string_view text, const Decision& asked) {
  const std::optional<Response> response = response_in(text);
  if (!response) return bad("the daemon did not answer in HTTP");
  const Result<json::Value> body = json::parse(response->body);
  if (!body || !body->is_object()) return bad("the daemon's answer is no JSON object");
  if (response->status != 200) {
    const json::Value* error = body->find("error");
    const std::string message = error == nullptr ? "" : text_in(*error, "message");
    return bad("the daemon did not take the question" + (message.empty() ? "" : ": " + message));
  }
  const std::string verdict = text_in(*body, "verdict");
  const std::string reason = text_in(*body, "reason");
  const json::Value* changed = body->find("updatedInput");
  if (changed != nullptr && !changed->is_object()) return bad("`updatedInput` is no object");
  if (verdict == "allow")
    return Answer{.decision = settled(asked, Verdict::kAllow, "answered",
                                      reason.empty() ? "a person allowed it" : reason),
                  .changed = changed == nullptr ? std::optional<json::Value>() : *changed};
  if (verdict == "deny")
    return Answer{.decision = settled(asked, Verdict::kDeny, "answered",
                                      reason.empty() ? "a person denied it" : reason),
                  .changed = {}};
  if (verdict == "pending") return pending(asked);
  return bad("the daemon's answer has no verdict that is known");
}

Answer Daemon::ask(const ToolCall& call, const Decision& decision) {
  std::optional<os::LocalStream> stream = os::LocalStream::open(socket_);
  if (!stream) return {.decision = decision, .changed = {}};
  const std::int64_t within = std::max<std::int64_t>(until_ - os::now_monotonic(), 0);
  const Result<std::string> response =
      stream->exchange(request_for(call, decision, within), kMostAnswer, until_);
  if (!response && response.error().code == "socket-timeout") return pending(decision);
  const Result<Answer> answer =
      response ? answer_in(*response, decision) : Result<Answer>(Fail(response.error()));
  if (answer) return *answer;
  return {.decision = settled(decision, Verdict::kDeny, "daemon-failed",
                              answer.error().message + "; retry the same call"),
          .changed = {}};
}

}  // namespace tollgate::hook
