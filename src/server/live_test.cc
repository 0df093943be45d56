// What people's screens hear over the web socket, also those that were cut off for a while.
#include "server/live.h"

#include <gtest/gtest.h>

#include <functional>

#include "approvals/digest.h"
#include "server/event_ring.h"
#include "server/session_value.h"
#include "server/test_daemon.h"

namespace tollgate::server {
namespace {

using json::Value;

Value heard(const std::shared_ptr<MemorySocket>& socket, std::size_t index) {
  return json::parse(socket->sent.at(index)).value();
}

std::string run_of(const std::shared_ptr<MemorySocket>& socket) {
  const Value first = heard(socket, 0);
  return text_in(*first.find("data"), "run");
}

std::string events_of(const std::shared_ptr<MemorySocket>& socket) {
  std::string out;
  for (const std::string& words : socket->sent) {
    const Value value = json::parse(words).value();
    const Value* number = value.find("seq");
    out += (out.empty() ? "" : " ") + text_in(value, "channel") + ":" + text_in(value, "event");
    if (number != nullptr) out += "=" + number->number_text();
  }
  return out;
}

constexpr const char* kPolicy = "version: 1\nrules: {ask: [Bash]}\n";

TEST(Live, EveryEventHasANumberOfItsOwn) {
  TestDaemon gate(kPolicy);
  const auto brief = gate.watch("/ws?view=brief", gate.ann);
  const auto whole = gate.watch("/ws", gate.ann);
  const std::string id = gate.ask_shell("git push");
  gate.gate.deny(id, "no", {.approver = "ann", .person = "Ann"}, [](auto) {});
  gate.loop.run();
  // The first number went to the session of the bot.
  EXPECT_EQ(events_of(brief), "permission:all permission:created=2 permission:resolved=3");
  EXPECT_EQ(events_of(whole), "permission:all permission:created=2 permission:resolved=3");
  const Value first = heard(brief, 0), created = heard(brief, 1);
  EXPECT_EQ(first.find("data")->find("seq")->number_text(), "1");
  EXPECT_EQ(text_in(created, "run"), text_in(*first.find("data"), "run"));
  EXPECT_EQ(created.find("data")->find("toolInput"), nullptr);
  EXPECT_EQ(text_in(*created.find("data"), "summary"), "git push");
  const Value all = heard(whole, 1);
  EXPECT_NE(all.find("data")->find("toolInput"), nullptr);
}

TEST(Live, WhoWasCutOffHearsWhatWasMissedOnce) {
  TestDaemon gate(kPolicy);
  const auto first = gate.watch("/ws?view=brief", gate.ann);
  const std::string run = run_of(first);
  gate.ask_shell("git push a");
  first->leave();
  gate.ask_shell("git push b");
  gate.ask_shell("git push c");
  const auto back = gate.watch("/ws?view=brief&since=2&run=" + run, gate.ann);
  gate.ask_shell("git push d");
  EXPECT_EQ(events_of(back),
            "gate:resumed permission:created=3 permission:created=4 permission:created=5");
}

struct Return {
  std::string_view name, query;
};
const Return kReturns[] = {
    {"of another run", "view=brief&since=1&run=0000"},
    {"from the future", "view=brief&since=9&run=RUN"},
    {"without a number", "view=brief&since=x&run=RUN"},
    {"with the whole view, which is not kept", "since=1&run=RUN"},
};

TEST(Live, WhoCannotBeHelpedGetsAll) {
  TestDaemon gate(kPolicy);
  const std::string run = run_of(gate.watch("/ws?view=brief", gate.ann));
  gate.ask_shell("git push a");
  for (const Return& one : kReturns) {
    std::string query(one.query);
    if (const std::size_t at = query.find("RUN"); at != query.npos) query.replace(at, 3, run);
    EXPECT_EQ(events_of(gate.watch("/ws?" + query, gate.ann)), "permission:all") << one.name;
  }
}

TEST(EventRing, KeepsSoManyAndNoMore) {
  EventRing ring;
  EXPECT_EQ(ring.since(0)->size(), 0u);
  for (std::size_t i = 0; i < EventRing::kMostEvents + 5; ++i) ring.add(Value::object());
  EXPECT_FALSE(ring.since(4));
  EXPECT_EQ(ring.since(5)->size(), EventRing::kMostEvents);
  EXPECT_EQ(ring.since(ring.last())->size(), 0u);
  EXPECT_FALSE(ring.since(ring.last() + 1));
  const Value large = Value::object({{"x", Value::string(std::string(1u << 20, 'x'))}});
  for (int i = 0; i < 20; ++i) ring.add(large);
  EXPECT_FALSE(ring.since(ring.last() - 17));
  EXPECT_TRUE(ring.since(ring.last() - 15));
}

TEST(Live, ASocketEndsWithTheTimeOfItsLogin) {
  TestDaemon gate(kPolicy);
  const auto entered =
      gate.send(memory_request("POST", "/api/login", R"({"credential":")" + gate.ann + R"("})"));
  ASSERT_EQ(entered.status, 200);
  const std::string cookie = entered.exchange->header("Set-Cookie");
  Request request =
      memory_request("GET", "/ws?view=brief", "",
                     {{"cookie", cookie.substr(0, cookie.find(';'))},
                      {"sec-websocket-protocol", "tollgate, " + entered.text("key")}});
  ASSERT_FALSE(gate.live.may_enter(request));
  const auto socket = std::make_shared<MemorySocket>(std::move(request));
  gate.live.enter(socket);
  const auto other = gate.watch("/ws?view=brief", gate.ann);
  gate.loop.advance(approvals::kCookieLifetime - 1);
  gate.live.look_again();
  EXPECT_EQ(gate.live.watching(), 2u);
  gate.loop.advance(1);
  gate.live.look_again();
  EXPECT_EQ(gate.live.watching(), 1u);
  const std::size_t before = socket->sent.size();
  gate.ask_shell("git push a");
  EXPECT_EQ(socket->sent.size(), before);
  EXPECT_EQ(socket->closed.first, 1008);
}

// Of the messages about sessions: whose state became what.
std::string sessions_of(const std::shared_ptr<MemorySocket>& socket) {
  std::string out;
  for (const std::string& words : socket->sent) {
    const Value value = json::parse(words).value();
    if (text_in(value, "channel") != "session") continue;
    const Value& data = *value.find("data");
    out += (out.empty() ? "" : ", ") + text_in(value, "event") + " " + text_in(data, "childType") +
           text_in(data, "agent") + " " + text_in(data, "state");
  }
  return out;
}

TEST(Live, TellsOfSessionsWhoeverChangesThem) {
  const std::string policy = "version: 1\nagents: {a: {}, b: {}}\n";
  struct Case {
    std::string_view name;
    std::string want;
    std::function<void(TestDaemon&, const std::string& top)> act;
  };
  const auto said = [](const auto&) {};
  const Case cases[] = {
      {"one that a hook's client opens", "changed a running",
       [&](TestDaemon& gate, const std::string&) {
         approvals::NewSession wanted;
         wanted.agent = "a";
         wanted.client_session = "c";
         gate.sessions.open_client(wanted, gate.loop.now(), said);
       }},
      {"a sub-agent", "changed reviewera running",
       [&](TestDaemon& gate, const std::string& top) {
         gate.sessions.open_child(top, "x", "reviewer", gate.loop.now(), said);
       }},
      {"what ends with its parent",
       "changed reviewera running, changed a ended, "
       "changed reviewera ended",
       [&](TestDaemon& gate, const std::string& top) {
         gate.sessions.open_child(top, "x", "reviewer", gate.loop.now(), said);
         gate.loop.run();
         gate.send("DELETE", "/api/sessions/" + top, "", gate.olga);
       }},
      {"what is frozen with its parent",
       "changed reviewera running, changed a frozen, changed reviewera frozen",
       [&](TestDaemon& gate, const std::string& top) {
         gate.sessions.open_child(top, "x", "reviewer", gate.loop.now(), said);
         gate.loop.run();
         gate.send("PATCH", "/api/sessions/" + approvals::handle_of(top), R"({"frozen":true})",
                   gate.olga);
       }},
      {"a freeze of the agent", "changed a frozen",
       [&](TestDaemon& gate, const std::string&) {
         gate.post_as(gate.ann, "/api/freeze", R"({"agent":"a"})");
       }},
      {"a freeze of another agent", "",
       [&](TestDaemon& gate, const std::string&) {
         gate.post_as(gate.ann, "/api/freeze", R"({"agent":"b"})");
       }},
      {"one that has expired", "changed a ended",
       [&](TestDaemon& gate, const std::string&) {
         gate.loop.advance(8LL * 24 * 3600 * 1000);
         gate.sessions.tick(gate.loop.now());
       }},
      {"one that is idle", "changed a idle",
       [&](TestDaemon& gate, const std::string&) {
         const SessionStates before = session_states(gate.daemon);
         gate.loop.advance(61'000);
         tell_changed_states(gate.daemon, before);
       }},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    TestDaemon gate(policy);
    gate.sessions.end(gate.bot, "", gate.loop.now(), said);
    gate.loop.run();
    const std::string top = gate.post_as(gate.olga, "/api/sessions", R"({"agent":"a"})").text("id");
    const auto socket = gate.watch("/ws?view=brief", gate.ann);
    each.act(gate, top);
    gate.loop.run();
    EXPECT_EQ(sessions_of(socket), each.want);
  }
}

TEST(Live, ManySessionsAtOnceAreToldOnce) {
  TestDaemon gate("version: 1\nagents: {a: {}}\n");
  for (int i = 0; i < 65; ++i) gate.post_as(gate.olga, "/api/sessions", R"({"agent":"a"})");
  const auto socket = gate.watch("/ws?view=brief", gate.ann);
  gate.post_as(gate.ann, "/api/freeze", "{}");
  EXPECT_EQ(sessions_of(socket), "all  ");
}

TEST(Live, SessionsAreNamedByTheirHandlesAndListedAfterTheirEnd) {
  TestDaemon gate("version: 1\nagents: {a: {}}\n");
  const TestDaemon::Answer made = gate.post_as(gate.olga, "/api/sessions", R"({"agent":"a"})");
  const std::string id = made.text("id"), handle = made.text("handle");
  EXPECT_EQ(handle, approvals::handle_of(id));
  const TestDaemon::Answer child =
      gate.post_as(gate.olga, "/api/sessions", R"({"agent":"a","parent":")" + handle + "\"}");
  EXPECT_EQ(child.text("parent"), id);
  for (const std::string& path : {"/mcp/" + handle, "/hook/" + handle + "/claude"})
    EXPECT_EQ(gate.post_as("", path, "{}").status, 404) << path;
  EXPECT_EQ(gate.send("POST", "/api/decide", "{}", handle).status, 401);
  EXPECT_TRUE(gate.live.may_enter(memory_request("GET", "/ws?session=" + handle, "", {})));
  const auto rows = [&] {
    return gate.get("/api/audit?session=" + handle).at("rows").items().size();
  };
  EXPECT_EQ(rows(), 1u);
  EXPECT_EQ(gate.send("DELETE", "/api/sessions/" + handle, "", gate.olga).text("state"), "ended");
  EXPECT_EQ(gate.send("DELETE", "/api/sessions/" + handle, "", gate.olga).code(),
            "unknown-session");
  EXPECT_EQ(rows(), 2u);  // only the record knows it now
  EXPECT_EQ(gate.get("/api/audit?session=0000000000").code(), "unknown-session");
  EXPECT_EQ(gate.get("/api/sessions").at("sessions").items().size(), 1u);
  const TestDaemon::Answer all = gate.get("/api/sessions?state=all");
  ASSERT_EQ(all.at("sessions").items().size(), 3u);
  EXPECT_EQ(text_in(all.at("sessions").items()[2], "state"), "ended");
}

TEST(Live, ASessionsSocketHearsNothingOfThis) {
  TestDaemon gate(kPolicy);
  Request request = memory_request("GET", "/ws?view=brief&since=0&session=" + gate.bot);
  ASSERT_FALSE(gate.live.may_enter(request));
  const auto socket = std::make_shared<MemorySocket>(std::move(request));
  gate.live.enter(socket);
  gate.ask_shell("git push a");
  EXPECT_EQ(socket->sent.size(), 0u);
  EXPECT_TRUE(gate.live.may_enter(memory_request("GET", "/ws?view=brief")));
}

}  // namespace
}  // namespace tollgate::server
