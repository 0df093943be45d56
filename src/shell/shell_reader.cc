// One pass over the text, left to right, with no look back.
// It takes the small part of the language that every shell a client may use reads alike.
// INVARIANT: every byte is either part of a command that was read or inside an Unknown's span.
#include "shell/shell_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace tollgate {
namespace {

// Words that are grammar when they stand first and unquoted: bash's own, and those of zsh and
// fish that would make another program run than the one bash looks for.
constexpr std::array<std::string_view, 27> kKeywords = {
    "if",   "then", "else", "elif",   "fi",       "for",    "while",   "until",  "do",
    "done", "case", "esac", "select", "function", "time",   "in",      "coproc", "-",
    "end",  "and",  "or",   "not",    "begin",    "repeat", "foreach", "noglob", "nocorrect",
};

constexpr std::size_t kMaxText = std::size_t{1} << 31;

struct Refusal {
  std::uint32_t at = 0;
  std::string why;
};

constexpr bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

// Stands for itself in every position of a word but where the reader says otherwise.
constexpr bool is_plain(char c) {
  return is_name_start(c) || is_digit(c) ||
         std::string_view("./:=@%+,-^").find(c) != std::string_view::npos;
}

constexpr bool ends_word(char c) {
  return is_blank(c) || c == '\n' || c == ';' || c == '|' || c == '&';
}

std::string_view why_not(char c) {
  switch (c) {
    case '*':
    case '?':
    case '[':
    case ']':
      return "a glob";
    case '$':
      return "an expansion";
    case '`':
      return "a command substitution";
    case '<':
    case '>':
      return "a redirection";
    case '(':
    case ')':
      return "a subshell or function";
    case '{':
    case '}':
      return "braces";
    case '&':
      return "a command in the background";
    case '#':
      return "a comment";
    case '!':
      return "an exclamation mark";
    case '~':
      return "a tilde that is not the home directory";
    case '=':
      return "an equals sign at the beginning of a word";
    case '%':
      return "a job number";
    case '\\':
      return "a backslash";
    default:
      break;
  }
  if (static_cast<unsigned char>(c) >= 0x80) return "a character outside ASCII that is not quoted";
  if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return "a control character";
  return "a character that is not understood";
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  ShellReading read() && {
    while (true) {
      skip_blanks(Newlines::kSkip);
      if (at_end()) {
        if (needs_command_) refuse(at_, "an operator with nothing after it");
        break;
      }
      if (!read_command() || !read_joint()) break;
    }
    finish();
    return std::move(out_);
  }

 private:
  enum class Newlines { kKeep, kSkip };

  bool at_end() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // Between commands a newline means nothing more; between words it ends the command.
  void skip_blanks(Newlines newlines) {
    while (!at_end() && (is_blank(peek()) || (newlines == Newlines::kSkip && peek() == '\n')))
      ++at_;
  }

  // False once something was refused; the words before it are kept.
  bool read_command() {
    SimpleCommand command{.joint = joint_, .words = {}, .span = {at_, 0}};
    bool going = true;
    while (going && !at_end() && !ends_word(peek())) {
      going = read_word(command);
      if (going) skip_blanks(Newlines::kKeep);
    }
    if (going && command.words.empty()) going = refuse(at_, "an operator where a command must be");
    if (command.words.empty()) return false;
    command.complete = going;
    command.span.size = command.words.back().span.end() - command.span.begin;
    out_.commands.push_back(std::move(command));
    needs_command_ = false;
    return going;
  }

  bool read_joint() {
    if (at_end()) return true;
    const char c = peek();
    if (c == '\n') return take(Joint::kNext, 1);
    if (c == ';' && peek(1) != ';' && peek(1) != '&' && peek(1) != '|')
      return take(Joint::kNext, 1);
    if (c == '&' && peek(1) == '&') return take(Joint::kAnd, 2);
    if (c == '|' && peek(1) == '|') return take(Joint::kOr, 2);
    if (c == '|' && peek(1) != '&') {
      out_.commands.back().piped = true;
      return take(Joint::kPipe, 1);
    }
    return refuse(at_, c == '&' ? std::string(why_not(c)) : "an operator that is not understood");
  }

  bool take(Joint joint, std::uint32_t size) {
    joint_ = joint;
    at_ += size;
    needs_command_ = joint != Joint::kNext;
    return true;
  }

  bool read_word(SimpleCommand& command) {
    ShellWord word{.text = {}, .span = {at_, 0}};
    quoted_ = false;
    bool going = check_beginning(command, word);
    while (going && !at_end() && !ends_word(peek())) going = read_piece(word);
    word.span.size = at_ - word.span.begin;
    word.known = going;
    if (going && command.words.empty() && !check_first(word)) return false;
    // A word that begins with what was refused says nothing of itself, yet it stands there.
    if (word.span.size > 0 || !command.words.empty()) command.words.push_back(std::move(word));
    return going;
  }

  bool check_beginning(const SimpleCommand& command, ShellWord& word) {
    const char c = peek();
    if (c == '=') return refuse(at_, std::string(why_not(c)));
    if (c == '%' && command.words.empty()) return refuse(at_, std::string(why_not(c)));
    if (c != '~') return true;
    const bool home = at_ + 1 >= text_.size() || peek(1) == '/' || ends_word(peek(1));
    if (!home) return refuse(at_, std::string(why_not(c)));
    word.tilde = true;
    word.text += c;
    ++at_;
    return true;
  }

  bool read_piece(ShellWord& word) {
    const char c = peek();
    if (c == '\'') return read_quoted(word, "");
    if (c == '"') return read_quoted(word, "$`\\!");
    if (c == '\\') return read_escaped(word);
    const bool tilde = c == '~' && !word.text.empty() && text_[at_ - 1] != '=' &&
                       text_[at_ - 1] != ':' && !quoted_;
    if (!is_plain(c) && !tilde) return refuse(at_, std::string(why_not(c)));
    word.text += c;
    ++at_;
    return true;
  }

  bool read_quoted(ShellWord& word, std::string_view special) {
    const std::uint32_t open = at_;
    const char quote = peek();
    for (std::size_t i = open + 1; i < text_.size(); ++i) {
      const char c = text_[i];
      if (c == quote) {
        quoted_ = true;
        word.text.append(text_.substr(open + 1, i - open - 1));
        at_ = static_cast<std::uint32_t>(i + 1);
        return true;
      }
      if (c == '\0' || special.find(c) != std::string_view::npos) {
        word.text.append(text_.substr(open + 1, i - open - 1));
        at_ = static_cast<std::uint32_t>(i);
        return refuse(at_, std::string(why_not(c)));
      }
    }
    return refuse(open, "a quote that is never closed");
  }

  bool read_escaped(ShellWord& word) {
    const char c = peek(1);
    if (at_ + 1 >= text_.size()) return refuse(at_, "a backslash at the end");
    if (c == '\n') return refuse(at_, "a line continuation");
    if (static_cast<unsigned char>(c) >= 0x7f || static_cast<unsigned char>(c) < 0x20)
      return refuse(at_, std::string(why_not(c)));
    quoted_ = true;
    word.text += c;
    at_ += 2;
    return true;
  }

  // Keywords and assignments are what they are only when nothing in them is quoted.
  bool check_first(const ShellWord& word) {
    const std::string_view written = text_.substr(word.span.begin, word.span.size);
    if (std::ranges::find(kKeywords, written) != kKeywords.end())
      return refuse(word.span.begin, "the keyword `" + std::string(written) + "`");
    if (!is_name_start(written[0])) return true;
    std::size_t i = 1;
    while (i < written.size() && (is_name_start(written[i]) || is_digit(written[i]))) ++i;
    if (i < written.size() && written[i] == '+') ++i;
    if (i < written.size() && written[i] == '=') return refuse(word.span.begin, "an assignment");
    return true;
  }

  // Always false, so that a reader can say `return refuse(…)`.
  bool refuse(std::uint32_t at, std::string why) {
    refusal_ = Refusal{at, std::move(why)};
    return false;
  }

  void finish() {
    auto& commands = out_.commands;
    for (std::size_t i = 1; i < commands.size(); ++i)
      if (commands[i].joint == Joint::kPipe) commands[i].piped = true;
    if (!refusal_) return;
    const auto size = static_cast<std::uint32_t>(text_.size()) - refusal_->at;
    out_.unknowns.push_back({{refusal_->at, size}, std::move(refusal_->why)});
  }

  std::string_view text_;
  std::uint32_t at_ = 0;
  Joint joint_ = Joint::kNext;
  bool needs_command_ = false;
  bool quoted_ = false;  // of the word being read: some of it was
  std::optional<Refusal> refusal_;
  ShellReading out_;
};

}  // namespace

ShellReading read_shell(std::string_view text) {
  // LIMIT: spans are 32 bits wide; what they cannot point into is not read at all.
  if (text.size() >= kMaxText) return {.commands = {}, .unknowns = {{{}, "a text without end"}}};
  return Reader(text).read();
}

std::string dump(const ShellReading& reading) {
  std::string out;
  for (const SimpleCommand& command : reading.commands) {
    constexpr std::array<std::string_view, 4> kJoints = {" ; ", " && ", " || ", " | "};
    if (!out.empty()) out += kJoints[static_cast<std::size_t>(command.joint)];
    out += "cmd(";
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      const ShellWord& word = command.words[i];
      if (i > 0) out += ',';
      if (word.tilde) out += "HOME:";
      out += word.text;
      if (!word.known) out += "...";
    }
    out += command.complete ? ")" : ",...)";
  }
  for (const ShellUnknown& unknown : reading.unknowns) {
    if (!out.empty()) out += ' ';
    out += "?(" + unknown.why + ")";
  }
  return out;
}

}  // namespace tollgate
