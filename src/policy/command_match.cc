// Command patterns against one simple command.
// Allow reads the pattern as text. Deny and ask read it as a command too, so that options in
// another order, bundle, abbreviation or spelling do not slip by.
// SAFETY: reading as a command may only ever add matches, and only for deny and ask.
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/inline_text.h"
#include "base/path.h"
#include "base/text.h"
#include "policy/call_options.h"
#include "policy/command_reading.h"
#include "policy/glob.h"
#include "policy/match.h"
#include "policy/option_grammar.h"
#include "policy/pattern_walk.h"

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

// Whether the pattern fits under one of the names that the program goes by.
template <class Fits>
bool fits_by_name(std::string_view pattern, std::string_view raw, Verdict list, const Fits& fits) {
  const std::string_view name = program_name(raw, list);
  if (fits(pattern, name)) return true;
  if (name == raw && list == Verdict::kAllow) return false;
  if (name != raw && fits(pattern, raw)) return true;
  if (list == Verdict::kAllow || !pattern.starts_with('/')) return false;
  // A deny or ask that spells a program's path is about that program, wherever it stands.
  const std::size_t end = std::min(pattern.find(' '), pattern.size());
  const std::size_t slash = pattern.substr(0, end).rfind('/');
  return fits(pattern.substr(slash + 1), name);
}

bool text_matches(std::string_view pattern, std::span<const Word> argv, Verdict list) {
  return fits_by_name(pattern, argv[0].text, list,
                      [&](std::string_view fitting, std::string_view program) {
                        return command_glob(fitting, JoinedWords(program, argv).view());
                      });
}

// As command_glob, where some words are not known.
bool walk_fits(std::string_view pattern, std::string_view program, std::span<const Word> argv,
               Unknown how) {
  const bool open = ends_open(pattern);
  if (open) pattern.remove_suffix(2);
  PatternWalk walk;
  bool first = true;
  for (std::string_view word : pattern_words(pattern)) {
    if (!std::exchange(first, false)) walk.expect_word_end();
    walk.expect(word);
  }
  if (argv[0].known)
    walk.take(program);
  else
    walk.take_text(argv[0], how);
  for (const Word& word : argv.subspan(1)) {
    if (open && walk.is_done()) return true;
    if (walk.is_lost()) return false;
    walk.take_word(word, how);
  }
  return walk.is_done();
}

bool text_fits(std::string_view pattern, std::span<const Word> argv, Verdict list, Unknown how) {
  return fits_by_name(pattern, argv[0].text, list,
                      [&](std::string_view fitting, std::string_view program) {
                        return walk_fits(fitting, program, argv, how);
                      });
}

void take_operand(PatternWalk& walk, const Operand& operand) {
  if (operand.open == nullptr) {
    PatternWalk::Positions before;
    if (!operand.other.empty()) before = walk.positions();
    walk.take(kWordEnd);
    walk.take(operand.text);
    if (operand.other.empty()) return;
    const PatternWalk::Positions named = walk.positions();
    walk.go_back(before);
    walk.take(kWordEnd);
    walk.take(operand.other);
    walk.add(named);
  } else if (operand.open->several && !is_file_pattern(*operand.open)) {
    // The first of them, of which the beginning is known, may be the value of an option.
    walk.take_any_words();
  } else {
    walk.take_word(*operand.open, Unknown::kMayBe);
  }
}

// The operands of a pattern against those of a call, any of the optional ones left out.
bool operands_match(std::span<const Operand> want, std::span<const Operand> have,
                    const OptionGrammar* grammar) {
  // A pattern with a goal is about every call that has it among others.
  const bool goals = grammar != nullptr && grammar->any_operand && !want.empty();
  const bool open = !want.empty() && want.back().text == "*";
  PatternWalk walk;
  for (const Operand& operand : want.first(want.size() - (open ? 1 : 0))) {
    walk.expect_word_end();
    walk.expect(operand.text);
  }
  PatternWalk::Positions before;
  for (const Operand& operand : have) {
    if (open && walk.is_done()) return true;
    const bool optional = operand.optional || goals;
    if (optional) before = walk.positions();
    take_operand(walk, operand);
    if (optional) walk.add(before);
    if (walk.is_lost()) return false;
  }
  return walk.is_done();
}

// A word that is not known may be any subcommand, and so may have any option.
CommandReading reading_of(std::span<const Word> argv, const OptionGrammar* grammar) {
  CommandReading reading = read_call(argv, grammar);
  if (reading.any_subcommand) add_subcommands(grammar, reading.subcommands);
  return reading;
}

bool reads_alike(std::span<const std::string_view> pattern, const CommandReading& call,
                 const OptionGrammar* grammar) {
  const CallOptions options(call, grammar);
  for (const Doubt doubt : {Doubt::kTakesValue, Doubt::kByRow, Doubt::kTakesNone}) {
    const CommandReading want = read_pattern(pattern, grammar, doubt);
    if (operands_match(want.operands, call.operands, grammar) &&
        std::ranges::all_of(want.options, [&](const Option& o) { return options.has(o); }))
      return true;
    if (!want.doubtful) return false;
  }
  return false;
}

bool bundles_may_be_alike(std::span<const std::string_view> pattern, std::span<const Word> argv,
                          const OptionGrammar* grammar) {
  const SpelledWords have = spelled_out(argv, grammar);
  if (!have.told) return true;
  std::string letters;
  const std::vector<std::string_view> want = spelled_out(pattern, grammar, letters);
  if (want.empty() && have.words.empty()) return false;
  return reads_alike(want.empty() ? pattern : std::span<const std::string_view>(want),
                     reading_of(have.words.empty() ? argv : have.words, grammar), grammar);
}

