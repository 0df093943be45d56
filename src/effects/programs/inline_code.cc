// Code in another language than the shell's: the little of it that is known to be harmless, and
// the shell text that some of it carries.
// SAFETY: harmless code comes from a list of forms; text that is found in code is read for the
// rules that forbid, and the code stays unread all the same.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

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
  constexpr std::string_view kNames[] = {"exec",           "proxycommand",
                                         "localcommand",   "knownhostscommand",
                                         "remotecommand",  "core.pager",
                                         "core.editor",    "core.sshcommand",
                                         "core.fsmonitor", "core.askpass",
                                         "diff.external",  "sequence.editor",
                                         "core.gitproxy",  "core.alternaterefscommand"};
  constexpr std::string_view kEndings[] = {
      ".cmd",    ".textconv", ".command",    ".clean",       ".smudge",     ".process",
      ".driver", ".program",  ".uploadpack", ".receivepack", ".difffilter", ".packobjectshook"};
  const auto ends = [&](std::string_view tail) { return name.ends_with(tail); };
  if (std::ranges::find(kNames, name) == std::end(kNames) && !name.starts_with("pager.") &&
      std::ranges::none_of(kEndings, ends))
    return std::nullopt;
  return value;
}

// Digits and the signs between them.
bool is_arithmetic(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789+-*/%(). ") == text.npos;
}

// A quoted text that is nothing but letters and the signs of a sentence.
bool is_plain_string(std::string_view text) {
  if (text.size() < 2 || (text[0] != '\'' && text[0] != '"') || text.back() != text[0])
    return false;
  text = text.substr(1, text.size() - 2);
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(" _.,:;!?-+=/()").find(c) != std::string_view::npos;
  });
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
  return is_arithmetic(text) || is_plain_string(text) ||
         std::ranges::find(kKnown, text) != std::end(kKnown);
}

bool is_harmless_node(std::string_view text) {
  if (text.starts_with("console.log(") && text.ends_with(')'))
    text = text.substr(12, text.size() - 13);
  return is_arithmetic(text) || is_plain_string(text) || text == "process.version" ||
         text == "process.platform" || text == "process.arch" || text == "process.execPath" ||
         is_dotted_name(text, "process.versions");
}

// What stands between each `open` and its closing parenthesis.
std::vector<std::string> in_parentheses(std::string_view text, std::string_view open) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(open); at != text.npos; at = text.find(open, at + 1)) {
    std::size_t end = at + open.size();
    for (int depth = 1; end < text.size(); ++end) {
      if (text[end] == '(') ++depth;
      if (text[end] == ')' && --depth == 0) break;
    }
    found.emplace_back(text.substr(at + open.size(), end - at - open.size()));
  }
  return found;
}

// Lines of a makefile that run: behind a tab, or behind the `;` of a rule.
void add_recipes(std::string_view text, std::vector<std::string>& found) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t colon = line.find(':'), semicolon = line.find(';');
    if (!line.starts_with('\t') && (semicolon == line.npos || colon > semicolon)) continue;
    line.remove_prefix(line.starts_with('\t') ? 1 : semicolon + 1);
    line = trimmed(line);
    while (!line.empty() && std::string_view("@-+").find(line[0]) != std::string_view::npos)
      line.remove_prefix(1);
    found.emplace_back(line);
  }
}

// Clients and editors with commands of their own, some of which are for the shell.
bool takes_escapes(std::string_view program) {
  constexpr std::string_view kNames[] = {
      "ed",   "red",    "less",          "more",  "most",     "psql",    "pgcli",
      "usql", "mysql",  "mariadb",       "mycli", "sqlite3",  "litecli", "duckdb",
      "gdb",  "gdbtui", "gdb-multiarch", "cgdb",  "rust-gdb", "lldb",    "rust-lldb",
      "ftp",  "sftp",   "lftp",          "tftp",  "mail",     "mailx",   "mutt",
      "bc"};
  return is_editor(program) || program.ends_with("-gdb") || program.starts_with("lldb") ||
         std::ranges::find(kNames, program) != std::end(kNames);
}

