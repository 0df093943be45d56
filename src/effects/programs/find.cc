// find: starting points, then an expression that may test, print, run or delete.
// SAFETY: tests come from a list; whatever is not on it could run or write something.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/name_set.h"
#include "effects/paths.h"
#include "effects/programs/arguments.h"
#include "effects/programs/special.h"
#include "effects/shell/pattern.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

// Tests and actions that only look, with the number of words that they take.
struct Predicate {
  std::string_view name;
  int takes;
};
constexpr Predicate kPredicates[] = {
    {"-name", 1},       {"-iname", 1},     {"-path", 1},
    {"-ipath", 1},      {"-wholename", 1}, {"-iwholename", 1},
    {"-regex", 1},      {"-iregex", 1},    {"-regextype", 1},
    {"-lname", 1},      {"-ilname", 1},    {"-type", 1},
    {"-xtype", 1},      {"-size", 1},      {"-perm", 1},
    {"-user", 1},       {"-group", 1},     {"-uid", 1},
    {"-gid", 1},        {"-links", 1},     {"-inum", 1},
    {"-mtime", 1},      {"-atime", 1},     {"-ctime", 1},
    {"-mmin", 1},       {"-amin", 1},      {"-cmin", 1},
    {"-used", 1},       {"-maxdepth", 1},  {"-mindepth", 1},
    {"-fstype", 1},     {"-printf", 1},    {"-context", 1},
    {"-empty", 0},      {"-readable", 0},  {"-writable", 0},
    {"-executable", 0}, {"-nouser", 0},    {"-nogroup", 0},
    {"-true", 0},       {"-false", 0},     {"-depth", 0},
    {"-d", 0},          {"-mount", 0},     {"-xdev", 0},
    {"-noleaf", 0},     {"-prune", 0},     {"-quit", 0},
    {"-print", 0},      {"-print0", 0},    {"-ls", 0},
    {"-a", 0},          {"-and", 0},       {"-o", 0},
    {"-or", 0},         {"-not", 0},       {"!", 0},
    {"(", 0},           {")", 0},          {",", 0},
    {"-daystart", 0},   {"-follow", 0},    {"-ignore_readdir_race", 0},
    {"-warn", 0},       {"-nowarn", 0},    {"-noignore_readdir_race", 0},
    {"-X", 0},          {"-s", 0},         {"-x", 0},
    {"-E", 0},
};
// Tests that compare with another file.
constexpr std::string_view kFiles[] = {"-newer", "-anewer", "-cnewer", "-samefile"};
// Actions that write a file, and how many words stand behind its name.
constexpr Predicate kWriters[] = {{"-fprint", 0}, {"-fprint0", 0}, {"-fls", 0}, {"-fprintf", 1}};

class Find {
 public:
  Find(std::span<const Word> argv, const Surroundings& around, InnerReader& inner, Effects& out)
      : argv_(argv), around_(around), inner_(inner), out_(out) {}

  bool read(std::size_t at) {
    for (; at < argv_.size(); ++at) {
      const Word& word = argv_[at];
      if (word.text == "-H" || word.text == "-P" || word.text.starts_with("-O")) continue;
      if (word.text == "-L" || word.text == "-follow") {
        follows_ = true;
        continue;
      }
      if (word.text == "-D") {
        ++at;
        continue;
      }
      if (word.text == "-f" && at + 1 < argv_.size()) {
        starts_.push_back(argv_[++at]);
        continue;
      }
      if (word.text.starts_with('-') || word.text == "(" || word.text == "!" || word.text == ",")
        break;
      if (may_hold_option(word)) listed_ = false;
      starts_.push_back(word);
    }
    if (starts_.empty()) starts_.push_back({.text = ".", .span = argv_[0].span});
    // Names are read all the way down, and nothing that is in the files.
    for (const Word& start : starts_)
      add_path({EffectKind::kRead, EffectBy::kOperand, false}, start, around_, out_);
    const auto expression = argv_.subspan(std::min(at, argv_.size()));
    grouped_ = std::ranges::any_of(expression, [](const Word& word) { return word.text == "("; });
    all_hold_ = std::ranges::none_of(expression, &is_choice);
    for (; at < argv_.size(); ++at)
      if (!predicate(at)) listed_ = false;
    return listed_ && !follows_;
  }

