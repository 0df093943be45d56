// Kimi: [[hooks]] in config.toml. Both programs of that name have a directory of their own.
#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "os/files.h"
#include "providers/clients.h"
#include "providers/json_text.h"
#include "providers/toml_hooks.h"

namespace tollgate::providers {
namespace {

std::vector<std::size_t> ours_in(const TomlText& document) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < document.statements.size(); ++i) {
    const TomlStatement& each = document.statements[i];
    if (each.kind != TomlKind::kTables || each.path != std::vector<std::string>{"hooks"}) continue;
    const TomlStatement* command = document.pair(i, "command");
    if (command != nullptr && is_ours(command->text)) out.push_back(i);
  }
  return out;
}

std::string block_for(const std::string& line) {
  return "[[hooks]]\nevent = \"PreToolUse\"\nmatcher = \".*\"\ncommand = " + toml_string(line) +
         "\ntimeout = " + std::to_string(kHookSeconds) + "\n";
}

// Exactly one of ours, saying what it must.
bool is_complete(const TomlText& document, const std::string& line) {
  const std::vector<std::size_t> ours = ours_in(document);
  if (ours.size() != 1) return false;
  const auto says = [&](std::string_view key, std::string_view value) {
    const TomlStatement* pair = document.pair(ours[0], key);
    return pair != nullptr && pair->text == value;
  };
  const auto pairs = std::ranges::count(document.statements, ours[0], &TomlStatement::table);
  return pairs == 4 && says("event", "PreToolUse") && says("matcher", ".*") &&
         says("command", line) && says("timeout", std::to_string(kHookSeconds));
}

// An empty list on one line makes room; one with hooks in it cannot be added to.
Result<std::string> with_room(const TomlText& document, const std::string& file) {
  std::string text = document.text;
  for (const TomlStatement& each : document.statements) {
    if (each.kind != TomlKind::kPair ||
        full_path(document, each) != std::vector<std::string>{"hooks"})
      continue;
    if (each.text.starts_with('[') && trim(each.text.substr(1, each.text.size() - 2)).empty())
      return text.erase(each.begin, each.end - each.begin);
    return Fail(error_at("settings-shape",
                         "`hooks` is written on one line, so that nothing can be added to it",
                         "write each hook as `[[hooks]]` with its keys below, then install again",
                         file, text, each.at));
  }
  return text;
}

Target config_file(const std::string& path, const std::string& line) {
  Target target;
  target.path = path;
  target.put = [=](const std::string& text) -> Result<std::string> {
    Result<TomlText> document = read_toml(text, path);
    if (!document) return Fail(std::move(document).error());
    if (is_complete(*document, line)) return text;
    Result<std::string> room = with_room(*document, path);
    if (!room) return room;
    document = read_toml(std::move(*room), path);
    if (!document) return Fail(std::move(document).error());
    std::string out = with_block(without_blocks(*document, ours_in(*document)), block_for(line));
    if (Result<TomlText> again = read_toml(out, path); !again)
      return Fail(std::move(again).error());
    return out;
  };
  target.drop = [=](const std::string& text) -> Result<std::string> {
    Result<TomlText> document = read_toml(text, path);
    if (!document) return Fail(std::move(document).error());
    return without_blocks(*document, ours_in(*document));
  };
  target.find = [=](const std::string& text) -> Result<std::vector<Registered>> {
    Result<TomlText> document = read_toml(text, path);
    if (!document) return Fail(std::move(document).error());
    std::vector<Registered> out;
    for (const std::size_t header : ours_in(*document)) {
      const TomlStatement* event = document->pair(header, "event");
      const TomlStatement* timeout = document->pair(header, "timeout");
      int seconds = 30;  // Kimi's own
      if (timeout != nullptr)
        std::from_chars(timeout->text.data(), timeout->text.data() + timeout->text.size(), seconds);
      out.push_back(
          {event == nullptr ? "" : event->text, document->pair(header, "command")->text, seconds});
    }
    return out;
  };
  return target;
}

}  // namespace

Targets kimi_targets(const Scene& scene, Scope scope, const HookCommand& command) {
  if (scope != Scope::kUser) return no_such_scope("Kimi", "it reads the user's config.toml only");
  const std::string line = command_line(command, Shell::kPosix);
  std::vector<Target> targets;
  for (const std::string_view name : {"/.kimi", "/.kimi-code"}) {
    const std::string directory = scene.home + std::string(name);
    const Result<os::Stamp> stamp = os::stamp_of(directory);
    if (stamp && stamp->is_directory())
      targets.push_back(config_file(directory + "/config.toml", line));
  }
  if (targets.empty()) targets.push_back(config_file(scene.home + "/.kimi/config.toml", line));
  return targets;
}

}  // namespace tollgate::providers
