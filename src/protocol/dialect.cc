#include "protocol/dialect.h"

#include <algorithm>
#include <utility>

#include "json/json.h"
#include "protocol/claude_hook.h"
#include "protocol/dialects.h"
#include "protocol/payload.h"

namespace tollgate {
namespace {

// What each client does with an ask was seen on the real programs; for Kiro, Q and Kimi their
// documents say that whatever does not block lets the tool run.
constexpr Dialect kDialects[] = {
    {"claude", AskMeans::kClientAsks, true, decode_claude, claude_reply, block},
    {"codex", AskMeans::kClientRuns, true, decode_codex, claude_reply, block},
    {"copilot", AskMeans::kClientAsks, true, decode_copilot, encode_copilot, refuse_copilot},
    {"cursor", AskMeans::kClientAsks, false, decode_cursor, encode_cursor, refuse_cursor},
    {"gemini", AskMeans::kClientRuns, true, decode_gemini, encode_gemini, block},
    {"generic", AskMeans::kClientAsks, false, decode_plain, encode_plain, refuse_plain},
    {"kimi", AskMeans::kClientRuns, false, decode_kimi, encode_kimi, block},
    {"kiro", AskMeans::kClientRuns, false, decode_kiro, encode_kiro, block},
    {"opencode", AskMeans::kClientRuns, true, decode_opencode, encode_opencode, refuse_opencode},
    {"q", AskMeans::kClientRuns, false, decode_q, encode_kiro, block},
};

}  // namespace

std::span<const Dialect> dialects() { return kDialects; }

const Dialect* dialect_named(std::string_view name) {
  const auto* row = std::ranges::find(kDialects, name, &Dialect::name);
  return row == std::end(kDialects) ? nullptr : row;
}

Decision heard_by(const Dialect& dialect, const HookRequest& request, Decision decision,
                  const json::Value* changed) {
  const auto deny = [&](const std::string& why) {
    decision.verdict = Verdict::kDeny;
    if (decision.reasons.empty()) decision.reasons.emplace_back();
    Reason& first = decision.reasons[0];
    first.verdict = Verdict::kDeny;
    if (!first.text.empty()) first.text += "; ";
    first.text += why;
  };
  // SAFETY: a client that leaves the change aside would run what nobody approved. An empty one is
  // left aside by clients that take others.
  if (decision.verdict == Verdict::kAllow && changed != nullptr &&
      (!dialect.takes_changes || changed->members().empty()))
    deny("it was approved with a change, which " + std::string(dialect.name) +
         " cannot take: make the call with this input instead: " + json::write(*changed));
  // Where the client is about to ask anyway, no answer leaves it at that.
  const bool asks = dialect.ask == AskMeans::kClientAsks || request.event == HookEvent::kPermission;
  if (decision.verdict == Verdict::kAsk && !asks)
    deny(std::string(dialect.name) + " has nobody to ask: allow it in the policy, or leave it");
  return decision;
}

}  // namespace tollgate
