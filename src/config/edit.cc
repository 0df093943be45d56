// One edit at a time: find the place, write the text, read it back, compare.
// The tree that is wanted is made from the old tree, so that the text cannot vouch for itself.
// SAFETY: a text is handed on only after both proofs, of the tree and of the policy.
#include "config/edit.h"

#include <optional>
#include <vector>

#include "base/edit_distance.h"
#include "base/text.h"
#include "config/edit_meaning.h"
#include "config/edit_places.h"
#include "config/yaml_edit.h"
#include "core/mode.h"
#include "policy/rule.h"

namespace tollgate::config {
namespace {

// What an edit would make of the file: its text, and what that must read as.
struct Draft {
  std::string text;
  Node root;
};

class Editor {
 public:
  Editor(Reading reading, const EditContext& context)
      : reading_(std::move(reading)), context_(context) {}

  Result<void> apply(const Edit& edit);
  std::string text() && { return reading_.document.text(); }

 private:
  const Document& document() const { return reading_.document; }
  Result<Rule> rule_of(const Edit& edit) const;
  Result<void> add(const Edit& edit, const Owner& owner);
  Result<void> remove(const Edit& edit, const Owner& owner);
  Result<void> set_mode(const Edit& edit, const Owner& owner);
  Result<void> remove_entry(const Edit& edit, const RuleChange& change, std::size_t index);
  Draft with_key(const Owner& owner, std::string_view key, Node value) const;
  template <class Differs>
  Result<void> take(const Draft& draft, const Differs& differs);

