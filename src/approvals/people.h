// Who may answer and who may make sessions: credentials, logins, links that work once.
// One thread at a time: the daemon's own. Only digests of secrets are kept, in memory too.
// SAFETY: a name, a user id or a socket proves nothing; only a secret that was shown once does.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "approvals/desk.h"
#include "base/result.h"
#include "store/store.h"

namespace tollgate::approvals {

// How long a page stays logged in, and a link may be used; a paired device stays until it is
// revoked, or has not been paired again for so long.
inline constexpr store::Millis kCookieLifetime = 12LL * 3600 * 1000;
inline constexpr store::Millis kDeviceLifetime = 90LL * 24 * 3600 * 1000;
inline constexpr store::Millis kLinkLifetime = 60'000;
inline constexpr store::Millis kPairLifetime = 300'000;

inline store::Millis login_lifetime(const store::Credential& credential) {
  return credential.device.empty() ? kCookieLifetime : kDeviceLifetime;
}

struct Who {
  store::Credential credential;
  bool by_cookie = false;  // a page, or a command that logged in by a link
  std::string key = {};    // the security key that was touched for just this request
};

class People {
 public:
  using Post = std::function<void(std::function<void()>)>;
  // Gives random bytes; tests bring their own.
  using Random = std::function<std::string(std::size_t bytes)>;

  People(store::Store& store, Post post, Random random);
  void restore(const std::vector<store::Credential>& credentials, std::vector<store::Login> logins);

  struct NewCredential {
    std::string name;
    std::string person;
    std::vector<std::string> roles;
    bool approver = true;
    bool is_operator = false;
    std::string device;
    store::Millis lifetime = 0;  // 0: until revoked
  };
  // The secret, said just this once. A name is free again once it was revoked. Errors:
  // approver-taken, random-unavailable, store-unavailable.
  void add(NewCredential wanted, const std::string& by, store::Millis now,
           std::function<void(Result<std::string>)> done);
  // Its logins end with it. Errors: unknown-approver, store-unavailable.
  void revoke(const std::string& name, const std::string& by, store::Millis now,
              std::function<void(Result<void>)> done);

  // `Authorization: Bearer …`. `from` is where the guess came from: each place may err so often,
  // and then its wrong ones are not even looked at. A right one always counts: an agent on the same
  // machine must not be able to lock people out. Errors: bad-credential, too-many-guesses.
  Result<Who> by_secret(std::string_view secret, const std::string& from, store::Millis now);
  // The cookie's value and the key that was given with it; neither is good for anything alone.
  // Errors: bad-credential, too-many-guesses.
  Result<Who> by_cookie(std::string_view cookie, std::string_view key, const std::string& from,
                        store::Millis now);

  // A link that logs in once within its lifetime; the secret in it. Errors: unknown-approver,
  // random-unavailable, store-unavailable.
  void make_link(const std::string& credential, store::Millis now,
                 std::function<void(Result<std::string>)> done,
                 store::Millis lifetime = kLinkLifetime);
  struct Cookie {
    std::string value;
    std::string key;  // for the page to keep where only its own origin reads
    store::Credential credential;
  };
  // Errors: bad-credential (spent, unknown, too old), too-many-guesses, store-unavailable.
  void enter_by_link(std::string_view secret, const std::string& from, store::Millis now,
                     std::function<void(Result<Cookie>)> done);
  void enter_by_secret(std::string_view secret, const std::string& from, store::Millis now,
                       std::function<void(Result<Cookie>)> done);
  void leave(std::string_view cookie, std::string_view key, std::function<void(Result<void>)> done);

  std::vector<store::Credential> all() const;
  // Whether anybody is logged in with it: false for a device that never came, left, or stayed away
  // until its login had ended.
  bool is_logged_in(const std::string& name, store::Millis now) const;
  void tick(store::Millis now);

 private:
  struct Inside;
  std::shared_ptr<Inside> inside_;
};

Principal principal_of(const store::Credential& credential, std::string via);
Principal principal_of(const Who& who, std::string via);

}  // namespace tollgate::approvals
