// The public face of the codec; what the members are stands in field_tables.h.
// Each reader has its own error code, so that a caller can tell a bad call from a bad record.
// SAFETY: a call without a name or with an input that is no object is refused, not completed.
#include "core/codec.h"

#include <iterator>
#include <utility>

#include "core/field_tables.h"

namespace tollgate {

std::string_view kind_words(json::Kind kind) {
  switch (kind) {
    case json::Kind::kNull:
      return "null";
    case json::Kind::kBool:
      return "true or false";
    case json::Kind::kNumber:
      return "a number";
    case json::Kind::kString:
      return "a string";
    case json::Kind::kArray:
      return "an array";
    case json::Kind::kObject:
      break;
  }
  return "an object";
}

std::unexpected<Error> wrong_kind(const Reading& at, const json::Value& found,
                                  std::string_view expected) {
  return at.fail(
      "is " + std::string(kind_words(found.kind())) + ", expected " + std::string(expected),
      "send " + std::string(expected));
}

namespace {

template <class T>
Result<T> read(const json::Value& value, std::string_view code) {
  T made{};
  if (Done done = Codec<T>::decode(value, Reading{code, ""}, made); !done)
    return Fail(std::move(done).error());
  return made;
}

// The value without `id` and `effects`, once they are seen to be well formed.
Result<json::Value> bare_decision(const json::Value& value, const Reading& at) {
  json::Value bare = json::Value::object();
  for (const auto& [name, member] : value.members()) {
    if (name == "id") {
      if (!member.is_string() && member.kind() != json::Kind::kNumber)
        return wrong_kind(at.member(name), member, "a string or a number");
    } else if (name == "effects") {
      Effects ignored;
      if (Done done = Codec<Effects>::decode(member, at.member(name), ignored); !done)
        return Fail(std::move(done).error());
    } else {
      bare.set(name, member);
    }
  }
  return bare;
}

// The members from `first` on, before `end`, each behind `between`, which is a comma from then on.
template <class T>
void append_members(std::string& out, const T& from, std::size_t first, std::size_t end,
                    std::string_view between) {
  for (std::size_t i = first; i < end; ++i) {
    const Field<T>& field = FieldsOf<T>::kFields[i];
    if (field.presence == Presence::kOptional && field.is_default(from)) continue;
    out += between;
    out += '"';
    out += field.name;
    out += "\":";
    field.append(out, from);
    between = ",";
  }
}

constexpr std::size_t kSessionOfCall = 1;
constexpr std::size_t kInputOfCall = 6;
static_assert(FieldsOf<ToolCall>::kFields[kSessionOfCall].name == "session" &&
              FieldsOf<ToolCall>::kFields[kInputOfCall - 1].presence == Presence::kRequired &&
              FieldsOf<ToolCall>::kFields[kInputOfCall].name == "input");
constexpr std::size_t kBaseOfSituation = 1;
constexpr std::size_t kPathsOfSituation = 8;
static_assert(FieldsOf<Situation>::kFields[0].presence == Presence::kRequired &&
              FieldsOf<Situation>::kFields[kBaseOfSituation].name == "base" &&
              FieldsOf<Situation>::kFields[kPathsOfSituation].name == "paths");

}  // namespace

json::Value to_json(const ToolCall& call) { return Codec<ToolCall>::encode(call); }
json::Value to_json(const Effect& effect) { return Codec<Effect>::encode(effect); }
json::Value to_json(const Effects& effects) { return Codec<Effects>::encode(effects); }
json::Value to_json(const Situation& situation) { return Codec<Situation>::encode(situation); }
json::Value to_json(const Reason& reason) { return Codec<Reason>::encode(reason); }
json::Value to_json(const Decision& decision) { return Codec<Decision>::encode(decision); }

void append_json(std::string& out, const ToolCall& call) { Codec<ToolCall>::append(out, call); }
void append_json(std::string& out, const Effects& effects) { Codec<Effects>::append(out, effects); }
void append_json(std::string& out, const Situation& situation) {
  Codec<Situation>::append(out, situation);
}
void append_json(std::string& out, const Decision& decision) {
  Codec<Decision>::append(out, decision);
}

void append_json(std::string& out, const ToolCall& call, Piece piece) {
  switch (piece) {
    case Piece::kBefore:
      out += '{';
      append_members(out, call, 0, kSessionOfCall, "");
      if (out.back() != '{') out += ',';
      return;
    case Piece::kRepeated:
      return append_members(out, call, kSessionOfCall, kInputOfCall, "");
    case Piece::kBehind:
      append_members(out, call, kInputOfCall, std::size(FieldsOf<ToolCall>::kFields), ",");
      out += '}';
  }
}

void append_json(std::string& out, const Situation& situation, Piece piece) {
  switch (piece) {
    case Piece::kBefore:
      return append_members(out, situation, 0, kBaseOfSituation, "{");
    case Piece::kRepeated:
      return append_members(out, situation, kBaseOfSituation, kPathsOfSituation, ",");
    case Piece::kBehind:
      append_members(out, situation, kPathsOfSituation, std::size(FieldsOf<Situation>::kFields),
                     ",");
      out += '}';
  }
}

Result<ToolCall> tool_call_from_json(const json::Value& value) {
  Result<ToolCall> call = read<ToolCall>(value, "malformed-call");
  if (call && call->tool.empty())
    return Reading{"malformed-call", "tool"}.fail("is empty", "name the tool that is called");
  return call;
}

Result<Effects> effects_from_json(const json::Value& value) {
  return read<Effects>(value, "malformed-effects");
}

Result<Situation> situation_from_json(const json::Value& value) {
  return read<Situation>(value, "malformed-situation");
}

Result<Decision> decision_from_json(const json::Value& value) {
  constexpr std::string_view kCode = "malformed-decision";
  if (!value.is_object()) return wrong_kind(Reading{kCode, ""}, value, "an object");
  Result<json::Value> bare = bare_decision(value, Reading{kCode, ""});
  if (!bare) return Fail(std::move(bare).error());
  return read<Decision>(*bare, kCode);
}

}  // namespace tollgate
