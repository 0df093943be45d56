// Looks at each text of a call's input; where one holds a secret, the whole record is looked
// through, and every copy of it goes.
// LIMIT: patterns are RE2's, which take linear time; the longest match at a place is hidden.
#include "server/redaction.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "audit/digest.h"
#include "core/codec.h"
#include "gate/places.h"
#include "json/json.h"
#include "os/files.h"
#include "os/random.h"
#include "server/gate.h"

namespace tollgate::server {
namespace {

using json::Value;

constexpr std::size_t kKeyBytes = 32;

// LIMIT: copies of a shorter text are not looked for: it stands in too much that is none.
constexpr std::size_t kShortestCopy = 6;

// "a GitHub token" as `github-token`.
std::string slug(std::string_view name) {
  if (name.starts_with("a ")) name.remove_prefix(2);
  std::string out;
  for (const char c : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (c == ' ' && !out.empty())
      out += '-';
  }
  return out;
}

}  // namespace

struct Redaction::Patterns {
  std::vector<std::unique_ptr<RE2>> all;
};

struct Redaction::Found {
  std::set<std::string> types;
  std::vector<std::pair<std::string, std::string>> texts;  // a secret and its type
};

std::string placeholder(std::string_view secret, std::string_view type) {
  const std::string label = "REDACTED-" + std::string(type) + "-";
  std::string out;
  std::size_t next = 0;
  bool leading = true;
  for (const char c : secret) {
    const auto byte = static_cast<unsigned char>(c);
    // What begins like an option still does.
    leading = leading && c == '-';
    const bool letter = byte >= 0x80 || std::isalnum(byte) || c == '_' || c == '-' || c == '+';
    if (!letter || leading)
      out += c;
    else
      out += next < label.size() ? label[next++] : 'x';
  }
  return out;
}

Result<std::string> record_key(const std::string& directory) {
  const std::string path = directory + "/record.key";
  const Result<std::string> fresh = os::random_bytes(kKeyBytes);
  if (!fresh) return fresh;
  if (const Result<bool> made = os::write_once(path, *fresh); !made) return Fail(made.error());
  Result<std::string> key = os::read_file(path, kKeyBytes);
  if (key && key->size() != kKeyBytes)
    return Fail(
        {.code = "file-unreadable",
         .message = "`" + path + "` is no key: it has " + std::to_string(key->size()) +
                    " bytes and not " + std::to_string(kKeyBytes),
         .hint = "put back the key that was there, or remove the file to begin with another",
         .where = {}});
  return key;
}

Redaction::Redaction(std::string key)
    : key_(std::move(key)), patterns_(std::make_shared<const Patterns>()) {}
Redaction::~Redaction() = default;

void Redaction::configure(const std::vector<std::string>& patterns) {
  const auto made = std::make_shared<Patterns>();
  RE2::Options options;
  options.set_log_errors(false);
  options.set_longest_match(true);
  for (const std::string& pattern : patterns) {
    auto each = std::make_unique<RE2>(pattern, options);
    // The loader has refused what cannot be used.
    if (each->ok()) made->all.push_back(std::move(each));
  }
  const std::lock_guard guard(lock_);
  patterns_ = made;
}

std::shared_ptr<const Redaction::Patterns> Redaction::patterns() const {
  const std::lock_guard guard(lock_);
  return patterns_;
}

void Redaction::find(std::string_view text, const Patterns& patterns, Found& found) const {
  const auto add = [&](std::string_view secret, std::string type) {
    if (secret.empty()) return;
    found.types.insert(type);
    found.texts.emplace_back(secret, std::move(type));
  };
  for (const SecretPiece& piece : secrets_in(text))
    add(text.substr(piece.at, piece.size), slug(piece.name));
  for (const std::unique_ptr<RE2>& pattern : patterns.all) {
    const int group = pattern->NumberOfCapturingGroups() > 0 ? 1 : 0;
    re2::StringPiece match[2];
    for (std::size_t at = 0; at <= text.size();) {
      if (!pattern->Match({text.data(), text.size()}, at, text.size(), RE2::UNANCHORED, match, 2))
        break;
      const auto end = static_cast<std::size_t>(match[0].data() - text.data()) + match[0].size();
      const re2::StringPiece& hidden = match[group].data() == nullptr ? match[0] : match[group];
      add({hidden.data(), hidden.size()}, "rule");
      at = match[0].empty() ? end + 1 : end;
    }
  }
}

void Redaction::find(const Value& value, const Patterns& patterns, Found& found) const {
  if (value.is_string()) find(value.as_string(), patterns, found);
  for (const Value& item : value.items()) find(item, patterns, found);
  for (const auto& [name, member] : value.members()) find(member, patterns, found);
}

std::string Redaction::without(const std::string& text, const Patterns& patterns,
                               Found& found) const {
  Found here;
  find(text, patterns, here);
  for (const std::string& type : here.types) found.types.insert(type);
  std::string out = text;
  const auto hide_all = [&](const auto& texts, std::size_t shortest) {
    for (const auto& [secret, type] : texts) {
      if (secret.size() < shortest) continue;
      const std::string word = placeholder(secret, type);
      if (word == secret) continue;
      for (std::size_t at = out.find(secret); at != out.npos;
           at = out.find(secret, at + word.size()))
        out.replace(at, secret.size(), word);
    }
  };
  hide_all(here.texts, 0);
  hide_all(found.texts, kShortestCopy);
  return out;
}

Value Redaction::without(const Value& value, const Patterns& patterns, Found& found) const {
  if (value.is_string()) return Value::string(without(value.as_string(), patterns, found));
  if (value.is_array()) {
    Value out = Value::array();
    for (const Value& item : value.items()) out.push(without(item, patterns, found));
    return out;
  }
  if (!value.is_object()) return value;
  Value out = Value::object();
  for (const auto& [name, member] : value.members())
    out.set(name, without(member, patterns, found));
  return out;
}

// {"types": […], "hmac": …}: what was hidden, and what tells whether another input is the same.
Value Redaction::mark(const Found& found, std::string_view whole) const {
  Value types = Value::array();
  for (const std::string& type : found.types) types.push(Value::string(type));
  const std::optional<Digest> digest = hmac_sha256(key_, whole);
  return Value::object(
      {{"types", std::move(types)}, {"hmac", Value::string(digest ? text_of(*digest) : "")}});
}

store::AuditRow Redaction::row(const AuditRecord& record, const std::string& origin,
                               store::Millis now, const Value& peer) const {
  const std::shared_ptr<const Patterns> known = patterns();
  Found found;
  find(record.call.input, *known, found);
  find(record.call.stated_reason, *known, found);
  store::AuditRow row = audit_row(record, origin, now, peer);
  if (found.types.empty()) return row;
  // What is the same in other rows may hold it, too.
  row.text.clear();
  row.shared.clear();
  row.record = Value::object({{"call", to_json(record.call)},
                              {"effects", to_json(record.effects)},
                              {"situation", to_json(record.situation)},
                              {"decision", to_json(record.decision)}});
  row.record = without(row.record, *known, found);
  if (!peer.is_null()) row.record.set("peer", peer);
  row.record.set("redacted", mark(found, json::canonical(record.call.input)));
  row.rule = without(row.rule, *known, found);
  return row;
}

void Redaction::hide(store::AuditRow& row) const {
  if (!row.text.empty() || row.record.find("redacted") != nullptr) return;
  const std::shared_ptr<const Patterns> known = patterns();
  if (const Value* digest = row.record.find("digest"); digest != nullptr && row.kind == "question")
    if (const std::optional<Digest> made = hmac_sha256(key_, digest->as_string()))
      row.record.set("digest", Value::string(text_of(*made)));
  Found found;
  find(row.record, *known, found);
  if (found.types.empty()) return;
  const Value* call = row.record.find("call");
  const Value* input = call == nullptr ? nullptr : call->find("input");
  Value made = mark(found, json::canonical(input == nullptr ? row.record : *input));
  row.record = without(row.record, *known, found);
  if (row.record.is_object()) row.record.set("redacted", std::move(made));
}

void Redaction::hide(store::Question& question) const {
  const std::shared_ptr<const Patterns> known = patterns();
  Found found;
  find(question.asked.call.input, *known, found);
  if (found.types.empty()) return;
  const Value call = without(to_json(question.asked.call), *known, found);
  const Value effects = without(to_json(question.asked.effects), *known, found);
  const Value decision = without(to_json(question.asked.decision), *known, found);
  if (Result<ToolCall> made = tool_call_from_json(call)) question.asked.call = std::move(*made);
  if (Result<Effects> made = effects_from_json(effects)) question.asked.effects = std::move(*made);
  if (Result<Decision> made = decision_from_json(decision))
    question.asked.decision = std::move(*made);
  question.context = without(question.context, *known, found);
  if (const std::optional<Digest> digest = hmac_sha256(key_, question.digest))
    question.digest = text_of(*digest);
}

void RedactingStore::submit(std::vector<store::Change> batch, store::Durability durability,
                            store::Done done) {
  for (store::Change& change : batch) {
    if (auto* row = std::get_if<store::AppendAudit>(&change)) redaction_.hide(row->row);
    auto* question = std::get_if<store::ChangeQuestion>(&change);
    if (question != nullptr && question->question.state != store::QuestionState::kPending)
      redaction_.hide(question->question);
  }
  store_->submit(std::move(batch), durability, std::move(done));
}

}  // namespace tollgate::server