  Reading reading_;
  const EditContext& context_;
};

Error failed(const std::string& file, const std::string& why) {
  return {.code = "edit-failed",
          .message = "`" + file + "` cannot be edited without changing more: " + why,
          .hint = "edit the file by hand",
          .where = {.file = file, .line = 0, .column = 0, .width = 1, .text = {}}};
}

void put(Node& mapping, std::size_t index, std::string_view key, Node value) {
  Node name;
  name.text = key;
  const auto at = static_cast<std::ptrdiff_t>(index);
  mapping.keys.insert(mapping.keys.begin() + at, std::move(name));
  mapping.items.insert(mapping.items.begin() + at, std::move(value));
}

// The rule as a list has it: its text alone, or with the reason beside it.
Node entry_node(const Edit& edit, YamlPlace place) {
  if (edit.reason.empty()) return scalar_node(edit.rule, place);
  Node entry = mapping_node("rule", scalar_node(edit.rule, YamlPlace::kFlow));
  put(entry, 1, "reason", scalar_node(edit.reason, YamlPlace::kFlow));
  return entry;
}

// SAFETY: a text that hides something is no rule for a file that people read.
Result<Rule> Editor::rule_of(const Edit& edit) const {
  const Position where{.file = "rule",
                       .line = 1,
                       .column = 1,
                       .width = 1,
                       .text = edit.rule.size() <= kMaxShownLine ? edit.rule : ""};
  if (!is_valid_utf8(edit.rule) || !is_valid_utf8(edit.reason))
    return Fail({.code = "yaml-invalid-utf8",
                 .message = "the rule is not valid UTF-8",
                 .hint = "write it as UTF-8",
                 .where = where});
  if (has_hidden_characters(edit.rule) || has_hidden_characters(edit.reason))
    return Fail({.code = "yaml-hidden-character",
                 .message = "the rule holds a character that hides or reorders text",
                 .hint = "remove control, zero-width and bidirectional characters",
                 .where = where});
  return parse_rule(edit.list, edit.rule, where, {.tools = reading_.tools});
}

// A key that the owner does not have yet. A mode stands below the version, else it comes last.
Draft Editor::with_key(const Owner& owner, std::string_view key, Node value) const {
  Draft draft{{}, document().root()};
  Node& copy = same_in(draft.root, document(), owner);
  if (!owner.node->is_mapping()) {
    copy = mapping_node(key, std::move(value));
    draft.text = with_value(document(), *owner.parent, owner.index, copy);
    return draft;
  }
  const Node& node = *owner.node;
  std::size_t index = node.keys.size();
  if (key == "mode" && !is_flow(document(), node) && node.find("version") != nullptr)
    index = index_of(node, "version") + 1;
  draft.text = with_member(document(), node, index, key, value);
  put(copy, index, key, std::move(value));
  return draft;
}

// Both halves of the proof: the tree is the one that is wanted, and the policy differs by the edit.
template <class Differs>
Result<void> Editor::take(const Draft& draft, const Differs& differs) {
  const std::string& file = document().file();
  Result<Reading> after = reading_of(draft.text, file, context_.tools);
  if (!after) return Fail(failed(file, after.error().message));
  if (!same_meaning(after->document.root(), draft.root))
    return Fail(failed(file, "the new text would not say what was asked for"));
  if (!differs(reading_, *after))
    return Fail(failed(file, "other settings would be read differently"));
  reading_ = std::move(*after);
  return {};
}

Result<void> Editor::add(const Edit& edit, const Owner& owner) {
  const Result<Rule> rule = rule_of(edit);
  if (!rule) return Fail(rule.error());
  const RuleChange change{edit.list, edit.agent, format_rule(*rule), edit.reason};
  const auto one_more = [&](const Reading& before, const Reading& after) {
    return differs_by_rule(before, after, change);
  };
  const std::string_view key = name(edit.list);
  const Node* rules = owner.node->find("rules");
  const Node* list = rules == nullptr ? nullptr : rules->find(key);
  if (rules == nullptr) {
    Node item = entry_node(edit, place_of(document(), owner));
    return take(with_key(owner, "rules", mapping_node(key, list_node(std::move(item)))), one_more);
  }
  if (list != nullptr && !entries_of(*list, change, reading_.tools, Conditions::kNone).empty())
    return {};
  Draft draft{{}, document().root()};
  Node& copy = same_in(draft.root, document(), owner);
  Node& into = copy.items[index_of(copy, "rules")];
  Node item = entry_node(edit, place_in(document(), list == nullptr ? *rules : *list));
  if (list == nullptr) {
    const Node made = list_node(std::move(item));
    draft.text = with_member(document(), *rules, rules->keys.size(), key, made);
    put(into, into.keys.size(), key, made);
  } else {
    draft.text = with_item(document(), *list, item);
    into.items[index_of(into, key)].items.push_back(std::move(item));
  }
  return take(draft, one_more);
}

Error missing(const Edit& edit, const std::string& file) {
  return {.code = "rule-missing",
          .message = "`" + shortened(edit.rule) + "` does not stand in that `" +
                     std::string(name(edit.list)) + "` list",
          .hint = "look which rules the file has, and under which agent",
          .where = {.file = file, .line = 0, .column = 0, .width = 1, .text = {}}};
}

Result<void> Editor::remove(const Edit& edit, const Owner& owner) {
  const Result<Rule> rule = rule_of(edit);
  if (!rule) return Fail(rule.error());
  const RuleChange change{edit.list, edit.agent, format_rule(*rule)};
  const Node* rules = owner.node->find("rules");
  const Node* list = rules == nullptr ? nullptr : rules->find(name(edit.list));
  if (list == nullptr) return Fail(missing(edit, document().file()));
  std::vector<std::size_t> found = entries_of(*list, change, reading_.tools, Conditions::kNone);
  if (found.empty()) found = entries_of(*list, change, reading_.tools, Conditions::kSome);
  if (found.empty()) return Fail(missing(edit, document().file()));
  // The last first: the places of those before it stay what they are.
  for (std::size_t i = found.size(); i-- > 0;)
    if (Result<void> gone = remove_entry(edit, change, found[i]); !gone) return gone;
  return {};
}

Result<void> Editor::remove_entry(const Edit& edit, const RuleChange& change, std::size_t index) {
  const Result<Owner> owner = owner_of(document(), edit.agent);
  if (!owner) return Fail(owner.error());
  const Node& rules = *owner->node->find("rules");
  const std::size_t key = index_of(rules, name(edit.list));
  Draft draft{without_item(document(), rules, key, index), document().root()};
  Node& copy = same_in(draft.root, document(), *owner);
  Node& list = copy.items[index_of(copy, "rules")].items[key];
  list.items.erase(list.items.begin() + static_cast<std::ptrdiff_t>(index));
  return take(draft, [&](const Reading& before, const Reading& after) {
    return differs_by_rule(after, before, change);
  });
}

Result<void> Editor::set_mode(const Edit& edit, const Owner& owner) {
  const std::optional<Mode> mode = mode_named(edit.mode);
  if (!mode)
    return Fail({.code = "unknown-mode",
                 .message = "unknown mode `" + shortened(edit.mode) + "`",
                 .hint = did_you_mean(edit.mode, "modes", mode_names()),
                 .where = {}});
  const Node* old = owner.node->find("mode");
  if (old != nullptr && mode_named(old->text) == mode) return {};
  Node value = scalar_node(edit.mode, place_of(document(), owner));
  Draft draft;
  if (old == nullptr) {
    draft = with_key(owner, "mode", std::move(value));
  } else {
    draft = {with_scalar(document(), *old, value), document().root()};
    Node& copy = same_in(draft.root, document(), owner);
    copy.items[index_of(copy, "mode")] = std::move(value);
  }
  return take(draft, [&](const Reading& before, const Reading& after) {
    return differs_by_mode(before, after, edit.agent);
  });
}

Result<void> Editor::apply(const Edit& edit) {
  const Result<Owner> found = owner_of(document(), edit.agent);
  if (!found) return Fail(found.error());
  switch (edit.kind) {
    case Edit::Kind::kAddRule:
      return add(edit, *found);
    case Edit::Kind::kRemoveRule:
      return remove(edit, *found);
    case Edit::Kind::kSetMode:
      break;
  }
  return set_mode(edit, *found);
}

}  // namespace

Result<std::string> edited(const std::string& text, const std::string& file,
                           std::span<const Edit> edits, const EditContext& context) {
  Result<Reading> reading = reading_of(text, file, context.tools);
  if (!reading) return Fail(std::move(reading).error());
  Editor editor(std::move(*reading), context);
  for (const Edit& edit : edits)
    if (Result<void> applied = editor.apply(edit); !applied)
      return Fail(std::move(applied).error());
  return std::move(editor).text();
}

}  // namespace tollgate::config
