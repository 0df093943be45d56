// Does a rule speak of this call? The exact answer, rule by rule; the index only saves asking.
// Deny and ask rules *hit*: any reading of the call that they match is enough.
// Allow rules *cover*: one effect at a time, and only on the plainest reading.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/effect.h"
#include "core/situation.h"
#include "core/tool_call.h"
#include "core/tool_declaration.h"
#include "policy/rule.h"

namespace tollgate {

enum class Match : std::uint8_t {
  kNo,
  kMaybe,  // only through something unknown: a deny or ask counts as ask, an allow as nothing
  kYes,
};

// What matching needs of a rule; the texts live in the Rule or the compiled policy.
struct RuleView {
  Verdict verdict = Verdict::kDeny;
  ToolPartKind tool_kind = ToolPartKind::kName;
  SpecifierKind specifier_kind = SpecifierKind::kNone;
  std::uint16_t kinds = 0;  // of the built-in tools it names, also when it names one by its name
  std::string_view tool_name;
  std::string_view specifier;
};

// The kinds of built-in tool that a tool part names, one bit each.
std::uint16_t kinds_named_by(const ToolPart& part);

RuleView view_of(const Rule& rule);
RuleView view_of(const Rule& rule, std::uint16_t kinds);  // kinds_named_by(rule.tool), when known
RuleView view_of(Rule&&) = delete;
RuleView view_of(Rule&&, std::uint16_t kinds) = delete;
bool covers(const RuleView& rule, std::string_view tool, ToolKind kind);

// The call as the matcher sees it; everything outlives it.
struct Scene {
  const ToolCall& call;
  ToolKind kind;
  const Effects& effects;
  const Situation& situation;
  std::span<const ToolDeclaration> tools;
};

// What was found for an effect; an unknown look where nobody looked.
inline const PathLook kNoLook;
inline const PathLook& look_at(const Scene& scene, std::size_t effect) {
  return effect < scene.situation.paths.size() ? scene.situation.paths[effect] : kNoLook;
}

// Whether a path effect counts as one: a guess counts only where something is there to touch, or
// where it looks like a path.
bool is_touch(const Scene& scene, std::size_t effect);

// The kinds of built-in tool whose work this call's tool does: what an Unknown of it may be.
std::uint16_t kinds_of_tool(const Scene& scene);

// Deny and ask: what the rule says of the call as such, and of one of its effects.
Match hits_call(const RuleView& rule, const Scene& scene);
Match hits_effect(const RuleView& rule, const Scene& scene, std::size_t effect);

// Allow: whether the rule by itself permits this effect.
bool covers_effect(const RuleView& rule, const Scene& scene, std::size_t effect);

// Allow rules for commands: whether the rule covers the run of an interpreter and spells it, so
// that the script it is given, or the code behind a flag that the rule spells too, is covered.
bool covers_unread(const RuleView& rule, const Scene& scene, std::size_t effect);

// Allow rules for commands: whether the pattern spells this path without a star, so that the
// command it covers may touch it outside the roots too.
bool spells_path(const RuleView& rule, std::string_view path);

// Allow rules for commands: whether the pattern has this very word, without a star.
bool spells_word(const RuleView& rule, std::string_view word);

using ReadEffects =
    std::function<Effects(const ToolCall& call, std::span<const ToolDeclaration> declared)>;

// Whether an example of `match:` or `not_match:` is one that the rule speaks of. The example is
// the tool's main text (a command, a path, a URL), or a JSON object with its input.
bool matches_example(const Rule& rule, std::string_view example, const ReadEffects& read_effects,
                     std::span<const ToolDeclaration> tools);

// ---- the parts, for tests and for each other ----

// A command pattern read as text (allow, deny, ask), and as a command (deny, ask). Words that are
// not known match the text where stars cover them; deny and ask do not take what a program prints
// for text, either.
bool command_text_matches(std::string_view pattern, std::span<const Word> argv, Verdict list,
                          std::string_view home);
Match command_hits(std::string_view pattern, std::span<const Word> argv, std::string_view home);

// The words of a command that are not known and may be options: not the values of options, nor
// what stands behind two dashes. REQUIRES: a program.
std::vector<const Word*> hidden_options(std::span<const Word> argv);

// The words of a command pattern: all of them, and those that are operands or values of options
// when it is read as a command. Views into the pattern, escapes kept.
struct CommandParts {
  std::vector<std::string_view> operands;
  std::vector<std::string_view> values;
};
std::vector<std::string_view> all_words(std::string_view pattern);
CommandParts command_parts(std::span<const std::string_view> words);  // REQUIRES: all_words

Match path_hits(std::string_view specifier, const Effect& effect, const PathLook& look,
                const Situation& situation);
bool path_covers(std::string_view specifier, const Effect& effect, const PathLook& look,
                 const Situation& situation);

Match host_hits(const RuleView& rule, const Effect& effect);
bool host_covers(const RuleView& rule, const Effect& effect);

// `packed` is name NUL pattern NUL …
Match arguments_hit(std::string_view packed, const json::Value& input);
bool arguments_cover(std::string_view packed, const json::Value& input);

// A value that some reader could take for another path than the one written: `.` and `..`
// segments, an empty segment, a backslash, an encoded dot or slash.
bool has_odd_segments(std::string_view value);

// True when a host is one of a list of names and `*.names`.
bool host_in(std::string_view host, const std::vector<std::string>& names);

}  // namespace tollgate
