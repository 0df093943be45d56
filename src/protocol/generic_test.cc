// The plain dialect: what it takes, what it refuses and with which words, what it answers.
// Every refusal is malformed-call with a hint.
// The answers are compared as whole lines: scripts read them.
#include "protocol/generic.h"

#include <gtest/gtest.h>

#include "core/codec.h"
#include "json/json.h"

namespace tollgate {
namespace {

struct Refused {
  std::string_view name, text, message;
};

constexpr Refused kRefused[] = {
    {"no object", R"([1])", "the call is not an object"},
    {"no tool", R"({"input":{}})", "there is no `tool`"},
    {"an empty tool", R"({"tool":"","input":{}})", "there is no `tool`"},
    {"no input", R"({"tool":"Bash"})", "there is no `input`"},
    {"input as text", R"({"tool":"Bash","input":"ls"})", "`input` is not an object"},
    {"input as null", R"({"tool":"Bash","input":null})", "`input` is not an object"},
    {"a tool that is no string", R"({"tool":1,"input":{}})", "`tool` is not a string"},
    {"a cwd that is no string", R"({"tool":"Bash","input":{},"cwd":null})",
     "`cwd` is not a string"},
    {"a relative cwd", R"({"tool":"Bash","input":{},"cwd":"x"})", "`cwd` is not an absolute path"},
    {"an unknown mode", R"({"tool":"Bash","input":{},"mode":"plam"})", "unknown mode `plam`"},
    {"an empty mode", R"({"tool":"Bash","input":{},"mode":""})", "unknown mode ``"},
    {"an unknown member", R"({"tool":"Bash","input":{},"inputs":{}})", "unknown member `inputs`"},
    {"an odd id", R"({"tool":"Bash","input":{},"id":[]})", "`id` is neither a string nor a number"},
};

TEST(Generic, RefusesWhatIsNoCall) {
  for (const Refused& c : kRefused) {
    const Result<ToolCall> call = decode_generic(c.text);
    ASSERT_FALSE(call) << c.name;
    EXPECT_EQ(call.error().code, "malformed-call") << c.name;
    EXPECT_EQ(call.error().message, c.message) << c.name;
    EXPECT_FALSE(call.error().hint.empty()) << c.name;
  }
}

TEST(Generic, RefusesWhatIsNoJson) {
  for (const std::string_view text :
       {"", "{", "{}{}", R"({"tool":"a","tool":"b","input":{}})", "\xff"}) {
    const Result<ToolCall> call = decode_generic(text);
    ASSERT_FALSE(call) << text;
    EXPECT_EQ(call.error().code, "malformed-call") << text;
  }
}

TEST(Generic, ReadsAWholeCall) {
  const Result<ToolCall> call = decode_generic(
      R"({"tool":"run_shell_command","input":{"command":"ls"},"cwd":"/w","agent":"a","mode":"plan",)"
      R"("id":7,"provider":"gemini","session":"s","reason":"why"})");
  ASSERT_TRUE(call);
  ToolCall want;
  want.id = "7";
  want.session = "s";
  want.agent = "a";
  want.provider = "gemini";
  want.native_tool = "run_shell_command";
  want.tool = "Bash";
  want.input = json::Value::object({{"command", json::Value::string("ls")}});
  want.cwd = "/w";
  want.client_mode = "plan";
  want.stated_reason = "why";
  EXPECT_EQ(json::write(to_json(*call)), json::write(to_json(want)));
}

TEST(Generic, KeepsTheIdOfARefusedLine) {
  EXPECT_EQ(json::write(generic_id(R"({"id":4,"x":1})")), "4");
  EXPECT_EQ(json::write(generic_id(R"({"id":"four"})")), "\"four\"");
  EXPECT_TRUE(generic_id(R"({"id":{}})").is_null());
  EXPECT_TRUE(generic_id("nonsense").is_null());
}

TEST(Generic, AnswersOnOneLine) {
  Decision decision;
  decision.verdict = Verdict::kAsk;
  Reason reason;
  reason.verdict = Verdict::kAsk;
  reason.text = "no rule matched\nhere";
  decision.reasons.push_back(reason);
  Effect effect;
  effect.kind = EffectKind::kRead;
  effect.path = "/a";
  const std::string line = encode_generic(json::Value::integer(3), decision, {effect});
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_TRUE(
      line.starts_with(R"({"id":3,"verdict":"ask","reasons":[{"kind":"default","rule":"",)"))
      << line;
  EXPECT_TRUE(line.ends_with(R"("effects":[{"kind":"read","path":"/a"}]})")) << line;
  const Result<json::Value> value = json::parse(line);
  ASSERT_TRUE(value);
  for (const std::string_view name :
       {"id", "verdict", "reasons", "layer", "config_source", "effects"})
    EXPECT_NE(value->find(name), nullptr) << name;
  EXPECT_TRUE(encode_generic({}, decision, {}).starts_with(R"({"verdict")"));
}

}  // namespace
}  // namespace tollgate
