// A policy ready to judge by: one flat, relocatable block of bytes with its index.
// The same block is what the compiled snapshot holds, so a snapshot and the YAML it came from
// cannot judge differently. Immutable; share it between threads freely, but for one that is checked
// as it is read: that is for one thread.
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

// When the records of a compiled policy are checked: all of them before the first use, or each one
// when it is read, for a process that reads few. What is wrong then makes the policy broken.
enum class PolicyCheck : std::uint8_t { kWhole, kAsRead };

class Policy {
 public:
  // A policy that denies everything: what a default-made one must do.
  Policy();

  // From bytes that somebody else keeps alive through `owner` (a mapped file). Every offset is
  // checked before its first use. Error: bad-snapshot.
  static Result<Policy> open(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                             PolicyCheck check = PolicyCheck::kWhole);

  std::span<const std::byte> bytes() const { return bytes_; }
  std::size_t rule_count() const;
  bool needs_walk() const;  // a deny or ask rule can only be judged by looking below directories

  const std::vector<AgentPolicy>& agents() const& { return agents_; }
  const std::vector<ToolDeclaration>& tools() const& { return tools_; }
  const AgentPolicy* agent(std::string_view name) const&;  // nothing when there is none
  // Why nothing may be allowed by it. May come while it is read, where it is checked only then.
  const std::optional<Error>& broken() const& { return broken_; }
  PolicyCheck checked() const { return checked_; }
  void note_damage() const;
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
  mutable std::optional<Error> broken_;
  PolicyCheck checked_ = PolicyCheck::kWhole;
};

// REQUIRES: at most kMaxRules rules.
Policy compile(const PolicySet& set);

}  // namespace tollgate
