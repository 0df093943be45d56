// The starter files.
// Common beginning and end; what differs by preset is a row of the table.
// A test loads each of them.
#include "config/starter.h"

#include "base/edit_distance.h"
#include "config/names.h"

namespace tollgate::config {
namespace {

struct Starter {
  std::string_view preset;
  std::string_view purpose;
  std::string_view mode;
  std::string_view rules;
};

constexpr Starter kStarters[] = {
    {"read-only", "The agent may look at files and nothing else.", "default",
     "  allow: []\n"
     "  ask: []\n"
     "  deny:\n"
     "    - Read(**/secrets/**)\n"},
    {"development", "The agent may read, edit and run commands; what is not allowed below asks.",
     "default",
     "  allow:\n"
     "    - Bash(npm test *)\n"
     "    - Bash(make *)\n"
     "  ask:\n"
     "    - Bash(git push *)\n"
     "  deny:\n"
     "    - Bash(git push --force *)\n"},
    {"security-audit", "The agent may read and search; no shell, no edits, no network.", "plan",
     "  allow: []\n"
     "  ask: []\n"
     "  deny:\n"
     "    - Read(**/.env)\n"},
    {"full-access", "The agent may use every tool; rules below still hold.", "default",
     "  allow: []\n"
     "  ask:\n"
     "    - Bash(git push *)\n"
     "  deny:\n"
     "    - Bash(git push --force *)\n"},
};

}  // namespace

Result<std::string> starter_config(std::string_view preset) {
  for (const Starter& starter : kStarters) {
    if (starter.preset != preset) continue;
    std::string text = "# " + std::string(starter.purpose) + "\n";
    text += "version: 1\n\n";
    text += "# Built-in presets: read-only, development, security-audit, full-access.\n";
    text += "preset: " + std::string(preset) + "\n\n";
    text += "# From strict to loose: plan, dontAsk, default, acceptEdits, autonomous.\n";
    text += "mode: " + std::string(starter.mode) + "\n\n";
    text += "# The strictest match wins: deny beats ask, ask beats allow; order does not matter.\n";
    text += "# A rule is Tool or Tool(specifier); `tollgate explain` shows what it does.\n";
    text += "rules:\n" + std::string(starter.rules);
    return text;
  }
  return Fail({.code = "unknown-preset",
               .message = "unknown preset `" + std::string(preset) + "`",
               .hint = did_you_mean(preset, "presets", built_in_presets()),
               .where = {}});
}

}  // namespace tollgate::config
