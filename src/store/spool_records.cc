// A record is a separator, one line of JSON, a newline; JSON itself has neither byte inside.
// What lies between records was torn by a full disk or a crash, or is somebody else's.
// SAFETY: what cannot be understood becomes a row as well, so that nothing vanishes silently.
#include "store/spool_records.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "audit/spool.h"
#include "json/json.h"

namespace tollgate::store {
namespace {

std::string text_at(const json::Value* object, std::string_view name) {
  const json::Value* found = object == nullptr ? nullptr : object->find(name);
  return found == nullptr ? std::string() : found->as_string();
}

std::optional<Millis> integer_at(const json::Value* object, std::string_view name) {
  const json::Value* found = object == nullptr ? nullptr : object->find(name);
  if (found == nullptr) return std::nullopt;
  const std::string& text = found->number_text();
  Millis value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Millis time_of(const json::Value& record, Millis now) {
  if (const std::optional<Millis> time = integer_at(&record, "time")) return *time;
  constexpr Millis kLast = INT64_MAX / 1'000;
  const std::optional<Millis> seconds = integer_at(record.find("situation"), "now");
  return seconds && *seconds > 0 && *seconds < kLast ? *seconds * 1'000 : now;
}

std::optional<AuditRow> call_row(const json::Value& record) {
  const json::Value* call = record.find("call");
  const json::Value* decision = record.find("decision");
  if (!call->is_object() || decision == nullptr || !decision->is_object()) return std::nullopt;
  AuditRow row;
  row.kind = "call";
  row.session = text_at(call, "session");
  row.agent = text_at(call, "agent");
  row.tool = text_at(call, "tool");
  row.verdict = text_at(decision, "verdict");
  const json::Value* reasons = decision->find("reasons");
  if (reasons != nullptr && !reasons->items().empty())
    row.rule = text_at(&reasons->items().front(), "rule");
  row.record = json::Value::object();
  for (const char* name : {"call", "effects", "situation", "decision"})
    if (const json::Value* part = record.find(name)) row.record.set(name, *part);
  return row;
}

std::optional<AuditRow> event_row(const json::Value& event) {
  if (!event.is_object()) return std::nullopt;
  AuditRow row;
  const std::string kind = text_at(&event, "kind");
  // SAFETY: whoever can write the spool makes no rows of answers, grants or credentials with it.
  row.kind = kind == "session-began" || kind == "child-began" ? "session" : "spool";
  row.session = text_at(&event, "session");
  row.record = event;
  return row;
}

// Valid UTF-8 of any bytes: what is none becomes replacement characters, as JSON is written.
json::Value readable(std::string_view bytes) {
  const std::string quoted = json::quote(bytes);
  return json::parse(quoted, {.max_bytes = quoted.size()}).value_or(json::Value());
}

}  // namespace

std::optional<SpoolPiece> first_piece(std::string_view text, bool ended) {
  const std::size_t next = text.find(kRecordSeparator, 1);
  if (text.empty()) return std::nullopt;
  if (text[0] == kRecordSeparator) {
    const std::size_t line = text.substr(0, next).find('\n');
    if (line != text.npos) return SpoolPiece{text.substr(0, line + 1), true};
  }
  if (next != text.npos) return SpoolPiece{text.substr(0, next), false};
  if (ended) return SpoolPiece{text, false};
  return std::nullopt;
}

std::optional<AuditRow> row_of(std::string_view bytes, Millis now, std::size_t longest) {
  // LIMIT: a call is nested 64 deep at most, and stands a few levels down in its record.
  Result<json::Value> record =
      json::parse(bytes.substr(1, bytes.size() - 2), {.max_bytes = longest, .max_depth = 80});
  if (!record || !record->is_object()) return std::nullopt;
  const json::Value* event = record->find("event");
  std::optional<AuditRow> row;
  if (event != nullptr)
    row = event_row(*event);
  else if (record->find("call") != nullptr)
    row = call_row(*record);
  if (!row) return row;
  row->origin = "hook";
  row->at = time_of(*record, now);
  return row;
}

AuditRow garbled_row(std::string_view bytes, std::uint64_t offset, Millis now, std::size_t keep) {
  AuditRow row;
  row.kind = "spool";
  row.origin = "spool";
  row.at = now;
  row.record =
      json::Value::object({{"torn", json::Value::boolean(true)},
                           {"offset", json::Value::integer(static_cast<std::int64_t>(offset))},
                           {"bytes", json::Value::integer(static_cast<std::int64_t>(bytes.size()))},
                           {"text", readable(bytes.substr(0, keep))}});
  return row;
}

AuditRow began_anew_row(const std::string& file, std::uint64_t offset, std::string_view why,
                        Millis now) {
  AuditRow row;
  row.kind = "spool";
  row.origin = "spool";
  row.at = now;
  row.record =
      json::Value::object({{"file", json::Value::string(file)},
                           {"why", json::Value::string(std::string(why))},
                           {"was", json::Value::integer(static_cast<std::int64_t>(offset))}});
  return row;
}

}  // namespace tollgate::store
