// The reader's tables, and the same texts shown to the real bash.
// A text that the reader takes whole must give bash exactly the argv lists that it gave us.
// The oracle runs bash with an empty PATH, so nothing that a text names can start.
#include "shell/shell_reader.h"

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <random>

namespace tollgate {
namespace {

struct Case {
  std::string_view name, text, want;
};

constexpr Case kCases[] = {
    {"blanks separate words", "  git\tpush  origin ", "cmd(git,push,origin)"},
    {"single quotes keep everything", R"(a '$x `b` "c" \d')", R"(cmd(a,$x `b` "c" \d))"},
    {"double quotes keep operators", R"(echo "a; rm | b && c")", "cmd(echo,a; rm | b && c)"},
    {"empty quotes inside a word vanish", R"(r""m -rf /srv)", "cmd(rm,-rf,/srv)"},
    {"empty quotes alone are a word", "a '' \"\"", "cmd(a,,)"},
    {"a backslash quotes one character", R"(find x \-delete a\ b)", "cmd(find,x,-delete,a b)"},
    {"lists keep their joints", "a && b || c; d\ne",
     "cmd(a) && cmd(b) || cmd(c) ; cmd(d) ; cmd(e)"},
    {"a pipe joins two commands", "ls | wc -l", "cmd(ls) | cmd(wc,-l)"},
    {"a newline may follow an operator", "a &&\n\n b |\nc", "cmd(a) && cmd(b) | cmd(c)"},
    {"a trailing semicolon is nothing", "a ;", "cmd(a)"},
    {"no text is no command", " \n ", ""},
    {"a leading tilde is home", "ls ~ ~/x", "cmd(ls,HOME:~,HOME:~/x)"},
    {"a quoted tilde is a tilde", "ls '~/x' \\~", "cmd(ls,~/x,~)"},
    {"a tilde inside a word is a tilde", "git diff HEAD~1", "cmd(git,diff,HEAD~1)"},
    {"a quoted assignment is a command", "'X=1' ls", "cmd(X=1,ls)"},
    {"a quoted keyword is a command", R"('if' a; \time b)", "cmd(if,a) ; cmd(time,b)"},
    {"an assignment after the program is a word", "env A=b", "cmd(env,A=b)"},
    {"text beyond ASCII is fine in quotes", "echo 'grün'", "cmd(echo,grün)"},
    {"a quoted newline is no separator", "echo 'a\nb'", "cmd(echo,a\nb)"},

    {"words before an expansion count", "rm -rf /srv $x; b",
     "cmd(rm,-rf,/srv,...,...) ?(an expansion)"},
    {"the beginning of a word counts", "rm a$x", "cmd(rm,a...,...) ?(an expansion)"},
    {"a program cut short is not known", "r$x a", "cmd(r...,...) ?(an expansion)"},
    {"commands before it count", "a; b && `c`", "cmd(a) ; cmd(b) ?(a command substitution)"},
    {"a glob", "ls *.c", "cmd(ls,...,...) ?(a glob)"},
    {"a bracket is a glob", "[ -f x ]", "?(a glob)"},
    {"a redirection", "a >b", "cmd(a,...,...) ?(a redirection)"},
    {"a number before a redirection", "a 2>b", "cmd(a,2...,...) ?(a redirection)"},
    {"a subshell", "(a)", "?(a subshell or function)"},
    {"a function", "f() { a; }", "cmd(f...,...) ?(a subshell or function)"},
    {"a group", "{ a; }", "?(braces)"},
    {"brace expansion", "a {b,c}", "cmd(a,...,...) ?(braces)"},
    {"a background command", "a & b", "cmd(a) ?(a command in the background)"},
    {"a comment", "a # b", "cmd(a,...,...) ?(a comment)"},
    {"negation", "! a", "?(an exclamation mark)"},
    {"another user's home", "ls ~bob/x",
     "cmd(ls,...,...) ?(a tilde that is not the home directory)"},
    {"a tilde after an equals sign", "a b=~/x",
     "cmd(a,b=...,...) ?(a tilde that is not the home directory)"},
    {"an assignment", "A=b ls", "?(an assignment)"},
    {"an appending assignment", "A+=b ls", "?(an assignment)"},
    {"a keyword", "a; for x", "cmd(a) ?(the keyword `for`)"},
    {"a keyword after a pipe", "a | while b", "cmd(a) ?(the keyword `while`)"},
    {"zsh's modifiers run what follows", "noglob rm x", "?(the keyword `noglob`)"},
    {"zsh expands a leading equals sign", "cat =ls",
     "cmd(cat,...,...) ?(an equals sign at the beginning of a word)"},
    {"a control character", "a \x01", "cmd(a,...,...) ?(a control character)"},
    {"a carriage return", "a\r\nb", "cmd(a...,...) ?(a control character)"},
    {"text beyond ASCII outside quotes",
     "a \xc2\xa0"
     "b",
     "cmd(a,...,...) ?(a character outside ASCII that is not quoted)"},
    {"an expansion inside double quotes", R"(a "b$c")", "cmd(a,b...,...) ?(an expansion)"},
    {"a quote that is never closed", "a 'b", "cmd(a,...,...) ?(a quote that is never closed)"},
    {"a line continuation", "rm \\\n-rf x", "cmd(rm,...,...) ?(a line continuation)"},
    {"an operator with nothing after it", "a &&", "cmd(a) ?(an operator with nothing after it)"},
    {"an operator with nothing before it", "; a", "?(an operator where a command must be)"},
    {"a case separator", "a ;; b", "cmd(a) ?(an operator that is not understood)"},
    {"a pipe of both streams", "a |& b", "cmd(a) ?(an operator that is not understood)"},
};

TEST(ShellReader, ReadsWhatItUnderstandsAndStopsAtTheRest) {
  for (const Case& c : kCases)
    EXPECT_EQ(dump(read_shell(c.text)), c.want) << c.name << "\n" << c.text;
}

TEST(ShellReader, SpansPointAtWhatIsWritten) {
  const std::string_view text = "a 'b c' && d \"e\"$x tail";
  const ShellReading reading = read_shell(text);
  ASSERT_EQ(reading.commands.size(), 2u);
  EXPECT_EQ(slice(text, reading.commands[0].words[1].span), "'b c'");
  EXPECT_EQ(slice(text, reading.commands[0].span), "a 'b c'");
  EXPECT_EQ(slice(text, reading.commands[1].words[1].span), "\"e\"");
  ASSERT_EQ(reading.unknowns.size(), 1u);
  EXPECT_EQ(slice(text, reading.unknowns[0].span), "$x tail");
}

// What `bash -c` runs, one line a command, every word between brackets; `ok` when bash took it.
struct BashRun {
  bool ok = false;
  std::string log;
};

BashRun run_bash(const std::string& script) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  std::string bash = "/bin/bash", option = "-c", text = script;
  char* argv[] = {bash.data(), option.data(), text.data(), nullptr};
  std::string path = "PATH=/nonexistent", home = "HOME=/home/someone";
  char* envp[] = {path.data(), home.data(), nullptr};
  pid_t child = 0;
  const int spawned = posix_spawn(&child, bash.c_str(), &actions, nullptr, argv, envp);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  BashRun run;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    run.log.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  if (spawned != 0) return {};
  int status = 0;
  waitpid(child, &status, 0);
  run.ok = WIFEXITED(status);
  return run;
}

// Programs named p… do not exist, so bash hands their words to this handler. It fails for p2, so
// that both sides of && and || are taken. One write a line: pipelines must not mix theirs.
constexpr std::string_view kHandler =
    "command_not_found_handle() { local line; printf -v line '<%s>' \"$@\"\n"
    "printf '%s\\n' \"${line//$'\\n'/(newline)}\" >&9; [ \"$1\" != p2 ]; }\n"
    "exec 9>&1\n";

// Texts made of pieces that the reader mostly takes.
std::string random_text(std::mt19937& random) {
  constexpr std::string_view kPieces[] = {
      "a",     "B7",  "x.y",   "/etc/x",        "a:b",   "k=v",   "u@h",  "50%",     "1+1",
      "a,b",   "-rf", "HEAD^", "HEAD~2",        "'q r'", "'a;b'", "'$x'", "\"d e\"", "\"a|b\"",
      "\"'\"", "''",  "\"\"",  "\\;",           "\\ ",   "\\$",   "\\'",  "'grün'",  "~",
      "~/x",   "*",   "$x",    "--long=va-lue", "'*'",   "\\*",   "if",   "_",       "'\n'"};
  constexpr std::string_view kJoints[] = {" && ", "||", ";", "\n", " ; \n", " | ", "|\n", "&&\n\n"};
  auto pick = [&](auto& list) {
    return list[std::uniform_int_distribution<std::size_t>(0, std::size(list) - 1)(random)];
  };
  auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  std::string text;
  for (int i = 0, commands = 1 + below(4); i < commands; ++i) {
    if (i > 0) text += pick(kJoints);
    text += below(8) == 0 ? "'p'2" : "p" + std::to_string(below(4));
    for (int k = 0, words = below(5); k < words; ++k) {
      text += below(6) == 0 ? "\t " : " ";
      for (int part = 0, parts = 1 + below(3); part < parts; ++part) text += pick(kPieces);
    }
  }
  return text;
}

// The log that our reading promises, with `&&` and `||` taken as the handler answers.
// Pipelines run side by side, so their lines are compared in any order.
std::vector<std::string> promised(const ShellReading& reading) {
  std::vector<std::string> lines;
  bool ok = true, running = true;
  for (const SimpleCommand& command : reading.commands) {
    if (command.joint != Joint::kPipe)
      running = command.joint == Joint::kNext || (command.joint == Joint::kAnd) == ok;
    if (!running) continue;
    std::string line;
    for (const ShellWord& word : command.words)
      line += "<" + (word.tilde ? "/home/someone" + word.text.substr(1) : word.text) + ">";
    for (std::size_t at = 0; (at = line.find('\n', at)) != std::string::npos;)
      line.replace(at, 1, "(newline)");
    lines.push_back(line);
    ok = command.words[0].text != "p2";
  }
  std::ranges::sort(lines);
  return lines;
}

std::vector<std::string> logged(std::string_view log) {
  std::vector<std::string> lines;
  for (std::size_t at = 0, end = 0; at < log.size(); at = end + 1) {
    end = std::min(log.find('\n', at), log.size());
    lines.emplace_back(log.substr(at, end - at));
  }
  std::ranges::sort(lines);
  return lines;
}

TEST(ShellReader, AgreesWithBashOnEveryTextItTakesWhole) {
  std::mt19937 random(20240229);
  int compared = 0;
  for (int i = 0; i < 4000 && compared < 400; ++i) {
    const std::string text = random_text(random);
    const ShellReading reading = read_shell(text);
    if (!reading.unknowns.empty()) continue;
    ++compared;
    const BashRun run = run_bash(std::string(kHandler) + text);
    ASSERT_TRUE(run.ok);
    ASSERT_EQ(logged(run.log), promised(reading)) << text << "\n" << dump(reading);
  }
  EXPECT_GE(compared, 300);
}

TEST(ShellReader, TakesAnyBytesWithoutLosingOne) {
  std::mt19937 random(7);
  std::uniform_int_distribution<int> byte(0, 255), size(0, 40);
  for (int i = 0; i < 20000; ++i) {
    std::string text(static_cast<std::size_t>(size(random)), ' ');
    for (char& c : text) c = static_cast<char>(byte(random) & (i % 2 == 0 ? 0x7f : 0xff));
    const ShellReading reading = read_shell(text);
    for (const SimpleCommand& command : reading.commands) {
      ASSERT_FALSE(command.words.empty());
      ASSERT_LE(command.span.end(), text.size());
      ASSERT_TRUE(command.complete || !reading.unknowns.empty());
    }
    const bool nothing = reading.commands.empty() && reading.unknowns.empty();
    ASSERT_EQ(nothing, text.find_first_not_of(" \t\n") == std::string::npos) << text;
  }
}

}  // namespace
}  // namespace tollgate
