// Positions only ever move forward, so one pass over them is enough for a run of any letters.
// A pattern of file names is followed piece by piece: its letters are known, its stars are not.
#include "policy/pattern_walk.h"

#include <algorithm>

namespace tollgate {

void PatternWalk::add_step(Step step) {
  constexpr std::size_t kUsual = 40;
  if (steps_.empty()) {
    steps_.reserve(kUsual);
    at_.reserve(kUsual + 1);
  }
  steps_.push_back(step);
  at_.push_back(0);
}

void PatternWalk::expect(std::string_view pattern) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool escaped = pattern[i] == '\\' && i + 1 < pattern.size();
    if (escaped) ++i;
    add_step({.letter = pattern[i], .star = !escaped && pattern[i] == '*'});
  }
  pass_stars();
}

void PatternWalk::expect_word_end() { add_step({.letter = kWordEnd}); }

bool PatternWalk::is_lost() const {
  return std::ranges::none_of(at_, [](char here) { return here != 0; });
}

void PatternWalk::add(const Positions& positions) {
  for (std::size_t i = 0; i < positions.size(); ++i)
    if (positions[i]) at_[i] = 1;
}

// A star may also take nothing.
void PatternWalk::pass_stars() {
  for (std::size_t i = 0; i < steps_.size(); ++i)
    if (at_[i] && steps_[i].star) at_[i + 1] = 1;
}

void PatternWalk::take(char letter) {
  next_.assign(at_.size(), 0);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (!at_[i]) continue;
    if (steps_[i].star)
      next_[i] = 1;
    else if (steps_[i].letter == letter)
      next_[i + 1] = 1;
  }
  at_.swap(next_);
  pass_stars();
}

void PatternWalk::take(std::string_view text) {
  for (const char letter : text) take(letter);
}

// Any number of letters, or none.
void PatternWalk::take_run(Letters letters) {
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const char letter = steps_[i].letter;
    const bool fits = steps_[i].star || letters == Letters::kAll ||
                      (letter != kWordEnd && (letters == Letters::kOfWord || letter != '/'));
    if (at_[i] && fits) at_[i + 1] = 1;
  }
}

void PatternWalk::take_covered() {
  for (std::size_t i = 0; i < steps_.size(); ++i) at_[i] = at_[i] && steps_[i].star ? 1 : 0;
  at_.back() = 0;
  pass_stars();
}

// What `*` and `?` match at the beginning of a name: any letters of one, but no dot first.
void PatternWalk::take_name() {
  const Positions before = at_;
  next_.assign(at_.size(), 0);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const char letter = steps_[i].letter;
    if (!at_[i]) continue;
    if (steps_[i].star)
      next_[i] = 1;
    else if (letter != kWordEnd && letter != '/' && letter != '.')
      next_[i + 1] = 1;
  }
  at_.swap(next_);
  pass_stars();
  take_run(Letters::kOfName);
  add(before);
}

// SAFETY: a set may close anywhere, and two stars may take a slash or leave one out, so behind
// either nothing is known.
void PatternWalk::take_pattern(std::string_view pattern, Unknown how) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    const bool escaped = c == '\\' && i + 1 < pattern.size();
    const bool wild = c == '*' || c == '?' || c == '[';
    const bool open = c == '[' || pattern.substr(i).starts_with("**");
    if (how == Unknown::kCovered) {
      // INVARIANT: the index does not see through a backslash, and so this does not.
      wild || escaped ? take_covered() : take(c);
    } else if (!wild) {
      take(pattern[escaped ? i + 1 : i]);
    } else if (open) {
      take_run(Letters::kOfWord);
    } else {
      i == 0 ? take_name() : take_run(Letters::kOfName);
    }
    if (open) return;
    if (escaped) ++i;
  }
}

void PatternWalk::take_text(const Word& word, Unknown how) {
  if (word.known) return take(word.text);
  if (is_file_pattern(word)) return take_pattern(word.text, how);
  take(word.text);
  if (how == Unknown::kCovered) return take_covered();
  take_run(word.several ? Letters::kAll : Letters::kOfWord);
}

void PatternWalk::take_any_words() {
  const Positions before = at_;
  take(kWordEnd);
  take_run(Letters::kAll);
  add(before);
}

void PatternWalk::take_word(const Word& word, Unknown how) {
  const bool pattern = is_file_pattern(word);
  if (!word.several || (!pattern && !word.text.empty())) {
    take(kWordEnd);
    return take_text(word, how);
  }
  if (how == Unknown::kCovered) {
    // A pattern of file names that matches nothing stays as it is written. What covers one name
    // covers many, as a star goes across words.
    if (pattern) take(kWordEnd);
    return take_text(word, how);
  }
  if (!pattern) return take_any_words();
  for (Positions before;;) {
    before = at_;
    take(kWordEnd);
    take_text(word, how);
    add(before);
    if (at_ == before) return;
  }
}

}  // namespace tollgate
