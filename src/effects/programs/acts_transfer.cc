// Copies, moves and downloads: which name a file has where it arrives.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/name_set.h"
#include "base/text.h"
#include "effects/paths.h"
#include "effects/programs/acts.h"
#include "effects/programs/places.h"
#include "effects/programs/special.h"

namespace tollgate {
namespace {

// A range of letters or of numbers may stand for any text.
std::string with_stars(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t open = std::min(text.find('['), text.size());
    for (const char c : text.substr(0, open)) {
      if (c == '*' || c == '?' || c == '\\') out += '\\';
      out += c;
    }
    if (open == text.size()) return out;
    out += '*';
    text.remove_prefix(std::min(text.find(']', open), text.size() - 1) + 1);
  }
}

}  // namespace

// Programs that call a file as the address ends, where no other name is given.
bool Acts::calls_by_address() const {
  if (program_ == "git") return arguments_.row->name == "git clone";
  if (program_ == "gh") return arguments_.row->name == "gh repo clone";
  if (program_ == "wget" || program_ == "wget2")
    return !binds("O") && !binds("output-document") && !has_word("--spider");
  return program_ == "aria2c" ||
         (program_ == "curl" && std::ranges::any_of(argv_, [](const Word& word) {
            const bool letters = word.text.starts_with('-') && !word.text.starts_with("--");
            return word.text.starts_with("--remote-") ||
                   (letters && word.text.find('O') != std::string::npos);
          }));
}

void Acts::save_by_address() {
  const auto& bound = arguments_.bound;
  if (!calls_by_address() || std::ranges::find(bound, Kind::kFill, &Bound::kind) != bound.end())
    return;
  // The host may choose the name.
  if (has_word("--content-disposition") || has_word("--trust-server-names") ||
      has_word("--remote-header") || has_word("-OJ") || has_word("-J"))
    path(EffectKind::kWrite, {.text = {}, .span = argv_[0].span, .known = false}, false);
  if (has_word("-r") || has_word("--recursive") || has_word("-m") || has_word("--mirror"))
    path(EffectKind::kWrite, {.text = ".", .span = argv_[0].span}, true);
  for (const Bound& one : bound) {
    if (one.kind != Kind::kUrl && one.kind != Kind::kOrigin && one.kind != Kind::kRepo) continue;
    if (!one.option.empty() && one.option != "url") continue;
    Word name = one.word;
    name.text.resize(std::min(name.text.find_first_of("?#"), name.text.size()));
    const std::size_t scheme = name.text.find("://");
    const std::size_t host = scheme == name.text.npos ? 0 : scheme + 3;
    const bool bare = one.kind == Kind::kUrl && name.text.find('/', host) == name.text.npos;
    name.text = bare ? "index.html" : std::string(last_name(name.text));
    if (name.text.ends_with(".git") && name.text != ".git") name.text.resize(name.text.size() - 4);
    if (const std::size_t colon = name.text.rfind(':'); colon != name.text.npos)
      name.text.erase(0, colon + 1);
    if (!name.text.empty()) path(EffectKind::kWrite, name, one.kind != Kind::kUrl);
  }
}

bool Acts::is_transfer_client() const {
  return program_ == "sftp" || program_ == "ftp" || program_ == "lftp" || program_ == "tftp";
}

// curl reads braces and brackets in addresses and in the names of files to send.
bool Acts::takes_globs(const Bound& one) const {
  return program_ == "curl" && (one.option == "T" || one.option.starts_with("upload-f")) &&
         one.word.text.find_first_of("{[") != std::string::npos;
}

