// Gathers what a session would bring: roots, home, temporary directories, the gate's own files.
// Roots and base are the call's directory, as `eval` promises; its project's files count as well.
#include "cli/local_gate.h"

#include <algorithm>
#include <utility>

#include "base/edit_distance.h"
#include "base/text.h"
#include "config/live_policy.h"
#include "config/own_places.h"
#include "config/trust.h"
#include "effects/effects.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/user.h"
#include "policy/policy_view.h"
#include "service/service.h"

namespace tollgate::cli {
namespace {

// LIMIT: a stream of calls may name any number of directories; so many are kept at once.
constexpr std::size_t kMostGrounds = 64;

class NoLog : public AuditLog {
 public:
  Result<void> append(const AuditRecord&) override { return {}; }
};

Result<std::optional<Mode>> mode_of(const Arguments& arguments) {
  if (!arguments.has("mode")) return std::nullopt;
  const std::string text = arguments.get("mode");
  if (const std::optional<Mode> mode = mode_named(text)) return mode;
  return Fail({.code = "unknown-mode",
               .message = "unknown mode `" + shortened(text) + "`",
               .hint = did_you_mean(text, "modes", mode_names()),
               .where = {}});
}

}  // namespace

Result<std::string> absolute_here(const std::string& path) {
  if (path.starts_with('/')) return os::absolute(path, "/");
  Result<std::string> here = os::current_directory();
  if (!here) return here;
  return os::absolute(path.empty() ? "." : path, *here);
}

Result<config::LoadOptions> load_options_of(const Arguments& arguments, const Context& context) {
  config::LoadOptions options;
  const std::string written = arguments.get("cwd");
  Result<std::string> cwd = absolute_here(written);
  if (!cwd) return Fail(std::move(cwd).error());
  options.cwd = std::move(*cwd);
  // After a link `..` leads to where the link's target lies, which only a look can tell.
  if (written.find("..") != std::string::npos) {
    const std::string from = written.starts_with('/') ? "" : os::current_directory().value_or("");
    const os::RealPath found = os::real_path(from + "/" + written);
    if (!found.path.empty()) options.cwd = found.path;
  }
  if (arguments.has("config")) {
    Result<std::string> file = absolute_here(arguments.get("config"));
    if (!file) return Fail(std::move(file).error());
    options.config_file = std::move(*file);
  }
  options.managed_file = context.managed_file;
  options.environment = &context.environment;
  // Without a home the loader reports the error, and the policy denies.
  const std::string home = os::home_directory(context.environment).value_or("");
  options.read_effects = [home](const ToolCall& call, std::span<const ToolDeclaration> declared) {
    return effects_of(call, declared, home);
  };
  options.agent = arguments.get("agent");
  options.allowed_tools = arguments.all("allowed-tools");
  options.has_allowed_tools = arguments.has("allowed-tools");
  options.yolo = arguments.has("yolo");
  return options;
}

Result<config::Settings> settings_of(const Arguments& arguments, const Context& context) {
  config::LoadOptions options;
  if (arguments.has("config")) {
    Result<std::string> file = absolute_here(arguments.get("config"));
    if (!file) return Fail(std::move(file).error());
    options.config_file = std::move(*file);
  }
  options.managed_file = context.managed_file;
  options.environment = &context.environment;
  options.project_files = false;
  config::Loaded loaded = config::load(options);
  for (const Diagnostic& each : loaded.diagnostics)
    if (each.severity == Severity::kError) return Fail(each.error);
  return std::move(loaded.settings);
}

Result<LocalGate> LocalGate::open(const Arguments& arguments, Context& context, PolicyFrom from) {
  LocalGate gate;
  Result<std::optional<Mode>> mode = mode_of(arguments);
  if (!mode) return Fail(std::move(mode).error());
  gate.mode_ = *mode;
  Result<config::LoadOptions> options = load_options_of(arguments, context);
  if (!options) return Fail(std::move(options).error());
  gate.context_ = &context;
  gate.options_ = std::move(*options);
  gate.from_ = from;
  gate.here_ = os::current_directory().value_or("");
  gate.own_ = gate.ground_at(gate.options_.cwd);
  return gate;
}

LocalGate::Ground LocalGate::ground_at(std::string cwd) const {
  Ground ground;
  config::LoadOptions options = options_;
  options.cwd = cwd;
  ground.cwd = std::move(cwd);
  if (from_ == PolicyFrom::kSnapshotOrFiles) {
    config::LivePolicy live = config::live_policy(options);
    ground.policy = std::move(live.policy);
    ground.diagnostics = std::move(live.diagnostics);
  } else {
    config::Loaded loaded = config::load(options);
    ground.policy = compile(loaded.set);
    ground.diagnostics = std::move(loaded.diagnostics);
  }
  const os::Environment& environment = context_->environment;
  ground.plan.walk = PolicyView(ground.policy).walks();
  ground.plan.home = os::home_directory(environment).value_or("");
  ground.plan.gate = config::own_places(options, ground.plan.home, context_->program);
  ground.plan.search_path = environment.get("PATH").value_or("");
  if (const auto temporary = environment.get_filled("TMPDIR");
      temporary && temporary->starts_with('/'))
    ground.plan.temporary.push_back(*temporary);
  return ground;
}

const LocalGate::Ground& LocalGate::ground_of(const std::string& cwd) {
  std::string place = os::absolute(cwd, options_.cwd);
  // After a link `..` leads to where the link's target lies, which only a look can tell.
  if (cwd.find("..") != std::string::npos)
    if (std::string found = os::real_path(cwd).path; !found.empty()) place = std::move(found);
  if (place == own_.cwd) return own_;
  const auto known = std::ranges::find(others_, place, &Ground::cwd);
  if (known != others_.end()) return *known;
  if (others_.size() == kMostGrounds) others_.erase(others_.begin());
  others_.push_back(ground_at(place));
  return others_.back();
}

AuditRecord LocalGate::settle(ToolCall call, Detail detail, std::optional<Mode> mode) {
  if (call.cwd.empty()) call.cwd = options_.cwd;
  if (call.agent.empty()) call.agent = options_.agent;
  const Ground& ground = ground_of(call.cwd);
  RealWorld world;
  NoLog log;
  LookPlan plan = ground.plan;
  plan.base = call.cwd;
  const DecideOptions decide{.detail = detail, .mode = mode ? mode : mode_, .layer = Layer::kGate};
  Service service({ground.policy, world, log, nullptr},
                  {.plan = std::move(plan), .decide = decide});
  return service.settle(call);
}

AuditRecord LocalGate::refuse(const Error& error) {
  RealWorld world;
  NoLog log;
  Service service({own_.policy, world, log, nullptr}, {});
  AuditRecord record;
  record.decision = service.refuse(error);
  return record;
}

}  // namespace tollgate::cli
