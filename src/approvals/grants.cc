// The grants that hold now, in memory; the store has all that ever were.
// SAFETY: a grant of a session is for that session's id alone, and never for one without an id.
#include "approvals/grants.h"

#include <algorithm>

namespace tollgate::approvals {
namespace {

bool holds(const store::Grant& grant, store::Millis now) {
  return grant.revoked == 0 && (grant.expires == 0 || now < grant.expires);
}

bool is_for(const store::Grant& grant, const store::Session& session) {
  switch (grant.scope) {
    case store::Scope::kOnce:
      return false;
    case store::Scope::kSession:
      return !grant.session.empty() && grant.session == session.id && grant.agent == session.agent;
    case store::Scope::kAgent:
      return grant.agent == session.agent;
    case store::Scope::kEveryone:
      return true;
  }
  return false;
}

store::AuditRow revoked_row(const store::Grant& grant) {
  store::AuditRow row;
  row.at = grant.revoked;
  row.kind = "grant";
  row.session = grant.session;
  row.agent = grant.agent;
  row.rule = grant.rule;
  row.question = grant.question;
  row.by = grant.revoked_by;
  row.origin = "daemon";
  row.record = json::Value::object(
      {{"act", json::Value::string("revoke")}, {"grant", json::Value::string(grant.id)}});
  return row;
}

}  // namespace

struct GrantBook::Inside : std::enable_shared_from_this<Inside> {
  Inside(store::Store& store_in, Post post_in) : store(store_in), post(std::move(post_in)) {}

  store::Store& store;
  Post post;
  std::vector<store::Grant> grants;  // in the order they were given
  std::uint64_t revision = 0;
  store::Millis now = 0;

  const store::Grant* find(const std::string& id) const {
    const auto found = std::ranges::find(grants, id, &store::Grant::id);
    return found == grants.end() ? nullptr : &*found;
  }
  void forget(const std::string& id) {
    if (std::erase_if(grants, [&](const store::Grant& grant) { return grant.id == id; }) > 0)
      ++revision;
  }
};

GrantBook::GrantBook(store::Store& store, Post post)
    : inside_(std::make_shared<Inside>(store, std::move(post))) {}

void GrantBook::restore(std::vector<store::Grant> grants) {
  std::erase_if(grants, [](const store::Grant& grant) { return grant.revoked != 0; });
  std::ranges::stable_sort(grants, {}, &store::Grant::created);
  inside_->grants = std::move(grants);
  ++inside_->revision;
}

void GrantBook::learn(store::Grant grant) {
  if (grant.id.empty() || inside_->find(grant.id) != nullptr) return;
  inside_->now = std::max(inside_->now, grant.created);
  inside_->grants.push_back(std::move(grant));
  ++inside_->revision;
}

std::vector<store::Grant> GrantBook::for_session(const store::Session& session,
                                                 store::Millis now) const {
  std::vector<store::Grant> found = all(now);
  std::erase_if(found, [&](const store::Grant& grant) { return !is_for(grant, session); });
  return found;
}

std::vector<store::Grant> GrantBook::all(store::Millis now) const {
  std::vector<store::Grant> found = inside_->grants;
  std::erase_if(found, [&](const store::Grant& grant) { return !holds(grant, now); });
  return found;
}

void GrantBook::revoke(const std::string& id, const std::string& by, store::Millis now,
                       std::function<void(Result<store::Grant>)> done) {
  const store::Grant* found = inside_->find(id);
  if (found == nullptr)
    return done(Fail({.code = "unknown-grant",
                      .message = "there is no grant of that id",
                      .hint = "`tollgate grants` lists them",
                      .where = {}}));
  store::Grant grant = *found;
  grant.revoked = now;
  grant.revoked_by = by;
  std::vector<store::Change> batch = {store::PutGrant{grant},
                                      store::AppendAudit{revoked_row(grant)}};
  const std::weak_ptr<Inside> weak = inside_;
  inside_->store.submit(std::move(batch), store::Durability::kNow,
                        [weak, post = inside_->post, grant = std::move(grant),
                         done = std::move(done)](Result<void> result) {
                          post([weak, grant, done, result = std::move(result)] {
                            const auto self = weak.lock();
                            if (!self) return;
                            if (!result) return done(Fail(result.error()));
                            self->forget(grant.id);
                            done(grant);
                          });
                        });
}

// The session's end is kept by whoever ended it; this only keeps its grants out of the next start.
void GrantBook::end_session(const std::string& session) {
  std::vector<store::Change> batch;
  for (const store::Grant& grant : std::vector<store::Grant>(inside_->grants)) {
    if (grant.scope != store::Scope::kSession || grant.session != session) continue;
    store::Grant ended = grant;
    ended.revoked = std::max<store::Millis>({inside_->now, grant.created, 1});
    ended.revoked_by = "session";
    inside_->forget(grant.id);
    batch.push_back(store::PutGrant{std::move(ended)});
  }
  if (batch.empty()) return;
  inside_->store.submit(std::move(batch), store::Durability::kGrouped, [](const Result<void>&) {});
}

void GrantBook::tick(store::Millis now) {
  inside_->now = std::max(inside_->now, now);
  if (std::erase_if(inside_->grants,
                    [&](const store::Grant& grant) { return !holds(grant, now); }) > 0)
    ++inside_->revision;
}

std::uint64_t GrantBook::revision() const { return inside_->revision; }

}  // namespace tollgate::approvals
