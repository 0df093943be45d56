// One list of members for each kind of row, which both the writer and the reader walk.
// The records of calls go through core/codec.h.
// LIMIT: of text that is no UTF-8 only a record's own (real paths) reads back with replacements.
#include "store/row_codec.h"

#include <charconv>
#include <concepts>
#include <utility>

#include "base/text.h"
#include "core/codec.h"
#include "json/append.h"
#include "json/json.h"
#include "store/names.h"

namespace tollgate::store {
namespace {

// LIMIT: far above what a call may hold, because a record repeats its texts and escapes them.
constexpr json::Limits kLimits{.max_bytes = std::size_t{1} << 30, .max_depth = 1'024};
constexpr std::string_view kHex = "hex";
constexpr std::string_view kDigits = "0123456789abcdef";

template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;
template <class T>
concept Named = std::is_enum_v<T> && !kNamesOf<T>.empty();

// --- what the rows have --------------------------------------------------------------------------

template <class Walk, Is<Session> Row>
void walk_members(Walk& walk, Row& row) {
  walk("id", row.id);
  walk("parent", row.parent);
  walk("agent", row.agent);
  walk("provider", row.provider);
  walk("cwd", row.cwd);
  walk("roots", row.roots);
  walk("search_path", row.search_path);
  walk("mode", row.mode);
  walk("answer", row.answer);
  walk("frozen", row.frozen);
  walk("from_operator", row.from_operator);
  walk("made_by", row.made_by);
  walk("client_session", row.client_session);
  walk("child_type", row.child_type);
  walk("created", row.created);
  walk("expires", row.expires);
  walk("seen", row.seen);
  walk("ended", row.ended);
}

template <class Walk, Is<Vote> Row>
void walk_members(Walk& walk, Row& row) {
  walk("maker", row.maker);
  walk("key", row.key);
  walk("approver", row.approver);
  walk("person", row.person);
  walk("allow", row.allow);
  walk("reason", row.reason);
  walk("via", row.via);
  walk("at", row.at);
  walk("roles", row.roles);
}

template <class Walk, Is<Settlement> Row>
void walk_members(Walk& walk, Row& row) {
  walk("by", row.by);
  walk("reason", row.reason);
  walk("scope", row.scope);
  walk("rule", row.rule);
  walk("grant", row.grant);
  walk("changed", row.changed);
  walk("reply", row.reply);
  walk("at", row.at);
  walk("use_until", row.use_until);
}

template <class Walk, Is<AuditRecord> Row>
void walk_members(Walk& walk, Row& row) {
  walk("call", row.call);
  walk("effects", row.effects);
  walk("situation", row.situation);
  walk("decision", row.decision);
}

template <class Walk, Is<Question> Row>
void walk_members(Walk& walk, Row& row) {
  walk("id", row.id);
  walk("type", row.type);
  walk("session", row.session);
  walk("agent", row.agent);
  walk("chain", row.chain);
  walk("for_session", row.for_session);
  walk("root", row.root);
  walk("digest", row.digest);
  walk("asked", row.asked);
  walk("context", row.context);
  walk("created", row.created);
  walk("expires", row.expires);
  walk("state", row.state);
  walk("votes", row.votes);
  walk("settlement", row.settlement);
  walk("seen", row.seen);
  walk("gone", row.gone);
  walk("delivered", row.delivered);
  walk("spent", row.spent);
}

template <class Walk, Is<Grant> Row>
void walk_members(Walk& walk, Row& row) {
  walk("id", row.id);
  walk("rule", row.rule);
  walk("scope", row.scope);
  walk("session", row.session);
  walk("agent", row.agent);
  walk("root", row.root);
  walk("author", row.author);
  walk("question", row.question);
  walk("created", row.created);
  walk("expires", row.expires);
  walk("revoked", row.revoked);
  walk("revoked_by", row.revoked_by);
}

template <class Walk, Is<Credential> Row>
void walk_members(Walk& walk, Row& row) {
  walk("name", row.name);
  walk("person", row.person);
  walk("roles", row.roles);
  walk("approver", row.approver);
  walk("is_operator", row.is_operator);
  walk("digest", row.digest);
  walk("device", row.device);
  walk("created", row.created);
  walk("expires", row.expires);
  walk("revoked", row.revoked);
}

// --- writing -------------------------------------------------------------------------------------

class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  template <class T>
  void operator()(std::string_view name, const T& member) {
    out_ += between_;
    json::append_quoted(out_, name);
    out_ += ':';
    put(member);
    between_ = ',';
  }
  template <class T>
  void operator()(std::string_view name, const std::optional<T>& member) {
    if (member) (*this)(name, *member);
  }

  template <class Row>
  static void write(std::string& out, const Row& row) {
    Writer writer(out);
    walk_members(writer, row);
    out += '}';
  }

 private:
  void put(const std::string& text) {
    if (is_valid_utf8(text)) return json::append_quoted(out_, text);
    out_ += "{\"hex\":\"";
    for (const char c : text) {
      out_ += kDigits[static_cast<unsigned char>(c) >> 4];
      out_ += kDigits[static_cast<unsigned char>(c) & 15];
    }
    out_ += "\"}";
  }
  void put(bool value) { out_ += value ? "true" : "false"; }
  void put(Millis value) { out_ += std::to_string(value); }
  void put(const json::Value& value) { json::append(out_, value); }
  void put(const ToolCall& call) { append_json(out_, call); }
  void put(const Effects& effects) { append_json(out_, effects); }
  void put(const Situation& situation) { append_json(out_, situation); }
  void put(const Decision& decision) { append_json(out_, decision); }
  template <Named E>
  void put(E value) {
    json::append_quoted(out_, name_in_list(value));
  }
  template <class T>
  void put(const std::vector<T>& items) {
    char between = '[';
    for (const T& item : items) {
      out_ += between;
      put(item);
      between = ',';
    }
    out_ += items.empty() ? "[]" : "]";
  }
  template <class Row>
    requires requires(Writer walk, const Row row) { walk_members(walk, row); }
  void put(const Row& row) {
    write(out_, row);
  }

  std::string& out_;
  char between_ = '{';
};

// --- reading -------------------------------------------------------------------------------------

// A call without a name or an input is kept too, though nobody may make one of it.
bool read_call(const json::Value& value, ToolCall& into) {
  const json::Value* tool = value.find("tool");
  const json::Value* input = value.find("input");
  if (tool == nullptr || !tool->is_string() || input == nullptr) return false;
  json::Value whole = value;
  if (tool->as_string().empty()) whole.set("tool", json::Value::string("none"));
  if (!input->is_object()) whole.set("input", json::Value::object());
  Result<ToolCall> call = tool_call_from_json(whole);
  if (!call) return false;
  into = std::move(*call);
  into.tool = tool->as_string();
  into.input = *input;
  return true;
}

template <class T>
bool take(Result<T> read, T& into) {
  if (read) into = std::move(*read);
  return read.has_value();
}

class Reader {
 public:
  explicit Reader(const json::Value& object) : object_(object), whole_(object.is_object()) {}

