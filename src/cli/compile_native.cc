// Loads the policy, has it translated, writes the files and prints who holds what.
// The gate is asked about every command that would be allowed by its text.
// SAFETY: a broken configuration is not translated; nothing is written before all of it is made.
#include "cli/compile_native.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/edit_distance.h"
#include "base/path.h"
#include "base/text.h"
#include "cli/local_gate.h"
#include "explain/layout.h"
#include "json/json.h"
#include "native/agentic.h"
#include "native/client.h"
#include "native/report.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/user.h"

namespace tollgate::cli {
namespace {

Error bad_usage(std::string message, std::string hint) {
  return error_of("bad-usage", std::move(message), std::move(hint));
}

enum class Wanted { kEach, kComma, kEnvironment };

Result<Wanted> style_of(const Arguments& arguments) {
  const std::string text = arguments.get("style");
  // A preset without a client is for a container.
  if (text.empty() && arguments.has("preset") && !arguments.has("client"))
    return Wanted::kEnvironment;
  if (text.empty()) return Wanted::kEach;
  if (text == "comma") return Wanted::kComma;
  if (text == "env") return Wanted::kEnvironment;
  constexpr std::string_view kStyles[] = {"comma", "env"};
  return Fail(
      bad_usage("unknown style `" + shortened(text) + "`", did_you_mean(text, "styles", kStyles)));
}

Result<const native::Client*> client_of(const Arguments& arguments) {
  const std::string text = arguments.get("client");
  if (const native::Client* client = native::client_named(text)) return client;
  std::vector<std::string_view> names;
  for (const native::Client& client : native::clients()) names.push_back(client.name);
  if (text.empty())
    return Fail(bad_usage("no client is named", "add `--client claude`, or `--style env`"));
  return Fail(
      bad_usage("unknown client `" + shortened(text) + "`", did_you_mean(text, "clients", names)));
}

// The policy of a preset comes without anybody's files, and with the defaults of the block that
// presets were made for.
Result<config::LoadOptions> preset_options(const Arguments& arguments, const Context& context) {
  Result<config::LoadOptions> options = load_options_of(arguments, context);
  if (!options || !arguments.has("preset")) return options;
  for (const char* other : {"config", "agent"})
    if (arguments.has(other))
      return Fail(bad_usage("--preset and --" + std::string(other) + " do not go together",
                            "a preset is a policy of its own"));
  options->config_file = "--preset";
  options->config_text =
      "version: 1\npreset: " + json::quote(arguments.get("preset")) + "\nworkspace: {}\n";
  options->managed_file.clear();
  options->project_files = false;
  return options;
}

// What the gate says now; nobody is there to be asked.
native::Probe probe_of(LocalGate& gate, const std::string& command) {
  ToolCall call;
  call.tool = call.native_tool = "Bash";
  call.input = json::Value::object({{"command", json::Value::string(command)}});
  const AuditRecord record = gate.settle(std::move(call), Detail::kVerdict);
  native::Probe probe{record.decision.verdict, false};
  for (const Effect& effect : record.effects)
    probe.touches_paths =
        probe.touches_paths || (is_path_kind(effect.kind) && !is_repository(effect));
  return probe;
}

// Clients run on this machine: where the daemon listens at all addresses, they take loopback.
std::string address(const config::Settings& settings) {
  const std::string& host = settings.listen.host;
  const bool any = host == "0.0.0.0" || host == "::" || host == "[::]";
  return std::string(settings.tls ? "https" : "http") + "://" + (any ? "127.0.0.1" : host) + ":" +
         std::to_string(settings.listen.port);
}

const AgentPolicy* agent_in(const PolicySet& set, std::string_view name) {
  const auto found = std::ranges::find(set.agents, name, &AgentPolicy::name);
  return found == set.agents.end() ? nullptr : &*found;
}

Result<void> write_files(const std::string& directory, const native::Compiled& compiled) {
  for (const native::File& file : compiled.files) {
    const std::string path = directory + "/" + file.name;
    const std::string below(directory_name(path));
    if (Result<void> made = os::make_private_directory(below); !made) return made;
    // A link in the directory leads to where nobody asked to write.
    if (!is_inside(os::real_path(below).path, os::real_path(directory).path))
      return Fail(error_of("file-unwritable", "`" + visible(below) + "` leads out of `--out`",
                           "name a directory of your own, or remove the link"));
    if (Result<void> written = os::write_atomically(path, file.text); !written) return written;
  }
  return {};
}

int say_environment(const PolicySet& set, const AgentPolicy& agent, const Arguments& arguments,
                    Context& context) {
  const native::Agentic exported = native::agentic_export(set, agent);
  context.console.out(arguments.has("json") ? json::write(native::agentic_json(exported)) + "\n"
                                            : native::agentic_text(exported));
  if (!arguments.has("json"))
    for (const std::string& each : exported.left_out)
      context.console.err("warning: not carried: " + visible(each) + "\n");
  return kDone;
}

int say_client(const native::Client& client, const native::Request& request,
               const Arguments& arguments, Context& context) {
  const Result<native::Compiled> compiled = native::compile(client, request);
  if (!compiled) return complain(context, compiled.error());
  if (arguments.has("out"))
    if (Result<void> written = write_files(request.directory, *compiled); !written)
      return complain(context, written.error());
  if (arguments.has("json")) {
    context.console.out(json::write(native::report_json(*compiled)) + "\n");
    return kDone;
  }
  const std::string& command = request.agent.command;
  const std::string text = native::report_text(
      *compiled, command.empty() ? std::string(client.program) : command,
      arguments.has("out") ? native::ShowFiles::kNames : native::ShowFiles::kTexts);
  std::string shown;
  for (const std::string_view line : split(std::string_view(text).substr(0, text.size() - 1), '\n'))
    shown += visible(line) + "\n";
  context.console.out(shown);
  return kDone;
}

}  // namespace

bool wants_native(const Arguments& arguments) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"client", "style", "preset", "out", "with-hook"},
      [&](std::string_view option) { return arguments.has(option); });
}

