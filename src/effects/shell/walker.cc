// The structure: scripts, lists, pipelines and branches; how far a text is followed.
// Loops are in loops.cc, functions and traps in functions.cc, simple commands in simple.cc; what
// the effects of a text have to do with each other is in afterwards.cc.
#include "effects/shell/walker.h"

#include <algorithm>
#include <utility>

#include "effects/paths.h"
#include "effects/programs/other_shells.h"
#include "effects/shell/environment.h"
#include "effects/subject.h"
#include "shell/read.h"

namespace tollgate {
namespace {

using shell::AndOr;
using shell::AndOrStep;
using shell::ArithmeticCommand;
using shell::ArithmeticFor;
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
using shell::Pipeline;
using shell::PipelineStage;
using shell::Redirection;
using shell::Script;
using shell::SimpleCommand;
using shell::Statement;
using shell::Tree;

// LIMIT: texts inside texts.
constexpr int kMaxTexts = 12;
// LIMIT: commands followed beyond those that are written.
constexpr std::size_t kMaxRepeated = 4'096;
// LIMIT: bytes of values and states that are copied.
constexpr std::size_t kMaxWork = 16'000'000;
// LIMIT: words, commands and effects that are followed at all, and bytes of inner text for each.
// Half of them are for what is written, whatever else is followed more than once.
constexpr std::size_t kMaxSteps = 24'576;
constexpr std::size_t kReadBytes = 48;
// What using a byte of a value, and reading a byte of inner text, costs compared to a copy.
constexpr std::size_t kUsing = 16;
constexpr std::size_t kReading = 64;

}  // namespace

Walker::Walker(std::string_view home, std::span<const std::string> first, std::size_t text_size,
               Effects& out)
    : home_(home),
      out_(out),
      left_(kMaxRepeated + text_size),
      work_(kMaxWork),
      steps_(kMaxSteps),
      settled_(out.size()),
      first_(first) {}

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
  if (!affords(kReading * (text.size() + 64))) return;
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

void Walker::spend() {
  if (left_ > 0) --left_;
}

// What is written is followed once in any case.
bool Walker::may_repeat() {
  if (left_ > 0 && work_ > 0 && steps_ > kMaxSteps / 2) return true;
  if (!std::exchange(told_limit_, true)) add_unknown("it goes on for too long", {}, kBeyondLimit);
  return false;
}

bool Walker::affords(std::size_t bytes) {
  work_ -= std::min(work_, kUsing * bytes);
  return work_ > 0 || may_repeat();
}

// SAFETY: what is not followed any more is never allowed.
bool Walker::steps(std::size_t count) {
  steps_ -= std::min(steps_, count);
  if (steps_ > 0) return true;
  if (!std::exchange(told_end_, true))
    add_unknown("there is more in it than is followed", {}, kNotFollowed);
  return false;
}

void Walker::settle(ShellState& state) {
  work_ -= std::min(work_, std::exchange(state.copied, 0));
  if (out_.size() > settled_) steps(out_.size() - settled_);
  if (std::exchange(state.overflown, false))
    cannot_follow("more variables and functions than can be told apart", {});
  settled_ = out_.size();
}

// What is changed later is counted then.
ShellState Walker::copy(const ShellState& state) {
  ShellState other = state;
  other.copied = 0;
  return other;
}

void Walker::assigns(std::string_view name, Value value, Span span) {
  if (state_ == nullptr) return;
  if (is_fixed(name, *state_)) may_fail();
  set_variable(name, std::move(value), span, *state_);
}

// From here on something may set anything between any two commands.
void Walker::nothing_stays(std::string why, Span span, ShellState& state) {
  cannot_follow(std::move(why), span);
  nothing_stays_ = true;
  lose_everything(state);
}

void Walker::lose_everything(ShellState& state) {
  state.variables.clear();
  state.positional.clear();
  state.positional_listed.clear();
  state.aliases_defined.clear();
  state.aliases = state.aliases || nothing_stays_;
  if (work_ == 0) state.functions.clear();
  if (!state.functions.empty())
    for (ShellFunction& function : state.functions.change()) function.certain = false;
  state.forget();
}

void Walker::read(std::string_view text, ShellState& state, Span pinned,
                  const shell::ReadOptions& options) {
  if (depth_ >= kMaxTexts) {
    out_.push_back(unknown("shells nested too deep", pinned));
    out_.back().target = kBeyondLimit;
    return;
  }
  ++depth_;
  const Span outer = std::exchange(pinned_, pinned);
  if (depth_ > 1) {
    work_ -= std::min(work_, kReading * text.size());
    if (!steps(text.size() / kReadBytes)) text = {};
  }
  const Tree& tree = tree_ ? seldom_.change().inner_trees.emplace_back(shell::read(text, options))
                           : tree_.emplace(shell::read(text, options));
  std::optional<ShellState>* const outer_abandoned = std::exchange(abandoned_, nullptr);
  walk(tree.script(), state);
  abandoned_ = outer_abandoned;
  if (tree.refused()) {
    add_unknown(tree.refusal().message, tree.refusal().span,
                tree.refusal().limit ? kBeyondLimit : std::string_view());
    state.forget();
  } else if (tree.script().statements.empty()) {
    if (depth_ == 1) add_unknown("there is no command", {});
  }
  pinned_ = outer;
  --depth_;
}

// A text that a text for another shell makes.
void Walker::note_other_shell(std::string_view text, Span span) {
  if (posix_ && only_bash_reads(text))
    cannot_follow("another shell may read this otherwise than bash", span);
}

// Of a text that was refused a part may be missing; what is there counts.
void Walker::walk(const Script* script, ShellState& state) {
  if (script != nullptr) walk(*script, state);
}
void Walker::walk(const Command* command, ShellState& state) {
  if (command != nullptr) walk(*command, state);
}

// What fails in a line leaves it, and the next line runs. Bash leaves all lines of a compound
// command then, other shells do not, so that here the next line of any script may follow.
void Walker::walk(const Script& script, ShellState& state) {
  std::optional<ShellState> left;
  std::optional<ShellState>* const outer = std::exchange(abandoned_, &left);
  for (const Statement& statement : script.statements) {
    walk(statement, state);
    if (!statement.newline || !left) continue;
    state.join(*left);
    if (outer != nullptr) abandon(*outer, *left);
    left.reset();
  }
  abandoned_ = outer;
  if (left && outer != nullptr) abandon(*outer, *left);
  if (left && outer == nullptr) state.join(*left);
}

void Walker::abandon(std::optional<ShellState>& at, const ShellState& state) {
  if (at)
    at->join(state);
  else
    at = copy(state);
}

void Walker::walk(const Statement& statement, ShellState& state) {
  if (steps_ == 0) return;
  if (!state.otherwise.empty()) {
    state.directories = state.everywhere();
    state.otherwise.clear();
  }
  if (!statement.background) return walk(statement.command, state);
  ++spawning_;
  in_subshell(state, [&](ShellState& inner) { walk(statement.command, inner); });
  --spawning_;
  lose_output();
}

void Walker::may_fail() {
  failing_ = true;
  lose_output();
  if (abandoned_ != nullptr && state_ != nullptr) abandon(*abandoned_, *state_);
}

// What is printed is not known any more.
void Walker::lose_output() {
  if (output_.kind != Input::Kind::kFetched) output_.lose(Input::Kind::kSome);
}

// What runs at the end may run wherever the text was.
void Walker::note_place(const ShellState& state) {
  if (!is_at_start(state)) add_directories(seldom_.change().visited, state.directories);
  place_lost_ = place_lost_ || state.physical || (state.forgotten && !state.placed);
}

void Walker::perhaps(const std::function<void()>& work) {
  ++maybe_;
  work();
  --maybe_;
}

void Walker::in_subshell(const ShellState& state, const std::function<void(ShellState&)>& work) {
  ShellState inner = copy(state);
  // What fails in it ends it.
  std::optional<ShellState>* const outer = std::exchange(abandoned_, nullptr);
  work(inner);
  abandoned_ = outer;
}

namespace {

// Whether a command with these redirections may print elsewhere, or not run at all.
bool diverts(const shell::List<Redirection>& list) {
  using shell::RedirectionOp;
  return std::ranges::any_of(list, [](const Redirection& one) {
    const std::string_view target = one.target.literal();
    if (!one.variable.empty()) return true;  // it may be one that cannot be set
    if (one.here != nullptr || one.op == RedirectionOp::kHereString) return false;
    if (target == "/dev/null") {
      if (one.op == RedirectionOp::kRead) return false;
      const bool writes = one.op == RedirectionOp::kWrite || one.op == RedirectionOp::kAppend;
      return !(writes && one.descriptor == 2);
    }
    return !(one.op == RedirectionOp::kDuplicateWrite && one.descriptor == 2 && target == "1");
  });
}

bool may_set(const shell::List<shell::Part>& parts) {
  using shell::PartKind;
  return std::ranges::any_of(parts, [](const shell::Part& part) {
    switch (part.kind) {
      case PartKind::kLiteral:
      case PartKind::kEscaped:
      case PartKind::kSingle:
      case PartKind::kAnsi:
      case PartKind::kCommand:
      case PartKind::kBackquote:
      case PartKind::kProcessRead:
      case PartKind::kProcessWrite:
        return false;  // what a copy of the shell sets is its own
      case PartKind::kDouble:
      case PartKind::kLocale:
        return may_set(part.parts);
      case PartKind::kParameter: {
        const shell::Parameter& one = *part.parameter;
        return one.op == shell::ParameterOp::kAssign || one.op == shell::ParameterOp::kSubstring ||
               one.indirect || one.subscripted || may_set(one.word.parts) ||
               may_set(one.second.parts);
      }
      case PartKind::kArithmetic:
      case PartKind::kPattern:
      case PartKind::kUnread:
        break;
    }
    return true;
  });
}

// Whether reading a text for the command may set a variable. A program, or a copy of the shell,
// expands it for itself: what it sets there does not come back.
bool given_text_may_set(const shell::List<Redirection>& list) {
  return std::ranges::any_of(list, [](const Redirection& one) {
    if (one.here != nullptr) return may_set(one.here->body.parts);
    return one.op == shell::RedirectionOp::kHereString && may_set(one.target.parts);
  });
}

bool has_own_input(const shell::List<Redirection>& list) {
  using shell::RedirectionOp;
  return std::ranges::any_of(list, [](const Redirection& one) {
    return one.descriptor <= 0 && one.variable.empty() &&
           (one.here != nullptr || one.op == RedirectionOp::kHereString ||
            one.op == RedirectionOp::kRead || one.op == RedirectionOp::kReadWrite ||
            one.op == RedirectionOp::kDuplicateRead);
  });
}

}  // namespace

// With so many names the text is too intricate to be followed in reasonable time.
void Walker::lose_names(Span span, ShellState& state) {
  cannot_follow("more variables and functions than can be told apart", span);
  state.variables.clear();
  state.functions.clear();
  state.aliases_defined.clear();
  state.forget();
}

void Walker::walk(const Command& command, ShellState& state) {
  if (!steps(1)) return;
  const std::size_t most =
      std::max({state.variables.size(), state.functions.size(), state.aliases_defined.size()});
  if (most > kMaxNames) lose_names(command.span, state);
  work_ -= std::min(work_, input_.text.size());
  if (work_ == 0 || nothing_stays_) lose_everything(state);
  if (work_ == 0 && !may_repeat() && input_.kind == Input::Kind::kText)
    input_ = {Input::Kind::kSome, {}};
  const KeptInput outer_input(input_);
  const std::size_t consumed = consumed_;
  // Where a redirection fails the command does not run.
  const bool may_fail = command.kind != CommandKind::kFunction && diverts(command.redirections);
  const bool sets = given_text_may_set(command.redirections);
  std::optional<ShellState> before;
  if (may_fail || sets) before = copy(state);
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
      state.define(defined);
      seldom_.change().defined.push_back(std::move(defined));
      if (exports_all_) cannot_follow("an exported function stands for a program", command.span);
      // A trap may call it.
      if (interrupted_ && !nothing_stays_)
        nothing_stays("`trap` may call a function at any time", command.span, state);
      if (seldom_->defined.size() == kMaxNames + 1)
        add_unknown("more functions than can be told apart", command.span);
      break;
    }
    case CommandKind::kCoprocess: {
      ++spawning_;
      in_subshell(state, [&](ShellState& inner) {
        walk(static_cast<const Coprocess&>(command).body, inner);
      });
      --spawning_;
      const std::string_view name = static_cast<const Coprocess&>(command).name;
      set_variable(name.empty() ? "COPROC" : name, unknown_value(), command.span, state);
      lose_output();
      break;
    }
  }
  if (before) state.join(*before);
  if (may_fail) lose_output();
  note_place(state);
  outer_input.put_back(input_);
  // The next one only gets what this one left.
  const bool read = consumed_ != consumed && !has_own_input(command.redirections);
  if (read && (input_.kind == Input::Kind::kText || input_.kind == Input::Kind::kNames))
    input_ = {Input::Kind::kSome, {}};
  settle(state);
}

