// Reads a row's operands and options.
// A row is plain text so that it can be written by hand; this is the only reader of it.
#include "effects/programs/row_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

namespace tollgate {
namespace {

struct KindName {
  std::string_view name;
  Kind kind;
};
constexpr KindName kKinds[] = {
    {"text", Kind::kText},
    {"number", Kind::kNumber},
    {"at", Kind::kAt},
    {"read", Kind::kRead},
    {"tree", Kind::kTree},
    {"rev", Kind::kRev},
    {"revtree", Kind::kRevTree},
    {"list", Kind::kList},
    {"names", Kind::kNames},
    {"write", Kind::kWrite},
    {"edit", Kind::kEdit},
    {"create", Kind::kCreate},
    {"delete", Kind::kDelete},
    {"remove", Kind::kRemove},
    {"mode", Kind::kMode},
    {"fill", Kind::kFill},
    {"copy", Kind::kCopy},
    {"move", Kind::kMove},
    {"link", Kind::kLink},
    {"mount", Kind::kMount},
    {"source", Kind::kSource},
    {"filter", Kind::kFilter},
    {"dir", Kind::kDir},
    {"host", Kind::kHost},
    {"url", Kind::kUrl},
    {"origin", Kind::kOrigin},
    {"repo", Kind::kRepo},
    {"image", Kind::kImage},
    {"package", Kind::kPackage},
    {"anyhost", Kind::kAnyHost},
    {"home", Kind::kHome},
    {"remote", Kind::kRemote},
    {"rcopy", Kind::kRcopy},
    {"command", Kind::kCommand},
    {"lent", Kind::kLent},
    {"shell", Kind::kShell},
    {"shell+", Kind::kShellRest},
    {"lentshell", Kind::kLentShell},
    {"lentshell+", Kind::kLentShellRest},
    {"code", Kind::kCode},
    {"config", Kind::kConfig},
    {"flags", Kind::kFlags},
    {"goal", Kind::kGoal},
    {"project", Kind::kProject},
    {"script", Kind::kScript},
    {"input", Kind::kInput},
    {"assign", Kind::kAssign},
    {"sub", Kind::kSub},
    {"sed", Kind::kSed},
    {"awk", Kind::kAwk},
    {"jq", Kind::kJq},
    {"yq", Kind::kYq},
    {"find", Kind::kFind},
    {"dd", Kind::kDd},
    {"test", Kind::kTest},
    {"date", Kind::kDate},
};

// Takes the next word off a list with blanks.
std::string_view next(std::string_view& list) {
  const std::size_t begin = std::min(list.find_first_not_of(' '), list.size());
  list.remove_prefix(begin);
  const std::size_t end = std::min(list.find(' '), list.size());
  const std::string_view word = list.substr(0, end);
  list.remove_prefix(end);
  return word;
}

// A set of letters. Options are read letter by letter, in every process anew.
class Letters {
 public:
  explicit consteval Letters(std::string_view letters) {
    for (const char c : letters) has_[static_cast<unsigned char>(c)] = true;
  }

  // Where the first of them stands from `from` on; the size of the text where none does.
  std::size_t first_in(std::string_view text, std::size_t from) const {
    while (from < text.size() && !has_[static_cast<unsigned char>(text[from])]) ++from;
    return from;
  }

