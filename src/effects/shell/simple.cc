// Simple commands: their words, their assignments, where their input and output go.
// A command that may be one of several is one run for each of them.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/host.h"
#include "base/name_set.h"
#include "effects/paths.h"
#include "effects/programs/places.h"
#include "effects/shell/braces.h"
#include "effects/shell/documents.h"
#include "effects/shell/environment.h"
#include "effects/shell/walker.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

using shell::Redirection;
using shell::RedirectionOp;

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

// From the first word to the last that stands behind it in the text.
Span span_of(std::span<const Word> words) {
  Span span = words[0].span;
  for (const Word& word : words)
    if (!span.empty() && word.span.begin >= span.begin && word.span.end() > span.end())
      span.size = word.span.end() - span.begin;
  return span;
}

constexpr std::string_view kDescriptors = "/dev/fd/";

bool is_stream(std::string_view path) {
  constexpr std::string_view kStreams[] = {"/dev/null",   "/dev/stdin", "/dev/stdout",
                                           "/dev/stderr", "/dev/tty",   "/dev/zero"};
  if (std::ranges::find(kStreams, path) != std::end(kStreams)) return true;
  return path.starts_with(kDescriptors) && path.size() > kDescriptors.size() &&
         path.find_first_not_of("0123456789", kDescriptors.size()) == path.npos;
}

