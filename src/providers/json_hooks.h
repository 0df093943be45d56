// Hooks in a JSON file: lists of entries, some of them ours.
// An entry is ours when the command in it starts tollgate-hook; nothing else is ever touched.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "providers/json_text.h"
#include "providers/provider.h"

namespace tollgate::providers {

struct JsonEntry {
  std::vector<std::string> path;  // the list it belongs to
  json::Value item;

  bool operator==(const JsonEntry&) const = default;
};

struct JsonHooks {
  std::string path;
  JsonForm form = JsonForm::kPlain;
  std::vector<JsonEntry> entries;
  int ticks = 1;  // how many of the client's `timeout` make a second
  // Members that the file needs besides, where it has none of that name.
  std::vector<json::Value::Member> members;
};

Target json_target(const JsonHooks& hooks);

// A file that is ours alone. `begins` is how its text begins; any other file of that name is not
// overwritten (file-exists). `find` reads the commands out of such a text.
Target whole_target(const std::string& path, const std::string& text, const std::string& begins,
                    std::vector<Registered> (*find)(const std::string& text));

// {"type": "command", "command": …, "timeout": …}, as several clients have it.
json::Value command_entry(const std::string& line, int timeout);

}  // namespace tollgate::providers
