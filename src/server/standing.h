// What the calls of a session are judged by: its chain of sessions, what was granted to each, and
// the levels that come of these and of the policies.
// Found on the daemon's own thread and used on the pool, where levels are made when they are first
// wanted: that may read files.
// SAFETY: it is kept only while nothing of it has changed: no session, no grant, no policy, and no
// grant has run out.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "approvals/grants.h"
#include "approvals/sessions.h"
#include "gate/decide.h"
#include "server/policies.h"
#include "service/level.h"
#include "store/rows.h"

namespace tollgate::server {

class Standing {
 public:
  Standing() = default;
  // REQUIRES: as many lists of grants as sessions.
  Standing(std::vector<store::Session> chain, std::vector<std::vector<store::Grant>> grants)
      : chain_(std::move(chain)), grants_(std::move(grants)) {}

  // The asking session first; empty where one of them has ended. When they were last seen, and so
  // when they expire, is as it was when this was made.
  const std::vector<store::Session>& chain() const& { return chain_; }
  const std::vector<store::Session>& chain() const&& = delete;
  const std::vector<std::vector<store::Grant>>& grants() const& { return grants_; }
  const std::vector<std::vector<store::Grant>>& grants() const&& = delete;

  // By the policies as they are now. From any thread.
  Levels levels(Policies& policies, Detail detail) const;
  // The same where they were made before, else nothing: reads no file.
  Levels levels_at_once(const Policies& policies, Detail detail) const;

 private:
  struct Made {
    Levels levels;
    std::uint64_t revision = 0;  // of the policies
  };

  const std::vector<store::Session> chain_;
  const std::vector<std::vector<store::Grant>> grants_;
  mutable std::mutex mutex_;
  mutable std::array<Made, 2> made_;  // GUARDED_BY(mutex_); by detail
};

// Those of the sessions that ask. On the daemon's own thread.
class Standings {
 public:
  Standings(const approvals::SessionBook& sessions, const approvals::GrantBook& grants)
      : sessions_(sessions), grants_(grants) {}

  // Never null.
  std::shared_ptr<const Standing> of(const std::string& session, store::Millis now);

 private:
  struct Kept {
    std::shared_ptr<const Standing> standing;
    store::Millis until = 0;  // when the first grant of it runs out; 0: never
  };

  const approvals::SessionBook& sessions_;
  const approvals::GrantBook& grants_;
  std::uint64_t session_revision_ = 0;
  std::uint64_t grant_revision_ = 0;
  std::unordered_map<std::string, Kept> kept_;
};

}  // namespace tollgate::server
