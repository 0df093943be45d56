// Hosts that network programs reach, read from their words; one row a program.
// Hosts may be written without a scheme, as `user@host:path`, or not at all.
// SAFETY: what is not understood adds a host that cannot be told, which no limit on hosts lets by.
#include <algorithm>
#include <iterator>

#include "base/host.h"
#include "base/text.h"
#include "effects/commands/unlisted.h"
#include "effects/paths.h"
#include "effects/url.h"

namespace tollgate {
namespace {

using Words = std::span<const ShellWord>;

// Where a program's operands name hosts.
enum class Names {
  kUrls,    // each is a URL, its scheme may be left out
  kFirst,   // the first is a host, the rest a port or a command
  kCopies,  // each is a local path or `host:path`
};

// `values` are letters of options that take the next word; `hosts` are options whose value is a
// host; `opens` are options that lead to hosts which the words do not name.
struct Row {
  std::string_view program;
  Names names;
  std::string_view values;
  std::string_view long_values;
  std::string_view hosts;
  std::string_view opens;
};

constexpr Row kRows[] = {
    {"curl", Names::kUrls, "odXHFTuAebcmwErUDCQzyYtPhi",
     "--output --data --request --header --data-raw --data-binary --data-urlencode --json "
     "--max-time --cookie --cookie-jar --user-agent --referer --write-out --connect-timeout "
     "--retry --cacert --cert --key --form --user --range --output-dir --upload-file --retry-delay",
     "-x --proxy --preproxy --socks5 --socks5-hostname --socks4 --url --doh-url",
     "-K --config --connect-to --resolve --unix-socket --abstract-unix-socket"},
    {"wget", Names::kUrls, "OPoaUtTQwARDXIlB",
     "--output-document --directory-prefix --output-file --user-agent --tries --timeout --header "
     "--post-data --post-file --accept --reject --level --wait --user --password",
     "", "-i --input-file -e --execute --config -B --base"},
    {"nc", Names::kFirst, "egiImMOopPqsTVwWX", "", "-x", "-l"},
    {"ncat", Names::kFirst, "ecgiImopqsTwWX", "", "-x --proxy", "-l --listen"},
    {"netcat", Names::kFirst, "egiImMOopPqsTVwWX", "", "-x", "-l"},
    {"telnet", Names::kFirst, "beklnSX", "", "", ""},
    {"ftp", Names::kFirst, "NPprsTq", "", "", ""},
    {"ssh", Names::kFirst, "BbcDEeIilmOPpQRSw", "", "", "-o -F -J -W -L"},
    {"scp", Names::kCopies, "cilPSDX", "", "", "-o -F -J -S"},
    {"sftp", Names::kCopies, "bBcDiloPRsSX", "", "", "-o -F -J -S"},
    {"rsync", Names::kCopies, "efMTB",
     "--exclude --include --filter --exclude-from --include-from --files-from --log-file "
     "--compare-dest --copy-dest --link-dest --backup-dir --suffix --temp-dir --chmod --chown "
     "--bwlimit --port --timeout --partial-dir --max-size --min-size --password-file",
     "", "-e --rsh --rsync-path"},
};

bool in_list(std::string_view list, std::string_view word) {
  for (const std::string_view entry : split(list, ' '))
    if (!entry.empty() && entry == word) return true;
  return false;
}

class Reached {
 public:
  Reached(std::uint32_t owner, Effects& out) : owner_(owner), out_(out) {}

  void host(std::string host, Span span, std::string url = {}) {
    Effect reach;
    reach.kind = EffectKind::kReach;
    reach.by = EffectBy::kOperand;
    reach.owner = owner_;
    reach.span = span;
    reach.host = std::move(host);
    reach.url = std::move(url);
    if (std::ranges::find(out_, reach) == out_.end()) out_.push_back(std::move(reach));
  }
  void unknown_host(Span span) { host("", span); }

  // What the program's own configuration names, which the call cannot choose.
  void home(std::string_view what, Span span) {
    Effect reach;
    reach.kind = EffectKind::kReach;
    reach.by = EffectBy::kOperand;
    reach.owner = owner_;
    reach.span = span;
    reach.target = what;
    out_.push_back(std::move(reach));
  }

  // A URL with or without its scheme.
  void url(std::string_view text, Span span) {
    if (text.find("://") != text.npos) return host(host_of_url(text), span, std::string(text));
    host(host_of_url("http://" + std::string(text)), span);
  }

  // `user@host`, `host:port` and an address in brackets.
  void login(std::string_view text, Span span) {
    if (const std::size_t scheme = text.find("://"); scheme != text.npos)
      text = text.substr(scheme + 3, text.find('/', scheme + 3) - scheme - 3);
    if (const std::size_t at = text.rfind('@'); at != text.npos) text.remove_prefix(at + 1);
    std::string found = canonical_host(text);
    const std::size_t bracket = text.starts_with('[') ? text.find(']') : 0;
    if (found.empty() && bracket != text.npos)
      found = canonical_host(text.substr(0, text.find(':', bracket)));
    host(std::move(found), span);
  }

