// What programs take from their standard input: commands, names, words for xargs and its like.
#include <algorithm>
#include <optional>
#include <utility>

#include "base/name_set.h"
#include "base/text.h"
#include "effects/paths.h"
#include "effects/programs/acts.h"
#include "effects/programs/places.h"
#include "effects/programs/special.h"
#include "effects/shell/pattern.h"

namespace tollgate {
namespace {

// LIMIT: letters that come to stand in the words of a command, in all its rounds.
constexpr std::size_t kMostCopied = 1'000'000;

}  // namespace

// What programs do with their standard input where no word says so.
void Acts::act_on_input() {
  const Input none;
  const Input& in = around_.input == nullptr ? none : *around_.input;
  const bool known = in.kind == Input::Kind::kText;
  if (program_ == "zip" && has_word("--names-stdin")) return names_in(standard_input());
  if (program_ == "zip" && std::ranges::any_of(argv_.subspan(1), [](const Word& word) {
        return word.text.starts_with('-') && word.text.find('@') != word.text.npos;
      }))
    return names_in(standard_input());
  if ((program_ == "ssh" || program_ == "slogin") && !runs_remotely()) return remote_shell(in);
  if (program_ == "git" && reads_objects()) return objects_in(in);
  if (program_ == "git" && has_word("--stdin-p")) return names_in(standard_input());
  if (in.kind == Input::Kind::kNone || !takes_commands()) return;
  if (known) return escapes_in(in.text, argv_[0].span);
  if (is_given_code()) return;
  // SAFETY: commands that nobody can read may send any file or run any program.
  unread(kUnreadInput, "`" + std::string(program_) + "` takes commands from its standard input",
         argv_[0]);
  if (is_transfer_client()) names_in(standard_input());
}

// Without a command ssh starts a shell there, which reads standard input.
bool Acts::runs_remotely() const {
  return arguments_.row->does != ProgramDoes::kChanges ||
         std::ranges::find(arguments_.bound, Kind::kLentShellRest, &Bound::kind) !=
             arguments_.bound.end();
}

void Acts::remote_shell(const Input& in) {
  if (in.kind == Input::Kind::kNone) return;
  input(argv_[0]);
  if (in.kind == Input::Kind::kText)
    inner_.shell({.text = in.text, .span = argv_[0].span}, inside(), Lent::kYes);
}

// Clients that read commands of their own from standard input.
bool Acts::takes_commands() const {
  static constexpr NameSet kNames({"ed",     "red",     "ex",   "psql", "mysql",    "mariadb",
                                   "gdb",    "lldb",    "sftp", "ftp",  "sqlite3",  "lftp",
                                   "duckdb", "vim",     "vi",   "view", "nvim",     "rvim",
                                   "rview",  "vimdiff", "gvim", "mvim", "vim.tiny", "vim.basic"});
  return kNames.has(program_);
}

// Clients of databases leave standard input alone where a word has the commands.
bool Acts::is_given_code() const {
  return (program_.ends_with("sql") || program_ == "mariadb" || program_ == "sqlite3" ||
          program_ == "duckdb") &&
         std::ranges::any_of(arguments_.bound, [](const Bound& one) {
           return one.kind == Kind::kCode || one.kind == Kind::kScript;
         });
}

// git cat-file: each line names an object, perhaps behind a command.
bool Acts::reads_objects() const {
  return arguments_.row->name == "git cat-file" && has_word("--batch") &&
         !std::ranges::all_of(argv_, [](const Word& word) {
           return !word.text.starts_with("--batch") || word.text.starts_with("--batch-check") ||
                  word.text.starts_with("--batch-all");
         });
}

void Acts::objects_in(const Input& in) {
  if (in.kind != Input::Kind::kText)
    return path(EffectKind::kRead, {.text = {}, .span = argv_[0].span, .known = false}, true);
  for (const std::string& each : quoted_words(in.text))
    add_revision({.text = each, .span = argv_[0].span}, {}, here(), out_);
}

// A file with names in it. What it holds is known only of standard input.
void Acts::names_in(const Word& word) {
  const bool input = is_stream(word) && word.text != kSubstitutedFile;
  const Input none;
  const Input& in = around_.input == nullptr ? none : *around_.input;
  if (!is_stream(word) && is_remote_path(word.text))
    add_remote_host(word, here(), out_);
  else if (!is_stream(word))
    path(EffectKind::kRead, word, false);
  if (input && in.kind == Input::Kind::kNames) {
    for (const Word& each : in.names) path(EffectKind::kRead, each, true);
    return;
  }
  if (input && in.kind == Input::Kind::kText) {
    for (std::string_view rest = in.text; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      if (end > 0)
        path(EffectKind::kRead, {.text = std::string(rest.substr(0, end)), .span = word.span},
             true);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return;
  }
  path(EffectKind::kRead, {.text = {}, .span = word.span, .known = false}, true);
  listed_ = false;
}

std::size_t Acts::command(std::size_t i, Lent lent) {
  const Bound& first = arguments_.bound[i];
  std::vector<Word> words(argv_.begin() + static_cast<std::ptrdiff_t>(first.at), argv_.end());
  if (!first.option.empty() && words[0].text != first.word.text) words[0] = first.word;
  if (program_ == "xargs" || program_ == "gxargs" || program_ == "parallel")
    for (const std::vector<Word>& each : from_input(words)) inner_.command(each, inside(), lent);
  else if (program_ == "fd" || program_ == "fdfind")
    for (const std::vector<Word>& each : from_walk(words)) inner_.command(each, inside(), lent);
  else
    inner_.command(words, inside(), lent);
  if (lent == Lent::kYes) listed_ = false;
  return arguments_.bound.size();
}

// fd: what it finds stands at the end, or where braces are; a command for each start.
std::vector<std::vector<Word>> Acts::from_walk(std::vector<Word> command) const {
  const auto end = std::ranges::find(command, ";", &Word::text);
  command.erase(end, command.end());
  std::string name =
      has_word("-H") || has_word("--hid") || has_word("-u") || has_word("--unr") ? "?*" : "[!.]*";
  std::vector<Word> starts;
  std::size_t endings = 0;
  for (const Bound& one : arguments_.bound) {
    if (one.kind == Kind::kTree) starts.push_back(one.word);
    if (one.option != "e" && one.option != "extension") continue;
    name = one.word.known ? "*." + one.word.text : "?*";
    if (++endings > 1) name = "?*";
  }
  if (starts.empty()) starts.push_back({.text = ".", .span = argv_[0].span});
  // LIMIT: letters of the starts, each of which is copied into every word of the command.
  std::size_t letters = 0;
  for (const Word& start : starts) letters += start.text.size() + name.size();
  if (letters * command.size() > kMostCopied || starts.size() * command.size() > kMostCopied / 64)
    starts = {{.text = {}, .span = argv_[0].span, .known = false, .rest = Rest::kAnything}};
  std::vector<std::vector<Word>> commands;
  for (const Word& start : starts) {
    Word found{
        .text = {}, .span = start.span, .known = false, .rest = Rest::kAnything, .several = true};
    if (start.known) {
      found.text = pattern_of(start.text) + (start.text.ends_with('/') ? "**/" : "/**/") + name;
      found.rest = Rest::kPattern;
      found.operand = !start.text.starts_with('-');
    }
    std::vector<Word> words = command;
    bool placed = false;
    for (Word& word : words) {
      const std::size_t at = word.text.find('{');
      if (at == word.text.npos || word.text.find('}', at) == word.text.npos) continue;
      placed = true;
      if (word.text == "{}")
        word = found;
      else
        word = {.text = word.text.substr(0, at),
                .span = word.span,
                .known = false,
                .rest = Rest::kAnything};
    }
    if (!placed) words.push_back(std::move(found));
    commands.push_back(std::move(words));
  }
  return commands;
}

// xargs: words from the input stand at the end, or where -I says; a command for each round.
std::vector<std::vector<Word>> Acts::from_input(const std::vector<Word>& command) const {
  std::string_view marker;
  for (const Bound& one : arguments_.bound)
    if (one.option == "I" || one.option == "i" || one.option == "replace" || one.option == "J")
      marker = one.word.text;
  const bool parallel = program_ == "parallel";
  if (parallel) marker = "{";
  if (marker.empty() && (has_flag('i') || has_flag("--replace"))) marker = "{}";
  auto rounds = parallel ? std::nullopt : words_of_input(!marker.empty());
  // LIMIT: words, and letters that are put into them.
  std::size_t letters = 0, places = 0;
  for (const Word& word : command)
    places += 1 + word.text.size() / std::max(marker.size(), std::size_t{1});
  for (const std::vector<Word>& given : rounds.value_or(std::vector<std::vector<Word>>{}))
    for (const Word& word : given) letters += word.text.size() + 64;
  if (letters * places > kMostCopied) rounds.reset();
  const Word anything{
      .text = {}, .span = argv_[0].span, .known = false, .rest = Rest::kAnything, .several = true};
  const std::vector<std::vector<Word>> any{{anything}};
  std::vector<std::vector<Word>> commands;
  for (const std::vector<Word>& given : rounds.value_or(any)) {
    std::vector<Word> words = command;
    const bool replaced = put_in(words, marker, rounds && !given.empty() ? &given[0] : nullptr);
    if (!replaced || parallel) words.insert(words.end(), given.begin(), given.end());
    commands.push_back(std::move(words));
  }
  return commands;
}

// Puts one word of the input where the marker stands; without one the rest is not known.
bool Acts::put_in(std::vector<Word>& words, std::string_view marker, const Word* given) {
  bool replaced = false;
  for (Word& word : words) {
    const std::size_t at = marker.empty() ? word.text.npos : word.text.find(marker);
    if (at == word.text.npos) continue;
    replaced = true;
    if (given != nullptr && !given->known && word.text == marker) {
      const Span span = word.span;
      word = *given;
      word.span = span;
      word.several = false;
    } else if (given != nullptr && given->known && word.known) {
      std::string text;
      for (std::string_view rest = word.text; !rest.empty();) {
        const bool here = rest.starts_with(marker);
        text += here ? std::string_view(given->text) : rest.substr(0, 1);
        rest.remove_prefix(here ? marker.size() : 1);
      }
      word.text = std::move(text);
    } else {
      word.text.resize(at);
      word.known = false;
      word.rest = Rest::kAnything;
    }
  }
  return replaced;
}

// The words on the standard input of xargs by rounds, when all of it is known and nothing in it
// is quoted. LIMIT: so many bytes and rounds.
std::optional<std::vector<std::vector<Word>>> Acts::words_of_input(bool lines) const {
  if (around_.input == nullptr) return std::nullopt;
  const Input& input = *around_.input;
  std::size_t at_once = std::string::npos;
  for (const Bound& one : arguments_.bound) {
    if (one.option.empty() || one.option == "P" || one.option == "max-procs" || one.option == "I")
      continue;
    if (one.option != "n" && one.option != "max-args") return std::nullopt;
    if (one.word.text.size() != 1 || one.word.text < "1" || one.word.text > "9")
      return std::nullopt;
    at_once = static_cast<std::size_t>(one.word.text[0] - '0');
  }
  if (has_flag('l') || has_flag("--max-lines")) return std::nullopt;
  const bool nulls = has_flag('0') || has_flag("--null");
  if (input.kind == Input::Kind::kNames && nulls)
    return lines ? one_by_one(input.names) : std::vector<std::vector<Word>>{input.names};
  if (input.kind != Input::Kind::kText || nulls) return std::nullopt;
  const std::string_view text = input.text;
  constexpr std::size_t kMostBytes = 4096, kMostRounds = 64;
  if (text.find_first_of("'\"\\") != text.npos || text.size() > kMostBytes) return std::nullopt;
  if (lines) at_once = 1;
  const std::string_view ends = lines ? "\n" : " \t\n";
  std::vector<std::vector<Word>> rounds;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" \t\n", at)) != text.npos) {
    const std::size_t end = std::min(text.find_first_of(ends, at), text.size());
    if (rounds.empty() || rounds.back().size() == at_once) rounds.emplace_back();
    rounds.back().push_back(
        {.text = std::string(text.substr(at, end - at)), .span = argv_[0].span});
    at = end;
  }
  if (rounds.empty() && !lines) rounds.emplace_back();
  if (rounds.empty() || rounds.size() > kMostRounds) return std::nullopt;
  return rounds;
}

// An option of xargs without a value, among the words before the command.
bool Acts::has_flag(char letter) const {
  constexpr std::string_view kValues = "adEeIiJLlnPRSs";
  return std::ranges::any_of(own_words(), [&](const Word& word) {
    const std::string_view text = word.text;
    if (!text.starts_with('-') || text.starts_with("--")) return false;
    const std::size_t found = text.find(letter, 1), value = text.find_first_of(kValues, 1);
    return found != text.npos && found <= value;
  });
}

bool Acts::has_flag(std::string_view name) const {
  return std::ranges::any_of(own_words(), [&](const Word& word) {
    return word.text.size() > 3 && name.starts_with(word.text);
  });
}

std::span<const Word> Acts::own_words() const {
  const auto command = std::ranges::find(arguments_.bound, Kind::kCommand, &Bound::kind);
  return argv_.subspan(1, (command == arguments_.bound.end() ? argv_.size() : command->at) - 1);
}

std::vector<std::vector<Word>> Acts::one_by_one(const std::vector<Word>& names) {
  std::vector<std::vector<Word>> rounds;
  for (const Word& name : names) rounds.push_back({name});
  return rounds;
}

}  // namespace tollgate
