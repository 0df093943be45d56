// The store's twin for tests: the same promises, but for what survives the process.
// Batches are applied when they come, or when the test pumps; failure comes on demand.
// May be used from any thread; `done` is called without a lock held, on the thread that submits or
// pumps, so it may submit again.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "store/store.h"

namespace tollgate::store {

// When a batch is applied. With kPumped submit_and_wait() waits until another thread pumps.
enum class Delivery : std::uint8_t { kAtOnce, kPumped };

class MemoryStore : public Store {
 public:
  explicit MemoryStore(Delivery delivery = Delivery::kAtOnce) : delivery_(delivery) {}

  // Applies what waits, oldest first, at most `count` batches, and tells `done` of each. Gives how
  // many there were; what `done` submits counts as well.
  std::size_t pump(std::size_t count = SIZE_MAX);
  std::size_t waiting() const;

  // While there is a failure, every batch and every read ends with it, and nothing is applied.
  void fail_with(std::optional<Error> failure);
  static Error unavailable();  // a fitting one: store-unavailable

  // All sessions, ended ones too, and all that was recorded: for what tests expect.
  std::vector<Session> all_sessions() const;
  std::vector<AuditRow> all_audit() const;

  void submit(std::vector<Change> batch, Durability durability, Done done) override;
  Result<Kept> load(Millis now, Millis recent) override;
  Result<std::vector<AuditRow>> audit(const AuditQuery& query) override;
  Result<std::vector<Question>> questions(const QuestionQuery& query) override;
  Result<std::optional<Question>> question(const std::string& id) override;
  Result<std::vector<Grant>> grants() override;
  Result<MarkSpool> spool_mark(const std::string& file) override;

 private:
  struct Waiting {
    std::vector<Change> batch;
    Done done;
  };
  struct Tables {
    std::map<std::string, Session> sessions;
    std::map<std::string, Question> questions;
    std::map<std::string, Grant> grants;
    std::map<std::string, Credential> credentials;
    std::map<std::string, Login> logins;
    std::map<std::string, std::string> settings;
    std::map<std::string, MarkSpool> marks;
    std::vector<AuditRow> audit;
  };
  class Applying;  // one batch on its way into the tables

  void settle(const Waiting& waiting);

  const Delivery delivery_;
  mutable std::mutex lock_;  // guards all below
  std::deque<Waiting> waiting_;
  std::optional<Error> failure_;
  Tables tables_;
};

}  // namespace tollgate::store
