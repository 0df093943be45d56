// The parts that apply() is put together from, one file each: what was heard, what was pressed,
// what was filled in. For model.cc and its neighbours only.
#pragma once

#include <string_view>

#include "cli/top/model.h"

namespace tollgate::cli::top {

// hearing.cc
void hear(State& state, const json::Value& message, Requests& out);
void take_reply(State& state, const Replied& reply, Requests& out);
void learn_clock(State& state, const json::Value& value);

// pressing.cc
void press(State& state, const Key& key, Requests& out);

// forms.cc
inline constexpr std::string_view kOwnWord = "the agent's own";  // no mode, no answerer of its own
void open_form(State& state, FormKind kind);
// The open questions that may be answered together with the chosen one, itself among them.
std::vector<std::string> alike(const State& state);

// filling.cc
void send_form(State& state, Requests& out);
void preview_rule(State& state, Requests& out);  // of the rule that stands there, where it is new

// model.cc
enum class By { kKey, kItself };
void choose(State& state, const std::string& id, By by, Requests& out);
void show(State& state, View view, Requests& out);
void tell(State& state, std::string notice, bool is_bad = false);
void answer(State& state, const std::string& verb, std::string_view act, json::Value body,
            Requests& out);
Request sessions_request();
Request history_request(const State& state, Purpose purpose);

}  // namespace tollgate::cli::top
