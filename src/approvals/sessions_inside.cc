// The rows of sessions: how they hang together, how they reach the store and leave memory.
#include "approvals/sessions_inside.h"

#include <algorithm>

#include "approvals/digest.h"

namespace tollgate::approvals {

store::Millis lifetime_of(const store::Session& session) {
  return session.expires == 0 ? 0 : std::max<store::Millis>(session.expires - session.created, 1);
}

store::Session shown(const store::Session& session) {
  store::Session copy = session;
  if (session.expires != 0) copy.expires = session.seen + lifetime_of(session);
  return copy;
}

std::string client_key(const store::Session& session) {
  std::string key = "client";
  const auto add = [&](const std::string& part) {
    key += " " + std::to_string(part.size()) + ":" + part;
  };
  add(session.provider);
  add(session.agent);
  add(session.client_session);
  if (session.client_session.empty()) add(session.cwd);
  return key;
}

store::AuditRow session_row(const store::Session& session, std::string act, const std::string& by,
                            store::Millis at) {
  store::AuditRow row;
  row.at = at;
  row.kind = "session";
  row.session = session.id;
  row.agent = session.agent;
  row.by = by;
  row.origin = "daemon";
  row.record = json::Value::object({{"act", json::Value::string(std::move(act))},
                                    {"parent", json::Value::string(session.parent)},
                                    {"provider", json::Value::string(session.provider)},
                                    {"cwd", json::Value::string(session.cwd)}});
  if (session.mode) row.record.set("mode", json::Value::string(std::string(name(*session.mode))));
  if (session.answer)
    row.record.set("answer", json::Value::string(std::string(name(*session.answer))));
  return row;
}

Error unknown_session() {
  return {.code = "unknown-session",
          .message = "there is no session of that id",
          .hint = "start the agent anew: `tollgate run`",
          .where = {}};
}

Error unknown_handle(const std::string& word) {
  return {.code = "unknown-session",
          .message = "no session has the handle `" + word + "`",
          .hint = "`tollgate sessions --all` lists them",
          .where = {}};
}

Error ambiguous_session(const std::string& word) {
  return {.code = "ambiguous-session",
          .message = "several sessions have the handle `" + word + "`",
          .hint = "name the one that is meant by its id, over HTTP",
          .where = {}};
}

const store::Session* SessionBook::Inside::find(const std::string& id) const {
  const auto found = rows.find(id);
  return found == rows.end() ? nullptr : &found->second;
}

bool SessionBook::Inside::is_live(const store::Session& session, store::Millis now) const {
  return session.ended == 0 && (session.expires == 0 || now < session.seen + lifetime_of(session));
}

// INVARIANT: at most kMaxDepth long; a longer or broken one is none.
SessionBook::Inside::Chain SessionBook::Inside::chain(const std::string& id) const {
  Chain found;
  for (const std::string* next = &id; !next->empty();) {
    const store::Session* session = find(*next);
    if (session == nullptr || session->ended != 0 || found.count == kMaxDepth) return {};
    found.all[found.count++] = session;
    next = &session->parent;
  }
  return found;
}

std::vector<std::string> SessionBook::Inside::below(const std::string& id) const {
  if (find(id) == nullptr) return {};
  std::vector<std::string> all = {id};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto found = children.find(all[i]);
    if (found != children.end()) all.insert(all.end(), found->second.begin(), found->second.end());
  }
  return all;
}

std::size_t SessionBook::Inside::live_count() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [](const auto& one) { return one.second.ended == 0; }));
}

void SessionBook::Inside::insert(const store::Session& session) {
  ++revision;
  if (!rows.contains(session.id)) handles[handle_of(session.id)].insert(session.id);
  rows[session.id] = session;
  if (!session.parent.empty()) children[session.parent].insert(session.id);
  const bool of_client =
      session.parent.empty() && session.made_by.empty() && !session.from_operator;
  if (of_client && session.ended == 0) clients[client_key(session)] = session.id;
}

void SessionBook::Inside::forget(const std::string& id) {
  const store::Session* session = find(id);
  if (session == nullptr) return;
  if (const auto found = children.find(session->parent); found != children.end()) {
    found->second.erase(id);
    if (found->second.empty()) children.erase(found);
  }
  if (const auto named = handles.find(handle_of(id)); named != handles.end()) {
    named->second.erase(id);
    if (named->second.empty()) handles.erase(named);
  }
  ++revision;
  calls.erase(id);
  used.erase(id);
  rows.erase(id);
}

// An ended child stays known while its parent lives, so that a hook cannot bring it back.
void SessionBook::Inside::forget_ended() {
  std::vector<std::string> over;
  for (const auto& [id, session] : rows)
    if (session.ended != 0 && chain(session.parent).empty()) over.push_back(id);
  for (const std::string& id : over) forget(id);
}

