// A store for tests that answers when it is told to, with success or failure; and a posting queue.
// Included by tests only.
// What was applied stays over a crash; what was handed over and not applied is lost with it.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "store/store.h"

namespace tollgate::approvals {

// The daemon's thread of a test.
class PostQueue {
 public:
  std::function<void(std::function<void()>)> post() {
    return [this](std::function<void()> work) { work_.push_back(std::move(work)); };
  }
  bool run_one() {
    if (work_.empty()) return false;
    const std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    work();
    return true;
  }
  void run() {
    while (run_one()) {
    }
  }
  void clear() { work_.clear(); }
  // Right behind what was posted last, with nothing between them. REQUIRES: something was posted.
  void follow(std::function<void()> next) {
    work_.back() = [last = std::move(work_.back()), next = std::move(next)] {
      last();
      next();
    };
  }

 private:
  std::deque<std::function<void()>> work_;
};

class ScriptedStore : public store::Store {
 public:
  struct Batch {
    std::vector<store::Change> changes;
    store::Durability durability = store::Durability::kGrouped;
    store::Done done;
  };

  std::deque<Batch> batches;  // handed over and not answered
  std::size_t submitted = 0;

  std::map<std::string, store::Session> sessions;
  std::map<std::string, store::Question> all_questions;
  std::map<std::string, store::Grant> all_grants;
  std::map<std::string, store::Credential> credentials;
  std::map<std::string, store::Login> logins;
  std::map<std::string, std::string> settings;
  std::vector<store::AuditRow> rows;

  void submit(std::vector<store::Change> batch, store::Durability durability,
              store::Done done) override {
    ++submitted;
    batches.push_back({std::move(batch), durability, std::move(done)});
  }

  // Answers the oldest batch; false where there is none.
  bool answer_one(bool working = true) {
    if (batches.empty()) return false;
    Batch batch = std::move(batches.front());
    batches.pop_front();
    batch.done(working ? apply(batch.changes) : Fail(error("store-unavailable")));
    return true;
  }

  Result<store::Kept> load(store::Millis, store::Millis) override {
    store::Kept kept;
    for (const auto& [id, question] : all_questions) kept.questions.push_back(question);
    for (const auto& [id, session] : sessions)
      if (session.ended == 0) kept.sessions.push_back(session);
    for (const auto& [id, grant] : all_grants) kept.grants.push_back(grant);
    for (const auto& [name, credential] : credentials) kept.credentials.push_back(credential);
    for (const auto& [digest, login] : logins) kept.logins.push_back(login);
    kept.settings.assign(settings.begin(), settings.end());
    return kept;
  }
  Result<std::vector<store::AuditRow>> audit(const store::AuditQuery&) override { return rows; }
  Result<std::vector<store::Question>> questions(const store::QuestionQuery&) override {
    return std::vector<store::Question>{};
  }
  Result<std::optional<store::Question>> question(const std::string& id) override {
    const auto found = all_questions.find(id);
    if (found == all_questions.end()) return std::optional<store::Question>{};
    return std::optional(found->second);
  }
  Result<std::vector<store::Grant>> grants() override { return std::vector<store::Grant>{}; }
  Result<store::MarkSpool> spool_mark(const std::string& file) override {
    return store::MarkSpool{.file = file};
  }

  static Error error(std::string code) {
    return {.code = std::move(code),
            .message = "the disk is full",
            .hint = "free some space",
            .where = {}};
  }

 private:
  // Whole or not at all: what can fail is looked at first.
  Result<void> apply(const std::vector<store::Change>& changes) {
    for (const store::Change& change : changes) {
      if (const auto* one = std::get_if<store::ChangeQuestion>(&change)) {
        const auto found = all_questions.find(one->question.id);
        if (found == all_questions.end() || found->second.state != one->expected)
          return Fail(error("already-answered"));
      }
      if (const auto* one = std::get_if<store::SpendLink>(&change)) {
        const auto found = logins.find(one->digest);
        if (found == logins.end() || found->second.used != 0 || found->second.expires <= one->at)
          return Fail(error("link-spent"));
      }
    }
    for (const store::Change& change : changes)
      std::visit([this](const auto& one) { put(one); }, change);
    return {};
  }

  void put(const store::PutSession& one) { sessions[one.session.id] = one.session; }
  void put(const store::TouchSession& one) { sessions[one.id].seen = one.seen; }
  void put(const store::AddQuestion& one) { all_questions[one.question.id] = one.question; }
  void put(const store::ChangeQuestion& one) { all_questions[one.question.id] = one.question; }
  void put(const store::PutGrant& one) { all_grants[one.grant.id] = one.grant; }
  void put(const store::PutCredential& one) { credentials[one.credential.name] = one.credential; }
  void put(const store::PutLogin& one) { logins[one.login.digest] = one.login; }
  void put(const store::SpendLink& one) { logins[one.digest].used = one.at; }
  void put(const store::DropLogins& one) {
    std::erase_if(logins, [&](const auto& login) {
      if (!one.credential.empty()) return login.second.credential == one.credential;
      return login.second.expires < one.before;
    });
  }
  void put(const store::PutSetting& one) {
    if (one.text.empty())
      settings.erase(one.name);
    else
      settings[one.name] = one.text;
  }
  void put(const store::AppendAudit& one) {
    rows.push_back(one.row);
    rows.back().number = static_cast<std::int64_t>(rows.size());
  }
  void put(const store::RemoveAudit&) {}
  void put(const store::ForgetTexts&) {}
  void put(const store::MarkSpool&) {}
};

}  // namespace tollgate::approvals
