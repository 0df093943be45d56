#include "hook/freeze.h"

#include "json/json.h"
#include "os/files.h"

namespace tollgate::hook {
namespace {

// LIMIT: far more than the agents of any configuration.
constexpr std::size_t kMostBytes = 1u << 20;

std::string file_in(const std::string& data_dir) { return data_dir + "/frozen.json"; }

}  // namespace

Result<void> write_freezes(const std::string& data_dir, const Freezes& freezes) {
  const std::string file = file_in(data_dir);
  if (freezes.empty()) return os::remove_file(file);
  json::Value all = json::Value::object();
  for (const auto& [agent, who] : freezes) all.set(agent, json::Value::string(who));
  return os::write_atomically(file, json::write(all) + "\n", 0600);
}

std::string frozen_in(const std::string& data_dir, const std::string& agent) {
  const Result<std::string> text = os::read_file(file_in(data_dir), kMostBytes);
  if (!text && text.error().code == "file-missing") return "";
  const Result<json::Value> all = text ? json::parse(*text) : Fail(text.error());
  if (!all || !all->is_object())
    return "it cannot be read what is frozen, so everything is; `tollgate freeze --lift` mends it";
  if (const json::Value* who = all->find("")) return "everything was frozen by " + who->as_string();
  if (const json::Value* who = agent.empty() ? nullptr : all->find(agent))
    return "agent `" + agent + "` was frozen by " + who->as_string();
  return "";
}

}  // namespace tollgate::hook
