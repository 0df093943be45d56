// Goes through a shell text as bash would and writes down what it comes to.
// Every way through branches and loops is taken; what a way sets may hold behind it.
// SAFETY: whatever is not followed becomes an Unknown, and nothing that is written is skipped.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "core/effect.h"
#include "effects/programs/program.h"
#include "effects/shell/expander.h"
#include "effects/shell/settings.h"
#include "effects/shell/state.h"
#include "shell/read.h"
#include "shell/tree.h"

namespace tollgate {

// Behind the name of a variable whose elements are assigned; the word is an operand, then.
inline constexpr std::string_view kElements = "=(";

// Before the number of a descriptor that has a name.
inline constexpr std::string_view kDescriptors = "/dev/fd/";

// What an assignment before a command does, and which words are assignments, is then another thing.
inline constexpr const char* kOddMode = "an option changes how the shell reads commands";

// LIMIT: variables, and functions, that are told apart at one time.
inline constexpr std::size_t kMaxNames = 128;

// Runs, by the index of their effect.
class RunSet {
 public:
  bool has(std::uint32_t run) const {
    if (run < kFirst) return (first_ >> run & 1) != 0;
    return run < marks_.size() && marks_[run];
  }
  // False when it was there.
  bool add(std::uint32_t run) {
    if (has(run)) return false;
    if (run < kFirst) return first_ |= std::uint64_t{1} << run;
    if (run >= marks_.size()) marks_.resize(run + 1);
    return marks_[run] = true;
  }

 private:
  static constexpr std::uint32_t kFirst = 64;
  std::uint64_t first_ = 0;  // of those with a lower index; most texts have no others
  std::vector<bool> marks_;
};

// What comes in, to be put back behind a command. Mostly that is nothing.
class KeptInput {
 public:
  explicit KeptInput(const Input& input) {
    if (input.kind != Input::Kind::kNone) input_ = input;
  }
  void put_back(Input& to) const {
    if (input_)
      to = *input_;
    else if (to.kind != Input::Kind::kNone)
      to = {};
  }

 private:
  std::optional<Input> input_;
};

// A value that is only made once it is changed, and is an empty one until then.
template <class T>
class Rare {
 public:
  const T& operator*() const {
    static const T kNone;
    return value_ == nullptr ? kNone : *value_;
  }
  const T* operator->() const { return &**this; }
  T& change() {
    if (value_ == nullptr) value_ = std::make_unique<T>();
    return *value_;
  }
  bool is_made() const { return value_ != nullptr; }

 private:
  std::unique_ptr<T> value_;
};

class Walker : public Runner, public InnerReader {
 public:
  // `first` is where the text as a whole begins; it outlives the walker.
  Walker(std::string_view home, std::span<const std::string> first, std::size_t text_size,
         Effects& out);

  // Reads a text in this state. `pinned` is the place of all of it, when it is not the call's own.
  void read(std::string_view text, ShellState& state, Span pinned,
            const shell::ReadOptions& options = {});
  // One command that no shell reads.
  void run_words(std::span<const Word> argv, ShellState& state);
  // Call once at the end: functions that nobody called, and paths that the text itself makes.
  void finish();

  Possible output_of(const shell::Part& part) override;
  // Cold: what is plain shall not have to load the code for what is not.
  [[gnu::cold]] void cannot_follow(std::string why, Span span) override;
  [[gnu::cold]] void runs_text(std::string why, std::string_view text, Span span) override;
  void may_end() override { lose_output(); }
  void may_fail() override;
  bool affords(std::size_t bytes) override;
  void assigns(std::string_view name, Value value, Span span) override;
  void command(std::span<const Word> words, const Surroundings& around, Lent lent) override;
  void shell(const Word& text, const Surroundings& around, Lent lent,
             std::span<const Word> parameters) override;
  void assignment(const Word& word, const Surroundings& around) override;

 private:
  using Fields = Expander::Fields;
  struct Handler {
    std::string_view name;
    bool (Walker::*run)(std::span<const Word>, ShellState&, std::uint32_t);
  };
  static const Handler* handler_of(std::string_view name);

  // ---- structure ----
  void walk(const shell::Script& script, ShellState& state);
  void walk(const shell::Statement& statement, ShellState& state);
  void walk(const shell::Command& command, ShellState& state);
  void walk(const shell::Script* script, ShellState& state);
  void walk(const shell::Command* command, ShellState& state);
  void pipeline(const shell::Pipeline& line, ShellState& state);
  void and_or(const shell::AndOr& list, ShellState& state);
  void branches(const shell::If& command, ShellState& state);
  void loop(const shell::Loop& command, ShellState& state);
  void for_each(const shell::For& command, ShellState& state);
  void count(const shell::ArithmeticFor& command, ShellState& state);
  void cases(const shell::Case& command, ShellState& state);
  void condition(const shell::Condition& node, ShellState& state);
  void in_subshell(const ShellState& state, const std::function<void(ShellState&)>& work);
  void perhaps(const std::function<void()>& work);
  static void set_parameters(std::span<const Word> words, ShellState& state);
  static void unsettle_all(ShellState& state);
  // Before a body that may run any number of times: what it sets is not known in it.
  void unsettle(const Settings& settings, ShellState& state);
  void first_round(const Settings& settings, const ShellState& before,
                   const std::function<void(ShellState&)>& round);
  using Given = std::vector<std::pair<std::string, Value>>;  // variables for one command
  void call(const ShellFunction& function, std::span<const Word> argv, const Given& given,
            ShellState& state);

