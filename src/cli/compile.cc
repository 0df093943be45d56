// `tollgate compile`: reads the configuration and writes its snapshot, so that hooks start fast.
// eval does the same by itself; this one says where the snapshot is and why there is none.
// With --client, --style env or --preset it translates the policy instead: compile_native.cc.
#include <array>

#include "cli/commands.h"
#include "cli/compile_native.h"
#include "cli/local_gate.h"
#include "config/live_policy.h"
#include "config/snapshot.h"
#include "effects/effects.h"
#include "explain/layout.h"
#include "json/json.h"
#include "os/files.h"
#include "os/user.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 9> kOptions = {{
    kGateOptions[0],
    kGateOptions[1],
    kGateOptions[3],
    {"client", "CLIENT", "translate the policy into this client's own flags and files"},
    {"out", "DIR", "write the client's files there"},
    {"style", "STYLE", "comma: lists in one argument; env: AGENTIC_* variables"},
    {"preset", "PRESET", "the policy of a preset instead of the configuration"},
    {"with-hook", "", "the client's hook is registered: let through what it judges"},
    {"json", "", "all of it as JSON"},
}};

Error no_place(std::string message, std::string hint) {
  return {
      .code = "bad-snapshot", .message = std::move(message), .hint = std::move(hint), .where = {}};
}

int say(const std::string& file, const Policy& policy, const Arguments& arguments,
        Context& context) {
  const Result<os::Stamp> stamp = os::stamp_of(file);
  if (!stamp) return complain(context, stamp.error());
  if (arguments.has("json")) {
    const auto number = [](std::uint64_t value) {
      return json::Value::integer(static_cast<std::int64_t>(value));
    };
    context.console.out(json::write(json::Value::object({{"file", json::Value::string(file)},
                                                         {"bytes", number(stamp->size)},
                                                         {"rules", number(policy.rule_count())}})) +
                        "\n");
    return kDone;
  }
  context.console.out(visible(file) + ": " + std::to_string(stamp->size) + " bytes, " +
                      std::to_string(policy.rule_count()) + " rules, built-in ones included\n");
  return kDone;
}

}  // namespace

const Shape kCompileShape = {
    .usage =
        "[--config FILE] [--agent NAME] [--cwd DIR]\n"
        "--client CLIENT [--agent NAME | --preset PRESET] [--out DIR] [--style comma]\n"
        "--style env [--agent NAME]\n"
        "--preset PRESET",
    .about =
        "Compiles the configuration of a directory into a snapshot that starts without reading\n"
        "YAML, and says where it lies. The snapshot is used only while every file it was made\n"
        "from is what it was.\n\n"
        "With --client it says the agent's policy in the client's own words instead, and for each\n"
        "rule who holds it: the client itself (native), the gate when the client asks it (hook),\n"
        "the client's sandbox, or nobody. A client is given leave to run only what the gate\n"
        "allows whatever the input is. Clients: claude codex codex-prompt gemini copilot opencode\n"
        "kiro q kimi grok cursor antigravity. With --style env, and for a\n"
        "preset without a client, it says what AGENTIC_* variables can say.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 0,
    .examples =
        "tollgate compile\n"
        "tollgate compile --config team.yaml --json\n"
        "tollgate compile --client claude --agent backend --out ~/.config/tollgate/claude\n"
        "tollgate compile --client gemini --with-hook --out policy\n"
        "tollgate compile --preset read-only > workspace.env",
};

int run_compile(const Arguments& arguments, Context& context) {
  if (wants_native(arguments)) return run_compile_native(arguments, context);
  Result<config::LoadOptions> options = load_options_of(arguments, context);
  if (!options) return complain(context, options.error());
  if (!config::may_use_snapshot(*options))
    return complain(context, no_place("the managed configuration belongs to another user",
                                      "it is read anew each time; a snapshot would not count"));
  const std::string file = config::snapshot_file(*options, config::load_key(*options));
  if (file.empty()) return complain(context, no_place("there is no home directory", "set HOME"));
  const config::Loaded loaded = config::load(*options);
  if (loaded.set.broken) {
    for (const Diagnostic& each : loaded.diagnostics)
      context.console.err(render(near_path(each, os::current_directory().value_or(""))));
    return kFailed;
  }
  const Policy policy = compile(loaded.set);
  const Result<void> written =
      config::write_snapshot(file, policy, loaded.sources, config::load_key(*options));
  if (!written) return complain(context, written.error());
  return say(file, policy, arguments, context);
}

}  // namespace tollgate::cli
