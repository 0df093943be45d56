// Words that name something, and perhaps a path or a host inside it: revisions, repositories of a
// forge, mounts of a container, and texts that may come from a file.
// SAFETY: where a word could be a path as well, it is taken for one.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/path.h"
#include "effects/patterns.h"
#include "effects/programs/places.h"
#include "effects/programs/program.h"

namespace tollgate {
namespace {

Word part_of(const Word& word, std::string_view text) {
  Word part = word;
  part.text = text;
  return part;
}

void read(const Word& word, bool tree, const Surroundings& around, Effects& out) {
  add_path({EffectKind::kRead, EffectBy::kOperand, tree}, word, around, out);
}

// A word that no file is called in practice: HEAD, a hash, a range, a step back.
bool is_surely_revision(std::string_view text) {
  constexpr std::array<std::string_view, 6> kNames = {
      "HEAD", "@", "FETCH_HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD"};
  if (std::ranges::find(kNames, text) != kNames.end()) return true;
  if (text.find_first_of("~^") != text.npos || text.find("@{") != text.npos) return true;
  const bool climbs = text.starts_with("../") || text.find("/../") != text.npos || text == ".." ||
                      text.ends_with("/..");
  if (!climbs && text.find("..") != text.npos) return true;
  return text.size() >= 7 && text.size() <= 64 &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

Word any_path(const Word& word) {
  return {.text = {}, .span = word.span, .known = false, .rest = Rest::kAnything};
}

// What stands before the path of a pathspec.
struct Magic {
  std::size_t size = 0;   // its length in the text
  bool excludes = false;  // the path is left out
  bool plain = true;      // it does not change how the path is matched
};

Magic magic_of(std::string_view text) {
  Magic magic;
  if (!text.starts_with(':')) return magic;
  if (text.starts_with(":(")) {
    const std::size_t end = text.find(')');
    if (end == text.npos) return {.size = text.size(), .plain = false};
    magic.size = end + 1;
    std::string_view list = text.substr(2, end - 2);
    while (!list.empty()) {
      const std::size_t comma = std::min(list.find(','), list.size());
      const std::string_view one = list.substr(0, comma);
      magic.excludes |= one == "exclude";
      magic.plain &= one == "exclude" || one == "top" || one.empty();
      list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return magic;
  }
  for (magic.size = 1; magic.size < text.size(); ++magic.size) {
    const char c = text[magic.size];
    if (c != '/' && c != '!' && c != '^') break;
    magic.excludes |= c != '/';
  }
  if (text.substr(magic.size).starts_with(':')) ++magic.size;
  return magic;
}

// A pattern as git matches it, where a star crosses directories and takes names with a dot too:
// `DIRECTORY/*ENDING` alone can be told, everything else may be any file.
std::optional<std::string> told_pattern(std::string_view text) {
  const std::size_t first = text.find_first_of("*?[\\");
  const std::size_t slash = text.substr(0, first).rfind('/');
  const std::size_t begin = slash == text.npos ? 0 : slash + 1;
  const std::size_t end = std::min(text.find_first_not_of("*/", begin), text.size());
  if (begin != first || text.find_first_of("*?[\\/", end) != text.npos) return std::nullopt;
  const bool whole = text[end - 1] == '/';
  return std::string(text.substr(0, begin)) + (whole ? "**/" : "**/*") +
         std::string(text.substr(end));
}

// A path as git's own patterns write it.
void add_pathspec(const Word& word, bool tree, const Surroundings& around, Effects& out) {
  const std::optional<Word> path = path_of_pathspec(word);
  if (!path) return;
  // What it names outright may be in the history alone, and counts where the rest cannot be told.
  if (word.known && !path->known) {
    std::string text = word.text.substr(magic_of(word.text).size);
    std::erase(text, '\\');
    const auto names = names_in(text);
    for (const std::string& name : names.value_or(std::vector<std::string>{}))
      if (name.find('*') == name.npos) read(part_of(word, name), false, around, out);
  }
  read(*path, tree, around, out);
}

// The value of src= or source= in a list of keys.
std::optional<Word> source_of(const Word& word) {
  const std::string_view text = word.text;
  for (const std::string_view key : {"src=", "source="}) {
    const std::size_t at = text.find(key);
    if (at == text.npos || (at > 0 && text[at - 1] != ',')) continue;
    const std::size_t from = at + key.size();
    const std::size_t end = std::min(text.find(',', from), text.size());
    Word source = part_of(word, text.substr(from, end - from));
    if (end < text.size()) {
      source.known = true;
      source.rest = Rest::kNothing;
    }
    return source;
  }
  return std::nullopt;
}

std::optional<Word> before_colon(const Word& word) {
  const std::size_t colon = word.text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  Word source = part_of(word, std::string_view(word.text).substr(0, colon));
  source.known = true;
  source.rest = Rest::kNothing;
  return source;
}

// Whether the modes of a mount leave out writing.
bool only_reads(std::string_view text, bool keyed) {
  const std::size_t colon = text.find(':');
  if (!keyed && text.rfind(':') == colon) return false;
  const std::string modes =
      "," + std::string(keyed ? text : text.substr(text.rfind(':') + 1)) + ",";
  return modes.find(",ro,") != modes.npos ||
         (keyed &&
          (modes.find(",readonly,") != modes.npos || modes.find(",readonly=true,") != modes.npos));
}

}  // namespace

std::optional<Word> path_of_pathspec(const Word& word) {
  // A pattern of the shell that finds nothing comes to git as it is.
  const bool pattern = !word.known && word.rest == Rest::kPattern;
  if (!word.known && !pattern) return word;
  const std::string_view text = word.text;
  const Magic magic = magic_of(text);
  if (magic.excludes) return std::nullopt;
  if (!magic.plain) return any_path(word);
  const std::string_view rest = text.substr(magic.size);
  Word path = part_of(word, rest.empty() ? "." : rest);
  if (rest.find_first_of("*?[\\") == rest.npos) return path;
  auto told = told_pattern(rest);
  if (!told) return any_path(word);
  path.text = std::move(*told);
  path.known = false;
  path.rest = Rest::kPattern;
  return path;
}

void add_revision(const Word& word, RevisionUse use, const Surroundings& around, Effects& out) {
  const bool pattern = word.rest == Rest::kPattern || word.rest == Rest::kJoined;
  if (!word.known) {
    if (word.rest == Rest::kPattern) return add_pathspec(word, use.tree, around, out);
    // What git shows of a revision is its own; only a comparison opens any file.
    if (pattern || use.tree) read(word, use.tree, around, out);
    return;
  }
  const std::string_view text = word.text;
  if (use.path || text.starts_with(":(") || text.starts_with(":!") || text.starts_with(":^"))
    return add_pathspec(word, use.tree, around, out);
  if (text.find_first_of("*?[\\") != text.npos && text.find_first_of("~^{") == text.npos &&
      (text.starts_with(':') || text.find(':') == text.npos))
    return add_pathspec(word, use.tree, around, out);
  if (text.find(':') != text.npos) {
    // LIMIT: colons in one word.
    constexpr auto kMostColons = 8;
    if (std::ranges::count(text, ':') > kMostColons)
      return read({.text = {}, .span = word.span, .known = false}, use.tree, around, out);
    // `:2:path` is a path in the index, and `HEAD@{10:00}:path` has a colon in the revision.
    for (std::size_t colon = text.find(':'); colon != text.npos;
         colon = text.find(':', colon + 1)) {
      std::string_view path = text.substr(colon + 1);
      while (path.starts_with('/')) path.remove_prefix(1);
      if (!path.empty()) read(part_of(word, path), use.tree, around, out);
    }
    return;
  }
  if (!is_surely_revision(text)) read(word, use.tree, around, out);
}

void add_forge_repository(const Word& word, std::string_view program, const Surroundings& around,
                          Effects& out) {
  if (!word.known) return add_any_host(word, around, out);
  if (is_remote_path(word.text)) return add_remote_host(word, around, out);
  // With GitLab a group may stand in groups, and the first of three is a host if it has a dot.
  const auto slashes = std::ranges::count(word.text, '/');
  const std::string_view first = std::string_view(word.text).substr(0, word.text.find('/'));
  const bool host = program == "glab"
                        ? slashes > 2 || (slashes == 2 && first.find('.') != first.npos)
                        : slashes > 1;
  if (host) return add_host_word(part_of(word, first), around, out);
  add_home(program, word, around, out);
}

void add_image(const Word& word, const Surroundings& around, Effects& out) {
  std::string_view name = word.text;
  if (const std::size_t scheme = name.find("://"); scheme != name.npos)
    name.remove_prefix(scheme + 3);
  const std::string_view first = name.substr(0, name.find('/'));
  if (first.size() == name.size()) {
    if (!word.known) add_any_host(word, around, out);
    return;
  }
  if (first == "localhost" || first.find_first_of(".:") != first.npos)
    add_host_word({.text = std::string(first), .span = word.span}, around, out);
}

void add_mount(const Word& word, const Surroundings& around, Effects& out) {
  const std::string_view text = word.text;
  const bool keyed = text.find('=') < text.find(':');
  std::optional<Word> source = keyed ? source_of(word) : before_colon(word);
  if (!source) {
    // A volume without a name; one that is not known may be any directory.
    if (!word.known) add_path({EffectKind::kWrite, EffectBy::kOperand, true}, word, around, out);
    return;
  }
  const bool named = source->known && source->text.find('/') == std::string::npos &&
                     !source->text.starts_with('.') && !source->text.starts_with('~');
  if (named) return;  // a volume
  read(*source, true, around, out);
  if (!word.known || !only_reads(text, keyed))
    add_path({EffectKind::kWrite, EffectBy::kOperand, true}, *source, around, out);
}

void add_source(const Word& word, const Surroundings& around, Effects& out) {
  if (const auto source = source_of(word)) return read(*source, false, around, out);
  if (!word.known) return read(word, false, around, out);
  // `NAME=FILE`, unless it begins with a key.
  constexpr std::array<std::string_view, 4> kKeys = {"id", "type", "env", "target"};
  const std::size_t equals = word.text.find('=');
  if (equals == word.text.npos) return;
  const std::string_view name = std::string_view(word.text).substr(0, equals);
  if (std::ranges::find(kKeys, name) == kKeys.end())
    read(part_of(word, std::string_view(word.text).substr(equals + 1)), false, around, out);
}

void add_filter(const Word& word, const Surroundings& around, Effects& out) {
  std::string_view text = word.text;
  // A pattern of file names that matches none is passed on as it stands.
  const bool literal = word.known || word.rest == Rest::kPattern;
  if (!literal || text.empty() || text.starts_with('!')) return;
  // Kinds of source files are what such patterns are for.
  constexpr std::array<std::string_view, 7> kTelling = {"env", "pem", "key", "p12",
                                                        "pfx", "jks", "kdbx"};
  const std::string_view kind = text.substr(std::min(text.rfind('.') + 1, text.size()));
  const bool plain = text.starts_with('*') && text.find('.') != text.npos &&
                     std::ranges::find(kTelling, kind) == kTelling.end() &&
                     text.find("env") == text.npos;
  if (plain || text == "*") return;
  Word pattern = part_of(word, text);
  while (pattern.text.starts_with('/')) pattern.text.erase(0, 1);
  if (!pattern.text.starts_with("**/")) pattern.text.insert(0, "**/");
  pattern.known = false;
  pattern.rest = Rest::kPattern;
  read(pattern, false, around, out);
}

void add_text_or_file(const Word& word, bool named, const Surroundings& around, Effects& out) {
  std::string_view text = word.text;
  constexpr std::string_view kOutput = "%output{";
  if (const std::size_t at = text.find(kOutput); at != text.npos) {
    std::string_view file = text.substr(at + kOutput.size());
    file = file.substr(0, file.find('}'));
    if (file.starts_with(">>")) file.remove_prefix(2);
    add_path({EffectKind::kWrite, EffectBy::kOperand, false}, part_of(word, file), around, out);
  }
  const std::size_t field = std::min(text.find("=@"), text.find("=<"));
  const std::size_t name = named ? text.find('@') : text.npos;
  if (text.starts_with('@'))
    text.remove_prefix(1);
  else if (field != text.npos)
    text.remove_prefix(field + 2);
  else if (name != text.npos && name < text.find('='))
    text.remove_prefix(name + 1);
  else
    return;
  text = text.substr(0, text.find(';'));
  if (text == "-" || (text.empty() && word.known)) return;
  read(part_of(word, text), false, around, out);
}

bool checks_out(std::span<const Word> argv) {
  if (argv.empty() || !argv[0].text.ends_with("git") || base_name(argv[0].text) != "git")
    return false;
  std::size_t at = 1;
  while (at < argv.size() && argv[at].text.starts_with('-'))
    at += argv[at].text == "-C" || argv[at].text == "-c" ? 2 : 1;
  if (at >= argv.size() || !argv[at].known) return true;
  const std::string_view subcommand = argv[at].text;
  const std::span<const Word> words = argv.subspan(at + 1);
  const auto has = [&](std::string_view word) {
    return std::ranges::find(words, word, &Word::text) != words.end();
  };
  // A branch that begins where one stands.
  if (subcommand == "checkout" || subcommand == "switch")
    return words.size() != 2 || !(has("-b") || has("-c") || has("--create"));
  if (subcommand == "reset") return !words.empty() && !has("--soft") && !has("--mixed");
  if (subcommand == "stash") return !has("list") && !has("show") && !has("drop") && !has("clear");
  constexpr std::string_view kOthers[] = {
      "am",     "apply",           "bisect",    "checkout-index", "cherry-pick", "clone",
      "merge",  "merge-file",      "pull",      "read-tree",      "rebase",      "restore",
      "revert", "sparse-checkout", "submodule", "subtree",        "svn",         "worktree"};
  return std::ranges::find(kOthers, subcommand) != std::end(kOthers);
}

}  // namespace tollgate
