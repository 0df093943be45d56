// Records of calls that no daemon took: one file, appended to by any number of processes.
// Each record is one write behind a separator (RFC 7464), so that a record which was cut short by
// a full disk or a crash spoils no other.
// SAFETY: a record that was not written whole is an error, and the call is denied.
#pragma once

#include <cstdint>
#include <string>

#include "core/audit_log.h"
#include "json/value.h"

namespace tollgate {

inline constexpr char kRecordSeparator = '\x1e';

struct SpoolOptions {
  bool sync = false;  // wait until the disk has it
};

class Spool : public AuditLog {
 public:
  // `directory` is made when it is missing.
  explicit Spool(std::string directory, SpoolOptions options = {})
      : directory_(std::move(directory)), options_(options) {}

  Result<void> append(const AuditRecord& record) override;

  // Something that happened and was no call: a session that began. Error: audit-unavailable.
  Result<void> note(const json::Value& event);

  std::string file() const { return directory_ + "/spool.jsonseq"; }

 private:
  Result<void> finish(std::string bytes);

  std::string directory_;
  SpoolOptions options_;
};

}  // namespace tollgate
