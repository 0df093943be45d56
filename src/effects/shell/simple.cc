// Simple commands: their words, and what runs because of them.
// A command that may be one of several is one run for each of them.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "base/name_set.h"
#include "effects/paths.h"
#include "effects/programs/places.h"
#include "effects/shell/braces.h"
#include "effects/shell/documents.h"
#include "effects/shell/environment.h"
#include "effects/shell/printed.h"
#include "effects/shell/walker.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

// LIMIT: ways that one command may have.
constexpr std::size_t kMaxWays = 64;
// LIMIT: words of a command among which several ways are told apart.
constexpr std::size_t kMaxTold = 256;

Word word_of(const Possible& one, Span span) {
  return {.text = one.text,
          .span = span,
          .known = one.known(),
          .rest = one.rest,
          .several = false,
          .operand = one.operand,
          .identifier = one.identifier,
          .computed = one.computed,
          .secret = one.secret};
}

bool has_tilde(const shell::Word& word) {
  return std::ranges::any_of(word.parts, [](const shell::Part& part) {
    return part.kind == shell::PartKind::kLiteral && part.text.find('~') != part.text.npos;
  });
}

bool is_declarer(std::string_view word) {
  constexpr std::string_view kWords[] = {"alias", "declare", "export",   "eval",
                                         "let",   "local",   "readonly", "typeset"};
  return std::ranges::find(kWords, word) != std::end(kWords);
}

// A text that stays one word wherever it stands.
bool stays_one_word(const shell::Word& word) {
  return std::ranges::all_of(word.parts, [](const shell::Part& part) {
    return part.kind == shell::PartKind::kSingle ||
           (part.kind == shell::PartKind::kLiteral &&
            part.text.find_first_of("{~*?[") == part.text.npos);
  });
}

bool is_reserved(std::string_view word) {
  constexpr std::string_view kWords[] = {"if",     "then", "else", "elif",     "fi",    "case",
                                         "esac",   "for",  "do",   "done",     "while", "until",
                                         "select", "in",   "time", "function", "coproc"};
  return std::ranges::find(kWords, word) != std::end(kWords);
}

// By where they stand: words that are not known, and words that mean the input.
struct OddWords {
  explicit OddWords(std::span<const Word> argv) {
    for (const Word& word : argv) {
      if (!word.known) open.insert(word.span.begin);
      // Also where it stands behind an option: `-f-`, `--file=/dev/stdin`.
      const std::string_view text = word.text;
      const bool attached = text.starts_with('-') && text.size() > 2 && text.ends_with('-');
      if (text == "-" || attached || text.ends_with("/dev/stdin")) streams.insert(word.span.begin);
    }
  }
  std::unordered_set<std::size_t> open, streams;
};

// Builtins, and options of builtins, that set something in bash and in no plain shell.
bool is_bash_alone(std::span<const Word> argv) {
  static constexpr NameSet kNames({"let", "declare", "typeset", "mapfile", "readarray", "shopt",
                                   "pushd", "popd", "dirs", "source", "builtin", "enable"});
  const std::string_view name = argv[0].text;
  if (kNames.has(name)) return true;
  const auto has_option = [&](std::string_view letters) {
    return std::ranges::any_of(argv.subspan(1), [&](const Word& word) {
      return word.text.size() > 1 && word.text[0] == '-' &&
             word.text.find_first_of(letters) != word.text.npos;
    });
  };
  if (name == "printf") return argv.size() > 1 && argv[1].text.starts_with("-v");
  if (name == "read") return has_option("adeiknNstu");
  return name == "unset" && has_option("n");
}

// One way that stands for all of them: the program, where it is the same, and any words.
std::vector<Word> one_for_all(const std::vector<std::vector<Word>>& ways) {
  Word any{.text = {}, .span = {}, .known = false, .rest = Rest::kAnything, .several = true};
  bool same = true;
  for (const std::vector<Word>& way : ways) {
    same = same && !way.empty() && way[0] == ways[0][0];
    any.secret = any.secret || std::ranges::any_of(way, &Word::secret);
  }
  if (same) any.span = ways[0][0].span;
  return same ? std::vector<Word>{ways[0][0], any} : std::vector<Word>{any};
}

// A text that becomes a string where it is to be, so that none is moved.
struct Letters {
  operator std::string() const { return std::string(text); }  // NOLINT: that is all it is for
  std::string_view text;
};

}  // namespace

