// sed: what a script does beside editing the text that goes through it.
// Read as GNU sed reads it, and refused wherever another sed could take it otherwise.
// INVARIANT: nothing goes on behind the end of a line without a backslash, so that every sed
// agrees where a line of commands begins.
// SAFETY: a command or a flag that is not on a list makes the script code.
#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "effects/programs/special.h"

namespace tollgate {
namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kBlanks = " \t";

class SedScript {
 public:
  explicit SedScript(std::string_view text) : rest_(text) {}

  // Nothing when it cannot be told.
  std::optional<std::vector<SedAct>> acts() {
    while (true) {
      skip_separators();
      if (rest_.empty()) return std::move(acts_);
      if (!addresses() || !command()) return std::nullopt;
    }
  }

 private:
  bool at(char c) const { return !rest_.empty() && rest_[0] == c; }
  bool at_any(std::string_view set) const {
    return !rest_.empty() && set.find(rest_[0]) != set.npos;
  }
  bool take(char c) {
    if (!at(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void skip(std::string_view set) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(set), rest_.size()));
  }

  void skip_separators() {
    while (at_any(" \t\r\n;}")) {
      if (at('\n')) labelled_ = false;
      rest_.remove_prefix(1);
    }
  }

  // To behind the next `end` that stands without a backslash, on this line.
  bool past(char end) {
    for (std::size_t i = 0; i < rest_.size() && rest_[i] != '\n'; ++i) {
      if (rest_[i] == end) {
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (rest_[i] == '\\' && !escape(i)) return false;
    }
    return false;
  }

  // The same for a regular expression, where brackets hide the end. Not for every sed: those that
  // disagree see a bracket without an end then, and refuse the script.
  bool past_expression(char end) {
    for (std::size_t i = 0; i < rest_.size() && rest_[i] != '\n'; ++i) {
      if (rest_[i] == end) {
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (rest_[i] == '\\') {
        if (!escape(i)) return false;
      } else if (rest_[i] == '[') {
        const std::size_t close = end_of_bracket(i);
        if (close == rest_.npos) return false;
        const std::string_view inside = rest_.substr(i + 1, close - i - 1);
        if (inside.find('\n') != inside.npos) return false;
        if (inside.find(end) != inside.npos && inside.find_first_of("[]\\") != inside.npos)
          return false;
        i = close;
      }
    }
    return false;
  }

  // Over a backslash and what it stands before.
  bool escape(std::size_t& i) const {
    ++i;
    return !labelled_ || i >= rest_.size() || rest_[i] != '\n';
  }

  std::size_t end_of_bracket(std::size_t open) const {
    std::size_t at = open + 1;
    if (at < rest_.size() && rest_[at] == '^') ++at;
    // A bracket in the first place is one of the letters.
    if (at < rest_.size() && rest_[at] == ']') ++at;
    while (at < rest_.size() && rest_[at] != ']') {
      const std::string_view here = rest_.substr(at);
      const bool nested =
          here.starts_with("[:") || here.starts_with("[.") || here.starts_with("[=");
      if (nested) {
        const char ends[] = {here[1], ']', '\0'};
        at = rest_.find(ends, at + 2);
        if (at == rest_.npos) return at;
        ++at;
      }
      ++at;
    }
    return at < rest_.size() ? at : rest_.npos;
  }

  bool addresses() {
    if (!address()) return false;
    skip(kBlanks);
    if (take(',')) {
      skip(kBlanks);
      if (at_any("+~")) rest_.remove_prefix(1);
      if (!address()) return false;
    }
    skip(" \t!");
    return true;
  }

  bool address() {
    if (take('$')) return true;
    if (at_any(kDigits)) {
      skip(kDigits);
      if (take('~')) skip(kDigits);
      return true;
    }
    char end = '/';
    if (take('\\')) {
      if (!delimiter(end)) return false;
    } else if (!take('/')) {
      return true;
    }
    if (!past_expression(end)) return false;
    skip("IM");
    return true;
  }

  bool delimiter(char& end) {
    if (rest_.empty() || at_any("\\\n") || static_cast<unsigned char>(rest_[0]) >= 0x80)
      return false;
    end = rest_[0];
    rest_.remove_prefix(1);
    return true;
  }

  bool command() {
    if (rest_.empty()) return true;
    const char name = rest_[0];
    rest_.remove_prefix(1);
    switch (name) {
      case '{':
        return true;
      case '#':
        rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
        return true;
      case 's':
      case 'y':
        return substitution(name);
      case 'a':
      case 'i':
      case 'c':
        return text();
      case 'b':
      case 't':
      case 'T':
      case ':':
      case 'v':
        return label();
      case 'r':
      case 'R':
        return file(SedAct::Kind::kReads);
      case 'w':
      case 'W':
        return file(SedAct::Kind::kWrites);
      case 'e':
        return runs();
      case 'q':
      case 'Q':
      case 'l':
        skip(kBlanks);
        skip(kDigits);
        return ends();
      default:
        return std::string_view("pPdD=nNgGhHxzF").find(name) != std::string_view::npos && ends();
    }
  }

  // To the end of the line; a backslash before that takes the next line along. At the end of the
  // script the text may stand in the next one, which is then read as commands all the same.
  bool text() {
    if (labelled_) return false;
    std::size_t i = 0;
    while (i < rest_.size() && rest_[i] != '\n') i += rest_[i] == '\\' ? 2 : 1;
    rest_.remove_prefix(std::min(i, rest_.size()));
    return true;
  }

  bool label() {
    skip(kBlanks);
    rest_.remove_prefix(static_cast<std::size_t>(
        std::ranges::find_if(rest_,
                             [](char c) {
                               return std::isalnum(static_cast<unsigned char>(c)) == 0 &&
                                      c != '_' && c != '.' && c != '-';
                             }) -
        rest_.begin()));
    // Some take what follows into the label: a comment, or the whole line.
    if (!ends() || at('#')) return false;
    labelled_ = !rest_.empty() && rest_[0] != '\n';
    return true;
  }

  bool substitution(char name) {
    char end = '/';
    if (!delimiter(end) || !past_expression(end) || !past(end)) return false;
    if (name == 's') skip("gpiIMm0123456789");
    if (name == 's' && take('w')) return file(SedAct::Kind::kWrites);
    return ends();
  }

  std::string_view rest_of_line() {
    skip(kBlanks);
    const std::string_view line = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(line.size());
    return line;
  }

  bool file(SedAct::Kind kind) {
    const std::string_view name = rest_of_line();
    acts_.push_back({kind, std::string(name)});
    return !name.empty();
  }

  // Without a text what runs is whatever was read.
  bool runs() {
    const std::string_view text = rest_of_line();
    acts_.push_back({SedAct::Kind::kRuns, std::string(text)});
    return !text.empty() && text.find_first_of(";}") != 0 && text.find('\\') == text.npos;
  }

  bool ends() {
    skip(" \t\r");
    return rest_.empty() || at_any("\n;}#");
  }

  std::string_view rest_;
  std::vector<SedAct> acts_;
  bool labelled_ = false;  // a label stands on this line, and more behind it
};

}  // namespace

std::optional<std::vector<SedAct>> read_sed(std::string_view script) {
  return SedScript(script).acts();
}

}  // namespace tollgate