void Walker::pipeline(const Pipeline& line, ShellState& state) {
  if (line.stages.size() == 1) {
    walk(line.stages[0].command, state);
    // Behind `!` what went well counts as failed.
    if (line.negated && !state.otherwise.empty()) std::swap(state.directories, state.otherwise);
    return;
  }
  const KeptInput outer_input(input_);
  const Input outer_output = output_;
  const int outer_maybe = std::exchange(maybe_, 0);
  ++spawning_;
  Input last;
  for (const PipelineStage& stage : line.stages) {
    output_.lose(Input::Kind::kNone);
    in_subshell(state, [&](ShellState& inner) { walk(stage.command, inner); });
    // What came from the network stays that, whatever is done to it on the way.
    const bool fetched = input_.kind == Input::Kind::kFetched;
    if (&stage == &line.stages.back()) last = output_;
    std::swap(input_, output_);
    if (input_.kind == Input::Kind::kNone) input_.kind = Input::Kind::kSome;
    if (fetched) input_.lose(Input::Kind::kFetched);
  }
  --spawning_;
  maybe_ = outer_maybe;
  output_ = input_.kind == Input::Kind::kFetched ? input_ : outer_output;
  outer_input.put_back(input_);
  const bool appends = output_.kind == Input::Kind::kNone || output_.kind == Input::Kind::kText;
  if (last.kind == Input::Kind::kText && appends && maybe_ == 0) {
    output_ = {Input::Kind::kText, output_.text + last.text};
  } else if (last.kind == Input::Kind::kNames && output_.kind == Input::Kind::kNone &&
             maybe_ == 0) {
    output_ = last;
  } else if (last.kind != Input::Kind::kNone) {
    lose_output();
  }
}