 private:
  std::array<bool, 256> has_{};
};
constexpr Letters kBehindName(":?;!@&^*/$<"), kBehindKind(":!@&^*/$<"), kMarks("!@&^*/$<");

// The kind of a value, off the front; it ends at one of `ends`, which a set may hold as well.
std::string_view take_kind(std::string_view& rest, const Letters& ends) {
  const std::size_t from = rest.starts_with('{') ? std::min(rest.find('}'), rest.size()) : 0;
  const std::size_t end = ends.first_in(rest, from);
  const std::string_view kind = rest.substr(0, end);
  rest.remove_prefix(end);
  return kind;
}

KindText kind_text(std::string_view name) {
  return {name, name.starts_with('{') ? Kind::kSet : kind_named(name)};
}

RowOption option_of(std::string_view entry) {
  RowOption option;
  const std::size_t end = std::min(kBehindName.first_in(entry, 1), entry.size());
  option.names = entry.substr(0, end);
  std::string_view rest = entry.substr(end);
  if (!rest.empty() && std::string_view(":?;").find(rest[0]) != std::string_view::npos) {
    option.takes = rest[0];
    rest.remove_prefix(1);
    option.kind = kind_text(take_kind(rest, kBehindKind));
    option.two = rest.starts_with(':');
    if (option.two) {
      rest.remove_prefix(1);
      option.second = kind_text(take_kind(rest, kMarks));
    }
  }
  for (const char mark : rest) {
    option.tree |= mark == '!';
    option.follows |= mark == '@';
    option.links |= mark == '&';
    option.more |= mark == '^';
    option.anywhere |= mark == '/';
    option.removes |= mark == '$';
    option.away |= mark == '<';
    option.star |= mark == '*';
  }
  return option;
}

// LIMIT: what is no ASCII counts as one letter.
std::size_t letter_of(std::string_view name) {
  return std::min<std::size_t>(static_cast<unsigned char>(name[0]), 127);
}

// The words of one set. As with options, the text is searched until it was asked a few times.
class WordSet {
 public:
  bool has(std::string_view text, std::string_view word) {
    if (searches_ < kSearches) {
      ++searches_;
      return search(text, word);
    }
    if (plain_.empty() && starred_.empty()) take_apart(text);
    return plain_.contains(word) || std::ranges::any_of(starred_, [&](std::string_view name) {
             return name_fits(name, word);
           });
  }

 private:
  static constexpr int kSearches = 8;

  static bool search(std::string_view text, std::string_view word) {
    while (true) {
      const std::size_t comma = text.find(',');
      if (name_fits(text.substr(0, comma), word)) return true;
      if (comma == text.npos) return false;
      text.remove_prefix(comma + 1);
    }
  }
  void take_apart(std::string_view text) {
    while (true) {
      const std::size_t comma = text.find(',');
      const std::string_view name = text.substr(0, comma);
      if (name.find_first_of("*|") == name.npos)
        plain_.insert(name);
      else
        starred_.push_back(name);
      if (comma == text.npos) return;
      text.remove_prefix(comma + 1);
    }
  }

  int searches_ = 0;
  std::unordered_set<std::string_view> plain_;
  std::vector<std::string_view> starred_;
};

// REQUIRES: `set` is part of a row, so that its place tells it from all others.
bool fits_any(std::string_view set, std::string_view word) {
  // With the size, because a linker may lay one text into another.
  const auto place = [](std::string_view text) {
    return reinterpret_cast<std::uintptr_t>(text.data()) * 31 + text.size();
  };
  const auto same = [](std::string_view a, std::string_view b) {
    return a.data() == b.data() && a.size() == b.size();
  };
  thread_local std::unordered_map<std::string_view, WordSet, decltype(place), decltype(same)> sets;
  return sets[set].has(set, word);
}

}  // namespace

Kind kind_named(std::string_view name) {
  const auto* found = std::ranges::find(kKinds, name, &KindName::name);
  return found == std::end(kKinds) ? Kind::kBad : found->kind;
}

// ---- options ----

// Every name with its entry, in order.
class RowOptions::Table {
 public:
  explicit Table(std::string_view text);

  const RowOption* find(std::string_view name) const;

  // Calls `visit(name, entry)` for every longer name that begins like this, until it gives false.
  template <class Visit>
  void each_beginning_with(std::string_view name, const Visit& visit) const {
    for (const Named& one : from(name))
      if (!one.name.starts_with(name) || !visit(entries_[one.entry])) return;
  }

 private:
  struct Named {
    std::string_view name;
    std::uint16_t entry = 0;
  };
  static constexpr std::size_t kLetters = 128;

  void add(const RowOption& option);
  void fill_slots();
  std::span<const Named> from(std::string_view name) const;
  std::size_t slot_of(std::string_view name) const {
    const auto letter = [&](std::size_t at) { return static_cast<unsigned char>(name[at]); };
    return (letter(0) * 5u + letter(name.size() / 2) * 31u + letter(name.size() - 1) * 7u +
            name.size() * 3u) &
           (slots_.size() - 1);
  }