// The words up to the first in which something is expanded; most commands have none such.
Walker::Fields Walker::plain_words(const shell::SimpleCommand& command, ShellState& state) {
  Fields words;
  if (!command.declared_at.empty()) return words;
  state_ = &state;
  const auto most = static_cast<std::uint32_t>(std::min<std::size_t>(command.words.count, steps_));
  words.reserve(most);
  for (const shell::Word& word : shell::List<shell::Word>{command.words.items, most}) {
    const auto text = Expander::plain_text(word);
    if (!text) break;
    words.emplace_back(Letters{*text}, place(word.span));
  }
  steps(words.size());
  return words;
}

// `begun` are the plain words that it begins with.
std::vector<Walker::Fields> Walker::words_of(const shell::SimpleCommand& command, Fields begun,
                                             ShellState& state) {
  const std::size_t first = begun.size();
  std::vector<Fields> ways;
  ways.push_back(std::move(begun));
  Expander words = expander(state);
  std::size_t declared = 0;
  declares_map_ = std::ranges::any_of(command.words, [](const shell::Word& word) {
    const std::string_view text = word.literal();
    return text.starts_with('-') && text.find('A') != text.npos;
  });
  for (std::size_t i = first; i < command.words.size(); ++i) {
    const shell::Word& word = command.words[i];
    const Span span = place(word.span);
    if (!steps(1)) {
      // What the rest of them are is not known.
      const Word rest{
          .text = {}, .span = span, .known = false, .rest = Rest::kAnything, .several = true};
      for (Fields& way : ways) way.push_back(rest);
      break;
    }
    if (i == kMaxTold && ways.size() > 1) ways = {one_for_all(ways)};
    if (ways.size() == 1 && command.declared_at.empty())
      if (const auto text = Expander::plain_text(word)) {
        ways[0].push_back({.text = std::string(*text), .span = span});
        continue;
      }
    std::vector<Fields> next;
    const shell::Assignment* assignment = nullptr;
    if (declared < command.declared_at.size() && command.declared_at[declared] == i)
      assignment = &command.declared[declared++];
    if (assignment != nullptr) next = declared_word(*assignment, span, state);
    // Behind `coproc` any first word may have such words, and then they are split like others.
    const bool split =
        assignment != nullptr && !assignment->compound && !is_declarer(command.words[0].literal());
    if (split && (next.size() != 1 || !stays_one_word(assignment->value)))
      next = {
          {{.text = {}, .span = span, .known = false, .rest = Rest::kAnything, .several = true}}};
    if (assignment == nullptr) next = words.fields(word);
    if (next.size() > 1 && (ways.size() * next.size() > kMaxWays || i >= kMaxTold)) {
      const bool secret = std::ranges::any_of(
          next, [](const Fields& one) { return std::ranges::any_of(one, &Word::secret); });
      next = {{{.text = {},
                .span = span,
                .known = false,
                .rest = Rest::kAnything,
                .several = true,
                .secret = secret}}};
    }
    steps(next[0].size());
    if (next.size() == 1) {
      for (Fields& way : std::span(ways).subspan(1))
        way.insert(way.end(), next[0].begin(), next[0].end());
      ways[0].insert(ways[0].end(), std::make_move_iterator(next[0].begin()),
                     std::make_move_iterator(next[0].end()));
      continue;
    }
    std::vector<Fields> product;
    for (const Fields& before : ways)
      for (const Fields& one : next) {
        product.push_back(before);
        product.back().insert(product.back().end(), one.begin(), one.end());
      }
    ways = std::move(product);
  }
  return ways;
}

// `name=value` among the words of a builtin that takes it: not split, and no pattern. A list of
// elements is assigned here; the word only says that it was.
std::vector<Walker::Fields> Walker::declared_word(const shell::Assignment& assignment, Span span,
                                                  ShellState& state) {
  std::string text(assignment.name);
  if (assignment.compound) {
    if (declares_map_) {
      if (state.find(assignment.name) == nullptr) state.set(assignment.name, known_value(""));
      state.entry(assignment.name).map = true;
    }
    assign(assignment, state);
    return {{{.text = text + std::string(kElements), .span = span, .operand = true}}};
  }
  std::vector<Fields> ways;
  std::vector<std::string> names{text};
  if (assignment.subscripted) {
    names.clear();
    for (const Possible& one : expander(state).value(assignment.subscript))
      names.push_back(text + "[" + (one.known() ? one.text + "]" : "$("));
  }
  // With braces in it, it is several words.
  const bool braces =
      Braces::has_brace(assignment.value.parts) &&
      (state.no_braces ||
       Braces().expand(assignment.value.parts).value_or(std::vector<Braces::Parts>()).size() != 1);
  for (const std::string& name : names)
    for (const Possible& value : expander(state).assigned(assignment.value)) {
      // Not every other shell takes a `~` for the home directory here.
      const bool tilde = posix_ && has_tilde(assignment.value);
      const Possible one = braces || tilde ? anything() : value;
      Word word = word_of(one, span);
      if (word.rest == Rest::kPattern || word.rest == Rest::kJoined)
        word = word_of(anything(), span);
      word.text = name + (assignment.append ? "+=" : "=") + word.text;
      word.operand = false;
      ways.push_back({std::move(word)});
    }
  return ways;
}

