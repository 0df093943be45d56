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

// Whether it may come to nothing, or to less than it says: an option that it does not have, or one
// with which nothing is set.
bool is_doubtful(Words argv) {
  const std::string& name = argv[0].text;
  const bool exports = name == "export", fixes = name == "readonly";
  const std::string_view taken = exports ? "np" : fixes ? "aAp" : "aAgiIlnrtux";
  bool lists = false, maps = false;
  for (const Word& word : argv.subspan(1)) {
    const std::string& text = word.text;
    if (text == "--" || text.size() < 2 || (text[0] != '-' && text[0] != '+')) break;
    if (text[0] == '+' || text.find_first_not_of(taken, 1) != text.npos) return true;
    lists = lists || text.find('a') != text.npos;
    maps = maps || text.find('A') != text.npos;
  }
  return lists && maps;
}

// `name=(…)`, whose elements are assigned already. Any other word that ends like that has a value.
bool is_compound(const Word& word) {
  return word.known && word.operand && word.text.ends_with(kElements);
}

// Lists that were assigned before it turned out that the builtin may not do it.
void doubt_elements(Words argv, ShellState& state) {
  for (const Word& word : argv.subspan(1))
    if (is_compound(word))
      state.may_be(std::string_view(word.text).substr(0, word.text.find('=')), std::nullopt);
}

// A value behind which more words may stand.
bool is_several(Words argv, std::size_t at) { return at < argv.size() && argv[at].several; }

Variable unset_variable(std::string_view name) {
  return {.name = std::string(name), .value = known_value(""), .elements = {}, .unset = true};
}

}  // namespace

// What a builtin that declares variables is told by its options.
struct Walker::Declaration {
  std::string_view builtin;
  bool own = false;      // a variable of the function that runs
  bool global = false;   // export, readonly, or -g
  bool exports = false;  // export
  bool prints = false, evaluates = false, integer = false, map = false, list = false;
  bool fixed = false;      // it can not be changed afterwards
  bool cased = false;      // what it is given is written in other letters
  bool inherits = false;   // -I: it is what it was outside
  bool outermost = false;  // -g
  bool plain = true;       // there are no options
};

bool Walker::declare(Words argv, ShellState& state, std::uint32_t index) {
  if (!is_doubtful(argv)) return declare_names(argv, state, index);
  const ShellState before = copy(state);
  const bool listed = declare_names(argv, state, index);
  state.join(before);
  doubt_elements(argv, state);
  return listed;
}

bool Walker::declare_names(Words argv, ShellState& state, std::uint32_t index) {
  const std::string& builtin = argv[0].text;
  const bool exports = builtin == "export";
  Declaration how{.builtin = builtin,
                  .global = exports || builtin == "readonly",
                  .exports = exports,
                  .fixed = builtin == "readonly"};
  bool listed = true, functions = false, refers = false;
  // Outside of a function it is an error.
  if (builtin == "local" && !in_function() && !posix_) {
    doubt_elements(argv, state);
    return true;
  }
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
    how.plain = false;
    how.prints = how.prints || text.find('p') != text.npos;
    how.outermost = how.outermost || (!how.global && text.find('g') != text.npos);
    how.fixed = how.fixed || (!exports && text.find('r') != text.npos);
    functions = functions || text.find_first_of("fF") != text.npos;
    how.evaluates = how.evaluates || text.find_first_of("in") != text.npos;
    how.cased = how.cased || (!exports && text.find_first_of("luc") != text.npos);
    refers = refers || (!exports && text.find('n') != text.npos);
    how.integer = how.integer || (text[0] == '-' && text.find('i') != text.npos && !exports);
    how.map = how.map || (text[0] == '-' && text.find('A') != text.npos && !exports);
    how.list = how.list || (text.find('a') != text.npos && !exports);
    how.inherits = how.inherits || (!exports && text.find('I') != text.npos);
    const std::string_view known = exports                 ? "npf"
                                   : builtin == "readonly" ? "aApf"
                                                           : "aAilnrtuxgfFpcI";
    if (text.find_first_not_of(known, 1) != text.npos) listed = false;
    if (text.find_first_of("lucnf") != text.npos && !exports) listed = false;
  }
  how.global = how.global || how.outermost;
  if (how.prints || i >= argv.size()) {
    lose_output();
    tell_secrets(index);
  }
  // Without names it prints every variable there is, secrets among them.
  if (i >= argv.size()) return false;
  if (functions) {
    lose_output();
    // Another bash that is started may then find them.
    if (!how.prints) add_unknown("`" + builtin + "` changes functions", argv[0].span);
    return false;
  }
  if (refers)
    nothing_stays("`" + builtin + " -n` lets one variable stand for another", argv[0].span, state);
  how.own = !how.global && in_function();
  for (; i < argv.size(); ++i) {
    const Word& word = argv[i];
    const std::string_view text = word.text;
    const std::size_t equals = text.find('=');
    if (word.several || (!word.known && equals == text.npos)) {
      cannot_follow("`" + builtin + "` sets a variable that is not known", word.span);
      state.forget();
      return false;
    }
    std::string_view name = text.substr(0, equals);
    if (name.ends_with('+')) name.remove_suffix(1);
    if (!is_name(name)) {
      expander(state).name_with_subscript({std::string(name), word.span});
      name = name.substr(0, name.find('['));
      state.set(name, unknown_value());
      if (is_name(name) && (is_layered(name) || how.own)) tangle(name, state);
      listed = false;
      continue;
    }
    const bool builtin_given = std::ranges::any_of(seldom_->layers, [&](const Layer& layer) {
      return layer.of == Layer::Of::kBuiltin && layer.name == name;
    });
    const bool again = find_named(state.locals, name) != state.locals.end();
    const bool tangles = (how.outermost && (again || is_layered(name))) ||
                         (is_given(name) && (!how.own || !how.plain || builtin_given));
    // One that cannot be changed stays as it is, and so does one that would become another sort.
    const Variable* const now = state.find(name);
    const bool refused = now != nullptr && (now->readonly || (now->map && how.list) ||
                                            (!now->map && (now->array || now->indexed) && how.map));
    std::optional<Variable> kept;
    if (tangles || refused) kept = state.saved(name);
    declare_name(how, word, state);
    if (is_compound(word)) kept.reset();
    if (tangles || refused) state.may_be(name, kept);
    if (tangles) tangle(name, state);
  }
  return listed && !how.prints;
}

