// Interpreters and the code they are given, by table; wrappers are looked through.
// A form that is on no list of harmless ones counts as code.
// SAFETY: an option that is not understood may hide the script, never the other way round.
#include <algorithm>
#include <array>
#include <iterator>

#include "core/wrappers.h"
#include "effects/commands/unlisted.h"
#include "effects/paths.h"

namespace tollgate {
namespace {

using Words = std::span<const ShellWord>;

constexpr std::string_view kShells[] = {"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish"};

// `letters` and `longs` are options with code behind them, `modules` one that names a module.
struct Interpreter {
  std::string_view name;
  std::string_view letters;
  std::string_view longs;
  std::string_view modules = {};
};

constexpr Interpreter kInterpreters[] = {
    {"python", "c", "", "m"},
    {"pypy", "c", "", "m"},
    {"ipython", "c", "", "m"},
    {"perl", "eE", ""},
    {"raku", "e", ""},
    {"ruby", "e", ""},
    {"node", "ep", "--eval --print"},
    {"nodejs", "ep", "--eval --print"},
    {"php", "rRBE", "--run"},
    {"lua", "e", ""},
    {"luajit", "e", ""},
    {"osascript", "e", ""},
    {"pwsh", "ce", "-Command -EncodedCommand -command"},
    {"powershell", "ce", "-Command -EncodedCommand -command"},
    {"rscript", "e", ""},
    {"julia", "eE", "--eval --print"},
    {"groovy", "e", ""},
    {"elixir", "e", "--eval"},
    {"tclsh", "", ""},
};

constexpr std::string_view kAwks[] = {"awk", "gawk", "mawk", "nawk"};

// Wrappers with an option that takes shell text.
struct TextOption {
  std::string_view wrapper;
  char letter;
  std::string_view longs;
};
constexpr TextOption kTextOptions[] = {
    {"env", 'S', "--split-string"},
    {"su", 'c', "--command --session-command"},
    {"runuser", 'c', "--command --session-command"},
    {"script", 'c', "--command"},
    {"flock", 'c', "--command"},
};

bool in_list(std::string_view list, std::string_view word) {
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(' ', at), list.size());
    if (list.substr(at, end - at) == word) return true;
    at = end + 1;
  }
  return false;
}

bool is_shell(std::string_view name) {
  return std::ranges::find(kShells, name) != std::end(kShells);
}
bool is_awk(std::string_view name) { return std::ranges::find(kAwks, name) != std::end(kAwks); }

// python3.12 is python, Lua5.4 is lua.
const Interpreter* interpreter(std::string_view name) {
  while (!name.empty() && std::string_view("0123456789.").find(name.back()) != name.npos)
    name.remove_suffix(1);
  const auto* row =
      std::ranges::find(kInterpreters, name == "Rscript" ? "rscript" : name, &Interpreter::name);
  return row == std::end(kInterpreters) ? nullptr : row;
}

bool only_tells(Words words) {
  return words.size() == 2 && in_list("--version --help -V -v -h -version -help", words[1].text);
}

UnreadCode from_input(std::string_view name, Input input) {
  const std::string program = "`" + std::string(name) + "`";
  if (input == Input::kFetched)
    return {kUnreadFetched, "", program + " runs what comes from the network", {}};
  return {kUnreadInput, "", program + " runs what comes in by its standard input", {}};
}
UnreadCode from_script(std::string_view name) {
  return {kUnreadScript, "", "`" + std::string(name) + "` runs a script that is not read", {}};
}
UnreadCode from_code(std::string_view name, std::string_view flag) {
  return {
      kUnreadCode, std::string(flag), "`" + std::string(name) + "` runs code that is not read", {}};
}

bool is_short(std::string_view word) {
  return word.size() > 1 && (word[0] == '-' || word[0] == '+') && word[1] != '-';
}

// The code of `sh -c` is the first word behind the options; `-o` takes a word of its own.
UnreadCode of_shell(Words words, std::string_view name, Input input) {
  std::string flag;
  std::size_t at = 1;
  for (; at < words.size() && words[at].text.size() > 1 &&
         (words[at].text[0] == '-' || words[at].text[0] == '+');
       ++at) {
    const std::string& word = words[at].text;
    if (word == "--") {
      ++at;
      break;
    }
    if (word.starts_with("--command")) flag = word;  // fish
    if (!is_short(word)) continue;
    if (word.find('c') != std::string::npos) flag = word;
    if (word.find_first_of("oO") != std::string::npos) ++at;
  }
  if (flag.empty())
    return at < words.size() && words[at].text != "-" ? from_script(name) : from_input(name, input);
  UnreadCode code = from_code(name, flag);
  if (at < words.size()) code.shell_texts.push_back(words[at].text);
  return code;
}

