// The devices that want notices by Web Push: their browsers' subscriptions.
// On the daemon's own thread; kept in the store, each bound to the credential that registered it.
// SAFETY: one whose credential was revoked, expired or made anew is not sent to, and goes.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "approvals/people.h"
#include "notify/target.h"
#include "store/store.h"

namespace tollgate::server {

using store::Millis;

// LIMIT: browsers of one credential, and of all.
inline constexpr std::size_t kMostOfCredential = 8;
inline constexpr std::size_t kMostSubscriptions = 256;

struct PushDevice {
  notify::Subscription subscription;
  std::string credential;
  Millis created = 0;
};

class PushShelf {
 public:
  using Post = std::function<void(std::function<void()>)>;
  using Done = std::function<void(Result<void>)>;

  PushShelf(store::Store& store, Post post) : store_(store), post_(std::move(post)) {}

  void restore(const std::vector<std::pair<std::string, std::string>>& settings);

  // Of a browser that is known its keys and its credential are replaced. Errors:
  // too-many-requests above the limits, store-unavailable.
  void add(notify::Subscription subscription, const store::Credential& credential, Millis now,
           const Done& done);
  // Only the credential's own. One that is not there is no error. Error: store-unavailable.
  void remove(const std::string& endpoint, const store::Credential& credential, const Done& done);
  // The push service says that it has ended.
  void drop(const std::string& endpoint);

  // Those that may be sent to; the rest goes.
  std::vector<std::pair<PushDevice, store::Credential>> live(
      const std::vector<store::Credential>& credentials, Millis now);
  bool has(const std::string& credential) const;

 private:
  void write(const std::string& endpoint, std::string text, const Done& done);

  store::Store& store_;
  Post post_;
  std::map<std::string, PushDevice> devices_;  // by endpoint
};

}  // namespace tollgate::server
