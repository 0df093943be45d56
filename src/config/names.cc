// Resolving roles and presets.
// Built-in ones are bundles like any other, so that everything after this treats them alike.
// SAFETY: an unknown name or a circle gives nothing, and the error denies all.
#include "config/names.h"

#include <algorithm>

#include "base/edit_distance.h"
#include "policy/roles.h"

namespace tollgate::config {
namespace {

struct PresetRow {
  std::string_view name;
  std::string_view allowed;  // separated by blanks
  std::string_view disallowed;
  bool blocks_wget;  // the default pairs, or `rm -rf /` and curl alone
  bool blocks_anything;
  bool network;
};
constexpr PresetRow kPresets[] = {
    {"read-only", "Read Grep Glob LS", "Bash Write Edit", true, true, true},
    {"development", "Bash Read Write Edit Glob Grep LS", "", false, true, true},
    {"security-audit", "Read Grep", "Bash Write Edit WebFetch", true, true, false},
    {"full-access", "*", "", false, false, true},
};
constexpr std::string_view kPresetNames[] = {"read-only", "development", "security-audit",
                                             "full-access"};

Position built_in() { return {.file = "built-in", .line = 0, .column = 0, .width = 1, .text = {}}; }

Words words_of(std::string_view text) {
  Words words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back({std::string(text.substr(0, end)), built_in()});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

Bundle preset_of(const PresetRow& row) {
  Bundle bundle;
  bundle.name = row.name;
  bundle.where = built_in();
  bundle.allowed_tools = {words_of(row.allowed), built_in()};
  bundle.disallowed_tools = words_of(row.disallowed);
  std::vector<BashPair> pairs;
  if (row.blocks_anything) pairs.push_back({"rm", "-rf /", built_in()});
  if (row.blocks_wget) pairs.push_back({"rm", "-rf ~", built_in()});
  if (row.blocks_anything) pairs.push_back({"curl", "*", built_in(), true});
  if (row.blocks_wget) pairs.push_back({"wget", "*", built_in(), true});
  bundle.workspace.blocked_bash = std::move(pairs);
  if (!row.blocks_anything) bundle.workspace.blocked_paths = Words{};
  if (!row.network) bundle.workspace.allow_network = {false, built_in()};
  return bundle;
}

const std::vector<Bundle>& presets() {
  static const std::vector<Bundle> all = [] {
    std::vector<Bundle> made;
    for (const PresetRow& row : kPresets) made.push_back(preset_of(row));
    return made;
  }();
  return all;
}

const std::vector<Bundle>& roles() {
  static const std::vector<Bundle> all = [] {
    std::vector<Bundle> made;
    for (const BuiltInRole& role : built_in_roles()) {
      Bundle bundle;
      bundle.name = role.name;
      bundle.where = built_in();
      bundle.allowed_tools = {{}, built_in()};
      for (std::string_view tool : role.allowed_tools)
        bundle.allowed_tools->value.push_back({std::string(tool), built_in()});
      made.push_back(std::move(bundle));
    }
    return made;
  }();
  return all;
}

const std::vector<Bundle>& built_ins(Named named) {
  return named == Named::kRole ? roles() : presets();
}

std::string_view noun(Named named) { return named == Named::kRole ? "role" : "preset"; }

// What `own` says on top of what it extends.
Bundle on_top(const Bundle& own, Bundle base) {
  base.name = own.name;
  base.where = own.where;
  if (own.allowed_tools) base.allowed_tools = own.allowed_tools;
  if (own.mode) base.mode = own.mode;
  base.disallowed_tools.insert(base.disallowed_tools.end(), own.disallowed_tools.begin(),
                               own.disallowed_tools.end());
  base.rules.insert(base.rules.end(), own.rules.begin(), own.rules.end());
  base.workspace = over(own.workspace, base.workspace);
  return base;
}

}  // namespace

WorkspaceText over(const WorkspaceText& upper, WorkspaceText lower_block) {
  if (upper.present) {
    lower_block.present = true;
    lower_block.where = upper.where;
  }
  if (upper.blocked_bash) lower_block.blocked_bash = upper.blocked_bash;
  if (upper.blocked_paths) lower_block.blocked_paths = upper.blocked_paths;
  if (upper.allow_network) lower_block.allow_network = upper.allow_network;
  if (upper.allowed_hosts) lower_block.allowed_hosts = upper.allowed_hosts;
  if (upper.outside_asks) lower_block.outside_asks = upper.outside_asks;
  return lower_block;
}

std::span<const std::string_view> built_in_presets() { return kPresetNames; }

Asker asker_of(const Statement& statement) {
  if (statement.is_project()) return Asker::kProject;
  return statement.source == ConfigSource::kManaged ? Asker::kManaged : Asker::kUser;
}

Names::Names(const std::vector<Statement>& statements, std::vector<Diagnostic>& out) : out_(out) {
  for (const Statement& statement : statements) {
    if (statement.is_project() && !statement.trusted) continue;
    add(Named::kRole, statement.roles, asker_of(statement));
    add(Named::kPreset, statement.presets, asker_of(statement));
  }
  for (const auto& [key, each] : definitions_)
    chain(key.first, {each.bundle->name, each.bundle->where}, each.by);
}

void Names::add(Named named, const std::vector<Bundle>& bundles, Asker by) {
  for (const Bundle& bundle : bundles) {
    const Bundle* other = definition(named, bundle.name, Asker::kProject).bundle;
    if (other == nullptr) {
      definitions_[{named, bundle.name}] = {&bundle, by};
      continue;
    }
    const bool fixed = other->where.file == "built-in";
    out_.push_back({fixed ? Severity::kError : Severity::kWarning,
                    {.code = "name-taken",
                     .message = "the " + std::string(noun(named)) + " `" + bundle.name +
                                (fixed ? "` is built in and cannot be changed"
                                       : "` is defined already, at " + place_name(other->where)),
                     .hint = fixed ? "choose another name, with `extends: " + bundle.name + "`"
                                   : "the more trusted file is heard; choose another name",
                     .where = bundle.where}});
  }
}

Names::Definition Names::definition(Named named, std::string_view name, Asker asker) const {
  for (const Bundle& bundle : built_ins(named))
    if (bundle.name == name) return {&bundle, Asker::kManaged};
  const auto found = definitions_.find({named, name});
  if (found == definitions_.end() || found->second.by > asker) return {};
  return found->second;
}

void Names::unknown(Named named, const Said<std::string>& name, Asker asker) {
  std::vector<std::string_view> known;
  for (const Bundle& bundle : built_ins(named)) known.push_back(bundle.name);
  for (const auto& [key, each] : definitions_)
    if (key.first == named && each.by <= asker) known.push_back(key.second);
  const std::string word(noun(named));
  out_.push_back({Severity::kError,
                  {.code = "unknown-" + word,
                   .message = "unknown " + word + " `" + name.value + "`",
                   .hint = did_you_mean(name.value, word + "s", known),
                   .where = name.where}});
}

void Names::circle(Named named, const Bundle& bundle, const Position& where) {
  out_.push_back(
      {Severity::kError,
       {.code = "extends-circle",
        .message = "the " + std::string(noun(named)) + " `" + bundle.name + "` extends itself",
        .hint = "break the circle of `extends`",
        .where = where}});
}

void Names::too_deep(Named named, const Said<std::string>& name) {
  if (!deep_.insert(named).second) return;
  const std::string word(noun(named));
  out_.push_back({Severity::kError,
                  {.code = "extends-too-deep",
                   .message = "the " + word + " `" + name.value + "` extends more than " +
                              std::to_string(kMaxExtends) + " others, one through the other",
                   .hint = "let it extend a " + word + " nearer to the beginning of the chain",
                   .where = name.where}});
}

std::vector<const Bundle*> Names::chain(Named named, const Said<std::string>& name, Asker asker) {
  std::vector<const Bundle*> chain;
  Said<std::string> next = name;
  for (;;) {
    const Definition found = definition(named, next.value, asker);
    const Bundle* bundle = found.bundle;
    if (bundle == nullptr) {
      unknown(named, next, asker);
      return {};
    }
    if (std::find(chain.begin(), chain.end(), bundle) != chain.end()) {
      circle(named, *bundle, next.where);
      return {};
    }
    if (chain.size() > kMaxExtends) {
      too_deep(named, name);
      return {};
    }
    chain.push_back(bundle);
    if (!bundle->extends) return chain;
    next = *bundle->extends;
    asker = found.by;  // it is the definition that refers to the next name
  }
}

std::optional<Bundle> Names::find(Named named, const Said<std::string>& name, Asker asker) {
  const std::vector<const Bundle*> found = chain(named, name, asker);
  if (found.empty()) return std::nullopt;
  Bundle whole = *found.back();
  for (auto each = found.rbegin() + 1; each != found.rend(); ++each)
    whole = on_top(**each, std::move(whole));
  return whole;
}

}  // namespace tollgate::config
