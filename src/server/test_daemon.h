// A whole daemon in memory for tests of routes: a store, a desk and people of its own, a clock that
// stands, and policy files in a directory that is gone at the end.
// Included by tests only. `ann` approves, `olga` is an operator as well, `bot` is a session.
// What is sent is handled and answered before send() returns, unless it waits for a person.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "json/json.h"
#include "server/makers.h"
#include "server/memory_exchange.h"
#include "server/routes.h"
#include "server/security_keys.h"
#include "server/test_server.h"
#include "store/memory_store.h"

namespace tollgate::server {

class TestDaemon {
 public:
  // `config` is the user's policy file; `other` a store in place of the one in memory, whose
  // submit() returns when the batch is done.
  explicit TestDaemon(const std::string& config = "version: 1\n", store::Store* other = nullptr)
      : used_(other == nullptr ? store : *other),
        policies_(files(config)),
        desk(used_, post(),
             {.makers =
                  [this](const store::Question& question) {
                    return makers_of(question, sessions, grants, loop.now());
                  },
              .has_key = [this](const std::string& person) { return keys.has(person); }}),
        sessions(used_, post()),
        grants(used_, post()),
        people(used_, post(), [this](std::size_t bytes) { return random(bytes); }),
        keys(used_, post(), [this](std::size_t bytes) { return random(bytes); }),
        gate({loop, used_, policies_, desk, sessions, grants}),
        daemon{{loop, used_, policies_, desk, sessions, grants},
               gate,
               people,
               live,
               {.version = "1", .url = "http://localhost:1615", .started = loop.now()},
               {}} {
    daemon.keys = &keys;
    live.serve(daemon);
    desk.listen([this](approvals::Notice notice, const store::Question& question) {
      live.question_changed(notice, question);
    });
    EXPECT_TRUE(os::make_private_directory(directory.at("work")));
    ann = add({.name = "ann", .person = "Ann"});
    olga = add({.name = "olga", .person = "Olga", .is_operator = true});
    bot = open_session();
  }

  struct Answer {
    int status = 0;
    json::Value body;
    std::shared_ptr<MemoryExchange> exchange;

    std::string text(std::string_view name) const { return text_in(body, name); }
    std::string code() const {
      const json::Value* error = body.find("error");
      return error == nullptr ? "" : text_in(*error, "code");
    }
    const json::Value& at(std::string_view name) const {
      static const json::Value kNothing;
      const json::Value* found = body.find(name);
      return found == nullptr ? kNothing : *found;
    }
  };

  Answer send(Request request) {
    Answer answer;
    answer.exchange = std::make_shared<MemoryExchange>(std::move(request));
    handle(daemon, answer.exchange);
    loop.run();
    if (!answer.exchange->answered()) return answer;
    answer.status = answer.exchange->response.status;
    if (Result<json::Value> body = json::parse(answer.exchange->response.body))
      answer.body = std::move(*body);
    return answer;
  }
  Answer send(const std::string& method, const std::string& target, const std::string& body,
              const std::string& secret) {
    std::vector<std::pair<std::string, std::string>> headers;
    if (!secret.empty()) headers.emplace_back("authorization", "Bearer " + secret);
    return send(memory_request(method, target, body, std::move(headers)));
  }
  Answer get(const std::string& target) { return send("GET", target, "", ann); }
  Answer post_as(const std::string& secret, const std::string& target, const std::string& body) {
    return send("POST", target, body, secret);
  }

  // The agent makes a call that waits for a person; the question's id, "" where none was put.
  std::string ask(const std::string& tool, const std::string& input, const std::string& id = "") {
    Arrival arrival;
    arrival.session = bot;
    arrival.call.id = id.empty() ? "call-" + std::to_string(++calls_) : id;
    arrival.call.native_tool = arrival.call.tool = tool;
    arrival.call.input = json::parse(input).value();
    arrival.origin = "test";
    std::string question;
    EXPECT_TRUE(gate.settle(
        std::move(arrival), [this](const Outcome& outcome) { outcomes.push_back(outcome); },
        [&](const std::string& put) { question = put; }));
    loop.run();
    return question;
  }
  std::string ask_shell(const std::string& command) {
    return ask("Bash", json::write(json::Value::object({{"command", text_value(command)}})));
  }
  std::shared_ptr<MemorySocket> watch(const std::string& target, const std::string& secret) {
    Request request = memory_request("GET", target, "", {{"authorization", "Bearer " + secret}});
    EXPECT_FALSE(live.may_enter(request));
    auto socket = std::make_shared<MemorySocket>(std::move(request));
    live.enter(socket);
    loop.run();
    return socket;
  }

  TestDirectory directory;
  ManualLoop loop;
  store::MemoryStore store;

 private:
  store::Store& used_;
  Policies policies_;

 public:
  approvals::Desk desk;
  approvals::SessionBook sessions;
  approvals::GrantBook grants;
  approvals::People people;
  SecurityKeys keys;
  Gate gate;
  Live live;
  Daemon daemon;
  std::string ann, olga;  // secrets
  std::string bot;        // a session's id
  std::vector<Outcome> outcomes;

  std::string config_file() const { return directory.at("config/tollgate.yaml"); }
  std::string work() const { return directory.at("work"); }
  Policies& policies() { return policies_; }

 private:
  std::function<void(std::function<void()>)> post() {
    return [this](std::function<void()> work) { loop.post(std::move(work)); };
  }
  PolicyFiles files(const std::string& config) {
    directory.write("config/tollgate.yaml", config);
    PolicyFiles out;
    out.config_file = config_file();
    out.data_dir = directory.at("data");
    out.home = directory.at("home");
    out.program = "/opt/tollgate/bin/tollgate";
    return out;
  }
  std::string random(std::size_t bytes) {
    std::string out(bytes, '\0');
    for (char& c : out) {
      random_ = random_ * 6364136223846793005u + 1442695040888963407u;
      c = static_cast<char>(random_ >> 56);
    }
    return out;
  }
  std::string add(approvals::People::NewCredential wanted) {
    std::string secret;
    people.add(std::move(wanted), "test", loop.now(),
               [&](Result<std::string> made) { secret = made.value(); });
    loop.run();
    return secret;
  }
  std::string open_session() {
    std::string id;
    sessions.open({.agent = {}, .parent = {}, .provider = {}, .cwd = work()}, loop.now(),
                  [&](Result<store::Session> session) { id = session.value().id; });
    loop.run();
    return id;
  }

  std::uint64_t random_ = 0;
  int calls_ = 0;
};

}  // namespace tollgate::server