// Both once more, with the bundles spelled out that some programs take without a dash.
bool bundles_alike(std::span<const std::string_view> pattern, std::span<const Word> argv,
                   const OptionGrammar* grammar) {
  if (grammar == nullptr || !grammar->bundle_first) return false;
  if (!std::ranges::all_of(argv, &Word::known)) return bundles_may_be_alike(pattern, argv, grammar);
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
  return reads_alike(words, reading_of(argv, grammar), grammar) ||
         bundles_alike(words, argv, grammar);
}

bool is_plain(const Word& word) { return word.known && !word.computed; }

// What a program prints is no written word: whatever it is taken for must hold for any text.
std::vector<Word> without_computed(std::span<const Word> argv) {
  std::vector<Word> words(argv.begin(), argv.end());
  for (Word& word : words) {
    if (!word.computed) continue;
    word.text.clear();
    word.known = false;
    word.rest = Rest::kAnything;
  }
  return words;
}

// The text of a word that is not known, with a letter that no pattern spells for what is open.
std::string opaque_text(const Word& word) {
  constexpr char kOpen = '\x01';
  if (!is_file_pattern(word)) return word.text + kOpen;
  std::string text;
  for (std::size_t i = 0; i < word.text.size(); ++i) {
    const bool open = std::string_view("*?[\\").find(word.text[i]) != std::string_view::npos;
    text += open ? kOpen : word.text[i];
    if (word.text[i] == '\\') ++i;
  }
  return text;
}

// Whether the call is the pattern's, read as a command, whatever the open words are. They are
// tried as words that nobody knows; those that may be options or none at all are left out, too.
bool reads_for_sure(std::string_view pattern, std::span<const Word> argv) {
  const std::vector<const Word*> hidden = hidden_options(argv);
  std::vector<Word> all, fewer;
  for (const Word& word : argv) {
    all.push_back(word);
    if (!word.known) all.back() = {.text = opaque_text(word)};
    // A program by a pattern of file names is there, and the first of those that it matches.
    const bool there = !word.several || (&word == &argv[0] && is_file_pattern(word));
    if (there && std::ranges::find(hidden, &word) == hidden.end()) fewer.push_back(all.back());
  }
  return reads_as(pattern, all) &&
         (fewer.size() == all.size() || (!fewer.empty() && reads_as(pattern, fewer)));
}

bool hits_for_sure(std::string_view pattern, std::span<const Word> argv) {
  const std::vector<Word> words = without_computed(argv);
  return text_fits(pattern, words, Verdict::kDeny, Unknown::kCovered) ||
         reads_for_sure(pattern, words);
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
  // A call may have another name for the subcommand.
  const bool named = grammar != nullptr && (!grammar->names.empty() || !grammar->shortened.empty());
  const auto is_renamed = [&](std::string_view text) {
    return named && std::ranges::find(read.subcommands, text) != read.subcommands.end();
  };
  CommandParts parts;
  for (const Operand& operand : read.operands)
    if (!is_letter(operand.text) && !is_renamed(operand.text))
      parts.operands.push_back(operand.text);
  for (const Option& option : read.options)
    if (option.has_value && !option.value.starts_with('~') && !is_letter(option.value))
      parts.values.push_back(option.value);
  return parts;
}

std::vector<std::string_view> all_words(std::string_view pattern) { return pattern_words(pattern); }

bool command_text_matches(std::string_view pattern, std::span<const Word> argv, Verdict list,
                          std::string_view home) {
  if (argv.empty()) return false;
  std::string expanded;
  if (names_home(pattern)) pattern = expanded = with_home(pattern, home);
  const bool allow = list == Verdict::kAllow;
  if (std::ranges::all_of(argv,
                          [&](const Word& word) { return allow ? word.known : is_plain(word); }))
    return text_matches(pattern, argv, list);
  if (!allow) return text_fits(pattern, without_computed(argv), list, Unknown::kCovered);
  return argv[0].known && text_fits(pattern, argv, list, Unknown::kCovered);
}

std::vector<const Word*> hidden_options(std::span<const Word> argv) {
  std::vector<const Word*> hidden;
  const std::string_view name = program_name(argv[0].text, Verdict::kDeny);
  for (const Option& option : read_call(argv, option_grammar(name)).options)
    if (option.open != nullptr && !option.named) hidden.push_back(option.open);
  return hidden;
}

Match command_hits(std::string_view pattern, std::span<const Word> argv, std::string_view home) {
  if (argv.empty()) return Match::kMaybe;
  std::string expanded;
  if (names_home(pattern)) pattern = expanded = with_home(pattern, home);
  if (std::ranges::all_of(argv, is_plain)) {
    const bool hit = text_matches(pattern, argv, Verdict::kDeny) || reads_as(pattern, argv);
    return hit ? Match::kYes : Match::kNo;
  }
  if (hits_for_sure(pattern, argv)) return Match::kYes;
  // SAFETY: a program that is not known may be any, also one that runs its words.
  if (!argv[0].known) return Match::kMaybe;
  return text_fits(pattern, argv, Verdict::kDeny, Unknown::kMayBe) || reads_as(pattern, argv)
             ? Match::kMaybe
             : Match::kNo;
}

}  // namespace tollgate
