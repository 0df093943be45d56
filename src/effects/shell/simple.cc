// Simple commands: their words, their assignments, where their input and output go.
// A command that may be one of several is one run for each of them.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/host.h"
#include "effects/paths.h"
#include "effects/shell/environment.h"
#include "effects/shell/walker.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

using shell::Redirection;
using shell::RedirectionOp;

// LIMIT: ways that one command may have.
constexpr std::size_t kMaxWays = 64;

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

bool is_stream(std::string_view path) {
  constexpr std::string_view kStreams[] = {"/dev/null",   "/dev/stdin", "/dev/stdout",
                                           "/dev/stderr", "/dev/tty",   "/dev/zero"};
  if (std::ranges::find(kStreams, path) != std::end(kStreams)) return true;
  constexpr std::string_view kDescriptors = "/dev/fd/";
  return path.starts_with(kDescriptors) && path.size() > kDescriptors.size() &&
         path.find_first_not_of("0123456789", kDescriptors.size()) == path.npos;
}

bool is_descriptor(std::string_view text) {
  if (text == "-") return true;
  if (text.ends_with('-')) text.remove_suffix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// What `echo` and `printf` with a plain format print; nothing where that is not plain.
std::optional<std::string> printed(std::span<const Word> argv) {
  if (!std::ranges::all_of(argv, &Word::known)) return std::nullopt;
  std::size_t from = 1;
  std::string text;
  if (argv[0].text == "printf") {
    if (argv.size() < 2 || argv[1].text.starts_with('-')) return std::nullopt;
    const std::string_view format = argv[1].text;
    if (format == "%s" || format == "%s\\n") {
      for (const Word& word : argv.subspan(2)) text += word.text + (format == "%s" ? "" : "\n");
      return text;
    }
    if (format.find_first_of("%\\") == format.npos && argv.size() == 2) return std::string(format);
    return std::nullopt;
  }
  if (argv[0].text != "echo") return std::nullopt;
  bool newline = true;
  if (argv.size() > 1 && argv[1].text == "-n") {
    newline = false;
    ++from;
  }
  if (argv.size() > from && argv[from].text.size() > 1 && argv[from].text[0] == '-' &&
      argv[from].text.find_first_not_of("neE", 1) == std::string::npos)
    return std::nullopt;
  for (std::size_t i = from; i < argv.size(); ++i) {
    if (i > from) text += ' ';
    text += argv[i].text;
  }
  return text + (newline ? "\n" : "");
}

// What is known of the output of programs that always print the same kind of thing.
struct Prints {
  std::string_view words;  // the beginning of the command
  bool number;             // a number; otherwise one name or path that never begins with a dash
  bool alone;              // only without any further word
};
constexpr Prints kPrints[] = {
    {"nproc", true, true},
    {"wc -l", true, true},
    {"wc -c", true, true},
    {"wc -w", true, true},
    {"date +%s", true, true},
    {"id -u", true, true},
    {"id -g", true, true},
    {"pwd", false, true},
    {"mktemp", false, false},
    {"whoami", false, true},
    {"hostname", false, true},
    {"uname", false, false},
    {"git rev-parse --show-toplevel", false, true},
    {"git rev-parse HEAD", false, true},
    {"git rev-parse --short HEAD", false, true},
    {"git rev-parse --abbrev-ref HEAD", false, true},
    {"git branch --show-current", false, true},
    {"git merge-base", false, false},
    {"realpath", false, false},
    {"readlink -f", false, false},
    {"which", false, false},
    {"command -v", false, false},
    {"git describe", false, false},
    {"git log -1 --format=%H", false, true},
    {"git log -1 --format=%h", false, true},
    {"git log -1 --pretty=%H", false, true},
    {"git log -1 --pretty=format:%h", false, true},
    {"basename", false, false},
    {"date", false, false},
    {"go env", false, false},
};

bool prints_directory(const shell::Script& script) {
  if (script.statements.size() != 1 ||
      script.statements[0].command->kind != shell::CommandKind::kSimple)
    return false;
  const auto& command = static_cast<const shell::SimpleCommand&>(*script.statements[0].command);
  return command.words.size() == 1 && command.words[0].literal() == "pwd" &&
         command.redirections.empty();
}

// `cd "$(git rev-parse --show-toplevel)"`
bool goes_to_top(const shell::SimpleCommand& command, const ShellState& state) {
  if (command.words.size() != 2 || command.words[0].literal() != "cd" || state.aliases ||
      std::ranges::find(state.functions, "git", &ShellFunction::name) != state.functions.end())
    return false;
  const shell::List<shell::Part>* parts = &command.words[1].parts;
  if (parts->count == 1 && (*parts)[0].kind == shell::PartKind::kDouble) parts = &(*parts)[0].parts;
  if (parts->count != 1 || (*parts)[0].kind != shell::PartKind::kCommand || (*parts)[0].refused ||
      (*parts)[0].script == nullptr)
    return false;
  const shell::Script& script = *(*parts)[0].script;
  if (script.statements.size() != 1 ||
      script.statements[0].command->kind != shell::CommandKind::kSimple)
    return false;
  const auto& git = static_cast<const shell::SimpleCommand&>(*script.statements[0].command);
  return git.words.size() == 3 && git.words[0].literal() == "git" &&
         git.words[1].literal() == "rev-parse" && git.words[2].literal() == "--show-toplevel" &&
         git.assignments.empty() && git.redirections.empty();
}

Possible printed_by(const shell::Script& script) {
  Possible result = anything();
  if (script.statements.size() != 1) return result;
  const shell::Command* command = script.statements[0].command;
  if (command->kind == shell::CommandKind::kPipeline)
    command = static_cast<const shell::Pipeline*>(command)->stages.back().command;
  if (command->kind != shell::CommandKind::kSimple) return result;
  std::string text;
  for (const shell::Word& word : static_cast<const shell::SimpleCommand*>(command)->words)
    text += std::string(word.literal()) + " ";
  for (const Prints& row : kPrints) {
    if (!text.starts_with(std::string(row.words) + " ")) continue;
    if (row.alone && text.size() != row.words.size() + 1) continue;
    result.number = row.number;
    result.operand = row.words != "basename";
    result.identifier = row.words != "mktemp" && row.words != "realpath" &&
                        row.words != "readlink -f" && row.words != "pwd" &&
                        row.words != "basename" && row.words != "git rev-parse --show-toplevel";
    result.code = !row.number;
    return result;
  }
  return result;
}

}  // namespace

