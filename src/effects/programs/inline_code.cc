// Code in another language than the shell's: the little of it that is known to be harmless, and
// the shell text that some of it carries.
// SAFETY: harmless code comes from a list of forms; text that is found in code is read for the
// rules that forbid, and the code stays unread all the same.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/text.h"
#include "effects/programs/special.h"

namespace tollgate {
namespace {

bool is_editor(std::string_view program) {
  constexpr std::array<std::string_view, 12> kEditors = {"vi",        "vim",  "nvim",  "view",
                                                         "ex",        "rvim", "rview", "vim.tiny",
                                                         "vim.basic", "gvim", "mvim",  "vimdiff"};
  return std::ranges::find(kEditors, program) != kEditors.end();
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text[0] == ' ' || text[0] == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == ';')) text.remove_suffix(1);
  return text;
}

// Settings of ssh and git, and actions of tar, whose value runs as shell text.
std::optional<std::string_view> setting_with_shell(std::string_view text) {
  const std::size_t end = text.find_first_of("= \t");
  if (end == text.npos) return std::nullopt;
  const std::string name = lower(text.substr(0, end));
  std::string_view value = trimmed(text.substr(end + 1));
  if (name.starts_with("alias.") || name == "credential.helper" ||
      name.starts_with("credential.")) {
    if (!value.starts_with('!')) return std::nullopt;
    return value.substr(1);
  }
  constexpr std::string_view kNames[] = {
      "exec",          "proxycommand",    "localcommand",    "knownhostscommand", "remotecommand",
      "core.pager",    "core.editor",     "core.sshcommand", "core.fsmonitor",    "core.askpass",
      "diff.external", "sequence.editor", "gpg.program",     "core.gitproxy"};
  if (std::ranges::find(kNames, name) == std::end(kNames) && !name.starts_with("pager.") &&
      !name.ends_with(".cmd") && !name.ends_with(".textconv") && !name.ends_with(".command"))
    return std::nullopt;
  return value;
}

// Digits and the signs between them.
bool is_arithmetic(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789+-*/%(). ") == text.npos;
}

bool is_dotted_name(std::string_view text, std::string_view head) {
  if (!text.starts_with(head)) return false;
  text.remove_prefix(head.size());
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_';
  });
}

// `print(…)` of what python says about itself.
bool is_harmless_python(std::string_view text) {
  constexpr std::string_view kImport = "import sys";
  if (text.starts_with(kImport)) {
    text.remove_prefix(kImport.size());
    if (!text.starts_with(';')) return false;
    text = trimmed(text.substr(1));
  }
  if (!text.starts_with("print(") || !text.ends_with(')')) return false;
  text = text.substr(6, text.size() - 7);
  constexpr std::string_view kKnown[] = {"sys.version",
                                         "sys.version_info",
                                         "sys.executable",
                                         "sys.path",
                                         "sys.prefix",
                                         "sys.base_prefix",
                                         "sys.platform",
                                         "sys.maxsize",
                                         "sys.byteorder",
                                         "sys.api_version",
                                         "sys.implementation.name",
                                         "sys.version_info[:2]",
                                         "sys.version_info[0]",
                                         "sys.version_info.major",
                                         "sys.version_info.minor"};
  return is_arithmetic(text) || std::ranges::find(kKnown, text) != std::end(kKnown);
}

bool is_harmless_node(std::string_view text) {
  if (text.starts_with("console.log(") && text.ends_with(')'))
    text = text.substr(12, text.size() - 13);
  return is_arithmetic(text) || text == "process.version" || text == "process.platform" ||
         text == "process.arch" || text == "process.execPath" ||
         is_dotted_name(text, "process.versions");
}

}  // namespace

bool is_harmless_code(std::string_view program, std::string_view text) {
  text = trimmed(text);
  if (program.starts_with("python") || program.starts_with("pypy")) return is_harmless_python(text);
  if (program == "node" || program == "nodejs") return is_harmless_node(text);
  return false;
}

bool is_editor_command(std::string_view program, std::string_view word) {
  return word.starts_with('+') && is_editor(program);
}

std::optional<std::string> shell_text_in(std::string_view program, std::string_view text) {
  text = trimmed(text);
  if (is_editor(program)) {
    while (text.starts_with('+') || text.starts_with(':')) text.remove_prefix(1);
    if (text.starts_with('!')) return std::string(text.substr(1));
    return std::nullopt;
  }
  if (program == "sqlite3") {
    for (const std::string_view command : {".shell ", ".system "})
      if (text.starts_with(command)) return std::string(text.substr(command.size()));
    return std::nullopt;
  }
  if (const auto value = setting_with_shell(text)) return std::string(*value);
  return std::nullopt;
}

}  // namespace tollgate
