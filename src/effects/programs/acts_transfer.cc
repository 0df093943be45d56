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

std::vector<Word> Acts::curl_names(const Word& word) {
  // LIMIT: names that one word stands for.
  constexpr std::size_t kMostNames = 64;
  std::vector<Word> names{word};
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
      if (comma == list.size()) break;
      list.remove_prefix(comma + 1);
    }
    --i;  // there may be more braces
  }
  const bool address = !word.text.starts_with("file:") && word.text.find("://") != word.text.npos;
  for (Word& name : names) {
    const std::size_t sign = name.text.find_first_of("{[", address ? name.text.find('/', 8) : 0);
    if (!name.known || sign == name.text.npos) continue;
    name.known = false;
    name.rest = name.text[sign] == '[' && !address ? Rest::kPattern : Rest::kAnything;
    if (name.rest == Rest::kAnything) name.text.resize(sign);
  }
  return names;
}

// curl's --data-urlencode and the fields of httpie write it NAME@FILE.
bool Acts::takes_named_file(const Bound& one) {
  return one.option.empty() || one.option == "data-urlencode" || one.option == "variable";
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

// `type=local,dest=DIRECTORY`, as programs for containers write it.
Word Acts::destination(Word word) {
  constexpr std::string_view kKey = ",dest=";
  const std::size_t at = word.text.find(kKey);
  if (!word.text.starts_with("type=") || at == word.text.npos) return word;
  word.text.erase(0, at + kKey.size());
  word.text.resize(std::min(word.text.find(','), word.text.size()));
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