  // What -print0 prints, if nothing else is printed.
  std::vector<Word> printed() const {
    std::vector<Word> names;
    const bool told = nulls_ && !prints_ && listed_ && !follows_ &&
                      std::ranges::all_of(starts_, &Word::known) && starts_.size() <= kMostStarts;
    if (!told) return names;
    for (const Word& start : starts_) {
      if (start.text.starts_with('-')) return {};
      names.push_back(found(start));
      names.back().several = true;
      if (tested_ && may_be_found(start)) names.push_back(start);
      for (const std::string& other : others_) {
        names.push_back(found(start, other));
        names.back().several = true;
      }
    }
    return names;
  }

 private:
  bool predicate(std::size_t& at) {
    const Word& word = argv_[at];
    if (!word.known) return false;
    const std::string_view name = word.text;
    if (const auto* row = std::ranges::find(kPredicates, name, &Predicate::name);
        row != std::end(kPredicates)) {
      at += static_cast<std::size_t>(row->takes);
      tested_ = tested_ || (row->takes > 0 && name != "-maxdepth" && name != "-mindepth") ||
                name == "-empty" || name == "-prune" || name == "-maxdepth";
      follows_ = follows_ || name == "-follow";
      nulls_ = nulls_ || name == "-print0";
      prints_ = prints_ || name == "-print" || name == "-printf" || name == "-ls";
      if (at >= argv_.size()) return false;
      note(name, argv_[at]);
      note_name(name, at);
      return row->takes == 0 || !has_more(argv_[at]);
    }
    const bool compares = std::ranges::find(kFiles, name) != std::end(kFiles) ||
                          (name.starts_with("-newer") && name.size() == 8);
    if (compares) {
      if (++at >= argv_.size()) return false;
      tested_ = true;
      if (!name.ends_with('t'))
        add_path({EffectKind::kRead, EffectBy::kOperand, false}, argv_[at], around_, out_);
      return !has_more(argv_[at]);
    }
    if (const auto* row = std::ranges::find(kWriters, name, &Predicate::name);
        row != std::end(kWriters)) {
      if (++at >= argv_.size()) return false;
      add_path({EffectKind::kWrite, EffectBy::kOperand, false}, argv_[at], around_, out_);
      at += static_cast<std::size_t>(row->takes);
      return at < argv_.size();
    }
    if (name == "-delete") {
      remove();
      return true;
    }
    if (name == "-exec" || name == "-execdir" || name == "-ok" || name == "-okdir") {
      prints_ = true;
      return execute(at, name.ends_with("dir"));
    }
    return false;
  }

  // A value behind whose first word more of the expression may stand.
  static bool has_more(const Word& value) { return value.several && may_hold_option(value); }

  // Words by which a test need not hold for what is found.
  static bool is_choice(const Word& word) {
    constexpr std::string_view kChoices[] = {"-o", "-or", "!", "-not", ",", "("};
    return std::ranges::find(kChoices, word.text) != std::end(kChoices);
  }

  // Tests that tell what is found by its name or its depth.
  // A test behind -print0 says nothing of what that prints.
  void note(std::string_view test, const Word& value) {
    if (!all_hold_ || !value.known || nulls_) return;
    if (test == "-mindepth") below_ = below_ || value.text != "0";
    if (test == "-type" && value.text.find('d') == std::string::npos) no_directory_ = true;
    if (test == "-name" && name_.empty()) name_ = value.text;
    if (test == "-iname" && name_.empty()) name_ = in_any_case(value.text);
    // Every name.
    if (name_.find_first_not_of('*') == name_.npos || name_.find('/') != name_.npos) name_.clear();
  }

  // Where not every test holds, what one of them names may be found all the same.
  void note_name(std::string_view test, std::size_t at) {
    constexpr std::string_view kNames[] = {"-name",      "-iname",      "-path",  "-ipath",
                                           "-wholename", "-iwholename", "-regex", "-iregex"};
    if (std::ranges::find(kNames, test) == std::end(kNames) || !argv_[at].known) return;
    const bool by_name = test == "-name" || test == "-iname";
    if (all_hold_ && by_name && !name_.empty()) return;
    const std::string_view before = argv_[at - 2].text;
    if (at > 2 && !grouped_ && (before == "!" || before == "-not")) return;
    std::string text = argv_[at].text;
    if (test.ends_with("regex")) text = from_regex(text);
    text.erase(0, text.rfind('/') + 1);
    if (test.starts_with("-i")) text = in_any_case(text);
    const bool new_one = std::ranges::find(others_, text) == others_.end();
    if (text.find_first_not_of('*') != text.npos && new_one && others_.size() <= kMostRuns)
      others_.push_back(std::move(text));
  }

