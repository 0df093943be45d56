// Paths among the words of a program that is not known.
// A word counts whole, behind `=` and `@`, behind a short option's letter, and in lists with `:`
// and `,` as mounts and search paths have them.
// SAFETY: where the directory is not known every word could be anything, and that is an Unknown.
#include <algorithm>
#include <span>
#include <utility>

#include "base/text.h"
#include "effects/paths.h"
#include "effects/programs/places.h"
#include "effects/subject.h"
#include "effects/url.h"

namespace tollgate {
namespace {

class Guesser {
 public:
  Guesser(const Surroundings& around, Effects& out) : around_(around), out_(out) {}

  void program(const Word& word) {
    if (word.text.find('/') != std::string::npos) place(word.text, word.span, Guess::kProgram);
  }

  void word(const Word& word) {
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
    if (left_-- <= 0) return;
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

}  // namespace

// A program without a row may reach every URL it is given.
static void add_urls(std::span<const Word> words, const Surroundings& around, Effects& out) {
  const std::size_t first = out.size();
  for (const Word& word : words) {
    std::string_view text = word.text;
    if (text.starts_with('-') && text.find('=') != text.npos)
      text.remove_prefix(text.find('=') + 1);
    const std::size_t scheme = text.find("://");
    const bool plain = scheme != text.npos && scheme > 0 &&
                       std::ranges::all_of(text.substr(0, scheme), [](char c) {
                         return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+';
                       });
    if (!plain || lower(text.substr(0, scheme)) == "file") continue;
    Effect reach;
    reach.kind = EffectKind::kReach;
    reach.by = EffectBy::kOperand;
    reach.owner = around.owner;
    reach.span = word.span;
    reach.url = text;
    reach.host = host_of_url(text);
    const auto twin = std::find(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), reach);
    if (twin == out.end()) out.push_back(std::move(reach));
  }
}

void add_guesses(std::span<const Word> words, const Surroundings& around, Effects& out) {
  Guesser guesser(around, out);
  guesser.program(words[0]);
  const std::size_t most = std::min(words.size(), kMaxGuessedWords);
  for (const Word& word : words.subspan(1, most - 1)) guesser.word(word);
  add_urls(words.subspan(1, most - 1), around, out);
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
