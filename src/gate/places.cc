// The tables. A row that begins with a dot is a component anywhere, or two of which the first one
// counts as well where a path ends with it; one that begins with `~/` lies in the home directory;
// one that begins with `/` is absolute. Rows cover all that lies below them.
#include "gate/places.h"

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/inline_text.h"
#include "base/name_set.h"
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
    {".cargo/config", "cargo's configuration"},
    {".cargo/config.toml", "cargo's configuration"},
    {".cargo/credentials", "cargo's credentials"},
    {".cargo/credentials.toml", "cargo's credentials"},
    {".cargo/env", "cargo's configuration"},
    {".mvn", "Maven's configuration"},
    {".yarnrc", "yarn's configuration"},
    {".yarnrc.yml", "yarn's configuration"},
    {".yarn/releases", "programs that yarn starts"},
    {".yarn/plugins", "programs that yarn starts"},
    {".poetry/plugins", "programs that poetry starts"},
    {".pdm-plugins", "programs that pdm starts"},
    {".pdm-python", "the choice of a python"},
    {".pnpmfile.cjs", "pnpm's configuration"},
    {".pnpmfile.mjs", "pnpm's configuration"},
    {".tool-versions", "a list of programs to start"},
    {".mise", "a list of programs to start"},
    {".mise.toml", "a list of programs to start"},
    {".mise.local.toml", "a list of programs to start"},
    {".config/mise", "a list of programs to start"},
    {".config/mise.toml", "a list of programs to start"},
    {".sbtopts", "sbt's configuration"},
    {".jvmopts", "sbt's configuration"},
    {".bazelrc", "bazel's configuration"},
    {".bazeliskrc", "bazel's configuration"},
    {".bazelversion", "bazel's configuration"},
    {".bundle", "bundler's configuration"},
    {".hg", "Mercurial's own files"},
    {".jj", "Jujutsu's own files"},
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
    {"~/.hgrc", "Mercurial's configuration"},
    {"~/.config/hg", "Mercurial's configuration"},
    {"~/.config/jj", "Jujutsu's configuration"},
    {"~/.config/go", "go's configuration"},
    {"~/.config/gh", "gh's configuration"},
    {"~/.local/share/gh", "programs that gh starts"},
    {"~/.terraformrc", "terraform's configuration"},
    {"~/.tofurc", "terraform's configuration"},
    {"~/.kube", "kubectl's configuration"},
    {"~/.aws", "the configuration of aws"},
    {"~/.docker/config.json", "docker's configuration"},
    {"~/.docker/cli-plugins", "programs that docker starts"},
    {"~/.gnupg", "gpg's configuration"},
    {"~/.mavenrc", "Maven's configuration"},
    {"~/.m2/settings.xml", "Maven's configuration"},
    {"~/.m2/extensions.xml", "Maven's configuration"},
    {"~/.gradle/init.d", "gradle's configuration"},
    {"~/.gradle/init.gradle", "gradle's configuration"},
    {"~/.gradle/gradle.properties", "gradle's configuration"},
    {"~/.psqlrc", "psql's start-up file"},
    {"~/.sqliterc", "sqlite's start-up file"},
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
    {".my.cnf", "stored passwords"},
    {".mylogin.cnf", "stored passwords"},
    {"~/.cargo/credentials", "registry credentials"},
    {"~/.cargo/credentials.toml", "registry credentials"},
    {"~/.gem/credentials", "registry credentials"},
    {"~/.m2/settings.xml", "registry credentials"},
    {"~/.terraform.d/credentials.tfrc.json", "cloud credentials"},
    {"~/.config/rclone", "cloud credentials"},
    {"~/.s3cfg", "cloud credentials"},
    {"~/.boto", "cloud credentials"},
    {"~/.vault-token", "stored passwords"},
    {"~/.config/op", "stored passwords"},
    {"~/.config/hub", "GitHub credentials"},
    {"~/.config/glab-cli", "GitLab credentials"},
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
    {"/run/secrets", "a container's credentials"},
    {"/var/run/secrets", "a container's credentials"},
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

// Whether a name ends in the path where the directory's does: one look that says no to most.
bool ends_together(std::string_view path, std::string_view directory) {
  return path.size() == directory.size() ||
         (path.size() > directory.size() && path[directory.size()] == '/');
}

