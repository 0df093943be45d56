#include "server/roles_now.h"

#include <algorithm>
#include <set>

namespace tollgate::server {
namespace {

using Entries = std::vector<config::ApproverEntry>;

bool has(const std::vector<std::string>& roles, const std::string& role) {
  return std::ranges::find(roles, role) != roles.end();
}

std::vector<std::string> kept(const Entries& entries, const store::Credential& credential) {
  std::vector<std::string> roles = credential.roles;
  const auto entry = std::ranges::find(entries, credential.name, &config::ApproverEntry::name);
  if (entry != entries.end())
    std::erase_if(roles, [&](const std::string& role) { return !has(entry->roles, role); });
  return roles;
}

}  // namespace

std::vector<std::string> roles_now(const Daemon& daemon, const store::Credential& credential) {
  if (credential.roles.empty()) return {};
  const Entries entries = daemon.parts.policies.settings().approvers;
  if (credential.device.empty()) return kept(entries, credential);
  std::set<std::string> of_person;
  for (const store::Credential& each : daemon.people.all())
    if (each.device.empty() && each.revoked == 0 && each.person == credential.person)
      for (const std::string& role : kept(entries, each)) of_person.insert(role);
  std::vector<std::string> roles = credential.roles;
  std::erase_if(roles, [&](const std::string& role) { return !of_person.contains(role); });
  return roles;
}

}  // namespace tollgate::server
