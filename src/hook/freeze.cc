#include "hook/freeze.h"

#include "json/json.h"
#include "os/files.h"

namespace tollgate::hook {
namespace {

// LIMIT: far more than the agents of any configuration.
constexpr std::size_t kMostBytes = 1u << 20;

std::string file_in(const std::string& data_dir) { return data_dir + "/frozen.json"; }

}  // namespace

std::string session_key(const std::string& provider, const std::string& session) {
  return "\n" + provider + "\n" + session;
}

Result<void> write_freezes(const std::string& data_dir, const Freezes& freezes) {
  const std::string file = file_in(data_dir);
  if (freezes.empty()) return os::remove_file(file);
  json::Value all = json::Value::object();
  for (const auto& [agent, who] : freezes) all.set(agent, json::Value::string(who));
  return os::write_atomically(file, json::write(all) + "\n", 0600);
}

std::string frozen_in(const std::string& data_dir, const ToolCall& call) {
  const Result<std::string> text = os::read_file(file_in(data_dir), kMostBytes);
  if (!text && text.error().code == "file-missing") return "";
  const Result<json::Value> all = text ? json::parse(*text) : Fail(text.error());
  if (!all || !all->is_object())
    return "it cannot be read what is frozen, so everything is; `tollgate freeze --lift` mends it";
  if (const json::Value* who = all->find("")) return "everything was frozen by " + who->as_string();
  if (const json::Value* who = call.agent.empty() ? nullptr : all->find(call.agent))
    return "agent `" + call.agent + "` was frozen by " + who->as_string();
  if (all->find(session_key(call.provider, call.session)) != nullptr)
    return "the session is frozen";
  return "";
}

}  // namespace tollgate::hook
