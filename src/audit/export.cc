#include "audit/export.h"

#include <charconv>
#include <utility>

#include "audit/members.h"
#include "base/text.h"
#include "json/json.h"

namespace tollgate {
namespace {

using json::Value;

// LIMIT: of one line; a record is at most a few megabytes.
constexpr std::size_t kLongestLine = 256u << 20;

constexpr std::string_view kDigits = "0123456789abcdef";

Value bytes_value(const std::string& bytes) {
  if (is_valid_utf8(bytes)) return Value::string(bytes);
  std::string digits;
  for (const char c : bytes) {
    digits += kDigits[static_cast<unsigned char>(c) >> 4];
    digits += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return Value::object({{"hex", Value::string(std::move(digits))}});
}

std::string bytes_of(const Value& value) {
  if (value.is_string()) return value.as_string();
  std::string bytes;
  const std::string digits = text_in(value, "hex");
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    const std::size_t high = kDigits.find(digits[i]), low = kDigits.find(digits[i + 1]);
    if (high == kDigits.npos || low == kDigits.npos) return {};
    bytes += static_cast<char>(high * 16 + low);
  }
  return bytes;
}

Error bad_export(std::string why) {
  return {.code = "bad-export",
          .message = std::move(why),
          .hint = "name a file that `tollgate log export` wrote, or a store",
          .where = {}};
}

}  // namespace

std::string ExportHead::line() const {
  return json::write(Value::object({{"tollgate", Value::string("record")},
                                    {"version", Value::integer(1)},
                                    {"store", Value::string(start.store)},
                                    {"first", Value::integer(start.first)},
                                    {"last", Value::integer(last)},
                                    {"before", Value::string(text_of(start.before))},
                                    {"slice", Value::boolean(start.is_slice)}})) +
         "\n";
}

std::string ExportLines::row(const LoggedRow& row) {
  std::string out;
  Value text = Value::array();
  for (const LoggedRow::Piece& piece : row.pieces) {
    if (!piece.shared) {
      text.push(bytes_value(piece.own));
      continue;
    }
    std::string digest = text_of(piece.shared->digest);
    if (told_.insert(digest).second)
      out += json::write(Value::object(
                 {{"part", Value::string(digest)}, {"text", bytes_value(piece.shared->text)}})) +
             "\n";
    text.push(Value::object({{"part", Value::string(std::move(digest))}}));
  }
  Value value =
      Value::object({{"number", Value::integer(row.number)}, {"at", Value::integer(row.at)}});
  for (std::size_t i = 0; i < kLinkNames; ++i)
    if (!row.names[i].empty()) value.set(std::string(kLinkNameNames[i]), bytes_value(row.names[i]));
  value.set("text", std::move(text));
  value.set("digest", Value::string(text_of(row.digest)));
  if (!row.problem.empty()) value.set("problem", Value::string(row.problem));
  return out + json::write(value) + "\n";
}

Result<ExportReader::Line> ExportReader::read(std::string_view line) {
  const Result<Value> value = json::parse(line, {.max_bytes = kLongestLine});
  if (!value || !value->is_object())
    return Fail(bad_export("a line of the export is no JSON object"));
  if (!begun_) {
    const std::optional<Digest> before = digest_from(text_in(*value, "before"));
    if (text_in(*value, "tollgate") != "record" || integer_in(*value, "version") != 1 || !before)
      return Fail(bad_export("the file is no export of a record"));
    begun_ = true;
    const Value* slice = value->find("slice");
    return Line{.head = ExportHead{.start = {.store = text_in(*value, "store"),
                                             .first = integer_in(*value, "first"),
                                             .before = *before,
                                             .is_slice = slice != nullptr && slice->as_bool()},
                                   .last = integer_in(*value, "last")},
                .row = {}};
  }
  if (const Value* part = value->find("part")) {
    const Value* text = value->find("text");
    std::string bytes = text == nullptr ? std::string() : bytes_of(*text);
    const std::optional<Digest> digest = sha256(bytes);
    if (!digest) return Fail(bad_export("no digest could be made of a part"));
    parts_[part->as_string()] =
        std::make_shared<const SharedPiece>(SharedPiece{std::move(bytes), *digest});
    return Line{};
  }
  return Line{.head = {}, .row = row_of(*value)};
}

LoggedRow ExportReader::row_of(const Value& value) const {
  LoggedRow row;
  row.number = integer_in(value, "number");
  if (const Value* at = value.find("at")) {
    // A time may lie before 1970.
    const std::string& digits = at->number_text();
    std::from_chars(digits.data(), digits.data() + digits.size(), row.at);
  }
  for (std::size_t i = 0; i < kLinkNames; ++i)
    if (const Value* name = value.find(kLinkNameNames[i])) row.names[i] = bytes_of(*name);
  const Value* text = value.find("text");
  if (text == nullptr || !text->is_array()) row.problem = "it has no text";
  if (text != nullptr)
    for (const Value& piece : text->items()) {
      const Value* digest = piece.find("part");
      if (digest == nullptr) {
        row.pieces.push_back({bytes_of(piece), nullptr});
        continue;
      }
      const auto part = parts_.find(digest->as_string());
      if (part == parts_.end())
        row.problem = "a part of its text is missing";
      else
        row.pieces.push_back({{}, part->second});
    }
  const std::optional<Digest> digest = digest_from(text_in(value, "digest"));
  if (digest)
    row.digest = *digest;
  else
    row.problem = "it has no digest";
  return row;
}

}  // namespace tollgate
