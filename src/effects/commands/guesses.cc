// Paths among the words of a program that is not known.
// A word counts whole, behind `=` and `@`, behind a short option's letter, and in lists with `:`
// and `,` as mounts and search paths have them.
// SAFETY: where the directory is not known every word could be anything, and that is an Unknown.
#include <algorithm>
#include <utility>

#include "effects/commands/unlisted.h"
#include "effects/paths.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

class Guesser {
 public:
  Guesser(const Surroundings& around, Effects& out) : around_(around), out_(out) {}

  void program(const ShellWord& word) {
    if (word.text.find('/') != std::string::npos || word.tilde)
      place(word.text, word.span, Guess::kProgram);
  }

  void word(const ShellWord& word) {
    span_ = word.span;
    left_ = kMostPieces;
    const std::string_view text = word.text;
    const bool option = text.starts_with('-');
    if (!option) {
      piece(text);
    } else if (text.size() > 2 && text[1] != '-') {
      // Behind one letter, or behind a bundle of them.
      const bool attached = std::string_view("/~.@").find(text[2]) != text.npos;
      const std::size_t path = attached ? 2 : text.find_first_of("/~", 3);
      if (path != text.npos) piece(text.substr(path));
    }
    if (is_uri(text)) return;
    for (std::size_t at = text.find_first_of("=,:"); at != text.npos && left_ > 0;
         at = text.find_first_of("=,:", at + 1))
      behind(text, at);
  }

  bool lost() const { return lost_; }

 private:
  // LIMIT: a word with more separators than this is no list of paths.
  static constexpr int kMostPieces = 32;

  void behind(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(at + 1);
    const std::string_view item = rest.substr(0, rest.find_first_of(",:"));
    const bool plain =
        text[at] == '=' || rest.starts_with('/') || rest.starts_with('~') || rest.starts_with('.');
    // What stands before a colon may be the path: `/etc:/mnt:ro`.
    if (text[at] == ':' && at > 0) piece(text.substr(0, at));
    if (!plain) return;
    piece(rest);
    if (item.size() != rest.size()) piece(item);
  }

  void piece(std::string_view text) {
    --left_;
    if (text.starts_with('@')) piece(text.substr(1));
    if (text.empty() || text == "-" || text == "--" || text.size() >= kMaxPathBytes) return;
    if (is_uri(text)) {
      if (const auto path = path_of_file_uri(text)) place(*path, span_, Guess::kPath);
      return;
    }
    const bool looks = text.find_first_of("/.") != text.npos || text[0] == '~';
    place(text, span_, looks ? Guess::kPath : Guess::kWord);
  }

  void place(std::string_view text, Span span, Guess guess) {
    for (const std::string& directory : around_.directories) {
      const bool home = text == "~" || text.starts_with("~/");
      auto located = locate(text, {directory, around_.home, home ? Tilde::kHome : Tilde::kLiteral});
      if (!located) {
        lost_ = lost_ || text.size() < kMaxPathBytes;
        continue;
      }
      Effect effect = path_effect(EffectKind::kRead, std::move(*located), span);
      effect.by = EffectBy::kOperand;
      effect.owner = around_.owner;
      effect.guess = guess;
      effect.recursive = guess != Guess::kProgram;
      out_.push_back(std::move(effect));
    }
  }

  const Surroundings& around_;
  Effects& out_;
  Span span_;
  int left_ = 0;
  bool lost_ = false;
};

// The words of find before its expression; "." where there are none.
std::vector<ShellWord> find_starts(std::span<const ShellWord> words) {
  std::vector<ShellWord> starts;
  std::size_t at = 1;
  while (at < words.size() && (words[at].text == "-H" || words[at].text == "-L" ||
                               words[at].text == "-P" || words[at].text.starts_with("-O")))
    ++at;
  for (; at < words.size(); ++at) {
    const std::string& text = words[at].text;
    if (text.starts_with('-') || text == "(" || text == "!") break;
    starts.push_back(words[at]);
  }
  if (starts.empty()) starts.push_back({.text = ".", .span = words[0].span});
  return starts;
}

}  // namespace

void add_find_deletes(std::span<const ShellWord> words, const Surroundings& around, Effects& out) {
  if (base_name(words[0].text) != "find") return;
  const std::vector<ShellWord> starts = find_starts(words);
  bool deletes = false;
  for (const ShellWord& word : words.subspan(1)) {
    const bool plain = !word.text.starts_with('-') || word.text == "-depth" || word.text == "-H" ||
                       word.text == "-L" || word.text == "-P" || word.text == "-xdev" ||
                       word.text == "-mindepth";
    deletes = deletes || word.text == "-delete";
    if (!plain && word.text != "-delete") return;
  }
  if (!deletes) return;
  for (const ShellWord& start : starts)
    for (const std::string& directory : around.directories) {
      auto located = locate(start.text,
                            {directory, around.home, start.tilde ? Tilde::kHome : Tilde::kLiteral});
      if (!located) continue;  // the guesses say that this is not known
      Effect effect = path_effect(EffectKind::kDelete, std::move(*located), start.span);
      effect.by = EffectBy::kOperand;
      effect.owner = around.owner;
      effect.recursive = true;
      out.push_back(std::move(effect));
    }
}

void add_guesses(std::span<const ShellWord> words, const Surroundings& around, Effects& out) {
  Guesser guesser(around, out);
  guesser.program(words[0]);
  const std::size_t most = std::min(words.size(), kMaxGuessedWords);
  for (const ShellWord& word : words.subspan(1, most - 1)) guesser.word(word);
  const auto add_unknown = [&](std::string why) {
    Effect effect = unknown(std::move(why), words[0].span);
    effect.by = EffectBy::kOperand;
    effect.owner = around.owner;
    out.push_back(std::move(effect));
  };
  if (guesser.lost()) add_unknown("where the arguments of `" + words[0].text + "` lie");
  if (words.size() > kMaxGuessedWords)
    add_unknown("more than " + std::to_string(kMaxGuessedWords) + " arguments of `" +
                words[0].text + "`");
}

}  // namespace tollgate