bool is_inside_folded(std::string_view path, std::string_view directory) {
  if (directory.empty() || !ends_together(path, directory)) return false;
  if (path.starts_with(directory)) return true;
  for (std::size_t i = 0; i < directory.size(); ++i)
    if (lower(path[i]) != lower(directory[i])) return false;
  return true;
}

bool is_inside_lower(std::string_view path, std::string_view directory) {
  return ends_together(path, directory) && path.starts_with(directory);
}

// is_inside() for paths of which most lie elsewhere.
bool is_inside_quick(std::string_view path, std::string_view directory) {
  return (ends_together(path, directory) || directory.ends_with('/')) && is_inside(path, directory);
}

// A directory that holds the place may be put there as a whole.
bool is_first_of(std::string_view place, std::string_view rest) {
  return place[0] == '.' && rest.size() < place.size() && place[rest.size()] == '/' &&
         place.starts_with(rest);
}

bool lies_below(std::string_view path, std::string_view directory) {
  return path.size() > directory.size() + 1 && is_inside_folded(path, directory);
}

// A path in lower case, and what of it lies in the home directory.
struct Folded {
  explicit Folded(std::string_view path, const Situation& situation) {
    text.append_lower(path);
    const Place& home = situation.home;
    if (lies_below(path, home.written))
      below_home = text.view().substr(home.written.size() + 1);
    else if (home.real != home.written && lies_below(path, home.real))
      below_home = text.view().substr(home.real.size() + 1);
  }
  InlineText text;
  std::string_view below_home;  // "" when it lies elsewhere
};

// With the path from each component on that begins with a dot.
template <class Visit>
std::string_view each_hidden_component(std::string_view path, const Visit& visit) {
  for (std::size_t at = path.find('.'); at != path.npos; at = path.find('.', at + 1)) {
    if (at > 0 && path[at - 1] != '/') continue;
    if (const std::string_view name = visit(path.substr(at)); !name.empty()) return name;
  }
  return {};
}

constexpr std::string_view kSystem[] = {"/etc/", "/var/", "/run/"};
constexpr std::size_t kSystemEnd = 4;  // where each of them has its second slash
static_assert(std::ranges::all_of(kSystem, [](std::string_view one) {
  return one.size() == kSystemEnd + 1 && one.find('/', 1) == kSystemEnd;
}));

constexpr bool is_system_path(std::string_view path) {
  return std::ranges::any_of(kSystem, [&](std::string_view one) { return path.starts_with(one); });
}

// Whether some row could be about the path: every row has a component that begins with a dot, or
// is a system path. In any letter case.
bool may_have_row(std::string_view path) {
  for (std::size_t at = path.find('.'); at != path.npos; at = path.find('.', at + 1))
    if (at == 0 || path[at - 1] == '/') return true;
  return path.size() > kSystemEnd && path[kSystemEnd] == '/' &&
         std::ranges::any_of(kSystem,
                             [&](std::string_view one) { return lower(path[1]) == one[1]; });
}

// What find_row relies on to pass by most paths without a look at the rows.
constexpr bool are_regular(std::span<const Row> rows) {
  for (const Row& row : rows) {
    const bool home = row.path.starts_with("~/.");
    const bool name = row.path[0] == '.';
    if (!home && !name && !is_system_path(row.path)) return false;
  }
  return true;
}
static_assert(are_regular(kGuarded) && are_regular(kSensitive));

// The letters that stand behind the first dot of a row, one bit each.
constexpr std::uint32_t second_letter(std::string_view path) {
  return path.size() < 2 ? 0 : 1u << (static_cast<unsigned char>(path[1]) & 31);
}
constexpr std::uint32_t second_letters(std::span<const Row> rows) {
  std::uint32_t letters = 0;
  for (const Row& row : rows)
    if (row.path[0] == '.') letters |= second_letter(row.path);
  return letters;
}

template <std::size_t kSize>
std::string_view find_row(const Folded& path, const Row (&rows)[kSize], std::uint32_t letters) {
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
  return each_hidden_component(text, [&](std::string_view rest) -> std::string_view {
    if ((second_letter(rest) & letters) == 0) return {};
    for (const Row& row : rows)
      if (is_inside_lower(rest, row.path) || is_first_of(row.path, rest)) return row.name;
    return {};
  });
}

