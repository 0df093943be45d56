// Words as paths and hosts.
// SAFETY: a word that does not tell its path still gives an effect, with no path in it; a host
// that cannot be told is an empty one, which no limit on hosts lets by.
#include "effects/programs/places.h"

#include <algorithm>
#include <array>

#include "base/host.h"
#include "base/text.h"
#include "effects/paths.h"
#include "effects/programs/program.h"
#include "effects/subject.h"
#include "effects/url.h"

namespace tollgate {
namespace {

Effect effect_of(EffectKind kind, const Word& word, const Surroundings& around) {
  Effect effect;
  effect.kind = kind;
  effect.by = EffectBy::kOperand;
  effect.owner = around.owner;
  effect.span = word.span;
  return effect;
}

bool has_wildcard(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '*' || text[i] == '?' || text[i] == '[')
      return true;
  }
  return false;
}

std::string without_backslashes(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    out += text[i];
  }
  return out;
}

// `start/**` without another wildcard is the tree itself.
std::optional<std::string> tree_of(std::string_view pattern) {
  constexpr std::string_view kAll = "/**", kSome = "/**/?*";
  for (const std::string_view end : {kSome, kAll})
    if (pattern.ends_with(end) && !has_wildcard(pattern.substr(0, pattern.size() - end.size()))) {
      const std::string start = without_backslashes(pattern.substr(0, pattern.size() - end.size()));
      return start.empty() ? "/" : start;
    }
  return std::nullopt;
}

// Schemes whose URLs name a user as a matter of course.
bool takes_login(std::string_view scheme) {
  const std::string low = lower(scheme);
  return low == "ssh" || low == "git+ssh" || low == "ssh+git" || low == "sftp" || low == "scp" ||
         low == "rsync";
}

// Schemes of addresses that have a host.
bool is_scheme(std::string_view text) {
  constexpr std::string_view kSchemes[] = {
      "http",  "https", "ws",   "wss",   "ftp",    "ftps",    "sftp",   "scp",   "tftp",
      "smb",   "smbs",  "imap", "imaps", "pop3",   "pop3s",   "smtp",   "smtps", "ldap",
      "ldaps", "dict",  "rtsp", "rtmp",  "gopher", "gophers", "telnet", "mqtt",  "mqtts"};
  return std::ranges::find(kSchemes, lower(text)) != std::end(kSchemes);
}

}  // namespace

// A path that the word tells, in the one directory there is.
static bool add_plain_path(const PathUse& use, const Word& word, const Surroundings& around,
                           Effects& out) {
  if (!word.known || word.rest != Rest::kNothing || around.directories.size() != 1) return false;
  auto located = locate(word.text, {around.directories[0], {}, Tilde::kLiteral});
  if (!located) return false;
  Effect& effect = out.emplace_back();
  effect.kind = use.kind;
  effect.by = use.by;
  effect.recursive = use.recursive;
  effect.owner = around.owner;
  effect.span = word.span;
  effect.path = std::move(located->path);
  effect.spelled = std::move(located->spelled);
  return true;
}

void add_path(const PathUse& use, const Word& word, const Surroundings& around, Effects& out) {
  if (add_plain_path(use, word, around, out)) return;
  Effect base = effect_of(use.kind, word, around);
  base.by = use.by;
  base.recursive = use.recursive;
  std::string text = word.text;
  // It names no file that is there; one that is made has whatever name it is.
  if (word.identifier && !word.known && use.kind == EffectKind::kRead) return;
  // A name that need not be there can be read, but where something is made with it is not known.
  bool pattern =
      word.rest == Rest::kPattern || (word.rest == Rest::kJoined && use.kind == EffectKind::kRead);
  if (pattern) {
    const bool some = text.ends_with("/?*");
    if (auto tree = tree_of(text); tree && (use.kind == EffectKind::kRead || !some)) {
      text = std::move(*tree);
      pattern = false;
      base.recursive = true;
    } else if (some) {
      base.recursive = true;
    }
  } else if (!word.known) {
    if (word.rest == Rest::kJoined) text.resize(std::min(text.find_first_of("*?[\\"), text.size()));
    base.why = text.empty() ? "a word that is not known" : "what follows `" + text + "`";
    out.push_back(std::move(base));
    return;
  }
  for (const std::string& directory : around.directories) {
    auto located = locate(text, {directory, {}, Tilde::kLiteral});
    if (!located) {
      if (!text.empty() && text[0] != '/' && !directory.starts_with('/')) {
        out.push_back(base);
        out.back().why = "the directory of `" + text + "`";
        continue;
      }
      Effect lost = unknown(std::move(located).error(), word.span);
      lost.by = EffectBy::kOperand;
      lost.owner = around.owner;
      out.push_back(std::move(lost));
      continue;
    }
    Effect& effect = out.emplace_back(base);
    effect.path = std::move(located->path);
    effect.spelled = std::move(located->spelled);
    effect.pattern = pattern;
  }
}

// ---- hosts ----

void add_host(std::string host, std::string url, const Word& word, const Surroundings& around,
              Effects& out) {
  Effect reach = effect_of(EffectKind::kReach, word, around);
  reach.host = std::move(host);
  reach.url = std::move(url);
  out.push_back(std::move(reach));
}

void add_home(std::string_view program, const Word& word, const Surroundings& around,
              Effects& out) {
  Effect reach = effect_of(EffectKind::kReach, word, around);
  reach.target = program;
  out.push_back(std::move(reach));
}

void add_any_host(const Word& word, const Surroundings& around, Effects& out) {
  add_host({}, {}, word, around, out);
}

