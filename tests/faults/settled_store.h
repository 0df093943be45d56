// A store whose submit() returns when the batch is done, so that a loop without threads sees it
// through. Included by tests only.
// What it is made of outlives it.
#pragma once

#include <utility>
#include <vector>

#include "store/store.h"

namespace tollgate::faults {

class SettledStore : public store::Store {
 public:
  explicit SettledStore(store::Store& real) : real_(real) {}

  void submit(std::vector<store::Change> batch, store::Durability durability,
              store::Done done) override {
    Result<void> result = submit_and_wait(real_, std::move(batch), durability);
    if (done) done(std::move(result));
  }
  Result<store::Kept> load(store::Millis now, store::Millis recent) override {
    return real_.load(now, recent);
  }
  Result<std::vector<store::AuditRow>> audit(const store::AuditQuery& query) override {
    return real_.audit(query);
  }
  Result<std::vector<store::Question>> questions(const store::QuestionQuery& query) override {
    return real_.questions(query);
  }
  Result<std::optional<store::Question>> question(const std::string& id) override {
    return real_.question(id);
  }
  Result<std::vector<store::Grant>> grants() override { return real_.grants(); }
  Result<store::MarkSpool> spool_mark(const std::string& file) override {
    return real_.spool_mark(file);
  }

 private:
  store::Store& real_;
};

}  // namespace tollgate::faults
