// Takes the hook's spool into the audit: every record once, whatever is killed when.
// The hook only appends (audit/spool.h); this only reads, and keeps its place in the store.
// INVARIANT: rows and the mark behind them go in one batch, so neither can be there alone.
// LIMIT: the file is never cut or removed: a hook may hold it open and write to it at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/result.h"
#include "store/store.h"

namespace tollgate::store {

struct SpoolLimits {
  std::size_t records = 1'000;          // of one batch
  std::size_t bytes = 8u << 20;         // read at once, and so of one batch
  std::size_t longest = 64u << 20;      // of one record; a longer one counts as garbled
  std::size_t kept_garbled = 1u << 16;  // bytes of a garbled record that are kept
};

struct Swallowed {
  std::size_t records = 0;  // calls and events
  std::size_t garbled = 0;  // torn or unreadable; each has its row of kind `spool`
  std::uint64_t left = 0;   // bytes at the end that are no whole record yet
  bool began_anew = false;  // the file was cut or replaced in its place, and a row says so

  bool operator==(const Swallowed&) const = default;
};

// Reads on from where the last one ended, to the end. A file that is not there has nothing. Records
// without a time of their own get `now`. REQUIRES: what submit_and_wait() requires.
// Errors: file-unreadable, file-not-regular, store-unavailable.
Result<Swallowed> swallow_spool(Store& store, const std::string& file, Millis now,
                                SpoolLimits limits = {});

}  // namespace tollgate::store
