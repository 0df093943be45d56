// The structure: scripts, lists, pipelines, branches, loops and functions.
// Simple commands are in simple.cc, builtins in builtins.cc.
#include "effects/shell/walker.h"

#include <algorithm>
#include <utility>

#include "effects/paths.h"
#include "effects/shell/environment.h"
#include "effects/subject.h"
#include "shell/read.h"

namespace tollgate {
namespace {

using shell::AndOr;
using shell::AndOrStep;
using shell::Arithmetic;
using shell::ArithmeticCommand;
using shell::ArithmeticFor;
using shell::Assignment;
using shell::Block;
using shell::Case;
using shell::CaseArm;
using shell::Command;
using shell::CommandKind;
using shell::Condition;
using shell::ConditionalCommand;
using shell::ConditionKind;
using shell::Coprocess;
using shell::For;
using shell::If;
using shell::IfArm;
using shell::Loop;
using shell::ParameterOp;
using shell::Part;
using shell::PartKind;
using shell::Pipeline;
using shell::PipelineStage;
using shell::Redirection;
using shell::Script;
using shell::SimpleCommand;
using shell::Statement;
using shell::Tree;

// LIMIT: texts inside texts, and functions inside functions.
constexpr int kMaxTexts = 12;
constexpr std::size_t kMaxCalls = 16;
// LIMIT: how often the body of a loop over known words is followed.
constexpr std::size_t kMaxRounds = 64;
// LIMIT: commands followed beyond those that are written.
constexpr std::size_t kMaxRepeated = 4'096;

// The names that a script may set, found without following it.
class Settings {
 public:
  void look(const Script* script) {
    if (script == nullptr) return;
    for (const Statement& statement : script->statements) look(statement.command);
  }

  // Whether all that a name is ever given here are numbers.
  bool counts(std::string_view name) const {
    return std::ranges::find(texts_, name) == texts_.end();
  }

  std::vector<std::string_view> names;
  bool anything = false;  // it may set or change what cannot be told
  bool moves = false;     // it changes the directory
  bool leaves = false;    // it may end before its end

 private:
  void look(const Command* command) {
    if (command == nullptr) return;
    for (const Redirection& one : command->redirections)
      if (!one.variable.empty()) names.push_back(one.variable);
    switch (command->kind) {
      case CommandKind::kSimple:
        return look_simple(static_cast<const SimpleCommand&>(*command));
      case CommandKind::kPipeline: {
        const auto& line = static_cast<const Pipeline&>(*command);
        if (line.stages.size() == 1) look(line.stages[0].command);
        return;
      }
      case CommandKind::kAndOr:
        for (const AndOrStep& step : static_cast<const AndOr&>(*command).steps) look(step.command);
        return;
      case CommandKind::kGroup:
        return look(static_cast<const Block&>(*command).body);
      case CommandKind::kIf:
        for (const IfArm& arm : static_cast<const If&>(*command).arms) {
          look(arm.condition);
          look(arm.body);
        }
        return;
      case CommandKind::kWhile:
      case CommandKind::kUntil:
        look(static_cast<const Loop&>(*command).condition);
        return look(static_cast<const Loop&>(*command).body);
      case CommandKind::kFor:
      case CommandKind::kSelect:
        names.push_back(static_cast<const For&>(*command).name.literal());
        texts_.push_back(names.back());
        return look(static_cast<const For&>(*command).body);
      case CommandKind::kArithmeticFor:
        for (const Arithmetic& part : static_cast<const ArithmeticFor&>(*command).parts)
          look_arithmetic(part.text);
        return look(static_cast<const ArithmeticFor&>(*command).body);
      case CommandKind::kCase:
        for (const CaseArm& arm : static_cast<const Case&>(*command).arms) look(arm.body);
        return;
      case CommandKind::kArithmetic:
        return look_arithmetic(static_cast<const ArithmeticCommand&>(*command).expression.text);
      case CommandKind::kFunction:
      case CommandKind::kCoprocess:
        anything = true;
        return;
      case CommandKind::kSubshell:
      case CommandKind::kConditional:
        return;
    }
  }

