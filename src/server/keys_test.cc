// Security keys over HTTP: registered, touched for one act, and every way around a touch.
#include <gtest/gtest.h>

#include "approvals/digest.h"
#include "base/base64.h"
#include "server/test_daemon.h"
#include "server/touch.h"
#include "webauthn/soft_authenticator.h"

namespace tollgate::server {
namespace {

using webauthn::Saying;
using webauthn::SoftAuthenticator;

constexpr std::string_view kOrigin = "http://localhost:1615";

class KeysTest : public testing::Test {
 protected:
  KeysTest() { breaker = daemon.ask_shell(":(){ :|:& };:"); }

  TestDaemon::Answer send(const std::string& method, const std::string& target,
                          const std::string& body, const std::string& secret,
                          const std::string& touch = "",
                          const std::string& host = "localhost:1615") {
    std::vector<std::pair<std::string, std::string>> headers = {
        {"authorization", "Bearer " + secret}};
    if (!touch.empty()) headers.emplace_back("x-tollgate-touch", touch);
    Request request = memory_request(method, target, body, std::move(headers));
    std::erase_if(request.headers, [](const auto& each) { return each.first == "host"; });
    request.headers.emplace_back("host", host);
    return daemon.send(std::move(request));
  }
  Saying saying(const std::string& type, const TestDaemon::Answer& offered) {
    return {.type = type,
            .challenge = bytes_of_base64url(offered.text("challenge")).value_or(""),
            .origin = std::string(kOrigin),
            .rp_id = "localhost",
            .flags = type == "webauthn.create" ? 0x41u : 0x01u,
            .counter = ++counter};
  }
  // The status of the registration.
  int enroll(const SoftAuthenticator& device, const std::string& secret, const std::string& name) {
    const Saying said = saying("webauthn.create", send("POST", "/api/keys/options", "{}", secret));
    return send(
               "POST", "/api/keys",
               json::write(json::Value::object(
                   {{"name", text_value(name)},
                    {"clientDataJSON", text_value(base64url(SoftAuthenticator::client_data(said)))},
                    {"attestationObject", text_value(base64url(device.attestation(said)))}})),
               secret)
        .status;
  }
  TestDaemon::Answer challenge(const std::string& secret, const std::string& method,
                               const std::string& path, const std::string& body) {
    return send("POST", "/api/touch",
                R"({"method":")" + method + R"(","path":")" + path + R"(","body":)" + body + "}",
                secret);
  }
  static std::string proof(const SoftAuthenticator& device, const Saying& said) {
    return base64url(json::write(json::Value::object(
        {{"credentialId", text_value(base64url(device.id()))},
         {"clientDataJSON", text_value(base64url(SoftAuthenticator::client_data(said)))},
         {"authenticatorData", text_value(base64url(SoftAuthenticator::authenticator_data(said)))},
         {"signature", text_value(base64url(device.signature(said)))}})));
  }
  std::string approve_of(const std::string& id) const {
    return "/api/permissions/" + id + "/approve";
  }

