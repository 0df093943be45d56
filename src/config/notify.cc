// Targets as the settings hold them, and as the daemon reads them.
#include "config/notify.h"

#include "base/text.h"
#include "os/paths.h"

namespace tollgate::config {
namespace {

bool is_file_key(std::string_view key) {
  return key == "urlFile" || key == "secretFile" || key == "caFile";
}

std::string text_in(const json::Value& entry, std::string_view key) {
  const json::Value* value = entry.find(key);
  return value == nullptr ? "" : value->as_string();
}

std::vector<std::string> texts_in(const json::Value& entry, std::string_view key) {
  std::vector<std::string> out;
  if (const json::Value* list = entry.find(key))
    for (const json::Value& item : list->items()) out.push_back(item.as_string());
  return out;
}

NotifyAnswer answer_of(const json::Value& value) {
  NotifyAnswer out;
  out.as = text_in(value, "as");
  out.rules = texts_in(value, "rules");
  out.slack_user = text_in(value, "slackUser");
  out.within_ms = duration_ms(text_in(value, "within")).value_or(out.within_ms);
  return out;
}

NotifyEntry entry_of(const json::Value& value) {
  NotifyEntry out;
  out.name = text_in(value, "name");
  out.type = text_in(value, "type");
  out.url = text_in(value, "url");
  out.url_file = text_in(value, "urlFile");
  out.topic = text_in(value, "topic");
  out.secret = text_in(value, "secret");
  out.secret_file = text_in(value, "secretFile");
  out.ca_file = text_in(value, "caFile");
  out.contact = text_in(value, "contact");
  if (const json::Value* allowed = value.find("allowHttp")) out.allow_http = allowed->as_bool();
  for (const std::string& host : texts_in(value, "hosts"))
    out.hosts.push_back(host_of(host).value_or(host));
  out.rules = texts_in(value, "rules");
  out.agents = texts_in(value, "agents");
  out.people = texts_in(value, "people");
  out.after_ms = duration_ms(text_in(value, "after")).value_or(0);
  if (const json::Value* answer = value.find("answer")) out.answer = answer_of(*answer);
  return out;
}

}  // namespace

std::string named_file(const std::string& path, const std::string& directory,
                       const std::string& home) {
  if (path.empty()) return "";
  if (path.starts_with("~/")) return os::absolute(home + path.substr(1), directory);
  return os::absolute(path, directory);
}

// A secret or a topic may be all digits: what is no flag stays the text that was written.
json::Value notify_value(const Node& entry, const std::string& directory, const std::string& home) {
  json::Value out = json::Value::object();
  for (std::size_t i = 0; i < entry.keys.size(); ++i) {
    const std::string& key = entry.keys[i].text;
    const Node& node = entry.items[i];
    if (node.is_mapping()) {
      out.set(key, notify_value(node, directory, home));
    } else if (node.is_sequence()) {
      json::Value list = json::Value::array();
      for (const Node& item : node.items) list.push(json::Value::string(item.text));
      out.set(key, std::move(list));
    } else if (key == "allowHttp") {
      out.set(key, json::Value::boolean(flag_of(node).value_or(false)));
    } else {
      out.set(key, json::Value::string(is_file_key(key) ? named_file(node.text, directory, home)
                                                        : node.text));
    }
  }
  return out;
}

std::vector<NotifyEntry> notify_entries(const Settings& settings) {
  std::vector<NotifyEntry> out;
  for (const json::Value& each : settings.notify) out.push_back(entry_of(each));
  return out;
}

}  // namespace tollgate::config