bool is_descriptor(std::string_view text) {
  if (text == "-") return true;
  if (text.ends_with('-')) text.remove_suffix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// What `echo` and `printf` with a plain format print; nothing where that is not plain.
std::optional<std::string> printed(std::span<const Word> argv, bool posix) {
  static constexpr NameSet kPrinters({"printf", ":", "true", "false", "echo", "dirname"});
  if (!kPrinters.has(argv[0].text)) return std::nullopt;
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
    if (format.find_first_of("%\\") == format.npos && argv.size() == 2) return std::string(format);
    return std::nullopt;
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

// Commands that print a credential which the program keeps.
struct Teller {
  std::string_view program;
  std::string_view words;  // with which the rest begins
};
constexpr Teller kTells[] = {{"gh", "auth token"},
                             {"gcloud", "auth print-"},
                             {"gcloud", "secrets"},
                             {"aws", "configure get"},
                             {"aws", "configure export"},
                             {"aws", "ecr get-login"},
                             {"aws", "sts "},
                             {"aws", "secretsmanager"},
                             {"aws", "ssm get-parameter"},
                             {"az", "account get-access-token"},
                             {"git", "credential"},
                             {"vault", ""},
                             {"op", "read"},
                             {"op", "item"},
                             {"pass", ""},
                             {"doppler", ""},
                             {"heroku", "auth:token"},
                             {"security", "find-"},
                             {"secret-tool", ""},
                             {"kubectl", "get secret"},
                             {"kubectl", "config view"},
                             {"npm", "token"},
                             {"gopass", ""},
                             {"bw", ""},
                             {"keyring", "get"},
                             {"oc", "whoami -t"},
                             {"glab", "auth token"}};
constexpr NameSet kTellers = [] {
  std::string_view names[std::size(kTells)];
  std::ranges::transform(kTells, names, &Teller::program);
  return NameSet(names);
}();

// Whether the words, with a blank behind each, begin so.
bool begin_with(std::span<const Word> words, std::string_view beginning) {
  for (const Word& word : words) {
    const std::string_view text = word.text;
    if (beginning.size() <= text.size()) return text.starts_with(beginning);
    if (!beginning.starts_with(text) || beginning[text.size()] != ' ') return false;
    beginning.remove_prefix(text.size() + 1);
    if (beginning.empty()) return true;
  }
  return beginning.empty();
}

// Builtins that set variables may keep those that were set for them.
bool keeps_given(std::string_view builtin) {
  constexpr std::string_view kKeep[] = {"export", "declare",  "typeset",
                                        "local",  "readonly", "unset"};
  return std::ranges::find(kKeep, builtin) != std::end(kKeep);
}

// Programs that print the environment, or a credential that they keep.
bool tells_secrets(std::span<const Word> argv) {
  const std::string_view program = base_name(argv[0].text);
  if (program == "printenv") {
    const bool names = argv.size() > 1 && std::ranges::all_of(argv.subspan(1), &Word::known);
    return !names || std::ranges::any_of(argv.subspan(1), [](const Word& word) {
      return names_secret(word.text) || word.text.starts_with('-');
    });
  }
  if (!kTellers.has(program)) return false;
  return std::ranges::any_of(kTells, [&](const Teller& one) {
    return one.program == program && begin_with(argv.subspan(1), one.words);
  });
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

bool prints_directory(const shell::Script& script) {
  if (script.statements.size() != 1 || script.statements[0].command == nullptr ||
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
  if (script.statements.size() != 1 || script.statements[0].command == nullptr ||
      script.statements[0].command->kind != shell::CommandKind::kSimple)
    return false;
  const auto& git = static_cast<const shell::SimpleCommand&>(*script.statements[0].command);
  return git.words.size() == 3 && git.words[0].literal() == "git" &&
         git.words[1].literal() == "rev-parse" && git.words[2].literal() == "--show-toplevel" &&
         git.assignments.empty() && git.redirections.empty();
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

bool is_reserved(std::string_view word) {
  constexpr std::string_view kWords[] = {"if",     "then", "else", "elif",     "fi",    "case",
                                         "esac",   "for",  "do",   "done",     "while", "until",
                                         "select", "in",   "time", "function", "coproc"};
  return std::ranges::find(kWords, word) != std::end(kWords);
}

// One command that prints its words: nothing before it can end the shell.
bool only_prints(const shell::Script& script, const ShellState& state) {
  if (script.statements.size() != 1 || script.statements[0].command == nullptr ||
      script.statements[0].command->kind != shell::CommandKind::kSimple)
    return false;
  const auto& command = static_cast<const shell::SimpleCommand&>(*script.statements[0].command);
  const std::string_view program = command.words.empty() ? "" : command.words[0].literal();
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
  if (words.count == 0 || state.aliases ||
      std::ranges::find(state.functions, words[0].literal(), &ShellFunction::name) !=
          state.functions.end())
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

}  // namespace

// Whether nothing in the words is expanded; most commands are like that.
bool Walker::are_plain(const shell::SimpleCommand& command, ShellState& state, Fields& words) {
  if (!command.declared_at.empty()) return false;
  const Expander reader = expander(state);
  words.reserve(command.words.size());
  for (const shell::Word& word : command.words) {
    auto plain = reader.plain_field(word);
    if (!plain) return false;
    words.push_back(std::move(*plain));
  }
  return true;
}

std::vector<Walker::Fields> Walker::words_of(const shell::SimpleCommand& command,
                                             ShellState& state) {
  std::vector<Fields> ways(1);
  Expander words = expander(state);
  std::size_t declared = 0;
  declares_map_ = std::ranges::any_of(command.words, [](const shell::Word& word) {
    const std::string_view text = word.literal();
    return text.starts_with('-') && text.find('A') != text.npos;
  });
  ways[0].reserve(command.words.size());
  for (std::size_t i = 0; i < command.words.size(); ++i) {
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
      if (auto plain = words.plain_field(word)) {
        ways[0].push_back(std::move(*plain));
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
      for (Fields& way : ways) way.insert(way.end(), next[0].begin(), next[0].end());
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
    std::size_t from = 1;
    while (from < command.words.size() && command.words[from].literal().starts_with('-')) ++from;
    shell::SimpleCommand rest = command;
    rest.words = {command.words.begin() + from,
                  static_cast<std::uint32_t>(command.words.size() - from)};
    const std::string_view next = rest.words.empty() ? "" : rest.words[0].literal();
    const bool plain = !next.empty() && next.find_first_of("=+[]{}!") == next.npos;
    if (plain && command.declared.empty() && !is_reserved(next)) return simple(rest, state);
    cannot_follow("`time` begins a substitution", command.span);
  }
  const Input outer_input = input_;
  substituted_fetch_ = false;
  failing_ = false;
  goes_to_top_ = false;
  if (Fields plain; are_plain(command, state, plain)) {
    run(&command, plain, state, &plain);
    input_ = outer_input;
    return;
  }
  std::vector<Fields> ways = words_of(command, state);
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
  input_ = outer_input;
}

// ---- assignments ----

void Walker::set_variable(std::string_view name, Value value, Span span, ShellState& state) {
  const Sways sway = sways(name);
  if (sway == Sways::kLoading)
    add_unknown("`" + std::string(name) + "` changes what programs load or run", span);
  if (sway == Sways::kProgram) {
    state.environment = environment_seen_ = true;
    ++heeded_;
  }
  if (name == "IFS") state.odd_split = true;
  constexpr std::string_view kIntegers[] = {"RANDOM", "OPTIND",  "SECONDS", "SRANDOM",
                                            "LINENO", "HISTCMD", "BASHPID", "EPOCHSECONDS"};
  const Variable* old = state.find(name);
  const bool integer =
      (old != nullptr && old->integer) || std::ranges::find(kIntegers, name) != std::end(kIntegers);
  const bool map = old != nullptr && old->map;
  // What is evaluated may set further variables; `old` is not valid behind it.
  if (integer) {
    for (const Possible& one : value) {
      if (one.known())
        expander(state).evaluate(one.text, span);
      else if (!one.number)
        cannot_follow("`" + std::string(name) + "` evaluates what it is given", span);
    }
    value = {a_number()};
  }
  state.set(name, std::move(value));
  Variable& set = state.entry(name);
  set.integer = integer;
  set.map = map;
}

// Word by word what any of the ways has there; nothing where they are not as many words each.
std::optional<std::vector<Value>> Walker::values_of(const std::vector<Fields>& ways) {
  std::vector<Value> values(ways[0].size());
  for (const Fields& fields : ways) {
    if (fields.size() != values.size() || std::ranges::any_of(fields, &Word::several))
      return std::nullopt;
    for (std::size_t i = 0; i < fields.size(); ++i)
      add_possibilities(values[i], {{.text = fields[i].text,
                                     .rest = fields[i].rest,
                                     .operand = fields[i].operand,
                                     .code = !fields[i].known,
                                     .secret = fields[i].secret}});
  }
  return values;
}

void Walker::assign(const shell::Assignment& assignment, ShellState& state) {
  Expander words = expander(state);
  if (assignment.subscripted) {
    // Words that are evaluated may set further variables, so that no pointer to one is kept.
    const Variable* array = state.find(assignment.name);
    const bool map = array != nullptr && array->map;
    const bool integer = array != nullptr && array->integer;
    for (const Possible& one : words.value(assignment.subscript)) {
      if (map) continue;
      if (one.known())
        words.evaluate(one.text, assignment.span);
      else if (!one.number)
        cannot_follow("a subscript that is not known is evaluated", assignment.span);
    }
    const Value value = words.assigned(assignment.value);
    if (integer)
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
          one.secret = before.secret || after.secret;
          add_possibilities(joined, {one});
        }
      const Variable* variable = state.find(assignment.name);
      value = variable != nullptr && variable->array ? unknown_value() : std::move(joined);
    }
    return set_variable(assignment.name, std::move(value), assignment.span, state);
  }
  std::vector<Value> elements;
  bool secret = false;
  const Variable* old = state.find(assignment.name);
  const bool map = old != nullptr && old->map;
  const bool integer = old != nullptr && old->integer;
  bool known = !assignment.append || (old != nullptr && old->array && old->elements_known);
  if (assignment.append && known) elements = old->elements;
  for (const shell::Element& element : assignment.elements) {
    if (!steps(1)) {
      known = false;
      break;
    }
    if (element.subscripted) {
      known = false;
      for (const Possible& one : words.value(element.subscript))
        if (one.known() && !map) words.evaluate(one.text, assignment.span);
      words.assigned(element.value);
      continue;
    }
    const auto ways = words.fields(element.value);
    for (const Fields& way : ways) secret = secret || std::ranges::any_of(way, &Word::secret);
    const auto values = values_of(ways);
    known = known && values;
    if (values) elements.insert(elements.end(), values->begin(), values->end());
    if (!values && integer)
      cannot_follow("values that are not known are evaluated", assignment.span);
  }
  if (integer)
    for (const Value& element : elements)
      set_variable(assignment.name, element, assignment.span, state);
  set_variable(assignment.name, elements.empty() ? known_value("") : elements[0], assignment.span,
               state);
  Variable& variable = state.entry(assignment.name);
  known = known && !variable.readonly && !variable.integer && !variable.map && !variable.cased;
  variable.array = true;
  variable.elements_known = known;
  variable.elements = known ? std::move(elements) : std::vector<Value>();
  if (known) return;
  variable.value = unknown_value();
  variable.value[0].secret = secret;
}

// LIMIT: so many of them.
static constexpr std::size_t kMaxGiven = 128;

// Variables for one command only. True when the command may do otherwise because of them.
bool Walker::set_for_command(const shell::SimpleCommand& command, ShellState& state,
                             std::uint32_t owner, Given& given) {
  if (command.assignments.empty()) return false;
  bool swayed = false;
  // Each sees those before it.
  std::vector<std::pair<std::string_view, std::optional<Variable>>> before;
  const std::string_view program =
      command.words.empty() ? std::string_view() : command.words[0].literal();
  const bool reads = (program == "read" || program == "mapfile" || program == "readarray") &&
                     state.function(program) == nullptr;
  for (const shell::Assignment& one : command.assignments) {
    if (given.size() > kMaxGiven) {
      add_unknown("more variables for a command than are followed", one.span, kBeyondLimit, owner);
      break;
    }
    Value value = expander(state).assigned(one.value);
    for (const shell::Element& element : one.elements) expander(state).assigned(element.value);
    if (one.subscripted) expander(state).value(one.subscript);
    if (reads && one.name == "IFS") continue;  // it holds for this builtin alone
    const Sways sway = one.subscripted || one.compound ? Sways::kLoading : sways(one.name);
    if (sway == Sways::kLoading)
      add_unknown("`" + std::string(one.name) + "` changes what programs load or run", one.span);
    else if (!is_known(value) && sway != Sways::kNothing)
      add_unknown("the value of `" + std::string(one.name) + "` is not known", one.span, {}, owner);
    swayed = swayed || sway != Sways::kNothing;
    const Variable* old = state.find(one.name);
    if (one.append || one.subscripted || one.compound || (old != nullptr && old->integer))
      value = unknown_value();
    if (command.assignments.size() > 1) {
      before.emplace_back(one.name, old == nullptr ? std::nullopt : std::optional(*old));
      state.set(one.name, value);
    }
    given.emplace_back(one.name, std::move(value));
  }
  for (auto at = before.rbegin(); at != before.rend(); ++at) {
    state.restore(at->first, std::move(at->second));
  }
  return swayed;
}

// A builtin with variables of its own. Those that set variables may keep them, and so do other
// shells.
bool Walker::run_builtin(const Handler& handler, std::span<const Word> argv, const Given& given,
                         ShellState& state, std::uint32_t index) {
  std::vector<std::pair<std::string_view, std::optional<Variable>>> before;
  for (const auto& [name, value] : given) {
    const Variable* old = state.find(name);
    before.emplace_back(name, old == nullptr ? std::nullopt : std::optional(*old));
    state.set(name, value);
  }
  const bool listed = (this->*handler.run)(argv, state, index);
  const bool keeps = posix_ || keeps_given(handler.name);
  for (auto at = before.rbegin(); at != before.rend(); ++at) {
    if (keeps) {
      state.set(at->first, unknown_value());
      state.entry(at->first).perhaps = true;
      continue;
    }
    state.restore(at->first, std::move(at->second));
  }
  return listed;
}

void Walker::assignment(const Word& word, const Surroundings& around) {
  const std::string_view text = word.text;
  const std::string_view name = text.substr(0, text.find('='));
  const Sways sway = sways(name);
  // With more words than one the command is another.
  if (word.several) add_unknown("words that are not known stand before a command", word.span);
  if (sway == Sways::kLoading || (!word.known && text.find('=') == text.npos))
    add_unknown("`" + std::string(name) + "` changes what programs load or run", word.span);
  else if (!word.known && sway != Sways::kNothing)
    add_unknown("the value of `" + std::string(name) + "` is not known", word.span, {},
                around.owner);
  swayed_ = swayed_ || sway != Sways::kNothing;
}

// ---- runs ----

// A path from another directory than the call's is another program.
void Walker::place_program(Word& word, const ShellState& state) const {
  const std::string& name = word.text;
  if (name.find('/') == name.npos || name.starts_with('/') ||
      std::ranges::equal(state.directories, first_))
    return;
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
  bool certain = false;
  const bool plainly = std::exchange(plainly_, false);
  Given given;
  if (plain && !plainly && name.find('/') == name.npos) {
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
  const bool elsewhere = plain && name.find('/') != name.npos && !name.starts_with('/') &&
                         !std::ranges::equal(state.directories, first_);
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
    swayed = set_for_command(*command, state, index, given) || swayed;
    redirect(command->redirections, state, index);
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
  note_unread(argv, index);
  note_given(argv, index);
  out_[index].listed = reading.listed && (!swayed || reading.safe);
  out_[index].safe = reading.safe;
  out_[index].told = reading.told;
  auto text = printed(argv, posix_);
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
      unread_.push_back(static_cast<std::uint32_t>(i));
  }
  // A shell on another host.
  const bool remote = !runs && base_name(argv[0].text) == "ssh";
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
  if (base_name(argv[0].text) == "env")
    secret = secret || std::none_of(out_.begin() + index + 1, out_.end(), [&](const Effect& one) {
               return one.kind == EffectKind::kRun && one.owner == index;
             });
  if (fed) fed_.insert(index);
  if (secret) tell_secrets(index);
}

void Walker::note_output(std::span<const Word> argv, bool fetched) {
  note_output(argv, printed(argv, posix_), fetched, {});
}

void Walker::note_output(std::span<const Word> argv, std::optional<std::string> text, bool fetched,
                         std::span<const Word> names) {
  // What prints its own words does not read what comes in.
  if (fetched || (input_.kind == Input::Kind::kFetched && !text)) {
    output_ = {Input::Kind::kFetched, {}};
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
    add_unknown("commands nested too deep", words[0].span, kBeyondLimit);
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
  effect.span = span_of(words);
  effect.argv.assign(words.begin(), words.end());
  effect.owner = around.owner;
  effect.by = lent == Lent::kYes || lent_ == Lent::kYes ? EffectBy::kTool : EffectBy::kOperand;
  if (words[0].known && !words[0].several) place_program(effect.argv[0], inner);
  out_.push_back(std::move(effect));
  owner_ = index;
  if (words[0].known && !words[0].several)
    run_program(std::vector<Word>(words.begin(), words.end()), inner, index, inner.environment);
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
  inner.directories.assign(around.directories.begin(), around.directories.end());
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
  const std::size_t outer_base = std::exchange(left_base_, left_states_.size());
  left_states_.push_back(&left);
  read(text.text, inner, text.span.empty() ? Span{0, 1} : text.span);
  left_states_.pop_back();
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
    inner.inherits |= option && own.ends_with("inherit_errexit");
    if (option && own.ends_with("lastpipe"))
      cannot_follow("`lastpipe` runs the end of a pipeline in the shell itself", word.span);
    const bool odd = (letters && own.find('k') != own.npos) || own == "keyword" || own == "posix" ||
                     own == "--posix";
    if (odd && !posix_) cannot_follow("an option changes how the shell reads commands", word.span);
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
    walk(*part.script, inner);
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

// ---- redirections ----

void Walker::redirect(const shell::List<Redirection>& list, ShellState& state,
                      std::uint32_t owner) {
  for (const Redirection& one : list) {
    settle(state);
    if (!steps(1)) return;
    Expander words = expander(state);
    if (one.subscripted) cannot_follow("a subscript in a redirection is evaluated", one.span);
    if (!one.variable.empty()) set_variable(one.variable, {a_number()}, one.span, state);
    if (one.here != nullptr) {
      if (one.here->refused) add_unknown("a here-document that cannot be read", one.span);
      const Value body = words.plain(one.here->body);
      if (std::ranges::any_of(body, &Possible::secret)) ++secrets_told_;
      input_ = {Input::Kind::kSome, {}};
      if (body.size() == 1 && body[0].known()) input_ = {Input::Kind::kText, body[0].text};
      continue;
    }
    if (one.op == RedirectionOp::kHereString) {
      const Value body = words.value(one.target);
      if (std::ranges::any_of(body, &Possible::secret)) ++secrets_told_;
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
  if (duplicates && target.known && is_descriptor(target.text)) {
    // One that the shell opened before: 0, 1 and 2 are what they always were.
    const bool opened =
        target.text != "-" && target.text.find_first_not_of("012-") != target.text.npos;
    if (!opened && one.op == RedirectionOp::kDuplicateRead && one.descriptor <= 0 &&
        target.text != "0")
      input_ = {Input::Kind::kSome, {}};
    if (!opened) return;
    if (one.op == RedirectionOp::kDuplicateRead)
      input_ = {host_ ? Input::Kind::kFetched : Input::Kind::kSome, {}};
    if (host_ && owner != kNoOwner) {
      out_.push_back(*host_);
      out_.back().owner = owner;
      out_.back().span = place(one.span);
    }
    return;
  }
  if (target.known && is_stream(target.text)) {
    const bool reads = one.op == RedirectionOp::kRead || one.op == RedirectionOp::kReadWrite;
    const bool given = target.text.starts_with("/dev/fd/");
    if (reads && given)
      input_ = {substituted_fetch_ ? Input::Kind::kFetched : Input::Kind::kSome, {}};
    else if (reads && target.text != "/dev/stdin")
      input_ = {};
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
    host_ = reach;
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
