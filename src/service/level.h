// One session that a call must pass: its policy, its agent, its options. And the call judged there.
// A call of a session is judged at every level of its chain by this one function; the hook and the
// command line have chains of one.
// SAFETY: what is so is taken from the session that asks, what is permitted from the level.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/audit_log.h"
#include "gate/decide.h"
#include "policy/policy.h"
#include "service/world.h"

namespace tollgate {

struct ServiceOptions {
  LookPlan plan;
  DecideOptions decide;
};

struct Level {
  std::string session;
  std::string agent;                     // the session's, whatever a call says of itself
  std::shared_ptr<const Policy> policy;  // nothing: every call is denied
  ServiceOptions options;
  bool delegated = false;  // the user lets this session exceed the ones above it
  // The plan of every call that is judged here, as prepare() makes it; null: one is made for each.
  std::shared_ptr<const LookPlan> ready = {};
};

// From the session that asks to the top of its chain. Shared, so that a call can wait with it.
using Levels = std::shared_ptr<const std::vector<Level>>;

// For levels that judge many calls: makes their plans ready where those are the same for all.
// REQUIRES: the whole chain, which is not changed afterwards.
void prepare(std::vector<Level>& levels);

// Effects, look and decision of the call at this level; `asking` is the first level of its chain.
//
// The directory that the call happens in, the home that its shell calls `~` and the PATH that its
// programs are found on are facts, and the asking session's at every level. The base directory and
// the roots are part of what is permitted: a parent's `/src/**`, its acceptEdits and the operands
// that its rules cover mean the parent's own workspace. A child that was started elsewhere does not
// carry its parent's permissions there, and what the parent's rules forbid in the parent's roots
// stays forbidden. A level without a base of its own has the asking session's.
AuditRecord judge_at(const Level& level, const Level& asking, World& world, const ToolCall& call);

}  // namespace tollgate
