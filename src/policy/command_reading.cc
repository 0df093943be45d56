// Reads one word after the other, knowing what the option before says of it.
// A word that may be a value or an operand is kept as both.
// SAFETY: in a call nothing that looks like an option is ever lost as the value of another.
#include "policy/command_reading.h"

#include <algorithm>
#include <utility>

#include "policy/glob.h"
#include "policy/pattern_walk.h"

namespace tollgate {
namespace {

enum class Of { kCall, kPattern };

// Splits words into options and operands, one word at a time.
class CommandReader {
 public:
  CommandReader(const OptionGrammar* grammar, Of of, Doubt doubt)
      : grammar_(grammar), of_(of), doubt_(doubt) {}

  void read(std::string_view word);
  void read_open(const Word& word);

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
  bool is_sure_value(const Word& word) const;
  void add_open_operand(const Word& word, bool optional);
  void add_open_option(const Word& word);
  OptionPlace place() const { return {.subcommands = result_.subcommands, .settled = settled_}; }

  const OptionGrammar* grammar_;
  Of of_;
  Doubt doubt_;
  CommandReading result_;
  NextWord next_ = NextWord::kApart;  // what the word before says of this one
  Ended ended_ = Ended::kNo;
  bool behind_option_ = false;
  bool sure_option_ = false;  // the last option is one, and neither value nor operand
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
  sure_option_ = sure;
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
  next_ = next_word(grammar_, word, place());
  behind_option_ = true;
}

void CommandReader::add_operand(std::string_view word, bool optional) {
  std::string_view other;
  if (grammar_ != nullptr && grammar_->subcommands && !settled_) {
    // `cargo +nightly build` names a toolchain before the subcommand.
    if (of_ == Of::kCall && word.starts_with('+')) optional = true;
    // `docker container run` is `docker run`.
    if (of_ == Of::kCall && in_list(grammar_->groups, word)) optional = true;
    const std::string_view name = command_named(*grammar_, word);
    // Behind a word that may be none it need not be the subcommand.
    if (of_ == Of::kCall && name != word && !result_.subcommands.empty()) other = word;
    word = name;
    result_.subcommands.push_back(word);
    settled_ = !optional;
  }
  result_.operands.push_back({.text = word, .optional = optional, .other = other});
}

// How a word begins that is not known.
std::string_view beginning(const Word& word) {
  const std::string_view text = word.text;
  return !is_file_pattern(word) ? text : text.substr(0, text.find_first_of("*?[\\"));
}

// Whether all that stands here begins like this.
bool is_one(const Word& word) { return !word.several || is_file_pattern(word); }

// A subcommand that is not known, and may be another name of any.
const Word kAnyName{.known = false, .rest = Rest::kAnything};

// Whether a word that begins like this may be another name of a subcommand that does not.
bool may_be_renamed(const OptionGrammar& grammar, std::string_view beginning) {
  return std::ranges::any_of(grammar.names, [&](const CommandName& one) {
    for (std::string_view rest = one.others; !rest.empty();) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      if (name.starts_with(beginning)) return true;
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
    return false;
  });
}

// Whether a word is the value of the option before it, and cannot be anything else to the program.
bool CommandReader::is_sure_value(const Word& word) const {
  if (word.several || !sure_option_ || result_.options.back().open != nullptr) return false;
  const std::string_view option = result_.options.back().word;
  return value_letter(grammar_, option, place()) == option.size() - 1;
}

// Any of its readings may be the right one: an option, the value of one, operands, or nothing.
void CommandReader::read_open(const Word& word) {
  const NextWord here = std::exchange(next_, NextWord::kApart);
  const bool behind_option = std::exchange(behind_option_, false);
  bool may_be_dashed = ended_ != Ended::kYes && could_be_option(word);
  if (here != NextWord::kApart) {
    // Behind words that may be none the value is already any.
    Option& option = result_.options.back();
    if (option.open_value == nullptr) option.open_value = &word;
    option.has_value = true;
    const bool sure = is_sure_value(word);
    if (sure && here == NextWord::kValue) return;
    if (sure) may_be_dashed = false;
  }
  // A truth behind a flag is no operand. What has a dash is one only behind two of them.
  const bool dashed =
      may_be_dashed && ended_ == Ended::kNo && is_one(word) && beginning(word).size() > 1;
  const bool optional = behind_option || here != NextWord::kApart || word.several || may_be_dashed;
  if (!dashed) add_open_operand(word, optional);
  if (may_be_dashed) {
    add_open_option(word);
  } else if (word.several && here != NextWord::kApart) {
    // Where nothing stands here, the next word is the value.
    next_ = NextWord::kLikely;
    sure_option_ = false;
  }
}

void CommandReader::add_open_operand(const Word& word, bool optional) {
  const Word* open = &word;
  if (grammar_ != nullptr && grammar_->subcommands && !settled_) {
    const std::string_view text = beginning(word);
    if (text.empty() || text[0] == '+') optional = true;
    result_.subcommands.push_back({});
    result_.any_subcommand = true;
    settled_ = !optional;
    if (is_one(word) && may_be_renamed(*grammar_, text)) open = &kAnyName;
  }
  result_.operands.push_back({.text = {}, .optional = optional, .open = open});
}

void CommandReader::add_open_option(const Word& word) {
  const std::string_view text = beginning(word);
  const bool one = is_one(word);
  Option option{.written = text, .word = text, .open = &word};
  behind_option_ = true;
  sure_option_ = false;
  next_ = NextWord::kDoubtful;
  const bool is_long = text.starts_with("--");
  if (const std::size_t equals = text.find('='); is_long && one && equals != text.npos) {
    option.named = true;
    next_ = NextWord::kApart;
  } else if (const std::size_t letter = is_long ? 0 : value_letter(grammar_, text, place());
             letter != 0 && one && !grammar_->single_dash) {
    // SAFETY: the rest of the word may be empty, and then the next one is the value.
    option.word = text.substr(0, letter + 1);
    option.named = true;
  } else if (ended_ == Ended::kNo && (!one || std::string_view("--").starts_with(text))) {
    ended_ = Ended::kPerhaps;
  }
  result_.options.push_back(option);
}

bool is_bundle(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
}

}  // namespace

bool could_be_option(const Word& word) {
  // Behind a blank in what is not known there is another word.
  return may_be_option(word) || (word.several && !is_file_pattern(word));
}

CommandReading read_pattern(std::span<const std::string_view> words, const OptionGrammar* grammar,
                            Doubt doubt) {
  CommandReader reader(grammar, Of::kPattern, doubt);
  // `docker container rm` is `docker rm`, of which a call need not name the group.
  const bool grouped = grammar != nullptr && words.size() > 2 &&
                       in_list(grammar->groups, words[1]) && !words[2].starts_with('-') &&
                       !has_star(words[2]);
  for (std::string_view word : words.subspan(grouped ? 2 : 1)) reader.read(word);
  return std::move(reader).finish(words.back());
}

CommandReading read_call(std::span<const Word> argv, const OptionGrammar* grammar) {
  CommandReader reader(grammar, Of::kCall, Doubt::kTakesNone);
  for (const Word& word : argv.subspan(1)) {
    if (word.known)
      reader.read(word.text);
    else
      reader.read_open(word);
  }
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

SpelledWords spelled_out(std::span<const Word> words, const OptionGrammar* grammar) {
  SpelledWords result;
  if (grammar == nullptr || !grammar->bundle_first || words.size() < 2) return result;
  const Word& first = words[1];
  const std::string_view text = first.known ? std::string_view(first.text) : beginning(first);
  const bool may_be_missing = first.several && is_file_pattern(first);
  result.told = first.known || (!text.empty() && !is_bundle(text) && !may_be_missing);
  if (!first.known || !is_bundle(text)) return result;
  result.words.push_back(words[0]);
  std::size_t next = 2;
  for (const char letter : text) {
    result.words.push_back({.text = {'-', letter}});
    if (next == words.size() || !in_list(grammar->values, result.words.back().text)) continue;
    // Which words are the values behind this one is open.
    if (words[next].several) result.told = false;
    result.words.push_back(words[next++]);
  }
  const auto rest = words.subspan(next);
  result.words.insert(result.words.end(), rest.begin(), rest.end());
  return result;
}

}  // namespace tollgate