void Walker::declare_name(const Declaration& how, const Word& word, ShellState& state) {
  const std::string_view text = word.text;
  const std::size_t equals = text.find('=');
  std::string_view name = text.substr(0, equals);
  const bool append = name.ends_with('+');
  if (append) name.remove_suffix(1);
  const bool compound = is_compound(word);
  // What was read before it became the function's own is what it was outside.
  if (how.own && !compound) {
    const auto local = find_named(state.locals, name);
    const bool again = local != state.locals.end();
    const bool perhaps = again && !local->certain;
    state.make_local(name);
    if (!again && equals == text.npos && !how.prints && !how.inherits) {
      state.entry(name) = {.name = std::string(name), .value = known_value("")};
      if (posix_)
        state.set(name, unknown_value());
      else
        state.unset(name);
    }
    if (!again && equals != text.npos && !how.inherits) state.restore(name, std::nullopt);
    // It may become the function's own here only, and an array may begin as an empty one.
    if (again && equals == text.npos && (perhaps || how.list || how.map))
      state.may_be(name, unset_variable(name));
  }
  // What is the function's own here may be everybody's by this.
  if (how.global && in_function() && !how.prints)
    for (Local& local : state.locals.change())
      if (local.name == name) local.certain = false;
  const Sways sway = sways(name);
  const bool visible = how.exports || how.builtin != "local";
  if (equals == text.npos) {
    if (sway == Sways::kLoading && !how.prints && visible && state.find(name) != nullptr)
      add_sway(name, word.span);
    if (how.exports && sway == Sways::kProgram) {
      state.environment = true;
      ++heeded_;
    }
    if (how.fixed && state.find(name) == nullptr) state.set(name, unknown_value());
    if (how.fixed) state.entry(name).readonly = true;
    if (how.integer || how.map || how.list || how.cased) {
      if (state.find(name) == nullptr) {
        state.set(name, unknown_value());
        state.entry(name).perhaps = true;
      }
      state.entry(name).integer |= how.integer;
      state.entry(name).map |= how.map;
      state.entry(name).indexed |= how.list;
      state.entry(name).cased |= how.cased;
    }
    return;
  }
  if (compound) return declare_elements(how, name, word.span, state);
  Possible value{.text = std::string(text.substr(equals + 1)),
                 .rest = word.known ? Rest::kNothing : Rest::kAnything,
                 .code = !word.known,
                 .secret = word.secret};
  const Variable* const now = state.find(name);
  const bool array =
      how.list || how.map || (now != nullptr && (now->array || now->indexed || now->map));
  const bool bracketed = value.known() ? value.text.starts_with('(') && value.text.ends_with(')')
                                       : value.text.empty() || value.text.starts_with('(');
  if (array && bracketed && !how.exports) {
    const bool odd = how.integer || how.map || how.cased ||
                     (now != nullptr && (now->integer || now->map || now->cased));
    const bool certain = how.list || how.map;
    take_apart(name, word, odd, state);
    declare_elements(how, name, word.span, state);
    if (!certain)
      state.may_be(name, Variable{.name = std::string(name), .value = {value}, .elements = {}});
    return;
  }
  if (append || how.cased) value = anything();
  value.secret = word.secret;
  if (how.evaluates) {
    if (value.known())
      expander(state).evaluate(value.text, word.span);
    else
      cannot_follow("`" + std::string(how.builtin) + "` evaluates a value that is not known",
                    word.span);
    if (how.integer) value = a_number();
  }
  set_variable(name, {std::move(value)}, word.span, state);
  Variable& variable = state.entry(name);
  variable.integer |= how.integer;
  variable.map |= how.map;
  variable.indexed |= how.list;
  variable.cased |= how.cased;
  variable.readonly |= how.fixed;
}

