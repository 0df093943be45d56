// The gate as the daemon has it: every way in (MCP, hooks, HTTP, the local socket) ends in
// settle(). On the daemon's own thread; looking and judging happen on the pool, but for a small
// call that needs no look: handing that over would cost more than judging it. Waiting costs no
// thread. SAFETY: nothing is allowed before its record is durable, and nobody hears of an answer
// that is not.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "approvals/desk.h"
#include "approvals/grants.h"
#include "approvals/sessions.h"
#include "core/audit_log.h"
#include "server/loop.h"
#include "server/policies.h"
#include "service/grant_rules.h"
#include "service/passage.h"
#include "store/store.h"

namespace tollgate::server {

using store::Millis;

class Redaction;

struct GateParts {
  Loop& loop;
  store::Store& store;
  Policies& policies;
  approvals::Desk& desk;
  approvals::SessionBook& sessions;
  approvals::GrantBook& grants;
  const Redaction* redaction = nullptr;  // nothing: records are kept as they are
};

// A call that has come in.
struct Arrival {
  std::string session;  // ours
  ToolCall call;
  std::string origin;             // mcp, hook, http, socket
  json::Value peer;               // who sent it, for the record; it proves nothing
  std::optional<Millis> within;   // the client waits so long; nothing: as long as it takes
  std::optional<Decision> asked;  // a hook's own ask: only a person or a grant settles that
  std::string transcript;         // the file where the client keeps what was said, "" for none
  bool wait = true;               // false: an ask is given back as it is, and nobody is asked
  // In place of a session that is kept: an operator asks what would be decided.
  std::shared_ptr<const store::Session> guest = {};
};

// What became of it.
struct Outcome {
  AuditRecord record;    // without the look
  json::Value input;     // of the call as it came
  std::string question;  // the one that was put, "" for none
  bool pending = false;  // nobody has answered in time: the same call may be tried again
  json::Value reply;     // of an escalation
  std::optional<json::Value> changed;  // the input to run in place of the call's
};

// A call on its way. Whoever started it says what became of the client.
class Journey {
 public:
  virtual ~Journey() = default;
  virtual void gone() = 0;                          // the connection ended: a retry may join
  virtual void cancel(const std::string& why) = 0;  // the protocol took the call back
  virtual void delivered() = 0;                     // the client has the answer
};

class Gate {
 public:
  explicit Gate(GateParts parts);
  ~Gate();

  using Done = std::function<void(Outcome)>;
  // `waiting` is called when a person is asked, with the question's id; `done` once, unless the
  // journey was left. An unknown session is an error, and nothing else happens.
  Result<std::shared_ptr<Journey>> settle(Arrival arrival, Done done,
                                          std::function<void(const std::string&)> waiting = {});

  // What could not be read as a call: denied and recorded.
  void refuse(const std::string& session, const Error& error, const std::string& origin,
              std::function<void(Decision)> done);

  // What an approver would do, checked as far as it can be before it is durable.
  struct Approval {
    store::Scope scope = store::Scope::kOnce;
    std::string rule;  // "" for the exact call
    std::string reason;
    std::optional<json::Value> changed;
    Millis expires = 0;  // of the grant; 0: never
    json::Value reply;
  };
  using Answered = std::function<void(Result<store::Question>)>;
  // Errors: unknown-question, already-answered, grant-refused, input-refused, store-unavailable …
  void approve(const std::string& question, Approval approval, const approvals::Principal& by,
               const Answered& done);
  void deny(const std::string& question, std::string reason, const approvals::Principal& by,
            Answered done);
  // Which past calls a rule would have covered.
  void preview(const std::string& question, std::string rule,
               std::function<void(Result<json::Value>)> done);

  // What the agent of a session did last, newest first.
  json::Value recent(const std::string& session) const;
  // Nothing new is taken; whatever waits is told to try again.
  void close();

  struct Inside;  // what journeys share

 private:
  std::shared_ptr<Inside> inside_;
};

// The row of the audit for a call, complete but for its number.
store::AuditRow audit_row(const AuditRecord& record, const std::string& origin, Millis now,
                          const json::Value& peer = {});

// What a session that is kept nowhere would be judged by, with all that there is to say. On the
// pool.
Levels guest_levels(const store::Session& session, const std::vector<store::Grant>& grants,
                    Policies& policies);

}  // namespace tollgate::server