// What the braces and brackets of a word stand for: each name, or a pattern of them.
std::vector<Word> Acts::curl_names(const Word& word) {
  // LIMIT: braces in one word, and names that it stands for.
  constexpr std::ptrdiff_t kMostBraces = 8;
  constexpr std::size_t kMostNames = 64;
  std::vector<Word> names{word};
  if (std::ranges::count(word.text, '{') > kMostBraces) {
    names[0].text.resize(word.text.find_first_of("{["));
    names[0].known = false;
    names[0].rest = Rest::kAnything;
    return names;
  }
  for (std::size_t i = 0; i < names.size() && names.size() < kMostNames; ++i) {
    const std::string text = names[i].text;
    const std::size_t open = text.find('{'), close = text.find('}', open);
    if (open == text.npos || close == text.npos) continue;
    std::string_view list = std::string_view(text).substr(open + 1, close - open - 1);
    for (bool first = true;; first = false) {
      const std::size_t comma = std::min(list.find(','), list.size());
      const std::string made =
          text.substr(0, open) + std::string(list.substr(0, comma)) + text.substr(close + 1);
      if (first)
        names[i].text = made;
      else
        names.push_back(names[i]), names.back().text = made;
      if (comma == list.size() || names.size() >= kMostNames) break;
      list.remove_prefix(comma + 1);
    }
    --i;  // there may be more braces
  }
  const bool address = !word.text.starts_with("file:") && word.text.find("://") != word.text.npos;
  for (Word& name : names) {
    const std::size_t sign = name.text.find_first_of("{[", address ? name.text.find('/', 8) : 0);
    if (!name.known || sign == name.text.npos) continue;
    const bool range = name.text[sign] == '[' && !address && name.text.find('{') == name.text.npos;
    name.known = false;
    name.rest = range ? Rest::kPattern : Rest::kAnything;
    if (range)
      name.text = with_stars(name.text);
    else
      name.text.resize(sign);
  }
  return names;
}

// SAFETY: the scheme itself may be spelt by braces and brackets, and then it may be a file's.
void Acts::curl_address(const Word& word) {
  // Some makes take the addresses from a file.
  if (word.text.starts_with('@')) {
    Word file = word;
    file.text.erase(0, 1);
    return addresses_in(file), path(EffectKind::kRead, file, false);
  }
  if (word.text.find_first_of("{[") == word.text.npos) return add_url_word(word, here(), out_);
  if (word.text.find('[') < word.text.find(':')) {
    path(EffectKind::kRead, {.text = {}, .span = word.span, .known = false}, false);
    return add_any_host(word, here(), out_);
  }
  for (const Word& each : curl_names(word)) {
    if (each.known || lower(each.text.substr(0, 5)) != "file:") {
      add_url_word(each, here(), out_);
      continue;
    }
    Word file = each;
    const bool rooted =
        each.text.starts_with("file:///") && each.text.find_first_of("?#%\\") == each.text.npos;
    file.text = rooted ? each.text.substr(7) : "";
    if (!rooted) file.rest = Rest::kAnything;
    path(EffectKind::kRead, file, false);
  }
}