void Walker::simple(const shell::SimpleCommand& command, ShellState& state) {
  spend();
  if (timed_ == &command) {
    timed_ = nullptr;
    const shell::List<shell::Word>& words = command.words;
    std::size_t from = 0;
    bool negated = false;
    const auto is = [&](std::string_view word) {
      return from < words.size() && words[from].literal() == word;
    };
    while (is("!") || is("time")) {
      const bool time = is("time");
      negated = negated != !time;
      ++from;
      if (time && is("-p")) ++from;
      if (time && is("--")) ++from;
    }
    shell::SimpleCommand rest = command;
    rest.words = {words.begin() + from, static_cast<std::uint32_t>(words.size() - from)};
    const std::string_view next = rest.words.empty() ? "" : rest.words[0].literal();
    const bool plain =
        !next.empty() && next[0] != '-' && next.find_first_of("=+[]{}!") == next.npos;
    if (plain && command.declared.empty() && !is_reserved(next)) {
      simple(rest, state);
      if (negated && !state.otherwise.empty()) std::swap(state.directories, state.otherwise);
      return;
    }
    cannot_follow("`time` begins a substitution", command.span);
  }
  substituted_fetch_ = false;
  failing_ = false;
  goes_to_top_ = false;
  Fields plain = plain_words(command, state);
  if (plain.size() == command.words.size()) {
    run(&command, plain, state, &plain);
    return;
  }
  std::vector<Fields> ways = words_of(command, std::move(plain), state);
  // Where an expansion fails the command does not run.
  std::optional<ShellState> unchanged;
  if (std::exchange(failing_, false)) unchanged = copy(state);
  goes_to_top_ = goes_to_top(command, state);
  if (ways.size() == 1) {
    run(&command, ways[0], state, &ways[0]);
  } else {
    const ShellState before = copy(state);
    bool first = true;
    ++maybe_;
    for (const Fields& argv : ways) {
      if (!first && !may_repeat()) {
        lose_everything(state);
        break;
      }
      ShellState taken = copy(before);
      run(&command, argv, taken);
      if (std::exchange(first, false))
        state = std::move(taken);
      else
        state.join(taken);
    }
    --maybe_;
  }
  if (unchanged) state.join(*unchanged);
}

// ---- runs ----

// A path from another directory than the call's is another program.
void Walker::place_program(Word& word, const ShellState& state) const {
  const std::string& name = word.text;
  if (name.find('/') == name.npos || name.starts_with('/') || is_at_start(state)) return;
  const bool told = state.directories.size() == 1 && state.directories[0].starts_with('/');
  if (!told)
    word = {
        .text = {}, .span = word.span, .known = false, .rest = Rest::kAnything, .operand = true};
  else if (auto located = locate(name, {state.directories[0], {}, Tilde::kLiteral}))
    word.text = located->path;
}

