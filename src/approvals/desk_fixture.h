// A desk for tests: its store answers when a test says so, and its clock is a number.
// Included by tests only.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "approvals/desk.h"
#include "approvals/scripted_store.h"

namespace tollgate::approvals {

using store::QuestionState;
using store::Scope;

inline constexpr Millis kStart = 1'000'000;

inline std::string_view state_name(QuestionState state) {
  constexpr std::string_view kNames[] = {"pending", "approved", "denied", "expired", "cancelled"};
  return kNames[static_cast<std::size_t>(state)];
}

// The quorums of a text that has ` and ` between them; none of one that cannot be read.
inline std::vector<Quorum> quorums_in(std::string_view text) {
  std::vector<Quorum> quorums;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(" and "), text.size());
    const std::optional<std::vector<Quorum>> one = parse_quorums(text.substr(0, end));
    if (!one) return {};
    add_rule(quorums, *one);
    text.remove_prefix(std::min(end + 5, text.size()));
  }
  return quorums;
}

inline Question question_of(const std::string& call_id, const std::string& command = "make",
                            const std::string& session = "s1", const std::string& approve = "") {
  Question question;
  question.session = session;
  question.agent = "backend";
  ToolCall& call = question.asked.call;
  call.id = call_id;
  call.session = session;
  call.agent = "backend";
  call.tool = "Bash";
  call.cwd = "/w";
  call.input = json::Value::object({{"command", json::Value::string(command)}});
  question.asked.decision.verdict = Verdict::kAsk;
  question.asked.decision.approve = approve;
  question.asked.decision.quorums = quorums_in(approve);
  question.digest = digest_of(call);
  question.expires = kStart + 30'000;
  return question;
}

// A call without an id, whose question waits as long as it takes.
inline Question without_id() {
  Question question = question_of("");
  question.expires = 0;
  return question;
}

inline Principal person(const std::string& name, std::vector<std::string> roles = {}) {
  return {.approver = name + "-phone",
          .person = name,
          .roles = std::move(roles),
          .via = "page",
          .session = {}};
}

inline AnswerRequest yes() { return {.allow = true}; }
inline AnswerRequest no(std::string reason = "") {
  return {.allow = false, .reason = std::move(reason)};
}

class DeskTest : public testing::Test {
 protected:
  DeskTest() { start(); }

  void start() {
    DeskOptions options;
    options.makers = [this](const Question&) { return makers; };
    options.on_timeout = [this](const Question& question, Millis at) {
      return timeout ? timeout(question, at) : std::nullopt;
    };
    options.has_key = [this](const std::string& person) {
      return std::ranges::find(keyholders, person) != keyholders.end();
    };
    desk = std::make_unique<Desk>(kept, queue.post(), options);
    desk->listen([this](Notice notice, const Question&) { notices.push_back(notice); });
  }
  void crash() {
    desk.reset();
    queue.clear();
    kept.batches.clear();
    start();
    desk->restore(kept.load(now, 120'000)->questions, now);
  }
  // Lets the store and the desk come to rest.
  void settle(bool working = true) {
    do queue.run();
    while (kept.answer_one(working));
  }
  Result<Ticket> ask(Question question) {
    return desk->ask(std::move(question), now, [this](const Question& heard) {
      told.push_back(std::string(state_name(heard.state)) + " " + heard.settlement.by);
    });
  }
  Ticket asked(Question question) {
    const Result<Ticket> ticket = ask(std::move(question));
    EXPECT_TRUE(ticket);
    settle();
    return ticket.value_or(Ticket{});
  }
  void answer(const std::string& id, AnswerRequest request, const Principal& by) {
    desk->answer(id, std::move(request), by, now, [this](const Result<Question>& result) {
      answers.push_back(result ? std::string(state_name(result->state)) : result.error().code);
    });
  }
  void answered(const std::string& id, AnswerRequest request, const Principal& by) {
    answer(id, std::move(request), by);
    settle();
  }
  std::string state(const std::string& id) {
    const auto found = desk->find(id);
    return found ? std::string(state_name(found->state)) : "none";
  }
  using Texts = std::vector<std::string>;

  Millis now = kStart;
  ScriptedStore kept;
  PostQueue queue;
  std::optional<std::vector<std::string>> makers = std::vector<std::string>{"olga"};
  std::function<std::optional<Question>(const Question&, Millis)> timeout;
  std::vector<std::string> keyholders;
  std::unique_ptr<Desk> desk;
  Texts told, answers;
  std::vector<Notice> notices;
};

}  // namespace tollgate::approvals
