// What the effects of a text have to do with each other: what was fetched and runs, secrets that
// leave, paths through what the text itself makes.
#include <algorithm>
#include <utility>

#include "base/path.h"
#include "effects/shell/walker.h"
#include "effects/subject.h"

namespace tollgate {

// Shell text that is not known; where something is fetched it may be that.
void Walker::unread_shell(std::string why, Span span) {
  if (fetched_somewhere_ || substituted_fetch_ || input_.kind == Input::Kind::kFetched)
    return add_unknown("the shell runs what comes from the network", span, kUnreadFetched);
  seldom_.change().unread.push_back(static_cast<std::uint32_t>(out_.size()));
  add_unknown(std::move(why), span);
}

namespace {

// Programs that bring text from a host, by whatever protocol.
bool brings_text(std::string_view program) {
  constexpr std::string_view kOthers[] = {"dig", "host", "nslookup", "drill",  "whois",
                                          "ftp", "tftp", "lftp",     "telnet", "socat",
                                          "scp", "sftp", "axel",     "gopher", "rclone"};
  return is_fetcher(program) || std::ranges::find(kOthers, base_name(program)) != std::end(kOthers);
}

bool is_unread(const Effect& effect) {
  return effect.kind == EffectKind::kUnknown &&
         (effect.target == kUnreadScript || effect.target == kUnreadShell ||
          effect.target == kUnreadCode || effect.target == kUnreadInput);
}

// Files that a program runs without being told to.
struct Builds {
  std::string_view program, file;
};
constexpr Builds kBuilds[] = {
    {"make", "Makefile"},       {"make", "makefile"},        {"make", "GNUmakefile"},
    {"gmake", "Makefile"},      {"gmake", "GNUmakefile"},    {"ninja", "build.ninja"},
    {"npm", "package.json"},    {"yarn", "package.json"},    {"pnpm", "package.json"},
    {"bun", "package.json"},    {"cmake", "CMakeLists.txt"}, {"pip", "setup.py"},
    {"pip3", "setup.py"},       {"pip", "pyproject.toml"},   {"pip3", "pyproject.toml"},
    {"pytest", "conftest.py"},  {"cargo", "build.rs"},       {"cargo", "Cargo.toml"},
    {"rake", "Rakefile"},       {"just", "justfile"},        {"just", "Justfile"},
    {"gradle", "build.gradle"}, {"mvn", "pom.xml"},          {"bundle", "Gemfile"},
};

// The file itself, what lies below it, or where a pattern looks.
bool is_among(const Effect& effect, const std::unordered_set<std::string>& files) {
  const std::string_view path = effect.path;
  // LIMIT: a path that no system takes.
  constexpr std::size_t kLongest = 4096;
  if (path.empty() || path.size() > kLongest) return true;
  // LIMIT: so many files that looking at each would take too long.
  constexpr std::size_t kMany = 256;
  if (effect.pattern) {
    if (files.size() > kMany) return true;
    const std::string_view parent = path.substr(0, path.find_first_of("*?["));
    return std::ranges::any_of(
        files, [&](const std::string& file) { return std::string_view(file).starts_with(parent); });
  }
  for (std::size_t end = path.size(); end != path.npos && end > 0; end = path.rfind('/', end - 1))
    if (files.contains(std::string(path.substr(0, end)))) return true;
  return false;
}

}  // namespace

bool Walker::fetches_anything() const {
  if (fetched_somewhere_) return true;
  return std::ranges::any_of(out_, [&](const Effect& effect) {
    if (effect.kind != EffectKind::kReach) return false;
    const bool owned = effect.owner < out_.size() && !out_[effect.owner].argv.empty();
    return effect.by == EffectBy::kRedirection ||
           (owned && brings_text(out_[effect.owner].argv[0].text));
  });
}

// Once something is fetched, what runs and was not read may be that: what comes in, text that is
// not known, and files that hold what was fetched.
void Walker::mark_fetched() {
  if (!fetches_anything()) return;
  std::unordered_set<std::string> files;
  RunSet runs = fed_;
  // What a program prints, its wrappers print.
  const auto add_with_wrappers = [&](RunSet& to, std::uint32_t run) {
    while (run < out_.size() && to.add(run)) run = out_[run].owner;
  };
  RunSet bringing;
  for (std::uint32_t i = 0; i < out_.size(); ++i)
    if (!out_[i].argv.empty() && brings_text(out_[i].argv[0].text)) add_with_wrappers(bringing, i);
  const auto find_files = [&] {
    for (const Effect& effect : out_) {
      if (effect.guess != Guess::kNone) continue;
      // A redirection of several commands, or of all that follow, takes what each of them prints.
      const bool common =
          effect.owner >= out_.size() ||
          (!out_[effect.owner].argv.empty() && out_[effect.owner].argv[0].text == "exec");
      if (common && effect.by == EffectBy::kRedirection && is_change_kind(effect.kind) &&
          !effect.path.empty())
        files.insert(effect.path);
      if (effect.owner >= out_.size()) continue;
      const bool brings = bringing.has(effect.owner);
      if (brings && effect.kind == EffectKind::kReach && !effect.url.empty()) {
        // Without a name the file is called as the address ends.
        const std::string_view name = base_name(effect.url);
        for (const std::string& directory : everywhere())
          if (!name.empty()) files.insert(directory + "/" + std::string(name));
      }
      if (!is_path_kind(effect.kind)) continue;
      const bool taken = effect.kind == EffectKind::kRead || effect.kind == EffectKind::kRename;
      if (taken && !effect.path.empty() && is_among(effect, files))
        add_with_wrappers(runs, effect.owner);
      const bool fills = effect.kind != EffectKind::kRead && effect.kind != EffectKind::kDelete &&
                         effect.kind != EffectKind::kMode && !effect.path.empty();
      if (fills && (brings || runs.has(effect.owner))) files.insert(effect.path);
    }
  };
  // What a loop fetches at its end is there when it begins anew.
  find_files();
  find_files();
  for (const std::uint32_t index : seldom_->unread) out_[index].target = kUnreadFetched;
  for (std::size_t i = 0; i < out_.size(); ++i) mark_fetched_file(i, files);
  std::unordered_set<std::string_view> names;
  for (const std::string& file : files) names.insert(base_name(file));
  for (std::size_t i = out_.size(); i-- > 0;) {
    if (out_[i].kind != EffectKind::kRun || out_[i].listed || out_[i].argv.empty()) continue;
    const std::string_view program = base_name(out_[i].argv[0].text);
    const bool builds = std::ranges::any_of(kBuilds, [&](const Builds& one) {
      return one.program == program && names.contains(one.file);
    });
    if (builds)
      add_unknown("`" + std::string(program) + "` runs a fetched file", out_[i].argv[0].span,
                  kUnreadFetched);
  }
}

void Walker::mark_fetched_file(std::size_t index, const std::unordered_set<std::string>& files) {
  const Effect& effect = out_[index];
  if (effect.owner >= out_.size() || !is_path_kind(effect.kind) ||
      effect.kind == EffectKind::kDelete || !is_among(effect, files))
    return;
  if (effect.guess == Guess::kProgram && !effect.path.empty())
    return add_unknown("a fetched file is run", out_[effect.owner].argv[0].span, kUnreadFetched);
  if (effect.kind != EffectKind::kRead || effect.guess != Guess::kNone) return;
  for (std::size_t j = index; j < out_.size() && j < index + 4; ++j)
    if (out_[j].owner == effect.owner && is_unread(out_[j])) out_[j].target = kUnreadFetched;
}

// A secret in a file that the text fills, or in what comes in, goes where the program sends it.
void Walker::mark_secrets() {
  if (secrets_told_ == 0) return;
  std::unordered_set<std::string> files;
  for (const Effect& effect : out_)
    if (is_change_kind(effect.kind) && effect.guess == Guess::kNone && !effect.path.empty() &&
        (secretive_.has(effect.owner) || fed_.has(effect.owner)))
      files.insert(effect.path);
  RunSet given = fed_;
  for (const Effect& effect : out_)
    if (effect.kind == EffectKind::kRead && effect.owner < out_.size() && !effect.path.empty() &&
        effect.target.empty() && !files.empty() && is_among(effect, files))
      given.add(effect.owner);
  for (const Effect& effect : out_)
    if (effect.kind == EffectKind::kReach && effect.owner < out_.size() &&
        given.has(effect.owner) && !out_[effect.owner].argv.empty())
      out_[effect.owner].argv[0].secret = true;
}

bool Walker::unpacks(const Effect& effect) const {
  if (!effect.recursive || effect.owner >= out_.size()) return false;
  const Effect& run = out_[effect.owner];
  return run.kind == EffectKind::kRun && !run.argv.empty() && is_unpacker(run.argv[0].text);
}

// What lies below something that the text itself copies, links, moves, unpacks or checks out is not
// what the look sees now. Git itself goes through no link.
void Walker::forget_made_paths() {
  std::vector<std::string> made;
  bool checked_out = false;
  const auto by_git = [&](const Effect& effect) {
    return effect.owner < out_.size() && !out_[effect.owner].argv.empty() &&
           out_[effect.owner].argv[0].text == "git";
  };
  for (Effect& effect : out_) {
    if (effect.kind == EffectKind::kRun && !checked_out && checks_out(effect.argv)) {
      checked_out = true;
      made.insert(made.end(), first_.begin(), first_.end());
    }
    if (!is_path_kind(effect.kind) || effect.path.empty() || effect.guess != Guess::kNone) continue;
    const bool below = std::ranges::any_of(made, [&](const std::string& path) {
      return effect.path.size() > path.size() + 1 && effect.path.starts_with(path) &&
             effect.path[path.size()] == '/';
    });
    if (below && !by_git(effect)) {
      effect.why = "the same text makes what `" + effect.path + "` goes through";
      effect.path.clear();
      effect.spelled.clear();
      effect.pattern = false;
      continue;
    }
    // LIMIT: a text that makes more than this is asked about for its length.
    constexpr std::size_t kMostMade = 256;
    const bool makes = effect.kind == EffectKind::kWrite || effect.kind == EffectKind::kLink ||
                       effect.kind == EffectKind::kRename;
    if (makes && effect.by == EffectBy::kOperand && made.size() < kMostMade &&
        (unpacks(effect) || std::ranges::find(first_, effect.path) == first_.end()))
      made.push_back(effect.path);
  }
}

}  // namespace tollgate
