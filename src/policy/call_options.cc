// How an option of a call is found to be the pattern's.
// An option that is not known is compared by its beginning alone.
#include "policy/call_options.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "policy/glob.h"
#include "policy/pattern_walk.h"

namespace tollgate {
namespace {

// What a call gives an option as its value.
struct Given {
  std::optional<std::string_view> text = {};
  const Word* open = nullptr;
};

// The word behind an option, wherever it may be the value.
Given given_behind(const Option& have) {
  if (!have.has_value) return {};
  return {.text = have.value, .open = have.open_value};
}

// Whether a value that the call gives is the one that the pattern asks for, or may be.
bool is_value(const Option& want, const Given& given) {
  if (!want.has_value || want.value == "*") return true;
  if (given.open == nullptr) return given.text && plain_glob(want.value, *given.text);
  PatternWalk walk;
  walk.expect(want.value);
  walk.take_text(*given.open, Unknown::kMayBe);
  return given.open->several || walk.is_done();
}

struct SignalName {
  std::string_view name;
  int number;
};
constexpr SignalName kSignals[] = {
    {"HUP", 1},   {"INT", 2},   {"QUIT", 3},  {"ILL", 4},   {"TRAP", 5},  {"ABRT", 6},
    {"BUS", 7},   {"FPE", 8},   {"KILL", 9},  {"USR1", 10}, {"SEGV", 11}, {"USR2", 12},
    {"PIPE", 13}, {"ALRM", 14}, {"TERM", 15}, {"CHLD", 17}, {"CONT", 18}, {"STOP", 19},
    {"TSTP", 20}, {"TTIN", 21}, {"TTOU", 22}};

// A signal has a number and two names, in letters of either case.
std::optional<int> signal_named(std::string_view text) {
  std::string name;
  for (const char c : text) name += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  if (name.starts_with("SIG")) name.erase(0, 3);
  const auto known = std::ranges::find(kSignals, name, &SignalName::name);
  if (known != std::end(kSignals)) return known->number;
  if (name.empty() || name.size() > 2 || name.find_first_not_of("0123456789") != name.npos)
    return std::nullopt;
  int number = 0;
  for (const char c : name) number = number * 10 + (c - '0');
  return number;
}

bool names_signal(std::string_view word) {
  return word == "-s" || word == "-n" || word == "--signal";
}

std::optional<int> signal_of(const Option& option) {
  const std::size_t equals = option.written.find('=');
  const std::string_view word = option.word.substr(0, option.word.find('='));
  if (names_signal(word)) {
    if (equals != option.written.npos) return signal_named(option.written.substr(equals + 1));
    return option.has_value ? signal_named(option.value) : std::nullopt;
  }
  if (word.starts_with("--") || word.size() < 2) return std::nullopt;
  if (const auto plain = signal_named(word.substr(1))) return plain;
  return word[1] == 's' || word[1] == 'n' ? signal_named(word.substr(2)) : std::nullopt;
}

}  // namespace

bool CallOptions::has_signal(const Option& want) const {
  if (grammar_ == nullptr || !grammar_->signals) return false;
  const std::optional<int> wanted = signal_of(want);
  return wanted && std::ranges::any_of(call_.options, [&](const Option& have) {
           if (have.open_value != nullptr && names_signal(have.word)) return true;
           return have.open == nullptr && signal_of(have) == wanted;
         });
}

bool CallOptions::has(const Option& want) const {
  if (has_signal(want)) return true;
  const OptionSpellings ways = spellings(grammar_, want.word, call_.subcommands);
  return std::ranges::any_of(call_.options,
                             [&](const Option& have) { return is(want, ways, have); }) ||
         has_sum(want) || has_letters(want);
}

// Whether a call's option is the pattern's: exactly, bundled, abbreviated, or by its twin.
bool CallOptions::is(const Option& want, const OptionSpellings& ways, const Option& have) const {
  if (have.open != nullptr) return may_be(want, ways, have);
  const std::size_t equals = have.word.find('=');
  const std::string_view name = have.word.substr(0, equals);
  const Given value =
      equals != name.npos ? Given{.text = have.word.substr(equals + 1)} : given_behind(have);
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
      if (is_value(want, last ? given_behind(have) : Given{.text = rest})) return true;
    }
    if (takes_rest(letter)) return false;
  }
  return false;
}

// Behind a letter that takes a value for sure stands that value, not more letters.
bool CallOptions::takes_rest(char letter) const {
  return grammar_ != nullptr && !grammar_->subcommands &&
         in_list(grammar_->values, std::string{'-', letter});
}

// Whether a word of which only the beginning is known may be the pattern's option.
bool CallOptions::may_be(const Option& want, const OptionSpellings& ways,
                         const Option& have) const {
  if (have.word.size() < 2 || (have.open->several && !is_file_pattern(*have.open))) return true;
  PatternWalk written;
  written.expect(want.written);
  written.take(have.written);
  if (!written.is_lost()) return true;
  const std::size_t equals = have.word.find('=');
  const std::string_view name = have.word.substr(0, equals);
  const bool is_long = name.starts_with("--");
  const bool whole = !is_long && (have.named || equals != have.word.npos);
  const std::string_view bare = name.substr(is_long ? 2 : 1);
  const bool named = std::ranges::any_of(ways.names, [&](std::string_view way) {
    return whole ? way == bare : way.starts_with(bare);
  });
  return named || (!is_long && may_be_in_bundle(ways, have));
}

bool CallOptions::may_be_in_bundle(const OptionSpellings& ways, const Option& have) const {
  const bool whole = grammar_ != nullptr && grammar_->single_dash;
  if (whole && have.word.size() > 2) return false;
  for (const char letter : have.word.substr(1)) {
    if (letter == '=') return false;
    if (ways.letters.find(letter) != ways.letters.npos) return true;
    if (whole || takes_rest(letter)) return false;
  }
  return !have.named && !ways.letters.empty();
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

}  // namespace tollgate
