// What a command prints, from its words alone.
// Only what a program always prints in the same way is in the tables.
#include "effects/shell/printed.h"

#include <algorithm>
#include <iterator>

#include "base/name_set.h"
#include "base/path.h"
#include "effects/shell/environment.h"

namespace tollgate {
namespace {

// The simple command that is all of the script; nullptr where there is more or something else.
const shell::SimpleCommand* only_command(const shell::Script& script) {
  if (script.statements.size() != 1 || script.statements[0].command == nullptr ||
      script.statements[0].command->kind != shell::CommandKind::kSimple)
    return nullptr;
  return static_cast<const shell::SimpleCommand*>(script.statements[0].command);
}

// Commands that print a credential which the program keeps.
struct Teller {
  std::string_view program;
  std::string_view words;  // with which the rest begins
};
constexpr Teller kTells[] = {
    {"aws", "configure get"},
    {"aws", "configure export"},
    {"aws", "ecr get-login"},
    {"aws", "sts "},
    {"aws", "secretsmanager"},
    {"aws", "ssm get-parameter"},
    {"az", "account get-access-token"},
    {"bw", ""},
    {"doppler", ""},
    {"gcloud", "auth print-"},
    {"gcloud", "secrets"},
    {"gh", "auth token"},
    {"git", "credential"},
    {"glab", "auth token"},
    {"gopass", ""},
    {"heroku", "auth:token"},
    {"keyring", "get"},
    {"kubectl", "get secret"},
    {"kubectl", "config view"},
    {"npm", "token"},
    {"oc", "whoami -t"},
    {"op", "read"},
    {"op", "item"},
    {"pass", ""},
    {"secret-tool", ""},
    {"security", "find-"},
    {"vault", ""},
};
static_assert(std::ranges::is_sorted(kTells, {}, &Teller::program));
// The one that everybody runs.
constexpr std::string_view kGitTells = std::ranges::find(kTells, "git", &Teller::program)->words;
static_assert(std::ranges::count(kTells, "git", &Teller::program) == 1);
constexpr NameSet kTellers = [] {
  std::string_view names[std::size(kTells)];
  std::ranges::transform(kTells, names, &Teller::program);
  return joined(NameSet(names), NameSet({"printenv"}));
}();

// Whether the words, with a blank behind each, begin so.
bool have_beginning(std::span<const Word> words, std::string_view beginning) {
  for (const Word& word : words) {
    const std::string_view text = word.text;
    if (beginning.size() <= text.size()) return text.starts_with(beginning);
    if (!beginning.starts_with(text) || beginning[text.size()] != ' ') return false;
    beginning.remove_prefix(text.size() + 1);
    if (beginning.empty()) return true;
  }
  return beginning.empty();
}

// What is known of the output of programs that always print the same kind of thing.
struct Prints {
  enum class Further : std::uint8_t { kNone, kWords, kName, kFormat };
  std::string_view words;  // the beginning of the command
  bool number = false;     // a number; otherwise one name or path that never begins with a dash
  Further further = Further::kNone;
  bool file = false;  // it may be the path of a file
};
constexpr Prints kPrints[] = {
    {.words = "nproc", .number = true},
    {.words = "wc -l", .number = true},
    {.words = "wc -c", .number = true},
    {.words = "wc -w", .number = true},
    {.words = "date +%s", .number = true},
    {.words = "id -u", .number = true},
    {.words = "id -g", .number = true},
    {.words = "tput cols", .number = true},
    {.words = "getconf _NPROCESSORS_ONLN", .number = true},
    {.words = "git rev-list --count", .number = true, .further = Prints::Further::kWords},
    {.words = "pwd", .file = true},
    {.words = "mktemp", .further = Prints::Further::kWords, .file = true},
    {.words = "whoami"},
    {.words = "hostname"},
    {.words = "uname", .further = Prints::Further::kWords},
    {.words = "git rev-parse --show-toplevel", .file = true},
    {.words = "git rev-parse HEAD"},
    {.words = "git rev-parse --short HEAD"},
    {.words = "git rev-parse --abbrev-ref HEAD"},
    {.words = "git branch --show-current"},
    {.words = "git merge-base", .further = Prints::Further::kWords},
    {.words = "realpath", .further = Prints::Further::kWords, .file = true},
    {.words = "readlink -f", .further = Prints::Further::kWords, .file = true},
    {.words = "which", .further = Prints::Further::kName},
    {.words = "command -v", .further = Prints::Further::kName},
    {.words = "git describe", .further = Prints::Further::kWords},
    {.words = "git log -1 --format=%H"},
    {.words = "git log -1 --format=%h"},
    {.words = "git log -1 --pretty=%H"},
    {.words = "git log -1 --pretty=format:%h"},
    {.words = "basename", .further = Prints::Further::kWords, .file = true},
    {.words = "date", .further = Prints::Further::kFormat},
    {.words = "go env GOOS"},
    {.words = "go env GOARCH"},
    {.words = "go env GOVERSION"},
    {.words = "go env GOROOT", .file = true},
};

// A word without expansions.
std::optional<std::string> plain_text(const shell::List<shell::Part>& parts) {
  std::string text;
  for (const shell::Part& part : parts) {
    if (part.kind == shell::PartKind::kDouble) {
      const auto inner = plain_text(part.parts);
      if (!inner) return std::nullopt;
      text += *inner;
    } else if (part.kind == shell::PartKind::kLiteral || part.kind == shell::PartKind::kSingle ||
               part.kind == shell::PartKind::kEscaped) {
      text += part.text;
    } else {
      return std::nullopt;
    }
  }
  return text;
}

// A word that is always one, whatever is in it.
bool is_one_word(const shell::Word& word) {
  if (word.parts.count != 1 || word.parts[0].kind != shell::PartKind::kDouble) return false;
  return std::ranges::none_of(word.parts[0].parts, [](const shell::Part& part) {
    const shell::Parameter* const parameter = part.parameter;
    return parameter != nullptr &&
           (parameter->name == "@" || parameter->subscripted || parameter->indirect);
  });
}

bool is_plain_name(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-' || c == '+';
  };
  return !text.empty() && text[0] != '-' && text[0] != '.' && std::ranges::all_of(text, fits);
}

// `+%Y-%m-%d` and its like, which print digits and letters.
bool is_date_format(std::string_view text) {
  if (!text.starts_with("+%")) return false;
  for (std::size_t i = 1; i < text.size(); ++i) {
    const bool directive = text[i] == '%';
    if (directive) ++i;
    const std::string_view known = directive ? "YmdHMSsFTjuVGyIaAbB" : "-_:.T";
    if (i >= text.size() || known.find(text[i]) == known.npos) return false;
  }
  return true;
}

// Whether the words behind the beginning leave it at what the row says.
bool further_words_fit(const Prints& row, std::span<const shell::Word> words) {
  if (row.further == Prints::Further::kNone) return words.empty();
  if (row.further != Prints::Further::kWords) {
    const auto text = words.size() == 1 ? plain_text(words[0].parts) : std::nullopt;
    if (!text) return false;
    return row.further == Prints::Further::kName ? is_plain_name(*text) : is_date_format(*text);
  }
  // Options that add a text of the call's choice are not among these.
  constexpr std::string_view kPlain[] = {"--tags",  "--always", "--long",     "--exact-match",
                                         "--dirty", "--all",    "--abbrev=0", "--no-merges"};
  int open = 0;
  for (const shell::Word& word : words) {
    const auto text = plain_text(word.parts);
    if (!text && (!is_one_word(word) || ++open > 1 || row.words == "git describe")) return false;
    if (!text || !text->starts_with('-') || text->size() == 2) continue;
    // Without `--rel…` and `--` a path that is printed is absolute.
    if (row.file ? text->starts_with("--rel")
                 : std::ranges::find(kPlain, *text) == std::end(kPlain))
      return false;
  }
  return std::ranges::none_of(
      words, [](const shell::Word& word) { return plain_text(word.parts) == "--"; });
}

}  // namespace

