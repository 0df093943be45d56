// Gathers what a session would bring: roots, home, temporary directories, the gate's own files.
// Roots and base are the call's directory, as `eval` promises.
#include "cli/local_gate.h"

#include <utility>

#include "base/edit_distance.h"
#include "base/text.h"
#include "config/layers.h"
#include "config/live_policy.h"
#include "config/trust.h"
#include "effects/effects.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/user.h"
#include "policy/policy_view.h"
#include "service/service.h"

namespace tollgate::cli {
namespace {

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

// Policy files, data and the program itself: what an agent may never change.
std::vector<std::string> gate_places(const config::LoadOptions& options, const Context& context,
                                     const std::string& home) {
  const bool named = !options.config_file.empty();
  const std::string user = config::user_file(context.environment, home);
  std::vector<std::string> places = {user, config::default_data_dir(context.environment, home),
                                     options.managed_file, context.program};
  const config::Files files = config::find_files({.managed_file = options.managed_file,
                                                  .user_file = named ? options.config_file : user,
                                                  .named = named,
                                                  .cwd = options.cwd,
                                                  .home = home,
                                                  .project_files = true});
  for (const config::ConfigFile& file : files.present) places.push_back(file.path);
  std::erase(places, "");
  return places;
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
  Result<std::string> cwd = absolute_here(arguments.get("cwd"));
  if (!cwd) return Fail(std::move(cwd).error());
  options.cwd = std::move(*cwd);
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

Result<LocalGate> LocalGate::open(const Arguments& arguments, Context& context, PolicyFrom from) {
  LocalGate gate;
  Result<std::optional<Mode>> mode = mode_of(arguments);
  if (!mode) return Fail(std::move(mode).error());
  gate.mode_ = *mode;
  Result<config::LoadOptions> loading = load_options_of(arguments, context);
  if (!loading) return Fail(std::move(loading).error());
  const config::LoadOptions& options = *loading;
  gate.cwd_ = options.cwd;
  gate.here_ = os::current_directory().value_or("");
  gate.agent_ = options.agent;
  const std::string home = os::home_directory(context.environment).value_or("");
  if (from == PolicyFrom::kSnapshotOrFiles) {
    config::LivePolicy live = config::live_policy(options);
    gate.policy_ = std::move(live.policy);
    gate.diagnostics_ = std::move(live.diagnostics);
  } else {
    config::Loaded loaded = config::load(options);
    gate.policy_ = compile(loaded.set);
    gate.diagnostics_ = std::move(loaded.diagnostics);
  }
  gate.plan_.walk = PolicyView(gate.policy_).walks();
  gate.plan_.home = home;
  gate.plan_.gate = gate_places(options, context, home);
  gate.plan_.search_path = context.environment.get("PATH").value_or("");
  if (const auto temporary = context.environment.get_filled("TMPDIR");
      temporary && temporary->starts_with('/'))
    gate.plan_.temporary.push_back(*temporary);
  return gate;
}

AuditRecord LocalGate::settle(ToolCall call, Detail detail, std::optional<Mode> mode) {
  if (call.cwd.empty()) call.cwd = cwd_;
  if (call.agent.empty()) call.agent = agent_;
  RealWorld world;
  NoLog log;
  LookPlan plan = plan_;
  plan.base = call.cwd;
  const DecideOptions decide{.detail = detail, .mode = mode ? mode : mode_, .layer = Layer::kGate};
  Service service({policy_, world, log, nullptr}, {.plan = std::move(plan), .decide = decide});
  return service.settle(call);
}

AuditRecord LocalGate::refuse(const Error& error) {
  RealWorld world;
  NoLog log;
  Service service({policy_, world, log, nullptr}, {});
  AuditRecord record;
  record.decision = service.refuse(error);
  return record;
}

}  // namespace tollgate::cli
