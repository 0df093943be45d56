// Builtins that change the shell itself, or run text: the reader follows them here.
// All other builtins have rows like programs.
// SAFETY: a form that is not understood forgets what was known, so that nothing rests on it.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/name_set.h"
#include "effects/paths.h"
#include "effects/programs/arguments.h"
#include "effects/shell/builtin_words.h"
#include "effects/shell/environment.h"
#include "effects/shell/printed.h"
#include "effects/shell/walker.h"
#include "shell/read.h"

namespace tollgate {
namespace {

using Words = std::span<const Word>;

// Whether a format of printf has a `%n` in it.
bool sets_variables(std::string_view format) {
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') continue;
    i = format.find_first_not_of("#0+- '123456789*.hlLjzt", i + 1);
    if (i == format.npos) return false;
    if (format[i] == 'n') return true;
  }
  return false;
}

// What `printf -v name` leaves in the variable; nothing where that cannot be told.
std::optional<std::string> printed_into(Words argv) {
  if (argv.size() < 4 || !is_name(argv[2].text)) return std::nullopt;
  std::vector<Word> words(argv.begin() + 2, argv.end());
  words[0] = argv[0];
  return printed(words, /*posix=*/false);
}

}  // namespace

const Walker::Handler* Walker::handler_of(std::string_view name) {
  static constexpr Handler kHandlers[] = {
      {"cd", &Walker::change_directory},
      {"pushd", &Walker::anywhere},
      {"popd", &Walker::anywhere},
      {"export", &Walker::declare},
      {"declare", &Walker::declare},
      {"typeset", &Walker::declare},
      {"local", &Walker::declare},
      {"readonly", &Walker::declare},
      {"unset", &Walker::unset},
      {"set", &Walker::set_options},
      {"shopt", &Walker::shell_options},
      {"eval", &Walker::evaluate_text},
      {"source", &Walker::source},
      {".", &Walker::source},
      {"trap", &Walker::trap},
      {"exec", &Walker::execute},
      {"command", &Walker::run_plainly},
      {"builtin", &Walker::run_plainly},
      {"read", &Walker::read_input},
      {"mapfile", &Walker::read_input},
      {"readarray", &Walker::read_input},
      {"getopts", &Walker::read_input},
      {"let", &Walker::let},
      {"shift", &Walker::shift},
      {"alias", &Walker::alias},
      {"unalias", &Walker::alias},
      {"enable", &Walker::alias},
      {"printf", &Walker::print},
      {"test", &Walker::test},
      {"[", &Walker::test},
      {"wait", &Walker::read_input},
      {"break", &Walker::leave},
      {"continue", &Walker::leave},
      {"return", &Walker::leave},
      {"exit", &Walker::leave},
      {"fc", &Walker::repeat},
      {"history", &Walker::repeat},
  };
  static constexpr NameSet kNames = [] {
    std::string_view names[std::size(kHandlers)];
    std::ranges::transform(kHandlers, names, &Handler::name);
    return NameSet(names);
  }();
  if (!kNames.has(name)) return nullptr;
  const auto* found = std::ranges::find(kHandlers, name, &Handler::name);
  return found == std::end(kHandlers) ? nullptr : found;
}

// ---- directories ----

bool Walker::change_directory(Words argv, ShellState& state, std::uint32_t) {
  const Directories from = state.directories;
  state.otherwise = from;
  const auto at = operands_from(argv, "LPe@");
  // With `-` it says where it went.
  if (!at || *at >= argv.size() || !argv[*at].known || argv[*at].text == "-") lose_output();
  const bool cdpath = state.find("CDPATH") != nullptr;
  if (!at || *at + 1 < argv.size() || cdpath || std::ranges::any_of(argv, &Word::several)) {
    state.directories = {""};
    return false;
  }
  bool physical = false;
  for (const Word& word : argv.subspan(1, *at - 1)) {
    if (word.text == "--") break;
    physical = word.text.find_last_of("LP") != word.text.npos &&
               word.text[word.text.find_last_of("LP")] == 'P';
  }
  std::string target = *at < argv.size() ? argv[*at].text : expander(state).home();
  const bool known = *at < argv.size() ? argv[*at].known : !target.empty();
  if (!known || target == "-" || (target.empty() && *at >= argv.size())) {
    state.directories = {""};
    if (goes_to_top_) {
      state.directories.clear();
      for (const std::string& directory : from)
        add_directories(state.directories,
                        {directory.starts_with('/') ? std::string(kTopOf) + directory : ""});
    }
    return true;  // where it leads is not known, but going there changes nothing
  }
  if (target.empty()) return true;  // cd "" stays
  Directories next;
  for (const std::string& directory : from) {
    const auto located = locate(target, {directory, {}, Tilde::kLiteral});
    if (!located) {
      state.directories = {""};
      return true;
    }
    const std::string& spelled = located->spelled.empty() ? located->path : located->spelled;
    // Without -P the shell cleans the path first, and takes it as it stands if that fails.
    if (!physical) add_directories(next, {located->path});
    if (physical || target.find("/..") != target.npos) add_directories(next, {spelled});
  }
  state.directories = std::move(next);
  state.physical = state.physical || physical;
  add_directories(seldom_.change().visited, state.directories);
  return true;
}

