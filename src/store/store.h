// The one interface to what is kept: changes go in as batches, rows come out.
// SQLite is behind it, PostgreSQL will be; nothing outside this room knows SQL.
// SAFETY: `done` hears success only when the batch is as durable as was asked for; a batch is
// applied whole or not at all, also over kill -9.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "audit/digest.h"
#include "base/result.h"
#include "store/rows.h"

namespace tollgate::store {

// --- changes -----------------------------------------------------------------------------------

struct PutSession {
  Session session;
};
struct TouchSession {  // only `seen`; never worth a commit of its own
  std::string id;
  Millis seen = 0;
};
struct AddQuestion {  // fails with `already-answered` where there is one of that id
  Question question;
};
// Replaces the question, if it is still in state `expected`; else the batch fails with
// `already-answered` and nothing of it is applied. A second daemon may have been first.
struct ChangeQuestion {
  Question question;
  QuestionState expected = QuestionState::kPending;
};
struct PutGrant {
  Grant grant;
};
struct PutCredential {
  Credential credential;
};
struct PutLogin {
  Login login;
};
// Spends a link: fails the batch with `link-spent` where it was used, is unknown or too old.
struct SpendLink {
  std::string digest;
  Millis at = 0;
};
struct DropLogins {  // every login of a credential, and all that ended before `before`
  std::string credential;
  Millis before = 0;
};
struct PutSetting {  // freezes and the like; an empty text removes it
  std::string name;
  std::string text;
};
struct AppendAudit {
  AuditRow row;
};
// Removes the oldest rows, in whole spans, and appends a row that says so and keeps the chain
// together. Nothing happens where there are none that old.
struct RemoveAudit {
  Millis before = 0;         // rows from before this time
  Millis at = 0;             // now
  std::size_t most = 1'024;  // rows in one go: others wait meanwhile
};
// Removes names and parts that no row up to `seen` has, but for those that a later one has.
struct ForgetTexts {
  std::vector<std::int64_t> names;
  std::vector<std::int64_t> parts;
  std::int64_t seen = 0;
};
// How far a hook's spool was swallowed; goes in the same batch as the rows that came of it.
struct MarkSpool {
  std::string file;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t offset = 0;
  std::uint64_t tail = 0;  // hash of the bytes before the offset: inodes are used again

  bool operator==(const MarkSpool&) const = default;
};

using Change = std::variant<PutSession, TouchSession, AddQuestion, ChangeQuestion, PutGrant,
                            PutCredential, PutLogin, SpendLink, DropLogins, PutSetting, AppendAudit,
                            RemoveAudit, ForgetTexts, MarkSpool>;

enum class Durability : std::uint8_t {
  kGrouped,  // with whatever else comes within the group's delay
  kNow,      // do not wait for more: a question, an answer, an act of a person
};

using Done = std::function<void(Result<void>)>;

// --- questions to the store --------------------------------------------------------------------

struct AuditQuery {
  std::int64_t before = 0;  // rows with smaller numbers; 0: from the newest
  std::int64_t after = 0;   // rows with greater numbers
  Millis since = 0;         // at this time or later
  Millis until = 0;         // before this time
  std::string kind, session, agent, tool, verdict, rule, question;
  std::string grep;  // stands in what words.h says is searched
  std::size_t limit = 100;
  bool oldest_first = false;
};

// Where the chain of the audit stands, and how far the search for words has come.
struct RecordState {
  std::string store;         // the store's own id
  std::int64_t first = 1;    // what was before it went by RemoveAudit
  std::int64_t last = 0;     // given last; 0: none
  Digest head;               // of the row `last`
  std::int64_t worded = 0;   // rows up to here are found by their words at once
  Millis waiting_since = 0;  // the time of the first row behind; 0: none waits

  bool operator==(const RecordState&) const = default;
};

struct QuestionQuery {
  std::optional<QuestionState> state;  // nothing: any state but pending
  std::string session;
  std::size_t limit = 100;  // the newest
};

// Everything that the daemon holds in memory while it runs; rows oldest first.
struct Kept {
  std::vector<Session> sessions;    // those that have not ended, and their parents
  std::vector<Question> questions;  // pending, and those settled less than `recent` ago
  std::vector<Grant> grants;        // neither revoked nor expired
  std::vector<Credential> credentials;
  std::vector<Login> logins;
  std::vector<std::pair<std::string, std::string>> settings;
};

class Store {
 public:
  virtual ~Store() = default;

  // Hands a batch over; `done` is called once, on a thread of the store's own. Errors:
  // store-unavailable, already-answered, link-spent.
  virtual void submit(std::vector<Change> batch, Durability durability, Done done) = 0;

  // What a start needs. Errors: store-unavailable.
  virtual Result<Kept> load(Millis now, Millis recent) = 0;

  // These may take a while and may be called from any thread. Errors: store-unavailable.
  virtual Result<std::vector<AuditRow>> audit(const AuditQuery& query) = 0;
  virtual Result<std::vector<Question>> questions(const QuestionQuery& query) = 0;
  virtual Result<std::optional<Question>> question(const std::string& id) = 0;
  virtual Result<std::vector<Grant>> grants() = 0;  // revoked and expired ones too
  virtual Result<MarkSpool> spool_mark(const std::string& file) = 0;
  // A store that is not kept anywhere has no chain.
  virtual Result<RecordState> record_state() { return RecordState{}; }
  // Removes the texts that no row has any more; gives how many they were.
  virtual Result<std::size_t> compact() { return std::size_t{0}; }
};

// Waits for a batch: for tests, tools and the start, never on the daemon's own thread.
Result<void> submit_and_wait(Store& store, std::vector<Change> batch,
                             Durability durability = Durability::kNow);

}  // namespace tollgate::store
