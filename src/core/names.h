// The written names of core's enumerations, in the order of their enumerators.
// name(), the codec and the schemas all read these, so that they cannot disagree.
// INVARIANT: a list has as many names as its enumeration has enumerators; a test counts them.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "core/decision.h"
#include "core/effect.h"
#include "core/mode.h"
#include "core/situation.h"
#include "core/verdict.h"

namespace tollgate {

inline constexpr std::string_view kVerdictNames[] = {"allow", "ask", "deny"};

inline constexpr std::string_view kEffectKindNames[] = {
    "run",   "read",   "write", "create", "delete", "rename", "link",    "mode",
    "reach", "search", "mcp",   "agent",  "app",    "person", "unknown",
};

inline constexpr std::string_view kEffectByNames[] = {"tool", "operand", "redirection"};

inline constexpr std::string_view kGuessNames[] = {"none", "path", "word", "program"};

inline constexpr std::string_view kRestNames[] = {"nothing", "anything", "pattern", "joined"};

inline constexpr std::string_view kReasonKindNames[] = {
    "rule", "grant",     "ceiling",  "breaker", "guarded",   "sensitive",
    "mode", "read-only", "answerer", "default", "malformed", "limit",
};

inline constexpr std::string_view kLayerNames[] = {"native", "hook", "gate", "proxy", "sandbox"};

inline constexpr std::string_view kConfigSourceNames[] = {
    "env", "file", "default", "managed", "user", "project", "session", "grant",
};

inline constexpr std::string_view kChangeKindNames[] = {
    "add-rule",  "remove-rules", "set-mode", "add-tool",
    "set-tools", "set-answer",   "replace",  "person",
};

inline constexpr std::string_view kPathStateNames[] = {
    "unknown", "missing", "file", "directory", "other",
};

inline constexpr std::string_view kRepositoryNames[] = {
    "none", "own", "other", "missing", "names-programs",
};

inline constexpr std::string_view kModeNames[] = {
    "plan", "dontAsk", "default", "acceptEdits", "autonomous",
};

inline constexpr std::string_view kAnswererNames[] = {"no", "ask", "forward", "parent", "yes"};

inline constexpr std::string_view kOnTimeoutNames[] = {"deny", "escalate", "forward"};

template <class E>
inline constexpr std::span<const std::string_view> kNamesOf{};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<Verdict>{kVerdictNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<EffectKind>{kEffectKindNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<EffectBy>{kEffectByNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<Guess>{kGuessNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<Rest>{kRestNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<ReasonKind>{kReasonKindNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<Layer>{kLayerNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<ConfigSource>{kConfigSourceNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<ChangeKind>{kChangeKindNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<PathState>{kPathStateNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<Repository>{kRepositoryNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<Mode>{kModeNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<Answerer>{kAnswererNames};
template <>
inline constexpr std::span<const std::string_view> kNamesOf<OnTimeout>{kOnTimeoutNames};

// A value outside the enumeration has the name of the last enumerator.
template <class E>
constexpr std::string_view name_in_list(E value) {
  const std::span<const std::string_view> names = kNamesOf<E>;
  const auto index = static_cast<std::size_t>(value);
  return index < names.size() ? names[index] : names.back();
}

template <class E>
constexpr std::optional<E> value_named(std::string_view text) {
  const std::span<const std::string_view> names = kNamesOf<E>;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return static_cast<E>(i);
  return std::nullopt;
}

}  // namespace tollgate
