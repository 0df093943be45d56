// Sessions: making, changing and ending them.
// SAFETY: a session whose parent has ended is as good as ended; nothing here loosens a child.
#include "approvals/sessions.h"

#include <algorithm>

#include "approvals/digest.h"
#include "approvals/sessions_inside.h"
#include "os/random.h"

namespace tollgate::approvals {
namespace {

// Letters that cannot be read as a further level of sessions.
bool is_plain(const std::string& name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

store::Session session_of(const NewSession& wanted, store::Millis now) {
  store::Session session;
  session.parent = wanted.parent;
  session.agent = wanted.agent;
  session.provider = wanted.provider;
  session.cwd = wanted.cwd;
  session.roots = wanted.roots;
  session.search_path = wanted.search_path;
  session.mode = wanted.mode;
  session.from_operator = wanted.from_operator;
  session.made_by = wanted.made_by;
  session.client_session = wanted.client_session;
  session.created = session.seen = now;
  session.expires = wanted.lifetime > 0 ? now + wanted.lifetime : 0;
  return session;
}

Result<std::string> new_session_id() {
  Result<std::string> bytes = os::random_bytes(32);
  if (!bytes) return Fail(std::move(bytes).error());
  return hexadecimal(*bytes);
}

std::string act_of(const SessionChange& change) {
  std::vector<std::string> parts;
  if (change.mode) parts.emplace_back("mode");
  if (change.answer) parts.emplace_back("answer");
  if (change.frozen) parts.emplace_back(*change.frozen ? "freeze" : "unfreeze");
  std::string act = "change";
  for (const std::string& part : parts) act += " " + part;
  return act;
}

}  // namespace

SessionBook::SessionBook(store::Store& store, Post post)
    : inside_(std::make_shared<Inside>(store, std::move(post))) {}

void SessionBook::restore(const std::vector<store::Session>& sessions) {
  for (const store::Session& session : sessions) inside_->insert(session);
  inside_->forget_ended();
}

void SessionBook::watch(std::function<void(const store::Session&)> changed) {
  inside_->changed = std::move(changed);
}

void SessionBook::open(const NewSession& wanted, store::Millis now, Done done) {
  if (Result<void> may = inside_->may_open(wanted.parent, now); !may)
    return done(Fail(may.error()));
  store::Session session = session_of(wanted, now);
  Result<std::string> id = new_session_id();
  if (!id) return done(Fail(std::move(id).error()));
  session.id = *id;
  inside_->opening[*id].push_back(std::move(done));
  inside_->make(std::move(session), *id, "open");
}

void SessionBook::open_child(const std::string& parent, const std::string& child,
                             const std::string& type, store::Millis now, Done done) {
  const std::string name = is_plain(child) ? child : "x" + sha256(child).substr(0, 32);
  const std::string id = parent + "." + name;
  if (inside_->find(id) != nullptr) {
    const std::optional<store::Session> known = find(id, now);
    return known ? done(*known) : done(Fail(unknown_session()));
  }
  if (const auto waiting = inside_->opening.find(id); waiting != inside_->opening.end())
    return waiting->second.push_back(std::move(done));
  // SAFETY: the client chooses the name, and so may choose one whose handle is another session's.
  if (inside_->has_handle(handle_of(id))) return done(Fail(ambiguous_session(handle_of(id))));
  const std::optional<store::Session> above = find(parent, now);
  if (!above) return done(Fail(unknown_session()));
  if (Result<void> may = inside_->may_open(parent, now); !may) return done(Fail(may.error()));
  store::Session session = *inside_->find(parent);
  session.id = id;
  session.parent = parent;
  session.mode.reset();
  session.answer.reset();
  session.frozen = session.from_operator = false;
  session.child_type = type;
  session.client_session.clear();
  const store::Millis lifetime = lifetime_of(session);
  session.created = session.seen = now;
  session.expires = lifetime > 0 ? now + lifetime : 0;
  inside_->opening[id].push_back(std::move(done));
  inside_->make(std::move(session), id, "child");
}

void SessionBook::open_client(NewSession wanted, store::Millis now, Done done) {
  // Nobody has shown a credential: it stands alone, and nothing of it was set by an operator.
  wanted.parent.clear();
  wanted.made_by.clear();
  wanted.mode.reset();
  wanted.from_operator = false;
  store::Session session = session_of(wanted, now);
  const std::string key = client_key(session);
  if (const auto known = inside_->clients.find(key); known != inside_->clients.end())
    if (const auto found = find(known->second, now)) return done(*found);
  if (const auto waiting = inside_->opening.find(key); waiting != inside_->opening.end())
    return waiting->second.push_back(std::move(done));
  if (Result<void> may = inside_->may_open("", now); !may) return done(Fail(may.error()));
  Result<std::string> id = new_session_id();
  if (!id) return done(Fail(std::move(id).error()));
  session.id = *id;
  inside_->opening[key].push_back(std::move(done));
  inside_->make(std::move(session), key, "client");
}

void SessionBook::change(const std::string& id, const SessionChange& change, const std::string& by,
                         store::Millis now, Done done) {
  Inside* inside = inside_.get();
  inside->line.enter([inside, id, change, by, now, done = std::move(done)] {
    const store::Session* found = inside->find(id);
    if (found == nullptr || !inside->is_live(*found, now)) return done(Fail(unknown_session()));
    store::Session next = *found;
    if (change.mode) next.mode = *change.mode;
    if (change.answer) next.answer = *change.answer;
    if (change.frozen) next.frozen = *change.frozen;
    inside->put({next}, session_row(next, act_of(change), by, now),
                [inside, id, done](const Result<void>& result) {
                  if (!result) return done(Fail(result.error()));
                  const store::Session* changed = inside->find(id);
                  changed != nullptr ? done(shown(*changed)) : done(Fail(unknown_session()));
                });
  });
}

void SessionBook::end(const std::string& id, const std::string& by, store::Millis now, Done done) {
  Inside* inside = inside_.get();
  inside->line.enter(
      [inside, id, by, now, done = std::move(done)] { inside->end(id, by, now, done); });
}

std::optional<store::Session> SessionBook::find(const std::string& id, store::Millis now) {
  const store::Session* session = live(id, now);
  if (session == nullptr) return std::nullopt;
  return shown(*session);
}

const store::Session* SessionBook::live(const std::string& id, store::Millis now) {
  const Inside::Chain chain = inside_->chain(id);
  if (chain.empty()) return nullptr;
  for (const store::Session* session : chain)
    if (!inside_->is_live(*session, now)) return nullptr;
  for (const store::Session* session : chain) {  // a child's call is a sign of life of its parents
    if (session->seen >= now && inside_->used.contains(session->id)) continue;
    store::Session& row = inside_->rows[session->id];
    row.seen = std::max(row.seen, now);
    inside_->used.insert(row.id);
  }
  return chain.front();
}

std::uint64_t SessionBook::revision() const { return inside_->revision; }

std::vector<store::Session> SessionBook::chain(const std::string& id) const {
  std::vector<store::Session> sessions;
  const Inside::Chain found = inside_->chain(id);
  for (const store::Session* session : found) sessions.push_back(shown(*session));
  return sessions;
}

std::vector<store::Session> SessionBook::all() const {
  std::vector<store::Session> sessions;
  for (const auto& [id, session] : inside_->rows)
    if (session.ended == 0) sessions.push_back(shown(session));
  return sessions;
}

std::vector<store::Session> SessionBook::ended(store::Millis now) const {
  std::vector<store::Session> sessions;
  for (const store::Session& session : inside_->ended_lately)
    if (now < session.ended + kEndedKept) sessions.push_back(shown(session));
  return sessions;
}

Result<std::string> SessionBook::id_of(const std::string& word) const {
  if (inside_->find(word) != nullptr) return word;
  const auto found = inside_->handles.find(word);
  if (found == inside_->handles.end() || !is_handle(word))
    return Fail(is_handle(word) ? unknown_handle(word) : unknown_session());
  if (found->second.size() > 1) return Fail(ambiguous_session(word));
  return *found->second.begin();
}

std::vector<std::string> SessionBook::below(const std::string& id) const {
  return inside_->below(id);
}

void SessionBook::tick(store::Millis now) {
  Inside* inside = inside_.get();
  std::vector<store::Change> touched;
  for (const std::string& id : inside->used)
    if (const store::Session* session = inside->find(id); session && session->ended == 0)
      touched.push_back(store::TouchSession{.id = id, .seen = session->seen});
  inside->used.clear();
  if (!touched.empty())
    inside->store.submit(std::move(touched), store::Durability::kGrouped,
                         [](const Result<void>&) {});
  for (auto& [id, calls] : inside->calls)
    while (!calls.empty() && calls.front().at + kCallKept <= now) calls.pop_front();
  std::erase_if(inside->calls, [](const auto& one) { return one.second.empty(); });
  if (inside->line.busy() || inside->retry_at > now) return;
  std::vector<std::string> over;
  for (const auto& [id, session] : inside->rows)
    if (session.ended == 0 && !inside->is_live(session, now)) over.push_back(id);
  for (const std::string& id : over)
    inside->line.enter([inside, id, now] {
      inside->end(id, "expiry", now, [inside, now](const Result<store::Session>& result) {
        if (!result && result.error().code != "unknown-session") inside->retry_at = now + 1'000;
      });
    });
}

}  // namespace tollgate::approvals
