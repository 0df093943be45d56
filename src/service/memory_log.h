// The audit log's twin for tests: records in memory, and failure on demand.
// It keeps them in the order they came, as the real logs do.
// Only tests and dry runs use it; nothing in it survives the process.
#pragma once

#include <optional>
#include <vector>

#include "core/audit_log.h"

namespace tollgate {

class MemoryLog : public AuditLog {
 public:
  Result<void> append(const AuditRecord& record) override {
    if (failure) return Fail(*failure);
    records.push_back(record);
    return {};
  }

  std::vector<AuditRecord> records;
  std::optional<Error> failure;  // set: every append fails with it
};

}  // namespace tollgate
