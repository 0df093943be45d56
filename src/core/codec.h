// Calls, effects, situations and decisions as JSON, and back.
// Strict both ways: an unknown member or a wrong type is an error that names the member.
// What is written reads back equal, so that a recorded call can be judged again.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "core/decision.h"
#include "core/effect.h"
#include "core/situation.h"
#include "core/tool_call.h"
#include "json/value.h"

namespace tollgate {

json::Value to_json(const ToolCall& call);
json::Value to_json(const Effect& effect);
json::Value to_json(const Effects& effects);
json::Value to_json(const Situation& situation);
json::Value to_json(const Reason& reason);
json::Value to_json(const Decision& decision);

// The text of to_json()'s value, on one line, behind what is there.
void append_json(std::string& out, const ToolCall& call);
void append_json(std::string& out, const Effects& effects);
void append_json(std::string& out, const Situation& situation);
void append_json(std::string& out, const Decision& decision);

// The same in three pieces, for who keeps the middle one apart: it repeats from call to call of a
// session (who calls what tool; the places). One behind the other they are append_json().
enum class Piece : std::uint8_t { kBefore, kRepeated, kBehind };
void append_json(std::string& out, const ToolCall& call, Piece piece);
void append_json(std::string& out, const Situation& situation, Piece piece);

// Error: malformed-call. The tool has a name and the input is an object.
Result<ToolCall> tool_call_from_json(const json::Value& value);

// Error: malformed-effects.
Result<Effects> effects_from_json(const json::Value& value);

// Error: malformed-situation.
Result<Situation> situation_from_json(const json::Value& value);

// Error: malformed-decision. `id` and `effects`, which `eval` puts beside a decision, are checked
// and left out.
Result<Decision> decision_from_json(const json::Value& value);

}  // namespace tollgate
