// Codex: hooks in config.toml, each with the hash by which Codex trusts it.
// SAFETY: a hook without its hash is skipped in silence, so both are written together, and an
// install is complete only when both are right.
#include "providers/codex_hooks.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "base/text.h"
#include "json/json.h"
#include "os/paths.h"
#include "providers/clients.h"
#include "providers/json_hooks.h"
#include "providers/json_text.h"
#include "providers/sha256.h"
#include "providers/toml_hooks.h"

namespace tollgate::providers {
namespace {

using json::Value;

struct EventRow {
  std::string_view event;
  std::string_view key;  // the same among the trusted ones
  std::string_view matcher;
};
constexpr EventRow kEvents[] = {{"PreToolUse", "pre_tool_use", ".*"},
                                {"PermissionRequest", "permission_request", ".*"}};

// One hook of the file, with where it stands: [[hooks.EVENT]] and [[hooks.EVENT.hooks]].
struct Found {
  std::string event;
  std::size_t group_header = 0, group = 0;
  std::size_t header = 0, index = 0;
  std::size_t in_group = 0;  // how many hooks the group has
  std::string matcher, command, timeout;
  std::size_t pairs = 0;
  bool ours = false;
};

std::string string_at(const TomlText& document, std::size_t table, std::string_view key) {
  const TomlStatement* pair = document.pair(table, key);
  return pair == nullptr ? "" : pair->text;
}

std::vector<Found> hooks_of(const TomlText& document) {
  std::vector<Found> out;
  std::map<std::string, std::size_t> groups;
  std::map<std::string, std::pair<std::size_t, std::size_t>> last;  // header, hooks so far
  for (std::size_t i = 0; i < document.statements.size(); ++i) {
    const TomlStatement& each = document.statements[i];
    if (each.kind != TomlKind::kTables || each.path[0] != "hooks") continue;
    if (each.path.size() == 2) {
      ++groups[each.path[1]];
      last[each.path[1]] = {i, 0};
    } else if (each.path.size() == 3 && each.path[2] == "hooks" && last.contains(each.path[1])) {
      auto& [header, count] = last[each.path[1]];
      Found found;
      found.event = each.path[1];
      found.group_header = header;
      found.group = groups[found.event] - 1;
      found.header = i;
      found.index = count++;
      found.matcher = string_at(document, header, "matcher");
      found.command = string_at(document, i, "command");
      found.timeout = string_at(document, i, "timeout");
      found.pairs = static_cast<std::size_t>(
          std::ranges::count_if(document.statements, [&](const TomlStatement& pair) {
            return pair.kind == TomlKind::kPair && (pair.table == i || pair.table == header);
          }));
      found.ours = is_ours(found.command);
      out.push_back(std::move(found));
    }
  }
  for (Found& each : out)
    each.in_group =
        static_cast<std::size_t>(std::ranges::count(out, each.group_header, &Found::group_header));
  return out;
}

const EventRow* row_of(std::string_view event) {
  const auto* row = std::ranges::find(kEvents, event, &EventRow::event);
  return row == std::end(kEvents) ? nullptr : row;
}

int seconds_in(const Found& hook) {
  int seconds = 600;  // Codex's own
  std::from_chars(hook.timeout.data(), hook.timeout.data() + hook.timeout.size(), seconds);
  return seconds;
}

std::string hash_of_hook(const Found& hook) {
  return codex_hook_hash(row_of(hook.event)->key, hook.matcher, hook.command, seconds_in(hook));
}

std::string state_key(const std::string& file, std::string_view event_key, std::size_t group,
                      std::size_t index) {
  return file + ":" + std::string(event_key) + ":" + std::to_string(group) + ":" +
         std::to_string(index);
}

// The header of [hooks.state."KEY"], nothing where there is none.
std::optional<std::size_t> state_of(const TomlText& document, const std::string& key) {
  for (std::size_t i = 0; i < document.statements.size(); ++i) {
    const TomlStatement& each = document.statements[i];
    if (each.kind == TomlKind::kTable &&
        each.path == std::vector<std::string>{"hooks", "state", key})
      return i;
  }
  return std::nullopt;
}

class Config {
 public:
  // `names` are those that Codex may know the file by.
  Config(std::string path, std::vector<std::string> names, std::string line)
      : path_(std::move(path)), names_(std::move(names)), line_(std::move(line)) {}

