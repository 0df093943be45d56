// Shell text to effects: what each simple command runs, and what known programs do to their paths.
// Inner shells (`sh -c`, `eval`) are read the same way; the spans stay those of the outer text.
// SAFETY: what the reader refused, and builtins that change how the rest is read, are Unknown.
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "effects/commands/program.h"
#include "effects/commands/unlisted.h"
#include "effects/directories.h"
#include "effects/paths.h"
#include "effects/subject.h"
#include "effects/url.h"

namespace tollgate {
namespace {

// LIMIT: shells inside shells; nobody writes more by hand.
constexpr int kMaxNesting = 8;

enum class Builtin {
  kNone,
  kChanges,    // changes how the shell reads or finds what follows
  kEvaluates,  // evaluates subscripts and so runs what they hold
  kRuns,       // runs words or text that this reader does not follow
};

struct BuiltinRow {
  std::string_view name;
  Builtin does;
};

constexpr BuiltinRow kBuiltins[] = {
    {"alias", Builtin::kChanges},     {"unalias", Builtin::kChanges},
    {"shopt", Builtin::kChanges},     {"set", Builtin::kChanges},
    {"enable", Builtin::kChanges},    {"hash", Builtin::kChanges},
    {"pushd", Builtin::kChanges},     {"popd", Builtin::kChanges},
    {"unset", Builtin::kEvaluates},   {"export", Builtin::kEvaluates},
    {"declare", Builtin::kEvaluates}, {"typeset", Builtin::kEvaluates},
    {"local", Builtin::kEvaluates},   {"readonly", Builtin::kEvaluates},
    {"read", Builtin::kEvaluates},    {"getopts", Builtin::kEvaluates},
    {"let", Builtin::kEvaluates},     {"test", Builtin::kEvaluates},
    {"printf", Builtin::kEvaluates},  {"wait", Builtin::kEvaluates},
    {"mapfile", Builtin::kRuns},      {"readarray", Builtin::kRuns},
    {"source", Builtin::kRuns},       {".", Builtin::kRuns},
    {"trap", Builtin::kRuns},         {"exec", Builtin::kRuns},
    {"command", Builtin::kRuns},      {"builtin", Builtin::kRuns},
    {"bind", Builtin::kRuns},         {"complete", Builtin::kRuns},
    {"compgen", Builtin::kRuns},      {"fc", Builtin::kRuns},
};

Builtin builtin_of(std::string_view name) {
  const auto* row = std::ranges::find(kBuiltins, name, &BuiltinRow::name);
  return row == std::end(kBuiltins) ? Builtin::kNone : row->does;
}

constexpr std::array<std::string_view, 5> kShells = {"sh", "bash", "dash", "zsh", "ksh"};

// Text that a shell would evaluate if it stood in a subscript.
bool holds_code(const ShellWord& word) {
  return word.text.find('[') != std::string::npos &&
         word.text.find_first_of("$`") != std::string::npos;
}

// The words as the program gets them; a home that is not known leaves the word unknown.
Word word_of(const ShellWord& word, std::string_view home) {
  if (!word.tilde) return {word.text, word.span, word.known};
  if (home.empty()) return {"", word.span, false};
  return {std::string(home) + word.text.substr(1), word.span, word.known};
}

std::vector<Word> argv_of(std::span<const ShellWord> words, std::string_view home) {
  std::vector<Word> argv;
  for (const ShellWord& word : words) argv.push_back(word_of(word, home));
  return argv;
}

class ShellEffects {
 public:
  ShellEffects(std::string_view home, Effects& out) : home_(home), out_(out) {}

  // `pinned`: the outer command that holds this text; its span stands for every place inside.
  // `more_follows`: the same shell goes on after this text.
  struct Inside {
    int depth = 0;
    Span pinned;
    bool more_follows = false;
  };

  void read(std::string_view text, Directories& directories, const Inside& inside) {
    const Span pinned = inside.pinned;
    const Input outside = std::exchange(input_, Input::kNone);
    ShellReading reading = read_shell(text);
    if (!pinned.empty()) pin(reading, pinned);
    if (reading.commands.empty() && reading.unknowns.empty())
      out_.push_back(unknown("there is no command", pinned));
    for (std::size_t i = 0; i < reading.commands.size(); ++i)
      add(reading.commands[i], directories, inside.depth,
          inside.more_follows || i + 1 < reading.commands.size() || !reading.unknowns.empty());
    for (ShellUnknown& found : reading.unknowns)
      out_.push_back(unknown(std::move(found.why), found.span));
    input_ = outside;
  }

