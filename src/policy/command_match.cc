// Command patterns against one simple command.
// Allow reads the pattern as text. Deny and ask read it as a command too, so that options in
// another order, bundle, abbreviation or spelling do not slip by.
// SAFETY: reading as a command may only ever add matches, and only for deny and ask.
#include <algorithm>
#include <string>
#include <vector>

#include "base/inline_text.h"
#include "base/path.h"
#include "base/text.h"
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

constexpr std::string_view kSystemDirectories[] = {"/bin/",           "/sbin/",
                                                   "/usr/bin/",       "/usr/sbin/",
                                                   "/usr/local/bin/", "/usr/local/sbin/"};

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

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

struct Option {
  std::string_view word;   // as written, with dashes
  std::string_view value;  // the next word, where the option takes it
  bool has_value = false;
};

struct Parsed {
  std::vector<Option> options;
  std::vector<std::string_view> operands;  // the subcommand first where there is one
};

// `list` holds words with single blanks between them.
bool in_list(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// Splits words into options and operands; the value of an option is no operand.
template <class Words, class TextOf>
Parsed parsed(const Words& words, const OptionGrammar* grammar, const TextOf& text_of) {
  Parsed result;
  bool options_over = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = text_of(words[i]);
    if (options_over || word.size() < 2 || word[0] != '-') {
      result.operands.push_back(word);
      continue;
    }
    if (word == "--") {
      options_over = true;
      continue;
    }
    Option option{.word = word};
    const bool global = grammar != nullptr && grammar->subcommands && result.operands.empty();
    if (grammar != nullptr && i + 1 < words.size() &&
        in_list(global ? grammar->global_values : grammar->values, word)) {
      option.value = text_of(words[++i]);
      option.has_value = true;
    }
    result.options.push_back(option);
  }
  return result;
}

// The twins that a subcommand knows.
template <class Visit>
bool any_twin(const OptionGrammar* grammar, std::string_view subcommand, const Visit& visit) {
  if (grammar == nullptr) return false;
  return std::ranges::any_of(grammar->twins, [&](const OptionTwin& twin) {
    return (twin.command.empty() || twin.command == subcommand) && visit(twin);
  });
}

// `--name`, `--name=value` or an abbreviation of it, against a long option of the call.
bool is_long(std::string_view want, std::string_view have) {
  const std::string_view want_name = want.substr(0, want.find('='));
  const std::string_view have_name = have.substr(0, have.find('='));
  if (have_name.size() < 3 || !want_name.starts_with(have_name)) return false;
  if (want_name.size() == want.size()) return true;
  return have_name.size() != have.size() &&
         want.substr(want_name.size()) == have.substr(have_name.size());
}

// Whether a call's option is the pattern's: exactly, bundled, abbreviated, or by its twin.
bool is_option(std::string_view want, std::string_view have, const OptionGrammar* grammar,
               std::string_view subcommand) {
  if (has_star(want)) return plain_glob(want, have);
  if (want == have) return true;
  const bool want_long = want.starts_with("--"), have_long = have.starts_with("--");
  const auto holds = [&](char letter) { return have.find(letter, 1) != have.npos; };
  if (want_long && have_long) return is_long(want, have);
  if (want_long)
    return any_twin(grammar, subcommand, [&](const OptionTwin& twin) {
      return twin.name == want.substr(2) && holds(twin.letter);
    });
  if (!have_long && want.size() == 2 && holds(want[1])) return true;
  if (want.size() != 2) return false;
  return any_twin(grammar, subcommand, [&](const OptionTwin& twin) {
    if (twin.letter != want[1]) return false;
    if (have_long) return is_long("--" + std::string(twin.name), have);
    // Two letters can stand for one option: rm -r and rm -R.
    return any_twin(grammar, subcommand, [&](const OptionTwin& other) {
      return other.name == twin.name && holds(other.letter);
    });
  });
}

// Whether a pattern's value is the one that the call gives that option, in any spelling.
bool is_value(const Option& want, const Option& have) {
  if (!want.has_value || want.value == "*") return true;
  if (have.has_value) return plain_glob(want.value, have.value);
  const std::size_t equals = have.word.find('=');
  if (equals != have.word.npos) return plain_glob(want.value, have.word.substr(equals + 1));
  return have.word.size() > 2 && plain_glob(want.value, have.word.substr(2));
}

bool has_option(const Option& want, const Parsed& call, const OptionGrammar* grammar,
                std::string_view subcommand) {
  const auto present = [&](std::string_view word) {
    return std::ranges::any_of(call.options, [&](const Option& have) {
      return is_option(word, have.word, grammar, subcommand) && is_value(want, have);
    });
  };
  const std::string_view word = want.word;
  if (present(word)) return true;
  if (word.starts_with("--") || word.size() == 2 || has_star(word)) return false;
  // Every letter of a pattern's bundle is an option of its own.
  for (std::size_t i = 1; i < word.size(); ++i)
    if (!present(std::string{'-', word[i]})) return false;
  return true;
}

bool reads_as(std::string_view pattern, std::span<const Word> argv) {
  std::string_view program = pattern.substr(0, pattern.find(' '));
  if (program.starts_with('/')) program = base_name(program);
  if (!plain_glob(program, program_name(argv[0].text, Verdict::kDeny))) return false;
  const std::vector<std::string_view> words = pattern_words(pattern);
  const OptionGrammar* grammar = option_grammar(program_name(argv[0].text, Verdict::kDeny));
  const Parsed want = parsed(words, grammar, [](std::string_view word) { return word; });
  const Parsed call = parsed(argv, grammar, [](const Word& word) -> std::string_view {
    return word.text;
  });
  const std::string_view subcommand =
      grammar != nullptr && grammar->subcommands && !call.operands.empty() ? call.operands[0] : "";
  for (const Option& option : want.options)
    if (!has_option(option, call, grammar, subcommand)) return false;
  // The program stands in front of the operands so that a closing ` *` keeps its meaning.
  std::string rest = "x";
  for (std::string_view operand : want.operands) rest += ' ' + std::string(operand);
  std::string operands = "x";
  for (std::string_view operand : call.operands) operands += kWordEnd + std::string(operand);
  return command_glob(rest, operands);
}

}  // namespace

CommandParts command_parts(std::string_view pattern) {
  const std::vector<std::string_view> words = pattern_words(pattern);
  const OptionGrammar* grammar = option_grammar(program_name(words[0], Verdict::kDeny));
  Parsed read = parsed(words, grammar, [](std::string_view word) { return word; });
  CommandParts parts{.operands = std::move(read.operands)};
  for (const Option& option : read.options)
    if (option.has_value) parts.values.push_back(option.value);
  return parts;
}

std::string operand_path(std::string_view word, const Situation& situation) {
  if (word.starts_with('-')) {
    const std::size_t equals = word.find('=');
    if (equals == word.npos) return {};
    word.remove_prefix(equals + 1);
  }
  if (word.find("://") != word.npos || word.find_first_of("/.") == word.npos) return {};
  return absolute_path(word, situation.cwd.written);
}

std::vector<std::string_view> all_words(std::string_view pattern) {
  return pattern_words(pattern);
}

bool command_text_matches(std::string_view pattern, std::span<const Word> argv, Verdict list,
                          std::string_view home) {
  if (argv.empty()) return false;
  if (!std::ranges::all_of(argv, &Word::known)) return false;
  if (names_home(pattern)) return text_matches(with_home(pattern, home), argv, list);
  return text_matches(pattern, argv, list);
}

Match command_hits(std::string_view pattern, std::span<const Word> argv,
                   std::string_view home) {
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