// The shell text in one line of commands.
// SAFETY: a sign that may begin one counts wherever it stands; that only ever forbids more.
void add_escapes(std::string_view program, std::string_view line, std::vector<std::string>& found) {
  const auto behind = [&](std::string_view sign, std::string_view in) {
    const std::string low = lower(in);
    for (std::size_t at = low.find(sign); at != low.npos; at = low.find(sign, at + 1))
      found.emplace_back(trimmed(in.substr(at + sign.size())));
  };
  const bool queries = program.ends_with("sql") || program.ends_with("cli") ||
                       program == "mariadb" || program == "sqlite3" || program == "duckdb";
  behind(queries ? "\\!" : "!", line);
  if (is_editor(program) || queries) {
    behind("|", line);
    for (const std::string_view sign :
         {"system ", "shell ", "pager ", "program '", "\\p ", "system('", ".sys ", ".syst ",
          ".syste ", ".she ", ".shel "})
      behind(sign, line);
    for (std::string& text : found)
      if (text.ends_with('\'') || text.ends_with("')")) text.resize(text.rfind('\''));
    return;
  }
  const bool debugger = program.find("gdb") != program.npos || program.find("lldb") != program.npos;
  if (!debugger) return;
  for (const std::string_view sign : {"shell ", "shel ", "she ", "| "}) behind(sign, line);
}

}  // namespace

bool is_harmless_code(std::string_view program, std::string_view text) {
  text = trimmed(text);
  if (program.starts_with("python") || program.starts_with("pypy")) return is_harmless_python(text);
  if (program == "node" || program == "nodejs") return is_harmless_node(text);
  return false;
}

bool is_editor_command(std::string_view program, std::string_view word) {
  if (program == "ed" || program == "red") return word.starts_with('!');
  return word.starts_with('+') && (is_editor(program) || program == "less" || program == "more");
}

bool is_program_flag(std::string_view word) {
  constexpr std::string_view kParts[] = {
      "extld",     "toolexec",        "linker=",  "link-arg",     "-fplugin", "-wrapper",
      "-load",     "codegen-backend", "runner=",  "wrapper=",     "addopts=", "pythonpath=",
      "log_file=", "cache_dir=",      ",-plugin", "pass-plugin=", "use-ld=.", "use-ld=/"};
  // A plugin of the linker, and the directory of a compiler's own programs.
  if (word.starts_with("-plugin") || word.starts_with("-B") || word.find(" -B") != word.npos)
    return true;
  return std::ranges::any_of(kParts,
                             [&](std::string_view part) { return word.find(part) != word.npos; });
}

bool is_expanded_by_make(std::string_view word) {
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(0, equals), value = word.substr(equals + 1);
  if (name.ends_with('!') || name == ".SHELLFLAGS" || value.find("$(") != value.npos ||
      value.find("${") != value.npos || value.find('`') != value.npos)
    return true;
  // The shell of a recipe sees the value, and what is not quoted in it divides commands.
  char quote = 0;
  for (const char c : value) {
    if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (quote == 0 && std::string_view(";&|<>\n").find(c) != std::string_view::npos)
      return true;
  }
  return false;
}