  void look_simple(const SimpleCommand& command) {
    for (const Assignment& one : command.assignments) {
      names.push_back(one.name);
      const bool number = !one.compound && one.value.parts.size() == 1 &&
                          (one.value.parts[0].kind == PartKind::kArithmetic ||
                           (one.value.parts[0].kind == PartKind::kLiteral &&
                            is_plain_number(one.value.parts[0].text)));
      if (!number) texts_.push_back(one.name);
    }
    for (const shell::Word& word : command.words) look_word(word);
    if (command.words.empty()) return;
    const std::string_view program = command.words[0].literal();
    constexpr std::string_view kSets[] = {"export", "declare", "typeset",   "local", "readonly",
                                          "read",   "mapfile", "readarray", "unset", "getopts",
                                          "let",    "printf",  "wait"};
    constexpr std::string_view kAnything[] = {"eval",  "source", ".",     "set",
                                              "shift", "alias",  "shopt", "trap"};
    constexpr std::string_view kMoves[] = {"cd", "pushd", "popd"};
    constexpr std::string_view kLeaves[] = {"break", "continue", "return", "exit"};
    leaves = leaves || std::ranges::find(kLeaves, program) != std::end(kLeaves);
    if (std::ranges::find(kMoves, program) != std::end(kMoves)) moves = true;
    // A word that is not plain may be any of these.
    anything =
        anything || program.empty() || std::ranges::find(kAnything, program) != std::end(kAnything);
    if (std::ranges::find(kSets, program) == std::end(kSets)) return;
    for (const shell::Word& word : command.words) {
      const std::string_view text = word.parts.empty() ? std::string_view() : word.parts[0].text;
      names.push_back(text.substr(0, std::min(text.find_first_of("=+["), text.size())));
      texts_.push_back(names.back());
    }
    for (const Assignment& one : command.declared) {
      names.push_back(one.name);
      texts_.push_back(one.name);
    }
    anything = anything || program == "let";
  }

  void look_word(const shell::Word& word) {
    for (const Part& part : word.parts) look_part(part);
  }
  void look_part(const Part& part) {
    if (part.parameter != nullptr && part.parameter->op == ParameterOp::kAssign) {
      names.push_back(part.parameter->name);
      texts_.push_back(part.parameter->name);
    }
    if (part.arithmetic != nullptr) look_arithmetic(part.arithmetic->text);
    for (const Part& inner : part.parts) look_part(inner);
  }
  // Every name in it, set or not.
  void look_arithmetic(const shell::Word& word) {
    for (const Part& part : word.parts) {
      if (part.kind != PartKind::kLiteral) {
        look_part(part);
        continue;
      }
      std::size_t begin = 0;
      const auto is_letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_';
      };
      for (std::size_t i = 0; i <= part.text.size(); ++i) {
        if (i < part.text.size() && is_letter(part.text[i])) continue;
        if (i > begin) names.push_back(part.text.substr(begin, i - begin));
        begin = i + 1;
      }
    }
  }

  std::vector<std::string_view> texts_;  // names that are given more than numbers
};

}  // namespace

Walker::Walker(std::string_view home, std::size_t text_size, Effects& out)
    : home_(home), out_(out), left_(kMaxRepeated + text_size) {}

void Walker::add_unknown(std::string why, Span span, std::string_view what, std::uint32_t owner) {
  Effect effect = unknown(std::move(why), place(span));
  effect.target = what;
  if (owner != kNoOwner) {
    effect.owner = owner;
    effect.by = EffectBy::kOperand;
  }
  out_.push_back(std::move(effect));
}

void Walker::cannot_follow(std::string why, Span span) {
  // A loop says the same thing over and over.
  if (!out_.empty() && out_.back().kind == EffectKind::kUnknown && out_.back().why == why) return;
  add_unknown(std::move(why), span);
}

void Walker::runs_text(std::string why, std::string_view text, Span span) {
  cannot_follow(std::move(why), span);
  if (text.find_first_of("$`") == text.npos || text.find('\0') != text.npos) return;
  // Expanded like the body of a here-document: what is in it runs, and nothing else is known of it.
  std::string document = ": <<_\n";
  document += text;
  document += "\n_\n";
  ShellState inner = state_ == nullptr ? ShellState{} : *state_;
  ShellState* const outer = state_;
  const Input outer_input = input_;
  read(document, inner, place(span).empty() ? Span{0, 1} : place(span));
  input_ = outer_input;
  state_ = outer;
}