void Walker::run(const shell::SimpleCommand* command, std::span<const Word> argv, ShellState& state,
                 Fields* own) {
  if (argv.empty()) {
    for (const shell::Assignment& one : command->assignments) {
      if (!steps(1)) return;
      failing_ = false;
      assign(one, state);
      if (!std::exchange(failing_, false)) continue;
      // Then it keeps what it had.
      Possible either = anything();
      either.secret = std::ranges::any_of(state.entry(one.name).value, &Possible::secret);
      state.set(one.name, {either});
      state.entry(one.name).perhaps = true;
    }
    redirect(command->redirections, state, kNoOwner);
    return;
  }
  state_ = &state;
  const std::string& name = argv[0].text;
  // SAFETY: for zsh `=name` is the program of that name.
  const bool plain = argv[0].known && !argv[0].several && !name.starts_with('=');
  const bool path = name.find('/') != name.npos;
  bool certain = false;
  const bool plainly = std::exchange(plainly_, false);
  Given given;
  if (plain && !plainly && !path && !state.functions.empty()) {
    std::vector<ShellFunction> functions;
    for (const ShellFunction& one : state.functions)
      if (one.name == name) functions.push_back(one);
    for (const ShellFunction& one : functions) certain = certain || one.certain;
    if (!functions.empty()) {
      const bool swayed = command != nullptr && set_for_command(*command, state, kNoOwner, given);
      if (command != nullptr) redirect(command->redirections, state, kNoOwner);
      const ShellState before = copy(state);
      const bool one_way = certain && functions.size() == 1;
      if (!one_way) ++maybe_;
      // What is set for the function, the programs in it heed.
      const std::uint32_t heeded = heeded_;
      state.environment = state.environment || swayed;
      call(functions[0], argv, given, state);
      for (std::size_t i = 1; i < functions.size(); ++i) {
        ShellState taken = copy(before);
        taken.environment = taken.environment || swayed;
        call(functions[i], argv, given, taken);
        state.join(taken);
      }
      if (!one_way) --maybe_;
      // It ends with the call, unless the function set such a variable itself.
      if (heeded_ == heeded && !posix_) state.environment = before.environment;
      if (certain) return;
      state.join(before);
      state_ = &state;
      given.clear();
    }
  }
  const auto index = static_cast<std::uint32_t>(out_.size());
  Effect& effect = out_.emplace_back();
  effect.kind = EffectKind::kRun;
  effect.span = command == nullptr ? argv[0].span : place(command->span);
  // A path from another directory than the call's is another program.
  const bool elsewhere = plain && path && !name.starts_with('/') && !is_at_start(state);
  if (own != nullptr && !elsewhere)
    effect.argv = std::move(*own);  // the words stay where they are
  else
    effect.argv.assign(argv.begin(), argv.end());
  if (elsewhere) place_program(effect.argv[0], state);
  if (owner_ != kNoOwner) {
    effect.owner = owner_;
    effect.by = lent_ == Lent::kYes ? EffectBy::kTool : EffectBy::kOperand;
  }
  bool swayed = state.environment;
  if (command != nullptr) {
    if (!command->assignments.empty())
      swayed = set_for_command(*command, state, index, given) || swayed;
    if (!command->redirections.empty()) redirect(command->redirections, state, index);
  }
  if (!plain) {
    if (argv[0].known) add_unknown("`" + name + "` may stand for a program", argv[0].span);
    const bool fetched =
        substituted_fetch_ || fetched_somewhere_ || input_.kind == Input::Kind::kFetched;
    if (fetched) unread_shell({}, argv[0].span);
    add_guesses(argv, around(state, index), out_);
    ++consumed_;
    lose_output();
    return;
  }
  if (state.aliases) read_alias(argv, state);
  if (substituted_fetch_) input_ = {Input::Kind::kFetched, {}};
  if (const Handler* handler = handler_of(name)) {
    if (posix_ && is_bash_alone(argv))
      cannot_follow("`sh` may have no `" + name + "` like that", argv[0].span);
    note_given(argv, index);
    // `command`, `eval` and their like pass on what is set for them.
    const bool before = std::exchange(state.environment, swayed);
    const std::uint32_t heeded = heeded_;
    const bool listed = run_builtin(*handler, argv, given, state, index);
    if (heeded_ == heeded && !posix_ && !keeps_given(handler->name)) state.environment = before;
    out_[index].listed = listed;
    out_[index].told = true;
    state_ = &state;
    return;
  }
  const bool before = std::exchange(state.environment, swayed);
  run_program(argv, state, index, swayed);
  state.environment = before;
}

