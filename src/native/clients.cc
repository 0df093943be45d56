// The table of clients. To add one: a file, a row, golden files in tests/golden/native.
#include <algorithm>

#include "native/client.h"
#include "native/makers.h"

namespace tollgate::native {
namespace {

constexpr Client kClients[] = {
    {"claude", "claude", "claude", "flags, settings.json and the prompt tool", compile_claude},
    {"codex", "codex", "codex", "sandbox and rules that forbid or prompt", compile_codex},
    {"codex-prompt", "codex", "codex", "a text for the model", compile_codex_prompt},
    {"gemini", "gemini", "gemini", "a policy file", compile_gemini},
    {"copilot", "copilot", "copilot", "flags", compile_copilot},
    {"opencode", "opencode", "opencode", "a permission map", compile_opencode},
    {"kiro", "kiro", "kiro-cli", "an agent file, and permissions.yaml for version 3", compile_kiro},
    {"q", "q", "q", "an agent file", compile_q},
    {"kimi", "kimi", "kimi", "an agent file, and a text for the model", compile_kimi},
    {"grok", "grok", "grok", "flags", compile_grok},
    {"cursor", "cursor", "cursor-agent", "a permissions file", compile_cursor},
    {"antigravity", "antigravity", "agy", "a text for the model", compile_antigravity},
};

// What the hook would hold is held by nobody where there is none.
void without_hook(Compiled& compiled) {
  bool any = false;
  for (RuleLine& line : compiled.rules) {
    if (line.holder != Holder::kHook) continue;
    const bool allow = line.list == "allow";
    line.holder = allow ? Holder::kWithheld : Holder::kNone;
    line.note = allow ? "the client asks, or refuses" : "the hook would: " + line.note;
    any = any || !allow;
  }
  if (any)
    compiled.warnings.emplace_back(
        "without its hook this client holds only a part of the policy; register it, and add "
        "--with-hook here");
}

constexpr std::string_view kHolderNames[] = {"native", "sandbox", "hook", "withheld",
                                             "not enforced"};
constexpr std::string_view kStandingNames[] = {"denied", "judged", "open"};

}  // namespace

std::string_view name(Holder holder) { return kHolderNames[static_cast<std::size_t>(holder)]; }
std::string_view name(Strength strength) { return strength == Strength::kHard ? "hard" : "soft"; }
std::string_view name(Standing standing) {
  return kStandingNames[static_cast<std::size_t>(standing)];
}

std::span<const Client> clients() { return kClients; }

const Client* client_named(std::string_view name) {
  const auto* found = std::ranges::find(kClients, name, &Client::name);
  return found == std::end(kClients) ? nullptr : found;
}

Result<Compiled> compile(const Client& client, const Request& request) {
  Result<Compiled> compiled = client.compile(client, request);
  if (compiled && request.hook == Hook::kNone && !compiled->asks_gate) without_hook(*compiled);
  return compiled;
}

Compiled begin(const Client& client, const Plan& plan) {
  Compiled out;
  out.client = client.name;
  out.agent = plan.agent().name;
  out.tools = plan.tools();
  out.tools.insert(out.tools.end(), plan.servers().begin(), plan.servers().end());
  out.tools.insert(out.tools.end(), plan.mcp_tools().begin(), plan.mcp_tools().end());
  return out;
}

std::string in_directory(const Request& request, std::string_view file) {
  if (request.directory.empty()) return std::string(file);
  return request.directory + "/" + std::string(file);
}

}  // namespace tollgate::native
