// The record as a file that can be checked anywhere: lines of JSON, in the order of the chain.
//   {"tollgate":"record","version":1,"store":…,"first":…,"last":…,"before":…,"slice":…}
//   {"part":DIGEST,"text":…}                          before the first row that has it
//   {"number":…,"at":…,"kind":…, …,"text":["own",{"part":DIGEST}],"digest":…}
// Text that is no UTF-8 stands as {"hex":…}. Pure: who writes and reads the lines has the file.
// INVARIANT: what comes back gives the same digests as what was put in.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "audit/chain_check.h"
#include "audit/link.h"
#include "base/result.h"
#include "json/value.h"

namespace tollgate {

struct ExportHead {
  ChainStart start;
  std::int64_t last = 0;  // the last row that belongs to it

  std::string line() const;  // with its newline
};

class ExportLines {
 public:
  // The row's line, and before it those of the parts that come for the first time.
  std::string row(const LoggedRow& row);

 private:
  std::unordered_set<std::string> told_;  // digests of parts
};

class ExportReader {
 public:
  // A line that is read as what it is: the head, a row, or a part (neither). Errors: bad-export.
  struct Line {
    std::optional<ExportHead> head;
    std::optional<LoggedRow> row;
  };
  Result<Line> read(std::string_view line);

 private:
  LoggedRow row_of(const json::Value& value) const;

  bool begun_ = false;
  std::unordered_map<std::string, std::shared_ptr<const SharedPiece>> parts_;
};

}  // namespace tollgate