// SAFETY: of flags only those are here that name neither a file nor a program.
bool is_usual_setting(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  std::string_view value = word.substr(word.find('=') + 1);
  if (name == "CC" || name == "CXX") {
    constexpr std::string_view kCompilers[] = {"gcc", "g++", "cc", "c++", "clang", "clang++"};
    const std::size_t version = value.rfind('-');
    if (version != value.npos && value.find_first_not_of("0123456789.", version + 1) == value.npos)
      value = value.substr(0, version);
    return std::ranges::find(kCompilers, value) != std::end(kCompilers);
  }
  if (!name.ends_with("CFLAGS") && name != "CXXFLAGS" && name != "CPPFLAGS") return false;
  constexpr std::string_view kFlags[] = {"-O",    "-g0",       "-g1",     "-g2",
                                         "-g3",   "-ggdb",     "-gdwarf", "-D",
                                         "-std=", "-pedantic", "-pipe",   "-march="};
  while (!(value = trimmed(value)).empty()) {
    const std::string_view flag = value.substr(0, value.find(' '));
    const bool warns = flag.starts_with("-W") && flag.find(',') == flag.npos;
    if (!warns && flag != "-g" && std::ranges::none_of(kFlags, [&](std::string_view known) {
          return flag.starts_with(known);
        }))
      return false;
    value.remove_prefix(flag.size());
  }
  return true;
}

std::vector<std::string> shell_texts_in(std::string_view program, std::string_view text) {
  std::vector<std::string> found;
  if (program == "tmux") return in_parentheses(text, "#(");
  if (program.ends_with("make")) {
    found = in_parentheses(text, "$(shell ");
    add_recipes(text, found);
    return found;
  }
  if (!takes_escapes(program)) {
    if (const auto value = setting_with_shell(trimmed(text))) found.emplace_back(*value);
    return found;
  }
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    add_escapes(program, trimmed(rest.substr(0, end)), found);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return found;
}

std::vector<std::string> sent_by(std::string_view commands) {
  constexpr std::string_view kSends[] = {"put",    "mput",   "reput", "append", "send",
                                         "mirror", "source", "lcd",   "ls",     "load"};
  std::vector<std::string> files;
  while (!commands.empty()) {
    const std::size_t end = std::min(commands.find_first_of("\n;"), commands.size());
    std::string_view line = trimmed(commands.substr(0, end));
    commands.remove_prefix(std::min(end + 1, commands.size()));
    while (line.starts_with('-') || line.starts_with('@')) line.remove_prefix(1);
    bool sends = false;
    for (bool first = true; !line.empty(); first = false) {
      const std::size_t stop = std::min(line.find_first_of(" \t"), line.size());
      std::string_view word = line.substr(0, stop);
      line = trimmed(line.substr(stop));
      if (first) sends = std::ranges::find(kSends, lower(word)) != std::end(kSends);
      if (first || !sends || word.starts_with('-')) continue;
      while (word.starts_with('"') || word.starts_with('\'')) word.remove_prefix(1);
      while (word.ends_with('"') || word.ends_with('\'')) word.remove_suffix(1);
      if (!word.empty()) files.emplace_back(word);
    }
  }
  return files;
}

SocatAddress read_socat(std::string_view address) {
  using Kind = SocatAddress::Kind;
  const std::size_t colon = address.find(':');
  const std::string name = lower(address.substr(0, std::min(colon, address.find(','))));
  if (name == "-" || name.starts_with("std")) return {};
  std::string_view value = colon == address.npos ? address : address.substr(colon + 1);
  if (name == "exec" || name == "system" || name == "shell")
    return {Kind::kShell, std::string(value)};
  value = value.substr(0, value.find(','));
  constexpr std::string_view kFiles[] = {"file", "open", "gopen", "create", "creat",
                                         "pipe", "fifo", "echo",  "goopen"};
  // Without a name before a colon it is a file.
  if (colon == address.npos || std::ranges::find(kFiles, name) != std::end(kFiles))
    return {Kind::kFile, std::string(value)};
  const bool listens = name.find("listen") != name.npos || name.ends_with("-l") ||
                       name.find("recv") != name.npos || name.starts_with("pty");
  constexpr std::string_view kNets[] = {"tcp",  "udp", "ssl",   "openssl", "sctp",
                                        "dccp", "ip",  "socks", "proxy",   "vsock"};
  const bool net =
      std::ranges::any_of(kNets, [&](std::string_view start) { return name.starts_with(start); });
  if (!net || listens) return {};
  return {Kind::kHost, std::string(value.substr(0, value.rfind(':')))};
}

}  // namespace tollgate
