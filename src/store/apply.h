// Changes as SQL: what each one does to the tables, inside the transaction that is open.
// The writer alone uses it.
// A refusal (already-answered, link-spent) is about one batch; any other error is the database's.
// INVARIANT: every change is one statement.
#pragma once

#include <cstdint>

#include "store/sqlite.h"
#include "store/store.h"

namespace tollgate::store {

class Applier {
 public:
  explicit Applier(Database& database) : database_(database) {}

  // Reads the last audit number; another process may have written since. REQUIRES: a transaction.
  Result<void> begin();
  // Keeps the numbers that were given. REQUIRES: the transaction of begin().
  Result<void> end();

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
  Result<void> put(const MarkSpool& change);
  Result<void> put_all(const std::vector<Change>& batch);

  Database& database_;
  std::int64_t kept_number_ = 0;  // in the table
  std::int64_t last_number_ = 0;  // given last
};

}  // namespace tollgate::store