void add_host_word(const Word& word, const Surroundings& around, Effects& out) {
  if (!word.known) return add_host({}, {}, word, around, out);
  std::string_view text = word.text;
  if (const std::size_t scheme = text.find("://"); scheme != text.npos) {
    if (!takes_login(text.substr(0, scheme)))
      return add_host(host_of_url(text), word.text, word, around, out);
    text = text.substr(scheme + 3, text.find('/', scheme + 3) - scheme - 3);
  }
  text.remove_prefix(text.rfind('@') == text.npos ? 0 : text.rfind('@') + 1);
  const bool literal = text.starts_with('[') && text.find(']') != text.npos;
  if (literal)
    text = text.substr(0, text.find(']') + 1);
  else if (std::ranges::count(text, ':') == 1)
    text = text.substr(0, text.find(':'));
  add_host(canonical_host(text), {}, word, around, out);
}

// `http:/HOST` and `http:///HOST`, which curl takes for `http://HOST`; nothing for all else.
static std::string with_two_slashes(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos || colon + 1 >= text.size() || text[colon + 1] != '/') return {};
  const std::string_view rest = text.substr(colon + 1);
  const std::size_t slashes = std::min(rest.find_first_not_of('/'), rest.size());
  if (slashes == 2 || !is_scheme(text.substr(0, colon))) return {};
  return std::string(text.substr(0, colon)) + "://" + std::string(rest.substr(slashes));
}

// A file of which no more is known than that.
static void add_any_file(const Word& word, const Surroundings& around, Effects& out) {
  add_path({EffectKind::kRead, EffectBy::kOperand, false},
           {.text = {}, .span = word.span, .known = false, .rest = Rest::kAnything}, around, out);
}

void add_url_word(const Word& word, const Surroundings& around, Effects& out) {
  constexpr std::string_view kFile = "file:";
  if (!word.known) {
    const std::string begin = lower(word.text.substr(0, kFile.size()));
    const std::size_t end = std::min(word.text.find_first_of("?#"), word.text.size());
    // What the shell takes for a pattern may be a query.
    if (const auto path = path_of_file_uri(word.text.substr(0, end));
        path && end < word.text.size())
      add_path({EffectKind::kRead, EffectBy::kOperand, false}, {.text = *path, .span = word.span},
               around, out);
    if (!begin.empty() && kFile.starts_with(begin)) add_any_file(word, around, out);
    // The host may be complete before the part that is not known.
    const std::size_t scheme = word.text.find("://");
    const bool told = scheme != std::string::npos &&
                      word.text.find('/', scheme + 3) != std::string::npos &&
                      word.rest == Rest::kAnything;
    return add_host(told ? host_of_url(word.text) : "", told ? word.text : "", word, around, out);
  }
  const bool file = lower(word.text.substr(0, kFile.size())) == kFile;
  // Others than curl may read it in another way.
  if (const std::string usual = with_two_slashes(word.text); !usual.empty() && !file) {
    add_host(host_of_url(usual), word.text, word, around, out);
    add_host(host_of_url("http://" + word.text), word.text, word, around, out);
    return add_host({}, word.text, word, around, out);
  }
  if (is_uri(word.text)) {
    const std::size_t end = std::min(word.text.find_first_of("?#"), word.text.size());
    if (const auto path = path_of_file_uri(word.text.substr(0, end))) {
      Word named = word;
      named.text = *path;
      return add_path({EffectKind::kRead, EffectBy::kOperand, false}, named, around, out);
    }
    if (file) add_any_file(word, around, out);
    return add_host(host_of_url(word.text), word.text, word, around, out);
  }
  const std::string url = "http://" + word.text;
  add_host(host_of_url(url), word.text, word, around, out);
}

bool is_remote_path(std::string_view text) {
  if (text.find("://") != text.npos) return true;
  const std::size_t colon = text.find(':');
  return colon != text.npos && colon > 0 && text.find('/') > colon;
}

void add_remote_host(const Word& word, const Surroundings& around, Effects& out) {
  const std::size_t scheme = word.text.find("://");
  if (scheme != std::string::npos)
    return takes_login(std::string_view(word.text).substr(0, scheme))
               ? add_host_word(word, around, out)
               : add_url_word(word, around, out);
  Word host = word;
  host.text = word.text.substr(0, word.text.find(':'));
  host.known = true;
  add_host_word(host, around, out);
}

void add_origin(const Word& word, std::string_view program, const Surroundings& around,
                Effects& out) {
  if (is_remote_path(word.text)) return add_remote_host(word, around, out);
  if (!word.known) return add_host({}, {}, word, around, out);
  const bool path = word.text.find('/') != std::string::npos || word.text.starts_with('.') ||
                    word.text.starts_with('~');
  if (path) return add_path({EffectKind::kRead, EffectBy::kOperand, true}, word, around, out);
  add_home(program, word, around, out);
}

void add_package(const Word& word, std::string_view program, const Surroundings& around,
                 Effects& out) {
  std::string_view name = word.text;
  if (name.starts_with('@') && name.find('/') != name.npos) name.remove_prefix(name.find('/') + 1);
  const bool plain = word.known && name.find_first_of("/:\\") == name.npos &&
                     !name.starts_with('.') && !name.starts_with('~');
  if (plain) return add_home(program, word, around, out);
  const bool path = word.known && (word.text.starts_with('.') || word.text.starts_with('/') ||
                                   word.text.starts_with('~'));
  if (path || is_remote_path(word.text)) return add_origin(word, program, around, out);
  add_host({}, {}, word, around, out);
}

}  // namespace tollgate
