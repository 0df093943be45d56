// A pattern of words followed letter by letter: all positions in it that the text so far can lead
// to, at once, so that text which is not known may lead to many.
// Such text is taken either as whatever it may be, or as what only a star covers, whatever it is.
// SAFETY: the first may find too many positions and never too few, the second the other way.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/effect.h"
#include "policy/glob.h"

namespace tollgate {

enum class Unknown {
  kMayBe,    // some text in its place leads there
  kCovered,  // every text in its place leads there
};

// Whether the text of a word that is not known is a pattern of file names, and not a beginning.
inline bool is_file_pattern(const Word& word) {
  return word.rest == Rest::kPattern || word.rest == Rest::kJoined;
}

class PatternWalk {
 public:
  PatternWalk() : at_(1, 1) {}

  // What comes next in the pattern; all of it is told before anything is taken. A blank that is not
  // escaped is a letter here: words are told apart by their ends.
  void expect(std::string_view pattern);
  void expect_word_end();

  void take(char letter);
  void take(std::string_view text);
  // A word with its end before it, and its text alone.
  void take_word(const Word& word, Unknown how);
  void take_text(const Word& word, Unknown how);
  void take_any_words();  // as they may be, or none

  bool is_done() const { return at_.back() != 0; }  // all of the pattern is used up
  bool is_lost() const;                             // whatever follows, it never will be

  // The positions as they are, to go back to; and to stand at those too, or at those alone.
  using Positions = std::vector<char>;
  const Positions& positions() const& { return at_; }
  void add(const Positions& positions);
  void go_back(const Positions& positions) { at_ = positions; }

 private:
  struct Step {
    char letter = 0;
    bool star = false;
  };
  enum class Letters { kAll, kOfWord, kOfName };  // a word has no end in it, a name no slash

  void add_step(Step step);
  void pass_stars();
  void take_run(Letters letters);
  void take_name();
  void take_covered();
  void take_pattern(std::string_view pattern, Unknown how);

  std::vector<Step> steps_;
  Positions at_, next_;
};

}  // namespace tollgate