  void run(const SimpleCommand& command, Directories& directories) {
    add(command, directories, 0, false);
  }

 private:
  static void pin(ShellReading& reading, Span span) {
    for (SimpleCommand& command : reading.commands) {
      command.span = span;
      for (ShellWord& word : command.words) word.span = span;
    }
    for (ShellUnknown& found : reading.unknowns) found.span = span;
  }

  void add(const SimpleCommand& command, Directories& directories, int depth, bool more_follows) {
    const Directories::List here = directories.enter(command);
    const auto index = static_cast<std::uint32_t>(out_.size());
    Effect run;
    run.kind = EffectKind::kRun;
    run.span = command.span;
    run.argv = argv_of(command.words, home_);
    out_.push_back(std::move(run));

    if (command.joint != Joint::kPipe) input_ = Input::kNone;
    Directories::List moved = here;
    const Inside inside{depth, command.span, more_follows};
    const bool listed = add_known(command, here, moved, index, inside);
    out_[index].listed =
        listed && command.complete && std::ranges::all_of(out_[index].argv, &Word::known);
    if (command.piped && input_ != Input::kFetched)
      input_ = is_fetcher(command.words[0].text) ? Input::kFetched : Input::kPiped;
    directories.leave(command, std::move(moved));
    add_builtin(command, directories, more_follows);
  }

  // What is known of the command's program. True when that is all it does.
  bool add_known(const SimpleCommand& command, const Directories::List& here,
                 Directories::List& moved, std::uint32_t index, Inside inside) {
    const ShellWord& program = command.words[0];
    if (!program.known) return false;
    if (program.tilde) {
      add_unlisted(command, {here, home_, index}, inside);
      return false;
    }
    if (program.text == "cd") return change_directory(command, moved);
    if (program.text == "eval") return add_inner(joined(command), here, inside);
    inside.more_follows = false;  // another shell ends with its text
    if (is_inner_shell(command)) return add_inner(command.words[2].text, here, inside);
    const ProgramRow* row = program_row(program.text);
    const Surroundings around{here, home_, index};
    if (row == nullptr) {
      add_unlisted(command, around, inside);
      return false;
    }
    const ProgramArguments arguments = parse_arguments(*row, command.words);
    const bool listed = add_operand_effects(*row, arguments, around, out_) && arguments.listed;
    // The gate's own verbs are told apart by the gate itself.
    if (!listed && row->operands != Operands::kOwn) add_guesses(command.words, around, out_);
    return listed;
  }

  // A program without a row: what may be among its words.
  void add_unlisted(const SimpleCommand& command, const Surroundings& around, Inside inside) {
    add_urls(command, around.owner);
    add_reached(command.words, around.owner, out_);
    add_find_deletes(command.words, around, out_);
    add_guesses(command.words, around, out_);
    std::optional<UnreadCode> code = unread_code(command.words, input_);
    if (!code) return;
    Effect effect = unknown(std::move(code->why), command.span);
    effect.by = EffectBy::kOperand;
    effect.owner = around.owner;
    effect.target = code->what;
    effect.text = std::move(code->flag);
    out_.push_back(std::move(effect));
    const Directories::List here(around.directories.begin(), around.directories.end());
    for (const std::string& text : code->shell_texts) add_inner(text, here, inside);
  }

  // A program without a row may reach every URL it is given.
  void add_urls(const SimpleCommand& command, std::uint32_t index) {
    for (const ShellWord& word : std::span(command.words).subspan(1)) {
      std::string_view text = word.text;
      if (text.starts_with('-') && text.find('=') != text.npos)
        text.remove_prefix(text.find('=') + 1);
      const std::size_t scheme = text.find("://");
      const bool plain = scheme != text.npos && scheme > 0 &&
                         std::ranges::all_of(text.substr(0, scheme), [](char c) {
                           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+';
                         });
      if (!plain) continue;
      Effect reach;
      reach.kind = EffectKind::kReach;
      reach.by = EffectBy::kOperand;
      reach.owner = index;
      reach.span = word.span;
      reach.url = text;
      reach.host = host_of_url(text);
      // Git's own transports are read with its other words.
      if (reach.host.empty() && command.words[0].text == "git" && lower(text).starts_with("ssh:"))
        continue;
      if (std::ranges::find(out_, reach) == out_.end()) out_.push_back(std::move(reach));
    }
  }