// Files that say which program is started, and have no dot before their name.
constexpr Row kProgramFiles[] = {
    {"opencode.json", "an agent's configuration"},
    {"opencode.jsonc", "an agent's configuration"},
    {"rust-toolchain", "the choice of a compiler"},
    {"rust-toolchain.toml", "the choice of a compiler"},
    {"mise.toml", "a list of programs to start"},
    {"mise.local.toml", "a list of programs to start"},
    {"pyvenv.cfg", "python's configuration"},
    {"toxfile.py", "a program that tox starts"},
    {"global.json", "the choice of a compiler"},
};

// Directories of programs that python's tools start.
constexpr std::string_view kProgramPlaces[] = {"/.venv/bin", "/venv/bin", "/.venv/scripts"};

// Files without a dot before their name that say which program is started. `folded` is in lower
// case.
std::string_view named_program(std::string_view folded) {
  const std::string_view last = base_name(folded);
  for (const Row& row : kProgramFiles)
    if (last == row.path) return row.name;
  // Whatever bazel is asked, it asks this one first.
  if (folded.ends_with("/tools/bazel")) return "a program that bazel starts";
  // Python's tools ask the python of the environment. The environment itself may be made.
  if (folded.find("venv/") != folded.npos)
    for (const std::string_view programs : kProgramPlaces)
      if (folded.ends_with(programs) || folded.find(std::string(programs) + "/") != folded.npos)
        return "programs that python's tools start";
  // python runs these whenever it starts.
  const bool packages =
      folded.find("-packages/") != folded.npos && (folded.find("/site-packages/") != folded.npos ||
                                                   folded.find("/dist-packages/") != folded.npos);
  if (packages &&
      (last.ends_with(".pth") || last == "sitecustomize.py" || last == "usercustomize.py"))
    return "python's start-up files";
  return {};
}

// Whether named_program() could find something: the last component, or the end of an earlier one.
bool may_be_named_program(std::string_view path) {
  static constexpr NameSet kLast({"opencode.json", "opencode.jsonc", "rust-toolchain",
                                  "rust-toolchain.toml", "mise.toml", "mise.local.toml",
                                  "pyvenv.cfg", "toxfile.py", "global.json", "bazel"});
  static_assert(std::ranges::all_of(
      kProgramFiles, [](std::string_view name) { return kLast.has(name); }, &Row::path));
  std::size_t last = 0;
  for (std::size_t at = path.find('/'); at != path.npos; at = path.find('/', last)) {
    last = at + 1;
    const bool venv = at >= 4 && lower(path[at - 1]) == 'v' && lower(path[at - 4]) == 'v';
    const bool packages = at >= 9 && lower(path[at - 1]) == 's' && path[at - 9] == '-';
    if (venv || packages) return true;
  }
  InlineText name;
  name.append_lower(path.substr(last));
  return kLast.has(name.view());
}

constexpr std::string_view kExampleEnds[] = {"example", "sample",   "template",
                                             "dist",    "defaults", "test"};

bool is_env_file(std::string_view name) {
  if (!name.starts_with(".env")) return false;
  const std::size_t dot = name.find_last_of(".-_");
  return dot == 0 ||
         std::ranges::find(kExampleEnds, name.substr(dot + 1)) == std::end(kExampleEnds);
}

constexpr NameSet kKeyEnds({"pem", "key", "p12", "pfx", "jks", "keystore", "ppk"});
constexpr std::size_t kShortEnd = 3, kLongEnd = 8;
static_assert(std::ranges::all_of(kKeyEnds.names(), [](std::string_view end) {
  return end.size() == kShortEnd || end.size() == kLongEnd;
}));
constexpr std::string_view kKeyStarts[] = {"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"};
static_assert(std::ranges::all_of(kKeyStarts,
                                  [](std::string_view start) { return start.starts_with("id_"); }));

// Whether is_key_file() could say yes; in any letter case. Most names end in another length.
bool may_be_key_file(std::string_view name) {
  const auto ends_behind = [&](std::size_t size) {
    return name.size() > size && name[name.size() - size - 1] == '.';
  };
  return ends_behind(kShortEnd) || ends_behind(kLongEnd) ||
         (name.size() > 3 &&
          ((lower(name[0]) == 'i' && name[2] == '_') || (lower(name[0]) == 's' && name[3] == '_')));
}

