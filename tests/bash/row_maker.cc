#include "bash/row_maker.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "effects/effects.h"
#include "effects/programs/program.h"
#include "effects/programs/row_text.h"

namespace tollgate::bash {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.emplace_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class List>
const auto& one_of(const List& list, Random& random) {
  return list[below(random, std::size(list))];
}

std::string without_stars(std::string text) {
  for (char& c : text)
    if (c == '*') c = 'x';
  return text;
}

std::vector<Word> as_argv(const Words& words) {
  std::vector<Word> argv;
  for (const std::string& word : words) argv.push_back({.text = word, .span = {}});
  return argv;
}

// One of the words that `{…}` names.
std::string of_set(std::string_view set, Random& random) {
  if (set.starts_with('{')) set.remove_prefix(1);
  if (set.ends_with('}')) set.remove_suffix(1);
  if (set.starts_with('!')) return "zz";
  const char between = set.starts_with(';') ? ' ' : ',';
  const bool several = set.starts_with(',') || set.starts_with(';');
  if (several) set.remove_prefix(1);
  const std::vector<std::string> all = split(set, ',');
  std::string text = without_stars(one_of(all, random));
  if (several && chance(random, 30)) text += between + without_stars(one_of(all, random));
  return text;
}

// Words that such an operand or value can be.
Words of_kind(const KindText& what, Random& random) {
  constexpr const char* kTexts[] = {"a", "main", "x-y", "two words", "v1.2", "name", "7"};
  constexpr const char* kFiles[] = {"f1", "d1/f2", "src/a.c", "notes.txt", "./f1", "a b.txt"};
  constexpr const char* kDirectories[] = {"d1", "d2", "src", "."};
  constexpr const char* kNumbers[] = {"3", "10", "1", "42"};
  constexpr const char* kHosts[] = {"example.com", "host1", "10.0.0.7"};
  switch (what.name.empty() ? Kind::kText : what.kind) {
    case Kind::kText:
    case Kind::kAt:
    case Kind::kAnyHost:
      return {one_of(kTexts, random)};
    case Kind::kNumber:
      return {one_of(kNumbers, random)};
    case Kind::kSet:
      return {of_set(what.name, random)};
    case Kind::kRev:
    case Kind::kRevTree:
      return {chance(random, 50) ? "HEAD" : "main"};
    case Kind::kFilter:
      return {chance(random, 50) ? "*.c" : "a*"};
    case Kind::kDir:
    case Kind::kProject:
    case Kind::kFill:
    case Kind::kList:
      return {one_of(kDirectories, random)};
    case Kind::kCopy:
    case Kind::kMove:
    case Kind::kLink:
    case Kind::kRcopy:
      return {one_of(kFiles, random), "d1"};
    case Kind::kMount:
      return {"d1:/data"};
    case Kind::kSource:
      return {"id=x,src=f1"};
    case Kind::kHost:
      return {one_of(kHosts, random)};
    case Kind::kUrl:
      return {std::string("https://") + one_of(kHosts, random) + "/x"};
    case Kind::kOrigin:
      return {"origin"};
    case Kind::kRepo:
      return {"owner/name"};
    case Kind::kImage:
      return {chance(random, 50) ? "alpine:3" : "example.com/name"};
    case Kind::kPackage:
      return {chance(random, 50) ? "left-pad" : "@scope/name"};
    case Kind::kCommand:
    case Kind::kLent:
      return {"p1", one_of(kTexts, random)};
    case Kind::kShell:
    case Kind::kLentShell:
      return {"p1 a"};
    case Kind::kShellRest:
    case Kind::kLentShellRest:
      return {"p1", "a"};
    case Kind::kAssign:
      return {"A=b"};
    case Kind::kSed:
      return {chance(random, 50) ? "s/a/b/" : "2p"};
    case Kind::kAwk:
      return {chance(random, 50) ? "{ print $1 }" : "/a/"};
    case Kind::kJq:
    case Kind::kYq:
      return {chance(random, 50) ? ".a" : ".items[0].name"};
    case Kind::kFind:
      return {one_of(kDirectories, random), "-name", "*.c"};
    case Kind::kDd:
      return {"if=f1", "bs=4"};
    case Kind::kTest:
      return {"-f", one_of(kFiles, random)};
    case Kind::kDate:
      return {"+%F"};
    case Kind::kGoal:
      return {"all"};
    default:
      return {one_of(kFiles, random)};
  }
}

// LIMIT: where so many tries fail the row is out of reach.
constexpr int kMostTries = 400;

bool takes_the_rest(Kind kind) {
  return kind == Kind::kCommand || kind == Kind::kLent || kind == Kind::kShellRest ||
         kind == Kind::kLentShellRest || kind == Kind::kFind || kind == Kind::kDd ||
         kind == Kind::kTest;
}

std::vector<const RowOption*> entries_of(const RowOptions& options) {
  std::set<const RowOption*> seen;
  for (char letter = '!'; letter < 127; ++letter)
    if (const RowOption* found = options.find(std::string_view(&letter, 1))) seen.insert(found);
  for (const RowOption* found : options.beginning_with("")) seen.insert(found);
  return {seen.begin(), seen.end()};
}

// An option as one of its names spells it, with its value.
Words spelled(const RowOption& option, Random& random) {
  const std::string name = one_of(split(option.names, ','), random);
  const bool whole = name.starts_with('-'), letter = name.size() == 1;
  const std::string word = whole ? name : (letter ? "-" : "--") + name;
  if (option.takes == 0) return {word};
  if (option.two) {
    Words both{word};
    for (const KindText& kind : {option.kind, option.second})
      both.push_back(of_kind(kind, random)[0]);
    return both;
  }
  Words value = of_kind(option.kind, random);
  const bool attached =
      option.takes == '?' || (!takes_the_rest(option.kind.kind) && chance(random, 50));
  if (option.takes == '?' && chance(random, 40)) return {word};
  if (!attached || (whole && !word.starts_with("--") && option.takes != '?')) {
    value.resize(takes_the_rest(option.kind.kind) ? value.size() : 1);
    value.insert(value.begin(), word);
    return value;
  }
  return {word + (letter ? "" : "=") + value[0]};
}

// A few options of the row, bundled here and there; with a star where the row needs one.
std::vector<Words> chosen(const RowOptions& options, Random& random) {
  std::vector<const RowOption*> entries = entries_of(options), stars;
  std::ranges::copy_if(entries, std::back_inserter(stars), &RowOption::star);
  if (!chance(random, 15)) std::erase_if(entries, [](const RowOption* one) { return one->more; });
  std::vector<Words> all;
  for (std::size_t i = below(random, 3); i > 0 && !entries.empty(); --i)
    all.push_back(spelled(*one_of(entries, random), random));
  if (!stars.empty()) all.insert(all.begin(), spelled(*one_of(stars, random), random));
  if (options.numbers() && chance(random, 15)) all.push_back({"-3"});
  std::ranges::shuffle(all, random);
  // `-a -b` as `-ab`.
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    const auto letter = [](const Words& one) {
      return one.size() == 1 && one[0].size() == 2 && one[0][0] == '-' && one[0][1] != '-';
    };
    if (!letter(all[i]) || !letter(all[i + 1]) || chance(random, 50)) continue;
    all[i][0] += all[i + 1][0].substr(1);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return all;
}

std::vector<std::vector<std::string>> name_words(const ProgramRow& row) {
  std::vector<std::vector<std::string>> all;
  for (const std::string& word : split(row.name, ' ')) all.push_back(split(word, '|'));
  return all;
}

Words operands_of(const ProgramRow& row, Random& random, bool& ends) {
  const OperandKinds kinds(row.operands);
  Words words;
  for (const OperandKinds::One& one : kinds.all()) {
    if (!one.required && chance(random, 25)) break;
    const std::size_t times = one.repeats ? 1 + below(random, 2) : 1;
    for (std::size_t i = 0; i < times; ++i)
      for (std::string& word : of_kind(one.kind, random)) words.push_back(std::move(word));
    if (takes_the_rest(one.kind.kind)) ends = true;
  }
  return words;
}

}  // namespace

