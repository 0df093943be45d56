// Reads a chain row by row and says what is wrong with it, and where.
// Rows come from a store or from an export, heads from outside of both. Pure: nothing is read here.
// SAFETY: whoever can write the rows can write a chain that fits; only heads that lie elsewhere
// tell. What no head covers is unattested, and the report says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "audit/link.h"

namespace tollgate {

// A head of the chain that was put somewhere else: what the digest of that row was.
struct Anchor {
  std::string store;
  std::string place;  // where that store lay, "" where nobody said
  std::int64_t number = 0;
  Digest digest;
  std::int64_t at = 0;
  std::string from;  // file, journal, webhook …

  bool operator==(const Anchor&) const = default;
};

enum class ChainFaultKind : std::uint8_t {
  kUnreadable,  // the row cannot be read
  kChanged,     // the row, or what stood before it, is not what was written there
  kMissing,     // rows are not there
  kOrder,       // the row stands behind a later one
  kBeginning,   // what was before the first row went without a checkpoint, or was too young to go
  kEnd,         // rows that were there once are not at the end
  kAnchor,      // the row is not the one whose digest was kept elsewhere
  kReplaced,    // another store lay here, and its rows are not in this one
};
inline constexpr std::string_view kChainFaultNames[] = {
    "unreadable", "changed", "missing", "order", "beginning", "end", "anchor", "replaced"};

struct ChainFault {
  ChainFaultKind kind = ChainFaultKind::kChanged;
  std::int64_t first = 0;  // rows that it is about
  std::int64_t last = 0;
  std::string text;

  bool operator==(const ChainFault&) const = default;
};

struct ChainReport {
  std::string store;
  std::size_t rows = 0;
  std::int64_t first = 0;  // 0: there are no rows
  std::int64_t last = 0;
  Digest head;
  std::int64_t attested = 0;        // rows up to here are those that an anchor saw; 0: none
  Anchor by;                        // the last of them
  std::int64_t chained_late = 0;    // rows up to here were chained when the store was brought over
  std::int64_t removed = 0;         // rows up to here went by `retention`, and a row says so
  std::int64_t removed_before = 0;  // which says as well that all were from before this time
  std::int64_t removed_at = 0;
  std::vector<ChainFault> faults;
  std::size_t more_faults = 0;  // LIMIT: that are not listed

  bool holds() const { return faults.empty(); }
};

// How the chain begins: with the first row, or behind rows that are not here.
struct ChainStart {
  std::string store;
  std::int64_t first = 1;  // the number that comes first
  Digest before;           // of the row before it
  std::string place;       // where the store lies, "" for an export or a copy
  bool is_slice = false;   // an export of a part: what came before was left out
};

class ChainCheck {
 public:
  // Of `anchors` of other stores only those count that lay at the same place.
  ChainCheck(ChainStart start, std::vector<Anchor> anchors);

  void row(const LoggedRow& row);
  // `last` is the number that was given last, 0 where nothing says.
  ChainReport finish(std::int64_t last);

 private:
  void fault(ChainFaultKind kind, std::int64_t first, std::int64_t last, std::string text);
  void link(const LoggedRow& row);
  void hold_to_anchors(std::int64_t number, const Digest& digest);
  void read_act(const LoggedRow& row);
  void hold_removed_to_anchors();
  void tell_replaced();

  const ChainStart start_;
  std::vector<Anchor> anchors_;  // by number
  std::size_t next_anchor_ = 0;
  Digest before_;
  std::int64_t expected_ = 1;
  bool founded_ = false;  // what came before the first row is accounted for
  bool known_ = true;     // before_ is the digest of the row before
  ChainReport report_;
};

}  // namespace tollgate
