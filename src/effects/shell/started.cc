// What a command starts in turn: programs behind wrappers, text for a shell, substitutions.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/path.h"
#include "effects/programs/places.h"
#include "effects/shell/documents.h"
#include "effects/shell/printed.h"
#include "effects/shell/walker.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

// LIMIT: programs that start programs.
constexpr int kMaxStarted = 24;

// From the first word to the last that stands behind it in the text.
Span span_of(std::span<const Word> words) {
  Span span = words[0].span;
  for (const Word& word : words)
    if (!span.empty() && word.span.begin >= span.begin && word.span.end() > span.end())
      span.size = word.span.end() - span.begin;
  return span;
}

// Whether the options before the text switch extended patterns on. The value stands by itself.
bool has_extglob(std::span<const Word> argv, std::string_view text) {
  bool on = false;
  for (std::size_t i = 1; i + 1 < argv.size() && argv[i].text != text; ++i)
    if ((argv[i].text == "-O" || argv[i].text == "+O") && argv[i + 1].text == "extglob")
      on = argv[i].text == "-O";
  return on;
}

// `time` at the beginning of a substitution is a word where bash looks for the end of it, and
// reserved where it runs it.
const shell::Command* timed(const shell::Script& script) {
  if (script.statements.empty()) return nullptr;
  const shell::Command* command = script.statements[0].command;
  while (command != nullptr && command->kind != shell::CommandKind::kSimple) {
    if (command->kind == shell::CommandKind::kAndOr)
      command = static_cast<const shell::AndOr*>(command)->steps.empty()
                    ? nullptr
                    : static_cast<const shell::AndOr*>(command)->steps[0].command;
    else if (command->kind == shell::CommandKind::kPipeline &&
             !static_cast<const shell::Pipeline*>(command)->stages.empty())
      command = static_cast<const shell::Pipeline*>(command)->stages[0].command;
    else
      return nullptr;
  }
  if (command == nullptr) return nullptr;
  const auto& simple = static_cast<const shell::SimpleCommand&>(*command);
  const bool begins =
      !simple.words.empty() && simple.words[0].literal() == "time" && simple.assignments.empty();
  return begins ? command : nullptr;
}

}  // namespace

void Walker::command(std::span<const Word> words, const Surroundings& around, Lent lent) {
  if (words.empty() || !steps(words.size())) return;
  if (++depth_ > kMaxStarted) {
    add_unknown("commands nested too deep", words[0].span, kBeyondLimit);
    --depth_;
    return;
  }
  // Programs start programs: no function and no builtin is meant.
  ShellState inner;
  inner.directories = Directories(around.directories.begin(), around.directories.end());
  inner.environment = (state_ != nullptr && state_->environment) || std::exchange(swayed_, false);
  const std::uint32_t outer = std::exchange(owner_, around.owner);
  ShellState* const outer_state = std::exchange(state_, &inner);
  const Span outer_pinned = pinned_;
  const auto index = static_cast<std::uint32_t>(out_.size());
  Effect effect;
  effect.kind = EffectKind::kRun;
  effect.span = span_of(words);
  effect.argv.assign(words.begin(), words.end());
  effect.owner = around.owner;
  effect.by = lent == Lent::kYes || lent_ == Lent::kYes ? EffectBy::kTool : EffectBy::kOperand;
  if (words[0].known && !words[0].several) place_program(effect.argv[0], inner);
  out_.push_back(std::move(effect));
  owner_ = index;
  if (words[0].known && !words[0].several) run_program(words, inner, index, inner.environment);
  const bool open = !words[0].known || words[0].several;
  const bool input = input_.kind == Input::Kind::kFetched;
  Surroundings here = around;
  here.owner = index;
  if (open) add_guesses(words, here, out_);
  // `uv run -` runs what comes in.
  if (open ? substituted_fetch_ || fetched_somewhere_ || input : input && words[0].text == "-")
    unread_shell({}, words[0].span);
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
  inner.directories = Directories(around.directories.begin(), around.directories.end());
  inner.forgotten = state_ != nullptr && state_->forgotten;
  inner.placed = state_ != nullptr && state_->placed;
  // Whoever sets that makes an Unknown of it.
  if (inner.forgotten && !home_.empty()) inner.set("HOME", known_value(std::string(home_)));
  inner.environment = state_ != nullptr && state_->environment;
  const std::uint32_t outer = std::exchange(owner_, around.owner);
  ShellState* const outer_state = state_;
  const Input outer_input = input_;
  const Lent outer_lent = std::exchange(lent_, lent);
  const std::string_view program = around.owner < out_.size() && !out_[around.owner].argv.empty()
                                       ? base_name(out_[around.owner].argv[0].text)
                                       : std::string_view();
  const bool outer_posix = std::exchange(posix_, program != "bash");
  inner.posix = inner.no_braces = posix_;
  if (program.ends_with("sh")) begin_with(out_[around.owner].argv, text.text, inner);
  const int outer_maybe = maybe_;
  // It leaves no loop around it.
  std::optional<ShellState> left;
  const std::size_t outer_base = std::exchange(left_base_, seldom_->left_states.size());
  seldom_.change().left_states.push_back(&left);
  // Nor is it in a function.
  const std::size_t outer_calls = std::exchange(calls_base_, seldom_->calls.size());
  const std::vector<Layer> outer_layers = std::exchange(seldom_.change().layers, {});
  const bool extglob =
      (program == "bash" || program == "rbash") && has_extglob(out_[around.owner].argv, text.text);
  read(text.text, inner, text.span.empty() ? Span{0, 1} : text.span, {.extglob = extglob});
  seldom_.change().layers = outer_layers;
  calls_base_ = outer_calls;
  seldom_.change().left_states.pop_back();
  left_base_ = outer_base;
  lent_ = outer_lent;
  posix_ = outer_posix;
  maybe_ = outer_maybe;
  if (!text.known) unread_shell("part of the shell text is not known", text.span);
  input_ = outer_input;
  state_ = outer_state;
  owner_ = outer;
}

