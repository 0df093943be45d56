// The gate as the command line has it: the configuration of this place, the world of this machine.
// eval and explain put their calls through the same Service as everything else.
// Nothing is recorded: a question about a call is not the call. The Context outlives the gate.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "config/loader.h"
#include "core/audit_log.h"
#include "gate/decide.h"
#include "policy/policy.h"
#include "service/world.h"

namespace tollgate::cli {

// The options that eval and explain share.
inline constexpr Option kGateOptions[] = {
    {"config", "FILE", "use this configuration instead of the user's"},
    {"agent", "NAME", "judge as this agent of the configuration"},
    {"mode", "MODE", "plan, dontAsk, default, acceptEdits or autonomous"},
    {"cwd", "DIR", "where the call happens; base and root of the workspace"},
    {"allowed-tools", "TOOL", "which tools the agent has; may be given more than once"},
    {"yolo", "", "every tool and mode autonomous; deny rules still hold"},
};

// Those, and what a command has besides.
template <class... More>
constexpr auto with_gate_options(const More&... more) {
  std::array<Option, std::size(kGateOptions) + sizeof...(More)> all{};
  std::size_t next = 0;
  for (const Option& option : kGateOptions) all[next++] = option;
  ((all[next++] = more), ...);
  return all;
}

// Which of the two places the policy may come from.
enum class PolicyFrom { kSnapshotOrFiles, kFiles };

class LocalGate {
 public:
  // Errors: bad-usage, unknown-mode, file-unreadable when there is no current directory.
  static Result<LocalGate> open(const Arguments& arguments, Context& context, PolicyFrom from);

  // Fills in agent and cwd where the call has none, and judges it.
  AuditRecord settle(ToolCall call, Detail detail, std::optional<Mode> mode = std::nullopt);
  // What is no call is denied.
  AuditRecord refuse(const Error& error);

  // Those of the directory that the options name.
  const Policy& policy() const& { return own_.policy; }
  const std::vector<Diagnostic>& diagnostics() const& { return own_.diagnostics; }
  const std::string& here() const& { return here_; }
  const std::optional<Mode>& mode() const& { return mode_; }

 private:
  // What holds for calls of one directory.
  struct Ground {
    std::string cwd;
    Policy policy;
    std::vector<Diagnostic> diagnostics;
    LookPlan plan;
  };

  Ground ground_at(std::string cwd) const;
  // Reads it when it is not known yet. Good until the next call.
  const Ground& ground_of(const std::string& cwd);

  const Context* context_ = nullptr;
  config::LoadOptions options_;
  PolicyFrom from_ = PolicyFrom::kFiles;
  Ground own_;
  std::vector<Ground> others_;  // of calls that name another directory, oldest first
  std::string here_;            // the current directory, for showing paths
  std::optional<Mode> mode_;
};

// How the configuration is loaded for these options.
Result<config::LoadOptions> load_options_of(const Arguments& arguments, const Context& context);

// What the user's and the managed file say to the daemon. Errors: theirs.
Result<config::Settings> settings_of(const Arguments& arguments, const Context& context);

// An absolute path for what was written in the current directory.
Result<std::string> absolute_here(const std::string& path);

}  // namespace tollgate::cli