  // ---- simple commands ----
  void simple(const shell::SimpleCommand& command, ShellState& state);
  Fields plain_words(const shell::SimpleCommand& command, ShellState& state);
  static std::optional<std::vector<Value>> values_of(const std::vector<Fields>& ways);
  std::vector<Fields> words_of(const shell::SimpleCommand& command, Fields begun,
                               ShellState& state);
  std::vector<Fields> declared_word(const shell::Assignment& assignment, Span span,
                                    ShellState& state);
  void assign(const shell::Assignment& assignment, ShellState& state);
  bool set_element(std::string_view name, std::int64_t place, const Value& value,
                   ShellState& state);
  bool set_for_command(const shell::SimpleCommand& command, ShellState& state, std::uint32_t owner,
                       Given& given);
  static bool keeps_given(std::string_view builtin);
  bool is_given(std::string_view name) const;
  bool is_layered(std::string_view name) const;
  void tangle(std::string_view name, ShellState& state);
  bool run_builtin(const Handler& handler, std::span<const Word> argv, const Given& given,
                   ShellState& state, std::uint32_t index);
  void place_program(Word& word, const ShellState& state) const;
  // `own` holds the words, where they may be taken.
  void run(const shell::SimpleCommand* command, std::span<const Word> argv, ShellState& state,
           Fields* own = nullptr);
  void run_program(std::span<const Word> argv, ShellState& state, std::uint32_t index, bool swayed);
  void redirect(const shell::List<shell::Redirection>& list, ShellState& state,
                std::uint32_t owner);
  void redirect_file(const shell::Redirection& one, const Word& target, const ShellState& state,
                     std::uint32_t owner);
  void note_output(std::span<const Word> argv, bool fetched);
  // `text` is what it prints, where that is known.
  void note_output(std::span<const Word> argv, std::optional<std::string> text, bool fetched,
                   std::span<const Word> names);
  static bool is_fixed(std::string_view name, const ShellState& state);
  bool is_fixed(std::string_view name) const override {
    return state_ == nullptr || is_fixed(name, *state_);
  }
  enum class Change : std::uint8_t { kSet, kUnset };
  void set_variable(std::string_view name, Value value, Span span, ShellState& state,
                    Change change = Change::kSet);
  // Says that it changes what is loaded or run, or loosens an agent program.
  [[gnu::cold]] void add_sway(std::string_view name, Span span, Change change = Change::kSet);
  void evaluate_all(const Value& values, Span span, ShellState& state);
  void read_alias(std::span<const Word> argv, ShellState& state);

