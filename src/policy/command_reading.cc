// Reads one word after the other, knowing what the option before says of it.
// A word that may be a value or an operand is kept as both.
// SAFETY: in a call nothing that looks like an option is ever lost as the value of another.
#include "policy/command_reading.h"

#include <algorithm>
#include <utility>

#include "policy/glob.h"

namespace tollgate {
namespace {

enum class Of { kCall, kPattern };

// Splits words into options and operands, one word at a time.
class CommandReader {
 public:
  CommandReader(const OptionGrammar* grammar, Of of, Doubt doubt)
      : grammar_(grammar), of_(of), doubt_(doubt) {}

  void read(std::string_view word);

  // A pattern that closes with a star behind an option means the words that follow, too.
  CommandReading finish(std::string_view last) && {
    const bool starred = last.ends_with('*') && has_star(last);
    const bool open = !result_.operands.empty() && result_.operands.back().text == "*";
    if (starred && !open && of_ == Of::kPattern && !last_is_operand_)
      result_.operands.push_back({.text = "*"});
    return std::move(result_);
  }

 private:
  enum class Ended { kNo, kPerhaps, kYes };  // kPerhaps: the two dashes may be a value

  bool takes(NextWord next) const;
  void read_option(std::string_view word);
  void add_operand(std::string_view word, bool optional);

  const OptionGrammar* grammar_;
  Of of_;
  Doubt doubt_;
  CommandReading result_;
  NextWord next_ = NextWord::kApart;  // what the word before says of this one
  Ended ended_ = Ended::kNo;
  bool behind_option_ = false;
  bool settled_ = false;
  bool last_is_operand_ = true;
};

// Whether a pattern's option takes the word behind it as value.
bool CommandReader::takes(NextWord next) const {
  switch (doubt_) {
    case Doubt::kTakesValue:
      return next >= NextWord::kDoubtful;
    case Doubt::kByRow:
      return next >= NextWord::kLikely;
    case Doubt::kTakesNone:
      break;
  }
  return next == NextWord::kValue;
}

void CommandReader::read(std::string_view word) {
  const bool dashed = word.size() > 1 && word[0] == '-' && ended_ != Ended::kYes;
  const bool of_call = of_ == Of::kCall;
  NextWord here = std::exchange(next_, NextWord::kApart);
  // Some programs let every flag be followed by a truth.
  if (std::exchange(behind_option_, false) && of_call && here == NextWord::kApart &&
      in_list("true false null", word))
    here = NextWord::kDoubtful;
  const bool doubtful = here == NextWord::kDoubtful || here == NextWord::kLikely;
  if (doubtful && !dashed) result_.doubtful = true;
  const bool value = of_call ? here != NextWord::kApart : takes(here) && !dashed;
  last_is_operand_ = false;
  if (value) {
    result_.options.back().value = word;
    result_.options.back().has_value = true;
    if (!of_call || (here == NextWord::kValue && !dashed)) return;
  }
  if (!dashed) {
    last_is_operand_ = true;
    add_operand(word, of_call && doubtful);
    return;
  }
  if (ended_ == Ended::kPerhaps) result_.operands.push_back({.text = word, .optional = true});
  if (word == "--") {
    ended_ = of_call && here != NextWord::kApart ? Ended::kPerhaps : Ended::kYes;
    return;
  }
  read_option(word);
  // If it was a value or an operand, it takes none itself.
  const bool sure = here == NextWord::kApart && ended_ == Ended::kNo;
  if (of_call && !sure && next_ == NextWord::kValue) next_ = NextWord::kLikely;
}

void CommandReader::read_option(std::string_view word) {
  Option option{.written = word, .word = word};
  const std::size_t equals = word.find('=');
  if (of_ == Of::kPattern && equals != word.npos && !has_star(word.substr(0, equals))) {
    option.word = word.substr(0, equals);
    option.value = word.substr(equals + 1);
    option.has_value = true;
  }
  result_.options.push_back(option);
  next_ = next_word(grammar_, word, {.subcommands = result_.subcommands, .settled = settled_});
  behind_option_ = true;
}

void CommandReader::add_operand(std::string_view word, bool optional) {
  if (grammar_ != nullptr && grammar_->subcommands && !settled_) {
    // `cargo +nightly build` names a toolchain before the subcommand.
    if (of_ == Of::kCall && word.starts_with('+')) optional = true;
    result_.subcommands.push_back(word);
    settled_ = !optional;
  }
  result_.operands.push_back({.text = word, .optional = optional});
}

bool is_bundle(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

}  // namespace

CommandReading read_pattern(std::span<const std::string_view> words, const OptionGrammar* grammar,
                            Doubt doubt) {
  CommandReader reader(grammar, Of::kPattern, doubt);
  for (std::string_view word : words.subspan(1)) reader.read(word);
  return std::move(reader).finish(words.back());
}

CommandReading read_call(std::span<const Word> argv, const OptionGrammar* grammar) {
  CommandReader reader(grammar, Of::kCall, Doubt::kTakesNone);
  for (const Word& word : argv.subspan(1)) reader.read(word.text);
  return std::move(reader).finish({});
}

CommandReading read_call(std::span<const std::string_view> words, const OptionGrammar* grammar) {
  CommandReader reader(grammar, Of::kCall, Doubt::kTakesNone);
  for (std::string_view word : words.subspan(1)) reader.read(word);
  return std::move(reader).finish({});
}

std::vector<std::string_view> spelled_out(std::span<const std::string_view> words,
                                          const OptionGrammar* grammar, std::string& letters) {
  std::vector<std::string_view> result;
  if (grammar == nullptr || !grammar->bundle_first || words.size() < 2 || !is_bundle(words[1]))
    return result;
  letters.clear();
  for (char letter : words[1]) letters.append(1, '-').append(1, letter);
  result.push_back(words[0]);
  std::size_t next = 2;
  for (std::size_t i = 0; i < letters.size(); i += 2) {
    result.push_back(std::string_view(letters).substr(i, 2));
    if (next < words.size() && in_list(grammar->values, result.back()))
      result.push_back(words[next++]);
  }
  result.insert(result.end(), words.begin() + static_cast<std::ptrdiff_t>(next), words.end());
  return result;
}

}  // namespace tollgate