  TestDaemon daemon;
  SoftAuthenticator key{"anns key"}, other{"olgas key"};
  std::string breaker;
  std::uint32_t counter = 0;
};

TEST_F(KeysTest, ABreakerNeedsTheTouchOfWhoeverHasAKey) {
  ASSERT_EQ(enroll(key, daemon.ann, "blue"), 201);
  const std::string body = R"({"scope":"once"})";
  EXPECT_EQ(send("POST", approve_of(breaker), body, daemon.ann).code(), "presence-required");
  const Saying said =
      saying("webauthn.get", challenge(daemon.ann, "POST", approve_of(breaker), body));
  const auto done = send("POST", approve_of(breaker), body, daemon.ann, proof(key, said));
  EXPECT_EQ(done.status, 200) << done.code();
  EXPECT_EQ(text_in(done.at("votes").items().at(0), "key"), "blue");
}

TEST_F(KeysTest, WhoHasNoKeyAnswersAsBefore) {
  ASSERT_EQ(enroll(key, daemon.ann, "blue"), 201);
  EXPECT_EQ(send("POST", approve_of(breaker), "{}", daemon.olga).status, 200);
}

TEST_F(KeysTest, EveryWayAroundATouchIsRefused) {
  ASSERT_EQ(enroll(key, daemon.ann, "blue"), 201);
  ASSERT_EQ(enroll(other, daemon.olga, "red"), 201);
  const std::string second = daemon.ask_shell(":(){ :|:& };:");
  const std::string once = R"({"scope":"once"})", why = R"({"scope":"once","reason":"x"})";
  struct Case {
    std::string_view name;
    std::string asked_for, asked_body;  // what the challenge was asked for
    std::function<void(Saying&)> lie;   // on the way
    const SoftAuthenticator* device;
    const std::string* as;  // who asks for the challenge
    std::string_view want;
  };
  const auto nothing = [](Saying&) {};
  const Case kCases[] = {
      {"a challenge that never was", approve_of(breaker), once,
       [](Saying& s) { s.challenge[3] ^= 1; }, &key, &daemon.ann, "never was"},
      {"another question's challenge", approve_of(second), once, nothing, &key, &daemon.ann,
       "something else"},
      {"a challenge for another body", approve_of(breaker), why, nothing, &key, &daemon.ann,
       "something else"},
      {"somebody else's challenge", approve_of(breaker), once, nothing, &key, &daemon.olga,
       "somebody else"},
      {"another person's key", approve_of(breaker), once, nothing, &other, &daemon.ann,
       "not registered for this person"},
      {"a page of another port", approve_of(breaker), once,
       [](Saying& s) { s.origin = "http://localhost:9999"; }, &key, &daemon.ann, "another address"},
      {"another site", approve_of(breaker), once, [](Saying& s) { s.rp_id = "example.com"; }, &key,
       &daemon.ann, "another site"},
      {"nobody touched it", approve_of(breaker), once, [](Saying& s) { s.flags = 0; }, &key,
       &daemon.ann, "nobody has touched"},
      {"a counter that went back", approve_of(breaker), once, [](Saying& s) { s.counter = 1; },
       &key, &daemon.ann, "went back"},
  };
  // A true touch first, so that the key has counted.
  const std::string third = daemon.ask_shell(":(){ :|:& };:");
  const Saying first =
      saying("webauthn.get", challenge(daemon.ann, "POST", approve_of(third), once));
  ASSERT_EQ(send("POST", approve_of(third), once, daemon.ann, proof(key, first)).status, 200);
  EXPECT_EQ(send("POST", approve_of(third), once, daemon.ann, proof(key, first)).code(),
            "presence-refused")
      << "a proof that was spent";
  for (const Case& each : kCases) {
    Saying said =
        saying("webauthn.get", challenge(*each.as, "POST", each.asked_for, each.asked_body));
    each.lie(said);
    const auto refused =
        send("POST", approve_of(breaker), once, daemon.ann, proof(*each.device, said));
    EXPECT_EQ(refused.code(), "presence-refused") << each.name;
    EXPECT_NE(text_in(refused.at("error"), "message").find(each.want), std::string::npos)
        << each.name << ": " << text_in(refused.at("error"), "message");
    EXPECT_EQ(daemon.desk.find(breaker)->state, store::QuestionState::kPending) << each.name;
  }
  const Saying late =
      saying("webauthn.get", challenge(daemon.ann, "POST", approve_of(breaker), once));
  daemon.loop.advance(kChallengeLifetime);
  EXPECT_EQ(send("POST", approve_of(breaker), once, daemon.ann, proof(key, late)).code(),
            "presence-refused")
      << "too late";
  EXPECT_EQ(send("POST", approve_of(breaker), once, daemon.ann, "e30").code(), "presence-refused");
  EXPECT_EQ(send("POST", approve_of(breaker), once, daemon.ann, "!").code(), "presence-refused");
}

TEST_F(KeysTest, ActsThatChangeWhoAnswersNeedIt) {
  ASSERT_EQ(enroll(other, daemon.olga, "red"), 201);
  struct Case {
    std::string method, target, body;
  };
  const Case kCases[] = {
      {"POST", "/api/approvers", R"({"name":"eve"})"},
      {"DELETE", "/api/approvers/ann", ""},
      {"POST", "/api/pair", R"({"device":"phone"})"},
      {"POST", "/api/links", "{}"},
      {"POST", "/api/keys", "{}"},
      {"DELETE", "/api/keys/" + base64url(other.id()), ""},
  };
  for (const Case& each : kCases) {
    EXPECT_EQ(send(each.method, each.target, each.body, daemon.olga).code(), "presence-required")
        << each.target;
    const Saying said = saying("webauthn.get", challenge(daemon.olga, each.method, each.target,
                                                         each.body.empty() ? "null" : each.body));
    const auto done = send(each.method, each.target, each.body, daemon.olga, proof(other, said));
    EXPECT_TRUE(done.status / 100 == 2 || done.code() == "malformed-request") << each.target;
  }
  EXPECT_FALSE(daemon.keys.has("Olga"));
}

TEST_F(KeysTest, ARuleInThePolicyFileNeedsItAndLookingAtItDoesNot) {
  ASSERT_EQ(enroll(other, daemon.olga, "red"), 201);
  const std::string looks = R"x({"add":{"list":"allow","rule":"Bash(make *)"}})x";
  const std::string writes = R"x({"add":{"list":"allow","rule":"Bash(make *)"},"dryRun":false})x";
  EXPECT_EQ(send("POST", "/api/policy/edit", looks, daemon.olga).status, 200);
  EXPECT_EQ(send("POST", "/api/policy/edit", writes, daemon.olga).code(), "presence-required");
  const Saying said =
      saying("webauthn.get", challenge(daemon.olga, "POST", "/api/policy/edit", writes));
  EXPECT_EQ(send("POST", "/api/policy/edit", writes, daemon.olga, proof(other, said)).status, 200);
}

// What no person is asked about any more weighs more than a rule.
TEST_F(KeysTest, ASessionThatAsksNobodyNeedsIt) {
  ASSERT_EQ(enroll(other, daemon.olga, "red"), 201);
  daemon.directory.write("data/x", "");  // hooks are told of changes there
  for (const std::string& name : {daemon.bot, approvals::handle_of(daemon.bot)}) {
    const std::string session = "/api/sessions/" + name;
    for (const std::string body :
         {R"({"mode":"autonomous"})", R"({"mode":"acceptEdits"})", R"({"answer":"yes"})"}) {
      EXPECT_EQ(send("PATCH", session, body, daemon.olga).code(), "presence-required") << body;
      const Saying said = saying("webauthn.get", challenge(daemon.olga, "PATCH", session, body));
      EXPECT_EQ(send("PATCH", session, body, daemon.olga, proof(other, said)).status, 200) << body;
    }
    for (const std::string body : {R"({"mode":"plan"})", R"({"mode":null,"answer":null})"})
      EXPECT_EQ(send("PATCH", session, body, daemon.olga).status, 200) << body;
  }
  const std::string made = R"({"agent":"","cwd":"/","mode":"autonomous"})";
  EXPECT_EQ(send("POST", "/api/sessions", made, daemon.olga).code(), "presence-required");
}

// What the agent's own configuration says is the user's word, given before; but what an operator
// has tightened is not loosened by going back to it.
TEST_F(KeysTest, GoingBackToAnAgentsOwnLoosenessNeedsIt) {
  daemon.directory.write("config/tollgate.yaml",
                         "version: 1\nagents: {loose: {mode: autonomous, answer: yes}}\n");
  daemon.policies().refresh(Policies::Which::kAll);
  ASSERT_EQ(enroll(other, daemon.olga, "red"), 201);
  const auto made = send("POST", "/api/sessions", R"({"agent":"loose","cwd":"/"})", daemon.olga);
  ASSERT_EQ(made.status, 201) << made.code();
  const std::string session = "/api/sessions/" + made.text("id");
  daemon.directory.write("data/x", "");
  struct Case {
    std::string_view name, tightens, loosens;
  };
  constexpr Case kCases[] = {
      {"its mode", R"({"mode":"plan"})", R"({"mode":null})"},
      {"its answer", R"({"answer":"ask"})", R"({"answer":null})"},
      {"both", R"({"mode":"plan","answer":"no"})", R"({"mode":null,"answer":null})"},
  };
  for (const Case& each : kCases) {
    EXPECT_EQ(send("PATCH", session, std::string(each.loosens), daemon.olga).status, 200)
        << each.name << ", which nobody has tightened";
    ASSERT_EQ(send("PATCH", session, std::string(each.tightens), daemon.olga).status, 200);
    const std::string body(each.loosens);
    EXPECT_EQ(send("PATCH", session, body, daemon.olga).code(), "presence-required") << each.name;
    const Saying said = saying("webauthn.get", challenge(daemon.olga, "PATCH", session, body));
    EXPECT_EQ(send("PATCH", session, body, daemon.olga, proof(other, said)).status, 200)
        << each.name;
  }
}

TEST_F(KeysTest, AnAddressOfNumbersIsNoPlaceForKeys) {
  EXPECT_EQ(send("POST", "/api/keys/options", "{}", daemon.ann, "", "127.0.0.1:1615").code(),
            "presence-unavailable");
  EXPECT_EQ(send("POST", "/api/keys/options", "{}", daemon.ann, "", "localhost:9999").code(),
            "presence-unavailable")
      << "a port that is not ours";
  EXPECT_TRUE(send("GET", "/api/keys", "", daemon.ann, "", "127.0.0.1:1615").at("rpId").is_null());
}

TEST_F(KeysTest, KeysAreThereAfterARestartAndTheirCountersToo) {
  ASSERT_EQ(enroll(key, daemon.ann, "blue"), 201);
  const std::string body = "{}";
  const Saying said =
      saying("webauthn.get", challenge(daemon.ann, "POST", approve_of(breaker), body));
  ASSERT_EQ(send("POST", approve_of(breaker), body, daemon.ann, proof(key, said)).status, 200);
  SecurityKeys again(
      daemon.store, [](const std::function<void()>& work) { work(); },
      [](std::size_t) { return std::string(); });
  again.restore(daemon.store.load(0, 0).value().settings);
  ASSERT_TRUE(again.has("Ann"));
  EXPECT_EQ(again.all()[0].key.counter, said.counter);
  EXPECT_EQ(again.all()[0].name, "blue");
  EXPECT_FALSE(again.challenge("Ann", "x", 0)) << "without random bytes there is no challenge";
  SecurityKeys broken(daemon.store, {}, {});
  broken.restore({{"securityKey:1", R"({"person":"Ann","id":"!"})"}});
  EXPECT_TRUE(broken.has("Ann")) << "what cannot be read still wants a touch";
}

TEST_F(KeysTest, NobodyRemovesTheKeyOfSomebodyElse) {
  ASSERT_EQ(enroll(key, daemon.ann, "blue"), 201);
  ASSERT_EQ(enroll(other, daemon.olga, "red"), 201);
  const std::string target = "/api/keys/" + base64url(other.id());
  const Saying said = saying("webauthn.get", challenge(daemon.ann, "DELETE", target, "null"));
  EXPECT_EQ(send("DELETE", target, "", daemon.ann, proof(key, said)).code(), "not-allowed-here");
  EXPECT_EQ(send("GET", "/api/keys", "", daemon.ann).at("keys").items().size(), 1u);
  EXPECT_EQ(send("GET", "/api/keys", "", daemon.olga).at("keys").items().size(), 2u);
}

// A question that anybody may answer, and an input that would want a touch.
TEST_F(KeysTest, AnotherInputIsNoWayToABreaker) {
  ASSERT_EQ(enroll(key, daemon.ann, "blue"), 201);
  const std::string harmless = daemon.ask_shell("npm ci");
  const auto refused = send("POST", approve_of(harmless),
                            R"({"updatedInput":{"command":":(){ :|:& };:"}})", daemon.ann);
  EXPECT_EQ(refused.code(), "input-refused");
  EXPECT_EQ(daemon.desk.find(harmless)->state, store::QuestionState::kPending);
  EXPECT_EQ(
      send("POST", approve_of(harmless), R"({"updatedInput":{"command":"npm test"}})", daemon.ann)
          .status,
      200);
}

// Whoever has stolen a key touches it while it is being removed.
TEST_F(KeysTest, AKeyThatIsBeingRemovedDoesNotComeBack) {
  ASSERT_EQ(enroll(key, daemon.ann, "blue"), 201);
  const std::string body = "{}";
  const Saying said =
      saying("webauthn.get", challenge(daemon.ann, "POST", approve_of(breaker), body));
  bool removed = false;
  daemon.keys.remove(base64url(key.id()), "Olga", daemon.loop.now(),
                     [&](const Result<void>& done) { removed = done.has_value(); });
  EXPECT_EQ(send("POST", approve_of(breaker), body, daemon.ann, proof(key, said)).code(),
            "presence-refused");
  ASSERT_TRUE(removed);
  SecurityKeys again(daemon.store, {}, {});
  again.restore(daemon.store.load(0, 0).value().settings);
  EXPECT_FALSE(again.has("Ann"));
}

TEST_F(KeysTest, TheWebSocketIsNoWayAround) {
  ASSERT_EQ(enroll(key, daemon.ann, "blue"), 201);
  const auto socket = daemon.watch("/ws", daemon.ann);
  socket->say(R"({"event":"approval_response","data":{"decision":"allow_once","permissionId":")" +
              breaker + R"("}})");
  daemon.loop.run();
  EXPECT_EQ(daemon.desk.find(breaker)->state, store::QuestionState::kPending);
  EXPECT_NE(socket->sent.back().find("presence-required"), std::string::npos);
}

}  // namespace
}  // namespace tollgate::server