  Result<std::string> put(const std::string& text) const {
    Result<TomlText> document = read_toml(text, path_);
    if (!document) return Fail(std::move(document).error());
    if (Result<void> fine = check_shape(*document); !fine) return Fail(fine.error());
    if (is_complete(*document)) return text;
    document = read_toml(without(*document), path_);
    if (!document) return Fail(std::move(document).error());
    std::string out = with_block(document->text, block(*document));
    if (Result<TomlText> again = read_toml(out, path_); !again)
      return Fail(std::move(again).error());
    return out;
  }

  Result<std::string> drop(const std::string& text) const {
    Result<TomlText> document = read_toml(text, path_);
    if (!document) return Fail(std::move(document).error());
    return without(*document);
  }

  Result<std::vector<Registered>> find(const std::string& text) const {
    Result<TomlText> document = read_toml(text, path_);
    if (!document) return Fail(std::move(document).error());
    std::vector<Registered> out;
    for (const Found& each : hooks_of(*document))
      if (each.ours)
        out.push_back({each.event + (is_trusted(*document, each) ? "" : " (not trusted)"),
                       each.command, seconds_in(each)});
    return out;
  }

 private:
  // Entries can only be added to lists that are written as [[hooks.EVENT]].
  Result<void> check_shape(const TomlText& document) const {
    for (const TomlStatement& each : document.statements) {
      const bool other_list =
          each.kind == TomlKind::kTables && each.path == std::vector<std::string>{"hooks"};
      const bool other_table = each.kind == TomlKind::kTable && each.path.size() == 2 &&
                               each.path[0] == "hooks" && row_of(each.path[1]) != nullptr;
      if (other_list || other_table)
        return Fail(error_at("settings-shape",
                             "`" + join(each.path, ".") + "` is not what Codex has there",
                             "write hooks as `[[hooks.PreToolUse]]`, then install again", path_,
                             document.text, each.at));
      if (each.kind != TomlKind::kPair) continue;
      const bool in_list =
          each.table != kNoTable && document.statements[each.table].kind == TomlKind::kTables;
      const std::vector<std::string> path = full_path(document, each);
      const bool inline_hooks = path == std::vector<std::string>{"hooks"} ||
                                path == std::vector<std::string>{"hooks", "state"};
      const bool inline_event =
          !in_list && path.size() >= 2 && path[0] == "hooks" && row_of(path[1]) != nullptr;
      if (inline_hooks || inline_event)
        return Fail(error_at("settings-shape",
                             "`" + join(path, ".") +
                                 "` is written on one line, so that nothing "
                                 "can be added to it",
                             "write it as `[[hooks.PreToolUse]]` with its keys below, then "
                             "install again",
                             path_, document.text, each.at));
    }
    return {};
  }

  bool is_trusted(const TomlText& document, const Found& hook) const {
    const EventRow* row = row_of(hook.event);
    return row != nullptr && std::ranges::all_of(names_, [&](const std::string& name) {
             const auto state =
                 state_of(document, state_key(name, row->key, hook.group, hook.index));
             return state && string_at(document, *state, "trusted_hash") == hash_of_hook(hook) &&
                    string_at(document, *state, "enabled") != "false";
           });
  }