bool Walker::spend() {
  if (left_ > 0) {
    --left_;
    return true;
  }
  if (!std::exchange(told_limit_, true)) add_unknown("it goes on for too long", {});
  return false;
}

void Walker::read(std::string_view text, ShellState& state, Span pinned) {
  if (depth_ >= kMaxTexts) {
    out_.push_back(unknown("shells nested too deep", pinned));
    return;
  }
  if (depth_++ == 0) first_ = state.directories;
  const Span outer = std::exchange(pinned_, pinned);
  trees_.push_back(shell::read(text));
  const Tree& tree = trees_.back();
  walk(tree.script(), state);
  if (tree.refused()) {
    add_unknown(tree.refusal().message, tree.refusal().span);
    state.forget();
  } else if (tree.script().statements.empty()) {
    if (depth_ == 1) add_unknown("there is no command", {});
  }
  pinned_ = outer;
  --depth_;
}

// Of a text that was refused a part may be missing; what is there counts.
void Walker::walk(const Script* script, ShellState& state) {
  if (script != nullptr) walk(*script, state);
}
void Walker::walk(const Command* command, ShellState& state) {
  if (command != nullptr) walk(*command, state);
}

void Walker::walk(const Script& script, ShellState& state) {
  for (const Statement& statement : script.statements) {
    if (!state.otherwise.empty()) {
      state.directories = state.everywhere();
      state.otherwise.clear();
    }
    if (!statement.background) {
      walk(statement.command, state);
      continue;
    }
    ++spawning_;
    in_subshell(state, [&](ShellState& inner) { walk(statement.command, inner); });
    --spawning_;
  }
}

void Walker::in_subshell(const ShellState& state, const std::function<void(ShellState&)>& work) {
  ShellState inner = state;
  work(inner);
}

void Walker::walk(const Command& command, ShellState& state) {
  const Input outer_input = input_;
  if (command.kind != CommandKind::kSimple && command.kind != CommandKind::kFunction)
    redirect(command.redirections, state, kNoOwner);
  switch (command.kind) {
    case CommandKind::kSimple:
      simple(static_cast<const SimpleCommand&>(command), state);
      break;
    case CommandKind::kPipeline:
      pipeline(static_cast<const Pipeline&>(command), state);
      break;
    case CommandKind::kAndOr:
      and_or(static_cast<const AndOr&>(command), state);
      break;
    case CommandKind::kSubshell:
      in_subshell(state,
                  [&](ShellState& inner) { walk(static_cast<const Block&>(command).body, inner); });
      break;
    case CommandKind::kGroup:
      walk(static_cast<const Block&>(command).body, state);
      break;
    case CommandKind::kIf:
      branches(static_cast<const If&>(command), state);
      break;
    case CommandKind::kWhile:
    case CommandKind::kUntil:
      loop(static_cast<const Loop&>(command), state);
      break;
    case CommandKind::kFor:
    case CommandKind::kSelect:
      for_each(static_cast<const For&>(command), state);
      break;
    case CommandKind::kArithmeticFor:
      count(static_cast<const ArithmeticFor&>(command), state);
      break;
    case CommandKind::kCase:
      cases(static_cast<const Case&>(command), state);
      break;
    case CommandKind::kArithmetic:
      expander(state).arithmetic(static_cast<const ArithmeticCommand&>(command).expression);
      break;
    case CommandKind::kConditional:
      if (const Condition* node = static_cast<const ConditionalCommand&>(command).condition)
        condition(*node, state);
      break;
    case CommandKind::kFunction: {
      const auto& function = static_cast<const shell::Function&>(command);
      const Value names = expander(state).value(function.name);
      ShellFunction defined{names[0].text, function.body, true};
      std::erase_if(state.functions,
                    [&](const ShellFunction& old) { return old.name == defined.name; });
      state.functions.push_back(defined);
      defined_.push_back(std::move(defined));
      break;
    }
    case CommandKind::kCoprocess: {
      ++spawning_;
      in_subshell(state, [&](ShellState& inner) {
        walk(static_cast<const Coprocess&>(command).body, inner);
      });
      --spawning_;
      const std::string_view name = static_cast<const Coprocess&>(command).name;
      state.set(name.empty() ? "COPROC" : name, unknown_value());
      break;
    }
  }
  input_ = outer_input;
}

