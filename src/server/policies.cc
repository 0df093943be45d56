// Reading is done outside the lock, so that a slow disk holds up nobody who has a policy already.
#include "server/policies.h"

#include <algorithm>
#include <utility>

#include "config/own_places.h"
#include "effects/effects.h"
#include "policy/policy_view.h"

namespace tollgate::server {
namespace {

// LIMIT: sessions stand in many directories; so many policies are kept at once.
constexpr std::size_t kMostEntries = 256;

std::vector<Diagnostic> errors_in(const std::vector<Diagnostic>& all) {
  std::vector<Diagnostic> errors;
  for (const Diagnostic& each : all)
    if (each.severity == Severity::kError) errors.push_back(each);
  return errors;
}

// A file that could not be looked at or read may be readable the next time without having changed.
bool is_unread(const std::vector<Diagnostic>& errors) {
  return std::ranges::any_of(errors, [](const Diagnostic& each) {
    return each.error.code == "file-unreadable" || each.error.code == "file-missing";
  });
}

}  // namespace

Policies::Policies(PolicyFiles files) : files_(std::move(files)) { own_ = read({"/", ""}); }

config::LoadOptions Policies::options_for(const Key& key) const {
  config::LoadOptions options;
  options.config_file = files_.config_file;
  options.managed_file = files_.managed_file;
  options.environment = &files_.environment;
  options.data_dir = files_.data_dir;
  options.cwd = key.first;
  options.agent = key.second;
  options.read_effects = [this](const ToolCall& call, std::span<const ToolDeclaration> declared) {
    return effects_of(call, declared, files_.home);
  };
  return options;
}

std::vector<Diagnostic> Policies::errors_with(const std::string& text) const {
  config::LoadOptions options = options_for({"/", ""});
  if (options.config_file.empty())
    options.config_file = config::user_file(files_.environment, files_.home);
  options.config_text = text;
  return errors_in(config::load(options).diagnostics);
}

Policies::Entry Policies::read(const Key& key) const {
  const config::LoadOptions options = options_for(key);
  config::Loaded loaded = config::load(options);
  Entry entry;
  entry.ground.policy = std::make_shared<const Policy>(compile(loaded.set));
  entry.ground.plan.walk = PolicyView(*entry.ground.policy).walks();
  entry.ground.plan.home = files_.home;
  entry.ground.plan.gate = config::own_places(options, files_.home, files_.program);
  entry.settings = std::move(loaded.settings);
  entry.sources = std::move(loaded.sources);
  entry.errors = errors_in(loaded.diagnostics);
  return entry;
}

bool Policies::is_stale(const Entry& entry) const {
  return is_unread(entry.errors) || !std::ranges::all_of(entry.sources, config::is_fresh);
}

Ground Policies::at(const std::string& cwd, const std::string& agent) {
  const Key key(cwd, agent);
  {
    const std::scoped_lock lock(mutex_);
    const auto found = entries_.find(key);
    if (found != entries_.end()) {
      found->second.used = ++uses_;
      return found->second.ground;
    }
  }
  Entry fresh = read(key);
  const std::scoped_lock lock(mutex_);
  if (entries_.size() >= kMostEntries) {
    const auto oldest =
        std::ranges::min_element(entries_, {}, [](const auto& each) { return each.second.used; });
    entries_.erase(oldest);
    // SAFETY: its files are no longer looked at, so what was made of it counts no more.
    ++revision_;
  }
  Entry& entry = entries_.try_emplace(key, std::move(fresh)).first->second;
  entry.used = ++uses_;
  return entry.ground;
}

std::vector<Reload> Policies::refresh(Which which) {
  std::vector<Key> stale;
  bool own_stale = which == Which::kAll;
  {
    const std::scoped_lock lock(mutex_);
    own_stale = own_stale || is_stale(own_);
    for (const auto& [key, entry] : entries_)
      if (which == Which::kAll || is_stale(entry)) stale.push_back(key);
  }
  std::vector<Reload> reloads;
  if (own_stale) renew({"/", ""}, Own::kYes, reloads);
  for (const Key& key : stale) renew(key, Own::kNo, reloads);
  return reloads;
}

void Policies::renew(const Key& key, Own own, std::vector<Reload>& reloads) {
  Entry fresh = read(key);
  const std::scoped_lock lock(mutex_);
  const auto found = entries_.find(key);
  if (own == Own::kNo && found == entries_.end()) return;
  Entry& entry = own == Own::kYes ? own_ : found->second;
  // What is tried again and fails as before is told once.
  if (!is_unread(fresh.errors) || fresh.errors != entry.errors)
    reloads.push_back({key.first, key.second, fresh.ground.policy->rule_count(), fresh.errors});
  // SAFETY: the last good policy holds; the stamps are the new ones, so that the file is read again
  // when it changes and not before.
  if (fresh.ground.policy->broken() && !entry.ground.policy->broken()) {
    entry.sources = std::move(fresh.sources);
    entry.errors = std::move(fresh.errors);
    return;
  }
  fresh.used = entry.used;
  entry = std::move(fresh);
  ++revision_;
}

std::vector<Diagnostic> Policies::errors() const {
  const std::scoped_lock lock(mutex_);
  std::vector<Diagnostic> all = own_.errors;
  for (const auto& [key, entry] : entries_)
    for (const Diagnostic& each : entry.errors)
      if (std::ranges::find(all, each) == all.end()) all.push_back(each);
  return all;
}

config::Settings Policies::settings() const {
  const std::scoped_lock lock(mutex_);
  return own_.settings;
}

std::vector<AgentPolicy> Policies::agents() const {
  const std::scoped_lock lock(mutex_);
  return own_.ground.policy->agents();
}

}  // namespace tollgate::server
