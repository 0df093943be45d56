// A state that a client brings back: it counts once, for its own call, as it was given.
#include "conformance/request_state.h"

#include <gtest/gtest.h>

#include "json/json.h"

namespace tollgate::conformance {
namespace {

json::Value about(std::string_view text) { return json::parse(text).value_or(json::Value()); }

TEST(RequestState, CountsOnceForItsCall) {
  RequestStates states("key");
  const json::Value call = about(R"({"name":"a","arguments":{}})");
  const std::string state = states.give(2, call);
  EXPECT_EQ(states.take(state, call), 2);
  EXPECT_EQ(states.take(state, call), std::nullopt) << "it was used before";
}

TEST(RequestState, IsRefusedWhereAnythingDiffers) {
  RequestStates states("key");
  RequestStates others("another key");
  const json::Value call = about(R"({"name":"a","arguments":{}})");
  const std::string state = states.give(1, call);
  const std::string foreign = others.give(1, call);
  std::string later = state;
  later[0] = '3';
  for (const std::string& wrong :
       {state + "-TAMPERED", later, foreign, std::string("1.1."), std::string(""), "." + state})
    EXPECT_EQ(states.take(wrong, call), std::nullopt) << wrong;
  EXPECT_EQ(states.take(state, about(R"({"name":"b","arguments":{}})")), std::nullopt);
  EXPECT_EQ(states.take(state, call), 1) << "a wrong one does not use up the right one";
}

}  // namespace
}  // namespace tollgate::conformance