void Walker::pipeline(const Pipeline& line, ShellState& state) {
  if (line.stages.size() == 1) return walk(line.stages[0].command, state);
  const Input outer_input = input_;
  const Input outer_output = output_;
  ++spawning_;
  for (const PipelineStage& stage : line.stages) {
    output_ = {};
    in_subshell(state, [&](ShellState& inner) { walk(stage.command, inner); });
    // What came from the network stays that, whatever is done to it on the way.
    const bool fetched = input_.kind == Input::Kind::kFetched;
    input_ = output_.kind == Input::Kind::kNone ? Input{Input::Kind::kSome, {}} : output_;
    if (fetched) input_ = {Input::Kind::kFetched, {}};
  }
  --spawning_;
  output_ = input_.kind == Input::Kind::kFetched ? input_ : outer_output;
  input_ = outer_input;
}

// Behind each step: where the shell is when the list so far went well, and when it did not.
void Walker::and_or(const AndOr& list, ShellState& state) {
  for (std::size_t i = 0; i < list.steps.size(); ++i) {
    const AndOrStep& step = list.steps[i];
    if (i == 0) {
      walk(step.command, state);
      continue;
    }
    const ShellState before = state;
    const Directories good = state.directories;
    const Directories bad = state.otherwise.empty() ? state.directories : state.otherwise;
    state.directories = step.is_or ? bad : good;
    state.otherwise.clear();
    walk(step.command, state);
    Directories went_well = state.directories;
    Directories went_wrong = state.otherwise.empty() ? state.directories : state.otherwise;
    state.join(before);  // the step may not have been taken
    if (step.is_or) {
      add_directories(went_well, good);
    } else {
      add_directories(went_wrong, bad);
    }
    state.directories = std::move(went_well);
    state.otherwise = std::move(went_wrong);
  }
}

void Walker::branches(const If& command, ShellState& state) {
  std::vector<ShellState> ends;
  bool has_else = false;
  for (const IfArm& arm : command.arms) {
    if (arm.condition != nullptr) walk(arm.condition, state);
    has_else = has_else || arm.condition == nullptr;
    ShellState taken = state;
    if (arm.condition != nullptr && !taken.otherwise.empty()) taken.otherwise.clear();
    walk(arm.body, taken);
    ends.push_back(std::move(taken));
    if (arm.condition != nullptr && !state.otherwise.empty())
      state.directories = std::exchange(state.otherwise, {});
  }
  if (has_else) {
    state = std::move(ends.back());
    ends.pop_back();
  }
  for (const ShellState& end : ends) state.join(end);
}

void Walker::unsettle(const Script* body, ShellState& state) {
  Settings settings;
  settings.look(body);
  if (settings.anything) {
    state.forget();
    return;
  }
  for (const std::string_view name : settings.names) {
    if (name.empty()) continue;
    const Variable* old = state.find(name);
    // A counter stays a number if all it is ever given are numbers; that is not looked into.
    const bool number = old != nullptr && std::ranges::all_of(old->value, [](const Possible& one) {
                          return one.number || (one.known() && is_plain_number(one.text));
                        });
    // A body that gives it anything but arithmetic makes it anything.
    state.set(name, number && settings.counts(name) ? Value{a_number()} : unknown_value());
  }
  if (settings.moves) state.directories = {""};
}

void Walker::loop(const Loop& command, ShellState& state) {
  const ShellState before = state;
  unsettle(command.condition, state);
  unsettle(command.body, state);
  walk(command.condition, state);
  const ShellState ended = state;
  walk(command.body, state);
  state.join(ended);
  state.join(before);
}