bool is_key_file(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  const std::string_view end = dot == name.npos ? std::string_view() : name.substr(dot + 1);
  if (end == "pub") return false;
  if (name.starts_with("id_"))
    for (const std::string_view start : kKeyStarts)
      if (name.starts_with(start)) return true;
  if (name.starts_with("ssh_host_") && name.ends_with("_key")) return true;
  return dot != 0 && kKeyEnds.has(end);
}

}  // namespace

bool inside_places(std::string_view written, std::string_view real,
                   const std::vector<Place>& places) {
  return std::ranges::any_of(places, [&](const Place& place) {
    return is_inside_quick(written, place.written) && is_inside_quick(real, place.real);
  });
}

namespace {

// What passes by most paths without a look at the tables; a test asks without it, too.
enum class Filter : bool { kOff, kOn };

template <Filter kFilter>
std::string_view guarded(std::string_view path, const Situation& situation) {
  if (path.empty()) return {};
  if (kFilter == Filter::kOff || may_have_row(path) || may_be_named_program(path)) {
    static constexpr std::uint32_t kLetters =
        kFilter == Filter::kOn ? second_letters(kGuarded) : ~0u;
    const Folded folded(path, situation);
    if (const auto name = find_row(folded, kGuarded, kLetters); !name.empty()) return name;
    if (const auto name = named_program(folded.text.view()); !name.empty()) return name;
  }
  for (const Place& directory : situation.path_dirs)
    if (is_inside_quick(path, directory.written) || is_inside_quick(path, directory.real))
      return "a directory of programs";
  return {};
}

template <Filter kFilter>
std::string_view sensitive(std::string_view path, const Situation& situation) {
  if (path.empty()) return {};
  if (kFilter == Filter::kOff || may_have_row(path)) {
    static constexpr std::uint32_t kLetters =
        kFilter == Filter::kOn ? second_letters(kSensitive) : ~0u;
    const Folded folded(path, situation);
    if (const auto found = find_row(folded, kSensitive, kLetters); !found.empty()) return found;
  }
  const std::string_view written = base_name(path);
  const bool process = path.starts_with("/proc/");
  if (kFilter == Filter::kOn && !process && !written.starts_with('.') && !may_be_key_file(written))
    return {};
  InlineText last;
  last.append_lower(written);
  const std::string_view name = last.view();
  if (process && name == "environ") return "another process's environment";
  if (is_env_file(name)) return "an environment file";
  if (is_key_file(name)) return "a private key";
  return {};
}

}  // namespace

std::string_view guarded_place(std::string_view path, const Situation& situation) {
  return guarded<Filter::kOn>(path, situation);
}
std::string_view sensitive_place(std::string_view path, const Situation& situation) {
  return sensitive<Filter::kOn>(path, situation);
}
std::string_view guarded_unfiltered(std::string_view path, const Situation& situation) {
  return guarded<Filter::kOff>(path, situation);
}
std::string_view sensitive_unfiltered(std::string_view path, const Situation& situation) {
  return sensitive<Filter::kOff>(path, situation);
}

std::vector<std::string_view> place_rows() {
  std::vector<std::string_view> paths;
  for (const std::span<const Row> rows :
       {std::span<const Row>(kGuarded), std::span<const Row>(kSensitive),
        std::span<const Row>(kProgramFiles)})
    for (const Row& row : rows) paths.push_back(row.path);
  for (const std::string_view end : kKeyEnds.names()) paths.push_back(end);
  for (const std::string_view start : kKeyStarts) paths.push_back(start);
  for (const std::string_view part : kProgramPlaces) paths.push_back(part);
  return paths;
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
    return (!place.written.empty() && is_inside_quick(place.written, path)) ||
           (!place.real.empty() && is_inside_quick(place.real, path));
  };
  if (holds(situation.home)) return "the home directory";
  for (const Place& root : situation.roots)
    if (holds(root)) return "a workspace root";
  if (holds(situation.base)) return "the session's directory";
  if (holds(situation.cwd)) return "the current directory";
  return {};
}

}  // namespace tollgate