// The options that a shell is started with, before its text.
void Walker::begin_with(std::span<const Word> argv, std::string_view text, ShellState& inner) {
  for (const Word& word : argv.subspan(1)) {
    const std::string_view own = word.text;
    if (own == text) return;
    const bool letters = own.size() > 1 && (own[0] == '-' || own[0] == '+') && own[1] != '-';
    const auto has = [&](char letter, std::string_view name) {
      return (letters && own.find(letter) != own.npos) || own.find(name) != own.npos;
    };
    // What is not said here is as it always is, or leaves fewer words as patterns.
    inner.fragile |= has('e', "errexit");
    inner.nounset |= has('u', "nounset");
    inner.no_braces |= has('B', "braceexpand");
    const bool option = own.find('O') != own.npos || !letters;
    inner.odd_match |= option && (own.ends_with("extglob") || own.ends_with("nocasematch"));
    inner.odd_glob |= option && (own.ends_with("dotglob") || own.ends_with("nocaseglob"));
    inner.fails_glob |= option && own.ends_with("failglob");
    inner.inherits |= option && own.ends_with("inherit_errexit");
    if (option && own.ends_with("lastpipe"))
      cannot_follow("`lastpipe` runs the end of a pipeline in the shell itself", word.span);
    const bool odd = (letters && own.find('k') != own.npos) || own == "keyword" || own == "posix" ||
                     own == "--posix";
    if (odd && !posix_) cannot_follow(kOddMode, word.span);
  }
}

// ---- substitutions ----

Possible Walker::output_of(const shell::Part& part) {
  const bool process =
      part.kind == shell::PartKind::kProcessRead || part.kind == shell::PartKind::kProcessWrite;
  if (!steps(1)) return anything();
  if (part.refused || part.script == nullptr)
    add_unknown("the text of a substitution cannot be read", part.span);
  const Input outer_input = input_;
  const Input outer_output = std::exchange(output_, {});
  ShellState* const outer_state = state_;
  const bool outer_fetch = substituted_fetch_;
  // What is written to >(…) is what the command prints.
  const bool written = part.kind == shell::PartKind::kProcessWrite;
  if (process && !(written && input_.kind == Input::Kind::kFetched))
    input_ = {written ? Input::Kind::kSome : Input::Kind::kNone, {}};
  const std::size_t told = secrets_told_;
  Possible result = anything();
  bool read = false;
  if (part.script != nullptr) {
    ShellState inner = copy(*state_);
    inner.fragile = inner.fragile && (posix_ || inner.inherits || inner.forgotten) &&
                    !only_prints(*part.script, inner);
    const int outer_maybe = std::exchange(maybe_, 0);
    const std::size_t consumed = consumed_;
    timed_ = timed(*part.script);
    if (part.kind != shell::PartKind::kBackquote && misreads_elements(*part.script))
      cannot_follow("a backslash in an array inside a substitution", part.span);
    if (hides_document(*part.script))
      cannot_follow("a here-document inside a command inside a substitution", part.span);
    ++spawning_;
    // Where something fails in it, the command at hand runs all the same.
    const bool outer_failing = failing_;
    std::optional<ShellState>* const outer_abandoned = std::exchange(abandoned_, nullptr);
    walk(*part.script, inner);
    abandoned_ = outer_abandoned;
    failing_ = outer_failing;
    --spawning_;
    maybe_ = outer_maybe;
    read = consumed_ != consumed && !process;
    result = printed_by(*part.script, inner);
    if (prints_directory(*part.script) && inner.directories.size() == 1 &&
        inner.directories[0].starts_with('/') && inner.otherwise.empty())
      result = {.text = inner.directories[0]};
  }
  const Input printed_text = std::exchange(output_, outer_output);
  // It prints to where the command prints.
  if (part.kind == shell::PartKind::kProcessWrite) lose_output();
  substituted_fetch_ = outer_fetch || printed_text.kind == Input::Kind::kFetched;
  fetched_somewhere_ = fetched_somewhere_ || printed_text.kind == Input::Kind::kFetched;
  input_ = outer_input;
  if (read && (input_.kind == Input::Kind::kText || input_.kind == Input::Kind::kNames))
    input_ = {Input::Kind::kSome, {}};
  state_ = outer_state;
  if (process) return {.text = std::string(kSubstitutedFile)};
  if (printed_text.kind == Input::Kind::kText && !part.refused &&
      affords(printed_text.text.size())) {
    std::string text = printed_text.text;
    while (text.ends_with('\n')) text.pop_back();
    if (text.find('\0') == text.npos) return {.text = std::move(text), .computed = true};
  }
  result.secret = result.secret || secrets_told_ != told;
  return result;
}

}  // namespace tollgate
