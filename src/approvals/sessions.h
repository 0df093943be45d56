// The sessions that run: who asks, under whom, with what mode, until when.
// One thread at a time: the daemon's own. Every change is durable before anybody is told.
// SAFETY: a session's parent is fixed when it is made and never named by the session itself.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace tollgate::approvals {

struct NewSession {
  std::string agent;
  std::string parent;
  std::string provider;
  std::string cwd;
  std::vector<std::string> roots;
  std::string search_path;
  std::optional<Mode> mode;
  bool from_operator = false;
  std::string made_by;
  std::string client_session;
  store::Millis lifetime = 7LL * 24 * 3600 * 1000;  // without a call; each call renews it
};

struct SessionChange {
  std::optional<std::optional<Mode>> mode;  // present and empty: back to the agent's own
  std::optional<std::optional<Answerer>> answer;
  std::optional<bool> frozen;
};

// LIMIT: how deep sessions start sessions.
inline constexpr std::size_t kMaxDepth = 8;
// LIMIT: an agent makes sub-agents, and a hook without a session of ours makes sessions.
inline constexpr std::size_t kMaxSessions = 10'000;
inline constexpr std::size_t kMaxChildren = 1'000;  // of one session, the ended ones too
// LIMIT: calls that are remembered for a session, and for how long.
inline constexpr std::size_t kMaxNotedCalls = 1'024;
inline constexpr store::Millis kCallKept = 600'000;
// LIMIT: sessions that have ended and are still shown, and for how long. A restart forgets them.
inline constexpr std::size_t kMaxEnded = 200;
inline constexpr store::Millis kEndedKept = 24LL * 3600 * 1000;

Error unknown_handle(const std::string& word);
Error ambiguous_session(const std::string& word);

class SessionBook {
 public:
  using Post = std::function<void(std::function<void()>)>;
  using Done = std::function<void(Result<store::Session>)>;

  SessionBook(store::Store& store, Post post);
  void restore(const std::vector<store::Session>& sessions);
  // Told of each session that was opened, changed or has ended, once that is durable.
  void watch(std::function<void(const store::Session&)> changed);

  // Errors: unknown-session (the parent), chain-too-deep, too-many-sessions, random-unavailable,
  // store-unavailable. `done` of these may be called before they return.
  void open(const NewSession& wanted, store::Millis now, Done done);
  // A sub-agent that a hook told of; one that is known is given back, and one that has ended stays
  // ended. Never loosens: it has no mode or answer of its own.
  void open_child(const std::string& parent, const std::string& child, const std::string& type,
                  store::Millis now, Done done);
  // The session that stands for a client's own session id, where a hook without one of ours asks;
  // made when it is missing.
  void open_client(NewSession wanted, store::Millis now, Done done);
  void change(const std::string& id, const SessionChange& change, const std::string& by,
              store::Millis now, Done done);
  void end(const std::string& id, const std::string& by, store::Millis now, Done done);

  // One that exists, has not ended and not expired. Renews it in memory.
  std::optional<store::Session> find(const std::string& id, store::Millis now);
  // The same without a copy, as it is kept: `expires` is as it was made. Null for none; it lives
  // until the book changes.
  const store::Session* live(const std::string& id, store::Millis now);
  // From the session itself to the top; empty where one of them has ended.
  std::vector<store::Session> chain(const std::string& id) const;
  std::vector<store::Session> all() const;
  // Those that have ended lately, the last first.
  std::vector<store::Session> ended(store::Millis now) const;
  // The id of the session that has this handle, or this id. A handle is for people who may look at
  // sessions anyway. Errors: unknown-session, ambiguous-session.
  // SAFETY: what an agent sends is looked up by find(), which knows no handles.
  Result<std::string> id_of(const std::string& word) const;
  std::vector<std::string> below(const std::string& id) const;  // itself and its descendants
  // Counts changes of sessions, but for when they were last seen.
  std::uint64_t revision() const;

  // What a hook told of a call: the prompt tool's call with the same id has agent and cwd of it.
  struct Seen {
    std::string session;
    std::string cwd;
    std::string client_mode;
    std::string transcript;
  };
  void note_call(const std::string& session, const std::string& call_id, Seen seen,
                 store::Millis now);
  std::optional<Seen> call_seen(const std::string& session, const std::string& call_id) const;

  // Freezes: "" is everything, else an agent's name. Recorded.
  void freeze(const std::string& agent, bool frozen, const std::string& by, store::Millis now,
              std::function<void(Result<void>)> done);
  void restore_freezes(const std::vector<std::pair<std::string, std::string>>& settings);
  // What is frozen, and by whom.
  std::map<std::string, std::string> freezes() const;
  // Why a session may do nothing now; "" when it may.
  std::string frozen(const std::string& id) const;

  // Writes `seen` of the sessions that were used, and ends those that expired.
  void tick(store::Millis now);

 private:
  struct Inside;
  std::shared_ptr<Inside> inside_;
};

}  // namespace tollgate::approvals