int run_compile_native(const Arguments& arguments, Context& context) {
  const Result<Wanted> style = style_of(arguments);
  if (!style) return complain(context, style.error(), kUsedWrongly);
  const native::Client* client = nullptr;
  if (*style != Wanted::kEnvironment || arguments.has("client")) {
    const Result<const native::Client*> found = client_of(arguments);
    if (!found) return complain(context, found.error(), kUsedWrongly);
    client = *found;
  }
  const Result<config::LoadOptions> options = preset_options(arguments, context);
  if (!options) return complain(context, options.error(), kUsedWrongly);
  const config::Loaded loaded = config::load(*options);
  if (loaded.set.broken) {
    for (const Diagnostic& each : loaded.diagnostics)
      context.console.err(render(near_path(each, os::current_directory().value_or(""))));
    return kFailed;
  }
  const AgentPolicy* agent = agent_in(loaded.set, options->agent);
  if (agent == nullptr)
    return complain(context, bad_usage("there is no agent `" + options->agent + "`",
                                       "name one of the configuration"));
  if (*style == Wanted::kEnvironment)
    return say_environment(loaded.set, *agent, arguments, context);

  native::Request request{.set = loaded.set, .agent = *agent};
  request.root = agent->path.empty() ? options->cwd : agent->path;
  request.home = os::home_directory(context.environment).value_or("");
  request.gate = address(loaded.settings);
  request.style = *style == Wanted::kComma ? native::Style::kComma : native::Style::kEach;
  request.hook = arguments.has("with-hook") ? native::Hook::kRegistered : native::Hook::kNone;
  for (const config::AgentEntry& entry : loaded.settings.agents)
    if (entry.name == agent->name) request.servers = entry.servers;
  if (arguments.has("out")) {
    const Result<std::string> directory = absolute_here(arguments.get("out"));
    if (!directory) return complain(context, directory.error());
    request.directory = *directory;
  }
  std::optional<LocalGate> gate;
  if (!arguments.has("preset")) {
    Result<LocalGate> opened = LocalGate::open(arguments, context, PolicyFrom::kFiles);
    if (!opened) return complain(context, opened.error());
    gate.emplace(std::move(*opened));
    request.probe = [&gate](const std::string& command) { return probe_of(*gate, command); };
  }
  return say_client(*client, request, arguments, context);
}

}  // namespace tollgate::cli
