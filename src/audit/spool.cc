#include "audit/spool.h"

#include <utility>

#include "core/codec.h"
#include "json/append.h"
#include "os/clock.h"
#include "os/files.h"

namespace tollgate {

namespace {

constexpr std::size_t kUsualRecord = 8'192;

}  // namespace

Result<void> Spool::append(const AuditRecord& record) {
  std::string bytes;
  bytes.reserve(kUsualRecord);
  bytes = kRecordSeparator;
  bytes += "{\"call\":";
  append_json(bytes, record.call);
  bytes += ",\"effects\":";
  append_json(bytes, record.effects);
  bytes += ",\"situation\":";
  append_json(bytes, record.situation);
  bytes += ",\"decision\":";
  append_json(bytes, record.decision);
  return finish(std::move(bytes));
}

Result<void> Spool::note(const json::Value& event) {
  std::string bytes(1, kRecordSeparator);
  bytes += "{\"event\":";
  json::append(bytes, event);
  return finish(std::move(bytes));
}

// Ends the record, which lacks the time, and writes it.
Result<void> Spool::finish(std::string bytes) {
  bytes += ",\"time\":" + std::to_string(os::now_milliseconds()) + ",\"version\":1}\n";
  Result<void> written = os::append(file(), bytes, options_.sync);
  if (!written && written.error().code == "file-missing") {
    if (Result<void> made = os::make_private_directory(directory_); !made)
      written = std::move(made);
    else
      written = os::append(file(), bytes, options_.sync);
  }
  if (written) return {};
  Error error = std::move(written).error();
  error.code = "audit-unavailable";
  return Fail(std::move(error));
}

}  // namespace tollgate