 private:
  std::uint32_t owner_;
  Effects& out_;
};

bool is_local(std::string_view text) {
  const std::size_t colon = text.find(':');
  return colon == text.npos || text.find('/') < colon || text.starts_with('.') ||
         text.starts_with('~') || text.starts_with("file:");
}

// Operands of one command, and what its options reach.
std::vector<const ShellWord*> operands_of(Words words, const Row& row, Reached& reached) {
  std::vector<const ShellWord*> operands;
  bool ended = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    if (ended || text.size() < 2 || text[0] != '-') {
      operands.push_back(&words[i]);
      continue;
    }
    if (text == "--") {
      ended = true;
      continue;
    }
    const bool is_long = text[1] == '-';
    const std::size_t equals = is_long ? text.find('=') : text.npos;
    const std::string_view name = text.substr(0, is_long ? equals : 2);
    const bool attached = is_long ? equals != text.npos : text.size() > 2;
    const std::string_view value = is_long && attached    ? text.substr(equals + 1)
                                   : attached             ? text.substr(2)
                                   : i + 1 < words.size() ? std::string_view(words[i + 1].text)
                                                          : std::string_view();
    const char last = text.back();
    const bool takes = is_long ? in_list(row.long_values, name)
                               : row.values.find(last) != row.values.npos &&
                                     (text.size() == 2 || row.values.find(text[1]) == text.npos);
    if (in_list(row.hosts, name)) {
      reached.url(value, words[i].span);
      if (!attached) ++i;
    } else if (in_list(row.opens, name)) {
      reached.unknown_host(words[i].span);
      if (!attached && name != "-l" && name != "--listen") ++i;
    } else if (takes && equals == text.npos) {
      ++i;
    }
    if (row.names == Names::kFirst && row.program == "ssh" && !operands.empty()) break;
  }
  return operands;
}

void by_row(Words words, const Row& row, Reached& reached) {
  const std::vector<const ShellWord*> operands = operands_of(words, row, reached);
  switch (row.names) {
    case Names::kUrls:
      for (const ShellWord* word : operands) reached.url(word->text, word->span);
      if (operands.empty()) reached.unknown_host(words[0].span);
      break;
    case Names::kFirst:
      if (operands.empty())
        reached.unknown_host(words[0].span);
      else
        reached.login(operands[0]->text, operands[0]->span);
      break;
    case Names::kCopies:
      for (const ShellWord* word : operands)
        if (!is_local(word->text) || row.program == "sftp") reached.login(word->text, word->span);
      break;
  }
}

// Git reaches what it is told, or what its configuration names. Global options may name another
// repository or another configuration, so behind them no remote is known.
void by_git(Words words, Reached& reached) {
  std::size_t at = 1;
  for (; at < words.size() && words[at].text.starts_with('-'); ++at)
    if (in_list("-C -c --git-dir --work-tree --namespace --exec-path --config-env", words[at].text))
      ++at;
  if (at >= words.size()) return;
  const bool plain = at == 1;
  const std::string& verb = words[at].text;
  const Words rest = words.subspan(at + 1);
  const std::string_view next = rest.empty() ? std::string_view() : rest[0].text;
  const bool remote = verb == "remote" && (next == "update" || next == "show" || next == "prune");
  const bool module = verb == "submodule" && (next == "update" || next == "add");
  if (!remote && !module && !in_list("clone fetch pull push ls-remote", verb)) return;
  const auto operand =
      std::ranges::find_if(rest, [](const ShellWord& word) { return !word.text.starts_with('-'); });
  const auto configured = [&](Span span) {
    return plain && !module ? reached.home("git remote", span) : reached.unknown_host(span);
  };
  if (remote || module || operand == rest.end()) return configured(words[0].span);
  if (operand->text.find("://") != operand->text.npos && !operand->text.starts_with("file:")) {
    const std::string web = host_of_url(operand->text);
    return web.empty() ? reached.login(operand->text, operand->span)
                       : reached.host(web, operand->span, operand->text);
  }
  if (!is_local(operand->text)) return reached.login(operand->text, operand->span);
  const bool path = operand->text.find_first_of("/~") == 0 || operand->text.starts_with('.') ||
                    operand->text.starts_with("file:");
  if (!path) configured(operand->span);
}

}  // namespace

void add_reached(Words words, std::uint32_t owner, Effects& out) {
  const std::string_view name = base_name(words[0].text);
  Reached reached(owner, out);
  if (name == "git") return by_git(words, reached);
  const auto* row = std::ranges::find(kRows, name, &Row::program);
  if (row != std::end(kRows)) by_row(words, *row, reached);
}

}  // namespace tollgate