ToolCall shell_call(const std::string& script, const std::string& directory) {
  ToolCall call;
  call.tool = call.native_tool = "Bash";
  call.cwd = directory;
  call.input = json::Value::object({{"command", json::Value::string(script)}});
  return call;
}

const ProgramRow* understanding_row(const Words& words) {
  if (words.empty()) return nullptr;
  const std::string_view program = program_name(words[0]);
  const std::vector<Word> argv = as_argv(words);
  MadeWords made;
  const auto found = read_arguments(program.empty() ? words[0] : program, argv, made);
  return found && found->understood ? found->row : nullptr;
}

bool is_head_row(const ProgramRow& row) {
  return row.operands == "sub" || row.operands.starts_with("sub ");
}

RowMaker::RowMaker() {
  std::set<std::string> names;
  for (const ProgramRow& row : all_rows()) {
    const auto words = name_words(row);
    for (const std::string& name : words[0]) names.insert(without_stars(name));
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(TOLLGATE_SOURCE_DIR) / "tests/programs"))
    if (entry.path().extension() == ".cases") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      if (!line.starts_with("+ ") && !line.starts_with("- ")) continue;
      for (const Effect& effect : effects_of(shell_call(line.substr(2), "/w"), {}, "/h")) {
        if (effect.kind != EffectKind::kRun || !std::ranges::all_of(effect.argv, &Word::known))
          continue;
        Words words;
        for (const Word& word : effect.argv) words.push_back(word.text);
        // A plain name, so that a stub is found.
        if (words.empty() || words[0].find('/') != std::string::npos) continue;
        const ProgramRow* row = understanding_row(words);
        if (row == nullptr) continue;
        names.insert(words[0]);
        lines_[row].push_back(std::move(words));
      }
    }
  }
  programs_.assign(names.begin(), names.end());
}

