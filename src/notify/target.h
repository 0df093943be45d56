// Where notices go: one entry of `notify:`, with its secrets read.
// Values only; what is sent to each kind is in its own file, and messages.cc has the table.
// SAFETY: targets come from the user's and the managed file alone; no project, session or call adds
// or changes one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate::notify {

enum class Kind : std::uint8_t {
  kDesktop,  // a freedesktop notification on the session bus
  kPush,     // Web Push to the devices that subscribed
  kNtfy,     // a topic of an ntfy server
  kSlack,    // an incoming webhook of Slack
  kWebhook,  // any other receiver, signed
};

inline constexpr std::string_view kKindNames[] = {"desktop", "push", "ntfy", "slack", "webhook"};

inline std::string_view name(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

inline std::optional<Kind> kind_named(std::string_view word) {
  for (std::size_t i = 0; i < std::size(kKindNames); ++i)
    if (kKindNames[i] == word) return static_cast<Kind>(i);
  return std::nullopt;
}

struct Target {
  std::string name;
  Kind kind = Kind::kWebhook;
  std::string url;                 // of ntfy, slack and webhook
  std::string topic;               // of ntfy
  std::string secret;              // ntfy: access token; slack: signing secret; webhook: key
  std::string contact;             // of push: mailto: or https:, for the push service's operators
  std::string ca_file;             // trusted beside the system's own authorities
  std::vector<std::string> hosts;  // of push: services beside the known ones
  bool plain = false;              // http to other machines is wanted
  std::string problem;             // why it cannot be used, "" for nothing

  bool operator==(const Target&) const = default;
};

// A browser's subscription: where Web Push sends to, and the keys that only that browser can open.
struct Subscription {
  std::string endpoint;
  std::string p256dh;  // base64url: its public key, 65 bytes
  std::string auth;    // base64url: 16 bytes

  bool operator==(const Subscription&) const = default;
};

}  // namespace tollgate::notify