std::optional<UnreadCode> of_interpreter(Words words, const Interpreter& row, std::string_view name,
                                         Input input) {
  if (only_tells(words)) return std::nullopt;
  for (const ShellWord& word : words.subspan(1)) {
    const std::string_view text = word.text;
    if (text == "-") return from_input(name, input);
    if (!text.starts_with('-')) return from_script(name);
    if (text == "--") continue;
    const std::string_view option = text.substr(0, text.find('='));
    if (in_list(row.longs, option)) return from_code(name, option);
    if (!is_short(text)) continue;
    if (text.find_first_of(row.letters) != text.npos) return from_code(name, text);
    if (!row.modules.empty() && text.find_first_of(row.modules) != text.npos) return std::nullopt;
  }
  return from_input(name, input);
}

// True when a program for awk can neither run, read nor write anything else.
bool is_harmless_awk(std::string_view text) {
  if (text.find_first_of("|<>@&") != text.npos) return false;
  for (const std::string_view word : {"system", "getline", "close", "include", "load"})
    if (text.find(word) != text.npos) return false;
  return true;
}

std::optional<UnreadCode> of_awk(Words words, std::string_view name) {
  if (only_tells(words)) return std::nullopt;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    if (text == "-F" || text == "-v") {
      ++i;
    } else if (text.starts_with("-F") || text.starts_with("-v") || text == "--") {
      continue;
    } else if (text.starts_with('-')) {
      return from_script(name);  // -f, -i, -l, -e and what is not known
    } else {
      return is_harmless_awk(text) ? std::nullopt : std::optional(from_script(name));
    }
  }
  return std::nullopt;
}

// Goes through a sed script as long as every command in it only edits text.
class SedScript {
 public:
  explicit SedScript(std::string_view text) : rest_(text) {}

  bool is_harmless() {
    while (true) {
      skip(" \t\n;{}");
      if (rest_.empty()) return true;
      if (!address() || !command()) return false;
    }
  }

 private:
  void skip(std::string_view set) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(set), rest_.size()));
  }

  // To behind the next `end` that stands without a backslash.
  bool past(char end) {
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      if (rest_[i] == '\\') {
        ++i;
      } else if (rest_[i] == end) {
        rest_.remove_prefix(i + 1);
        return true;
      }
    }
    return false;
  }

  bool address() {
    while (!rest_.empty()) {
      skip(" \t0123456789$,+~!");
      if (rest_.empty() || rest_[0] != '/') return true;
      rest_.remove_prefix(1);
      if (!past('/')) return false;
      skip("IM");
    }
    return true;
  }

  bool command() {
    if (rest_.empty()) return true;
    const char name = rest_[0];
    rest_.remove_prefix(1);
    if (name == 's' || name == 'y') return substitution(name);
    if (name == '{' || name == '}') return true;
    if (name == 'a' || name == 'i' || name == 'c') {
      rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
      return true;
    }
    if (name == 'b' || name == 't' || name == 'T' || name == ':') {
      skip(" abcdefghijklmnopqrstuvwxyz0123456789");
      return ends();
    }
    if (std::string_view("pPdDqQ=nNgGhHxlzF").find(name) == std::string_view::npos) return false;
    skip("0123456789");
    return ends();
  }

  bool substitution(char name) {
    if (rest_.empty() || rest_[0] == '\\' || rest_[0] == '\n') return false;
    const char end = rest_[0];
    rest_.remove_prefix(1);
    if (!past(end) || !past(end)) return false;
    if (name == 's') skip("gpiIM0123456789");
    return ends();
  }

  bool ends() {
    skip(" \t");
    return rest_.empty() || std::string_view("\n;}").find(rest_[0]) != std::string_view::npos;
  }

  std::string_view rest_;
};

