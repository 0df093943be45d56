// What the record tells the page: a row explained and replayed, the days in numbers, devices; and
// that none of it is for an agent.
#include <gtest/gtest.h>

#include "os/files.h"
#include "server/test_daemon.h"

namespace tollgate::server {
namespace {

using json::Value;

constexpr const char* kPolicy = "version: 1\nrules: {ask: [Bash(git push *)]}\n";

// The number of the newest row of a call.
std::string last_call(TestDaemon& gate) {
  const auto rows = gate.get("/api/audit?kind=call&limit=1");
  return rows.at("rows").items().at(0).find("number")->number_text();
}

void answer_all(TestDaemon& gate, bool allow) {
  for (const store::Question& question : gate.desk.pending())
    gate.post_as(gate.ann, "/api/permissions/" + question.id + (allow ? "/approve" : "/deny"),
                 "{}");
}

TEST(Audit, ARowIsExplainedAsItWas) {
  TestDaemon gate(kPolicy);
  gate.ask_shell("git push origin main");
  answer_all(gate, false);
  const auto row = gate.get("/api/audit/" + last_call(gate));
  ASSERT_EQ(row.status, 200);
  EXPECT_EQ(row.text("verdict"), "deny");
  EXPECT_NE(row.text("explanation").find("Ann denied it"), std::string::npos);
  EXPECT_NE(row.at("record").find("call"), nullptr);
  EXPECT_EQ(gate.get("/api/audit/0").status, 404);
  EXPECT_EQ(gate.get("/api/audit/999999").status, 404);
  EXPECT_EQ(gate.get("/api/audit/x").status, 404);
}

TEST(Audit, AReplayJudgesByTheLookOfThenAndThePolicyOfNow) {
  TestDaemon gate(kPolicy);
  gate.ask_shell("git push origin main");
  answer_all(gate, true);
  const std::string target = "/api/audit/" + last_call(gate) + "/replay";
  const auto same = gate.post_as(gate.ann, target, "");
  ASSERT_EQ(same.status, 200) << json::write(same.body);
  EXPECT_EQ(text_in(same.at("then"), "verdict"), "allow");
  EXPECT_EQ(same.text("thenPolicy"), "ask");
  EXPECT_EQ(text_in(same.at("now"), "verdict"), "ask");
  EXPECT_FALSE(same.at("changed").as_bool());
  gate.directory.write("config/tollgate.yaml", "version: 1\nrules: {deny: [Bash(git push *)]}\n");
  gate.policies().refresh(Policies::Which::kAll);
  const auto other = gate.post_as(gate.ann, target, "");
  EXPECT_EQ(text_in(other.at("now"), "verdict"), "deny");
  EXPECT_TRUE(other.at("changed").as_bool());
  EXPECT_NE(other.text("explanation").find("deny"), std::string::npos);
  EXPECT_EQ(gate.post_as(gate.ann, "/api/audit/1/replay", "").status, 404);
}

// Writes a row of its own between two readings of the record, as a busy daemon does.
class BusyStore : public store::MemoryStore {
 public:
  Result<std::vector<store::AuditRow>> audit(const store::AuditQuery& query) override {
    auto rows = MemoryStore::audit(query);
    read();
    return rows;
  }
  Result<store::RecordState> record_state() override {
    store::RecordState state;
    state.last = static_cast<std::int64_t>(all_audit().size());
    read();
    return state;
  }

  bool busy = false;