// The fields of a form: `NAME=@FILE,FILE;type=TYPE`, `NAME=<FILE`, and `;headers=@FILE` behind any.
// SAFETY: every part counts as a file that may be one, in quotes or not.
void Acts::form(const Word& word) {
  const std::string_view all = word.text;
  const std::string_view value = all.substr(std::min(all.find('='), all.size() - 1) + 1);
  const bool files = value.starts_with('@') || value.starts_with('<');
  if (!files && lower(value).find("headers") == std::string::npos && word.known) return;
  // LIMIT: parts of one field.
  constexpr std::ptrdiff_t kMostParts = 32;
  const auto parts =
      std::ranges::count_if(value, [](char c) { return c == ',' || c == ';' || c == '"'; });
  if (!word.known || parts > kMostParts)
    return path(EffectKind::kRead, {.text = {}, .span = word.span, .known = false}, false);
  for (const std::string_view ends : {",;", ";", "\""}) {
    if (ends.size() == 1 && value.find(ends == ";" ? ',' : '"') == value.npos) continue;
    for (std::string_view rest = value; !rest.empty();) {
      const std::size_t end = std::min(rest.find_first_of(ends), rest.size());
      form_part(rest.substr(0, end), files, word.span);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
}

void Acts::form_part(std::string_view part, bool files, Span span) {
  constexpr std::string_view kHeaders = "headers=", kBlanks = " \t\r\n\v\f\"";
  const auto trim = [&] {
    part.remove_prefix(std::min(part.find_first_not_of(kBlanks), part.size()));
    part = part.substr(0, part.find_last_not_of(kBlanks) + 1);
  };
  trim();
  const bool headers = lower(part.substr(0, kHeaders.size())) == kHeaders;
  if (headers) part.remove_prefix(kHeaders.size());
  const bool marked = part.starts_with('@') || part.starts_with('<');
  if (marked) part.remove_prefix(1);
  trim();
  const std::size_t equals = part.find('=');
  const std::string key = lower(part.substr(0, equals == part.npos ? 0 : equals));
  const bool other = key == "type" || key == "filename" || key == "encoder";
  if ((!marked && (!files || headers || other)) || part.empty() || part == "-") return;
  path(EffectKind::kRead, {.text = std::string(part), .span = span}, false);
  if (part.find('\\') == part.npos) return;
  std::string plain(part);
  std::erase(plain, '\\');
  path(EffectKind::kRead, {.text = std::move(plain), .span = span}, false);
}

bool Acts::is_certificate(const Bound& one) const {
  return program_ == "curl" &&
         (one.option == "E" || one.option == "cert" || one.option == "proxy-cert");
}

// `#1` in the name of what curl writes is what a brace of the address stands for.
bool Acts::names_by_globs(const Bound& one) const {
  const std::string_view text = one.word.text;
  const std::size_t sign = text.find('#');
  return program_ == "curl" && (one.option == "o" || one.option == "output") && one.word.known &&
         sign != text.npos && sign + 1 < text.size() && text[sign + 1] >= '0' &&
         text[sign + 1] <= '9';
}

// A file with the addresses that are fetched.
bool Acts::is_list_of_addresses(const Bound& one) const {
  return (program_ == "wget" || program_ == "wget2" || program_ == "aria2c") &&
         (one.option == "i" || one.option == "input-file");
}

void Acts::addresses_in(const Word& word) {
  const bool given =
      is_stream(word) && around_.input != nullptr && around_.input->kind == Input::Kind::kText;
  if (!given) return add_any_host(word, here(), out_);
  // LIMIT: behind so many stands any address.
  constexpr int kMostAddresses = 4096;
  int addresses = 0;
  for (std::string_view rest = around_.input->text; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_of(" \t\r\n"), rest.size());
    if (end > 0 && ++addresses > kMostAddresses) return add_any_host(word, here(), out_);
    if (end > 0)
      add_url_word({.text = std::string(rest.substr(0, end)), .span = word.span}, here(), out_);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

// curl's --data-urlencode and the fields of httpie write it NAME@FILE.
bool Acts::takes_named_file(const Bound& one) {
  return one.option.empty() || one.option == "data-urlencode" || one.option == "url-query" ||
         one.option == "variable";
}

bool Acts::is_path_word(const Word& word) {
  return word.text.starts_with('.') || word.text.starts_with('/') || word.text.starts_with("file:");
}

// Configuration that a word carries, where it says which host is meant.
bool Acts::leads_elsewhere(const Word& word) const {
  if (program_ != "git" && !is_fetcher(program_)) return false;
  const std::string low = lower(word.text);
  return !word.known || low.find("url") != low.npos || low.find("proxy") != low.npos ||
         low.find("ssh") != low.npos;
}

// Programs whose settings say which host a name stands for.
bool Acts::follows_settings() const {
  constexpr std::string_view kOthers[] = {"ssh",         "slogin",  "scp", "sftp", "sshfs",
                                          "ssh-copy-id", "kubectl", "oc",  "helm"};
  return is_fetcher(program_) || std::ranges::find(kOthers, program_) != std::end(kOthers);
}

bool Acts::is_transfer() {
  if (!transfers_)
    transfers_ = std::ranges::any_of(arguments_.bound, [](const Bound& one) {
      return one.kind == Kind::kCopy || one.kind == Kind::kMove || one.kind == Kind::kLink;
    });
  return *transfers_;
}

// `type=local,dest=DIRECTORY` in any order, each perhaps in quotes, as programs for containers
// write it.
Word Acts::destination(Word word) {
  constexpr std::string_view kKey = "dest=";
  const std::size_t at = word.text.find(kKey);
  if (at == word.text.npos || (at > 0 && word.text[at - 1] != ',' && word.text[at - 1] != '"'))
    return word;
  word.text.erase(0, at + kKey.size());
  word.text.resize(std::min(word.text.find_first_of(",\""), word.text.size()));
  return word;
}

// Options may stand behind the operands.
std::size_t Acts::transfer(std::size_t i) {
  copies(i);
  for (++i; i < arguments_.bound.size(); ++i)
    if (!arguments_.bound[i].option.empty()) act(i);
  return arguments_.bound.size();
}

void Acts::copies(std::size_t i) {
  const Kind kind = arguments_.bound[i].kind;
  std::vector<Word> words;
  std::optional<Word> target;
  for (const Bound& one : arguments_.bound) {
    if (one.kind == kind && one.option.empty()) words.push_back(one.word);
    if (one.kind == Kind::kFill && !one.option.empty()) target = one.word;
  }
  const bool into = target.has_value();
  if (!into && words.size() > 1) {
    target = words.back();
    words.pop_back();
  } else if (!into && kind == Kind::kLink && words.size() == 1) {
    target = Word{.text = ".", .span = words[0].span};
  }
  if (!target) {
    listed_ = false;
    for (const Word& word : words) path(EffectKind::kRead, word, arguments_.recursive);
    return;
  }
  const bool moves = kind == Kind::kMove;
  const bool links = arguments_.links || kind == Kind::kLink;
  // A whole directory may be moved, and then it is a tree that arrives.
  const bool tree = arguments_.recursive || moves;
  for (const Word& source : words) {
    if (kind == Kind::kRcopy && is_remote_path(source.text)) {
      add_remote_host(source, here(), out_);
      continue;
    }
    path(EffectKind::kRead, source, tree);
    if (moves) path(EffectKind::kRename, source, tree);
    if (arguments_.removes) path(EffectKind::kDelete, source, tree);
    // Through a link its target is changed under another name.
    if (links) path(EffectKind::kWrite, source, tree);
  }
  if (kind == Kind::kRcopy && is_remote_path(target->text)) {
    add_remote_host(*target, here(), out_);
    return;
  }
  if (program_ == "rsync" && std::ranges::any_of(argv_, [](const Word& word) {
        return word.text == "--del" || word.text.starts_with("--delete");
      }))
    path(EffectKind::kDelete, *target, true);
  const EffectKind arrives = links   ? EffectKind::kLink
                             : moves ? EffectKind::kRename
                                     : EffectKind::kWrite;
  arrive(arrives, words, *target, into, tree || kind == Kind::kRcopy);
}

// At the target, inside it, or either where that cannot be known.
void Acts::arrive(EffectKind kind, std::span<const Word> sources, const Word& target, bool into,
                  bool tree) {
  const std::string_view name = last_name(target.text);
  const bool directory =
      into || sources.size() > 1 || target.text.ends_with('/') || name == "." || name == "..";
  bool all_inside = directory;
  for (const Word& source : sources) {
    if (arguments_.exact) break;
    // What lies in the source goes to the target itself.
    if (program_ == "rsync" && source.text.ends_with('/')) {
      all_inside = false;
      continue;
    }
    const std::string_view called = last_name(source.text);
    const bool plain = source.known && target.known && !target.text.empty() && !called.empty() &&
                       called != "." && called != ".." && called != "/";
    if (!plain) {
      all_inside = false;
      continue;
    }
    Word inside = target;
    inside.text += (target.text.ends_with('/') ? "" : "/") + std::string(called);
    path(kind, inside, tree);
  }
  if (arguments_.exact || !all_inside)
    path(kind, target, tree || (directory && std::ranges::any_of(sources, [](const Word& word) {
                                  return !word.known;
                                })));
}

}  // namespace tollgate
