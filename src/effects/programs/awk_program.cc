// awk: whether a program only computes and prints, or could write, run or read something else.
// Tokens only, no grammar. Where awks disagree about a slash, every reading must be harmless.
// SAFETY: output goes by `>` and `|` behind print, input by getline; functions come from a list.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "effects/programs/special.h"

namespace tollgate {
namespace {

// Words that run or open something, change what is read next, or print the environment.
constexpr std::string_view kForbidden[] = {
    "system", "getline", "close",          "ENVIRON",   "ARGV",       "ARGC",
    "SYMTAB", "FUNCTAB", "bindtextdomain", "dcgettext", "dcngettext", "extension"};
// Functions and statements that stand directly before a parenthesis.
constexpr std::string_view kCalled[] = {
    "if",     "while",   "for",      "switch", "print",    "printf",  "return",  "exit",
    "delete", "in",      "else",     "case",   "do",       "length",  "substr",  "index",
    "split",  "sub",     "gsub",     "gensub", "match",    "sprintf", "toupper", "tolower",
    "int",    "sqrt",    "exp",      "log",    "sin",      "cos",     "atan2",   "rand",
    "srand",  "systime", "strftime", "mktime", "strtonum", "asort",   "asorti",  "patsplit",
    "and",    "or",      "xor",      "compl",  "lshift",   "rshift",  "isarray", "typeof",
    "mkbool", "fflush",  "intdiv",   "BEGIN",  "END"};

template <std::size_t N>
bool is_one_of(const std::string_view (&list)[N], std::string_view word) {
  return std::ranges::find(list, word) != std::end(list);
}

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// What stands before a token, as far as it tells what the token can be.
enum class Before : std::uint8_t {
  kOperator,  // nothing, an operator or a separator: an operand follows
  kWord,      // a name or a keyword
  kPrint,     // print or printf, with nothing behind it yet
  kOperand,   // a value, or `)`: an operator may follow, or another value
};

// Where the scan stands; copied where a slash has two meanings.
struct State {
  std::size_t at = 0;
  Before before = Before::kOperator;
  bool printing = false;   // behind print, and its end was not seen yet
  std::vector<char> open;  // parentheses and brackets; print itself stands in none
  int braces = 0;
};

class AwkProgram {
 public:
  explicit AwkProgram(std::string_view text) : text_(text) { gather_functions(); }

  bool is_harmless() { return scan(State()); }

 private:
  // LIMIT: readings of one program; more slashes of two meanings than that are not followed.
  static constexpr int kMostReadings = 256;

  bool scan(State state) {
    if (++readings_ > kMostReadings) return false;
    while (state.at < text_.size()) {
      const char c = text_[state.at];
      if (c == '/') return slash(state);
      if (!token(state, c)) return false;
    }
    return state.open.empty() && state.braces == 0;
  }

  bool token(State& state, char c) {
    switch (c) {
      case ' ':
      case '\t':
      case '\r':
        ++state.at;
        return true;
      case '\n':
        return end_of_line(state);
      case '#':
        return comment(state);
      case '"':
        return string(state);
      case '\\':
        // A line goes on.
        if (next(state, 1) != '\n') return false;
        state.at += 2;
        return true;
      case '{':
      case '}':
      case ';':
        return separator(state, c);
      case '(':
      case '[':
        state.open.push_back(c);
        state.before = Before::kOperator;
        ++state.at;
        return true;
      case ')':
      case ']':
        if (state.open.empty() || (state.open.back() == '(') != (c == ')')) return false;
        state.open.pop_back();
        state.before = Before::kOperand;
        ++state.at;
        return true;
      case '>':
        return greater(state);
      case '|':
        // One bar alone is a pipe.
        if (next(state, 1) != '|') return false;
        return operators(state, 2);
      case '&':
        if (next(state, 1) != '&') return false;
        return operators(state, 2);
      default:
        break;
    }
    if (begins_name(c)) return name(state);
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number(state);
    if (std::string_view("+-*%^!=<~?:,$").find(c) == std::string_view::npos) return false;
    // `a++` is a value, `++a` is not one yet: either way a slash behind it is doubtful.
    const bool step = (c == '+' || c == '-') && next(state, 1) == c;
    operators(state, step ? 2 : 1);
    if (step) state.before = Before::kOperand;
    return true;
  }

  char next(const State& state, std::size_t more) const {
    return state.at + more < text_.size() ? text_[state.at + more] : '\0';
  }

  static bool operators(State& state, std::size_t size) {
    state.at += size;
    state.before = Before::kOperator;
    return true;
  }

  bool end_of_line(State& state) {
    ++state.at;
    // Behind a comma or an operator the statement goes on.
    if (state.before == Before::kOperator) return true;
    if (!state.open.empty()) return false;
    state.printing = false;
    state.before = Before::kOperator;
    return true;
  }

