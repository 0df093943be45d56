// Reads the settings, the approvers and what agents say beyond the policy.
// Files come in order of trust; the first that speaks of a setting is heard.
// Values were checked against the table before.
#include "config/settings.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "config/notify.h"
#include "config/statement.h"
#include "os/paths.h"

namespace tollgate::config {
namespace {

// LIMIT: more often, and heads would be most of what a journal holds.
constexpr long long kLeastEvery = 1'000;

template <class Number>
Number number_of(std::string_view text) {
  Number number{};
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<std::string> texts(const Node* node) {
  std::vector<std::string> result;
  if (node != nullptr)
    for (const Node& item : node->items) result.push_back(item.text);
  return result;
}

Listen listen_of(const Node& node) {
  Listen listen;
  const std::size_t colon = node.text.rfind(':');
  if (colon == std::string::npos) {
    listen.port = number_of<std::uint16_t>(node.text);  // httpPort
    return listen;
  }
  listen.host = node.text.substr(0, colon);
  listen.port = number_of<std::uint16_t>(std::string_view(node.text).substr(colon + 1));
  return listen;
}

Sandbox sandbox_of(const Node& node) {
  Sandbox sandbox;
  if (const Node* isolation = node.find("isolation"))
    sandbox.required = isolation->text == "required";
  if (const Node* memory = node.find("memory"))
    sandbox.memory_bytes = size_of(memory->text).value_or(0);
  if (const Node* pids = node.find("pids")) sandbox.pids = number_of<int>(pids->text);
  if (const Node* cpu = node.find("cpu")) sandbox.cpu = number_of<double>(cpu->text);
  if (const Node* sockets = node.find("unixSockets"))
    sandbox.unix_sockets = flag_of(*sockets).value_or(false);
  return sandbox;
}

AgentEntry agent_of(const std::string& name, const Node& node) {
  AgentEntry agent;
  agent.name = name;
  if (const Node* sandbox = node.find("sandbox"); sandbox && sandbox->is_mapping()) {
    const Node* isolation = sandbox->find("isolation");
    if (isolation == nullptr || isolation->text != "none") agent.sandbox = sandbox_of(*sandbox);
  }
  if (const Node* remote = node.find("remote")) agent.remote = remote->text;
  agent.delegate = texts(node.find("delegate"));
  if (const Node* servers = node.find("mcpServers")) agent.servers = json_of(*servers);
  return agent;
}

AnchorPlaces anchor_of(const Node& node, const ReadContext& context) {
  AnchorPlaces places;
  if (const Node* journal = node.find("journal")) places.journal = flag_of(*journal).value_or(true);
  if (const Node* file = node.find("file"))
    places.file = named_file(file->text, context.directory, context.home);
  if (const Node* notify = node.find("notify")) places.notify = notify->text;
  if (const Node* every = node.find("every"))
    places.every_ms = std::max(duration_ms(every->text).value_or(places.every_ms), kLeastEvery);
  return places;
}

void read_block(const Node& node, const ReadContext& context, Settings& settings) {
  // True the first time a setting is given: the most trusted file comes first.
  const auto first = [&](const Node* given, std::string_view name) {
    if (given == nullptr || std::ranges::find(settings.said, name) != settings.said.end())
      return false;
    settings.said.emplace_back(name);
    return true;
  };
  if (const Node* listen = value_of(node, "settings", "listen"); first(listen, "listen"))
    settings.listen = listen_of(*listen);
  if (const Node* url = node.find("publicUrl"); first(url, "publicUrl"))
    settings.public_url = url->text;
  if (const Node* tls = node.find("tls"); tls && tls->is_mapping() && first(tls, "tls")) {
    const Node* cert = tls->find("cert");
    const Node* key = tls->find("key");
    if (cert != nullptr && key != nullptr)
      settings.tls = Tls{os::absolute(cert->text, context.directory),
                         os::absolute(key->text, context.directory)};
  }
  if (const Node* timeout = node.find("permissionTimeout"); first(timeout, "permissionTimeout"))
    settings.permission_timeout_ms = duration_ms(timeout->text).value_or(30'000);
  if (const Node* store = node.find("store"); first(store, "store")) settings.store = store->text;
  for (std::string& pattern : texts(node.find("redact"))) settings.redact.push_back(pattern);
  if (const Node* retention = node.find("retention"); first(retention, "retention"))
    settings.retention_ms = duration_ms(retention->text).value_or(settings.retention_ms);
  if (const Node* anchor = node.find("anchor");
      anchor && anchor->is_mapping() && first(anchor, "anchor"))
    settings.anchor = anchor_of(*anchor, context);
}

}  // namespace

void read_settings(const Document& document, const ReadContext& context, Settings& settings) {
  const Node& root = document.root();
  if (const Node* block = root.find("settings"); block && block->is_mapping())
    read_block(*block, context, settings);
  if (const Node* approvers = root.find("approvers"); approvers && approvers->is_mapping())
    for (std::size_t i = 0; i < approvers->keys.size(); ++i) {
      ApproverEntry entry;
      entry.name = approvers->keys[i].text;
      const Node* person = approvers->items[i].find("person");
      entry.person = person == nullptr ? entry.name : person->text;
      entry.roles = texts(approvers->items[i].find("roles"));
      settings.approvers.push_back(std::move(entry));
    }
  if (const Node* notify = root.find("notify"))
    for (const Node& item : notify->items)
      settings.notify.push_back(notify_value(item, context.directory, context.home));
  if (const Node* agents = value_of(root, "", "agents"); agents && agents->is_mapping())
    for (std::size_t i = 0; i < agents->keys.size(); ++i)
      settings.agents.push_back(agent_of(agents->keys[i].text, agents->items[i]));
}

}  // namespace tollgate::config
