// The three answers the gate can give, and how answers merge.
// Ordered from loosest to strictest, so that merging is max() and order never matters.
// A default-made verdict is deny.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tollgate {

enum class Verdict : std::uint8_t { kAllow, kAsk, kDeny };

constexpr Verdict stricter(Verdict a, Verdict b) { return std::max(a, b); }

constexpr std::string_view name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAllow:
      return "allow";
    case Verdict::kAsk:
      return "ask";
    case Verdict::kDeny:
      break;
  }
  return "deny";
}

constexpr std::optional<Verdict> verdict_named(std::string_view text) {
  if (text == "allow") return Verdict::kAllow;
  if (text == "ask") return Verdict::kAsk;
  if (text == "deny") return Verdict::kDeny;
  return std::nullopt;
}

}  // namespace tollgate