bool Walker::anywhere(Words argv, ShellState& state, std::uint32_t index) {
  lose_output();
  // pushd with one plain directory goes there, a plain popd back; nothing else is followed.
  if (argv[0].text == "pushd" && argv.size() == 2 && argv[1].known &&
      !argv[1].text.starts_with('-') && !argv[1].text.starts_with('+')) {
    state.stack.push_back(state.directories);
    return change_directory(argv, state, index);
  }
  if (argv[0].text == "popd" && argv.size() == 1 && state.stack_known && !state.forgotten) {
    if (state.stack.empty()) return true;  // it fails
    // A pushd that failed left nothing behind, so that any of them may be on top.
    state.otherwise = state.directories;
    state.directories.clear();
    for (const Directories& one : state.stack) add_directories(state.directories, one);
    state.stack.pop_back();
    return true;
  }
  state.stack_known = false;
  add_directories(seldom_.change().visited, {""});
  state.otherwise = state.directories;
  state.directories = {""};
  return std::ranges::all_of(argv, &Word::known);
}

bool Walker::set_options(Words argv, ShellState& state, std::uint32_t index) {
  const ShellState before = copy(state);
  std::size_t i = 1;
  bool listed = argv.size() > 1;  // alone it prints every variable
  if (!listed) {
    lose_output();
    tell_secrets(index);
  }
  bool ended = false;
  for (; i < argv.size() && !ended; ++i) {
    const std::string& text = argv[i].text;
    if (!argv[i].known) {
      state.forget();
      return false;
    }
    // Alone the dash leaves the parameters as they are.
    if (text == "-" && i + 1 >= argv.size()) return listed;
    if (text == "--" || text == "-") {
      ended = true;
      continue;
    }
    if (text == "+") continue;
    if (text.size() < 2 || (text[0] != '-' && text[0] != '+')) break;
    const bool on = text[0] == '-';
    if (text.find('f') != text.npos) state.no_glob = on;
    if (text.find('e') != text.npos) state.fragile = true;
    if (text.find('u') != text.npos) state.nounset = true;
    if (text.find('B') != text.npos) state.no_braces = true;
    if (text.find('P') != text.npos) state.physical = true;
    // Letters behind `o` leave its value to the next word.
    const bool odd = text.find('o') + 1 < text.size() && text.find('o') != text.npos;
    if (odd || text.find('k') != text.npos) cannot_follow(kOddMode, argv[i].span);
    if (text.find('a') != text.npos) exports_all_ = true;
    if (text.find_first_not_of("efuxvnmCEhBbT", 1) != text.npos && text.substr(1) != "o" &&
        text.find_first_not_of("efuxvmCEhBbTo", 1) != text.npos)
      listed = false;
    // With -n nothing more runs, with -B off there are no braces: both only leave things out.
    if (!text.ends_with('o')) continue;
    const bool lists = i + 1 >= argv.size() || argv[i + 1].text.starts_with('-') ||
                       argv[i + 1].text.starts_with('+');
    if (lists) {
      lose_output();
      listed = false;  // it prints the options
      continue;
    }
    ++i;
    if (argv[i].text == "errexit") state.fragile = true;
    if (argv[i].text == "nounset") state.nounset = true;
    if (argv[i].text == "braceexpand") state.no_braces = true;
    if (argv[i].text == "physical") state.physical = true;
    if (argv[i].text == "allexport") exports_all_ = true;
    if (!argv[i].known || argv[i].text == "posix" || argv[i].text == "keyword")
      cannot_follow(kOddMode, argv[i].span);
    constexpr std::string_view kHarmless[] = {"pipefail", "errexit",   "nounset",  "xtrace",
                                              "verbose",  "noclobber", "errtrace", "functrace"};
    if (argv[i].text == "noglob") state.no_glob = on;
    if (std::ranges::find(kHarmless, argv[i].text) == std::end(kHarmless) &&
        argv[i].text != "noglob")
      listed = false;
  }
  if (ended || i < argv.size()) {
    set_parameters(argv.subspan(std::min(i, argv.size())), state);
  }
  // An option that it does not have ends it.
  if (!listed) state.join(before);
  return listed;
}