std::optional<UnreadCode> of_sed(Words words, std::string_view name) {
  bool given = false;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    const bool value = text == "-e" || text == "--expression";
    std::string_view script;
    if (value && i + 1 < words.size())
      script = words[++i].text;
    else if (text.starts_with("--expression="))
      script = text.substr(text.find('=') + 1);
    else if (text.starts_with("--file") || (is_short(text) && text[0] == '-' && text[1] != 'i' &&
                                            text.find_first_of("fe") != text.npos))
      return from_script(name);
    else if (!text.starts_with('-') && !given)
      script = text;
    else
      continue;
    given = true;
    if (!SedScript(script).is_harmless()) return from_script(name);
  }
  return std::nullopt;
}

// What it deletes depends on tests that are not read.
std::optional<UnreadCode> of_find(Words words) {
  for (const ShellWord& word : words.subspan(1))
    if (in_list("-exec -execdir -ok -okdir -delete", word.text))
      return from_code("find", word.text);
  return std::nullopt;
}

std::optional<UnreadCode> of_runtime(Words words, std::string_view name, Input input) {
  if (words.size() < 2) return from_input(name, input);
  const std::string_view verb = words[1].text;
  if (verb == "eval" || verb == "-e" || verb == "--eval" || verb == "-p" || verb == "--print")
    return from_code(name, verb);
  if (verb == "repl" || verb == "-") return from_input(name, input);
  const bool file = verb.find('.') != verb.npos || verb.find('/') != verb.npos;
  if (!file && !(name == "deno" && verb == "run")) return std::nullopt;
  return from_script(name);
}

std::optional<UnreadCode> of_program(Words words, Input input) {
  const std::string_view name = base_name(words[0].text);
  if (is_shell(name)) {
    if (only_tells(words)) return std::nullopt;
    return of_shell(words, name, input);
  }
  if (is_awk(name)) return of_awk(words, name);
  if (name == "sed" || name == "gsed") return of_sed(words, name);
  if (name == "find" || name == "gfind") return of_find(words);
  if (name == "deno" || name == "bun") return of_runtime(words, name, input);
  if (const Interpreter* row = interpreter(name)) return of_interpreter(words, *row, name, input);
  return std::nullopt;
}

// `env -S text`, `su -c text` and their like.
std::optional<UnreadCode> of_text_option(Words words, std::string_view wrapper) {
  const auto* row = std::ranges::find(kTextOptions, wrapper, &TextOption::wrapper);
  if (row == std::end(kTextOptions)) return std::nullopt;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    const std::size_t equals = text.find('=');
    const bool is_long = text.starts_with("--") && in_list(row->longs, text.substr(0, equals));
    const bool cluster = is_short(text) && text[0] == '-' && text.find(row->letter) != text.npos;
    if (!is_long && !cluster) continue;
    UnreadCode code = from_code(wrapper, is_long ? text.substr(0, equals) : text);
    const std::size_t behind = is_long ? equals : text.find(row->letter);
    if (behind != text.npos && behind + 1 < text.size())
      code.shell_texts.emplace_back(text.substr(behind + 1));
    else if (i + 1 < words.size())
      code.shell_texts.push_back(words[i + 1].text);
    return code;
  }
  return std::nullopt;
}

}  // namespace

std::optional<UnreadCode> unread_code(Words words, Input input) {
  if (auto code = of_program(words, input)) return code;
  const std::string_view name = base_name(words[0].text);
  if (!is_wrapper(name)) return std::nullopt;
  if (auto code = of_text_option(words, name)) return code;
  const Words some = words.first(std::min(words.size(), kMaxGuessedWords));
  for (std::size_t i = 1; i < some.size(); ++i)
    if (auto code = of_program(words.subspan(i), input)) return code;
  if (name == "xargs" || name == "parallel" || name == "entr")
    return UnreadCode{
        kUnreadScript, "", "`" + std::string(name) + "` takes words from its input", {}};
  // These hand what they are given to a shell.
  if (name == "watch")
    for (const ShellWord& word : some.subspan(1))
      if (word.text.find(' ') != std::string::npos) {
        UnreadCode code = from_code(name, "");
        code.shell_texts.push_back(word.text);
        return code;
      }
  return std::nullopt;
}

bool is_fetcher(std::string_view program) {
  constexpr std::array<std::string_view, 8> kFetchers = {"curl", "wget",  "fetch", "aria2c",
                                                         "http", "https", "lynx",  "nc"};
  return std::ranges::find(kFetchers, base_name(program)) != kFetchers.end();
}

}  // namespace tollgate