// Behind each step: where the shell is when the list so far went well, and when it did not.
void Walker::and_or(const AndOr& list, ShellState& state) {
  for (std::size_t i = 0; i < list.steps.size(); ++i) {
    const AndOrStep& step = list.steps[i];
    if (i == 0) {
      walk(step.command, state);
      continue;
    }
    const ShellState before = copy(state);
    const Directories good = state.directories;
    const Directories bad = state.otherwise.empty() ? state.directories : state.otherwise;
    state.directories = step.is_or ? bad : good;
    state.otherwise.clear();
    perhaps([&] { walk(step.command, state); });
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
  std::optional<ShellState> ended;
  bool has_else = false;
  if (!command.arms.empty()) walk(command.arms[0].condition, state);
  ++maybe_;
  for (const IfArm& arm : command.arms) {
    if (steps_ == 0 && ended) break;
    if (arm.condition != nullptr && &arm != &command.arms[0]) walk(arm.condition, state);
    has_else = has_else || arm.condition == nullptr;
    ShellState taken = copy(state);
    if (arm.condition != nullptr && !taken.otherwise.empty()) taken.otherwise.clear();
    walk(arm.body, taken);
    if (ended)
      ended->join(taken);
    else
      ended = std::move(taken);
    if (arm.condition != nullptr && !state.otherwise.empty())
      state.directories = std::exchange(state.otherwise, {});
  }
  --maybe_;
  if (has_else)
    state = std::move(*ended);
  else if (ended)
    state.join(*ended);
}

void Walker::cases(const Case& command, ShellState& state) {
  expander(state).value(command.subject);
  ShellState unmatched = copy(state);
  std::optional<ShellState> ended, falling;
  const auto join = [](std::optional<ShellState>& to, const ShellState& from) {
    if (to)
      to->join(from);
    else
      to = from;
  };
  ++maybe_;
  for (const CaseArm& arm : command.arms) {
    if (steps_ == 0) break;
    if (work_ == 0) lose_everything(unmatched);
    if (work_ == 0 && ended) lose_everything(*ended);
    for (const shell::Word& pattern : arm.patterns) {
      const ShellState before = copy(unmatched);
      expander(unmatched).pattern(pattern);
      unmatched.join(before);
    }
    ShellState taken = copy(unmatched);
    if (falling) taken.join(*falling);
    falling.reset();
    walk(arm.body, taken);
    // Behind ;& the next arm runs, behind ;;& its patterns are tried.
    if (arm.end == shell::CaseEnd::kFall) join(falling, taken);
    if (arm.end == shell::CaseEnd::kTest) unmatched.join(taken);
    join(ended, taken);
  }
  --maybe_;
  state = std::move(unmatched);
  if (ended) state.join(*ended);
}

void Walker::condition(const Condition& node, ShellState& state) {
  if (node.first != nullptr) condition(*node.first, state);
  if (node.second != nullptr) {
    // It may not be looked at.
    const ShellState before = copy(state);
    condition(*node.second, state);
    state.join(before);
  }
  if (node.first != nullptr) return;
  Expander words = expander(state);
  constexpr std::string_view kNumeric[] = {"-eq", "-ne", "-lt", "-le", "-gt", "-ge"};
  const bool numeric = std::ranges::find(kNumeric, node.op) != std::end(kNumeric);
  const bool names = node.op == "-v" || node.op == "-R";
  const auto look = [&](const shell::Word& word) {
    const Value values = words.value(word);
    for (const Possible& one : values) {
      if (names) words.name_with_subscript({one.text, word.span, one.known()});
      if (!numeric || one.number) continue;
      if (one.known())
        words.evaluate(one.text, word.span, values.size() > 1);
      else
        cannot_follow("`" + std::string(node.op) + "` evaluates a value that is not known",
                      word.span);
    }
  };
  look(node.left);
  if (node.kind == ConditionKind::kBinary) {
    if (numeric) {
      // Behind a mistake on the left it is not evaluated.
      const ShellState before = copy(state);
      look(node.right);
      state.join(before);
    } else {
      words.pattern(node.right);
    }
  }
}

}  // namespace tollgate