std::vector<Walker::Fields> Walker::words_of(const shell::SimpleCommand& command,
                                             ShellState& state) {
  std::vector<Fields> ways(1);
  Expander words = expander(state);
  std::size_t declared = 0;
  declares_map_ = std::ranges::any_of(command.words, [](const shell::Word& word) {
    const std::string_view text = word.literal();
    return text.starts_with('-') && text.find('A') != text.npos;
  });
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const shell::Word& word = command.words[i];
    const Span span = place(word.span);
    std::vector<Fields> next;
    if (declared < command.declared_at.size() && command.declared_at[declared] == i)
      next = declared_word(command.declared[declared++], span, state);
    else
      next = words.fields(word);
    if (next.size() == 1) {
      for (Fields& way : ways) way.insert(way.end(), next[0].begin(), next[0].end());
      continue;
    }
    if (ways.size() * next.size() > kMaxWays)
      next = {
          {{.text = {}, .span = span, .known = false, .rest = Rest::kAnything, .several = true}}};
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
    return {{{.text = text + "=(", .span = span}}};
  }
  std::vector<Fields> ways;
  std::vector<std::string> names{text};
  if (assignment.subscripted) {
    names.clear();
    for (const Possible& one : expander(state).value(assignment.subscript))
      names.push_back(text + "[" + (one.known() ? one.text + "]" : "$("));
  }
  for (const std::string& name : names)
    for (const Possible& one : expander(state).assigned(assignment.value)) {
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
  if (!spend()) return;
  const Input outer_input = input_;
  substituted_fetch_ = false;
  std::vector<Fields> ways = words_of(command, state);
  goes_to_top_ = goes_to_top(command, state);
  if (ways.size() == 1) {
    run(&command, ways[0], state);
  } else {
    const ShellState before = state;
    bool first = true;
    for (const Fields& argv : ways) {
      ShellState taken = before;
      run(&command, argv, taken);
      if (std::exchange(first, false))
        state = std::move(taken);
      else
        state.join(taken);
    }
  }
  input_ = outer_input;
}

// ---- assignments ----