 private:
  void read() {
    if (!std::exchange(busy, false)) return;
    store::AuditRow row;
    row.kind = "between";
    submit({store::AppendAudit{std::move(row)}}, store::Durability::kGrouped, {});
  }
};

TEST(Audit, WhoFollowsMissesNoRow) {
  BusyStore store;
  TestDaemon gate(kPolicy, &store);
  store.busy = true;
  const auto first = gate.get("/api/audit");
  const auto next =
      gate.get("/api/audit?order=oldest&after=" + std::string(first.at("last").number_text()));
  std::size_t found = 0;
  for (const auto* answer : {&first, &next})
    for (const Value& row : answer->at("rows").items()) found += text_in(row, "kind") == "between";
  EXPECT_GE(found, 1u);
}

TEST(Insight, CountsWhatWasAskedAndHowItEnded) {
  TestDaemon gate(kPolicy);
  for (const std::string branch : {"a", "b", "c"}) {
    gate.ask_shell("git push origin " + branch);
    gate.loop.advance(branch == "a" ? 500 : 5'000);
    answer_all(gate, branch != "c");
  }
  gate.ask_shell("ls");
  const auto shown = gate.get("/api/insight?days=2");
  ASSERT_EQ(shown.status, 200) << json::write(shown.body);
  EXPECT_EQ(shown.at("days").items().size(), 2u);
  const Value& today = shown.at("days").items().back();
  for (const auto& [name, want] : {std::pair("calls", "4"), std::pair("asked", "3"),
                                   std::pair("approved", "2"), std::pair("denied", "1")})
    EXPECT_EQ(today.find(name)->number_text(), want) << name;
  const Value& rule = shown.at("rules").items().at(0);
  EXPECT_EQ(text_in(rule, "rule"), "Bash(git push *)");
  EXPECT_EQ(rule.find("medianMs")->number_text(), "5000");
  const Value& answer = shown.at("answer");
  EXPECT_EQ(answer.find("count")->number_text(), "3");
  EXPECT_EQ(answer.find("underSecond")->number_text().substr(0, 5), "0.333");
  EXPECT_EQ(answer.find("histogram")->items().at(0).find("count")->number_text(), "1");
  // An ask rule is not settled by a rule that a person might add to allow.
  EXPECT_EQ(shown.at("candidates").items().size(), 0u);
  EXPECT_TRUE(shown.at("complete").as_bool());
  EXPECT_EQ(gate.get("/api/insight?days=0").status, 400);
  EXPECT_EQ(gate.get("/api/insight?days=91").status, 400);
}

TEST(Insight, OffersARuleForWhatIsAlwaysAllowed) {
  TestDaemon gate;
  for (int i = 0; i < 3; ++i) {
    EXPECT_NE(gate.ask_shell("make check"), "");
    answer_all(gate, true);
    gate.loop.advance(200'000);
  }
  const auto shown = gate.get("/api/insight");
  ASSERT_EQ(shown.at("candidates").items().size(), 1u) << json::write(shown.body);
  const Value& one = shown.at("candidates").items().at(0);
  EXPECT_EQ(text_in(one, "rule"), "Bash(make check)");
  EXPECT_EQ(one.find("calls")->number_text(), "3");
  // One refusal is enough to say nothing.
  gate.ask_shell("make check");
  answer_all(gate, false);
  gate.loop.advance(200'000);
  EXPECT_EQ(gate.get("/api/insight").at("candidates").items().size(), 0u);
}

TEST(Device, IsPairedOnceAndRevoked) {
  TestDaemon gate;
  const auto paired = gate.post_as(gate.ann, "/api/pair", R"({"device":"phone"})");
  ASSERT_EQ(paired.status, 201) << json::write(paired.body);
  EXPECT_EQ(paired.text("url"), paired.text("qr"));
  const std::string url = paired.text("url"), begin = "http://localhost:1615/#/pair/tgl_";
  ASSERT_TRUE(url.starts_with(begin)) << url;
  const auto enter = [&] {
    return gate.send(memory_request("POST", "/api/login", R"({"link":")" + url + R"("})"));
  };
  const auto entered = enter();
  ASSERT_EQ(entered.status, 200);
  const std::string cookie = entered.exchange->header("Set-Cookie");
  EXPECT_NE(cookie.find("Max-Age=7776000"), std::string::npos) << cookie;
  EXPECT_EQ(enter().status, 401);
  const auto as_phone = [&](const std::string& method, const std::string& target,
                            const std::string& body = "") {
    return gate.send(memory_request(
        method, target, body,
        {{"cookie", cookie.substr(0, cookie.find(';'))}, {"x-tollgate-key", entered.text("key")}}));
  };
  const auto me = as_phone("GET", "/api/me");
  EXPECT_EQ(me.text("device"), "phone");
  EXPECT_EQ(me.text("person"), "Ann");
  EXPECT_FALSE(me.at("operator").as_bool());
  EXPECT_EQ(as_phone("POST", "/api/pair", R"({"device":"another"})").status, 403);
  EXPECT_EQ(gate.post_as(gate.ann, "/api/pair", R"({"device":"phone"})").status, 409);
  EXPECT_EQ(gate.get("/api/devices").at("devices").items().size(), 1u);
  EXPECT_EQ(gate.send("DELETE", "/api/devices/ann", "", gate.ann).status, 404);
  EXPECT_EQ(gate.send("DELETE", "/api/devices/phone", "", gate.ann).status, 200);
  EXPECT_EQ(as_phone("GET", "/api/me").status, 401);
  EXPECT_EQ(gate.get("/api/devices").at("devices").items().size(), 0u);
}

TEST(Device, ANameIsGivenAgainOnceItsDeviceIsAway) {
  TestDaemon gate;
  const auto pair = [&](const std::string& as) {
    return gate.post_as(as, "/api/pair", R"({"device":"phone"})");
  };
  const auto enter = [&](const auto& paired) {
    return gate.send(
        memory_request("POST", "/api/login", R"({"link":")" + paired.text("url") + R"("})"));
  };
  const auto first = pair(gate.ann);
  ASSERT_EQ(first.status, 201);
  EXPECT_EQ(pair(gate.olga).status, 409) << "another person's";
  const auto second = pair(gate.ann);
  ASSERT_EQ(second.status, 201) << "nobody has used the first code";
  EXPECT_EQ(enter(first).status, 401) << "and nobody can any more";
  const auto entered = enter(second);
  ASSERT_EQ(entered.status, 200);
  EXPECT_EQ(pair(gate.ann).status, 409) << "it is logged in";
  gate.loop.advance(approvals::kDeviceLifetime);
  const auto third = pair(gate.ann);
  ASSERT_EQ(third.status, 201) << "its login has ended";
  const std::string cookie = entered.exchange->header("Set-Cookie");
  EXPECT_EQ(gate.send(memory_request("GET", "/api/me", "",
                                     {{"cookie", cookie.substr(0, cookie.find(';'))},
                                      {"x-tollgate-key", entered.text("key")}}))
                .status,
            401);
  EXPECT_EQ(enter(third).status, 200);
  EXPECT_EQ(gate.post_as(gate.ann, "/api/pair", R"({"device":"ann"})").status, 409)
      << "a credential that is no device stays";
  EXPECT_EQ(gate.get("/api/devices").at("devices").items().size(), 1u);
}

TEST(Device, ACodeIsForFiveMinutes) {
  TestDaemon gate;
  for (const Millis late : {299'000, 300'001}) {
    const auto paired =
        gate.post_as(gate.ann, "/api/pair", R"({"device":"phone)" + std::to_string(late) + R"("})");
    gate.loop.advance(late);
    const auto entered = gate.send(
        memory_request("POST", "/api/login", R"({"link":")" + paired.text("url") + R"("})"));
    EXPECT_EQ(entered.status, late < 300'000 ? 200 : 401) << late;
  }
}

TEST(Device, ACodeOfARevokedDeviceIsRefused) {
  TestDaemon gate;
  const auto paired = gate.post_as(gate.ann, "/api/pair", R"({"device":"phone"})");
  EXPECT_EQ(gate.send("DELETE", "/api/devices/phone", "", gate.ann).status, 200);
  EXPECT_EQ(
      gate.send(memory_request("POST", "/api/login", R"({"link":")" + paired.text("url") + R"("})"))
          .status,
      401);
}

TEST(Device, AnOperatorsPhoneIsNoOperator) {
  TestDaemon gate;
  EXPECT_EQ(gate.post_as(gate.olga, "/api/pair", R"({"device":"tablet"})").status, 201);
  for (const store::Credential& each : gate.people.all())
    EXPECT_EQ(each.is_operator, each.name == "olga") << each.name;
  // Ann has no say over it.
  EXPECT_EQ(gate.send("DELETE", "/api/devices/tablet", "", gate.ann).status, 404);
  for (const std::string body : {R"({"device":""})", R"({"device":"a/b"})", "{}"})
    EXPECT_EQ(gate.post_as(gate.ann, "/api/pair", body).status, 400) << body;
}

struct Route {
  std::string_view method, target, body;
};
const Route kOfPeople[] = {
    {"GET", "/api/permissions?view=brief", ""},
    {"GET", "/api/permissions/ID", ""},
    {"POST", "/api/permissions/ID/seen", ""},
    {"POST", "/api/permissions/answer", R"({"decision":"allow","ids":["ID"]})"},
    {"GET", "/api/audit/1", ""},
    {"POST", "/api/audit/1/replay", ""},
    {"POST", "/api/try", R"({"tool":"Bash","text":"ls"})"},
    {"GET", "/api/policy", ""},
    {"POST", "/api/policy/check", R"({"list":"allow","rule":"Bash"})"},
    {"POST", "/api/policy/edit", R"({"mode":"autonomous","dryRun":false})"},
    {"GET", "/api/roles", ""},
    {"GET", "/api/insight", ""},
    {"GET", "/api/me", ""},
    {"GET", "/api/devices", ""},
    {"POST", "/api/pair", R"({"device":"mine"})"},
    {"DELETE", "/api/devices/phone", ""},
};

TEST(Agent, WithASessionGetsNothingOfThis) {
  TestDaemon gate(kPolicy);
  const std::string id = gate.ask_shell("git push origin main");
  const auto filled = [&](std::string text) {
    if (const std::size_t at = text.find("ID"); at != text.npos) text.replace(at, 2, id);
    return text;
  };
  const std::string before = os::read_file(gate.config_file(), 1u << 20).value_or("");
  const std::vector<std::pair<std::string, std::string>> tries[] = {
      {},
      {{"authorization", "Bearer " + gate.bot}},
      {{"x-tollgate-session", gate.bot}},
      {{"cookie", "tollgate=" + gate.bot}},
  };
  int place = 0;
  for (const Route& route : kOfPeople)
    for (const auto& headers : tries) {
      Request request = memory_request(std::string(route.method), filled(std::string(route.target)),
                                       filled(std::string(route.body)), headers);
      // Each from a place of its own: guesses are counted.
      request.peer.address = "192.0.2." + std::to_string(++place);
      EXPECT_EQ(gate.send(std::move(request)).status, 401) << route.target;
    }
  EXPECT_EQ(gate.desk.find(id)->state, store::QuestionState::kPending);
  EXPECT_EQ(gate.desk.find(id)->seen, 0);
  EXPECT_EQ(os::read_file(gate.config_file(), 1u << 20).value_or(""), before);
}

}  // namespace
}  // namespace tollgate::server