  // ---- builtins: true when the run is listed ----
  bool change_directory(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool anywhere(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool declare(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  struct Declaration;
  bool declare_names(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  void declare_name(const Declaration& how, const Word& word, ShellState& state);
  void declare_elements(const Declaration& how, std::string_view name, Span span,
                        ShellState& state);
  void take_apart(std::string_view name, const Word& word, bool odd, ShellState& state);
  bool unset(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool set_options(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool shell_options(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool evaluate_text(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool source(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool trap(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool execute(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool run_plainly(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool read_input(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool let(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool shift(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool alias(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool print(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool leave(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  bool repeat(std::span<const Word> argv, ShellState& state, std::uint32_t index);
  void set_read(const Word& word, ShellState& state);
  bool test(std::span<const Word> argv, ShellState& state, std::uint32_t index);

  Expander expander(ShellState& state) {
    state_ = &state;
    return {state, *this, home_, pinned_};
  }
  Surroundings around(const ShellState& state, std::uint32_t owner) const {
    return {state.directories, home_, owner, &input_};
  }
  // Whether the shell is where the text as a whole began.
  bool is_at_start(const ShellState& state) const {
    return state.directories.begin() == first_.data() ||
           std::ranges::equal(state.directories, first_);
  }
  Span place(Span span) const { return pinned_.empty() ? span : pinned_; }
  bool in_function() const;
  void note_other_shell(std::string_view text, Span span);
  void unread_shell(std::string why, Span span);
  [[gnu::cold]] void lose_names(Span span, ShellState& state);
  void mark_fetched();
  bool fetches_anything() const;
  void mark_fetched_file(std::size_t index, const std::unordered_set<std::string>& files);
  void mark_secrets();
  void tell_secrets(std::uint32_t run) {
    secretive_.add(run);
    ++secrets_told_;
  }
  void note_unread(std::span<const Word> argv, std::uint32_t index);
  void note_given(std::span<const Word> argv, std::uint32_t index);
  bool unpacks(const Effect& effect) const;
  void forget_made_paths();
  static void abandon(std::optional<ShellState>& at, const ShellState& state);
  void lose_output();
  void note_place(const ShellState& state);
  void begin_with(std::span<const Word> argv, std::string_view text, ShellState& inner);
  Directories everywhere() const;
  ShellState state_at_end() const;
  void run_traps();
  void run_what_is_left();
  [[gnu::cold]] void add_unknown(std::string why, Span span, std::string_view what = {},
                                 std::uint32_t owner = kNoOwner);
  void spend();
  bool may_repeat();
  // Takes so many steps; false when there are none left, and nothing more is followed.
  bool steps(std::size_t count);
  // What the command at hand cost: effects and copies.
  void settle(ShellState& state);
  static ShellState copy(const ShellState& state);
  [[gnu::cold]] void lose_everything(ShellState& state);
  [[gnu::cold]] void nothing_stays(std::string why, Span span, ShellState& state);

  std::string_view home_;
  Effects& out_;
  // What most texts have no use for.
  struct Seldom;
  Rare<Seldom> seldom_;
  std::optional<shell::Tree> tree_;  // of the text itself
  std::size_t left_;                 // LIMIT: commands that may still be followed more than once
  std::size_t work_;     // LIMIT: bytes that may still be copied; behind that no value is known
  std::size_t steps_;    // LIMIT: words, commands and effects that may still be followed at all
  std::size_t settled_;  // effects that are counted
  bool told_limit_ = false;
  bool told_end_ = false;
  bool nothing_stays_ = false;  // what is set may be another thing by the next command
  bool exports_all_ = false;    // set -a: programs get every function
  bool interrupted_ = false;    // a trap may run in the midst of things
  bool at_end_ = false;         // the text is through, and traps run
  Span pinned_;
  int depth_ = 0;                          // texts inside texts
  int spawning_ = 0;                       // inside a pipeline or in the background
  ShellState* state_ = nullptr;            // of the command at hand
  std::size_t calls_base_ = 0;             // where the functions that this shell runs begin
  std::uint32_t owner_ = kNoOwner;         // the run inside which commands run now
  Input input_;                            // of the command at hand
  Input output_;                           // what the stage at hand prints
  std::span<const std::string> first_;     // where the text as a whole begins
  bool fetched_somewhere_ = false;         // something that came from a host was kept
  RunSet fed_;                             // runs with input or words that are not known
  RunSet secretive_;                       // runs that are given a secret, or print one
  std::size_t secrets_told_ = 0;           // how often a secret was printed, or may be
  bool goes_to_top_ = false;               // the command at hand is cd to the top of the repository
  bool declares_map_ = false;              // the builtin at hand has -A
  Lent lent_ = Lent::kNo;                  // what is read now runs elsewhere
  const shell::Command* timed_ = nullptr;  // it begins a substitution with `time`
  bool posix_ = false;                     // what is read now is for a shell that may not be bash
  bool failing_ = false;                   // an expansion of the command at hand may fail
  // How things may be where the line at hand is left; null where the shell ends then.
  std::optional<ShellState>* abandoned_ = nullptr;
  bool plainly_ = false;           // the command at hand is no function
  int maybe_ = 0;                  // inside what may not happen
  int evaluating_ = 0;             // values of integer variables inside one another
  std::size_t consumed_ = 0;       // commands that may have read the input
  bool place_lost_ = false;        // somewhere $PWD was not known
  bool environment_seen_ = false;  // somewhere a variable was set that programs may heed
  std::uint32_t heeded_ = 0;       // how often such a variable was set
  std::size_t left_base_ = 0;      // where the left_states of the function at hand begin
  // A variable that is not seen while another of its name is: that of a function around the one
  // that runs, or one that is given for a call or a builtin.
  struct Layer {
    enum class Of { kFunction, kCall, kBuiltin };
    std::string name;
    std::optional<Variable> behind;
    Of of = Of::kFunction;
  };
  struct Trap {
    std::string text;
    Span span;
    std::uint32_t owner;
    Lent lent;
    bool posix;
  };
  bool swayed_ = false;             // `env` set a variable for the command behind it
  bool substituted_fetch_ = false;  // a fetcher ran inside the command's words
};

struct Walker::Seldom {
  std::list<shell::Tree> inner_trees;        // of the texts inside the text
  std::vector<const shell::Command*> calls;  // bodies of functions that are being run
  std::set<const shell::Command*> called;    // … that were
  std::vector<ShellFunction> defined;
  Directories visited;                // wherever the text went from where it begins
  std::vector<std::uint32_t> unread;  // Unknowns of text that comes from anywhere
  std::optional<Effect> host;         // that a descriptor of this shell leads to
  // Of the loops and functions that run: how things may be where they are left early.
  std::vector<std::optional<ShellState>*> left_states;
  std::vector<Layer> layers;
  std::set<std::string> tangled;  // names of which any layer may have been changed
  std::vector<Trap> traps;
};

inline bool Walker::in_function() const { return seldom_->calls.size() > calls_base_; }

}  // namespace tollgate
