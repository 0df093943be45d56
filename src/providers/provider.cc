#include "providers/provider.h"

#include <algorithm>

#include "os/paths.h"
#include "providers/clients.h"

namespace tollgate::providers {
namespace {

constexpr std::string_view kClaude[] = {"claude"};
constexpr std::string_view kCodex[] = {"codex"};
constexpr std::string_view kCopilot[] = {"copilot"};
constexpr std::string_view kCursor[] = {"cursor-agent", "cursor"};
constexpr std::string_view kGemini[] = {"gemini"};
constexpr std::string_view kKimi[] = {"kimi"};
constexpr std::string_view kKiro[] = {"kiro-cli"};
constexpr std::string_view kOpencode[] = {"opencode"};
constexpr std::string_view kQ[] = {"q"};

constexpr Provider kProviders[] = {
    {"claude", "Claude Code", kClaude, claude_targets,
     "a repository can switch hooks off; start it with `--setting-sources user "
     "--permission-mode default` where you do not trust the repository"},
    {"codex", "Codex", kCodex, codex_targets,
     "the hook is trusted by its hash; after a change to it in config.toml install again"},
    {"copilot", "Copilot CLI", kCopilot, copilot_targets,
     "do not start it with `--allow-all-tools`: then a hook that fails lets the call run"},
    {"cursor", "Cursor", kCursor, cursor_targets,
     "edits by Cursor itself have no hook; only commands, MCP tools and reads are judged"},
    {"gemini", "Gemini CLI", kGemini, gemini_targets,
     "do not start it with `--yolo`: then a hook that fails lets the call run"},
    {"kimi", "Kimi", kKimi, kimi_targets, "a hook can only forbid; Kimi still asks by itself"},
    {"kiro", "Kiro CLI", kKiro, kiro_targets,
     "the built-in agent has no hook: start it with an agent of your own, or with `--agent "
     "tollgate` where there was none"},
    {"opencode", "opencode", kOpencode, opencode_targets,
     "the plugin is read when opencode starts"},
    {"q", "Amazon Q", kQ, q_targets,
     "the built-in agent has no hook: start it with an agent of your own, or with `--agent "
     "tollgate` where there was none"},
};

}  // namespace

std::span<const Provider> providers() { return kProviders; }

const Provider* provider_named(std::string_view name) {
  const auto* found = std::ranges::find(kProviders, name, &Provider::name);
  return found == std::end(kProviders) ? nullptr : found;
}

std::unexpected<Error> no_such_scope(std::string_view title, std::string_view why) {
  return Fail({.code = "bad-usage",
               .message = std::string(title) + " has no hooks of that kind",
               .hint = "use `--user`: " + std::string(why),
               .where = {}});
}

std::string directory_from(const Scene& scene, std::string_view variable,
                           const std::string& otherwise) {
  const auto named = scene.environment.get_filled(variable);
  return named && named->starts_with('/') ? os::absolute(*named, "/") : otherwise;
}

}  // namespace tollgate::providers