  std::vector<RowOption> entries_;
  std::array<std::uint16_t, kLetters> letters_{};  // names of one letter: entry and one, 0 for none
  std::vector<Named> names_;                       // longer ones, in order
  std::array<std::uint16_t, kLetters + 1> begins_{};  // by their first letter, where they begin
  // Each of them by a hash: its place and one, or in the next free slot; 0 for none.
  std::vector<std::uint16_t> slots_;
};

RowOptions::Table::Table(std::string_view rest) {
  // About one entry in ten letters.
  entries_.reserve(rest.size() / 10 + 1);
  names_.reserve(rest.size() / 10 + 1);
  for (std::string_view entry = next(rest); !entry.empty(); entry = next(rest))
    add(option_of(entry));
  std::ranges::sort(names_, [](const Named& a, const Named& b) {
    const int order = a.name.compare(b.name);
    return order != 0 ? order < 0 : a.entry < b.entry;
  });
  for (const Named& one : names_) ++begins_[letter_of(one.name) + 1];
  for (std::size_t i = 0; i < kLetters; ++i) begins_[i + 1] += begins_[i];
  fill_slots();
}

void RowOptions::Table::fill_slots() {
  slots_.resize(std::bit_ceil(names_.size() * 2 + 1));
  for (std::size_t i = 0; i < names_.size(); ++i) {
    std::size_t slot = slot_of(names_[i].name);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint16_t>(i + 1);
  }
}

// The names with the same first letter that do not come before this one.
std::span<const RowOptions::Table::Named> RowOptions::Table::from(std::string_view name) const {
  if (name.empty()) return names_;
  const std::size_t letter = letter_of(name);
  const auto same =
      std::span(names_).subspan(begins_[letter], begins_[letter + 1] - begins_[letter]);
  return {std::ranges::lower_bound(same, name, {}, &Named::name), same.end()};
}

void RowOptions::Table::add(const RowOption& option) {
  const auto entry = static_cast<std::uint16_t>(entries_.size());
  entries_.push_back(option);
  std::string_view rest = option.names;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view name = rest.substr(0, comma);
    if (name.size() == 1 && static_cast<unsigned char>(name[0]) < kLetters) {
      std::uint16_t& letter = letters_[static_cast<unsigned char>(name[0])];
      if (letter == 0) letter = static_cast<std::uint16_t>(entry + 1);
    } else {
      names_.push_back({name, entry});
    }
    if (comma == rest.npos) return;
    rest.remove_prefix(comma + 1);
  }
}

const RowOption* RowOptions::Table::find(std::string_view name) const {
  if (name.size() == 1 && static_cast<unsigned char>(name[0]) < kLetters) {
    const std::uint16_t letter = letters_[static_cast<unsigned char>(name[0])];
    return letter == 0 ? nullptr : &entries_[letter - 1u];
  }
  if (name.empty()) return nullptr;
  if (const std::size_t letter = letter_of(name); begins_[letter] == begins_[letter + 1])
    return nullptr;  // few rows have a name with a dash
  // Of entries with the same name the first one was put in first.
  for (std::size_t slot = slot_of(name); slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1))
    if (const Named& one = names_[slots_[slot] - 1u]; one.name == name) return &entries_[one.entry];
  return nullptr;
}

void RowOptions::FreeTable::operator()(Table* table) const { delete table; }

RowOptions::RowOptions(std::string_view text) {
  text_ = read_marks(text);
  // Few rows have a star, and fewer one that is only part of a kind.
  for (std::size_t star = text_.find('*'); star != text_.npos && !has_star_;) {
    const std::size_t begin = text_.rfind(' ', star) + 1;
    const std::size_t end = std::min(text_.find(' ', star), text_.size());
    has_star_ = option_of(text_.substr(begin, end - begin)).star;
    star = text_.find('*', end);
  }
}

const RowOptions::Table& RowOptions::table() const {
  if (!table_) table_.reset(new Table(text_));
  return *table_;
}