bool Walker::shell_options(Words argv, ShellState& state, std::uint32_t) {
  if (!std::ranges::all_of(argv, &Word::known)) {
    state.forget();
    return false;
  }
  lose_output();
  const auto at = operands_from(argv, "supqo");
  if (!at) return false;
  bool listed = true;
  const bool sets = std::ranges::any_of(argv.subspan(1, *at - 1), [](const Word& word) {
    return word.text.find_first_of("su") != std::string::npos;
  });
  // The options of `set`.
  for (const Word& word : argv.subspan(1, *at - 1))
    if (word.text.find('o') != std::string::npos && *at < argv.size())
      cannot_follow(kOddMode, word.span);
  for (const Word& word : argv.subspan(std::min(*at, argv.size()))) {
    constexpr std::string_view kGlobs[] = {"nullglob", "dotglob",         "globstar", "nocaseglob",
                                           "failglob", "globasciiranges", "extglob"};
    constexpr std::string_view kHarmless[] = {"checkwinsize", "histappend", "inherit_errexit",
                                              "nocasematch",  "lastpipe",   "huponexit"};
    if (std::ranges::find(kGlobs, word.text) != std::end(kGlobs)) {
      // The others match fewer names, or trees, as patterns are looked at anyway.
      if (word.text == "dotglob" || word.text == "nocaseglob") state.odd_glob = true;
      if (word.text == "extglob") state.odd_match = true;
      if (word.text == "failglob") state.fails_glob = true;
    } else if (word.text == "expand_aliases") {
      state.aliases = true;
    } else if (std::ranges::find(kHarmless, word.text) == std::end(kHarmless)) {
      listed = false;
      if (sets) cannot_follow(kOddMode, word.span);
    }
    if (word.text == "inherit_errexit") state.inherits = true;
    if (word.text == "nocasematch") state.odd_match = true;
    // The last part of a pipeline then runs in this shell.
    if (word.text == "lastpipe") {
      cannot_follow("`lastpipe` runs the end of a pipeline in the shell itself", word.span);
      listed = false;
    }
  }
  return listed;
}

// What comes behind it may not happen, and where it leads things may be as they are here.
bool Walker::leave(Words argv, ShellState& state, std::uint32_t) {
  lose_output();
  const bool ends_loop = argv[0].text == "break" || argv[0].text == "continue";
  // In other shells it may end a loop around the function.
  if (ends_loop && posix_ && in_function() && seldom_->left_states.size() == left_base_ + 1)
    cannot_follow("`" + argv[0].text + "` in a function", argv[0].span);
  for (std::size_t i = left_base_; i < seldom_->left_states.size(); ++i) {
    work_ -= std::min(work_, state.weight());
    if (*seldom_->left_states[i])
      (*seldom_->left_states[i])->join(state);
    else
      *seldom_->left_states[i] = state;
  }
  return std::ranges::all_of(argv, &Word::known);
}

// Commands of the history: `fc` runs them, and `history -s` puts text there.
bool Walker::repeat(Words argv, ShellState& state, std::uint32_t index) {
  lose_output();
  const bool listed = read_program(argv, around(state, index), *this, out_).listed;
  state_ = &state;
  const bool lists = argv.size() > 1 && argv[1].known && argv[1].text.starts_with("-l") &&
                     argv[1].text.find_first_not_of("lnr", 1) == std::string::npos;
  if (argv[0].text == "fc" && !lists) {
    unread_shell("`fc` runs commands of the history", argv[0].span);
    state.forget();
  }
  const bool keeps = argv[0].text == "history" && argv.size() > 1 &&
                     (!argv[1].known || (argv[1].text.starts_with('-') &&
                                         argv[1].text.find('s') != std::string::npos));
  if (!keeps) return listed && argv[0].text != "fc";
  Word text{.text = {}, .span = argv[1].span};
  for (const Word& word : argv.subspan(2)) text.text += word.text + ' ';
  ShellState inner = copy(state);
  const std::uint32_t outer = std::exchange(owner_, index);
  if (!text.text.empty()) read(text.text, inner, text.span.empty() ? Span{0, 1} : text.span);
  owner_ = outer;
  state_ = &state;
  add_unknown("`history` keeps text that may be run", argv[0].span);
  return false;
}

// ---- text that is run ----