  // `sh -c text` and no more words: what they mean depends on the text.
  static bool is_inner_shell(const SimpleCommand& command) {
    return command.words.size() == 3 && command.words[1].text == "-c" && command.complete &&
           std::ranges::find(kShells, program_name(command.words[0].text)) != kShells.end();
  }

  // What eval reads: its words with a blank between them.
  static std::string joined(const SimpleCommand& command) {
    std::string text;
    for (const ShellWord& word : std::span(command.words).subspan(1)) text += word.text + " ";
    return text;
  }

  bool add_inner(const std::string& text, const Directories::List& here, Inside inside) {
    if (inside.depth >= kMaxNesting) {
      out_.push_back(unknown("shells nested too deep", inside.pinned));
      return false;
    }
    ++inside.depth;
    Directories directories(here);
    read(text, directories, inside);
    return true;
  }

  // True when it is plain where the shell goes; otherwise it can be anywhere after.
  bool change_directory(const SimpleCommand& command, Directories::List& moved) const {
    bool physical = false;
    std::size_t at = 1;
    const auto& words = command.words;
    for (; at < words.size() && words[at].text.starts_with('-'); ++at) {
      if (words[at].text == "--") {
        ++at;
        break;
      }
      if (words[at].text != "-L" && words[at].text != "-P") return anywhere(moved);
      physical = words[at].text == "-P";
    }
    if (!command.complete || at + 1 < words.size()) return anywhere(moved);
    const ShellWord home_word{.text = "~", .span = {}, .known = true, .tilde = true};
    const ShellWord& word = at < words.size() ? words[at] : home_word;
    const Tilde tilde = word.tilde ? Tilde::kHome : Tilde::kLiteral;
    Directories::List next;
    for (const std::string& directory : moved) {
      const auto located = locate(word.text, {directory, home_, tilde});
      if (!located) return anywhere(moved);
      const std::string& spelled = located->spelled.empty() ? located->path : located->spelled;
      // Without -P the shell cleans the path first, and takes it as it stands if that fails.
      if (!physical) next.push_back(located->path);
      if (physical || word.text.find("/..") != std::string::npos) next.push_back(spelled);
    }
    moved = std::move(next);
    return true;
  }

  static bool anywhere(Directories::List& moved) {
    moved = {""};
    return false;
  }

  void add_builtin(const SimpleCommand& command, Directories& directories, bool more_follows) {
    const std::string& name = command.words[0].text;
    if (name == "eval") directories.forget();
    const Builtin does = builtin_of(name);
    if (does == Builtin::kNone) return;
    const bool code = std::ranges::any_of(command.words, holds_code);
    const bool quiet = name == "printf" || name == "test" || name == "wait";
    const bool runs = does == Builtin::kRuns || (does == Builtin::kEvaluates && code);
    if (runs)
      out_.push_back(unknown("`" + name + "` runs what this reader does not follow", command.span));
    if (!runs && !quiet && more_follows)
      out_.push_back(unknown("`" + name + "` changes how the shell reads the rest", command.span));
    if (!quiet) directories.forget();
  }

  std::string_view home_;
  Effects& out_;
  Input input_ = Input::kNone;  // what comes into the command at hand
};

}  // namespace

void read_shell_text(const ShellText& shell, Effects& out) {
  if (shell.text.size() > kMaxCommandBytes)
    out.push_back(unknown("longer than " + std::to_string(kMaxCommandBytes) + " characters",
                          whole(shell.text)));
  Directories directories(shell.directories);
  ShellEffects(shell.home, out).read(shell.text, directories, {});
}

void read_argv(std::span<const std::string> argv, const ShellText& shell, Effects& out) {
  SimpleCommand command;
  for (const std::string& word : argv) command.words.push_back({.text = word, .span = {}});
  Directories directories(shell.directories);
  // Without a shell in between no word is a builtin's; a program of that name is another thing.
  ShellEffects(shell.home, out).run(command, directories);
}

}  // namespace tollgate