void Walker::set_variable(std::string_view name, Value value, Span span, ShellState& state) {
  const Sways sway = sways(name);
  if (sway == Sways::kLoading)
    add_unknown("`" + std::string(name) + "` changes what programs load or run", span);
  if (sway == Sways::kProgram) state.environment = true;
  if (name == "IFS") state.odd_split = true;
  constexpr std::string_view kIntegers[] = {"RANDOM", "OPTIND",  "SECONDS", "SRANDOM",
                                            "LINENO", "HISTCMD", "BASHPID", "EPOCHSECONDS"};
  const Variable* old = state.find(name);
  const bool integer =
      (old != nullptr && old->integer) || std::ranges::find(kIntegers, name) != std::end(kIntegers);
  if (integer) {
    for (const Possible& one : value) {
      if (one.known())
        expander(state).evaluate(one.text, span);
      else if (!one.number)
        cannot_follow("`" + std::string(name) + "` evaluates what it is given", span);
    }
    value = {a_number()};
  }
  const bool map = old != nullptr && old->map;
  state.set(name, std::move(value));
  state.entry(name).integer = integer;
  state.entry(name).map = map;
}

void Walker::assign(const shell::Assignment& assignment, ShellState& state) {
  Expander words = expander(state);
  if (assignment.subscripted) {
    const Variable* array = state.find(assignment.name);
    const bool map = array != nullptr && array->map;
    for (const Possible& one : words.value(assignment.subscript)) {
      if (map) continue;
      if (one.known())
        words.evaluate(one.text, assignment.span);
      else if (!one.number)
        cannot_follow("a subscript that is not known is evaluated", assignment.span);
    }
    const Value value = words.assigned(assignment.value);
    if (array != nullptr && array->integer)
      for (const Possible& one : value) {
        if (one.known())
          words.evaluate(one.text, assignment.span);
        else if (!one.number)
          cannot_follow("a value that is not known is evaluated", assignment.span);
      }
    for (const shell::Element& element : assignment.elements) words.fields(element.value);
    Variable& variable = state.entry(assignment.name);
    variable.value = unknown_value();
    variable.array = true;
    variable.elements_known = false;
    if (sways(assignment.name) == Sways::kLoading)
      set_variable(assignment.name, unknown_value(), assignment.span, state);
    return;
  }
  if (!assignment.compound) {
    Value value = words.assigned(assignment.value);
    if (assignment.append) {
      const Value old = words.variable(assignment.name);
      Value joined;
      for (const Possible& before : old)
        for (const Possible& after : value) {
          Possible one = before;
          if (before.known()) {
            one = after;
            one.text = before.text + after.text;
            one.operand = false;
            one.number = false;
            if (after.rest == Rest::kPattern) one = anything();
            if (!one.known()) one.code = true;
          } else {
            one = anything();
            one.text = before.rest == Rest::kPattern ? "" : before.text;
          }
          add_possibilities(joined, {one});
        }
      const Variable* variable = state.find(assignment.name);
      value = variable != nullptr && variable->array ? unknown_value() : std::move(joined);
    }
    return set_variable(assignment.name, std::move(value), assignment.span, state);
  }
  std::vector<Value> elements;
  const Variable* old = state.find(assignment.name);
  bool known = !assignment.append || (old != nullptr && old->array && old->elements_known);
  if (assignment.append && known) elements = old->elements;
  for (const shell::Element& element : assignment.elements) {
    if (element.subscripted) {
      known = false;
      for (const Possible& one : words.value(element.subscript))
        if (one.known() && !(old != nullptr && old->map)) words.evaluate(one.text, assignment.span);
      words.assigned(element.value);
      continue;
    }
    const auto ways = words.fields(element.value);
    known = known && ways.size() == 1;
    for (const Word& field : ways[0]) {
      known = known && !field.several;
      elements.push_back({{.text = field.text,
                           .rest = field.rest,
                           .operand = field.operand,
                           .code = !field.known}});
    }
  }
  if (old != nullptr && old->integer)
    for (const Value& element : elements)
      set_variable(assignment.name, element, assignment.span, state);
  set_variable(assignment.name, elements.empty() ? known_value("") : elements[0], assignment.span,
               state);
  Variable& variable = state.entry(assignment.name);
  variable.array = true;
  variable.elements_known = known;
  variable.elements = known ? std::move(elements) : std::vector<Value>();
  if (!known) variable.value = unknown_value();
}