bool is_printer(std::string_view program) {
  static constexpr NameSet kPrinters({"printf", ":", "true", "false", "echo", "dirname"});
  return kPrinters.has(program);
}

std::optional<std::string> printed(std::span<const Word> argv, bool posix) {
  if (!is_printer(argv[0].text)) return std::nullopt;
  if (!std::ranges::all_of(argv, &Word::known)) return std::nullopt;
  std::size_t from = 1;
  std::string text;
  if (argv[0].text == "printf") {
    if (argv.size() < 2 || argv[1].text.starts_with('-')) return std::nullopt;
    const std::string_view format = argv[1].text;
    if (format == "%s" || format == "%s\\n") {
      if (argv.size() == 2 && format != "%s") text = "\n";
      for (const Word& word : argv.subspan(2)) text += word.text + (format == "%s" ? "" : "\n");
      return text;
    }
    if (format.find('%') != format.npos || argv.size() != 2) return std::nullopt;
    // Of the signs behind a backslash only the end of a line and the tab are read.
    for (std::size_t i = 0; i < format.size(); ++i) {
      if (format[i] != '\\') {
        text += format[i];
        continue;
      }
      ++i;
      if (i >= format.size() || (format[i] != 'n' && format[i] != 't')) return std::nullopt;
      text += format[i] == 'n' ? '\n' : '\t';
    }
    return text;
  }
  if (argv[0].text == ":" || argv[0].text == "true" || argv[0].text == "false") return text;
  if (argv[0].text == "dirname") {
    if (argv.size() != 2) return std::nullopt;
    const std::string_view path = argv[1].text;
    if (path.empty() || path.starts_with('-') || path.ends_with('/') ||
        path.find("//") != path.npos || path.find('\n') != path.npos)
      return std::nullopt;
    const std::size_t slash = path.rfind('/');
    return std::string(slash == path.npos ? "." : slash == 0 ? "/" : path.substr(0, slash)) + "\n";
  }
  if (argv[0].text != "echo") return std::nullopt;
  bool newline = true, escapes = false;
  for (; from < argv.size(); ++from) {
    const std::string_view option = argv[from].text;
    if (option.size() < 2 || option[0] != '-' || option.find_first_not_of("neE", 1) != option.npos)
      break;
    // Other shells have one option at most.
    if (posix && (from > 1 || option != "-n")) return std::nullopt;
    newline = newline && option.find('n') == option.npos;
    escapes = escapes || option.find('e') != option.npos;
  }
  for (std::size_t i = from; i < argv.size(); ++i) {
    if (i > from) text += ' ';
    text += argv[i].text;
  }
  if (escapes && text.find('\\') != text.npos) return std::nullopt;
  return text + (newline ? "\n" : "");
}

