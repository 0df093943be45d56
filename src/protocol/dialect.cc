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
    {"claude", AskMeans::kClientAsks, ChangeMeans::kRuns, ChangeMeans::kRuns, decode_claude,
     claude_reply, block},
    {"codex", AskMeans::kClientRuns, ChangeMeans::kRuns, ChangeMeans::kNothing, decode_codex,
     claude_reply, block},
    {"copilot", AskMeans::kClientAsks, ChangeMeans::kRuns, ChangeMeans::kNothing, decode_copilot,
     encode_copilot, refuse_copilot},
    {"cursor", AskMeans::kClientAsks, ChangeMeans::kNothing, ChangeMeans::kNothing, decode_cursor,
     encode_cursor, refuse_cursor},
    {"gemini", AskMeans::kClientRuns, ChangeMeans::kMerged, ChangeMeans::kNothing, decode_gemini,
     encode_gemini, block},
    {"generic", AskMeans::kClientAsks, ChangeMeans::kNothing, ChangeMeans::kNothing, decode_plain,
     encode_plain, refuse_plain},
    {"kimi", AskMeans::kClientRuns, ChangeMeans::kNothing, ChangeMeans::kNothing, decode_kimi,
     encode_kimi, block},
    {"kiro", AskMeans::kClientRuns, ChangeMeans::kNothing, ChangeMeans::kNothing, decode_kiro,
     encode_kiro, block},
    {"opencode", AskMeans::kClientRuns, ChangeMeans::kRuns, ChangeMeans::kNothing, decode_opencode,
     encode_opencode, refuse_opencode},
    {"q", AskMeans::kClientRuns, ChangeMeans::kNothing, ChangeMeans::kNothing, decode_q,
     encode_kiro, block},
};

// Whether the client runs `changed`, and nothing else, when it is told to.
bool runs_just(const Dialect& dialect, const HookRequest& request, const json::Value& changed) {
  const ChangeMeans means =
      request.event == HookEvent::kPermission ? dialect.change_asked : dialect.change;
  if (means == ChangeMeans::kNothing || changed.members().empty()) return false;
  if (means == ChangeMeans::kRuns) return true;
  return std::ranges::all_of(request.call.input.members(), [&](const auto& member) {
    return changed.find(member.first) != nullptr;
  });
}

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
  const bool taken = changed == nullptr || runs_just(dialect, request, *changed);
  if (decision.verdict == Verdict::kAllow && !taken)
    deny("it was approved with a change, which " + std::string(dialect.name) +
         " cannot take: make the call with this input instead: " + json::write(*changed));
  // Where the client is about to ask anyway, no answer leaves it at that.
  const bool asks = dialect.ask == AskMeans::kClientAsks || request.event == HookEvent::kPermission;
  if (decision.verdict == Verdict::kAsk && !asks)
    deny(std::string(dialect.name) + " has nobody to ask: allow it in the policy, or leave it");
  return decision;
}

}  // namespace tollgate