bool Walker::evaluate_text(Words argv, ShellState& state, std::uint32_t index) {
  Word text{.text = {}, .span = argv.size() > 1 ? argv[1].span : argv[0].span};
  std::size_t from = 1;
  if (argv.size() > 1 && argv[1].text == "--") ++from;
  for (const Word& word : argv.subspan(std::min(from, argv.size()))) {
    if (&word != &argv[from]) text.text += ' ';
    text.text += word.text;
    if (word.known) continue;
    text.known = false;
    if (word.rest == Rest::kPattern) text.text = {};
    break;
  }
  const std::uint32_t outer = std::exchange(owner_, index);
  note_other_shell(text.text, text.span);
  if (text.text.find_first_not_of(" \t\n") != text.text.npos)
    read(text.text, state, text.span.empty() ? Span{0, 1} : text.span);
  owner_ = outer;
  if (!text.known) {
    unread_shell("`eval` runs text that is not known", text.span);
    state.forget();
  }
  return text.known;
}

bool Walker::source(Words argv, ShellState& state, std::uint32_t index) {
  const std::size_t at = argv.size() > 1 && argv[1].text == "--" ? 2 : 1;
  if (argv.size() > at) {
    const Word& file = argv[at];
    const bool made = file.known && is_made(file.text, around(state, index), out_);
    add_path({EffectKind::kRead, EffectBy::kOperand, false}, file, around(state, index), out_);
    const bool stream = file.text.starts_with("/dev/fd/") || file.text == "/dev/stdin";
    const bool fetched = stream && input_.kind == Input::Kind::kFetched;
    add_unknown("`" + argv[0].text + "` runs a file that is not read", file.span,
                fetched  ? kUnreadFetched
                : stream ? kUnreadInput
                         : kUnreadScript,
                index);
    if (made)
      add_unknown("`" + file.text + "` is made by the same text", file.span, kUnreadShell, index);
    if (stream && input_.kind == Input::Kind::kText) {
      ShellState inner = state;
      note_other_shell(input_.text, file.span);
      read(input_.text, inner, file.span.empty() ? Span{0, 1} : file.span);
    }
  }
  state.forget();
  ++consumed_;
  lose_output();
  return false;
}

bool Walker::trap(Words argv, ShellState& state, std::uint32_t index) {
  const auto at = operands_from(argv, "lp");
  if (!at || *at > 1) lose_output();
  if (!at) {
    const auto text = std::ranges::find(argv, false, &Word::known);
    if (text == argv.end()) return false;  // an option that it does not have
    unread_shell("`trap` runs text that is not known", text->span);
    nothing_stays("`trap` may set variables at any time", text->span, state);
    return false;
  }
  if (*at >= argv.size()) {
    lose_output();
    return true;
  }
  const Word& text = argv[*at];
  const bool resets = text.known && (text.text == "-" || text.text.empty());
  if (resets || (text.known && *at + 1 >= argv.size())) return true;
  if (!text.known) unread_shell("`trap` runs text that is not known", text.span);
  // At its end the shell runs it; other traps run in the midst of things.
  const bool again = std::ranges::any_of(seldom_->traps, [&](const Trap& old) {
    return old.text == text.text && old.lent == lent_ && old.posix == posix_;
  });
  // One that sets another when it runs could go on for ever.
  if (!again && (!at_end_ || may_repeat()))
    seldom_.change().traps.push_back(
        {text.text, text.span.empty() ? Span{0, 1} : text.span, index, lent_, posix_});
  const bool at_end = std::ranges::all_of(argv.subspan(*at + 1), [](const Word& word) {
    return word.known && (word.text == "EXIT" || word.text == "0");
  });
  if (at_end) return text.known;
  const shell::Tree tree = shell::read(text.text);
  Settings settings(state);
  settings.look(&tree.script());
  interrupted_ = true;
  if (!text.known || !settings.names.empty() || settings.anything || settings.moves ||
      settings.parameters || settings.options)
    nothing_stays("`trap` may set variables at any time", text.span, state);
  return text.known;
}

bool Walker::execute(Words argv, ShellState& state, std::uint32_t index) {
  std::size_t i = 1;
  for (; i < argv.size() && argv[i].known && argv[i].text.starts_with('-'); ++i) {
    if (argv[i].text == "--") {
      ++i;
      break;
    }
    if (argv[i].text.ends_with('a')) ++i;  // its value is a name
  }
  if (i < argv.size()) command(argv.subspan(i), around(state, index), Lent::kNo);
  lose_output();
  return true;
}

