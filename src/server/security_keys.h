// People's security keys (WebAuthn), and the challenges that are out for them.
// On the daemon's own thread; keys are kept in the store, challenges in memory alone.
// SAFETY: a challenge is for one person and one act, answers once, and soon is worth nothing; with
// a registered key a stolen login cannot do what weighs most.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "json/value.h"
#include "store/store.h"
#include "webauthn/ceremony.h"

namespace tollgate::server {

using store::Millis;

inline constexpr Millis kChallengeLifetime = 120'000;
// LIMIT: challenges and keys of one person; an older challenge gives way.
inline constexpr std::size_t kMostChallenges = 8;
inline constexpr std::size_t kMostKeys = 16;

struct SecurityKey {
  std::string person;
  std::string name;
  std::string rp_id;
  webauthn::PublicKey key;
  Millis created = 0;
  Millis used = 0;

  std::string id() const;  // base64url, as browsers have it
};

// The page that people use a key on: browsers bind it to the one and say the other.
struct KeyPlace {
  std::string origin;
  std::string rp_id;
};

class SecurityKeys {
 public:
  using Post = std::function<void(std::function<void()>)>;
  using Random = std::function<std::string(std::size_t bytes)>;
  using Done = std::function<void(Result<void>)>;

  SecurityKeys(store::Store& store, Post post, Random random)
      : store_(store), post_(std::move(post)), random_(std::move(random)) {}
  void restore(const std::vector<std::pair<std::string, std::string>>& settings);

  bool has(const std::string& person) const;
  const SecurityKey* find(const std::string& id) const;
  std::vector<SecurityKey> all() const;  // oldest first

  // Bytes: a digest over random ones and what the person is about to do. Error: random-unavailable.
  Result<std::string> challenge(const std::string& person, const std::string& act, Millis now);

  // What the browser made of a challenge for `register`. Errors: presence-refused, bad-usage,
  // store-unavailable.
  void add(const std::string& person, const std::string& name, const json::Value& made,
           const KeyPlace& place, Millis now, const Done& done);
  // REQUIRES: whoever does it may. Errors: unknown-key, store-unavailable.
  void remove(const std::string& id, const std::string& by, Millis now, const Done& done);

  // The key that was touched for this act. Error: presence-refused.
  Result<SecurityKey> touched(const std::string& person, const std::string& act,
                              const json::Value& proof, const KeyPlace& place, Millis now);

 private:
  struct Challenge {
    std::string person;
    std::string act;
    Millis until = 0;
  };
  // Error: presence-refused.
  Result<std::string> spend(const std::string& client_data, const std::string& person,
                            const std::string& act, Millis now);
  void write(std::vector<store::Change> batch, const Done& done);

  store::Store& store_;
  Post post_;
  Random random_;
  std::map<std::string, SecurityKey> keys_;      // by the bytes of their ids
  std::map<std::string, Challenge> challenges_;  // by their bytes
};

// What a registration's challenge is for.
inline constexpr std::string_view kRegister = "register";

}  // namespace tollgate::server
