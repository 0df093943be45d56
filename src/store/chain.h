// The chain of the audit in its tables: where it stands, how an older file gets one, and how its
// beginning is removed without tearing it.
// What a link is says audit/link.h; the writer makes one for each row that it puts.
// INVARIANT: a row, its digest and the numbers are of one transaction.
#pragma once

#include <functional>
#include <optional>

#include "audit/link.h"
#include "store/sqlite.h"
#include "store/store.h"

namespace tollgate::store {

// What a writer must know before it writes.
struct Numbers {
  std::int64_t last = 0;    // of the audit, given last
  std::int64_t listed = 0;  // how far the lists go
  std::int64_t swept = 0;   // how often texts were removed
  std::int64_t worded = 0;  // how far the search for words goes
};
Result<Numbers> read_numbers(Database& database);

// The digest of the last row; of none, what the first will follow.
Result<Digest> head_of_chain(Database& database);

// Of the row `number`, or of the last before it.
Result<Digest> digest_at(Database& database, std::int64_t number);

struct ChainBegin {
  std::string store;
  std::int64_t first = 1;
  Digest before;
};
Result<ChainBegin> begin_of_chain(Database& database);

// Rows first … last in their order, as they stand. `take` says whether to go on.
// A row that cannot be read comes with its problem.
Result<void> each_logged_row(Database& database, std::int64_t first, std::int64_t last,
                             const std::function<Result<bool>(LoggedRow&)>& take);

// Gives every row its digest, and appends a row that says so. REQUIRES: a transaction.
Result<void> chain_what_came(Database& database);

// The names and parts that no row has, as of now.
Result<ForgetTexts> idle_texts(Database& database);
// REQUIRES: a transaction; numbers of texts that anybody knows by heart are void afterwards.
Result<void> forget_texts(Database& database, const ForgetTexts& change);

// Removes rows as the change says and gives the row that is to be appended; nothing where none is
// that old. REQUIRES: a transaction.
Result<std::optional<AuditRow>> remove_oldest(Database& database, const RemoveAudit& change);

}  // namespace tollgate::store