void Walker::for_each(const For& command, ShellState& state) {
  const std::string_view name = command.name.literal();
  std::vector<Value> rounds;
  bool known = command.kind == CommandKind::kFor && !name.empty();
  if (command.has_words) {
    for (const shell::Word& word : command.words) {
      const auto ways = expander(state).fields(word);
      known = known && ways.size() == 1;
      for (const Fields& fields : ways)
        for (const Word& field : fields) {
          known = known && (field.known || field.rest == Rest::kPattern || !field.several);
          rounds.push_back({{.text = field.text,
                             .rest = field.rest,
                             .operand = field.operand,
                             .code = !field.known}});
        }
    }
  } else {
    known = known && state.positional_known;
    if (known) rounds = state.positional;
  }
  const ShellState before = state;
  // Over no words it never runs, but it is written, and so it counts.
  if (known && !rounds.empty() && rounds.size() <= kMaxRounds) {
    Settings settings;
    settings.look(command.body);
    for (Value& value : rounds) {
      // The round before may have been left at any point.
      if (settings.leaves) state.join(before);
      set_variable(name, std::move(value), command.span, state);
      walk(command.body, state);
      if (!state.otherwise.empty()) {
        state.directories = state.everywhere();
        state.otherwise.clear();
      }
    }
    if (settings.leaves) state.join(before);
    return;
  }
  unsettle(command.body, state);
  if (!name.empty()) set_variable(name, unknown_value(), command.span, state);
  walk(command.body, state);
  state.join(before);
}

void Walker::count(const ArithmeticFor& command, ShellState& state) {
  expander(state).arithmetic(command.parts[0]);
  unsettle(command.body, state);
  expander(state).arithmetic(command.parts[1]);
  const ShellState before = state;
  walk(command.body, state);
  expander(state).arithmetic(command.parts[2]);
  state.join(before);
}

void Walker::cases(const Case& command, ShellState& state) {
  expander(state).value(command.subject);
  ShellState joined = state;
  for (const CaseArm& arm : command.arms) {
    for (const shell::Word& pattern : arm.patterns) expander(state).pattern(pattern);
    ShellState taken = state;
    // Behind ;& the arm before it has run as well.
    taken.join(joined);
    if (arm.body != nullptr) walk(arm.body, taken);
    joined.join(taken);
  }
  state = std::move(joined);
}

void Walker::condition(const Condition& node, ShellState& state) {
  if (node.first != nullptr) condition(*node.first, state);
  if (node.second != nullptr) condition(*node.second, state);
  if (node.first != nullptr) return;
  Expander words = expander(state);
  constexpr std::string_view kNumeric[] = {"-eq", "-ne", "-lt", "-le", "-gt", "-ge"};
  const bool numeric = std::ranges::find(kNumeric, node.op) != std::end(kNumeric);
  const bool names = node.op == "-v" || node.op == "-R";
  const auto look = [&](const shell::Word& word) {
    for (const Possible& one : words.value(word)) {
      if (names) words.name_with_subscript({one.text, word.span, one.known()});
      if (!numeric || one.number) continue;
      if (one.known())
        words.evaluate(one.text, word.span);
      else
        cannot_follow("`" + std::string(node.op) + "` evaluates a value that is not known",
                      word.span);
    }
  };
  look(node.left);
  if (node.kind == ConditionKind::kBinary) {
    if (numeric)
      look(node.right);
    else
      words.pattern(node.right);
  }
}

void Walker::call(const ShellFunction& function, std::span<const Word> argv, ShellState& state) {
  const auto running = std::ranges::count(calls_, function.body);
  called_.push_back(function.body);
  if (running > 0 && spawning_ > 0) {
    add_unknown("`" + function.name + "` starts itself over and over", argv[0].span, kForkBomb);
    return;
  }
  if (running > 1) return;  // the second round knew nothing of its parameters
  if (calls_.size() >= kMaxCalls) {
    add_unknown("functions call each other too deep", argv[0].span);
    return;
  }
  const std::vector<Value> outer = std::move(state.positional);
  const bool outer_known = state.positional_known;
  const int outer_spawning = std::exchange(spawning_, 0);
  set_parameters(argv.subspan(1), state);
  state.positional_known = state.positional_known && running == 0;
  if (running > 0) unsettle_all(state);
  calls_.push_back(function.body);
  walk(function.body, state);
  calls_.pop_back();
  spawning_ = outer_spawning;
  state.positional = outer;
  state.positional_known = outer_known;
}

