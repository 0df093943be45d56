// `tollgate hook`: what `tollgate-hook` does, in the program that can read the configuration.
// The words are read by the hook itself: from here on every mistake has to block the client.
#include <array>

#include "cli/commands.h"
#include "config/live_policy.h"
#include "effects/effects.h"
#include "hook/process.h"
#include "os/user.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 5> kOptions = {{
    {"config", "FILE", "judge by this configuration, an absolute path"},
    {"agent", "NAME", "judge as this agent of the configuration"},
    {"data", "DIR", "keep records and snapshots here, an absolute path"},
    {"timeout", "SECONDS", "when the client gives up; the answer comes two seconds before"},
    {"sync", "", "wait until the disk has the record"},
}};

}  // namespace

const Shape kHookShape = {
    .usage = "CLIENT [--config FILE] [--agent NAME] [--data DIR] [--timeout SECONDS] [--sync]",
    .about =
        "Judges one tool call of a client: the payload of its hook on standard input, the answer\n"
        "in the client's own words on standard output. Clients: claude, codex, copilot, cursor,\n"
        "gemini, generic, kimi, kiro, opencode, q. Whatever goes wrong blocks the call.\n"
        "`tollgate-hook` is the same as a small program that starts faster.",
    .options = kOptions,
    .least_words = 1,
    .most_words = 1,
    .examples =
        "tollgate hook claude < payload.json\n"
        "tollgate hook generic --config /etc/team.yaml --agent ci < call.json",
};

int run_hook(std::span<const std::string> words, Context& context) {
  const hook::Place place{.environment = context.environment,
                          .managed_file = context.managed_file,
                          .program = context.program};
  const std::string home = os::home_directory(context.environment).value_or("");
  const auto source = [&](const config::LoadOptions& given) -> std::optional<Policy> {
    config::LoadOptions options = given;
    options.read_effects = [home](const ToolCall& call, std::span<const ToolDeclaration> declared) {
      return effects_of(call, declared, home);
    };
    return std::move(config::live_policy(options).policy);
  };
  const auto otherwise = [](std::string_view) { return Error{}; };  // the source always has one
  return hook::run(words, place, source, otherwise);
}

}  // namespace tollgate::cli