  template <class T>
  void operator()(std::string_view name, T& member) {
    const json::Value* found = object_.find(name);
    if (found != nullptr && !get(*found, member)) whole_ = false;
  }
  template <class T>
  void operator()(std::string_view name, std::optional<T>& member) {
    const json::Value* found = object_.find(name);
    if (found == nullptr) return;
    T value{};
    if (!get(*found, value)) whole_ = false;
    member = std::move(value);
  }

  template <class Row>
  static bool read(const json::Value& object, Row& into) {
    Reader reader(object);
    walk_members(reader, into);
    return reader.whole_;
  }

 private:
  static bool get(const json::Value& value, std::string& into) {
    if (value.is_object()) return get_bytes(value, into);
    into = value.as_string();
    return value.is_string();
  }
  static bool get_bytes(const json::Value& value, std::string& into) {
    const json::Value* hex = value.find(kHex);
    if (hex == nullptr || hex->as_string().size() % 2 != 0) return false;
    const std::string& digits = hex->as_string();
    for (std::size_t i = 0; i < digits.size(); i += 2) {
      const std::size_t high = kDigits.find(digits[i]);
      const std::size_t low = kDigits.find(digits[i + 1]);
      if (high == kDigits.npos || low == kDigits.npos) return false;
      into += static_cast<char>(high * 16 + low);
    }
    return true;
  }
  static bool get(const json::Value& value, bool& into) {
    into = value.as_bool();
    return value.kind() == json::Kind::kBool;
  }
  static bool get(const json::Value& value, Millis& into) {
    const std::string& text = value.number_text();
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), into);
    return problem == std::errc() && end == text.data() + text.size();
  }
  static bool get(const json::Value& value, json::Value& into) {
    into = value;
    return true;
  }
  static bool get(const json::Value& value, ToolCall& into) { return read_call(value, into); }
  static bool get(const json::Value& value, Effects& into) {
    return take(effects_from_json(value), into);
  }
  static bool get(const json::Value& value, Situation& into) {
    return take(situation_from_json(value), into);
  }
  static bool get(const json::Value& value, Decision& into) {
    return take(decision_from_json(value), into);
  }
  template <Named E>
  static bool get(const json::Value& value, E& into) {
    const std::optional<E> named = value_named<E>(value.as_string());
    if (named) into = *named;
    return named.has_value();
  }
  template <class T>
  static bool get(const json::Value& value, std::vector<T>& into) {
    bool whole = value.is_array();
    for (const json::Value& item : value.items()) whole = get(item, into.emplace_back()) && whole;
    return whole;
  }
  template <class Row>
    requires requires(Reader walk, Row row) { walk_members(walk, row); }
  static bool get(const json::Value& value, Row& into) {
    return read(value, into);
  }

  const json::Value& object_;
  bool whole_;
};

template <class Row>
std::string written(const Row& row) {
  std::string out;
  Writer::write(out, row);
  return out;
}

template <class Row>
std::optional<Row> read(std::string_view text) {
  const Result<json::Value> value = json::parse(text, kLimits);
  std::optional<Row> row(std::in_place);
  if (!value || !Reader::read(*value, *row)) row.reset();
  return row;
}

}  // namespace

std::string text_of(const Session& row) { return written(row); }
std::string text_of(const Question& row) { return written(row); }
std::string text_of(const Grant& row) { return written(row); }
std::string text_of(const Credential& row) { return written(row); }

std::optional<Session> session_from(std::string_view text) { return read<Session>(text); }
std::optional<Question> question_from(std::string_view text) { return read<Question>(text); }
std::optional<Grant> grant_from(std::string_view text) { return read<Grant>(text); }
std::optional<Credential> credential_from(std::string_view text) { return read<Credential>(text); }

std::optional<json::Value> value_from(std::string_view text) {
  Result<json::Value> value = json::parse(text, kLimits);
  if (!value) return std::nullopt;
  return std::move(*value);
}

}  // namespace tollgate::store
