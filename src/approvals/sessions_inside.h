// The inside of the book of sessions, shared by its source files and nobody else.
// INVARIANT: what stands in `rows` is durable, but for when a session was last seen. A row's own
// `expires` stays as it was made: it says how long a session lives after it was last seen.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "approvals/line.h"
#include "approvals/sessions.h"

namespace tollgate::approvals {

struct SessionBook::Inside : std::enable_shared_from_this<Inside> {
  Inside(store::Store& store_in, Post post_in) : store(store_in), post(std::move(post_in)) {}
  ~Inside() { line.clear(); }

  struct NotedCall {
    std::string id;
    Seen seen;
    store::Millis at = 0;
  };

  store::Store& store;
  Post post;
  Line line;  // changes, ends and freezes, one after another
  std::map<std::string, store::Session> rows;
  std::map<std::string, std::set<std::string>> children;
  std::map<std::string, std::string> clients;  // client's session to ours
  std::map<std::string, std::set<std::string>> handles;
  std::deque<store::Session> ended_lately;  // ended lately, the last first
  std::function<void(const store::Session&)> changed = [](const store::Session&) {};
  std::map<std::string, std::vector<Done>> opening;  // who waits for a row that is being made
  std::map<std::string, std::deque<NotedCall>> calls;
  std::map<std::string, std::string> freezes;  // agent, "" for everything: by whom
  std::set<std::string> used;                  // seen since the last tick
  store::Millis retry_at = 0;
  std::uint64_t revision = 0;

  // From a session to the top: asked for several times in every call, so it allocates nothing.
  struct Chain {
    std::array<const store::Session*, kMaxDepth> all = {};
    std::size_t count = 0;

    bool empty() const { return count == 0; }
    std::size_t size() const { return count; }
    const store::Session* front() const { return all[0]; }
    const store::Session* const* begin() const& { return all.data(); }
    const store::Session* const* end() const& { return all.data() + count; }
  };

  const store::Session* find(const std::string& id) const;
  bool is_live(const store::Session& session, store::Millis now) const;
  Chain chain(const std::string& id) const;
  std::vector<std::string> below(const std::string& id) const;
  std::size_t live_count() const;

  void insert(const store::Session& session);
  void forget(const std::string& id);
  void forget_ended();
  void note_ended(const store::Session& session);
  Result<void> may_open(const std::string& parent, store::Millis now) const;
  // Makes a row; those who ask for the same `key` meanwhile get the same answer.
  void make(store::Session session, const std::string& key, const std::string& act);
  // Writes whole rows and one line of the audit; then they stand in memory.
  // SAFETY: whoever fails over what it is told, for want of memory, holds up nobody behind it.
  template <class Tell>
  void finish_with(const Tell& told) {
    try {
      told();
    } catch (...) {
      line.finish();
      throw;
    }
    line.finish();
  }
  void tell(const store::Session& session);
  bool has_handle(const std::string& handle) const;  // of a session, or of one that is being made
  void put(std::vector<store::Session> next, store::AuditRow row,
           std::function<void(Result<void>)> then);
  void end(const std::string& id, const std::string& by, store::Millis now, const Done& done);
  void end_later(const std::string& id, const std::string& by, store::Millis now);
  void submit(std::vector<store::Change> batch, std::function<void(Result<void>)> then);
};

// How long a session lives after it was last seen; 0 for ever.
store::Millis lifetime_of(const store::Session& session);
// The row as others see it: `expires` is when it ends if it is not used again.
store::Session shown(const store::Session& session);
// Under which name a client's own session is known.
std::string client_key(const store::Session& session);

store::AuditRow session_row(const store::Session& session, std::string act, const std::string& by,
                            store::Millis at);
Error unknown_session();

}  // namespace tollgate::approvals
