// The public face of the codec; what the members are stands in field_tables.h.
// Each reader has its own error code, so that a caller can tell a bad call from a bad record.
// SAFETY: a call without a name or with an input that is no object is refused, not completed.
#include "core/codec.h"

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
