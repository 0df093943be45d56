// Command patterns against one simple command.
// Allow reads the pattern as text. Deny and ask read it as a command too, so that options in
// another order, bundle, abbreviation or spelling do not slip by.
// SAFETY: reading as a command may only ever add matches, and only for deny and ask.
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/inline_text.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/command_reading.h"
#include "policy/glob.h"
#include "policy/match.h"
#include "policy/option_grammar.h"

namespace tollgate {
namespace {

// The words of a command joined for command_glob.
class JoinedWords {
 public:
  JoinedWords(std::string_view program, std::span<const Word> argv) {
    text_.append(program);
    for (std::size_t i = 1; i < argv.size(); ++i) {
      text_.append(kWordEnd);
      text_.append(argv[i].text);
    }
  }
  std::string_view view() const& { return text_.view(); }

 private:
  InlineText text_;
};

constexpr std::string_view kSystemDirectories[] = {
    "/bin/", "/sbin/", "/usr/bin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/"};

// The name a program word goes by: for allow only from the system's directories.
std::string_view program_name(std::string_view word, Verdict list) {
  if (!word.starts_with('/')) return word;
  const std::string_view base = base_name(word);
  if (list != Verdict::kAllow) return base;
  const std::string_view directory = word.substr(0, word.size() - base.size());
  return std::ranges::find(kSystemDirectories, directory) != std::end(kSystemDirectories) ? base
                                                                                          : word;
}

// Splits a pattern at its unescaped blanks.
std::vector<std::string_view> pattern_words(std::string_view pattern) {
  std::vector<std::string_view> words;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\') {
      ++i;
    } else if (pattern[i] == ' ') {
      words.push_back(pattern.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  words.push_back(pattern.substr(begin));
  return words;
}

bool names_home(std::string_view pattern) {
  return pattern.starts_with("~/") || pattern.find(" ~/") != pattern.npos ||
         pattern.ends_with(" ~");
}

// The pattern with `~` at the beginning of a word replaced, as the shell does before matching.
std::string with_home(std::string_view pattern, std::string_view home) {
  std::string out;
  for (std::string_view word : pattern_words(pattern)) {
    if (!out.empty()) out += ' ';
    if (word == "~" || word.starts_with("~/")) {
      out += escape_shell_word(home);
      word.remove_prefix(1);
    }
    out += word;
  }
  return out;
}

bool text_matches(std::string_view pattern, std::span<const Word> argv, Verdict list) {
  const std::string_view raw = argv[0].text;
  const std::string_view name = program_name(raw, list);
  if (command_glob(pattern, JoinedWords(name, argv).view())) return true;
  if (name == raw && list == Verdict::kAllow) return false;
  if (name != raw && command_glob(pattern, JoinedWords(raw, argv).view())) return true;
  if (list == Verdict::kAllow || !pattern.starts_with('/')) return false;
  // A deny or ask that spells a program's path is about that program, wherever it stands.
  const std::size_t end = std::min(pattern.find(' '), pattern.size());
  const std::size_t slash = pattern.substr(0, end).rfind('/');
  return command_glob(pattern.substr(slash + 1), JoinedWords(name, argv).view());
}

// Whether a value that the call gives is the one that the pattern asks for.
bool is_value(const Option& want, std::optional<std::string_view> value) {
  if (!want.has_value || want.value == "*") return true;
  return value && plain_glob(want.value, *value);
}

// The options of one call, asked for those of a pattern.
class CallOptions {
 public:
  CallOptions(const CommandReading& call, const OptionGrammar* grammar)
      : call_(call), grammar_(grammar) {}

  bool has(const Option& want) const {
    const OptionSpellings ways = spellings(grammar_, want.word, call_.subcommands);
    return std::ranges::any_of(call_.options,
                               [&](const Option& have) { return is(want, ways, have); }) ||
           has_sum(want) || has_letters(want);
  }

 private:
  bool is(const Option& want, const OptionSpellings& ways, const Option& have) const;
  bool in_bundle(const Option& want, const OptionSpellings& ways, const Option& have) const;
  bool has_sum(const Option& want) const;
  bool has_letters(const Option& want) const;

  const CommandReading& call_;
  const OptionGrammar* grammar_;
};

// Whether a call's option is the pattern's: exactly, bundled, abbreviated, or by its twin.
bool CallOptions::is(const Option& want, const OptionSpellings& ways, const Option& have) const {
  const std::size_t equals = have.word.find('=');
  const std::string_view name = have.word.substr(0, equals);
  std::optional<std::string_view> value;
  if (equals != name.npos)
    value = have.word.substr(equals + 1);
  else if (have.has_value)
    value = have.value;
  if (plain_glob(want.written, have.word) && (want.attached() || is_value(want, value)))
    return true;
  const bool is_long = name.starts_with("--");
  const std::string_view bare = name.substr(is_long ? 2 : 1);
  const bool named = std::ranges::any_of(ways.names, [&](std::string_view way) {
    return is_long ? !bare.empty() && way.starts_with(bare) : way == bare;
  });
  return (named && is_value(want, value)) || (!is_long && in_bundle(want, ways, have));
}

// A letter takes the rest of its word as value, or the next word where it is the last.
bool CallOptions::in_bundle(const Option& want, const OptionSpellings& ways,
                            const Option& have) const {
  const bool whole = grammar_ != nullptr && grammar_->single_dash;
  if (whole && have.word.size() > 2) return false;
  for (std::size_t i = 1; i < have.word.size() && have.word[i] != '='; ++i) {
    const char letter = have.word[i];
    if (ways.letters.find(letter) != ways.letters.npos) {
      std::string_view rest = have.word.substr(i + 1);
      const bool last = rest.empty();
      if (rest.starts_with('=')) rest.remove_prefix(1);
      std::optional<std::string_view> value;
      if (!last)
        value = rest;
      else if (have.has_value)
        value = have.value;
      if (is_value(want, value)) return true;
    }
    // Behind a letter that takes a value for sure stands that value, not more letters.
    if (grammar_ != nullptr && !grammar_->subcommands &&
        in_list(grammar_->values, std::string{'-', letter}))
      return false;
  }
  return false;
}

bool CallOptions::has_sum(const Option& want) const {
  if (want.has_value) return false;
  const std::vector<std::string_view> names = summed(grammar_, want.word, call_.subcommands);
  return !names.empty() && std::ranges::all_of(names, [&](std::string_view name) {
    const std::string word = "--" + std::string(name);
    return has({.written = word, .word = word});
  });
}

// Every letter of a pattern's bundle is an option of its own, or the rest is a letter's value.
bool CallOptions::has_letters(const Option& want) const {
  const std::string_view word = want.word;
  if (word.starts_with("--") || word.size() == 2 || has_star(word)) return false;
  if (grammar_ != nullptr && grammar_->single_dash) return false;
  for (std::size_t i = 1; i < word.size(); ++i) {
    const std::string letter{'-', word[i]};
    const bool last = i + 1 == word.size();
    const std::string_view rest = last ? want.value : word.substr(i + 1);
    const bool valued =
        last ? want.has_value : !want.has_value && lists_value(grammar_, letter, call_.subcommands);
    Option one{.written = letter, .word = letter, .value = rest, .has_value = valued};
    const bool found = has(one);
    if (last) return found;
    if (found && valued) return true;
    one.has_value = false;
    if (!found && !has(one)) return false;
  }
  return false;
}

// The operands of a pattern against those of a call, any of the optional ones left out. All
// positions in the pattern that the words so far can lead to are followed at once.
class OperandMatch {
 public:
  explicit OperandMatch(std::span<const Operand> want) {
    open_ = !want.empty() && want.back().text == "*";
    for (const Operand& operand : want.first(want.size() - (open_ ? 1 : 0))) {
      steps_.push_back({.letter = kWordEnd});
      for (std::size_t i = 0; i < operand.text.size(); ++i) {
        const bool escaped = operand.text[i] == '\\' && i + 1 < operand.text.size();
        if (escaped) ++i;
        steps_.push_back({.letter = operand.text[i], .star = !escaped && operand.text[i] == '*'});
      }
    }
    at_.assign(steps_.size() + 1, 0);
    at_[0] = 1;
  }

  bool matches(std::span<const Operand> have) {
    for (const Operand& operand : have) {
      if (open_ && at_.back()) return true;
      const std::vector<char> before = operand.optional ? at_ : std::vector<char>();
      take(kWordEnd);
      for (char letter : operand.text) take(letter);
      for (std::size_t i = 0; i < before.size(); ++i)
        if (before[i]) at_[i] = 1;
    }
    return at_.back() != 0;
  }

 private:
  struct Step {
    char letter = 0;
    bool star = false;
  };

  void take(char letter) {
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

  // A star may also take nothing.
  void pass_stars() {
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (at_[i] && steps_[i].star) at_[i + 1] = 1;
  }

  std::vector<Step> steps_;
  std::vector<char> at_, next_;
  bool open_ = false;
};

bool reads_alike(std::span<const std::string_view> pattern, const CommandReading& call,
                 const OptionGrammar* grammar) {
  const CallOptions options(call, grammar);
  for (const Doubt doubt : {Doubt::kTakesValue, Doubt::kByRow, Doubt::kTakesNone}) {
    const CommandReading want = read_pattern(pattern, grammar, doubt);
    if (OperandMatch(want.operands).matches(call.operands) &&
        std::ranges::all_of(want.options, [&](const Option& o) { return options.has(o); }))
      return true;
    if (!want.doubtful) return false;
  }
  return false;
}

// Both once more, with the bundles spelled out that some programs take without a dash.
bool bundles_alike(std::span<const std::string_view> pattern, std::span<const Word> argv,
                   const OptionGrammar* grammar) {
  if (grammar == nullptr || !grammar->bundle_first) return false;
  using Words = std::span<const std::string_view>;
  std::vector<std::string_view> call;
  for (const Word& word : argv) call.push_back(word.text);
  std::string want_letters, call_letters;
  const std::vector<std::string_view> want = spelled_out(pattern, grammar, want_letters);
  const std::vector<std::string_view> have = spelled_out(call, grammar, call_letters);
  if (want.empty() && have.empty()) return false;
  return reads_alike(want.empty() ? pattern : Words(want),
                     read_call(have.empty() ? Words(call) : Words(have), grammar), grammar);
}

bool reads_as(std::string_view pattern, std::span<const Word> argv) {
  std::string_view program = pattern.substr(0, pattern.find(' '));
  if (program.starts_with('/')) program = base_name(program);
  const std::string_view name = program_name(argv[0].text, Verdict::kDeny);
  if (!plain_glob(program, name)) return false;
  const std::vector<std::string_view> words = pattern_words(pattern);
  const OptionGrammar* grammar = option_grammar(name);
  return reads_alike(words, read_call(argv, grammar), grammar) ||
         bundles_alike(words, argv, grammar);
}

}  // namespace

CommandParts command_parts(std::span<const std::string_view> words) {
  const OptionGrammar* grammar = option_grammar(program_name(words[0], Verdict::kDeny));
  // INVARIANT: a word that any reading takes for a value is listed as one, never as operand; a
  // bundle without a dash, which a call may spell as options, as neither.
  std::string letters;
  const std::vector<std::string_view> spelled = spelled_out(words, grammar, letters);
  const CommandReading read =
      read_pattern(spelled.empty() ? words : std::span<const std::string_view>(spelled), grammar,
                   Doubt::kTakesValue);
  // The letters of a bundle are no part of the pattern and do not outlive this call.
  const auto is_letter = [&](std::string_view text) {
    return std::less_equal<>()(letters.data(), text.data()) &&
           std::less<>()(text.data(), letters.data() + letters.size());
  };
  CommandParts parts;
  for (const Operand& operand : read.operands)
    if (!is_letter(operand.text)) parts.operands.push_back(operand.text);
  for (const Option& option : read.options)
    if (option.has_value && !option.value.starts_with('~') && !is_letter(option.value))
      parts.values.push_back(option.value);
  return parts;
}

std::vector<std::string_view> all_words(std::string_view pattern) { return pattern_words(pattern); }

bool command_text_matches(std::string_view pattern, std::span<const Word> argv, Verdict list,
                          std::string_view home) {
  if (argv.empty()) return false;
  if (!std::ranges::all_of(argv, &Word::known)) return false;
  if (names_home(pattern)) return text_matches(with_home(pattern, home), argv, list);
  return text_matches(pattern, argv, list);
}

Match command_hits(std::string_view pattern, std::span<const Word> argv, std::string_view home) {
  if (argv.empty()) return Match::kMaybe;
  std::string expanded;
  if (names_home(pattern)) pattern = expanded = with_home(pattern, home);
  if (text_matches(pattern, argv, Verdict::kDeny) || reads_as(pattern, argv)) return Match::kYes;
  if (std::ranges::all_of(argv, &Word::known)) return Match::kNo;
  if (!argv[0].known) return Match::kMaybe;
  const std::string_view program = pattern_words(pattern)[0];
  return plain_glob(program, program_name(argv[0].text, Verdict::kDeny)) ? Match::kMaybe
                                                                         : Match::kNo;
}

}  // namespace tollgate
