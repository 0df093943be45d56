// The inside of decide(): one call judged under a policy, perhaps with a change applied to it.
// explain() judges again and again with overlays to find out what would change the answer.
// Lives on the stack of one decide(); everything it refers to outlives it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gate/decide.h"
#include "gate/plain_runs.h"
#include "policy/policy_view.h"

namespace tollgate {

// A change of the policy that is only tried, never made.
struct Overlay {
  std::vector<std::uint32_t> without;  // rules that do not count
  std::vector<Rule> extra;             // rules that count besides
  std::optional<Mode> mode;
  std::optional<Answerer> answer;
  std::optional<ToolPart> tool;  // one more entry in allowedTools
};

inline constexpr std::uint32_t kNoRule = 0xffffffff;

// A rule that spoke of the call.
struct Hit {
  std::uint32_t rule = kNoRule;   // in the policy, or
  std::uint32_t extra = kNoRule;  // among those that count besides: the overlay's, then grants
  std::uint32_t effect = 0xffffffff;
  Match match = Match::kNo;
  Verdict verdict = Verdict::kDeny;  // what it comes to: its list, or ask when in doubt
};

// What a decision rests on.
struct Grounds {
  std::vector<Hit> tight;   // deny and ask rules that hit
  std::vector<Hit> allows;  // allow rules that cover something (all of them only in full detail)
  std::vector<CeilingList> tool_lists;  // the lists that lack the tool, where the ceiling denies
  bool person_only = false;  // a breaker, a guarded path or a question: only a person settles it
  Mode mode = Mode::kDefault;
  Answerer answer = Answerer::kAsk;
};

struct Judgement : Grounds {
  Decision decision;
};

Judgement judge(const Policy& policy, const ToolCall& call, const Effects& effects,
                const Situation& situation, const DecideOptions& options,
                const Overlay* overlay = nullptr);

// Fills in what else matched, suggestions, and what would change the answer.
void explain(Judgement& judgement, const Policy& policy, const ToolCall& call,
             const Effects& effects, const Situation& situation, const DecideOptions& options);

// Rules that would settle this call, narrowest first; each was tried, with `under` in force too.
std::vector<std::string> suggest(const Policy& policy, const ToolCall& call, const Effects& effects,
                                 const Situation& situation, const DecideOptions& options,
                                 const Overlay& under = {});

// For each effect that a rule could cover, the narrowest rule for it.
std::vector<std::string> narrowest_rules(const ToolCall& call, const Effects& effects,
                                         const Situation& situation);

// The call or one of its effects lies outside the agent's ceiling: why, and the lists that lack it.
struct OutsideCeiling {
  Reason reason;
  std::vector<CeilingList> lists;  // never empty; the first is the one that the reason names
};
std::optional<OutsideCeiling> outside_ceiling(const AgentPolicy& agent, const Scene& scene,
                                              const Overlay* overlay);

// What must be denied whatever the rules say: a text that is too long to be followed to its end,
// and acts on the gate itself.
std::optional<Reason> not_followed(const Scene& scene);
enum class GateDoubt : std::uint8_t { kNone, kSome };
struct AgainstGate {
  std::optional<Reason> denied;
  GateDoubt doubt = GateDoubt::kNone;  // whether some act is or may be one
};
AgainstGate against_gate(const Scene& scene, const PlainRuns& plain = {});

// A built-in ground for ask, and the effect it is about.
struct Floor {
  Reason reason;
  std::uint32_t effect = 0;
};
// `doubt` is what against_gate() says.
std::vector<Floor> built_in_floors(const Scene& scene, GateDoubt doubt,
                                   const PlainRuns& plain = {});

// True when a rule spells exactly the path it covers: that alone settles a guarded path.
bool names_exactly(const RuleView& rule);

}  // namespace tollgate
