// jq and yq: whether a filter only looks at the documents it is given.
// Names decide: those that read the environment or other files. A name behind a dot or in the
// place of a key is a field and means nothing; what `\( )` holds inside a string is a filter again.
// SAFETY: a text that is no plain sequence of tokens is refused. The yq that is no jq takes quotes
// and number signs into a field's name, so those are refused wherever it could.
#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>
#include <vector>

#include "effects/programs/special.h"

namespace tollgate {
namespace {

constexpr std::string_view kJqForbidden[] = {"env",    "ENV",        "include",
                                             "import", "modulemeta", "get_search_list"};
// One of the programs called yq finds a function's name inside a longer word, too.
constexpr std::string_view kYqForbidden[] = {"env",    "ENV",    "load",   "eval",
                                             "system", "import", "include"};

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Filter {
 public:
  Filter(std::string_view text, bool yq) : text_(text), yq_(yq) {}

  bool is_harmless() {
    while (at_ < text_.size())
      if (!token()) return false;
    return open_.empty();
  }

 private:
  // What is open around the token: a bracket, or `"` for a string that a filter stands in.
  bool token() {
    const char c = text_[at_];
    if (begins_name(c)) return name();
    switch (c) {
      case '"':
        if (yq_ && !is_plain_string()) return false;
        ++at_;
        return string();
      case '#':
        return !yq_ && comment();
      case '(':
      case '[':
      case '{':
        open_.push_back(c);
        before_ = c;
        ++at_;
        return true;
      case ')':
      case ']':
      case '}':
        return close(c);
      case '\\':
      case '`':
        return false;
      default:
        break;
    }
    // Two dots are an operator, and what follows them is no field.
    if (c == '.' && before_ == '.' && text_[at_ - 1] == '.')
      before_ = ' ';
    else if (std::isspace(static_cast<unsigned char>(c)) == 0 || before_ == '.')
      before_ = std::isspace(static_cast<unsigned char>(c)) == 0 ? c : ' ';
    ++at_;
    return true;
  }

  bool close(char c) {
    const char wanted = c == ')' ? '(' : c == ']' ? '[' : '{';
    ++at_;
    before_ = c;
    if (open_.empty()) return false;
    const char top = open_.back();
    open_.pop_back();
    if (top == wanted) return true;
    // The end of `\( )`: the string goes on.
    return top == '"' && c == ')' && string();
  }

  // No field before it goes on with the quote, and none inside it ends early.
  bool is_plain_string() const {
    if (at_ > 0 &&
        std::string_view(" \n;{}:[],|.()=").find(text_[at_ - 1]) == std::string_view::npos)
      return false;
    const std::size_t end = text_.find('"', at_ + 1);
    if (end == text_.npos) return false;
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    const bool field = at_ > 0 && text_[at_ - 1] == '.';
    return inside.find('\\') == inside.npos &&
           (!field || std::ranges::all_of(inside, [](char c) { return in_name(c) || c == '-'; }));
  }

  bool string() {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        before_ = '"';
        return true;
      }
      if (text_[at_] != '\\') continue;
      ++at_;
      if (at_ < text_.size() && text_[at_] == '(') {
        ++at_;
        open_.push_back('"');
        before_ = '(';
        return true;
      }
    }
    return false;
  }

  bool comment() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    // Whether a backslash makes the comment longer is not the same everywhere.
    if (text_[end - 1] == '\\' || text_.substr(at_, end - at_).ends_with("\\\r")) return false;
    at_ = end;
    return true;
  }

  bool name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    const bool harmless = is_field() || is_key() || !is_forbidden(word);
    before_ = 'a';
    return harmless;
  }

  bool is_field() const { return before_ == '.'; }

  // `{name: …}` and `{name}`.
  bool is_key() const {
    if (open_.empty() || open_.back() != '{' || (before_ != '{' && before_ != ',')) return false;
    const std::size_t next = text_.find_first_not_of(" \t\r\n", at_);
    if (next == text_.npos) return false;
    if (text_[next] == ':') return !text_.substr(next).starts_with("::");
    return !yq_ && (text_[next] == ',' || text_[next] == '}');
  }

  bool is_forbidden(std::string_view word) const {
    if (yq_)
      return std::ranges::any_of(kYqForbidden,
                                 [&](std::string_view one) { return word.find(one) != word.npos; });
    return std::ranges::find(kJqForbidden, word) != std::end(kJqForbidden);
  }

  std::string_view text_;
  bool yq_;
  std::size_t at_ = 0;
  char before_ = ' ';       // the last letter of the token before this one
  std::vector<char> open_;  // brackets, and strings around a filter
};

}  // namespace

bool is_harmless_jq(std::string_view filter) { return Filter(filter, false).is_harmless(); }
bool is_harmless_yq(std::string_view filter) { return Filter(filter, true).is_harmless(); }

}  // namespace tollgate
