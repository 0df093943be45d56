// Builtins that set variables: declare and its like, unset, read, let, shift.
#include <algorithm>
#include <optional>
#include <utility>

#include "effects/shell/builtin_words.h"
#include "effects/shell/environment.h"
#include "effects/shell/walker.h"

namespace tollgate {
namespace {

using Words = std::span<const Word>;

}  // namespace

bool Walker::declare(Words argv, ShellState& state, std::uint32_t index) {
  bool listed = true, prints = false, evaluates = false, integer = false, map = false;
  const bool exports = argv[0].text == "export";
  bool global = exports || argv[0].text == "readonly", fixed = argv[0].text == "readonly";
  bool functions = false, cased = false, refers = false;
  // Outside of a function it is an error.
  if (argv[0].text == "local" && calls_.empty() && !posix_) return true;
  // `local -`: the options that the function sets end with it.
  for (const Word& word : argv.subspan(1))
    if (word.text == "-") cannot_follow(kOddMode, word.span);
  std::size_t i = 1;
  for (; i < argv.size(); ++i) {
    const std::string& text = argv[i].text;
    if (!argv[i].known || text.size() < 2 || (text[0] != '-' && text[0] != '+')) break;
    if (text == "--") {
      ++i;
      break;
    }
    prints = prints || text.find('p') != text.npos;
    global = global || text.find('g') != text.npos;
    fixed = fixed || (!exports && text.find('r') != text.npos);
    functions = functions || text.find_first_of("fF") != text.npos;
    evaluates = evaluates || text.find_first_of("in") != text.npos;
    cased = cased || (!exports && text.find_first_of("luc") != text.npos);
    refers = refers || (!exports && text.find('n') != text.npos);
    integer = integer || (text[0] == '-' && text.find('i') != text.npos && !exports);
    map = map || (text[0] == '-' && text.find('A') != text.npos && !exports);
    const std::string_view known = exports ? "npf" : "aAilnrtuxgfFpcI";
    if (text.find_first_not_of(known, 1) != text.npos) listed = false;
    if (text.find_first_of("lucnf") != text.npos && !exports) listed = false;
  }
  if (prints || i >= argv.size()) {
    lose_output();
    tell_secrets(index);
  }
  // Without names it prints every variable there is, secrets among them.
  if (i >= argv.size()) return false;
  if (functions) {
    lose_output();
    // Another bash that is started may then find them.
    if (!prints) add_unknown("`" + argv[0].text + "` changes functions", argv[0].span);
    return false;
  }
  if (refers)
    nothing_stays("`" + argv[0].text + " -n` lets one variable stand for another", argv[0].span,
                  state);
  const bool own = !global && !calls_.empty();
  for (; i < argv.size(); ++i) {
    const Word& word = argv[i];
    const std::string_view text = word.text;
    const std::size_t equals = text.find('=');
    if (word.several || (!word.known && equals == text.npos)) {
      cannot_follow("`" + argv[0].text + "` sets a variable that is not known", word.span);
      state.forget();
      return false;
    }
    std::string_view name = text.substr(0, equals);
    const bool append = name.ends_with('+');
    if (append) name.remove_suffix(1);
    if (!is_name(name)) {
      expander(state).name_with_subscript({std::string(name), word.span});
      state.set(name.substr(0, name.find('[')), unknown_value());
      listed = false;
      continue;
    }
    // Any other word that ends like that has a value.
    const bool compound = word.known && word.operand && text.ends_with(kElements);
    // What was read before it became the function's own is what it was outside.
    if (own && !compound) {
      const bool again = find_named(state.locals, name) != state.locals.end();
      state.make_local(name);
      if (!again && equals == text.npos && !prints) {
        state.entry(name) = {.name = std::string(name), .value = known_value("")};
        if (posix_)
          state.set(name, unknown_value());
        else
          state.unset(name);
      }
      if (!again && equals != text.npos) state.restore(name, std::nullopt);
    }
    // What is the function's own here may be everybody's by this.
    if (global && !calls_.empty() && !prints)
      for (Local& local : state.locals.change())
        if (local.name == name) local.certain = false;
    const Sways sway = sways(name);
    const bool visible = exports || argv[0].text != "local";
    if (equals == text.npos) {
      if (sway == Sways::kLoading && !prints && visible && state.find(name) != nullptr)
        add_unknown("`" + std::string(name) + "` changes what programs load or run", word.span);
      if (exports && sway == Sways::kProgram) {
        state.environment = true;
        ++heeded_;
      }
      if (fixed && state.find(name) == nullptr) state.set(name, unknown_value());
      if (fixed) state.entry(name).readonly = true;
      if (integer || map || cased) {
        if (state.find(name) == nullptr) {
          state.set(name, unknown_value());
          state.entry(name).perhaps = true;
        }
        state.entry(name).integer |= integer;
        state.entry(name).map |= map;
        state.entry(name).cased |= cased;
      }
      continue;
    }
    Possible value{.text = std::string(text.substr(equals + 1)),
                   .rest = word.known ? Rest::kNothing : Rest::kAnything,
                   .code = !word.known,
                   .secret = word.secret};
    if (compound) {
      // Its elements were assigned already, before the attributes were known.
      if (integer) {
        // What is evaluated may set further variables.
        const std::vector<Value> elements = state.entry(name).elements;
        for (const Value& element : elements)
          for (const Possible& one : element) {
            if (one.known())
              expander(state).evaluate(one.text, word.span);
            else
              cannot_follow("a value that is not known is evaluated", word.span);
          }
        if (!state.entry(name).elements_known)
          cannot_follow("values that are not known are evaluated", word.span);
      }
      Variable& variable = state.entry(name);
      if (cased || variable.cased) {
        variable.value = unknown_value();
        variable.elements.clear();
        variable.elements_known = false;
        variable.cased = true;
      }
      state.entry(name).integer |= integer;
      state.entry(name).map |= map;
      state.entry(name).readonly |= fixed;
      if (own) {
        // It was assigned as if it were everybody's.
        state.make_local(name);
        auto local = find_named(state.locals.change(), name);
        local->certain = false;
        local->outer.reset();
      }
      continue;
    }
    if (append || cased) value = anything();
    value.secret = word.secret;
    if (evaluates) {
      if (value.known())
        expander(state).evaluate(value.text, word.span);
      else
        cannot_follow("`" + argv[0].text + "` evaluates a value that is not known", word.span);
      if (integer) value = a_number();
    }
    set_variable(name, {std::move(value)}, word.span, state);
    state.entry(name).integer |= integer;
    state.entry(name).map |= map;
    state.entry(name).cased |= cased;
    state.entry(name).readonly |= fixed;
  }
  return listed && !prints;
}

bool Walker::unset(Words argv, ShellState& state, std::uint32_t) {
  const auto at = operands_from(argv, "fvn");
  if (!at) {
    state.forget();
    return false;
  }
  bool only_functions = false, only_variables = false;
  for (const Word& word : argv.subspan(1, *at - 1)) {
    only_functions = only_functions || word.text.find('f') != std::string::npos;
    only_variables = only_variables || word.text.find_first_of("vn") != std::string::npos;
  }
  for (const Word& word : argv.subspan(std::min(*at, argv.size()))) {
    expander(state).name_with_subscript(word);
    if (!word.known) {
      state.forget();
      return false;
    }
    // Without an option it is the variable, and where there is none the function.
    if (!only_variables && state.function(word.text) != nullptr)
      for (ShellFunction& one : state.functions.change())
        if (one.name == word.text) one.certain = false;
    if (only_functions) state.undefine(word.text);
    if (only_functions) continue;
    const std::string_view name = std::string_view(word.text).substr(0, word.text.find('['));
    if (!is_name(name)) continue;
    const bool outer = find_named(state.locals, name) == state.locals.end() &&
                       std::ranges::find(outer_locals_, name) != outer_locals_.end();
    set_variable(name, known_value(""), word.span, state);
    if (name.size() == word.text.size() && !outer && !posix_) {
      state.unset(name);
    } else {
      // Behind the variable of one function there is that of another, or an element is gone.
      state.set(name, unknown_value());
      state.entry(name).perhaps = true;
      state.entry(name).array = true;
    }
  }
  return true;
}

bool Walker::read_input(Words argv, ShellState& state, std::uint32_t) {
  const std::string& name = argv[0].text;
  bool listed = name == "read" || name == "wait" || name == "getopts";
  constexpr std::string_view kReadValues = "aditnNpu";
  for (std::size_t i = 1; i < argv.size(); ++i) {
    const Word& word = argv[i];
    if (!word.known) {
      if (name == "getopts" && i == 1) continue;
      cannot_follow("`" + name + "` is given words that are not known", word.span);
      state.forget();
      return false;
    }
    const std::string& text = word.text;
    if (name != "getopts" && text.size() > 1 && text[0] == '-') {
      if (name == "mapfile" || name == "readarray") {
        if (text.find('C') != text.npos) {
          cannot_follow("`" + name + " -C` runs its value", word.span);
          const std::size_t at = text.find('C');
          const std::string code = at + 1 < text.size()  ? text.substr(at + 1)
                                   : i + 1 < argv.size() ? argv[i + 1].text
                                                         : std::string();
          ShellState inner = state;
          if (!code.empty()) read(code, inner, word.span.empty() ? Span{0, 1} : word.span);
          return false;
        }
        listed = listed || text == "-t";
        const std::size_t value = text.find_first_of("dnOsuc", 1);
        if (value + 1 == text.size()) ++i;
        continue;
      }
      const char last = text.back();
      if (name == "wait") {
        if (last != 'p') continue;
        if (i + 1 >= argv.size()) return false;
        expander(state).name_with_subscript(argv[++i]);
        if (is_name(argv[i].text)) set_variable(argv[i].text, {a_number()}, word.span, state);
        continue;
      }
      // The first letter with a value has the rest of the word for it, or the next word.
      const std::size_t value = text.find_first_of(kReadValues, 1);
      if (value == text.npos) continue;
      const bool attached = value + 1 < text.size();
      if (text[value] == 'a' && attached)
        set_read({.text = text.substr(value + 1), .span = word.span}, state);
      if (text[value] == 'a' && !attached && i + 1 < argv.size()) set_read(argv[i + 1], state);
      if (!attached) ++i;
      continue;
    }
    if (name == "wait" || (name == "getopts" && i != 2)) continue;
    set_read(word, state);
  }
  if (name != "wait" && name != "getopts") ++consumed_;
  fetched_somewhere_ = fetched_somewhere_ || input_.kind == Input::Kind::kFetched;
  if (name == "mapfile" || name == "readarray") {
    state.set("MAPFILE", unknown_value());
    return true;
  }
  if (name == "read") state.set("REPLY", unknown_value());
  if (name == "getopts") {
    state.set("OPTARG", unknown_value());
    state.set("OPTIND", {a_number()});
  }
  return listed;
}

// A variable that is given something that is not known, perhaps as an array.
void Walker::set_read(const Word& word, ShellState& state) {
  expander(state).name_with_subscript(word);
  const std::string_view name = std::string_view(word.text).substr(0, word.text.find('['));
  if (!is_name(name)) return;
  Possible value = anything();
  value.secret = secrets_told_ > 0;
  set_variable(name, {value}, word.span, state);
  state.entry(name).array = state.entry(name).perhaps = true;
}

bool Walker::let(Words argv, ShellState& state, std::uint32_t) {
  // After an error the rest of the words is not evaluated.
  std::optional<ShellState> stopped;
  for (const Word& word : argv.subspan(1)) {
    failing_ = false;
    if (word.known)
      expander(state).evaluate(word.text, word.span);
    else
      cannot_follow("`let` evaluates a word that is not known", word.span);
    if (!failing_) continue;
    if (stopped)
      stopped->join(state);
    else
      stopped = copy(state);
  }
  if (stopped) state.join(*stopped);
  return true;
}

bool Walker::shift(Words argv, ShellState& state, std::uint32_t) {
  if (argv.size() == 1 && state.positional_known) {
    state.copied += size_of(state.positional);
    if (!state.positional.empty()) {
      std::vector<Value>& words = state.positional.change();
      words.erase(words.begin());
    }
  } else {
    state.positional_known = false;
    state.positional_listed.clear();
  }
  return std::ranges::all_of(argv, &Word::known);
}

}  // namespace tollgate
