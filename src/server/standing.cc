// Levels from sessions, grants and policies; and what of them is kept.
#include "server/standing.h"

#include <algorithm>
#include <utility>

#include "service/grant_rules.h"

namespace tollgate::server {
namespace {

// LIMIT: sessions that ask in turn; all are forgotten when there are more.
constexpr std::size_t kMostKept = 1'024;

bool is_delegated(const config::Settings& settings, const store::Session& child,
                  const store::Session& parent) {
  if (!child.from_operator) return false;
  const auto entry = std::ranges::find(settings.agents, parent.agent, &config::AgentEntry::name);
  return entry != settings.agents.end() &&
         std::ranges::find(entry->delegate, child.agent) != entry->delegate.end();
}

std::shared_ptr<const Grants> granted(const std::vector<store::Grant>& grants,
                                      const Policy& policy) {
  if (grants.empty()) return nullptr;
  auto rules = std::make_shared<Grants>();
  for (const store::Grant& grant : grants)
    if (Result<Granted> rule = kept_grant(grant.rule, grant.id, grant.root, policy.tools()))
      rules->push_back(std::move(*rule));
  return rules;
}

Level level_of(const store::Session& session, const std::vector<store::Grant>& grants,
               Policies& policies, Detail detail) {
  Ground ground = policies.at(session.cwd, session.agent);
  Level level;
  level.session = session.id;
  level.agent = session.agent;
  LookPlan& plan = level.options.plan;
  plan = std::move(ground.plan);
  plan.base = session.cwd;
  if (!session.roots.empty()) {
    plan.roots = session.roots;
    plan.roots.insert(plan.roots.begin(), session.cwd);
  }
  plan.search_path = session.search_path;
  level.options.decide = {.detail = detail,
                          .mode = session.mode,
                          .layer = Layer::kGate,
                          .answer = session.answer,
                          .grants = granted(grants, *ground.policy)};
  level.policy = std::move(ground.policy);
  return level;
}

Levels levels_of(const Standing& standing, Policies& policies, Detail detail) {
  auto levels = std::make_shared<std::vector<Level>>();
  const std::vector<store::Session>& chain = standing.chain();
  for (std::size_t i = 0; i < chain.size(); ++i)
    levels->push_back(level_of(chain[i], standing.grants()[i], policies, detail));
  if (levels->size() > 1) {
    const config::Settings settings = policies.settings();
    for (std::size_t i = 0; i + 1 < chain.size(); ++i)
      (*levels)[i].delegated = is_delegated(settings, chain[i], chain[i + 1]);
  }
  prepare(*levels);
  return levels;
}

}  // namespace

Levels Standing::levels_at_once(const Policies& policies, Detail detail) const {
  const std::uint64_t revision = policies.revision();
  const Made& made = made_[detail == Detail::kFull ? 1 : 0];
  const std::scoped_lock lock(mutex_);
  return made.revision == revision ? made.levels : nullptr;
}

Levels Standing::levels(Policies& policies, Detail detail) const {
  // SAFETY: taken before they are made, so that a policy that changes meanwhile makes them again.
  const std::uint64_t revision = policies.revision();
  Made& made = made_[detail == Detail::kFull ? 1 : 0];
  {
    const std::scoped_lock lock(mutex_);
    if (made.levels != nullptr && made.revision == revision) return made.levels;
  }
  Levels levels = levels_of(*this, policies, detail);
  const std::scoped_lock lock(mutex_);
  made = {.levels = levels, .revision = revision};
  return levels;
}

std::shared_ptr<const Standing> Standings::of(const std::string& session, store::Millis now) {
  if (session_revision_ != sessions_.revision() || grant_revision_ != grants_.revision() ||
      kept_.size() >= kMostKept) {
    kept_.clear();
    session_revision_ = sessions_.revision();
    grant_revision_ = grants_.revision();
  }
  Kept& kept = kept_[session];
  if (kept.standing != nullptr && (kept.until == 0 || now < kept.until)) return kept.standing;
  std::vector<store::Session> chain = sessions_.chain(session);
  std::vector<std::vector<store::Grant>> grants;
  kept.until = 0;
  for (const store::Session& each : chain) {
    grants.push_back(grants_.for_session(each, now));
    for (const store::Grant& grant : grants.back())
      if (grant.expires != 0 && (kept.until == 0 || grant.expires < kept.until))
        kept.until = grant.expires;
  }
  kept.standing = std::make_shared<const Standing>(std::move(chain), std::move(grants));
  return kept.standing;
}

}  // namespace tollgate::server
