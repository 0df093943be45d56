// What the daemon keeps, as values: sessions, questions, grants, credentials, events.
// Plain rows; who may make or change one is decided by approvals/. Times are milliseconds since
// 1970, and 0 means never.
// A row that was read back equals the one that was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/audit_log.h"
#include "core/mode.h"
#include "json/value.h"

namespace tollgate::store {

using Millis = std::int64_t;

// One running instance of an agent. Its id is a secret: whoever has it can ask in its name.
struct Session {
  std::string id;  // 256 random bits as hexadecimal digits; a sub-agent's: parent's id, ".", its
                   // own
  std::string parent;  // the session it belongs to, "" for none
  std::string agent;   // name in the configuration, "" for the default agent
  std::string provider;
  std::string cwd;                 // base directory, fixed when the session begins
  std::vector<std::string> roots;  // besides the base
  std::string search_path;         // PATH when it began
  std::optional<Mode> mode;        // what the operator set in place of the agent's own
  std::optional<Answerer> answer;
  bool frozen = false;
  bool from_operator = false;  // made with the operator's credential: only such may be delegated to
  std::string made_by;         // the person who made it; never counts for its quorum
  std::string client_session;  // the client's own id of it, where a hook told it
  std::string child_type;      // of a sub-agent: what sort it is
  Millis created = 0;
  Millis expires = 0;
  Millis seen = 0;
  Millis ended = 0;

  bool operator==(const Session&) const = default;
};

enum class QuestionType : std::uint8_t {
  kPermission,
  kEscalation,  // a question of the agent with options or text: no permission is given by it
};
enum class QuestionState : std::uint8_t { kPending, kApproved, kDenied, kExpired, kCancelled };
enum class Scope : std::uint8_t { kOnce, kSession, kAgent, kEveryone };

// What one approver said. A question that needs several has several.
struct Vote {
  std::string approver;  // name of the credential
  std::string person;    // quorums count these
  bool allow = false;
  std::string reason;
  std::string via;  // page, cli, socket, parent …
  Millis at = 0;
  std::vector<std::string> roles;  // the approver's when they voted: quorums may ask for some
  bool maker = false;              // made the session, one above it, or a grant that covers a part
  std::string key = {};            // the security key that attested it, "" for none

  bool operator==(const Vote&) const = default;
};

// How a question ended.
struct Settlement {
  std::string by;      // person, or "policy", "timeout", "parent:<session>" …
  std::string reason;  // for the agent to read
  Scope scope = Scope::kOnce;
  std::string rule;                    // of a grant that came of it, "" for none
  std::string grant;                   // its id
  std::optional<json::Value> changed;  // the input to run in place of the call's
  json::Value reply;                   // of an escalation: {"option"?, "text"?, "answers"?}
  Millis at = 0;
  Millis use_until = 0;  // an approval that nobody used by then is void

  bool operator==(const Settlement&) const = default;
};

struct Question {
  std::string id;  // 128 random bits as hexadecimal digits; not a secret
  QuestionType type = QuestionType::kPermission;
  std::string session;
  std::string agent;
  std::vector<std::string> chain;  // agents from the asking one to the top
  std::string for_session;         // "": people answer it; else the parent session whose agent may
  std::string root;                // the workspace root that a grant of it would be bound to
  std::string digest;              // over session, agent, cwd, tool and canonical input
  AuditRecord asked;               // the whole call, its effects, the look and the ask
  json::Value context;             // recent calls and messages, for people
  Millis created = 0;
  Millis expires = 0;
  QuestionState state = QuestionState::kPending;
  std::vector<Vote> votes;
  Settlement settlement;  // once it is no longer pending
  Millis seen = 0;        // first shown to a person
  Millis gone = 0;        // since when no call of the agent waits for it
  Millis delivered = 0;   // when the agent's call got the answer
  bool spent = false;     // an approval `once` that a call has used

  bool operator==(const Question&) const = default;
};

// A rule learnt from an answer.
struct Grant {
  std::string id;
  std::string rule;
  Scope scope = Scope::kSession;
  std::string session;  // of scope session
  std::string agent;    // of scope session and agent
  std::string root;     // holds only in this workspace root; "" for everywhere
  std::string author;   // person
  std::string question;
  Millis created = 0;
  Millis expires = 0;
  Millis revoked = 0;
  std::string revoked_by;

  bool operator==(const Grant&) const = default;
};

// A person's or a device's way in. Only the digest of the secret is kept.
struct Credential {
  std::string name;
  std::string person;
  std::vector<std::string> roles;  // of the approver entry: lead, security …
  bool approver = true;
  bool is_operator = false;  // may make sessions
  std::string digest;        // SHA-256 of the secret, hexadecimal
  std::string device;        // "" for a credential proper; else the paired device's name
  Millis created = 0;
  Millis expires = 0;
  Millis revoked = 0;

  bool operator==(const Credential&) const = default;
};

// A page that has logged in, or a link that works once.
struct Login {
  std::string digest;  // SHA-256 of the cookie or of the link's secret
  enum class Kind : std::uint8_t { kLink, kCookie } kind = Kind::kCookie;
  std::string credential;
  Millis created = 0;
  Millis expires = 0;
  Millis used = 0;  // of a link: when; then it is spent

  bool operator==(const Login&) const = default;
};

// A part of a record's text that stands in many rows; it is kept once. Whoever writes rows hands
// the same text over each time, so that nobody has to look for it by what it says.
struct SharedText {
  std::size_t at = 0;  // where it stands in the row's own text, which goes on behind it
  std::shared_ptr<const std::string> text;

  bool operator==(const SharedText&) const = default;
};

// One line of the audit. A call has a record; whatever else happened has an event.
struct AuditRow {
  std::int64_t number = 0;  // given by the store, ascending without gaps
  Millis at = 0;
  std::string kind;  // call, question, answer, session, grant, credential, freeze, policy, spool …
  std::string session;
  std::string agent;
  std::string tool;
  std::string verdict;  // allow, ask, deny; "" of an event
  std::string rule;     // of the first reason
  std::string question;
  std::string by;      // person, of an answer or an act
  std::string origin;  // hook, mcp, http, socket, spool, daemon
  json::Value record;  // {"call", "effects", "situation", "decision"} or the event's own members
  std::string text;    // of a row that is written: the same as JSON text, where it was made already
  std::vector<SharedText> shared;  // what the text leaves out, in its order

  bool operator==(const AuditRow&) const = default;
};

}  // namespace tollgate::store
