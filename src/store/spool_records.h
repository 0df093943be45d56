// The text of a spool, cut into records, and a record as a row of the audit.
// Pure: files and marks are spool_reader's.
// INVARIANT: every byte belongs to exactly one record or to the rest that is left for later.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "store/rows.h"

namespace tollgate::store {

// The record at the beginning of `text`; nothing where it may still grow. `ended` says that no more
// will come to it, because it is as long as a record may be.
struct SpoolPiece {
  std::string_view bytes;  // with its separator and its newline
  bool whole = false;      // has both
};
std::optional<SpoolPiece> first_piece(std::string_view text, bool ended);

// The row of a whole record; nothing where it is no record that a hook writes.
std::optional<AuditRow> row_of(std::string_view bytes, Millis now, std::size_t longest);

// What is kept of a record that is none, and of a spool that is not the one it was.
AuditRow garbled_row(std::string_view bytes, std::uint64_t offset, Millis now, std::size_t keep);
AuditRow began_anew_row(const std::string& file, std::uint64_t offset, std::string_view why,
                        Millis now);

}  // namespace tollgate::store
