// What sessions remember beside their rows: calls that hooks told of, and freezes.
#include "approvals/digest.h"
#include "approvals/sessions_inside.h"

namespace tollgate::approvals {
namespace {

constexpr std::string_view kFreeze = "freeze:";
constexpr std::size_t kMostNoted = 8'192;  // LIMIT: bytes of one call that is remembered

store::AuditRow freeze_row(const std::string& agent, bool frozen, const std::string& by,
                           store::Millis at) {
  store::AuditRow row;
  row.at = at;
  row.kind = "freeze";
  row.agent = agent;
  row.by = by;
  row.origin = "daemon";
  row.record = json::Value::object({{"frozen", json::Value::boolean(frozen)}});
  return row;
}

}  // namespace

void SessionBook::note_call(const std::string& session, const std::string& call_id, Seen seen,
                            store::Millis now) {
  const std::size_t bytes = call_id.size() + seen.session.size() + seen.cwd.size() +
                            seen.client_mode.size() + seen.transcript.size();
  if (call_id.empty() || bytes > kMostNoted || inside_->find(session) == nullptr) return;
  std::deque<Inside::NotedCall>& calls = inside_->calls[session];
  while (!calls.empty() && (calls.front().at + kCallKept <= now || calls.size() >= kMaxNotedCalls))
    calls.pop_front();
  calls.push_back({.id = call_id, .seen = std::move(seen), .at = now});
}

std::optional<SessionBook::Seen> SessionBook::call_seen(const std::string& session,
                                                        const std::string& call_id) const {
  const auto found = inside_->calls.find(session);
  if (found == inside_->calls.end()) return std::nullopt;
  for (auto call = found->second.rbegin(); call != found->second.rend(); ++call)
    if (call->id == call_id) return call->seen;
  return std::nullopt;
}

void SessionBook::freeze(const std::string& agent, bool frozen, const std::string& by,
                         store::Millis now, std::function<void(Result<void>)> done) {
  Inside* inside = inside_.get();
  inside->line.enter([inside, agent, frozen, by, now, done = std::move(done)] {
    const std::string who = by.empty() ? "somebody" : by;
    inside->line.begin();
    inside->submit({store::PutSetting{.name = std::string(kFreeze) + agent,
                                      .text = frozen ? who : std::string()},
                    store::AppendAudit{freeze_row(agent, frozen, by, now)}},
                   [inside, agent, frozen, who, done](const Result<void>& result) {
                     if (result && frozen) inside->freezes[agent] = who;
                     if (result && !frozen) inside->freezes.erase(agent);
                     inside->finish_with([&] { done(result); });
                   });
  });
}

void SessionBook::restore_freezes(
    const std::vector<std::pair<std::string, std::string>>& settings) {
  for (const auto& [name, text] : settings)
    if (name.starts_with(kFreeze) && !text.empty())
      inside_->freezes[name.substr(kFreeze.size())] = text;
}

std::map<std::string, std::string> SessionBook::freezes() const {
  return {inside_->freezes.begin(), inside_->freezes.end()};
}

std::string SessionBook::frozen(const std::string& id) const {
  const Inside::Chain chain = inside_->chain(id);
  if (chain.empty()) return "the session has ended";
  if (const auto all = inside_->freezes.find(""); all != inside_->freezes.end())
    return "everything was frozen by " + all->second;
  for (const store::Session* session : chain) {
    if (session->frozen)
      return session->id == id ? "the session is frozen" : "a session above it is frozen";
    const auto agent = inside_->freezes.find(session->agent);
    if (agent != inside_->freezes.end())
      return "agent `" + session->agent + "` was frozen by " + agent->second;
  }
  return "";
}

}  // namespace tollgate::approvals