// Variables for one command only. True when the command may do otherwise because of them.
bool Walker::set_for_command(const shell::SimpleCommand& command, ShellState& state,
                             std::uint32_t owner) {
  bool swayed = false;
  const std::string_view program =
      command.words.empty() ? std::string_view() : command.words[0].literal();
  const bool reads = program == "read" || program == "mapfile" || program == "readarray";
  for (const shell::Assignment& one : command.assignments) {
    const Value value = expander(state).assigned(one.value);
    if (reads && one.name == "IFS") continue;  // it holds for this builtin alone
    const Sways sway = one.subscripted || one.compound ? Sways::kLoading : sways(one.name);
    if (sway == Sways::kLoading)
      add_unknown("`" + std::string(one.name) + "` changes what programs load or run", one.span);
    else if (!is_known(value) && sway != Sways::kNothing)
      add_unknown("the value of `" + std::string(one.name) + "` is not known", one.span, {}, owner);
    swayed = swayed || sway != Sways::kNothing;
  }
  return swayed;
}

void Walker::assignment(const Word& word, const Surroundings& around) {
  const std::string_view text = word.text;
  const std::string_view name = text.substr(0, text.find('='));
  const Sways sway = sways(name);
  if (sway == Sways::kLoading || (!word.known && text.find('=') == text.npos))
    add_unknown("`" + std::string(name) + "` changes what programs load or run", word.span);
  else if (!word.known && sway != Sways::kNothing)
    add_unknown("the value of `" + std::string(name) + "` is not known", word.span, {},
                around.owner);
  swayed_ = swayed_ || sway != Sways::kNothing;
}

// ---- runs ----

void Walker::run(const shell::SimpleCommand* command, std::span<const Word> argv,
                 ShellState& state) {
  if (argv.empty()) {
    for (const shell::Assignment& one : command->assignments) assign(one, state);
    redirect(command->redirections, state, kNoOwner);
    return;
  }
  state_ = &state;
  const std::string& name = argv[0].text;
  // SAFETY: for zsh `=name` is the program of that name.
  const bool plain = argv[0].known && !argv[0].several && !name.starts_with('=');
  bool certain = false;
  if (plain && name.find('/') == name.npos) {
    std::vector<ShellFunction> functions;
    for (const ShellFunction& one : state.functions)
      if (one.name == name) functions.push_back(one);
    for (const ShellFunction& one : functions) certain = certain || one.certain;
    if (!functions.empty()) {
      set_for_command(*command, state, kNoOwner);
      redirect(command->redirections, state, kNoOwner);
      const ShellState before = state;
      call(functions[0], argv, state);
      for (std::size_t i = 1; i < functions.size(); ++i) {
        ShellState taken = before;
        call(functions[i], argv, taken);
        state.join(taken);
      }
      if (certain) return;
    }
  }
  const auto index = static_cast<std::uint32_t>(out_.size());
  Effect effect;
  effect.kind = EffectKind::kRun;
  effect.span = command == nullptr ? argv[0].span : place(command->span);
  effect.argv.assign(argv.begin(), argv.end());
  // A path from another directory than the call's is another program.
  if (plain && name.find('/') != name.npos && !name.starts_with('/') &&
      state.directories != first_) {
    const std::string& directory = state.directories[0];
    if (!directory.starts_with('/') || state.directories.size() > 1)
      effect.argv[0] = {.text = {},
                        .span = argv[0].span,
                        .known = false,
                        .rest = Rest::kAnything,
                        .operand = true};
    else if (auto located = locate(name, {directory, {}, Tilde::kLiteral}))
      effect.argv[0].text = located->path;
  }
  if (owner_ != kNoOwner) {
    effect.owner = owner_;
    effect.by = lent_ == Lent::kYes ? EffectBy::kTool : EffectBy::kOperand;
  }
  out_.push_back(std::move(effect));
  bool swayed = state.environment;
  if (command != nullptr) {
    swayed = set_for_command(*command, state, index) || swayed;
    redirect(command->redirections, state, index);
  }
  if (!plain) {
    if (argv[0].known) add_unknown("`" + name + "` may stand for a program", argv[0].span);
    return;
  }
  if (state.aliases) read_alias(argv, state);
  if (substituted_fetch_) input_ = {Input::Kind::kFetched, {}};
  if (const Handler* handler = handler_of(name)) {
    const bool listed = (this->*handler->run)(argv, state, index);
    out_[index].listed = listed;
    out_[index].told = true;
    return;
  }
  run_program(argv, state, index, swayed);
}