void Walker::set_parameters(std::span<const Word> words, ShellState& state) {
  state.positional.clear();
  state.positional_known = std::ranges::none_of(words, &Word::several);
  for (const Word& word : words)
    state.positional.push_back(
        {{.text = word.text, .rest = word.rest, .operand = word.operand, .code = !word.known}});
}

void Walker::unsettle_all(ShellState& state) {
  for (Variable& variable : state.variables) {
    variable.value = unknown_value();
    variable.elements_known = false;
  }
}

// Shell text that is not known; once something was fetched it may be that.
void Walker::unread_shell(std::string why, Span span) {
  if (fetched_somewhere_ || substituted_fetch_)
    add_unknown("the shell runs what comes from the network", span, kUnreadFetched);
  else
    add_unknown(std::move(why), span);
}

// A file that one command fetches and a later one runs.
void Walker::mark_fetched() {
  std::vector<std::string> fetched;
  for (std::size_t i = 0; i < out_.size(); ++i) {
    Effect& effect = out_[i];
    const bool owned = effect.owner < i && out_[effect.owner].kind == EffectKind::kRun;
    const std::string_view program =
        owned ? std::string_view(out_[effect.owner].argv[0].text) : std::string_view();
    if (effect.kind == EffectKind::kWrite && !effect.path.empty() && owned && is_fetcher(program))
      fetched.push_back(effect.path);
    if (effect.kind == EffectKind::kReach && owned && is_fetcher(program) && !effect.url.empty()) {
      // Without a name the file is called as the address ends.
      const std::string_view name = base_name(effect.url);
      for (const std::string& directory : first_)
        if (!name.empty()) fetched.push_back(directory + "/" + std::string(name));
    }
    if (fetched.empty()) continue;
    const bool known = std::ranges::find(fetched, effect.path) != fetched.end();
    if (!known || !owned) continue;
    if (effect.guess == Guess::kProgram) {
      add_unknown("a fetched file is run", out_[effect.owner].argv[0].span, kUnreadFetched);
      return;
    }
    for (std::size_t j = i; j < out_.size() && j < i + 4; ++j)
      if (out_[j].owner == effect.owner && out_[j].target == kUnreadScript)
        out_[j].target = kUnreadFetched;
  }
}

// What lies below something that the text itself copies, links, moves or unpacks is not what the
// look sees now.
void Walker::forget_made_paths() {
  std::vector<std::string> made;
  for (Effect& effect : out_) {
    if (!is_path_kind(effect.kind) || effect.path.empty() || effect.guess != Guess::kNone) continue;
    const bool below = std::ranges::any_of(made, [&](const std::string& path) {
      return effect.path.size() > path.size() + 1 && effect.path.starts_with(path) &&
             effect.path[path.size()] == '/';
    });
    if (below) {
      effect.why = "the same text makes what `" + effect.path + "` goes through";
      effect.path.clear();
      effect.spelled.clear();
      effect.pattern = false;
      continue;
    }
    // LIMIT: a text that makes more than this is asked about for its length.
    constexpr std::size_t kMostMade = 256;
    const bool makes = effect.kind == EffectKind::kWrite || effect.kind == EffectKind::kLink ||
                       effect.kind == EffectKind::kRename;
    if (makes && effect.by == EffectBy::kOperand && made.size() < kMostMade &&
        std::ranges::find(first_, effect.path) == first_.end())
      made.push_back(effect.path);
  }
}

void Walker::finish() {
  // Nobody may ever call them, but they are written here to be called.
  for (std::size_t i = 0; i < defined_.size(); ++i) {
    if (std::ranges::find(called_, defined_[i].body) != called_.end()) continue;
    ShellState state;
    state.forget();
    const ShellFunction function = defined_[i];
    state.functions.push_back(function);
    const Word name{.text = function.name, .span = {}};
    call(function, {&name, 1}, state);
  }
  mark_fetched();
  forget_made_paths();
}

}  // namespace tollgate