std::size_t RowMaker::lines_of(const ProgramRow& row) const {
  const auto found = lines_.find(&row);
  return found == lines_.end() ? 0 : found->second.size();
}

std::optional<RowMaker::Made> RowMaker::make(const ProgramRow& row, Random& random) const {
  if (is_head_row(row)) {
    if (auto words = made_with_head(row, random)) return Made{std::move(*words), false};
    return std::nullopt;
  }
  const auto lines = lines_.find(&row);
  if (lines != lines_.end() && chance(random, 60))
    return Made{varied(row, one_of(lines->second, random), random), true};
  if (auto words = made_by_grammar(row, random)) return Made{std::move(*words), false};
  if (lines != lines_.end()) return Made{varied(row, one_of(lines->second, random), random), true};
  return std::nullopt;
}

std::optional<Words> RowMaker::made_by_grammar(const ProgramRow& row, Random& random) const {
  const RowOptions options(row.options);
  for (int tries = 0; tries < kMostTries; ++tries) {
    Words words;
    for (const auto& alternatives : name_words(row))
      words.push_back(without_stars(one_of(alternatives, random)));
    bool ends = false;
    Words operands = operands_of(row, random, ends);
    const bool options_first = ends || options.stops() || chance(random, 70);
    std::vector<Words> all = chosen(options, random);
    if (!options_first) words.insert(words.end(), operands.begin(), operands.end());
    for (const Words& one : all) words.insert(words.end(), one.begin(), one.end());
    if (options_first) words.insert(words.end(), operands.begin(), operands.end());
    if (understanding_row(words) == &row) return words;
  }
  return std::nullopt;
}

// A subcommand with options of the program itself before it.
std::optional<Words> RowMaker::made_with_head(const ProgramRow& row, Random& random) const {
  std::vector<const ProgramRow*> longer;
  const auto names = name_words(row);
  for (const ProgramRow& other : all_rows()) {
    const auto others = name_words(other);
    if (others.size() <= names.size() || is_head_row(other)) continue;
    bool fits = true;
    for (std::size_t i = 0; i < names.size(); ++i)
      fits = fits && std::ranges::find_first_of(names[i], others[i]) != names[i].end();
    if (fits) longer.push_back(&other);
  }
  if (longer.empty()) return std::nullopt;
  const RowOptions options(row.options);
  for (int tries = 0; tries < kMostTries; ++tries) {
    const ProgramRow& other = *one_of(longer, random);
    auto words = made_by_grammar(other, random);
    if (!words) continue;
    bool same = true;
    for (std::size_t i = 0; i < names.size(); ++i)
      same = same && std::ranges::any_of(names[i], [&](const std::string& name) {
               return name_fits(name, (*words)[i]);
             });
    if (!same) continue;
    std::size_t at = names.size();
    for (const Words& one : chosen(options, random)) {
      words->insert(words->begin() + static_cast<std::ptrdiff_t>(at), one.begin(), one.end());
      at += one.size();
    }
    if (understanding_row(*words) != nullptr) return words;
  }
  return std::nullopt;
}

// The same with other words, in another order or another spelling, where the row still understands.
Words RowMaker::varied(const ProgramRow& row, Words words, Random& random) const {
  const auto keep = [&](Words next) {
    if (understanding_row(next) == &row) words = std::move(next);
  };
  const std::vector<Word> argv = as_argv(words);
  MadeWords made;
  const auto found = read_arguments(program_name(words[0]), argv, made);
  if (found && chance(random, 60)) {
    for (const Bound& one : found->bound) {
      if (!one.option.empty() || one.at >= words.size() || one.kind == Kind::kText) continue;
      if (takes_the_rest(one.kind) || !chance(random, 40) || one.kind == Kind::kSet) continue;
      Words next = words;
      next[one.at] = of_kind({.name = "x", .kind = one.kind}, random)[0];
      keep(std::move(next));
    }
  }
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const std::string &one = words[i], &other = words[i + 1];
    if (!one.starts_with('-') || chance(random, 60)) continue;
    Words next = words;
    if (one.starts_with("--") && !other.starts_with('-') && one.find('=') == one.npos) {
      // `--name value` as `--name=value`, where the second word is a value at all.
      next[i] += "=" + other;
      next.erase(next.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    } else if (one.size() == 2 && other.size() == 2 && other.starts_with('-') && other != "--") {
      next[i] += other.substr(1);
      next.erase(next.begin() + static_cast<std::ptrdiff_t>(i) + 1);
    } else if (other.starts_with('-') && other != "--" && one != "--") {
      std::swap(next[i], next[i + 1]);
    }
    keep(std::move(next));
  }
  return words;
}

}  // namespace tollgate::bash
