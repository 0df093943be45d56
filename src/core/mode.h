// Modes and answerers: how much an agent may do unasked, and who settles an ask.
// Both are ordered from strict to loose, so that a less trusted layer can only move towards strict.
// Default-made values are the documented defaults: mode default, answer ask.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tollgate {

enum class Mode : std::uint8_t { kPlan, kDontAsk, kDefault, kAcceptEdits, kAutonomous };
enum class Answerer : std::uint8_t { kNo, kAsk, kForward, kParent, kYes };

constexpr Mode tighter(Mode a, Mode b) { return std::min(a, b); }
constexpr Answerer tighter(Answerer a, Answerer b) { return std::min(a, b); }

std::string_view name(Mode mode);
std::string_view name(Answerer answerer);

// Also takes the synonyms: manual; bypassPermissions and yolo; true and false for yes and no.
std::optional<Mode> mode_named(std::string_view text);
std::optional<Answerer> answerer_named(std::string_view text);

// For "did you mean".
std::span<const std::string_view> mode_names();
std::span<const std::string_view> answerer_names();

}  // namespace tollgate
