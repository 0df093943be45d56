// Calls and decisions as JSON: exact texts, refusals that name the member, random round trips.
// The decision's text is what `tollgate eval` prints, so its shape is a promise.
// A refusal is as important as a reading: nothing unknown is ever passed over.
#include "core/codec.h"

#include <gtest/gtest.h>

#include <random>

#include "core/field_tables.h"
#include "json/json.h"

namespace tollgate {
namespace {

json::Value parsed(std::string_view text) {
  Result<json::Value> value = json::parse(text);
  EXPECT_TRUE(value) << text;
  return value ? *value : json::Value();
}

TEST(Codec, ADecisionHasTheDocumentedShape) {
  Decision decision;
  decision.verdict = Verdict::kAsk;
  decision.layer = Layer::kHook;
  decision.config_source = ConfigSource::kUser;
  decision.reasons = {{ReasonKind::kRule,
                       Verdict::kAsk,
                       "Bash(git push *)",
                       "tollgate.yaml:4:7",
                       "a push asks",
                       {0, 8}}};
  EXPECT_EQ(json::write(to_json(decision)),
            R"~({"verdict":"ask","reasons":[{"kind":"rule","rule":"Bash(git push *)",)~"
            R"("source":"tollgate.yaml:4:7","text":"a push asks","span":[0,8],"verdict":"ask"}],)"
            R"("layer":"hook","config_source":"user"})");
}

TEST(Codec, AnAskSaysWhoSettlesItWhereThatIsUnusual) {
  Decision decision;
  decision.verdict = Verdict::kAsk;
  decision.quorums = {{.any = 2, .of = {"lead"}, .deny = 1, .within_ms = 600'000}};
  decision.answer = Answerer::kForward;
  decision.within_ms = 0;
  decision.on_timeout = OnTimeout::kEscalate;
  EXPECT_EQ(json::write(to_json(decision)),
            R"({"verdict":"ask","reasons":[],"layer":"gate","config_source":"default",)"
            R"("quorums":[{"any":2,"of":["lead"],"deny":1,"within_ms":600000}],)"
            R"("answer":"forward","within_ms":0,"on_timeout":"escalate"})");
}

TEST(Codec, ACallIsWrittenWithoutWhatItDoesNotHave) {
  ToolCall call;
  call.tool = "Bash";
  call.input = parsed(R"({"command":"ls"})");
  call.cwd = "/w";
  EXPECT_EQ(json::write(to_json(call)), R"({"tool":"Bash","input":{"command":"ls"},"cwd":"/w"})");
}

TEST(Codec, WhatEvalPutsBesideADecisionIsCheckedAndLeftOut) {
  json::Value line = to_json(Decision{});
  line.set("id", json::Value::integer(7));
  line.set("effects", to_json(Effects{Effect{}}));
  const Result<Decision> read = decision_from_json(line);
  ASSERT_TRUE(read) << render(read.error());
  EXPECT_EQ(*read, Decision{});
  line.set("effects", parsed(R"([{"kind":"explode"}])"));
  EXPECT_FALSE(decision_from_json(line));
}

struct BadCase {
  std::string_view name, text, message, hint;
};
constexpr BadCase kBadCalls[] = {
    {"a list is no call", "[]", "the value is an array, expected an object", "send an object"},
    {"a call names a tool", R"({"input":{}})", "the value has no `tool`",
     "add it: the canonical name of the tool"},
    {"the tool's name is not empty", R"({"tool":"","input":{}})", "`tool` is empty",
     "name the tool that is called"},
    {"a call has an input", R"({"tool":"Bash"})", "the value has no `input`",
     "add it: what the tool is called with, as it was sent"},
    {"the input is an object", R"({"tool":"Bash","input":"ls"})",
     "`input` is a string, expected an object", "send an object"},
    {"a null input is refused", R"({"tool":"Bash","input":null})",
     "`input` is null, expected an object", "send an object"},
    {"a tool is a string", R"({"tool":1,"input":{}})", "`tool` is a number, expected a string",
     "send a string"},
    {"a misspelt member is refused", R"({"tool":"Bash","input":{},"cdw":"/"})",
     "the value has an unknown member `cdw`",
     "did you mean `cwd`? known members: id, session, agent, provider, native_tool, tool, input, "
     "cwd, client_mode, stated_reason"},
};

TEST(Codec, RefusesBadCallsByName) {
  for (const BadCase& c : kBadCalls) {
    const Result<ToolCall> got = tool_call_from_json(parsed(c.text));
    ASSERT_FALSE(got) << c.name;
    EXPECT_EQ(got.error(),
              (Error{"malformed-call", std::string(c.message), std::string(c.hint), {}}))
        << c.name;
  }
}

constexpr BadCase kBadDecisions[] = {
    {"a verdict is one of three",
     R"({"verdict":"alow","reasons":[],"layer":"gate","config_source":"user"})",
     "`verdict` is unknown: `alow`", "did you mean `allow`? known values: allow, ask, deny"},
    {"a missing verdict is not made up", R"({"reasons":[],"layer":"gate","config_source":"user"})",
     "the value has no `verdict`", "add it: the answer"},
    {"a place deep inside is named",
     R"({"verdict":"deny","layer":"gate","config_source":"user","reasons":[{"kind":"rule",)"
     R"("rule":"","source":"","text":"","span":[0],"verdict":"deny"}]})",
     "`reasons[0].span` has 1 numbers", "send [begin, size]"},
    {"a span is of whole numbers",
     R"({"verdict":"deny","layer":"gate","config_source":"user","reasons":[{"kind":"rule",)"
     R"("rule":"","source":"","text":"","span":[0,1.5],"verdict":"deny"}]})",
     "`reasons[0].span[1]` is 1.5, which is out of range",
     "send a whole number from 0 to 4294967295"},
    {"a span is not negative",
     R"({"verdict":"deny","layer":"gate","config_source":"user","reasons":[{"kind":"rule",)"
     R"("rule":"","source":"","text":"","span":[-1,1],"verdict":"deny"}]})",
     "`reasons[0].span[0]` is -1, which is out of range",
     "send a whole number from 0 to 4294967295"},
    {"an id is a text or a number",
     R"({"id":{},"verdict":"deny","reasons":[],"layer":"gate","config_source":"user"})",
     "`id` is an object, expected a string or a number", "send a string or a number"},
};

TEST(Codec, RefusesBadDecisionsByName) {
  for (const BadCase& c : kBadDecisions) {
    const Result<Decision> got = decision_from_json(parsed(c.text));
    ASSERT_FALSE(got) << c.name;
    EXPECT_EQ(got.error(),
              (Error{"malformed-decision", std::string(c.message), std::string(c.hint), {}}))
        << c.name;
  }
}

TEST(Codec, EachReaderHasItsOwnCode) {
  EXPECT_EQ(effects_from_json(parsed("{}")).error().code, "malformed-effects");
  EXPECT_EQ(situation_from_json(parsed("{}")).error().code, "malformed-situation");
  EXPECT_EQ(situation_from_json(parsed(R"({"now":1e30,"approver_reachable":true})")).error().code,
            "malformed-situation");
}

// Turns into whatever a member is; used only to count members.
struct Anything {
  template <class T>
  operator T() const;
};

template <class T, class... Known>
constexpr std::size_t member_count(Known... known) {
  if constexpr (requires { T{known..., Anything{}}; })
    return member_count<T>(known..., Anything{});
  else
    return sizeof...(known);
}

template <class T>
constexpr bool kEveryMemberIsListed = member_count<T>() == std::size(FieldsOf<T>::kFields);

// A member that is missing from field_tables.h would be lost from every record.
static_assert(kEveryMemberIsListed<ToolCall>);
static_assert(kEveryMemberIsListed<Word>);
static_assert(kEveryMemberIsListed<Effect>);
static_assert(kEveryMemberIsListed<Place>);
static_assert(kEveryMemberIsListed<PathLook>);
static_assert(kEveryMemberIsListed<Situation>);
static_assert(kEveryMemberIsListed<Reason>);
static_assert(kEveryMemberIsListed<Change>);
static_assert(kEveryMemberIsListed<Quorum>);
static_assert(kEveryMemberIsListed<Decision>);

// Values of every shape, often with members left at their defaults.
class RandomValues {
 public:
  explicit RandomValues(unsigned seed) : random_(seed) {}

  std::string text() {
    constexpr std::string_view kTexts[] = {
        "", "a", "/w/x y", "\"\\\n", "\xC3\xA9\xF0\x9F\x98\x80", "Bash(git *)", "\x01"};
    return std::string(kTexts[below(std::size(kTexts))]);
  }
  std::vector<std::string> texts() {
    return several<std::string>([this] { return text(); });
  }
  Span span() { return {number(), number()}; }
  std::uint32_t number() { return coin() ? 0 : static_cast<std::uint32_t>(random_()); }
  bool coin() { return below(2) == 0; }
  std::size_t below(std::size_t count) { return random_() % count; }
  template <class E>
  E one(E last) {
    return static_cast<E>(below(static_cast<std::size_t>(last) + 1));
  }
  template <class T, class Make>
  std::vector<T> several(Make make) {
    std::vector<T> out(below(4));
    for (T& item : out) item = make();
    return out;
  }

  ToolCall call() {
    ToolCall out{text(), text(), text(), text(), text(), "Bash", json::Value::object(),
                 text(), text(), text()};
    out.input.set("command", json::Value::string(text()));
    if (coin()) out.input.set(text(), json::Value::array({json::Value(), json::Value::integer(3)}));
    return out;
  }

  Effect effect() {
    Effect out;
    out.kind = one(EffectKind::kUnknown);
    out.by = one(EffectBy::kRedirection);
    out.recursive = coin();
    out.listed = coin();
    out.guess = one(Guess::kProgram);
    out.pattern = coin();
    out.safe = coin();
    out.told = coin();
    out.owner = coin() ? kNoOwner : number();
    out.span = span();
    out.argv = several<Word>([this] {
      return Word{text(), span(), coin(), one(Rest::kJoined), coin(), coin(),
                  coin(), coin(), coin()};
    });
    for (std::string* member :
         {&out.path, &out.host, &out.url, &out.target, &out.text, &out.why, &out.spelled})
      *member = text();
    return out;
  }

  Situation situation() {
    const auto place = [this] { return Place{text(), text()}; };
    Situation out;
    out.now = static_cast<std::int64_t>(random_() << 31) * (coin() ? 1 : -1);
    out.base = place();
    out.roots = several<Place>(place);
    out.cwd = place();
    out.home = place();
    out.temporary = several<Place>(place);
    out.gate = several<Place>(place);
    out.path_dirs = several<Place>(place);
    out.paths = several<PathLook>([this] {
      return PathLook{one(PathState::kOther),
                      coin(),
                      coin(),
                      text(),
                      coin(),
                      coin(),
                      texts(),
                      number(),
                      one(Repository::kNamesPrograms),
                      text()};
    });
    out.approver_reachable = coin();
    return out;
  }

  Decision decision() {
    const auto reason = [this] {
      return Reason{one(ReasonKind::kLimit), one(Verdict::kDeny), text(), text(), text(), span()};
    };
    Decision out;
    out.verdict = one(Verdict::kDeny);
    out.layer = one(Layer::kSandbox);
    out.config_source = one(ConfigSource::kGrant);
    out.reasons = several<Reason>(reason);
    out.also = several<Reason>(reason);
    out.changes = several<Change>([this] {
      return Change{one(ChangeKind::kPerson), text(), texts(), texts(),
                    one(Verdict::kDeny),      texts()};
    });
    out.suggestions = texts();
    out.approve = text();
    out.quorums = several<Quorum>([this] {
      return Quorum{static_cast<int>(below(9)), texts(), static_cast<int>(below(9)), number(),
                    number()};
    });
    out.answer = one(Answerer::kYes);
    out.within_ms = coin() ? kPermissionTimeoutMs : number();
    out.on_timeout = one(OnTimeout::kForward);
    return out;
  }

 private:
  std::mt19937 random_;
};

// Through the text as well, because that is how records are kept.
template <class T>
void expect_same(const T& value, Result<T> (*read)(const json::Value&)) {
  const std::string text = json::write(to_json(value));
  const Result<T> back = read(parsed(text));
  ASSERT_TRUE(back) << text << "\n" << render(back.error());
  EXPECT_TRUE(*back == value) << text;
  std::string appended = "before ";
  append_json(appended, value);
  EXPECT_EQ(appended, "before " + text) << "written without a Value, it is the same";
}

TEST(Codec, WhatIsWrittenReadsBackEqual) {
  RandomValues random(3);
  for (int i = 0; i < 1'000; ++i) {
    expect_same(random.call(), tool_call_from_json);
    expect_same(random.several<Effect>([&] { return random.effect(); }), effects_from_json);
    expect_same(random.situation(), situation_from_json);
    expect_same(random.decision(), decision_from_json);
  }
  expect_same(Decision{}, decision_from_json);
  expect_same(Situation{}, situation_from_json);
}

}  // namespace
}  // namespace tollgate
