#include "audit/spool.h"

#include <utility>

#include "core/codec.h"
#include "json/json.h"
#include "os/clock.h"
#include "os/files.h"

namespace tollgate {

Result<void> Spool::append(const AuditRecord& record) {
  json::Value line = json::Value::object();
  line.set("call", to_json(record.call));
  line.set("effects", to_json(record.effects));
  line.set("situation", to_json(record.situation));
  line.set("decision", to_json(record.decision));
  return write(std::move(line));
}

Result<void> Spool::note(json::Value event) {
  return write(json::Value::object({{"event", std::move(event)}}));
}

Result<void> Spool::write(json::Value line) {
  line.set("time", json::Value::integer(os::now_milliseconds()));
  line.set("version", json::Value::integer(1));
  std::string bytes(1, kRecordSeparator);
  bytes += json::write(line);
  bytes += '\n';
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
