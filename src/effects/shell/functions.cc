// Functions and traps: those that are called, and those that may be at the end.
#include <algorithm>
#include <utility>

#include "effects/shell/walker.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

// LIMIT: functions inside functions.
constexpr std::size_t kMaxCalls = 16;

}  // namespace

void Walker::call(const ShellFunction& function, std::span<const Word> argv, const Given& given,
                  ShellState& state) {
  const auto running = std::ranges::count(seldom_->calls, function.body);
  if (running > 0 && spawning_ > 0) {
    add_unknown("`" + function.name + "` starts itself over and over", argv[0].span, kForkBomb);
    return;
  }
  if (seldom_->called.contains(function.body) && !may_repeat()) {
    lose_output();
    return lose_everything(state);
  }
  seldom_.change().called.insert(function.body);
  spend();
  if (running > 1) {
    // The second round knew nothing of its parameters, and the third leaves nothing known.
    lose_output();
    return unsettle_all(state);
  }
  if (seldom_->calls.size() >= kMaxCalls) {
    add_unknown("functions call each other too deep", argv[0].span, kBeyondLimit);
    return;
  }
  const Shared<Value> outer = state.positional;
  const bool outer_known = state.positional_known;
  const Directories outer_listed = std::move(state.positional_listed);
  const int outer_spawning = std::exchange(spawning_, 0);
  const std::size_t outer_layers = seldom_->layers.size();
  for (const Local& local : state.locals)
    seldom_.change().layers.push_back({local.name, local.outer, Layer::Of::kFunction});
  const Shared<Local> locals = std::exchange(state.locals, {});
  for (const auto& [name, value] : given) {
    seldom_.change().layers.push_back({name, state.saved(name), Layer::Of::kCall});
    state.make_local(name);
    state.set(name, value);
  }
  state.make_local("FUNCNAME");
  state.restore("FUNCNAME", std::nullopt);
  state.set("FUNCNAME", known_value(function.name));
  state.entry("FUNCNAME").readonly = true;
  set_parameters(argv.subspan(1), state);
  state.positional_known = state.positional_known && running == 0;
  if (running > 0) state.positional_listed.clear();
  if (running > 0) unsettle_all(state);
  seldom_.change().calls.push_back(function.body);
  std::optional<ShellState> left;
  const std::size_t outer_base = std::exchange(left_base_, seldom_->left_states.size());
  seldom_.change().left_states.push_back(&left);
  std::optional<ShellState> abandoned;
  std::optional<ShellState>* const outer_abandoned = std::exchange(abandoned_, &abandoned);
  walk(function.body, state);
  abandoned_ = outer_abandoned;
  seldom_.change().left_states.pop_back();
  left_base_ = outer_base;
  if (left) state.join(*left);
  seldom_.change().calls.pop_back();
  seldom_.change().layers.resize(outer_layers);
  spawning_ = outer_spawning;
  const auto end = [&](ShellState& at) {
    if (!seldom_->tangled.empty())
      for (Local& local : at.locals.change())
        local.certain = local.certain && !seldom_->tangled.contains(local.name);
    at.end_locals();
    at.locals = locals;
    at.positional = outer;
    at.positional_known = outer_known;
    at.positional_listed = outer_listed;
  };
  end(state);
  if (!abandoned || abandoned_ == nullptr) return;
  end(*abandoned);
  abandon(*abandoned_, *abandoned);
}

void Walker::set_parameters(std::span<const Word> words, ShellState& state) {
  state.positional.clear();
  state.positional_known = std::ranges::none_of(words, &Word::several);
  state.positional_listed.clear();
  const auto told = [](const std::string& directory) { return directory.starts_with('/'); };
  // LIMIT: words that are listed although some are not known; they could grow without an end.
  constexpr std::size_t kMostListed = 64;
  if (!state.positional_known && words.size() <= kMostListed &&
      std::ranges::all_of(state.directories, told))
    state.positional_listed = state.directories;
  for (const Word& word : words) state.positional.change().push_back({possible_of(word)});
}

void Walker::unsettle_all(ShellState& state) {
  for (Variable& variable : state.own_variables()) {
    const bool secret = std::ranges::any_of(variable.value, &Possible::secret);
    variable.value = unknown_value();
    variable.value[0].secret = secret;
    variable.elements_known = false;
    variable.unset = false;
    variable.perhaps = true;
  }
}

// All directories that the text was in.
Directories Walker::everywhere() const {
  Directories all(first_.begin(), first_.end());
  add_directories(all, seldom_->visited);
  return all;
}

// Of what is set by then nothing is known.
ShellState Walker::state_at_end() const {
  ShellState state;
  state.forgotten = true;
  // Whoever sets it makes an Unknown of it.
  state.placed = !place_lost_;
  state.directories = everywhere();
  state.environment = environment_seen_;
  // Whoever sets that makes an Unknown of it.
  if (!home_.empty()) state.set("HOME", known_value(std::string(home_)));
  return state;
}

// What is run when the shell ends.
void Walker::run_traps() {
  at_end_ = true;
  ++depth_;  // it is not the text itself
  for (std::size_t i = 0; i < seldom_->traps.size() && steps_ > 0; ++i) {
    const Trap trap = seldom_->traps[i];
    ShellState state = state_at_end();
    if (seldom_->defined.size() <= kMaxNames)
      for (const ShellFunction& function : seldom_->defined)
        state.functions.change().push_back({function.name, function.body, false});
    const std::uint32_t outer = std::exchange(owner_, trap.owner);
    const Lent outer_lent = std::exchange(lent_, trap.lent);
    const bool outer_posix = std::exchange(posix_, trap.posix);
    state.posix = state.no_braces = trap.posix;
    note_other_shell(trap.text, trap.span);
    read(trap.text, state, trap.span);
    owner_ = outer;
    lent_ = outer_lent;
    posix_ = outer_posix;
  }
  --depth_;
}

void Walker::finish() {
  if (seldom_.is_made()) run_what_is_left();
  mark_fetched();
  mark_secrets();
  forget_made_paths();
}

void Walker::run_what_is_left() {
  run_traps();
  // Nobody may ever call them, but they are written here to be called.
  for (std::size_t i = 0; i < seldom_->defined.size() && steps_ > 0; ++i) {
    if (seldom_->called.contains(seldom_->defined[i].body)) continue;
    ShellState state = state_at_end();
    // Of more than that an Unknown was said, and each is read by itself.
    if (seldom_->defined.size() <= kMaxNames)
      for (const ShellFunction& function : seldom_->defined) state.define(function);
    const ShellFunction function = seldom_->defined[i];
    const Word name{.text = function.name, .span = {}};
    call(function, {&name, 1}, {}, state);
    state_ = nullptr;
  }
}

}  // namespace tollgate