// SAFETY: whether and where aliases count depends on the shell and on lines, so that it is an
// Unknown besides.
void Walker::read_alias(std::span<const Word> argv, ShellState& state) {
  add_unknown("an alias may stand for `" + argv[0].text + "`", argv[0].span);
  const auto found = find_named(state.aliases_defined, argv[0].text);
  if (found == state.aliases_defined.end()) return;
  std::string text = found->text;
  for (const Word& word : argv.subspan(1)) {
    if (!word.known) break;
    text += " '";
    for (const char c : word.text) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  ShellState inner = state;
  inner.aliases = false;
  read(text, inner, argv[0].span.empty() ? Span{0, 1} : argv[0].span);
  state_ = &state;
}

void Walker::run_program(std::span<const Word> argv, ShellState& state, std::uint32_t index,
                         bool swayed) {
  const ProgramReading reading = read_program(argv, around(state, index), *this, out_);
  note_unread(argv, index);
  note_given(argv, index);
  out_[index].listed = reading.listed && (!swayed || reading.safe);
  out_[index].safe = reading.safe;
  out_[index].told = reading.told;
  auto text = is_printer(argv[0].text) ? printed(argv, posix_) : std::nullopt;
  if (!text) ++consumed_;
  note_output(argv, std::move(text), reading.prints_fetched, reading.names);
}

// Code in a word that is not known, and what comes in: where something was fetched it may be that.
void Walker::note_unread(std::span<const Word> argv, std::uint32_t index) {
  std::optional<OddWords> odd;  // few commands have code
  bool from_file = false, runs = false;
  for (std::size_t i = index + 1; i < out_.size(); ++i) {
    Effect& effect = out_[i];
    if (effect.owner != index) continue;
    runs = runs || effect.kind == EffectKind::kRun;
    from_file = from_file || (effect.kind == EffectKind::kRead &&
                              effect.by == EffectBy::kRedirection && !effect.path.empty());
    if (effect.kind != EffectKind::kUnknown) continue;
    const bool code = effect.target == kUnreadShell || effect.target == kUnreadCode ||
                      effect.target == kUnreadScript;
    if (code && !odd) odd.emplace(argv);
    const bool unknown_word = code && odd->open.contains(effect.span.begin);
    const bool stream = code && odd->streams.contains(effect.span.begin);
    const bool input =
        (effect.target == kUnreadInput || stream) && input_.kind != Input::Kind::kText;
    if (!unknown_word && (!input || from_file)) continue;
    const bool fetched = substituted_fetch_ || (input && input_.kind == Input::Kind::kFetched) ||
                         (unknown_word && fetched_somewhere_);
    if (fetched)
      effect.target = kUnreadFetched;
    else
      seldom_.change().unread.push_back(static_cast<std::uint32_t>(i));
  }
  // A shell on another host.
  const bool remote = !runs && argv[0].text.ends_with("ssh") && base_name(argv[0].text) == "ssh";
  if (remote && input_.kind == Input::Kind::kFetched)
    add_unknown("a shell elsewhere runs what comes from the network", argv[0].span, kUnreadFetched);
}

// What is not known of a run, and whether a secret is in it.
void Walker::note_given(std::span<const Word> argv, std::uint32_t index) {
  bool fed = input_.kind == Input::Kind::kSome || input_.kind == Input::Kind::kFetched ||
             input_.kind == Input::Kind::kNames;
  bool secret = tells_secrets(argv);
  for (const Word& word : argv) {
    fed =
        fed || !word.known ||
        (word.text.size() > kDescriptors.size() && word.text.find(kDescriptors) != word.text.npos);
    secret = secret || word.secret;
  }
  // Without a command it prints the environment.
  if (argv[0].text.ends_with("env") && base_name(argv[0].text) == "env")
    secret = secret || std::none_of(out_.begin() + index + 1, out_.end(), [&](const Effect& one) {
               return one.kind == EffectKind::kRun && one.owner == index;
             });
  if (fed) fed_.add(index);
  if (secret) tell_secrets(index);
}

void Walker::note_output(std::span<const Word> argv, bool fetched) {
  note_output(argv, printed(argv, posix_), fetched, {});
}

void Walker::note_output(std::span<const Word> argv, std::optional<std::string> text, bool fetched,
                         std::span<const Word> names) {
  // What prints its own words does not read what comes in.
  if (fetched || (input_.kind == Input::Kind::kFetched && !text)) {
    output_.lose(Input::Kind::kFetched);
    return;
  }
  if (output_.kind == Input::Kind::kFetched) return;
  if (maybe_ > 0 || (state_ != nullptr && state_->fragile)) return lose_output();
  // Other shells print otherwise than they are told.
  if (posix_ && text && text->find('\\') != text->npos) text.reset();
  if (!text && argv.size() == 1 && argv[0].text == "cat" && input_.kind == Input::Kind::kText)
    text = input_.text;
  if (text && (output_.kind == Input::Kind::kNone || output_.kind == Input::Kind::kText)) {
    output_.kind = Input::Kind::kText;
    output_.text += *text;
  } else if (!names.empty() && output_.kind == Input::Kind::kNone) {
    output_ = {Input::Kind::kNames, {}, {names.begin(), names.end()}};
  } else {
    lose_output();
  }
}

void Walker::run_words(std::span<const Word> argv, ShellState& state) {
  state_ = &state;
  const auto index = static_cast<std::uint32_t>(out_.size());
  Effect effect;
  effect.kind = EffectKind::kRun;
  effect.argv.assign(argv.begin(), argv.end());
  out_.push_back(std::move(effect));
  run_program(argv, state, index, false);
}

}  // namespace tollgate
