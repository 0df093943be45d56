// A person's touch of a security key, as it comes with a request: for just this request.
// The page asks for a challenge by saying what it is about to send, and sends the proof beside it.
// SAFETY: the act is the method, the path, the whole body and the digest of the question that it
// is about; a proof for one act is none for another.
#pragma once

#include <optional>
#include <string>

#include "server/routes.h"
#include "server/security_keys.h"

namespace tollgate::server {

// The header that carries the proof: base64url of {credentialId, clientDataJSON,
// authenticatorData, signature}, each base64url.
inline constexpr std::string_view kTouchHeader = "x-tollgate-touch";

// Where keys can be used, for whoever sends this: nothing at an address that browsers bind no key
// to, such as 127.0.0.1.
std::optional<KeyPlace> key_place(const Daemon& daemon, const Request& request);

// What is done by a request, as one text.
std::string act_of(const Daemon& daemon, const std::string& method, const std::string& path,
                   const json::Value& body);

// The name of the key that was touched for this request, "" where it carries no proof. Errors:
// presence-refused, presence-unavailable.
Result<std::string> touch_of(Daemon& daemon, const Request& request, const std::string& person);

// Here is no place for keys.
Error presence_unavailable();
// The person has a key, and did not touch it: presence-required.
Error touch_required(const std::string& person);

}  // namespace tollgate::server