// The marks at the beginning; gives what stands behind them.
std::string_view RowOptions::read_marks(std::string_view text) {
  while (true) {
    std::string_view rest = text;
    const std::string_view mark = next(rest);
    if (mark == "~")
      abbreviates_ = true;
    else if (mark == "+")
      stops_ = true;
    else if (mark == "#")
      numbers_ = true;
    else if (mark == "%")
      dashes_ = true;
    else if (mark == "--")
      globals_ = true;
    else if (mark == "+-")
      pluses_ = true;
    else if (mark == "@")
      responds_ = true;
    else
      return text;
    text = rest;
  }
}

const RowOption* RowOptions::find(std::string_view name) const {
  return table_ || searches_ == kSearches ? table().find(name) : search(name);
}

// Goes through the text, as it is written.
const RowOption* RowOptions::search(std::string_view name) const {
  ++searches_;
  if (name.empty() || name.find(',') != name.npos) return nullptr;  // two names are none
  for (std::size_t at = text_.find(name); at != text_.npos; at = text_.find(name, at + 1)) {
    const bool begins = at == 0 || text_[at - 1] == ' ' || text_[at - 1] == ',';
    if (!begins) continue;
    const std::size_t begin = at == 0 ? 0 : text_.rfind(' ', at - 1) + 1;
    const std::size_t end = std::min(text_.find(' ', at), text_.size());
    const std::string_view entry = text_.substr(begin, end - begin);
    const std::size_t names = kBehindName.first_in(entry, 1);
    const std::size_t behind = at - begin + name.size();
    if (behind != names && (behind > names || entry[behind] != ',')) continue;
    return &found_.emplace_front(option_of(entry));
  }
  return nullptr;
}

const RowOption* RowOptions::find_long(std::string_view name) const {
  if (const RowOption* exact = find(name)) return exact;
  if (!abbreviates_ || name.empty() || name[0] == '-') return nullptr;
  const RowOption* only = nullptr;
  bool several = false;
  table().each_beginning_with(name, [&](const RowOption& option) {
    several = only != nullptr && only->names != option.names;
    only = &option;
    return !several;
  });
  return several ? nullptr : only;
}

std::vector<const RowOption*> RowOptions::beginning_with(std::string_view name) const {
  std::vector<const RowOption*> found;
  table().each_beginning_with(name, [&](const RowOption& option) {
    found.push_back(&option);
    return true;
  });
  return found;
}

// ---- operands ----

OperandKinds::OperandKinds(std::string_view text) {
  const std::size_t last = text.rfind(' ');
  const std::size_t equals = text.find('=', last == text.npos ? 0 : last);
  if (equals != text.npos && text.find('{', last == text.npos ? 0 : last) == text.npos) {
    instead_ = kind_text(text.substr(equals + 1));
    text = text.substr(0, equals);
  }
  for (std::string_view word = next(text); !word.empty(); word = next(text)) {
    One one;
    one.repeats = word.ends_with("...");
    if (one.repeats) word.remove_suffix(3);
    one.required = word.ends_with('+') && kind_named(word) == Kind::kBad;
    if (one.required) word.remove_suffix(1);
    one.kind = kind_text(word);
    one.repeats |= word == "copy" || word == "move" || word == "link" || word == "rcopy";
    all_.push_back(one);
  }
}

// ---- sets ----

bool fits_set(std::string_view set, std::string_view word) {
  set.remove_prefix(1);
  set.remove_suffix(set.ends_with('}') ? 1 : 0);
  const bool none = set.starts_with('!');
  if (none) set.remove_prefix(1);
  // A list: every word of it counts for itself.
  const char between = set.starts_with(',') ? ',' : set.starts_with(';') ? ' ' : '\0';
  if (between == '\0') return fits_any(set, word) != none;
  set.remove_prefix(1);
  while (true) {
    const std::size_t end = word.find(between);
    const std::string_view part = word.substr(0, end);
    if (fits_any(set, part) == none && (between == ',' || !part.empty())) return false;
    if (end == word.npos) return true;
    word.remove_prefix(end + 1);
  }
}

}  // namespace tollgate
