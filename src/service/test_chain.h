// Chains of sessions as tests write them, a call of theirs, and answers to it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/approver.h"
#include "service/level.h"

namespace tollgate {

struct Says {
  std::string agent;
  std::vector<std::string> allow = {}, ask = {}, deny = {};
  Answerer answer = Answerer::kAsk;
  bool delegated = false;
};

inline std::shared_ptr<const Policy> policy_of(const Says& says) {
  PolicySet set = built_in_policy();
  AgentPolicy agent = set.agents.at(0);
  agent.name = says.agent;
  agent.answer.value = says.answer;
  if (says.agent.empty())
    set.agents[0] = agent;
  else
    set.agents.push_back(agent);
  const auto add = [&](Verdict list, const std::vector<std::string>& rules) {
    for (const std::string& text : rules) {
      Result<Rule> rule = parse_rule(list, text, {});
      EXPECT_TRUE(rule) << text;
      if (rule) set.rules.push_back(*rule);
    }
  };
  add(Verdict::kAllow, says.allow);
  add(Verdict::kAsk, says.ask);
  add(Verdict::kDeny, says.deny);
  return std::make_shared<const Policy>(compile(set));
}

inline Level level_of(const Says& says) {
  Level level{.session = "s-" + says.agent,
              .agent = says.agent,
              .policy = policy_of(says),
              .options = {.plan = {.base = "/w", .home = "/home/u"}},
              .delegated = says.delegated};
  return level;
}

inline std::vector<Level> chain_of(const std::vector<Says>& all) {
  std::vector<Level> levels;
  for (const Says& says : all) levels.push_back(level_of(says));
  return levels;
}

inline ToolCall write_to(std::string path) {
  ToolCall call;
  call.tool = call.native_tool = "Write";
  call.cwd = "/w";
  call.input = json::Value::object({{"file_path", json::Value::string(std::move(path))},
                                    {"content", json::Value::string("text")}});
  return call;
}

inline Answer yes() {
  Answer answer;
  answer.decision.verdict = Verdict::kAllow;
  answer.decision.reasons = {{.kind = ReasonKind::kAnswerer,
                              .verdict = Verdict::kAllow,
                              .rule = "",
                              .source = "",
                              .text = "a person answered",
                              .span = {}}};
  return answer;
}

inline Answer no() {
  Answer answer = yes();
  answer.decision.verdict = answer.decision.reasons[0].verdict = Verdict::kDeny;
  return answer;
}

// NOLINTNEXTLINE(cert-err58-cpp)
inline const std::vector<std::string> kWrite = {"Write(/**)"};

inline std::shared_ptr<const Policy> with_quorum(Quorum quorum, std::string agent) {
  PolicySet set = built_in_policy();
  set.agents.push_back(set.agents[0]);
  set.agents.back().name = std::move(agent);
  Result<Rule> rule = parse_rule(Verdict::kAsk, "Write", {});
  EXPECT_TRUE(rule);
  rule->approve = {std::move(quorum)};
  set.rules.push_back(*rule);
  return std::make_shared<const Policy>(compile(set));
}

}  // namespace tollgate
