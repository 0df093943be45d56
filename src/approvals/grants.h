// The rules that people taught the gate while it ran: found for a session, listed, revoked.
// One thread at a time: the daemon's own. Whether a rule may be a grant is service/'s to say.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace tollgate::approvals {

class GrantBook {
 public:
  using Post = std::function<void(std::function<void()>)>;

  GrantBook(store::Store& store, Post post);
  void restore(std::vector<store::Grant> grants);

  // The desk saved it with an answer.
  void learn(store::Grant grant);
  // Those that hold for a session and its agent now, in the order they were given.
  std::vector<store::Grant> for_session(const store::Session& session, store::Millis now) const;
  std::vector<store::Grant> all(store::Millis now) const;
  // Errors: unknown-grant, store-unavailable.
  void revoke(const std::string& id, const std::string& by, store::Millis now,
              std::function<void(Result<store::Grant>)> done);
  void end_session(const std::string& session);
  void tick(store::Millis now);
  // Counts changes, so that whoever compiled the grants of a session knows when to do it again.
  std::uint64_t revision() const;

 private:
  struct Inside;
  std::shared_ptr<Inside> inside_;
};

}  // namespace tollgate::approvals
