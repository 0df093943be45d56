#include "providers/json_hooks.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "providers/json_edit.h"

namespace tollgate::providers {
namespace {

using json::Value;

// One entry of ours in a document, by its place among the children on the way to it.
struct Mine {
  std::vector<std::size_t> steps;
  JsonEntry entry;
};

const Value* command_in(const Value& item) {
  for (const std::string_view name : {"command", "bash"})
    if (const Value* found = item.find(name); found != nullptr && found->is_string()) return found;
  const Value* action = item.find("action");
  return action == nullptr ? nullptr : action->find("command");
}

bool is_own_command(const Value& item) {
  const Value* command = command_in(item);
  return command != nullptr && is_ours(command->as_string());
}

// The entry itself, or a group that holds nothing but entries of ours.
bool is_own(const Value& item) {
  if (is_own_command(item)) return true;
  const Value* inner = item.find("hooks");
  return inner != nullptr && !inner->items().empty() &&
         std::ranges::all_of(inner->items(), is_own_command);
}

void find_mine(const Value& value, std::vector<std::size_t>& steps, std::vector<std::string>& keys,
               std::vector<Mine>& out) {
  for (std::size_t i = 0; i < value.items().size(); ++i) {
    const Value& item = value.items()[i];
    steps.push_back(i);
    if (is_own(item))
      out.push_back({steps, {keys, item}});
    else
      find_mine(item, steps, keys, out);
    steps.pop_back();
  }
  for (std::size_t i = 0; i < value.members().size(); ++i) {
    steps.push_back(i);
    keys.push_back(value.members()[i].first);
    find_mine(value.members()[i].second, steps, keys, out);
    keys.pop_back();
    steps.pop_back();
  }
}

// Every client has its hooks below one member; what stands elsewhere is somebody's note.
std::vector<Mine> mine_in(const Value& root) {
  std::vector<Mine> out;
  for (std::size_t i = 0; i < root.members().size(); ++i) {
    const auto& [key, value] = root.members()[i];
    std::vector<std::size_t> steps = {i};
    std::vector<std::string> keys = {key};
    if (key == "hooks") find_mine(value, steps, keys, out);
  }
  return out;
}

// An empty file is an empty object to whoever adds to it.
std::string filled(const std::string& text) { return trim(text).empty() ? "{}\n" : text; }

Result<std::string> without_mine(std::string text, const JsonHooks& hooks) {
  for (;;) {
    Result<JsonText> document = read_json(text, hooks.path, hooks.form);
    if (!document) return Fail(std::move(document).error());
    const std::vector<Mine> mine = mine_in(document->value);
    if (mine.empty()) return text;
    text = remove_child(*document, mine.back().steps);
  }
}

bool is_complete(const Value& root, const JsonHooks& hooks) {
  for (const auto& [key, value] : hooks.members)
    if (root.find(key) == nullptr) return false;
  const std::vector<Mine> mine = mine_in(root);
  return mine.size() == hooks.entries.size() &&
         std::ranges::all_of(hooks.entries, [&](const JsonEntry& entry) {
           return std::ranges::find(mine, entry, &Mine::entry) != mine.end();
         });
}

Result<std::string> with_mine(const std::string& before, const JsonHooks& hooks) {
  Result<JsonText> document = read_json(filled(before), hooks.path, hooks.form);
  if (!document) return Fail(std::move(document).error());
  if (is_complete(document->value, hooks)) return before;
  Result<std::string> text = without_mine(document->text, hooks);
  const auto reread = [&]() -> Result<void> {
    if (!text) return Fail(text.error());
    document = read_json(*text, hooks.path, hooks.form);
    return document ? Result<void>() : Fail(document.error());
  };
  for (const auto& [key, value] : hooks.members) {
    if (Result<void> read = reread(); !read) return Fail(read.error());
    text = add_member(*document, key, value);
  }
  for (const JsonEntry& entry : hooks.entries) {
    if (Result<void> read = reread(); !read) return Fail(read.error());
    const std::vector<std::string_view> path(entry.path.begin(), entry.path.end());
    text = append_item(*document, hooks.path, path, entry.item);
  }
  if (Result<void> read = reread(); !read) return Fail(read.error());
  return text;
}

// Nothing is left but what an install writes into a new file.
bool is_skeleton(const std::string& text, const JsonHooks& hooks) {
  const Result<JsonText> document = read_json(text, hooks.path, hooks.form);
  return document && document->bare == document->text &&
         std::ranges::all_of(document->value.members(), [&](const Value::Member& member) {
           return std::ranges::find(hooks.members, member) != hooks.members.end();
         });
}

// When the client gives up on this entry.
int seconds_of(const Value& item, int ticks) {
  const auto number = [&](std::string_view key) {
    const Value* found = item.find(key);
    int value = 0;
    if (found != nullptr && found->kind() == json::Kind::kNumber) {
      const std::string& text = found->number_text();
      std::from_chars(text.data(), text.data() + text.size(), value);
    }
    return value;
  };
  if (const int value = number("timeoutSec"); value > 0) return value;
  if (const int value = number("timeout_ms"); value > 0) return value / 1000;
  return number("timeout") / ticks;
}

Result<std::vector<Registered>> registered_in(const std::string& text, const JsonHooks& hooks) {
  std::vector<Registered> out;
  if (trim(text).empty()) return out;
  const Result<JsonText> document = read_json(text, hooks.path, hooks.form);
  if (!document) return Fail(document.error());
  for (const auto& [steps, entry] : mine_in(document->value)) {
    const Value* trigger = entry.item.find("trigger");
    std::string event = entry.path.empty() ? "" : entry.path.back();
    // A hook inside a group that is not all ours: the event is one step further up.
    if (event == "hooks" && entry.path.size() > 1) event = entry.path[entry.path.size() - 2];
    if (trigger != nullptr) event = trigger->as_string();
    const auto add = [&](const Value& item) {
      out.push_back({event, command_in(item)->as_string(), seconds_of(item, hooks.ticks)});
    };
    if (is_own_command(entry.item))
      add(entry.item);
    else
      for (const Value& inner : entry.item.find("hooks")->items()) add(inner);
  }
  return out;
}

}  // namespace

Target json_target(const JsonHooks& hooks) {
  Target target;
  target.path = hooks.path;
  target.put = [hooks](const std::string& text) { return with_mine(text, hooks); };
  target.drop = [hooks](const std::string& text) -> Result<std::string> {
    if (trim(text).empty()) return text;
    Result<std::string> rest = without_mine(text, hooks);
    if (rest && *rest != text && is_skeleton(*rest, hooks)) return std::string();
    return rest;
  };
  target.find = [hooks](const std::string& text) { return registered_in(text, hooks); };
  return target;
}

Target whole_target(const std::string& path, const std::string& text, const std::string& begins,
                    std::vector<Registered> (*find)(const std::string& text)) {
  const auto is_mine = [begins](const std::string& there) { return there.starts_with(begins); };
  Target target;
  target.path = path;
  target.put = [=](const std::string& there) -> Result<std::string> {
    if (there.empty() || is_mine(there)) return text;
    return Fail({.code = "file-exists",
                 .message = "`" + path + "` is there already and was not made by Tollgate",
                 .hint = "move it away, then install again",
                 .where = {}});
  };
  target.drop = [=](const std::string& there) -> Result<std::string> {
    return is_mine(there) ? std::string() : there;
  };
  target.find = [=](const std::string& there) -> Result<std::vector<Registered>> {
    return is_mine(there) ? find(there) : std::vector<Registered>();
  };
  return target;
}

Value command_entry(const std::string& line, int timeout) {
  return Value::object({{"type", Value::string("command")},
                        {"command", Value::string(line)},
                        {"timeout", Value::integer(timeout)}});
}

}  // namespace tollgate::providers
