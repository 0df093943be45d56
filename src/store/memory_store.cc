// Maps in the place of tables, and a list of what to undo in the place of a transaction.
// Order and bounds of what is read are those of the SQLite store; one test holds both to them.
// INVARIANT: a batch that fails leaves the tables as they were.
#include "store/memory_store.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "json/json.h"
#include "store/record_text.h"
#include "store/refusals.h"
#include "store/words.h"

namespace tollgate::store {
namespace {

template <class Row>
void sort_by_age(std::vector<Row>& rows) {
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return a.created != b.created ? a.created < b.created : a.id < b.id;
  });
}

template <class Row>
std::vector<Row> rows_of(const std::map<std::string, Row>& table) {
  std::vector<Row> rows;
  for (const auto& [key, row] : table) rows.push_back(row);
  return rows;
}

bool matches(const AuditRow& row, const AuditQuery& query) {
  const auto is = [](const std::string& wanted, const std::string& found) {
    return wanted.empty() || wanted == found;
  };
  return (query.before == 0 || row.number < query.before) && row.number > query.after &&
         (query.since == 0 || row.at >= query.since) &&
         (query.until == 0 || row.at < query.until) && is(query.kind, row.kind) &&
         is(query.session, row.session) && is(query.agent, row.agent) && is(query.tool, row.tool) &&
         is(query.verdict, row.verdict) && is(query.rule, row.rule) &&
         is(query.question, row.question) &&
         (query.grep.empty() || words_of(row.record).find(query.grep) != std::string::npos);
}

}  // namespace

// Its destructor undoes what was applied, unless the batch was kept.
class MemoryStore::Applying {
 public:
  explicit Applying(Tables& tables) : tables_(tables) {}
  ~Applying() {
    for (auto undo = undo_.rbegin(); undo != undo_.rend(); ++undo) (*undo)();
  }
  Applying(const Applying&) = delete;
  Applying& operator=(const Applying&) = delete;

  void keep() { undo_.clear(); }

  Result<void> operator()(const PutSession& change) {
    return put(tables_.sessions, change.session.id, change.session);
  }
  Result<void> operator()(const TouchSession& change) {
    const auto found = tables_.sessions.find(change.id);
    if (found == tables_.sessions.end()) return {};
    Session touched = found->second;
    touched.seen = std::max(touched.seen, change.seen);
    return put(tables_.sessions, change.id, std::move(touched));
  }
  Result<void> operator()(const AddQuestion& change) {
    if (tables_.questions.contains(change.question.id))
      return Fail(question_exists(change.question.id));
    return put(tables_.questions, change.question.id, change.question);
  }
  Result<void> operator()(const ChangeQuestion& change) {
    const auto found = tables_.questions.find(change.question.id);
    if (found == tables_.questions.end() || found->second.state != change.expected)
      return Fail(already_answered(change.question.id));
    return put(tables_.questions, change.question.id, change.question);
  }
  Result<void> operator()(const PutGrant& change) {
    return put(tables_.grants, change.grant.id, change.grant);
  }
  Result<void> operator()(const PutCredential& change) {
    return put(tables_.credentials, change.credential.name, change.credential);
  }
  Result<void> operator()(const PutLogin& change) {
    return put(tables_.logins, change.login.digest, change.login);
  }
  Result<void> operator()(const SpendLink& change) {
    const auto found = tables_.logins.find(change.digest);
    if (found == tables_.logins.end()) return Fail(link_spent());
    Login link = found->second;
    if (link.kind != Login::Kind::kLink || link.used != 0 ||
        (link.expires != 0 && link.expires <= change.at))
      return Fail(link_spent());
    link.used = change.at;
    return put(tables_.logins, change.digest, std::move(link));
  }
  Result<void> operator()(const DropLogins& change) {
    const auto ended = [&](Millis at) { return at != 0 && at < change.before; };
    for (const Login& login : rows_of(tables_.logins))
      if ((!change.credential.empty() && login.credential == change.credential) ||
          ended(login.expires) || ended(login.used))
        static_cast<void>(remove(tables_.logins, login.digest));
    return {};
  }
  Result<void> operator()(const PutSetting& change) {
    if (change.text.empty()) return remove(tables_.settings, change.name);
    return put(tables_.settings, change.name, change.text);
  }
  Result<void> operator()(const AppendAudit& change) {
    tables_.audit.push_back(change.row);
    AuditRow& row = tables_.audit.back();
    row.number = static_cast<std::int64_t>(tables_.audit.size());
    if (!row.text.empty()) {
      const std::string text = whole_text(row);
      if (Result<json::Value> record = json::parse(text)) row.record = std::move(*record);
      row.text.clear();
      row.shared.clear();
    }
    undo_.push_back([this] { tables_.audit.pop_back(); });
    return {};
  }
  Result<void> operator()(const ForgetTexts&) { return {}; }
  Result<void> operator()(const RemoveAudit&) { return {}; }  // it is gone soon enough
  Result<void> operator()(const MarkSpool& change) {
    return put(tables_.marks, change.file, change);
  }

 private:
  template <class Row>
  Result<void> put(std::map<std::string, Row>& table, const std::string& key, Row row) {
    remember(table, key);
    table.insert_or_assign(key, std::move(row));
    return {};
  }
  template <class Row>
  Result<void> remove(std::map<std::string, Row>& table, const std::string& key) {
    remember(table, key);
    table.erase(key);
    return {};
  }
  template <class Row>
  void remember(std::map<std::string, Row>& table, const std::string& key) {
    const auto found = table.find(key);
    if (found == table.end())
      undo_.push_back([&table, key] { table.erase(key); });
    else
      undo_.push_back([&table, key, before = found->second] { table[key] = before; });
  }