bool tells_secrets(std::span<const Word> argv) {
  const std::string_view program = base_name(argv[0].text);
  if (!kTellers.has(program)) return false;
  if (program == "printenv") {
    const bool names = argv.size() > 1 && std::ranges::all_of(argv.subspan(1), &Word::known);
    return !names || std::ranges::any_of(argv.subspan(1), [](const Word& word) {
      return names_secret(word.text) || word.text.starts_with('-');
    });
  }
  if (program == "git") return have_beginning(argv.subspan(1), kGitTells);
  const auto* one = std::ranges::lower_bound(kTells, program, {}, &Teller::program);
  for (; one != std::end(kTells) && one->program == program; ++one)
    if (have_beginning(argv.subspan(1), one->words)) return true;
  return false;
}

bool prints_directory(const shell::Script& script) {
  const shell::SimpleCommand* const command = only_command(script);
  return command != nullptr && command->words.size() == 1 && command->words[0].literal() == "pwd" &&
         command->redirections.empty();
}

bool goes_to_top(const shell::SimpleCommand& command, const ShellState& state) {
  if (command.words.size() != 2 || command.words[0].literal() != "cd" || state.aliases ||
      state.function("git") != nullptr)
    return false;
  const shell::List<shell::Part>* parts = &command.words[1].parts;
  if (parts->count == 1 && (*parts)[0].kind == shell::PartKind::kDouble) parts = &(*parts)[0].parts;
  if (parts->count != 1 || (*parts)[0].kind != shell::PartKind::kCommand || (*parts)[0].refused ||
      (*parts)[0].script == nullptr)
    return false;
  const shell::SimpleCommand* const git = only_command(*(*parts)[0].script);
  return git != nullptr && git->words.size() == 3 && git->words[0].literal() == "git" &&
         git->words[1].literal() == "rev-parse" && git->words[2].literal() == "--show-toplevel" &&
         git->assignments.empty() && git->redirections.empty();
}

bool only_prints(const shell::Script& script, const ShellState& state) {
  const shell::SimpleCommand* const command = only_command(script);
  if (command == nullptr || command->words.empty()) return false;
  const std::string_view program = command->words[0].literal();
  return (program == "echo" || program == "printf") && state.function(program) == nullptr;
}

Possible printed_by(const shell::Script& script, const ShellState& state) {
  Possible result = anything();
  if (script.statements.size() != 1) return result;
  const shell::Command* command = script.statements[0].command;
  if (command != nullptr && command->kind == shell::CommandKind::kPipeline) {
    // Behind a bare `!` there is nothing.
    const auto& stages = static_cast<const shell::Pipeline*>(command)->stages;
    command = stages.empty() ? nullptr : stages.back().command;
  }
  if (command == nullptr || command->kind != shell::CommandKind::kSimple) return result;
  const shell::List<shell::Word>& words = static_cast<const shell::SimpleCommand*>(command)->words;
  if (words.count == 0 || state.aliases || state.function(words[0].literal()) != nullptr)
    return result;
  std::string text;
  for (const shell::Word& word : words) text.append(word.literal()) += ' ';
  for (const Prints& row : kPrints) {
    if (!text.starts_with(row.words) || text[row.words.size()] != ' ') continue;
    const auto count = static_cast<std::size_t>(std::ranges::count(row.words, ' ')) + 1;
    if (!further_words_fit(row, std::span(words.begin(), words.end()).subspan(count))) continue;
    result.number = row.number;
    result.operand = row.words != "basename";
    result.identifier = !row.file;
    result.code = !row.number;
    return result;
  }
  return result;
}

}  // namespace tollgate
