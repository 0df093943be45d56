// The reader follows git's own, character by character; the table has one row a kind of setting.
// A row that is missing makes `git status` run a stranger's program: add rows, think before leaving
// one out.
#include "service/git_settings.h"

#include <algorithm>

#include "base/text.h"

namespace tollgate {
namespace {

bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_key_character(char c) { return is_letter(c) || is_digit(c) || c == '-'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class SettingsReader {
 public:
  explicit SettingsReader(std::string_view text) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  }

  std::optional<std::vector<GitSetting>> read() {
    while (at_ < text_.size()) {
      const char c = next();
      if (is_blank(c)) continue;
      if (c == '#' || c == ';') {
        skip_line();
      } else if (c == '[') {
        if (!header()) return std::nullopt;
      } else if (!is_letter(c) || header_.empty() || !setting(c)) {
        return std::nullopt;
      }
    }
    return std::move(found_);
  }

 private:
  // A carriage return before the end of a line is no part of it; the end of the text ends a line.
  char next() {
    if (at_ >= text_.size()) {
      ++at_;
      return '\n';
    }
    if (text_[at_] == '\r' && at_ + 1 < text_.size() && text_[at_ + 1] == '\n') ++at_;
    return text_[at_++];
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\n'; }

  void skip_line() {
    while (next() != '\n') {
    }
  }

  // `[section]`, `[section.sub]` or `[section "sub"]`; the last keeps its case.
  bool header() {
    header_.clear();
    for (;;) {
      const char c = next();
      if (c == ']') return !header_.empty();
      if (is_blank(c)) return c != '\n' && quoted_part();
      if (!is_key_character(c) && c != '.') return false;
      header_ += lower(c);
    }
  }

  bool quoted_part() {
    while (peek() == ' ' || peek() == '\t') next();
    if (next() != '"') return false;
    header_ += '.';
    for (;;) {
      char c = next();
      if (c == '\n') return false;
      if (c == '"') return next() == ']';
      if (c == '\\') c = next();
      if (c == '\n') return false;
      header_ += c;
    }
  }

  bool setting(char first) {
    std::string key(1, lower(first));
    while (is_key_character(peek())) key += lower(next());
    while (peek() == ' ' || peek() == '\t') next();
    GitSetting one = named(header_ + '.' + key);
    const char c = next();
    if (c != '\n') {
      if (c != '=') return false;
      one.value = value();
      if (!one.value) return false;
    }
    found_.push_back(std::move(one));
    return true;
  }

  // The first dot ends the section and the last one begins the key, wherever they were written.
  static GitSetting named(const std::string& name) {
    const std::size_t first = name.find('.'), last = name.rfind('.');
    GitSetting one;
    one.section = name.substr(0, first);
    if (last > first) one.subsection = name.substr(first + 1, last - first - 1);
    one.key = name.substr(last + 1);
    return one;
  }

  std::optional<std::string> value() {
    std::string out;
    std::size_t trimmed = 0;  // `out` up to the last character that is no trailing blank
    bool quoted = false;
    for (;;) {
      char c = next();
      if (c == '\0') return std::nullopt;
      if (c == '\n') {
        if (quoted) return std::nullopt;
        out.resize(trimmed);
        return out;
      }
      if (is_blank(c) && !quoted) {
        if (!out.empty()) out += c;
        continue;
      }
      if (!quoted && (c == '#' || c == ';')) {
        skip_line();
        out.resize(trimmed);
        return out;
      }
      if (c == '"') {
        quoted = !quoted;
        trimmed = out.size();
        continue;
      }
      if (c == '\\') {
        c = next();
        trimmed = out.size();
        if (c == '\n') continue;
        const auto escaped = unescaped(c);
        if (!escaped) return std::nullopt;
        c = *escaped;
      }
      out += c;
      trimmed = out.size();
    }
  }

  static std::optional<char> unescaped(char c) {
    switch (c) {
      case 't':
        return '\t';
      case 'b':
        return '\b';
      case 'n':
        return '\n';
      case '\\':
      case '"':
        return c;
      default:
        return std::nullopt;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string header_;  // section and subsection, as git joins them
  std::vector<GitSetting> found_;
};

// What may stand there without naming a stranger's program.
enum class Unless : std::uint8_t {
  kEmpty,    // nothing but an empty value
  kBoolean,  // a switch
  kPager,    // a switch, `cat` or `less`
  kHooks,    // husky's directory or the repository's own
  kLfs,      // exactly what git-lfs writes
  kNoShell,  // anything without `!` in front
  kHelper,   // the name of one of git's own helpers, with plain options
  kNever,    // `never`
  kNothing,  // nothing: it leads elsewhere
};

struct Row {
  std::string_view section;
  std::string_view subsection;  // "": none; "*": any; "?": any or none; "x*": begins so
  std::string_view key;         // "*": any
  Unless fine;
};

constexpr Row kRows[] = {
    {"core", "", "fsmonitor", Unless::kBoolean},
    {"core", "", "hookspath", Unless::kHooks},
    {"core", "", "pager", Unless::kPager},
    {"core", "", "sshcommand", Unless::kEmpty},
    {"core", "", "editor", Unless::kEmpty},
    {"core", "", "askpass", Unless::kEmpty},
    {"core", "", "gitproxy", Unless::kEmpty},
    {"core", "", "alternaterefscommand", Unless::kEmpty},
    {"sequence", "", "editor", Unless::kEmpty},
    {"pager", "?", "*", Unless::kPager},
    {"diff", "", "external", Unless::kEmpty},
    {"diff", "*", "command", Unless::kEmpty},
    {"diff", "*", "textconv", Unless::kEmpty},
    {"filter", "*", "clean", Unless::kLfs},
    {"filter", "*", "smudge", Unless::kLfs},
    {"filter", "*", "process", Unless::kLfs},
    {"merge", "*", "driver", Unless::kEmpty},
    {"alias", "?", "*", Unless::kNoShell},
    {"hook", "*", "command", Unless::kEmpty},
    {"gpg", "?", "program", Unless::kEmpty},
    {"gpg", "?", "defaultkeycommand", Unless::kEmpty},
    {"credential", "?", "helper", Unless::kHelper},
    {"interactive", "", "difffilter", Unless::kEmpty},
    {"remote", "*", "uploadpack", Unless::kEmpty},
    {"remote", "*", "receivepack", Unless::kEmpty},
    {"remote", "*", "vcs", Unless::kEmpty},
    {"trailer", "*", "command", Unless::kEmpty},
    {"trailer", "*", "cmd", Unless::kEmpty},
    {"tar", "*", "command", Unless::kEmpty},
    {"uploadpack", "", "packobjectshook", Unless::kEmpty},
    {"gc", "", "recentobjectshook", Unless::kEmpty},
    {"submodule", "*", "update", Unless::kNoShell},
    {"difftool", "*", "cmd", Unless::kEmpty},
    {"difftool", "*", "path", Unless::kEmpty},
    {"mergetool", "*", "cmd", Unless::kEmpty},
    {"mergetool", "*", "path", Unless::kEmpty},
    {"man", "*", "cmd", Unless::kEmpty},
    {"man", "*", "path", Unless::kEmpty},
    {"browser", "*", "cmd", Unless::kEmpty},
    {"browser", "*", "path", Unless::kEmpty},
    {"web", "", "browser", Unless::kEmpty},
    {"lfs", "customtransfer.*", "path", Unless::kEmpty},
    {"lfs", "extension.*", "clean", Unless::kEmpty},
    {"lfs", "extension.*", "smudge", Unless::kEmpty},
    {"protocol", "", "allow", Unless::kNever},
    {"protocol", "ext", "allow", Unless::kNever},
    {"include", "?", "path", Unless::kNothing},
    {"includeif", "?", "path", Unless::kNothing},
};

constexpr std::string_view kLfsCommands[] = {
    "git-lfs clean -- %f", "git-lfs smudge -- %f", "git-lfs smudge --skip -- %f",
    "git-lfs filter-process", "git-lfs filter-process --skip"};

bool subsection_fits(std::string_view pattern, std::string_view subsection) {
  if (pattern == "?") return true;
  if (pattern == "*") return !subsection.empty();
  const std::string low = lower(subsection);
  if (pattern.ends_with('*')) return low.starts_with(pattern.substr(0, pattern.size() - 1));
  return low == pattern;
}

bool is_boolean(std::string_view value) {
  constexpr std::string_view kWords[] = {"true", "false", "yes", "no", "on", "off"};
  return std::ranges::all_of(value, is_digit) ||
         std::ranges::find(kWords, lower(value)) != std::end(kWords);
}

bool is_usual_hooks_path(std::string_view value, std::string_view default_hooks) {
  while (value.size() > 1 && value.ends_with('/')) value.remove_suffix(1);
  return value == ".husky" || value == ".husky/_" || value == ".git/hooks" ||
         value == "/dev/null" || value == default_hooks;
}

// Git hands the value to a shell: names and options, without a path.
bool is_plain_command(std::string_view value) {
  return std::ranges::all_of(value, [](char c) {
    return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '=' || c == ' ';
  });
}

bool is_lfs_alias(std::string_view value) {
  return (value.starts_with("!git lfs ") || value.starts_with("!git-lfs ")) &&
         is_plain_command(value.substr(1));
}

bool is_fine(Unless unless, std::string_view value, std::string_view default_hooks) {
  if (unless == Unless::kNothing) return false;
  if (value.empty()) return true;
  switch (unless) {
    case Unless::kBoolean:
      return is_boolean(value);
    case Unless::kPager:
      return is_boolean(value) || value == "cat" || value == "less";
    case Unless::kHooks:
      return is_usual_hooks_path(value, default_hooks);
    case Unless::kLfs:
      return std::ranges::find(kLfsCommands, value) != std::end(kLfsCommands);
    case Unless::kNoShell:
      return !value.starts_with('!') || is_lfs_alias(value);
    case Unless::kHelper:
      return is_plain_command(value);
    case Unless::kNever:
      return value == "never";
    case Unless::kEmpty:
    case Unless::kNothing:
      break;
  }
  return false;
}

}  // namespace

std::string GitSetting::name() const {
  return section + "." + (subsection.empty() ? "" : subsection + ".") + key;
}

std::optional<std::vector<GitSetting>> read_git_settings(std::string_view text) {
  if (text.size() > kMaxSettingsBytes) return std::nullopt;
  return SettingsReader(text).read();
}

SettingNames names_program(const GitSetting& setting, std::string_view default_hooks) {
  for (const Row& row : kRows) {
    if (row.section != setting.section || (row.key != "*" && row.key != setting.key) ||
        !subsection_fits(row.subsection, setting.subsection))
      continue;
    if (is_fine(row.fine, setting.value.value_or(""), default_hooks)) continue;
    return row.fine == Unless::kNever || row.fine == Unless::kNothing ? SettingNames::kElsewhere
                                                                      : SettingNames::kProgram;
  }
  return SettingNames::kNothing;
}

bool is_true(const GitSetting& setting) {
  if (!setting.value) return true;
  const std::string low = lower(*setting.value);
  if (low == "true" || low == "yes" || low == "on") return true;
  return !low.empty() && std::ranges::all_of(low, is_digit) &&
         low.find_first_not_of('0') != low.npos;
}

}  // namespace tollgate
