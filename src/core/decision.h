// The answer to one tool call, and why.
// Verdicts are ordered from loosest to strictest, so merging is max() and order-free.
// A Decision is complete: whoever holds one needs nothing else to show or store it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"
#include "core/mode.h"
#include "core/quorum.h"
#include "core/verdict.h"

namespace tollgate {

enum class ReasonKind : std::uint8_t {
  kRule,
  kGrant,
  kCeiling,
  kBreaker,
  kGuarded,
  kSensitive,
  kMode,
  kReadOnly,
  kAnswerer,
  kDefault,
  kMalformed,
  kLimit,
};
std::string_view name(ReasonKind kind);

enum class Layer : std::uint8_t { kNative, kHook, kGate, kProxy, kSandbox };
std::string_view name(Layer layer);

enum class ConfigSource : std::uint8_t {
  kEnv,
  kFile,
  kDefault,
  kManaged,
  kUser,
  kProject,
  kSession,
  kGrant,
};
std::string_view name(ConfigSource source);

// One ground for the verdict.
struct Reason {
  ReasonKind kind = ReasonKind::kDefault;
  Verdict verdict = Verdict::kDeny;  // what this reason alone comes to
  std::string rule;    // the rule's text as written, or the breaker's or mode's name; "" when none
  std::string source;  // file:line:column of the rule, "built-in", or ""
  std::string text;    // for people and models: what it means here and what to do
  Span span;           // the part of the call it is about

  bool operator==(const Reason&) const = default;
};

enum class ChangeKind : std::uint8_t {
  kAddRule,      // add `rules` to the list named by `list`
  kRemoveRules,  // remove `rules`, which stand at `places`
  kSetMode,      // set the mode to the one of `rules`
  kAddTool,      // add `rules` to the list of tools named by `list`, wherever `places` has one
  kSetTools,     // write `rules` as allowedTools, which takes the place of the role or preset
  kSetAnswer,    // set answer to the one of `rules`
  kReplace,      // remove `removed` at `places`, and add `rules` to the list named by `list`
  kPerson,       // nothing in the policy: only a person's answer
};

// A change of the policy that would lead to another verdict; true when tried.
struct Change {
  ChangeKind kind = ChangeKind::kPerson;
  std::string list;  // allow, ask, deny; allowedTools or the variable or option that is such a list
  std::vector<std::string> rules;    // rules, tools, a mode or an answerer
  std::vector<std::string> places;   // file:line:column, or a variable's or option's name
  Verdict verdict = Verdict::kDeny;  // what the gate would say then
  std::vector<std::string> removed;  // of kReplace: the rules to remove, as written

  bool operator==(const Change&) const = default;
};

struct Decision {
  Verdict verdict = Verdict::kDeny;  // a default-made decision must be safe
  Layer layer = Layer::kGate;
  ConfigSource config_source = ConfigSource::kDefault;
  std::vector<Reason> reasons;  // what decided, most telling first; never empty once decided
  std::vector<Reason> also;     // what else matched and did not decide (full detail only)
  std::vector<Change> changes;  // what would change the answer (full detail only)
  std::vector<std::string> suggestions;  // rules that would settle this ask, narrowest first
  std::string approve;  // the quorum text of the ask rule that decided, "" for none
  // Of an ask: whom to put it to, for how long, and what then. Elsewhere as they are made.
  std::vector<Quorum> quorums;  // `approve` as values, see by_rule()
  Answerer answer = Answerer::kAsk;
  std::int64_t within_ms = kPermissionTimeoutMs;  // 0: wait for ever
  OnTimeout on_timeout = OnTimeout::kDeny;

  bool operator==(const Decision&) const = default;
};

}  // namespace tollgate