void SessionBook::Inside::note_ended(const store::Session& session) {
  ended_lately.push_front(session);
  if (ended_lately.size() > kMaxEnded) ended_lately.pop_back();
  calls.erase(session.id);
  used.erase(session.id);
  const auto client = clients.find(client_key(session));
  if (client != clients.end() && client->second == session.id) clients.erase(client);
}

Result<void> SessionBook::Inside::may_open(const std::string& parent, store::Millis now) const {
  const auto too_many = [](std::size_t limit) {
    return Fail({.code = "too-many-sessions",
                 .message = std::to_string(limit) + " sessions run, and no more are taken",
                 .hint = "end sessions that are not needed any more",
                 .where = {}});
  };
  if (live_count() + opening.size() >= kMaxSessions) return too_many(kMaxSessions);
  if (parent.empty()) return {};
  const Chain above = chain(parent);
  if (above.empty()) return Fail(unknown_session());
  for (const store::Session* session : above)
    if (!is_live(*session, now)) return Fail(unknown_session());
  if (above.size() >= kMaxDepth)
    return Fail(
        {.code = "chain-too-deep",
         .message = "sessions start sessions at most " + std::to_string(kMaxDepth) + " deep",
         .hint = "let a session further up start this one",
         .where = {}});
  const auto siblings = children.find(parent);
  if (siblings != children.end() && siblings->second.size() >= kMaxChildren)
    return too_many(kMaxChildren);
  return {};
}

void SessionBook::Inside::submit(std::vector<store::Change> batch,
                                 std::function<void(Result<void>)> then) {
  store.submit(
      std::move(batch), store::Durability::kNow,
      [weak = weak_from_this(), post_back = post, then = std::move(then)](Result<void> result) {
        post_back([weak, then, result = std::move(result)] {
          if (const auto self = weak.lock()) then(result);
        });
      });
}

void SessionBook::Inside::make(store::Session session, const std::string& key,
                               const std::string& act) {
  std::vector<store::Change> batch = {
      store::PutSession{session},
      store::AppendAudit{session_row(session, act, session.made_by, session.created)}};
  submit(std::move(batch), [this, session = std::move(session), key](const Result<void>& result) {
    const std::vector<Done> waiting = std::move(opening[key]);
    opening.erase(key);
    Result<store::Session> made = shown(session);
    if (!result) {
      made = Fail(result.error());
    } else {
      insert(session);
      tell(session);
      if (chain(session.id).empty()) {  // its parent has ended meanwhile
        made = Fail(unknown_session());
        end_later(session.id, session.made_by, session.created);
      }
    }
    for (const Done& done : waiting) done(made);
  });
}

// SAFETY: a screen that cannot be told, for want of memory, holds up nothing that is done.
void SessionBook::Inside::tell(const store::Session& session) {
  try {
    changed(shown(session));
  } catch (...) {
    return;
  }
}

bool SessionBook::Inside::has_handle(const std::string& handle) const {
  return handles.contains(handle) || std::ranges::any_of(opening, [&](const auto& one) {
           return handle_of(one.first) == handle;
         });
}

// REQUIRES: the book's turn.
void SessionBook::Inside::put(std::vector<store::Session> next, store::AuditRow row,
                              std::function<void(Result<void>)> then) {
  std::vector<store::Change> batch;
  for (const store::Session& session : next) batch.push_back(store::PutSession{session});
  batch.push_back(store::AppendAudit{std::move(row)});
  line.begin();
  submit(std::move(batch),
         [this, rows_in = std::move(next), then = std::move(then)](const Result<void>& result) {
           if (result) {
             for (store::Session session : rows_in) {
               if (const store::Session* known = find(session.id))
                 session.seen = std::max(session.seen, known->seen);  // it was used meanwhile
               insert(session);
               if (session.ended != 0) note_ended(session);
             }
             for (const store::Session& session : rows_in) tell(rows[session.id]);
           }
           finish_with([&] { then(result); });
         });
}

// REQUIRES: the book's turn. All below end with it, in one batch.
void SessionBook::Inside::end(const std::string& id, const std::string& by, store::Millis now,
                              const Done& done) {
  const store::Session* found = find(id);
  if (found == nullptr || found->ended != 0) return done(Fail(unknown_session()));
  std::vector<store::Session> over;
  for (const std::string& one : below(id)) {
    store::Session session = *find(one);
    if (session.ended != 0) continue;
    session.ended = now;
    over.push_back(std::move(session));
  }
  const store::Session top = over.front();
  put(std::move(over), session_row(top, "end", by, now),
      [this, top, done](const Result<void>& result) {
        if (!result) return done(Fail(result.error()));
        for (const std::string& one : below(top.id))  // one that was made meanwhile
          if (find(one)->ended == 0) end_later(one, "", top.ended);
        forget_ended();
        done(shown(top));
      });
}

void SessionBook::Inside::end_later(const std::string& id, const std::string& by,
                                    store::Millis now) {
  line.enter([this, id, by, now] { end(id, by, now, [](const Result<store::Session>&) {}); });
}

}  // namespace tollgate::approvals
