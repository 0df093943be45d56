// A policy ready to judge by: one flat, relocatable block of bytes with its index.
// The same block is what the compiled snapshot holds, so a snapshot and the YAML it came from
// cannot judge differently. Immutable; share it between threads freely.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/policy_set.h"

namespace tollgate {

class Policy {
 public:
  // A policy that denies everything: what a default-made one must do.
  Policy();

  // From bytes that somebody else keeps alive through `owner` (a mapped file). Every offset is
  // checked before the first use. Error: bad-snapshot.
  static Result<Policy> open(std::span<const std::byte> bytes, std::shared_ptr<const void> owner);

  std::span<const std::byte> bytes() const { return bytes_; }
  std::size_t rule_count() const;
  bool needs_walk() const;  // a deny or ask rule can only be judged by looking below directories

  const std::vector<AgentPolicy>& agents() const& { return agents_; }
  const std::vector<ToolDeclaration>& tools() const& { return tools_; }
  const AgentPolicy* agent(std::string_view name) const&;  // nothing when there is none
  const std::optional<Error>& broken() const& { return broken_; }
  const std::vector<AgentPolicy>& agents() const&& = delete;
  const std::vector<ToolDeclaration>& tools() const&& = delete;
  const AgentPolicy* agent(std::string_view name) const&& = delete;
  const std::optional<Error>& broken() const&& = delete;

 private:
  struct Unopened {};
  explicit Policy(Unopened) {}

  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
  std::vector<AgentPolicy> agents_;
  std::vector<ToolDeclaration> tools_;
  std::optional<Error> broken_;
};

// REQUIRES: at most kMaxRules rules.
Policy compile(const PolicySet& set);

}  // namespace tollgate
