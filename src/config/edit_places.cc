// Looks for owners and entries.
// An agent stands under `agents` or its other spelling; the table of keys knows which.
// Two rules are one when they are written alike by format_rule().
#include "config/edit_places.h"

#include "base/edit_distance.h"
#include "base/text.h"
#include "config/fields.h"
#include "config/yaml_edit.h"
#include "policy/rule.h"

namespace tollgate::config {
namespace {

const Node* rule_text(const Node& item) { return item.is_mapping() ? item.find("rule") : &item; }

Conditions conditions_of(const Node& item) {
  for (std::string_view key : {"hours", "expires", "approve", "answer", "onTimeout"})
    if (item.is_mapping() && item.find(key) != nullptr) return Conditions::kSome;
  return Conditions::kNone;
}

}  // namespace

Result<Owner> owner_of(const Document& document, const std::string& agent) {
  const Node& root = document.root();
  if (agent.empty()) return Owner{nullptr, 0, &root};
  std::vector<std::string_view> names;
  if (const Node* agents = value_of(root, "", "agents")) {
    const std::size_t index = index_of(*agents, agent);
    if (index < agents->keys.size()) return Owner{agents, index, &agents->items[index]};
    for (const Node& key : agents->keys) names.push_back(key.text);
  }
  return Fail({.code = "unknown-agent",
               .message = "`" + document.file() + "` has no agent `" + shortened(agent) + "`",
               .hint = names.empty() ? "add it under `agents:` first"
                                     : did_you_mean(agent, "agents", names),
               .where = {.file = document.file(), .line = 0, .column = 0, .width = 1, .text = {}}});
}

Node& same_in(Node& copy, const Document& document, const Owner& owner) {
  if (owner.parent == nullptr) return copy;
  const std::size_t agents = static_cast<std::size_t>(owner.parent - document.root().items.data());
  return copy.items[agents].items[owner.index];
}

YamlPlace place_of(const Document& document, const Owner& owner) {
  if (owner.node->is_mapping()) return place_in(document, *owner.node);
  return owner.node->text.empty() ? place_in(document, *owner.parent) : YamlPlace::kFlow;
}

std::size_t index_of(const Node& mapping, std::string_view key) {
  std::size_t i = 0;
  while (i < mapping.keys.size() && mapping.keys[i].text != key) ++i;
  return i;
}

std::vector<std::size_t> entries_of(const Node& list, const RuleChange& change,
                                    std::span<const ToolDeclaration> tools, Conditions conditions) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Node* text = rule_text(list.items[i]);
    if (text == nullptr || conditions_of(list.items[i]) != conditions) continue;
    const Result<Rule> rule = parse_rule(change.list, text->text, {}, {.tools = tools});
    if (rule && format_rule(*rule) == change.rule) found.push_back(i);
  }
  return found;
}

}  // namespace tollgate::config
