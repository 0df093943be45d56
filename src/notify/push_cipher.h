// Encrypts what a push service carries, so that only the browser can read it (RFC 8291, aes128gcm).
// Each message has a key and a salt of its own; they come in as arguments, for the RFC's own
// example.
// SAFETY: a push service sees the length and the address, and nothing of the question.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "notify/push_key.h"
#include "notify/target.h"

namespace tollgate::notify {

// LIMIT: what a push service must take is 4,096 bytes, 103 of them are not the text's.
inline constexpr std::size_t kMostPushText = 3'993;

// Whether a browser's keys are what they must be: a point on P-256 and 16 bytes. Error:
// malformed-request, which says what is wrong.
Result<void> check_subscription(const Subscription& subscription);

// The body of a push message. REQUIRES: a salt of 16 bytes. Errors: malformed-request,
// notify-failed.
Result<std::string> encrypted(std::string_view text, const Subscription& subscription,
                              const Key& own, std::string_view salt);

}  // namespace tollgate::notify
