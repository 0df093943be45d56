// Secrets in what is about to be recorded: found by `settings.redact` and by the shapes of known
// keys, and replaced by a word of the same length that says what stood there.
// May be used from any thread.
// SAFETY: only what is kept is changed, never what is judged, shown to a person or handed on. A
// secret that is spelled in pieces is not found; the record says what was, and no more.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/audit_log.h"
#include "json/value.h"
#include "store/store.h"

namespace tollgate::server {

class Redaction {
 public:
  // `key` is the store's own: digests of what was hidden are made under it.
  explicit Redaction(std::string key);
  ~Redaction();

  // The regular expressions of the settings; one that has a group hides what the first one matched.
  void configure(const std::vector<std::string>& patterns);

  // The row of a call: server::audit_row(), unless its input holds a secret.
  store::AuditRow row(const AuditRecord& record, const std::string& origin, store::Millis now,
                      const json::Value& peer) const;
  // Of any other row what its own record holds; digests of calls become digests under the key.
  void hide(store::AuditRow& row) const;
  // What is kept of a question that has ended.
  void hide(store::Question& question) const;

 private:
  struct Patterns;
  struct Found;

  std::shared_ptr<const Patterns> patterns() const;
  void find(std::string_view text, const Patterns& patterns, Found& found) const;
  void find(const json::Value& value, const Patterns& patterns, Found& found) const;
  json::Value without(const json::Value& value, const Patterns& patterns, Found& found) const;
  std::string without(const std::string& text, const Patterns& patterns, Found& found) const;
  json::Value mark(const Found& found, std::string_view whole) const;

  const std::string key_;
  mutable std::mutex lock_;
  std::shared_ptr<const Patterns> patterns_;
};

// A word that stands for a secret: as long, blanks and signs of a shell's in their places, its
// letters the name of what it was.
std::string placeholder(std::string_view secret, std::string_view type);

// The key of the store in `directory`, made at the first time (0600). Errors: file-unwritable,
// file-unreadable, random-unavailable.
Result<std::string> record_key(const std::string& directory);

// Hides what is to be kept on its way into the store.
class RedactingStore : public store::Store {
 public:
  RedactingStore(std::unique_ptr<store::Store> store, const Redaction& redaction)
      : store_(std::move(store)), redaction_(redaction) {}

  void submit(std::vector<store::Change> batch, store::Durability durability,
              store::Done done) override;
  Result<store::Kept> load(store::Millis now, store::Millis recent) override {
    return store_->load(now, recent);
  }
  Result<std::vector<store::AuditRow>> audit(const store::AuditQuery& query) override {
    return store_->audit(query);
  }
  Result<std::vector<store::Question>> questions(const store::QuestionQuery& query) override {
    return store_->questions(query);
  }
  Result<std::optional<store::Question>> question(const std::string& id) override {
    return store_->question(id);
  }
  Result<std::vector<store::Grant>> grants() override { return store_->grants(); }
  Result<store::MarkSpool> spool_mark(const std::string& file) override {
    return store_->spool_mark(file);
  }
  Result<store::RecordState> record_state() override { return store_->record_state(); }
  Result<std::size_t> compact() override { return store_->compact(); }

 private:
  const std::unique_ptr<store::Store> store_;
  const Redaction& redaction_;
};

}  // namespace tollgate::server
