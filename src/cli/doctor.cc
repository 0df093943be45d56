// `tollgate doctor`: looks at every client of this user and says what is open and what is closed.
// The hook is tried as it is registered; the policy is loaded as the hook would load it.
// SAFETY: what is open and could be closed makes the exit status 1.
#include "providers/doctor.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/local_gate.h"
#include "cli/registration.h"
#include "config/loader.h"
#include "explain/layout.h"
#include "json/json.h"
#include "os/files.h"
#include "providers/claims.h"

namespace tollgate::cli {
namespace {

using json::Value;
using providers::Check;
using providers::ClientReport;
using providers::NamedPolicy;
using providers::State;

constexpr std::array<Option, 1> kOptions = {{
    {"json", "", "the whole report as JSON"},
}};

// A policy that some hook names, and what there is to say about it.
struct PolicyReport {
  NamedPolicy named;
  std::vector<Check> checks;
};

struct Report {
  std::vector<ClientReport> clients;  // those that are here
  std::vector<PolicyReport> policies;

  bool is_open() const {
    const auto open = [](const auto& each) {
      return std::ranges::find(each.checks, State::kOpen, &Check::state) != each.checks.end();
    };
    return std::ranges::any_of(clients, open) || std::ranges::any_of(policies, open);
  }
};

// Loads it without the client's environment, as the hook does.
Check loads(const NamedPolicy& named, const std::string& cwd, const Context& context) {
  static const os::Environment kNone;
  config::LoadOptions options;
  options.config_file = named.config;
  options.agent = named.agent;
  options.data_dir = named.data;
  options.cwd = cwd;
  options.managed_file = context.managed_file;
  options.environment = named.config.empty() ? &context.environment : &kNone;
  const config::Loaded loaded = config::load(options);
  if (!loaded.set.broken)
    return {State::kClosed,
            "the policy loads, " + std::to_string(loaded.set.rules.size()) + " rules", ""};
  const auto error = std::ranges::find(loaded.diagnostics, Severity::kError, &Diagnostic::severity);
  const std::string message = error == loaded.diagnostics.end()
                                  ? "no reason was given"
                                  : place_name(error->error.where) + ": " + error->error.message;
  return {State::kOpen, "the policy does not load, so that every call is denied: " + message,
          "run `tollgate check " + named.config + "`"};
}

PolicyReport report_on(const NamedPolicy& named, const std::string& cwd, const Context& context) {
  PolicyReport report{named, {loads(named, cwd, context)}};
  if (named.config.empty()) return report;
  for (Check& each : providers::examine_policy_file(named.config, cwd))
    report.checks.push_back(std::move(each));
  return report;
}

Report examine_all(const providers::Surroundings& surroundings, const Context& context) {
  Report report;
  std::vector<NamedPolicy> named;
  for (const providers::Provider& client : providers::providers()) {
    ClientReport each = providers::examine(client, surroundings);
    if (!each.is_present()) continue;
    for (const NamedPolicy& policy : each.policies)
      if (std::ranges::find(named, policy) == named.end()) named.push_back(policy);
    report.clients.push_back(std::move(each));
  }
  for (const NamedPolicy& each : named)
    report.policies.push_back(report_on(each, surroundings.scene.project, context));
  return report;
}

Value text(const std::string& value) { return Value::string(value); }

Value checks_value(const std::vector<Check>& checks) {
  Value out = Value::array();
  for (const Check& each : checks) {
    Value check = Value::object(
        {{"state", text(std::string(providers::name(each.state)))}, {"what", text(each.what)}});
    if (!each.how.empty()) check.set("how", text(each.how));
    out.push(std::move(check));
  }
  return out;
}

Value client_value(const ClientReport& report) {
  Value places = Value::array();
  for (const providers::Place& place : report.places)
    for (const providers::Registered& entry : place.entries)
      places.push(Value::object({{"file", text(place.file)},
                                 {"event", text(entry.event)},
                                 {"command", text(entry.command)}}));
  return Value::object({{"client", text(report.client)},
                        {"program", text(report.program)},
                        {"version", text(report.version)},
                        {"registered", std::move(places)},
                        {"checks", checks_value(report.checks)}});
}

// Of the gate itself, whatever the settings are.
std::vector<Check> unheld_checks() {
  std::vector<Check> checks;
  for (const providers::Unheld& each : providers::unheld())
    checks.push_back({State::kUnclosed, std::string(each.attack), std::string(each.needs)});
  return checks;
}

Value value_of(const Report& report) {
  Value clients = Value::array(), policies = Value::array();
  for (const ClientReport& each : report.clients) clients.push(client_value(each));
  for (const PolicyReport& each : report.policies)
    policies.push(Value::object({{"config", text(each.named.config)},
                                 {"agent", text(each.named.agent)},
                                 {"data", text(each.named.data)},
                                 {"checks", checks_value(each.checks)}}));
  return Value::object({{"clients", std::move(clients)},
                        {"policies", std::move(policies)},
                        {"unheld", checks_value(unheld_checks())},
                        {"open", Value::boolean(report.is_open())}});
}

std::string text_of_checks(const std::vector<Check>& checks) {
  std::string out;
  for (const Check& each : checks) {
    out += "  " + padded(std::string(providers::name(each.state)), 10) + visible(each.what) + "\n";
    if (!each.how.empty()) out += std::string(12, ' ') + visible(each.how) + "\n";
  }
  return out;
}

std::string text_of_client(const ClientReport& report) {
  std::string out = report.title + "  ";
  out += report.program.empty() ? "(not on PATH)"
                                : visible(report.version) + "  " + visible(report.program);
  out += "\n";
  for (const providers::Place& place : report.places) {
    std::vector<std::string> events;
    for (const providers::Registered& entry : place.entries) events.push_back(entry.event);
    out += "  hooks     " + visible(place.file) + ": " + visible(join(events, ", ")) + "\n";
  }
  return out + text_of_checks(report.checks);
}

std::string text_of(const Report& report) {
  std::string out;
  for (const ClientReport& each : report.clients) out += text_of_client(each) + "\n";
  for (const PolicyReport& each : report.policies) {
    out += "policy " + visible(each.named.config.empty() ? "of the user" : each.named.config);
    if (!each.named.agent.empty()) out += ", agent " + visible(each.named.agent);
    out += "\n" + text_of_checks(each.checks) + "\n";
  }
  if (report.clients.empty()) return "no client is installed here\n";
  out += "an agent that runs code of its own as you, outside a sandbox, can\n" +
         text_of_checks(unheld_checks()) + "\n";
  return out + (report.is_open() ? "something is open that could be closed\n"
                                 : "nothing is open that could be closed\n");
}

}  // namespace

const Shape kDoctorShape = {
    .usage = "[--json]",
    .about =
        "Finds the clients of this user, tries their hooks as they are registered (a harmless\n"
        "call, one that must be denied, one that is no call), loads the policy that they name,\n"
        "and says what is closed, what is open, and what no setting can close. The probes are\n"
        "recorded like any call. Exit status 1 when something is open that could be closed.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 0,
    .examples =
        "tollgate doctor\n"
        "tollgate doctor --json | jq '.clients[].checks[] | select(.state == \"open\")'",
};

int run_doctor(const Arguments& arguments, Context& context) {
  Result<providers::Scene> scene = scene_of(arguments, context);
  if (!scene) return complain(context, scene.error());
  const providers::Surroundings surroundings{
      .scene = *scene,
      .search_path = context.environment.get("PATH").value_or(""),
      .data_dir = data_dir_of(arguments, context).value_or(""),
      .hook = hook_program(context).value_or(""),
      .run = [](std::span<const std::string> words, std::string_view input, int milliseconds) {
        return os::run_program(words, input, {.milliseconds = milliseconds});
      }};
  const Report report = examine_all(surroundings, context);
  context.console.out(arguments.has("json") ? json::write(value_of(report)) + "\n"
                                            : text_of(report));
  return report.is_open() ? kFailed : kDone;
}

}  // namespace tollgate::cli
