// The dashboard without a terminal and without a daemon: events in, pictures and requests out.
#include "cli/top/model.h"

#include <gtest/gtest.h>

#include <string>

#include "cli/gate_client.h"
#include "cli/top/draw.h"
#include "json/json.h"

namespace tollgate::cli::top {
namespace {

using json::Value;

Value parsed(const std::string& text) {
  const Result<Value> value = json::parse(text);
  EXPECT_TRUE(value) << text;
  return value ? *value : Value();
}

std::string brief(const std::string& id, const std::string& more = "") {
  return R"({"permissionId":")" + id +
         R"(","type":"permission","state":"pending","agent":"backend","chain":["backend"],)"
         R"("toolName":"Bash","summary":"npm ci","cwd":"/shop","createdAt":"2026-11-18T01:00:00.000Z",)"
         R"("expiresAt":"2026-11-18T01:05:00.000Z")" +
         more + "}";
}

std::string whole(const std::string& id, const std::string& command = "npm ci") {
  return brief(id, R"j(,"toolInput":{"command":")j" + command +
                       R"j("},"why":[{"kind":"rule","rule":"Bash(npm *)","source":"t.yaml:4",)j"
                       R"j("text":"asked"}],"teachable":["Bash(npm ci)","Bash(npm *)"],)j"
                       R"j("now":"2026-11-18T01:00:00.000Z","reading":{"text":")j" +
                       command + R"j(","commands":[],"deciding":[]})j");
}

// A dashboard that a test plays: keys go in, what it asks the daemon comes out.
class Play : public ::testing::Test {
 protected:
  Play() { take(Resized{{.rows = 30, .columns = 100}}); }

  Requests take(const Event& event) {
    Requests out = apply(state_, event, now_);
    asked_.insert(asked_.end(), out.begin(), out.end());
    return out;
  }
  void hear(const std::string& event, const std::string& data) {
    take(Heard{
        parsed(R"({"channel":"permission","event":")" + event + R"(","data":)" + data + "}")});
  }
  void come(const std::string& id, const std::string& command = "npm ci") {
    hear("created", brief(id));
    reply(Purpose::kWhole, id, whole(id, command));
  }
  void reply(Purpose purpose, const std::string& about, const std::string& said) {
    take(Replied{{purpose, about, "GET", "", {}}, parsed(said)});
  }
  void refuse(Purpose purpose, const std::string& about, const std::string& code) {
    take(Replied{
        {purpose, about, "POST", "", {}},
        Fail({.code = code, .message = "no such thing", .hint = "do another", .where = {}})});
  }
  Requests press(char c) { return take(Pressed{{KeyKind::kCharacter, std::string(1, c)}}); }
  Requests press(KeyKind kind) { return take(Pressed{{kind, ""}}); }
  void type(const std::string& text) {
    for (const char c : text) press(c);
  }
  void pass(Millis milliseconds) {
    now_ += milliseconds;
    take(Ticked{});
  }
  std::string screen() const {
    std::string out;
    for (const Line& line : draw(state_).lines) out += plain(line) + "\n";
    return out;
  }
  bool shows(std::string_view text) const { return screen().find(text) != std::string::npos; }

  State state_;
  Millis now_ = 1'000'000;
  Requests asked_;
};

TEST_F(Play, AQuestionIsFetchedWholeShownAndRings) {
  hear("all", R"({"permissions":[],"now":"2026-11-18T01:00:00.000Z","seq":1,"run":"a"})");
  EXPECT_TRUE(shows("nothing is open"));
  hear("created", brief("q1"));
  EXPECT_EQ(state_.bells, 1u);
  ASSERT_FALSE(asked_.empty());
  EXPECT_EQ(asked_.back().target, "/api/permissions/q1");
  EXPECT_TRUE(shows("fetching the whole call"));
  reply(Purpose::kWhole, "q1", whole("q1"));
  EXPECT_EQ(asked_.back().target, "/api/permissions/q1/seen");
  pass(kSettleMs);
  for (const std::string_view text : {"PERMISSION: backend wants to use Bash", "$ npm ci", "asked",
                                      "Bash(npm *)  t.yaml:4", "[y] once  [s]ession  [a]lways"})
    EXPECT_TRUE(shows(text)) << text << "\n" << screen();
}

TEST_F(Play, AYesCountsOnlyForWhatHasStoodThereWhole) {
  hear("created", brief("q1"));
  EXPECT_TRUE(press('y').empty());  // not whole
  reply(Purpose::kWhole, "q1", whole("q1"));
  EXPECT_TRUE(press('y').empty());  // has just come
  pass(kSettleMs);
  const Requests out = press('y');
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].target, "/api/permissions/q1/approve");
  EXPECT_EQ(json::write(out[0].body), R"({"scope":"once"})");
  EXPECT_TRUE(press('y').empty());  // is on its way
  EXPECT_FALSE(shows("recorded"));
}

TEST_F(Play, RecordedDeliveredAndGoneAreToldApart) {
  come("q1");
  pass(kSettleMs);
  press('y');
  EXPECT_TRUE(shows("sending"));
  const std::string ended = R"({"permissionId":"q1","type":"permission","state":"approved",)"
                            R"("toolName":"Bash","answer":{"by":"ann","scope":"once"})";
  reply(Purpose::kAnswer, "q1", ended + "}");
  EXPECT_TRUE(shows("approved by ann  recorded  not delivered yet")) << screen();
  hear("delivered", ended + R"(,"deliveredAt":"2026-11-18T01:00:02.000Z"})");
  EXPECT_TRUE(shows("recorded  delivered to the agent"));
  hear("gone", ended + R"(,"goneAt":"2026-11-18T01:00:02.000Z"})");
  EXPECT_TRUE(shows("agent gone"));
}

