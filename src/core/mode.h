// Modes and answerers: how much an agent may do unasked, who settles an ask, and what if nobody
// does. All are ordered from strict to loose, so that a less trusted layer can only move towards
// strict. Default-made values are the documented defaults: mode default, answer ask, on timeout
// deny.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tollgate {

enum class Mode : std::uint8_t { kPlan, kDontAsk, kDefault, kAcceptEdits, kAutonomous };
enum class Answerer : std::uint8_t { kNo, kAsk, kForward, kParent, kYes };
enum class OnTimeout : std::uint8_t { kDeny, kEscalate, kForward };

// How long a question stands where nobody says otherwise.
inline constexpr std::int64_t kPermissionTimeoutMs = 30'000;

constexpr Mode tighter(Mode a, Mode b) { return std::min(a, b); }
constexpr Answerer tighter(Answerer a, Answerer b) { return std::min(a, b); }
constexpr OnTimeout tighter(OnTimeout a, OnTimeout b) { return std::min(a, b); }

std::string_view name(Mode mode);
std::string_view name(Answerer answerer);
std::string_view name(OnTimeout on_timeout);

// Also takes the synonyms: manual; bypassPermissions and yolo; true and false for yes and no.
std::optional<Mode> mode_named(std::string_view text);
std::optional<Answerer> answerer_named(std::string_view text);

// For "did you mean".
std::span<const std::string_view> mode_names();
std::span<const std::string_view> answerer_names();

}  // namespace tollgate