bool Walker::run_plainly(Words argv, ShellState& state, std::uint32_t index) {
  std::size_t i = 1;
  bool tells = false, odd = false;
  for (; i < argv.size() && argv[i].text.starts_with('-'); ++i) {
    if (argv[i].text == "--") {
      ++i;
      break;
    }
    tells = tells || argv[i].text.find_first_of("vV") != std::string::npos;
    odd = odd || argv[i].text.find_first_not_of("pvV", 1) != std::string::npos;
  }
  if (tells || i >= argv.size()) {
    lose_output();
    return !odd;
  }
  const std::uint32_t outer = std::exchange(owner_, index);
  // Builtins are still builtins behind it; functions are not functions.
  const std::vector<Word> words(argv.begin() + static_cast<std::ptrdiff_t>(i), argv.end());
  plainly_ = true;
  run(nullptr, words, state);
  owner_ = outer;
  return !odd;
}

bool Walker::alias(Words argv, ShellState& state, std::uint32_t) {
  lose_output();
  // Printing them is harmless; defining one counts from the next line on, if aliases are on.
  bool defines = argv[0].text != "alias";
  for (const Word& word : argv.subspan(1))
    defines = defines || !word.known || word.text.find('=') != std::string::npos;
  if (!defines) return true;
  if (argv[0].text == "enable") {
    add_unknown("`enable` changes what builtins there are", argv[0].span);
    state.forget();
    return false;
  }
  // SAFETY: zsh and interactive shells expand aliases, and the client's shell may be one.
  if (argv[0].text == "alias") {
    state.aliases = true;
    for (const Word& word : argv.subspan(1)) {
      const std::size_t equals = word.text.find('=');
      if (equals == std::string::npos) continue;
      std::vector<Alias>& own = state.aliases_defined.change();
      std::erase_if(own, [&](const Alias& old) { return old.name == word.text.substr(0, equals); });
      own.push_back({word.text.substr(0, equals), word.text.substr(equals + 1)});
    }
  }
  return false;
}

bool Walker::print(Words argv, ShellState& state, std::uint32_t index) {
  if (argv.size() > 2 && argv[1].text == "-v") {
    // Of several names the last one counts.
    for (std::size_t i = 3; i < argv.size(); ++i)
      if (argv[i].text.starts_with("-v") || (!argv[i].known && may_be_option(argv[i]))) {
        for (const Word& word : argv.subspan(1))
          set_read({word.text.substr(word.text.starts_with("-v") ? 2 : 0), word.span, word.known},
                   state);
        return false;
      }
    expander(state).name_with_subscript(argv[2]);
    const std::string_view name = std::string_view(argv[2].text).substr(0, argv[2].text.find('['));
    Possible value = anything();
    const auto text = printed_into(argv);
    if (text && !posix_ && affords(text->size())) value = {.text = *text};
    value.secret = std::ranges::any_of(argv, &Word::secret);
    if (is_name(name)) set_variable(name, {value}, argv[2].span, state);
    if (is_given(name)) tangle(name, state);
    return is_name(argv[2].text) && argv[2].known &&
           std::ranges::all_of(
               argv.subspan(3),
               [](const Word& word) { return word.text.find("%n") == std::string::npos; }) &&
           argv.size() > 3 && argv[3].known && !sets_variables(argv[3].text);
  }
  if (argv.size() > 1 && argv[1].text.starts_with("-v")) {
    set_read({argv[1].text.substr(2), argv[1].span, argv[1].known}, state);
    return false;
  }
  // `%n` sets the variable that an argument names.
  const std::size_t at = argv.size() > 1 && argv[1].text == "--" ? 2 : 1;
  if (at < argv.size() && (!argv[at].known || sets_variables(argv[at].text))) {
    for (const Word& word : argv.subspan(at + 1)) set_read(word, state);
    if (!argv[at].known) lose_output();
    if (argv[at].known) return false;
  }
  const ProgramReading reading = read_program(argv, around(state, index), *this, out_);
  // Behind the format nothing is an option.
  out_[index].safe = reading.safe || (reading.listed && at < argv.size() && argv[at].known);
  note_output(argv, false);
  return reading.listed && (at >= argv.size() || argv[at].known || !may_be_option(argv[at]));
}

bool Walker::test(Words argv, ShellState& state, std::uint32_t index) {
  for (std::size_t i = 1; i + 1 < argv.size(); ++i)
    if (argv[i].text == "-v" || argv[i].text == "-R")
      expander(state).name_with_subscript(argv[i + 1]);
  // An operator that is not known could be -v; of several words only the first begins like that.
  for (const Word& word : argv.subspan(1))
    if (word.several && may_hold_option(word))
      cannot_follow("a test that is not known may evaluate what it is given", word.span);
  const ProgramReading reading = read_program(argv, around(state, index), *this, out_);
  out_[index].safe = reading.safe;
  return reading.listed;
}

}  // namespace tollgate