TEST_F(Play, WhatTheDaemonRefusesIsNotShownAsGiven) {
  come("q1");
  pass(kSettleMs);
  press('y');
  refuse(Purpose::kAnswer, "q1", "store-unavailable");
  EXPECT_TRUE(shows("not recorded: no such thing"));
  press('y');
  refuse(Purpose::kAnswer, "q1", "already-answered");
  EXPECT_TRUE(shows("somebody was faster"));
  EXPECT_EQ(asked_.back().purpose, Purpose::kWhole);
}

TEST_F(Play, NewQuestionsMoveNothingThatIsLookedAt) {
  come("q1");
  pass(kSettleMs);
  hear("created", brief("q2"));
  EXPECT_EQ(state_.chosen, "q1");
  press('j');
  EXPECT_EQ(state_.chosen, "q2");
  press('k');
  EXPECT_EQ(state_.chosen, "q1");
  hear("resolved", brief("q1", "").replace(brief("q1").find("pending"), 7, "denied!"));
  hear("created", brief("q3"));
  EXPECT_EQ(state_.chosen, "q3") << "what has ended gives way to what is open";
}

TEST_F(Play, ALongCallIsNotAllowedUnreadByOneKey) {
  std::string command;
  for (int i = 0; i < 100; ++i) command += "echo " + std::to_string(i) + "\\n";
  come("q1", command);
  pass(kSettleMs);
  EXPECT_TRUE(press('y').empty());
  EXPECT_TRUE(shows("were not on the screen"));
  press(' ');
  EXPECT_TRUE(press('y').empty()) << "reading on takes the first key back";
  while (state_.reader.seen < state_.reader.call_end) press(' ');
  EXPECT_EQ(press('y').size(), 1u);
}

TEST_F(Play, WhatIsPastedIsNeverACommand) {
  come("q1");
  pass(kSettleMs);
  EXPECT_TRUE(take(Pressed{{KeyKind::kPaste, "y"}}).empty());
  press('n');
  take(Pressed{{KeyKind::kPaste, "two\nlines"}});
  const Requests out = press(KeyKind::kEnter);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(json::write(out[0].body), R"({"reason":"two lines"})");
}

TEST_F(Play, AlwaysSendsTheRuleThatStandsThere) {
  come("q1");
  pass(kSettleMs);
  press('a');
  pass(250);
  EXPECT_EQ(asked_.back().target, "/api/permissions/q1/preview");
  press(KeyKind::kDown);  // the second suggestion
  press(KeyKind::kTab);
  press(KeyKind::kRight);
  const Requests out = press(KeyKind::kEnter);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(json::write(out[0].body), R"j({"scope":"everyone","rule":"Bash(npm *)"})j");
}

TEST_F(Play, AnotherInputKeepsWhatWasNotTouched) {
  hear("created", brief("q1"));
  std::string said = whole("q1");
  said.replace(said.find(R"({"command":"npm ci"})"), 20, R"({"command":"npm ci","timeout":5})");
  reply(Purpose::kWhole, "q1", said);
  pass(kSettleMs);
  press('e');
  type(" -f");
  const Requests out = press(KeyKind::kSend);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(json::write(out[0].body),
            R"({"scope":"once","updatedInput":{"command":"npm ci -f","timeout":5}})");
}

TEST_F(Play, TheCountdownIsOnTheDaemonsClock) {
  come("q1");  // learns that it is 01:00:00 there
  EXPECT_TRUE(shows("5:00")) << screen();
  pass(61'000);
  EXPECT_TRUE(shows("3:59")) << screen();
}

TEST_F(Play, ACutOffLineIsSaidAndNothingIsAnsweredOverIt) {
  come("q1");
  pass(kSettleMs);
  take(Lost{"no daemon answers"});
  pass(3'000);
  EXPECT_TRUE(shows("cut off 0:03")) << screen();
  EXPECT_TRUE(press('y').empty());
  EXPECT_TRUE(shows("nothing can be answered"));
  hear("all", R"({"permissions":[],"now":"2026-11-18T01:00:00.000Z"})");
  EXPECT_TRUE(shows("● live"));
  EXPECT_EQ(asked_.back().purpose, Purpose::kWhole) << "how it ended is asked for";
}

TEST_F(Play, TooSmallATerminalTakesNoAnswer) {
  come("q1");
  pass(kSettleMs);
  take(Resized{{.rows = 6, .columns = 30}});
  EXPECT_TRUE(shows("too small"));
  EXPECT_TRUE(press('y').empty());
}

TEST_F(Play, EveryPictureFitsItsTerminal) {
  come("q1", "npm run \\u001b[2J\\u202e и \\u4e2d\\u6587");
  come("q2");
  pass(kSettleMs);
  const auto fits = [&] {
    const Picture picture = draw(state_);
    EXPECT_EQ(picture.lines.size(), static_cast<std::size_t>(state_.size.rows));
    for (const Line& line : picture.lines)
      EXPECT_LE(columns_of(line), static_cast<std::size_t>(state_.size.columns)) << plain(line);
  };
  for (const Size size : {Size{12, 44}, Size{24, 80}, Size{60, 200}, Size{3, 5}, Size{1, 1}}) {
    take(Resized{size});
    for (const char c : {'1', '2', '3', '?', 'x', '1', 'n'}) {
      press(c);
      fits();
    }
    press(KeyKind::kEscape);
    press('e');
    fits();
    press(KeyKind::kEscape);
  }
}

}  // namespace
}  // namespace tollgate::cli::top
