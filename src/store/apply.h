// Changes as SQL: what each one does to the tables, inside the transaction that is open.
// The writer alone uses it, one for each connection, and says when a transaction came to nothing.
// A refusal (already-answered, link-spent) is about one batch; any other error is the database's.
// INVARIANT: every change is one statement, and names before it, which harm nobody if it fails.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/link.h"
#include "store/interned.h"
#include "store/postings.h"
#include "store/sqlite.h"
#include "store/store.h"

namespace tollgate::store {

class Applier {
 public:
  explicit Applier(Database& database) : database_(database) {}

  // Reads the last audit number; another process may have written since. REQUIRES: a transaction.
  Result<void> begin();
  // Keeps the numbers that were given, and lists rows when a span is full. REQUIRES: the
  // transaction of begin().
  Result<void> end();
  // The transaction was undone: what it knew of the tables is no longer so.
  void undone();

  // All of the batch or none of it. REQUIRES: between begin() and end().
  Result<void> apply(const std::vector<Change>& batch);

 private:
  Result<void> put(const PutSession& change);
  Result<void> put(const TouchSession& change);
  Result<void> put(const AddQuestion& change);
  Result<void> put(const ChangeQuestion& change);
  Result<void> put(const PutGrant& change);
  Result<void> put(const PutCredential& change);
  Result<void> put(const PutLogin& change);
  Result<void> put(const SpendLink& change);
  Result<void> put(const DropLogins& change);
  Result<void> put(const PutSetting& change);
  Result<void> put(const AppendAudit& change);
  Result<void> put(const RemoveAudit& change);
  Result<void> put(const ForgetTexts& change);
  Result<void> put(const MarkSpool& change);
  Result<void> put_all(const std::vector<Change>& batch);
  Result<void> append(const AuditRow& row);
  Result<IndexedRow> names_of(const AuditRow& row);
  // Makes text_, and puts the same into the link.
  Result<void> keep_text(const AuditRow& row);
  Result<void> keep_parts(const AuditRow& row);
  Result<void> list_rows();

  Database& database_;
  Interned interned_;
  std::int64_t kept_number_ = 0;  // in the table
  std::int64_t last_number_ = 0;  // given last
  std::int64_t listed_ = 0;       // how far the lists go
  std::vector<IndexedRow> tail_;  // the rows behind it, where this one wrote them all
  std::int64_t swept_ = 0;        // how often texts were removed
  std::optional<Digest> head_;    // of the row last_number_; nothing: the table has it
  LinkText link_;                 // of the row that is put; this and the next kept for their memory
  std::string text_;
};

}  // namespace tollgate::store
