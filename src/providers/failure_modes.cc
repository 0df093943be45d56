#include "providers/failure_modes.h"

#include <algorithm>
#include <charconv>

#include "providers/install.h"
#include "providers/json_text.h"
#include "providers/toml_hooks.h"

namespace tollgate::providers {
namespace {

using json::Value;

struct ClientRow {
  std::string_view client;
  // What is left when the shell around the hook is killed, or a plugin is not read.
  std::string_view shell_killed;
  // What else no registration can close; "" for nothing.
  std::string_view besides, how;
};

constexpr ClientRow kRows[] = {
    {"claude", "start it with `--permission-mode default`: then its own question comes instead",
     "a repository's settings can switch hooks off (disableAllHooks) and loosen the mode "
     "(defaultMode)",
     "start it with `--setting-sources user --permission-mode default` where you do not trust the "
     "repository"},
    {"codex", "keep its sandbox read-only, or forbid by rules: then the command still cannot write",
     "`--dangerously-bypass-approvals-and-sandbox` and a changed hook are the user's to avoid",
     "start it with `--sandbox read-only` or `workspace-write`"},
    {"copilot", "start it without `--allow-all-tools`: then it refuses what nobody allowed", "",
     ""},
    {"cursor", "not known; keep its own approval on", "edits by the program itself have no hook",
     "keep its own approval of edits on"},
    {"gemini", "start it in its default mode: then tools that write are not there without a person",
     "", ""},
    {"kimi", "its own question comes instead, unless it runs with `--yolo`", "", ""},
    {"kiro", "start it without `--trust-all-tools`: then its own question comes instead",
     "the built-in agent has no hook", "start it with `--agent` and an agent that has one"},
    {"opencode",
     "set `\"permission\": {\"*\": \"ask\"}` in its configuration: then its own question comes "
     "instead",
     "", ""},
    {"q", "start it without `--trust-all-tools`: then its own question comes instead",
     "the built-in agent has no hook", "start it with `--agent` and an agent that has one"},
};

// The hook answers two seconds before the time it was told.
bool answers_in_time(const Registered& entry) {
  const std::string text =
      option_of(hook_words(entry.command).value_or(std::vector<std::string>()), "--timeout");
  int seconds = 0;
  std::from_chars(text.data(), text.data() + text.size(), seconds);
  return seconds > 0 && (entry.seconds == 0 || seconds <= entry.seconds);
}

std::string again(std::string_view client) {
  return "run `tollgate install " + std::string(client) + "` again";
}

const Value* at(const Value& root, std::initializer_list<std::string_view> path) {
  const Value* found = &root;
  for (const std::string_view key : path) {
    if (found == nullptr) return nullptr;
    found = found->find(key);
  }
  return found;
}

bool is_bool(const Value* value, bool wanted) {
  return value != nullptr && value->kind() == json::Kind::kBool && value->as_bool() == wanted;
}

// Variables by which a hook, or the shell around it, does other than it was registered to.
bool turns_hooks(std::string_view variable) {
  constexpr std::string_view kNames[] = {"HOME",        "PATH",      "TMPDIR",   "ENV",
                                         "BASHOPTS",    "SHELLOPTS", "SHELL",    "PAGER",
                                         "BUN_OPTIONS", "EDITOR",    "LESSOPEN", "LESSCLOSE"};
  constexpr std::string_view kStarts[] = {"LD_",    "BASH_", "CLAUDE_", "ANTHROPIC_",
                                          "GLIBC_", "XDG_",  "GIT_",    "PYTHON",
                                          "PERL",   "RUBY",  "NODE_"};
  const auto begins = [&](std::string_view start) { return variable.starts_with(start); };
  return std::ranges::find(kNames, variable) != std::end(kNames) ||
         std::ranges::any_of(kStarts, begins);
}

// What a repository's settings bring along that the gate never sees.
void look_at_strangers(const Value& settings, const std::string& file, const std::string& how,
                       std::vector<Check>& out) {
  if (const Value* variables = settings.find("env"))
    for (const auto& [name, value] : variables->members())
      if (turns_hooks(name))
        out.push_back(
            {State::kOpen, "`" + file + "` sets " + name + " for the client's hooks", how});
  const Value* hooks = settings.find("hooks");
  if (hooks == nullptr) return;
  for (const auto& [event, groups] : hooks->members())
    for (const Value& group : groups.items()) {
      const Value* commands = group.find("hooks");
      if (commands == nullptr) continue;
      const auto is_strange = [](const Value& hook) {
        const Value* command = hook.find("command");
        return command == nullptr || !is_ours(command->as_string());
      };
      if (std::ranges::none_of(commands->items(), is_strange)) continue;
      out.push_back({State::kOpen,
                     "`" + file + "` has a hook of its own (" + event +
                         "), which runs unjudged and can change calls after they were judged",
                     how});
      break;
    }
}

void look_at_claude(const std::string& file, bool users, std::vector<Check>& out) {
  const Result<std::string> text = text_of(file);
  if (text && text->empty()) return;
  const std::string how = users
                              ? "take it out of `" + file + "`"
                              : "start it with `--setting-sources user --permission-mode default`";
  const Result<JsonText> document =
      text ? read_json(*text, file, JsonForm::kPlain) : Result<JsonText>(Fail(text.error()));
  if (!document) {
    out.push_back({State::kOpen, "`" + file + "` cannot be read: " + document.error().message,
                   users ? "correct it" : how});
    return;
  }
  if (!users) look_at_strangers(document->value, file, how, out);
  if (is_bool(document->value.find("disableAllHooks"), true))
    out.push_back({State::kOpen, "`" + file + "` switches every hook off (disableAllHooks)", how});
  const Value* mode = at(document->value, {"permissions", "defaultMode"});
  const std::string word = mode == nullptr ? "" : mode->as_string();
  if (word == "acceptEdits" || word == "bypassPermissions" || word == "auto")
    out.push_back({State::kOpen,
                   "`" + file + "` sets the mode " + word +
                       ", in which calls run unasked when the "
                       "hook fails",
                   how});
}

void look_at_gemini(const std::string& file, std::vector<Check>& out) {
  const Result<std::string> text = text_of(file);
  if (!text || text->empty()) return;
  const Result<JsonText> document = read_json(*text, file, JsonForm::kWithComments);
  if (!document) return;
  if (is_bool(at(document->value, {"hooksConfig", "enabled"}), false) ||
      is_bool(at(document->value, {"hooks", "enabled"}), false))
    out.push_back({State::kOpen, "`" + file + "` switches hooks off", "take it out there"});
}

void look_at_codex(const std::string& file, std::vector<Check>& out) {
  const Result<std::string> text = text_of(file);
  if (!text) return;
  const Result<TomlText> document = read_toml(*text, file);
  if (!document) return;
  for (const TomlStatement& each : document->statements) {
    if (each.kind != TomlKind::kPair || each.text != "false") continue;
    const std::vector<std::string> path = full_path(*document, each);
    if (path == std::vector<std::string>{"features", "hooks"} ||
        path == std::vector<std::string>{"features", "codex_hooks"})
      out.push_back({State::kOpen, "`" + file + "` switches hooks off", "take it out there"});
  }
}

}  // namespace

std::vector<Check> failure_modes(std::string_view client, std::span<const Registered> entries) {
  std::vector<Check> out;
  const bool timely = std::ranges::all_of(entries, answers_in_time);
  out.push_back({timely ? State::kClosed : State::kOpen, "the hook takes too long",
                 timely ? "" : again(client)});
  const auto* row = std::ranges::find(kRows, client, &ClientRow::client);
  if (row == std::end(kRows)) return out;
  const bool plugin = client == "opencode";
  out.push_back(
      {State::kUnclosed,
       plugin ? "the plugin is taken away or not read" : "the shell around the hook is killed",
       std::string(row->shell_killed)});
  if (!row->besides.empty())
    out.push_back({State::kUnclosed, std::string(row->besides), std::string(row->how)});
  return out;
}

std::vector<Check> switched_off(std::string_view client, const Scene& scene) {
  std::vector<Check> out;
  if (client == "claude") {
    const std::string own = directory_from(scene, "CLAUDE_CONFIG_DIR", scene.home + "/.claude");
    look_at_claude(own + "/settings.json", true, out);
    if (scene.project != scene.home)
      for (const std::string_view name : {"settings.json", "settings.local.json"})
        look_at_claude(scene.project + "/.claude/" + std::string(name), false, out);
  }
  if (client == "gemini") {
    look_at_gemini(scene.home + "/.gemini/settings.json", out);
    if (scene.project != scene.home) look_at_gemini(scene.project + "/.gemini/settings.json", out);
  }
  if (client == "codex") {
    const std::string own = directory_from(scene, "CODEX_HOME", scene.home + "/.codex");
    look_at_codex(own + "/config.toml", out);
    if (scene.project != scene.home) look_at_codex(scene.project + "/.codex/config.toml", out);
  }
  return out;
}

}  // namespace tollgate::providers