  bool comment(State& state) {
    const std::size_t end = std::min(text_.find('\n', state.at), text_.size());
    // Whether a backslash makes the comment longer is not the same everywhere.
    if (text_[end - 1] == '\\') return false;
    state.at = end;
    return true;
  }

  bool string(State& state) {
    for (++state.at; state.at < text_.size(); ++state.at) {
      if (text_[state.at] == '\n') return false;
      if (text_[state.at] == '\\') {
        ++state.at;
      } else if (text_[state.at] == '"') {
        ++state.at;
        state.before = Before::kOperand;
        return true;
      }
    }
    return false;
  }

  bool separator(State& state, char c) {
    // In the head of a `for` a semicolon stands between parentheses.
    if (c != ';' && !state.open.empty()) return false;
    if (c == ';' && !state.open.empty() && (state.printing || state.open.size() != 1)) return false;
    if (c == '{') ++state.braces;
    if (c == '}' && --state.braces < 0) return false;
    state.printing = false;
    state.before = Before::kOperator;
    ++state.at;
    return true;
  }

  // Behind print it writes a file, unless parentheses make a comparison of it.
  bool greater(State& state) {
    if (!state.printing || !state.open.empty()) {
      if (next(state, 1) == '>') return false;
      return operators(state, 1);
    }
    for (const std::string_view stream : {"\"/dev/stderr\"", "\"/dev/stdout\""}) {
      const std::size_t from = text_.find_first_not_of(" \t", state.at + 1);
      if (from == text_.npos || !text_.substr(from).starts_with(stream)) continue;
      const std::size_t end = text_.find_first_not_of(" \t", from + stream.size());
      if (end != text_.npos && std::string_view(";}\n").find(text_[end]) == std::string_view::npos)
        return false;
      state.at = from + stream.size();
      state.before = Before::kOperand;
      return true;
    }
    return false;
  }

  bool name(State& state) {
    const std::size_t begin = state.at;
    while (state.at < text_.size() && in_name(text_[state.at])) ++state.at;
    const std::string_view word = text_.substr(begin, state.at - begin);
    if (is_one_of(kForbidden, word)) return false;
    if (next(state, 0) == '(' && !is_one_of(kCalled, word) &&
        std::ranges::find(functions_, word) == functions_.end())
      return false;
    if (word == "print" || word == "printf") {
      if (!state.open.empty()) return false;
      state.printing = true;
      state.before = Before::kPrint;
    } else {
      state.before = Before::kWord;
    }
    return true;
  }

  // Letters directly behind a number are a name of their own, unless they are its exponent.
  bool number(State& state) {
    const auto digits = [&](std::string_view set) {
      const std::size_t from = state.at;
      state.at = std::min(text_.find_first_not_of(set, state.at), text_.size());
      return state.at > from;
    };
    digits("0123456789.");
    state.before = Before::kOperand;
    if (next(state, 0) == 'e' || next(state, 0) == 'E') {
      ++state.at;
      if (next(state, 0) == '-' || next(state, 0) == '+') ++state.at;
      if (!digits("0123456789")) return false;
    }
    return !in_name(next(state, 0));
  }

  // Behind a value a slash divides, elsewhere a pattern begins; behind most things either may be
  // meant, and then both ways have to be harmless.
  bool slash(const State& state) {
    const bool may_divide = state.before == Before::kOperand || state.before == Before::kWord;
    if (may_divide) {
      State divides = state;
      operators(divides, 1);
      if (!scan(std::move(divides))) return false;
    }
    return pattern(state, may_divide);
  }

  // A bracket may or may not hide the slash that ends a pattern.
  bool pattern(State state, bool doubtful) {
    bool bracket = false;
    for (++state.at; state.at < text_.size(); ++state.at) {
      const char c = text_[state.at];
      if (c == '\n') break;
      bracket = bracket || c == '[';
      if (c == '\\') {
        ++state.at;
      } else if (c == '/') {
        State behind = state;
        ++behind.at;
        behind.before = Before::kOperand;
        if (!scan(std::move(behind))) return false;
        if (!bracket) return true;
        doubtful = true;
      }
    }
    // A pattern without an end is an error, and nothing runs.
    return doubtful;
  }

  void gather_functions() {
    for (const std::string_view keyword : {"function ", "func ", "function\t", "func\t"})
      for (std::size_t at = text_.find(keyword); at != text_.npos;
           at = text_.find(keyword, at + 1)) {
        const std::size_t begin =
            std::min(text_.find_first_not_of(" \t", at + keyword.size()), text_.size());
        std::size_t end = begin;
        while (end < text_.size() && in_name(text_[end])) ++end;
        functions_.push_back(text_.substr(begin, end - begin));
      }
  }

  std::string_view text_;
  std::vector<std::string_view> functions_;
  int readings_ = 0;
};

}  // namespace

bool is_harmless_awk(std::string_view program) { return AwkProgram(program).is_harmless(); }

}  // namespace tollgate