// A text in brackets that an array is given is read as a list of elements.
void Walker::take_apart(std::string_view name, const Word& word, bool odd, ShellState& state) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:@%+- ";
  const std::size_t begin = word.text.find('(');
  const bool plain = word.known && !odd && begin != word.text.npos &&
                     word.text.find_first_not_of(kPlain, begin + 1) == word.text.size() - 1;
  if (begin != word.text.npos) read(word.text, state, word.span.empty() ? Span{0, 1} : word.span);
  if (plain) return;
  cannot_follow("a text is read as a list of elements", word.span);
  state.set(name, unknown_value());
  state.entry(name).array = state.entry(name).perhaps = true;
}

// Its elements were assigned already, before the attributes were known.
void Walker::declare_elements(const Declaration& how, std::string_view name, Span span,
                              ShellState& state) {
  if (how.integer) {
    // What is evaluated may set further variables.
    const std::vector<Value> elements = state.entry(name).elements;
    for (const Value& element : elements)
      for (const Possible& one : element) {
        if (one.known())
          expander(state).evaluate(one.text, span, element.size() > 1);
        else
          cannot_follow("a value that is not known is evaluated", span);
      }
    if (!state.entry(name).elements_known)
      cannot_follow("values that are not known are evaluated", span);
  }
  Variable& variable = state.entry(name);
  if (how.cased || variable.cased) {
    variable.value = unknown_value();
    variable.elements.clear();
    variable.elements_known = false;
    variable.cased = true;
  }
  variable.integer |= how.integer;
  variable.map |= how.map;
  variable.readonly |= how.fixed;
  if (!how.own) return;
  // It was assigned as if it were everybody's.
  state.make_local(name);
  auto local = find_named(state.locals.change(), name);
  local->certain = false;
  local->outer.reset();
}

bool Walker::unset(Words argv, ShellState& state, std::uint32_t) {
  const auto at = operands_from(argv, "fvn");
  if (!at) {
    state.forget();
    return false;
  }
  bool only_functions = false, only_variables = false, references = false;
  for (const Word& word : argv.subspan(1, *at - 1)) {
    only_functions = only_functions || word.text.find('f') != std::string::npos;
    only_variables = only_variables || word.text.find_first_of("vn") != std::string::npos;
    references = references || word.text.find('n') != std::string::npos;
  }
  // With both it does nothing, and one that stands for no other is not unset by -n.
  const bool refused = references || (only_functions && only_variables);
  if (refused) only_functions = only_variables = false;
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
    // A function's own stays its own; behind another one there is that of another function, or the
    // one that was there before the call.
    const auto local = find_named(state.locals, name);
    const bool own = local != state.locals.end() && local->certain && !is_given(name);
    const bool tangles = !own && is_layered(name);
    std::optional<Variable> kept;
    if (tangles || refused) kept = state.saved(name);
    set_variable(name, known_value(""), word.span, state, Change::kUnset);
    if (name.size() == word.text.size() && !posix_) {
      state.unset(name);
    } else {
      // An element is gone.
      state.set(name, unknown_value());
      state.entry(name).perhaps = true;
      state.entry(name).array = true;
    }
    if (tangles || refused) state.may_be(name, kept);
    if (tangles) tangle(name, state);
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
      if (name == "getopts" && i == 1 && !word.several) continue;
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
        if (value + 1 == text.size() && !is_several(argv, i + 1)) ++i;
        continue;
      }
      const char last = text.back();
      if (name == "wait") {
        if (last != 'p') continue;
        if (i + 1 >= argv.size()) return false;
        ++i;
        set_read(argv[i], state);
        continue;
      }
      // The first letter with a value has the rest of the word for it, or the next word.
      const std::size_t value = text.find_first_of(kReadValues, 1);
      if (value == text.npos) continue;
      const bool attached = value + 1 < text.size();
      if (text[value] == 'a' && attached)
        set_read({.text = text.substr(value + 1), .span = word.span}, state);
      if (text[value] == 'a' && !attached && i + 1 < argv.size()) set_read(argv[i + 1], state);
      if (!attached && !is_several(argv, i + 1)) ++i;
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
  if (is_given(name)) tangle(name, state);
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