  // A pattern that matches at least what the letters of the expression say.
  static std::string from_regex(std::string_view regex) {
    std::string out;
    for (std::size_t i = 0; i < regex.size(); ++i) {
      const char c = regex[i];
      if (c == '\\' && i + 1 < regex.size() &&
          std::ispunct(static_cast<unsigned char>(regex[i + 1]))) {
        out += regex[++i];
        if (out.back() == '(' || out.back() == ')' || out.back() == '|') out.back() = '*';
      } else if (std::string_view("+?(){}|").find(c) != std::string_view::npos) {
        out += '*';
      } else if (c == '.') {
        out += '?';
      } else if (c != '^' && c != '$') {
        out += c;
      }
    }
    // A sign and a star are any number of that sign.
    std::string pattern;
    for (const char c : out) {
      if (c == '*')
        while (pattern.ends_with('?')) pattern.pop_back();
      pattern += c;
    }
    return pattern;
  }

  // The pattern with both cases of every letter; empty where brackets stand in it.
  static std::string in_any_case(std::string_view pattern) {
    std::string out;
    if (pattern.find_first_of("[\\") != pattern.npos) return out;
    for (const char c : pattern) {
      const auto letter = static_cast<unsigned char>(c);
      if (std::isalpha(letter) == 0) {
        out += c;
        continue;
      }
      out += '[';
      out += static_cast<char>(std::tolower(letter));
      out += static_cast<char>(std::toupper(letter));
      out += ']';
    }
    return out;
  }

  // Without a test before it the whole tree goes; with one some of what lies below, and perhaps
  // the start itself.
  void remove() {
    for (const Word& start : starts_) {
      add_path({EffectKind::kDelete, EffectBy::kOperand, true}, found(start), around_, out_);
      if (tested_ && start.known && may_be_found(start))
        add_path({EffectKind::kDelete, EffectBy::kOperand, false}, start, around_, out_);
    }
  }

  // By its spelling alone.
  static bool is_directory(std::string_view text) {
    return text.ends_with('/') || text == "." || text == ".." || text.ends_with("/.") ||
           text.ends_with("/..");
  }

  // Whether the start is among what it leads to.
  bool may_be_found(const Word& start) const {
    if (below_ || (no_directory_ && is_directory(start.text))) return false;
    std::string_view text = start.text;
    while (text.size() > 1 && text.ends_with('/')) text.remove_suffix(1);
    const std::string_view name = text.substr(text.rfind('/') + 1);
    return name_.empty() || shell_pattern_matches(name_, name);
  }

  // What the expression finds from one start, below it.
  Word found(const Word& start) const { return found(start, name_); }
  Word found(const Word& start, std::string_view name) const {
    if (!start.known) return start;
    Word word = start;
    word.text = pattern_of(start.text);
    word.text += word.text.ends_with('/') ? "**" : "/**";
    if (!name.empty())
      word.text += "/" + std::string(name);
    else if (tested_)
      word.text += "/?*";
    word.known = false;
    word.rest = Rest::kPattern;
    word.operand = !start.text.starts_with('-');
    return word;
  }

  bool execute(std::size_t& at, bool inside) {
    std::vector<Word> command;
    bool ended = false;
    for (++at; at < argv_.size(); ++at) {
      const Word& word = argv_[at];
      if (word.known && word.text == ";") {
        ended = true;
        break;
      }
      if (word.known && word.text == "+" && !command.empty() && command.back().text.empty() &&
          !command.back().known) {
        ended = true;
        break;
      }
      const std::size_t place = word.text.find("{}");
      if (place == std::string::npos) {
        command.push_back(word);
        continue;
      }
      Word found{.text = word.text.substr(0, place),
                 .span = word.span,
                 .known = false,
                 .rest = Rest::kAnything,
                 .several = false,
                 // What is found begins like its starting point, or with `./` for -execdir.
                 .operand = place == 0};
      command.push_back(std::move(found));
    }
    if (!ended || command.empty()) return false;
    // What is found below the starts is read or changed where it lies.
    names_found(command, inside);
    return true;
  }

