// Any call, from its JSON line to its decision: total, repeatable, and never an allow for what
// could not be read. A text that is no JSON object is taken for a shell command. The policy in here
// has no bare `Bash`, so an Unknown effect can never come to allow.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "core/codec.h"
#include "fuzz/scenes.h"
#include "gate/decide.h"
#include "policy/policy.h"
#include "policy/rule.h"
#include "protocol/generic.h"

namespace {

using namespace tollgate;
using fuzz::require;

PolicySet rules() {
  PolicySet set = built_in_policy();
  struct Row {
    Verdict list;
    std::string_view text;
  };
  constexpr Row kRows[] = {
      {Verdict::kAllow, "Bash(npm *)"},
      {Verdict::kAllow, "Bash(git *)"},
      {Verdict::kAllow, "Bash(echo *)"},
      {Verdict::kAllow, "Edit(src/**)"},
      {Verdict::kAllow, "Read(//etc/**)"},
      {Verdict::kAllow, "WebFetch(domain:example.com)"},
      {Verdict::kAllow, "mcp__github"},
      {Verdict::kAllow, "Agent(Explore)"},
      {Verdict::kAsk, "Bash(git push *)"},
      {Verdict::kAsk, "Edit(**/package.json)"},
      {Verdict::kDeny, "Bash(rm -rf *)"},
      {Verdict::kDeny, "Bash(git push --force *)"},
      {Verdict::kDeny, "Read(**/.env)"},
      {Verdict::kDeny, "WebFetch(domain:evil.example.com)"},
      {Verdict::kDeny, "mcp__github__merge(repo=acme/*)"},
  };
  for (const Row& row : kRows) set.rules.push_back(parse_rule(row.list, row.text, {}).value());
  return set;
}

ToolCall command(std::string_view text) {
  ToolCall call = fuzz::call_of("Bash", "{}");
  call.input.set("command", json::Value::string(std::string(text)));
  return call;
}

void survives_the_record(const fuzz::Asked& asked) {
  const Result<Effects> effects = effects_from_json(to_json(asked.effects));
  require(effects.has_value() && *effects == asked.effects);
  const Result<Situation> situation = situation_from_json(to_json(asked.situation));
  require(situation.has_value() && *situation == asked.situation);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size > 4096) return 0;
  static const Policy policy = compile(rules());
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  ToolCall call;
  if (text.starts_with('{')) {
    Result<ToolCall> decoded = decode_generic(text);
    if (!decoded) {
      require(!decoded.error().code.empty() && !decoded.error().message.empty());
      require(deny_malformed(decoded.error()).verdict == Verdict::kDeny);
      return 0;
    }
    call = std::move(*decoded);
  } else {
    call = command(text);
  }
  const fuzz::Asked asked = fuzz::look_at(std::move(call));
  require(asked.situation.paths.size() == asked.effects.size());
  const Decision decision = decide(policy, asked.call, asked.effects, asked.situation);
  require(!decision.reasons.empty());
  require(decision == decide(policy, asked.call, asked.effects, asked.situation));
  // A tool that is declared without side effects is free whatever its input says.
  const ToolDeclaration* declared = declaration_of(asked.call.tool, policy.tools());
  const bool quiet = declared != nullptr && !declared->side_effect;
  for (const Effect& effect : asked.effects)
    if (effect.kind == EffectKind::kUnknown && !quiet) require(decision.verdict != Verdict::kAllow);
  if (asked.effects.size() <= 16) {
    const DecideOptions full{.detail = Detail::kFull, .mode = {}};
    require(decide(policy, asked.call, asked.effects, asked.situation, full).verdict ==
            decision.verdict);
  }
  if (is_valid_utf8(text)) survives_the_record(asked);
  return 0;
}
