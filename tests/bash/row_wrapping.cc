#include "bash/row_wrapping.h"

#include <algorithm>

namespace tollgate::bash {
namespace {

bool is_plain(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./,:+@%").find(c) != std::string_view::npos;
  };
  return !word.empty() && std::ranges::all_of(word, plain);
}

std::string quoted(const std::string& word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string double_quoted(const std::string& word) {
  std::string out = "\"";
  for (const char c : word) {
    if (std::string_view("$`\"\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string as_c(const std::string& word) {
  std::string out = "$'";
  for (const char c : word) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '\'' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "'";
}

class Wrapper {
 public:
  explicit Wrapper(Random& random) : random_(random) {}

  Wrapped wrap(const Words& words) {
    if (chance(random_, 15))
      gather(words);
    else
      simple(words);
    for (std::size_t i = below(random_, 3); i > 0; --i) enclose();
    out_.text = before_ + out_.text;
    return std::move(out_);
  }

 private:
  std::size_t pick(std::size_t limit) { return below(random_, limit); }
  std::string name() { return "v" + std::to_string(++names_); }

  // A name that bash must see bare, since quotes would make another command of it.
  std::string spelled_name(const std::string& word) {
    constexpr std::string_view kWords[] = {"time", "function", "coproc", "[["};
    if (std::ranges::find(kWords, word) != std::end(kWords)) return word;
    return spelled(word);
  }

  std::string spelled(const std::string& word) {
    switch (pick(10)) {
      case 0:
        return quoted(word);
      case 1:
        return double_quoted(word);
      case 2:
        return as_c(word);
      case 3: {
        const std::size_t at = pick(word.size() + 1);
        return quoted(word.substr(0, at)) + double_quoted(word.substr(at));
      }
      case 4: {
        const std::string variable = name();
        before_ += variable + "=" + quoted(word) + (chance(random_, 50) ? "; " : "\n");
        return "\"$" + variable + "\"";
      }
      case 5:
        if (is_plain(word)) return "\\" + word.substr(0, 1) + word.substr(1);
        break;
      default:
        break;
    }
    return is_plain(word) ? word : quoted(word);
  }

  // One simple command, perhaps behind a wrapper and with a redirection.
  void simple(const Words& words) {
    std::string text = spelled_name(words[0]);
    for (std::size_t i = 1; i < words.size(); ++i)
      text += (chance(random_, 4) ? " \\\n " : " ") + spelled(words[i]);
    if (chance(random_, 30)) {
      constexpr std::string_view kPrograms[] = {"env ",        "env LC_ALL=C ", "timeout 5 ",
                                                "nice ",       "nice -n 5 ",    "nohup ",
                                                "stdbuf -oL ", "setsid ",       "timeout -k 1 9 "};
      text = std::string(kPrograms[pick(std::size(kPrograms))]) + text;
      out_.by_program = true;
    } else if (chance(random_, 10)) {
      text = "command " + text;
    }
    constexpr std::string_view kRedirections[] = {" >/dev/null", " 2>&1", " 2>/dev/null",
                                                  " >/dev/null 2>&1", " &>/dev/null"};
    if (chance(random_, 15)) text += kRedirections[pick(std::size(kRedirections))];
    if (chance(random_, 4)) {
      text = "{ " + text + " <<'END'\nsome text\nEND\n}";
      out_.keeps_input = false;
    }
    if (chance(random_, 5)) text += " # " + std::string("as it's said");
    out_.text = text.find('#') == text.npos ? text : text + "\n";
    is_command_ = text.find('#') == text.npos;
  }

  // The words first, then all of them as a command.
  void gather(const Words& words) {
    std::string all;
    for (const std::string& word : words) all += (all.empty() ? "" : " ") + quoted(word);
    is_command_ = false;
    switch (pick(3)) {
      case 0:
        out_.text = "a=(" + all + "); \"${a[@]}\"";
        break;
      case 1:
        out_.text = "set -- " + all + "; \"$@\"";
        break;
      default:
        out_.text = "f1() { \"$@\"; }; f1 " + all;
        break;
    }
  }

  std::string command() const { return is_command_ ? out_.text : "{ " + out_.text + "\n}"; }

  void enclose() {
    const std::string one = command();
    const std::string any = out_.text;
    const std::string end = "END" + std::to_string(++names_);
    bool is_command = false;
    std::string text;
    switch (pick(24)) {
      case 0:
        text = one + " || true";
        break;
      case 1:
        text = one + " && true";
        break;
      case 2:
        text = "true && " + one;
        break;
      case 3:
        text = one + "\ntrue";
        break;
      case 4:
        text = "( " + any + "\n)";
        is_command = true;
        break;
      case 5:
        text = "{ " + any + "\n}";
        is_command = true;
        break;
      case 6:
        text = "if true; then " + any + "\nfi";
        is_command = true;
        break;
      case 7:
        text = "for i in a; do " + any + "\ndone";
        is_command = true;
        break;
      case 8:
        text = "while true; do " + any + "\nbreak; done";
        is_command = true;
        break;
      case 9:
        text = "case a in a) " + any + "\n;; esac";
        is_command = true;
        break;
      case 10: {
        const std::string function = "g" + std::to_string(++names_);
        text = function + "() { " + any + "\n}; " + function;
        break;
      }
      case 11:
        text = name() + "=$( " + any + "\n)";
        break;
      case 12:
        text = "[[ -n \"$( " + any + "\n)\" ]]";
        break;
      case 13:
        text = one + " | cat";
        break;
      case 14:
        text = "if " + one + "; then :; fi";
        is_command = true;
        break;
      case 15:
        text = "! " + one;
        break;
      case 16:
        // Where a substitution begins with it, what follows is no keyword for every bash.
        text = ":; time " + one;
        break;
      case 17:
        text = "eval " + quoted(any);
        break;
      case 18:
        text = before_ + out_.text;
        before_.clear();
        text = "bash -c " + quoted(text);
        break;
      case 19:
        text = "cat <<" + end + "\n$( " + any + "\n)\n" + end + "\n";
        break;
      case 20:
        text = "echo a | " + one;
        out_.keeps_input = false;
        break;
      case 21:
        text = one + " &\nwait";
        out_.keeps_input = false;
        break;
      case 22:
        text = "{ " + any + "\n} >/dev/null";
        is_command = true;
        break;
      default:
        text = "echo a; " + one;
        break;
    }
    out_.text = text;
    is_command_ = is_command;
  }

  Random& random_;
  Wrapped out_;
  std::string before_;  // assignments
  bool is_command_ = true;
  int names_ = 0;
};

}  // namespace

std::string plainly(const Words& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : " ") + (is_plain(word) ? word : quoted(word));
  return text;
}

Wrapped wrapped(const Words& words, Random& random) { return Wrapper(random).wrap(words); }

}  // namespace tollgate::bash
