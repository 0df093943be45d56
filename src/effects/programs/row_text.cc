// Reads a row's operands and options.
// A row is plain text so that it can be written by hand; this is the only reader of it.
#include "effects/programs/row_text.h"

#include <algorithm>
#include <iterator>

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

// The kind of a value, off the front; it ends at one of `ends`, which a set may hold as well.
std::string_view take_kind(std::string_view& rest, std::string_view ends) {
  const std::size_t from = rest.starts_with('{') ? std::min(rest.find('}'), rest.size()) : 0;
  const std::size_t end = std::min(rest.find_first_of(ends, from), rest.size());
  const std::string_view kind = rest.substr(0, end);
  rest.remove_prefix(end);
  return kind;
}

Option option_of(std::string_view entry) {
  Option option;
  const std::size_t end = std::min(entry.find_first_of(":?!@&^*/", 1), entry.size());
  option.names = entry.substr(0, end);
  std::string_view rest = entry.substr(end);
  if (!rest.empty() && (rest[0] == ':' || rest[0] == '?')) {
    option.takes = rest[0];
    rest.remove_prefix(1);
    option.kind = take_kind(rest, ":!@&^*/");
    option.two = rest.starts_with(':');
    if (option.two) {
      rest.remove_prefix(1);
      option.second = take_kind(rest, "!@&^*/");
    }
  }
  for (const char mark : rest) {
    option.tree |= mark == '!';
    option.follows |= mark == '@';
    option.links |= mark == '&';
    option.more |= mark == '^';
    option.anywhere |= mark == '/';
    option.star |= mark == '*';
  }
  return option;
}

bool fits_any(std::string_view set, std::string_view word) {
  while (true) {
    const std::size_t comma = set.find(',');
    if (name_fits(set.substr(0, comma), word)) return true;
    if (comma == set.npos) return false;
    set.remove_prefix(comma + 1);
  }
}

}  // namespace

Kind kind_named(std::string_view name) {
  const auto* found = std::ranges::find(kKinds, name, &KindName::name);
  return found == std::end(kKinds) ? Kind::kBad : found->kind;
}

// ---- options ----

bool Option::has(std::string_view name) const {
  std::string_view rest = names;
  while (true) {
    const std::size_t comma = rest.find(',');
    if (rest.substr(0, comma) == name) return true;
    if (comma == rest.npos) return false;
    rest.remove_prefix(comma + 1);
  }
}

Options::Options(std::string_view text) : text_(text) {
  while (true) {
    std::string_view rest = text_;
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
      return;
    text_ = rest;
  }
}

std::optional<Option> Options::find(std::string_view name) const {
  std::string_view rest = text_;
  // Most names occur nowhere else, so a plain search settles most questions.
  if (rest.find(name) == rest.npos) return std::nullopt;
  for (std::string_view entry = next(rest); !entry.empty(); entry = next(rest))
    if (const Option option = option_of(entry); option.has(name)) return option;
  return std::nullopt;
}

std::optional<Option> Options::find_long(std::string_view name) const {
  if (auto exact = find(name)) return exact;
  if (!abbreviates_ || name.empty()) return std::nullopt;
  std::optional<Option> only;
  std::string_view rest = text_;
  for (std::string_view entry = next(rest); !entry.empty(); entry = next(rest)) {
    const Option option = option_of(entry);
    std::string_view names = option.names;
    while (!names.empty()) {
      const std::size_t comma = std::min(names.find(','), names.size());
      const std::string_view one = names.substr(0, comma);
      if (one.size() > 1 && one[0] != '-' && one.starts_with(name)) {
        if (only && only->names != option.names) return std::nullopt;
        only = option;
      }
      names.remove_prefix(std::min(comma + 1, names.size()));
    }
  }
  return only;
}

bool Options::has_star() const {
  if (text_.find('*') == text_.npos) return false;
  std::string_view rest = text_;
  for (std::string_view entry = next(rest); !entry.empty(); entry = next(rest))
    if (option_of(entry).star) return true;
  return false;
}

// ---- operands ----

Operands::Operands(std::string_view text) {
  const std::size_t last = text.rfind(' ');
  const std::size_t equals = text.find('=', last == text.npos ? 0 : last);
  if (equals != text.npos && text.find('{', last == text.npos ? 0 : last) == text.npos) {
    instead_ = text.substr(equals + 1);
    text = text.substr(0, equals);
  }
  text_ = text;
  advance();
}

std::string_view Operands::take() {
  const std::string_view kind = now_;
  any_ = true;
  required_ = false;
  reached_ = reached_ || at_last();
  if (!repeats_) advance();
  return kind;
}

void Operands::advance() {
  now_ = next(text_);
  repeats_ = now_.ends_with("...");
  if (repeats_) now_.remove_suffix(3);
  required_ = now_.ends_with('+') && kind_named(now_) == Kind::kBad;
  if (required_) now_.remove_suffix(1);
  repeats_ |= now_ == "copy" || now_ == "move" || now_ == "link" || now_ == "rcopy";
}

bool Operands::lacks() const {
  Operands rest = *this;
  while (!rest.now_.empty()) {
    if (rest.required_) return true;
    rest.advance();
  }
  return false;
}

// ---- sets ----

bool fits_set(std::string_view set, std::string_view word) {
  set.remove_prefix(1);
  set.remove_suffix(set.ends_with('}') ? 1 : 0);
  const bool none = set.starts_with('!');
  if (none) set.remove_prefix(1);
  if (!set.starts_with(',')) return fits_any(set, word) != none;
  // A list: every word of it counts for itself.
  set.remove_prefix(1);
  while (true) {
    const std::size_t comma = word.find(',');
    if (fits_any(set, word.substr(0, comma)) == none) return false;
    if (comma == word.npos) return true;
    word.remove_prefix(comma + 1);
  }
}

}  // namespace tollgate