// SAFETY: whether and where aliases count depends on the shell and on lines, so that it is an
// Unknown besides.
void Walker::read_alias(std::span<const Word> argv, ShellState& state) {
  add_unknown("an alias may stand for `" + argv[0].text + "`", argv[0].span);
  const auto found = std::ranges::find(state.aliases_defined, argv[0].text, &Alias::name);
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
  out_[index].listed = reading.listed && (!swayed || reading.safe);
  out_[index].safe = reading.safe;
  out_[index].told = reading.told;
  note_output(argv, reading.prints_fetched);
}

void Walker::note_output(std::span<const Word> argv, bool fetched) {
  if (fetched || input_.kind == Input::Kind::kFetched) {
    output_ = {Input::Kind::kFetched, {}};
    return;
  }
  if (output_.kind == Input::Kind::kFetched) return;
  auto text = printed(argv);
  if (!text && argv.size() == 1 && argv[0].text == "cat" && input_.kind == Input::Kind::kText)
    text = input_.text;
  if (text && (output_.kind == Input::Kind::kNone || output_.kind == Input::Kind::kText)) {
    output_.kind = Input::Kind::kText;
    output_.text += *text;
  } else {
    output_ = {Input::Kind::kSome, {}};
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

void Walker::command(std::span<const Word> words, const Surroundings& around, Lent lent) {
  if (words.empty()) return;
  if (++depth_ > 24) {
    add_unknown("commands nested too deep", words[0].span);
    --depth_;
    return;
  }
  // Programs start programs: no function and no builtin is meant.
  ShellState inner;
  inner.directories.assign(around.directories.begin(), around.directories.end());
  inner.environment = (state_ != nullptr && state_->environment) || std::exchange(swayed_, false);
  const std::uint32_t outer = std::exchange(owner_, around.owner);
  ShellState* const outer_state = std::exchange(state_, &inner);
  const Span outer_pinned = pinned_;
  const auto index = static_cast<std::uint32_t>(out_.size());
  Effect effect;
  effect.kind = EffectKind::kRun;
  effect.span = words[0].span;
  effect.argv.assign(words.begin(), words.end());
  effect.owner = around.owner;
  effect.by = lent == Lent::kYes || lent_ == Lent::kYes ? EffectBy::kTool : EffectBy::kOperand;
  out_.push_back(std::move(effect));
  owner_ = index;
  if (words[0].known && !words[0].several)
    run_program(std::vector<Word>(words.begin(), words.end()), inner, index, inner.environment);
  pinned_ = outer_pinned;
  state_ = outer_state;
  owner_ = outer;
  --depth_;
}

void Walker::shell(const Word& text, const Surroundings& around, Lent lent,
                   std::span<const Word> parameters) {
  ShellState inner;
  if (!parameters.empty()) {
    set_parameters(parameters.subspan(1), inner);
    const Word& own = parameters[0];
    inner.own_name = {{.text = own.text, .rest = own.rest, .code = !own.known}};
  }
  inner.directories.assign(around.directories.begin(), around.directories.end());
  inner.forgotten = state_ != nullptr && state_->forgotten;
  inner.environment = state_ != nullptr && state_->environment;
  const std::uint32_t outer = std::exchange(owner_, around.owner);
  ShellState* const outer_state = state_;
  const Input outer_input = input_;
  const Lent outer_lent = std::exchange(lent_, lent);
  read(text.text, inner, text.span.empty() ? Span{0, 1} : text.span);
  lent_ = outer_lent;
  if (!text.known) unread_shell("part of the shell text is not known", text.span);
  input_ = outer_input;
  state_ = outer_state;
  owner_ = outer;
}

// ---- substitutions ----

Possible Walker::output_of(const shell::Part& part) {
  const bool process =
      part.kind == shell::PartKind::kProcessRead || part.kind == shell::PartKind::kProcessWrite;
  if (part.refused || part.script == nullptr)
    add_unknown("the text of a substitution cannot be read", part.span);
  const Input outer_input = input_;
  const Input outer_output = std::exchange(output_, {});
  ShellState* const outer_state = state_;
  const bool outer_fetch = substituted_fetch_;
  if (process) input_ = {};
  Possible result = anything();
  if (part.script != nullptr) {
    ShellState inner = *state_;
    ++spawning_;
    walk(*part.script, inner);
    --spawning_;
    result = printed_by(*part.script);
    if (prints_directory(*part.script) && inner.directories.size() == 1 &&
        inner.directories[0].starts_with('/') && inner.otherwise.empty())
      result = {.text = inner.directories[0]};
  }
  const Input printed_text = std::exchange(output_, outer_output);
  substituted_fetch_ = outer_fetch || printed_text.kind == Input::Kind::kFetched;
  fetched_somewhere_ = fetched_somewhere_ || printed_text.kind == Input::Kind::kFetched;
  input_ = outer_input;
  state_ = outer_state;
  if (process) return {.text = std::string(kSubstitutedFile)};
  if (printed_text.kind == Input::Kind::kText && !part.refused) {
    std::string text = printed_text.text;
    while (text.ends_with('\n')) text.pop_back();
    if (text.find('\0') == text.npos) return {.text = std::move(text), .computed = true};
  }
  return result;
}

// ---- redirections ----

void Walker::redirect(const shell::List<Redirection>& list, ShellState& state,
                      std::uint32_t owner) {
  for (const Redirection& one : list) {
    Expander words = expander(state);
    if (one.subscripted) cannot_follow("a subscript in a redirection is evaluated", one.span);
    if (!one.variable.empty()) set_variable(one.variable, {a_number()}, one.span, state);
    if (one.here != nullptr) {
      if (one.here->refused) add_unknown("a here-document that cannot be read", one.span);
      const Value body = words.value(one.here->body);
      input_ = {Input::Kind::kSome, {}};
      if (body.size() == 1 && body[0].known()) input_ = {Input::Kind::kText, body[0].text};
      continue;
    }
    if (one.op == RedirectionOp::kHereString) {
      const Value body = words.value(one.target);
      input_ = {Input::Kind::kSome, {}};
      if (body.size() == 1 && body[0].known()) input_ = {Input::Kind::kText, body[0].text + "\n"};
      continue;
    }
    for (const Fields& fields : words.fields(one.target)) {
      if (fields.size() != 1) {
        // Bash refuses to redirect to several files, and so the command does not run.
        add_unknown("a redirection to more than one word", one.span);
        continue;
      }
      redirect_file(one, fields[0], state, owner);
    }
  }
}

void Walker::redirect_file(const Redirection& one, const Word& target, const ShellState& state,
                           std::uint32_t owner) {
  const bool duplicates =
      one.op == RedirectionOp::kDuplicateRead || one.op == RedirectionOp::kDuplicateWrite;
  if (duplicates && target.known && is_descriptor(target.text)) return;
  if (target.known && is_stream(target.text)) {
    if (one.op == RedirectionOp::kRead) input_ = {};
    return;
  }
  for (const std::string_view network : {"/dev/tcp/", "/dev/udp/"}) {
    if (!target.text.starts_with(network)) continue;
    Effect reach;
    reach.kind = EffectKind::kReach;
    reach.by = EffectBy::kRedirection;
    reach.owner = owner;
    reach.span = place(one.span);
    const std::string rest = target.text.substr(network.size());
    if (target.known) reach.host = canonical_host(rest.substr(0, rest.find('/')));
    out_.push_back(std::move(reach));
    input_ = {Input::Kind::kFetched, {}};
    return;
  }
  const bool reads = one.op == RedirectionOp::kRead || one.op == RedirectionOp::kReadWrite ||
                     one.op == RedirectionOp::kDuplicateRead;
  if (reads) {
    input_ = {Input::Kind::kSome, {}};
    add_path({EffectKind::kRead, EffectBy::kRedirection, false}, target, around(state, owner),
             out_);
  }
  const bool writes = one.op != RedirectionOp::kRead && one.op != RedirectionOp::kDuplicateRead;
  if (writes)
    add_path({EffectKind::kWrite, EffectBy::kRedirection, false}, target, around(state, owner),
             out_);
}

}  // namespace tollgate