  Tables& tables_;
  std::vector<std::function<void()>> undo_;
};

Error MemoryStore::unavailable() {
  return {.code = "store-unavailable",
          .message = "the store was told to fail",
          .hint = "tell it to work again",
          .where = {}};
}

void MemoryStore::submit(std::vector<Change> batch, Durability, Done done) {
  Waiting waiting{std::move(batch), std::move(done)};
  if (delivery_ == Delivery::kAtOnce) return settle(waiting);
  const std::lock_guard guard(lock_);
  waiting_.push_back(std::move(waiting));
}

std::size_t MemoryStore::pump(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::unique_lock guard(lock_);
    if (waiting_.empty()) return i;
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    guard.unlock();
    settle(next);
  }
  return count;
}

void MemoryStore::settle(const Waiting& waiting) {
  Result<void> result;
  {
    const std::lock_guard guard(lock_);
    if (failure_) result = Fail(*failure_);
    Applying applying(tables_);
    for (const Change& change : waiting.batch) {
      if (!result) break;
      result = std::visit(applying, change);
    }
    if (result) applying.keep();
  }
  if (waiting.done) waiting.done(std::move(result));
}

std::size_t MemoryStore::waiting() const {
  const std::lock_guard guard(lock_);
  return waiting_.size();
}

void MemoryStore::fail_with(std::optional<Error> failure) {
  const std::lock_guard guard(lock_);
  failure_ = std::move(failure);
}

std::vector<Session> MemoryStore::all_sessions() const {
  const std::lock_guard guard(lock_);
  std::vector<Session> all = rows_of(tables_.sessions);
  sort_by_age(all);
  return all;
}

std::vector<AuditRow> MemoryStore::all_audit() const {
  const std::lock_guard guard(lock_);
  return tables_.audit;
}

Result<Kept> MemoryStore::load(Millis now, Millis recent) {
  const std::lock_guard guard(lock_);
  if (failure_) return Fail(*failure_);
  Kept kept;
  std::set<std::string> wanted;
  for (const auto& [id, session] : tables_.sessions) {
    if (session.ended != 0) continue;
    for (std::string next = id; tables_.sessions.contains(next) && wanted.insert(next).second;)
      next = tables_.sessions.at(next).parent;
  }
  for (const std::string& id : wanted) kept.sessions.push_back(tables_.sessions.at(id));
  for (const auto& [id, question] : tables_.questions)
    if (question.state == QuestionState::kPending || question.settlement.at > now - recent)
      kept.questions.push_back(question);
  for (const auto& [id, grant] : tables_.grants)
    if (grant.revoked == 0 && (grant.expires == 0 || grant.expires > now))
      kept.grants.push_back(grant);
  sort_by_age(kept.sessions);
  sort_by_age(kept.questions);
  sort_by_age(kept.grants);
  kept.credentials = rows_of(tables_.credentials);
  kept.logins = rows_of(tables_.logins);
  kept.settings.assign(tables_.settings.begin(), tables_.settings.end());
  return kept;
}

Result<std::vector<AuditRow>> MemoryStore::audit(const AuditQuery& query) {
  const std::lock_guard guard(lock_);
  if (failure_) return Fail(*failure_);
  std::vector<AuditRow> found;
  const std::size_t size = tables_.audit.size();
  for (std::size_t i = 0; i < size && found.size() < query.limit; ++i) {
    const AuditRow& row = tables_.audit[query.oldest_first ? i : size - 1 - i];
    if (matches(row, query)) found.push_back(row);
  }
  return found;
}

Result<std::vector<Question>> MemoryStore::questions(const QuestionQuery& query) {
  const std::lock_guard guard(lock_);
  if (failure_) return Fail(*failure_);
  std::vector<Question> found;
  for (const auto& [id, question] : tables_.questions) {
    const bool wanted =
        query.state ? question.state == *query.state : question.state != QuestionState::kPending;
    if (wanted && (query.session.empty() || query.session == question.session))
      found.push_back(question);
  }
  sort_by_age(found);
  std::ranges::reverse(found);
  if (found.size() > query.limit) found.resize(query.limit);
  return found;
}

Result<std::optional<Question>> MemoryStore::question(const std::string& id) {
  const std::lock_guard guard(lock_);
  if (failure_) return Fail(*failure_);
  const auto found = tables_.questions.find(id);
  if (found == tables_.questions.end()) return std::optional<Question>();
  return std::optional<Question>(found->second);
}

Result<std::vector<Grant>> MemoryStore::grants() {
  const std::lock_guard guard(lock_);
  if (failure_) return Fail(*failure_);
  std::vector<Grant> all = rows_of(tables_.grants);
  sort_by_age(all);
  return all;
}

Result<MarkSpool> MemoryStore::spool_mark(const std::string& file) {
  const std::lock_guard guard(lock_);
  if (failure_) return Fail(*failure_);
  const auto found = tables_.marks.find(file);
  if (found != tables_.marks.end()) return found->second;
  return MarkSpool{.file = file, .device = 0, .inode = 0, .offset = 0};
}

}  // namespace tollgate::store