  bool is_complete(const TomlText& document) const {
    std::size_t right = 0, ours = 0;
    for (const Found& each : hooks_of(document)) {
      if (!each.ours) continue;
      ++ours;
      const EventRow* row = row_of(each.event);
      const bool same = row != nullptr && each.in_group == 1 && each.pairs == 4 &&
                        each.matcher == row->matcher && each.command == line_ &&
                        each.timeout == std::to_string(kHookSeconds);
      if (same && is_trusted(document, each)) ++right;
    }
    return ours == std::size(kEvents) && right == ours;
  }

  std::string without(const TomlText& document) const {
    std::vector<std::size_t> headers;
    const std::vector<Found> hooks = hooks_of(document);
    for (const Found& each : hooks) {
      if (!each.ours) continue;
      headers.push_back(each.header);
      const bool alone = std::ranges::none_of(hooks, [&](const Found& other) {
        return other.group_header == each.group_header && !other.ours;
      });
      if (alone && std::ranges::find(headers, each.group_header) == headers.end())
        headers.push_back(each.group_header);
      const EventRow* row = row_of(each.event);
      if (row == nullptr) continue;
      for (const std::string& name : names_)
        if (const auto state =
                state_of(document, state_key(name, row->key, each.group, each.index)))
          headers.push_back(*state);
    }
    return without_blocks(document, headers);
  }

  std::string block(const TomlText& document) const {
    std::string out, states;
    for (const EventRow& row : kEvents) {
      const std::string header = "hooks." + std::string(row.event);
      out += "[[" + header + "]]\nmatcher = " + toml_string(row.matcher) + "\n[[" + header +
             ".hooks]]\ntype = \"command\"\ncommand = " + toml_string(line_) +
             "\ntimeout = " + std::to_string(kHookSeconds) + "\n\n";
      const auto group = static_cast<std::size_t>(
          std::ranges::count_if(document.statements, [&](const TomlStatement& each) {
            return each.kind == TomlKind::kTables &&
                   each.path == std::vector<std::string>{"hooks", std::string(row.event)};
          }));
      for (const std::string& name : names_)
        states += "[hooks.state." + toml_string(state_key(name, row.key, group, 0)) +
                  "]\ntrusted_hash = " +
                  toml_string(codex_hook_hash(row.key, row.matcher, line_, kHookSeconds)) + "\n";
    }
    return out + states;
  }

  std::string path_;
  std::vector<std::string> names_;
  std::string line_;
};

}  // namespace

std::string codex_hook_hash(std::string_view event, std::string_view matcher,
                            const std::string& command, int timeout) {
  Value hook = command_entry(command, timeout);
  hook.set("async", Value::boolean(false));
  Value identity = Value::object({{"event_name", Value::string(std::string(event))},
                                  {"hooks", Value::array({std::move(hook)})}});
  if (!matcher.empty()) identity.set("matcher", Value::string(std::string(matcher)));
  return "sha256:" + sha256(json::canonical(identity));
}

Targets codex_targets(const Scene& scene, Scope scope, const HookCommand& command) {
  if (scope != Scope::kUser)
    return no_such_scope("Codex",
                         "it takes the hooks of a project only from projects that are trusted, "
                         "and their hashes only from the user's file");
  const std::string path =
      directory_from(scene, "CODEX_HOME", scene.home + "/.codex") + "/config.toml";
  // Codex resolves the links of a directory that CODEX_HOME names, and no others.
  std::vector<std::string> names = {path};
  const std::size_t slash = path.rfind('/');
  const os::RealPath real = os::real_path(path.substr(0, slash));
  if (!real.path.empty() && real.path + path.substr(slash) != path)
    names.push_back(real.path + path.substr(slash));
  const Config config(path, std::move(names), command_line(command, Shell::kAny));
  Target target;
  target.path = path;
  target.put = [config](const std::string& text) { return config.put(text); };
  target.drop = [config](const std::string& text) { return config.drop(text); };
  target.find = [config](const std::string& text) { return config.find(text); };
  return std::vector<Target>{std::move(target)};
}

}  // namespace tollgate::providers
