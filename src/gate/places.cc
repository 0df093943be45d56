// The tables. A row without a slash is a component anywhere; one that begins with `~/` lies in
// the home directory; one that begins with `/` is absolute. Rows cover all that lies below them.
#include "gate/places.h"

#include <algorithm>
#include <span>

#include "base/inline_text.h"
#include "base/path.h"
#include "base/text.h"

namespace tollgate {
namespace {

struct Row {
  std::string_view path;
  std::string_view name;
};

constexpr Row kGuarded[] = {
    {".git", "git's own files"},
    {".gitmodules", "git's own files"},
    {".envrc", "direnv's start-up file"},
    {".husky", "git hooks"},
    {".terraform", "programs that terraform starts"},
    {".vscode", "an editor's configuration"},
    {".idea", "an editor's configuration"},
    {".mcp.json", "an MCP configuration"},
    {".npmrc", "npm's configuration"},
    {".claude", "an agent's configuration"},
    {".claude.json", "an agent's configuration"},
    {".codex", "an agent's configuration"},
    {".gemini", "an agent's configuration"},
    {".copilot", "an agent's configuration"},
    {".opencode", "an agent's configuration"},
    {".kiro", "an agent's configuration"},
    {".amazonq", "an agent's configuration"},
    {".kimi", "an agent's configuration"},
    {".kimi-code", "an agent's configuration"},
    {".cursor", "an agent's configuration"},
    {".agentic", "an agent's configuration"},
    {".grok", "an agent's configuration"},
    {".antigravity", "an agent's configuration"},
    {"~/.config/opencode", "an agent's configuration"},
    {"~/.aws/amazonq", "an agent's configuration"},
    {"~/.bashrc", "a shell start-up file"},
    {"~/.bash_profile", "a shell start-up file"},
    {"~/.bash_login", "a shell start-up file"},
    {"~/.bash_logout", "a shell start-up file"},
    {"~/.bash_aliases", "a shell start-up file"},
    {"~/.cshrc", "a shell start-up file"},
    {"~/.tcshrc", "a shell start-up file"},
    {"~/.login", "a shell start-up file"},
    {"~/.logout", "a shell start-up file"},
    {"~/.xprofile", "a session's start-up file"},
    {"~/.xsessionrc", "a session's start-up file"},
    {"~/.config/environment.d", "a session's start-up file"},
    {"~/.pam_environment", "a session's start-up file"},
    {"~/.config/npm", "npm's configuration"},
    {"~/.profile", "a shell start-up file"},
    {"~/.zshrc", "a shell start-up file"},
    {"~/.zshenv", "a shell start-up file"},
    {"~/.zprofile", "a shell start-up file"},
    {"~/.zlogin", "a shell start-up file"},
    {"~/.inputrc", "a shell start-up file"},
    {"~/.config/fish", "a shell start-up file"},
    {"~/.ssh", "ssh's configuration"},
    {"~/.gitconfig", "git's configuration"},
    {"~/.config/git", "git's configuration"},
    {"~/.config/pip", "pip's configuration"},
    {"~/.pip", "pip's configuration"},
    {"~/.cargo/config", "cargo's configuration"},
    {"~/.cargo/config.toml", "cargo's configuration"},
    {"~/.cargo/env", "cargo's configuration"},
    {"~/.config/systemd", "a systemd user unit"},
    {"~/.local/share/systemd", "a systemd user unit"},
    {"~/.config/autostart", "an autostart entry"},
    {"/etc/cron.d", "a cron table"},
    {"/etc/crontab", "a cron table"},
    {"/etc/cron.daily", "a cron table"},
    {"/etc/cron.hourly", "a cron table"},
    {"/etc/cron.weekly", "a cron table"},
    {"/etc/cron.monthly", "a cron table"},
    {"/var/spool/cron", "a cron table"},
    {"/etc/profile", "a shell start-up file"},
    {"/etc/profile.d", "a shell start-up file"},
    {"/etc/bash.bashrc", "a shell start-up file"},
    {"/etc/ld.so.preload", "the loader's configuration"},
};

constexpr Row kSensitive[] = {
    {"~/.ssh", "ssh keys"},
    {"~/.aws", "cloud credentials"},
    {"~/.gnupg", "private keys"},
    {"~/.kube", "cluster credentials"},
    {"~/.config/gh", "GitHub credentials"},
    {"~/.config/gcloud", "cloud credentials"},
    {"~/.azure", "cloud credentials"},
    {"~/.docker/config.json", "registry credentials"},
    {".netrc", "stored passwords"},
    {".npmrc", "registry credentials"},
    {".pypirc", "registry credentials"},
    {".git-credentials", "stored passwords"},
    {".pgpass", "stored passwords"},
    {".htpasswd", "stored passwords"},
    {".bash_history", "a shell history"},
    {".zsh_history", "a shell history"},
    {".psql_history", "a shell history"},
    {".mysql_history", "a shell history"},
    {".python_history", "a shell history"},
    {".node_repl_history", "a shell history"},
    {"~/.local/share/fish/fish_history", "a shell history"},
    {"~/.mozilla", "a browser profile"},
    {"~/.config/google-chrome", "a browser profile"},
    {"~/.config/chromium", "a browser profile"},
    {"~/.config/bravesoftware", "a browser profile"},
    {"~/.local/share/keyrings", "a keyring"},
    {"~/.password-store", "stored passwords"},
    {"~/.config/keepassxc", "stored passwords"},
    {"~/.claude/.credentials.json", "an agent's credentials"},
    {"~/.codex/auth.json", "an agent's credentials"},
    {"~/.gemini/oauth_creds.json", "an agent's credentials"},
    {"~/.config/github-copilot", "an agent's credentials"},
    {"~/.copilot/config.json", "an agent's credentials"},
    {"~/.local/share/opencode/auth.json", "an agent's credentials"},
    {"/etc/shadow", "the password file"},
    {"/etc/shadow-", "the password file"},
    {"/etc/gshadow", "the password file"},
    {"/etc/sudoers", "the sudo rules"},
};

constexpr Row kVital[] = {
    {"/", "the whole file system"},          {"/bin", "a system directory"},
    {"/boot", "a system directory"},         {"/dev", "a system directory"},
    {"/etc", "a system directory"},          {"/home", "every home directory"},
    {"/lib", "a system directory"},          {"/lib32", "a system directory"},
    {"/lib64", "a system directory"},        {"/opt", "a system directory"},
    {"/proc", "a system directory"},         {"/root", "a home directory"},
    {"/run", "a system directory"},          {"/sbin", "a system directory"},
    {"/srv", "a system directory"},          {"/sys", "a system directory"},
    {"/usr", "a system directory"},          {"/usr/bin", "a system directory"},
    {"/usr/lib", "a system directory"},      {"/usr/local", "a system directory"},
    {"/usr/sbin", "a system directory"},     {"/usr/share", "a system directory"},
    {"/var", "a system directory"},          {"/var/lib", "a system directory"},
    {"/var/log", "a system directory"},      {"/mnt", "mounted file systems"},
    {"/media", "mounted file systems"},      {"/Users", "every home directory"},
    {"/System", "a system directory"},       {"/Library", "a system directory"},
    {"/Applications", "a system directory"},
};

bool is_inside_folded(std::string_view path, std::string_view directory) {
  if (directory.empty() || path.size() < directory.size()) return false;
  for (std::size_t i = 0; i < directory.size(); ++i)
    if (lower(path[i]) != lower(directory[i])) return false;
  return path.size() == directory.size() || path[directory.size()] == '/';
}

bool is_inside_lower(std::string_view path, std::string_view directory) {
  return path.starts_with(directory) &&
         (path.size() == directory.size() || path[directory.size()] == '/');
}

// A path in lower case, and what of it lies in the home directory.
struct Folded {
  explicit Folded(std::string_view path, const Situation& situation) {
    text.append_lower(path);
    for (const std::string* home : {&situation.home.written, &situation.home.real}) {
      if (path.size() <= home->size() + 1 || !is_inside_folded(path, *home)) continue;
      below_home = text.view().substr(home->size() + 1);
      break;
    }
  }
  InlineText text;
  std::string_view below_home;  // "" when it lies elsewhere
};

template <class Visit>
std::string_view each_component(std::string_view path, const Visit& visit) {
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    if (const std::string_view name = visit(path.substr(at, slash - at)); !name.empty())
      return name;
    at = slash + 1;
  }
  return {};
}

constexpr bool is_system_path(std::string_view path) {
  return path.starts_with("/etc/") || path.starts_with("/var/");
}

// What find_row relies on to pass by most paths without a look at the rows.
constexpr bool are_regular(std::span<const Row> rows) {
  for (const Row& row : rows) {
    const bool home = row.path.starts_with("~/.");
    const bool name = row.path[0] == '.' && row.path.find('/') == row.path.npos;
    if (!home && !name && !is_system_path(row.path)) return false;
  }
  return true;
}
static_assert(are_regular(kGuarded) && are_regular(kSensitive));

std::string_view find_row(const Folded& path, std::span<const Row> rows) {
  const std::string_view text = path.text.view();
  const bool system = is_system_path(text);
  const bool hidden = path.below_home.starts_with('.');
  if (system || hidden) {
    for (const Row& row : rows) {
      if (system && row.path[0] == '/' && is_inside_lower(text, row.path)) return row.name;
      if (hidden && row.path[0] == '~' && is_inside_lower(path.below_home, row.path.substr(2)))
        return row.name;
    }
  }
  return each_component(text, [&](std::string_view component) -> std::string_view {
    if (component.empty() || component[0] != '.') return {};
    for (const Row& row : rows)
      if (row.path == component) return row.name;
    return {};
  });
}

constexpr std::string_view kExampleEnds[] = {"example", "sample",   "template",
                                             "dist",    "defaults", "test"};

bool is_env_file(std::string_view name) {
  if (!name.starts_with(".env")) return false;
  const std::size_t dot = name.find_last_of(".-_");
  return dot == 0 ||
         std::ranges::find(kExampleEnds, name.substr(dot + 1)) == std::end(kExampleEnds);
}

bool is_key_file(std::string_view name) {
  if (name.ends_with(".pub")) return false;
  for (const std::string_view start : {"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"})
    if (name.starts_with(start)) return true;
  for (const std::string_view end : {".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".ppk"})
    if (name.ends_with(end) && name.size() > end.size()) return true;
  return false;
}

}  // namespace

bool is_inside(std::string_view path, std::string_view directory) {
  if (directory.empty() || !path.starts_with(directory)) return false;
  return path.size() == directory.size() || directory.ends_with('/') ||
         path[directory.size()] == '/';
}

bool inside_places(std::string_view written, std::string_view real,
                   const std::vector<Place>& places) {
  return std::ranges::any_of(places, [&](const Place& place) {
    return is_inside(written, place.written) && is_inside(real, place.real);
  });
}

std::string_view guarded_place(std::string_view path, const Situation& situation) {
  if (path.empty()) return {};
  const Folded folded(path, situation);
  if (const auto name = find_row(folded, kGuarded); !name.empty()) return name;
  const std::string_view last = base_name(folded.text.view());
  if (last == "opencode.json" || last == "opencode.jsonc") return "an agent's configuration";
  for (const Place& directory : situation.path_dirs)
    if (is_inside(path, directory.written) || is_inside(path, directory.real))
      return "a directory of programs";
  return {};
}

std::string_view sensitive_place(std::string_view path, const Situation& situation) {
  if (path.empty()) return {};
  const Folded folded(path, situation);
  if (const auto name = find_row(folded, kSensitive); !name.empty()) return name;
  const std::string_view name = base_name(folded.text.view());
  if (path.starts_with("/proc/") && name == "environ") return "another process's environment";
  if (is_env_file(name)) return "an environment file";
  if (is_key_file(name)) return "a private key";
  return {};
}

std::string_view gate_place(std::string_view path, const Situation& situation) {
  for (const Place& place : situation.gate)
    if (is_inside_folded(path, place.written) || is_inside_folded(path, place.real))
      return "the gate's own files";
  return {};
}

std::string_view vital_root(std::string_view path, const Situation& situation) {
  if (path.empty()) return {};
  for (const Row& row : kVital)
    if (path.size() == row.path.size() && is_inside_folded(path, row.path)) return row.name;
  // A directory that holds one of these is lost with it.
  const auto holds = [&](const Place& place) {
    return (!place.written.empty() && is_inside(place.written, path)) ||
           (!place.real.empty() && is_inside(place.real, path));
  };
  if (holds(situation.home)) return "the home directory";
  for (const Place& root : situation.roots)
    if (holds(root)) return "a workspace root";
  if (holds(situation.base)) return "the session's directory";
  if (holds(situation.cwd)) return "the current directory";
  return {};
}

}  // namespace tollgate