  // `inside`: each time in the directory of what is found. That one is not known, so only what is
  // found can be told of the paths, and another repository may lie there.
  void names_found(const std::vector<Word>& command, bool inside) {
    static const std::string kNotKnown[] = {""};
    Surroundings around = around_;
    if (inside) around.directories = kNotKnown;
    if (inside && !only_reads_words(command[0])) listed_ = false;
    const bool told = std::ranges::all_of(starts_, &Word::known) &&
                      starts_.size() * (1 + others_.size()) <= kMostRuns &&
                      starts_.size() <= kMostStarts && std::ranges::any_of(command, &is_found) &&
                      copied(command) <= kMostCopied;
    if (!told) return inner_.command(command, around, Lent::kNo);
    for (const Word& start : starts_) {
      const std::optional<Word> from = inside ? absolute(start) : start;
      if (!from) {
        inner_.command(command, around, Lent::kNo);
        continue;
      }
      run_with(command, found(*from), around);
      if (tested_ && may_be_found(start)) run_with(command, *from, around);
      for (const std::string& other : others_) run_with(command, found(*from, other), around);
    }
  }

  // Programs that look at nothing but what their words name.
  static bool only_reads_words(const Word& program) {
    static constexpr NameSet kNames(
        {"cat",     "head", "tail",   "wc",       "grep",     "egrep",     "fgrep",     "file",
         "stat",    "ls",   "md5sum", "cksum",    "sha1sum",  "sha256sum", "sha512sum", "basename",
         "dirname", "echo", "printf", "realpath", "readlink", "du",        "nl",        "od",
         "cut",     "pwd",  "true",   "false",    "test",     "cmp"});
    return program.known && kNames.has(program.text);
  }

  // The start as it is called from anywhere; nothing where that cannot be told.
  std::optional<Word> absolute(const Word& start) const {
    if (around_.directories.size() != 1 || start.text.find("..") != start.text.npos)
      return std::nullopt;
    auto located = locate(start.text, {around_.directories[0], {}, Tilde::kLiteral});
    if (!located) return std::nullopt;
    Word word = start;
    word.text = std::move(located->path);
    return word;
  }

  // LIMIT: a command is read once for each start and name, and has so many letters in all.
  static constexpr std::size_t kMostStarts = 8, kMostRuns = 32, kMostCopied = 1'000'000;

  std::size_t copied(const std::vector<Word>& command) const {
    std::size_t letters = name_.size() + 64;
    for (const Word& start : starts_) letters += start.text.size() + 64;
    for (const std::string& other : others_) letters += (other.size() + 64) * starts_.size();
    return letters * command.size();
  }

  // The place of `{}`.
  static bool is_found(const Word& word) {
    return !word.known && word.text.empty() && word.operand;
  }

  void run_with(std::vector<Word> command, const Word& name, const Surroundings& around) {
    for (Word& word : command)
      if (is_found(word)) {
        const Span span = word.span;
        word = name;
        word.span = span;
      }
    inner_.command(command, around, Lent::kNo);
  }

  std::span<const Word> argv_;
  const Surroundings& around_;
  InnerReader& inner_;
  Effects& out_;
  std::vector<Word> starts_;
  bool listed_ = true;
  bool follows_ = false;
  bool tested_ = false;
  bool all_hold_ = false;  // every test holds for what is found
  bool below_ = false;     // the starts themselves are left out
  bool no_directory_ = false;
  bool nulls_ = false;               // -print0
  bool prints_ = false;              // anything else
  bool grouped_ = false;             // there are parentheses
  std::string name_;                 // a pattern that the last part of what is found matches
  std::vector<std::string> others_;  // patterns of which some of what is found may match one
};

}  // namespace

bool read_find(std::span<const Word> argv, std::size_t from, const Surroundings& around,
               InnerReader& inner, Effects& out, std::vector<Word>& names) {
  Find find(argv, around, inner, out);
  const bool listed = find.read(from);
  names = find.printed();
  return listed;
}

}  // namespace tollgate
