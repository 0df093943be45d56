// Builtins that change the shell, run text, or set variables; and programs that run programs.
#include "bash/run_making.h"

namespace tollgate::bash {

// ---- directories ----

std::string RunMaker::change_directory() {
  if (static_ && (branch_ || loop_)) return "";
  assigns_ = true;
  constexpr std::string_view kTexts[] = {
      "cd d1", "cd d1", "cd none", "cd .", "cd -- d2", "cd ./d1/../d2", "cd d1 && p1 \"$PWD\"",
      "cd ''"};
  constexpr std::string_view kWild[] = {"cd -",  "cd $x",    "cd \"$E1\"",
                                        "cd ..", "cd -P d1", "CDPATH=d1 cd f2"};
  return !static_ && one_in(3) ? pick(kWild) : pick(kTexts);
}

std::string RunMaker::push_directory() {
  if (static_ && (branch_ || loop_)) return "";
  assigns_ = true;
  return one_in(2) ? "pushd d1" : "pushd d2; popd";
}

// ---- the shell's own settings ----

std::string RunMaker::shift() {
  if (static_ && (!scope_.positional || branch_ || loop_)) return "";
  touched_.push_back("@");
  return static_ || one_in(2) ? "shift" : one_in(2) ? "shift 2" : "shift $#";
}

std::string RunMaker::set_parameters() {
  if (static_ && (branch_ || loop_)) return "";
  begin_word();
  const std::string list_of_words = words(3);
  if (static_ && several_ > 0) return "";
  scope_.positional = true;
  scope_.odd_positional = odd_;
  touched_.push_back("@");
  return "set --" + list_of_words;
}

std::string RunMaker::set_no_glob() {
  if (static_ && branch_) return "";
  return one_in(2) ? "set -f; p1 * a?" : "set -o noglob; p1 [a] *";
}
std::string RunMaker::set_errors() { return one_in(2) ? "set -e" : "set -eu"; }
std::string RunMaker::set_pipefail() { return one_in(2) ? "set -o pipefail" : "set -euo pipefail"; }
std::string RunMaker::set_no_braces() {
  return one_in(2) ? "set +B; p2 {x,y}" : "set +o braceexpand; p2 {x,y} {1..2}";
}

std::string RunMaker::shopt_globs() {
  constexpr std::string_view kTexts[] = {"shopt -s nullglob; p1 none*",
                                         "shopt -s dotglob; p1 *",
                                         "shopt -s extglob\np1 @(f1|d1) !(f1)",
                                         "shopt -s globstar",
                                         "shopt -s failglob",
                                         "shopt -s nocaseglob; p1 F*",
                                         "shopt -s nocasematch; x=RM; p1 ${x/rm/z} ${x#r}"};
  return pick(kTexts);
}
std::string RunMaker::shopt_others() {
  constexpr std::string_view kTexts[] = {"shopt -s inherit_errexit", "shopt -u huponexit",
                                         "shopt -s checkwinsize"};
  return pick(kTexts);
}
std::string RunMaker::shopt_lastpipe() {
  return "shopt -s lastpipe; x=p1; echo rm | read x; $x " + word();
}

// ---- text that is run ----

std::string RunMaker::eval_text() {
  const std::string text = inner_script(2);
  return "eval " + quoted(text);
}

std::string RunMaker::eval_words() {
  constexpr std::string_view kTexts[] = {"eval p1 a",
                                         "eval 'p1 a;' p2 x",
                                         "eval \"p1 \\\"b c\\\"\"",
                                         "eval p1 '\"b c\"'",
                                         "eval x=a\\; 'p1 $x'",
                                         "eval -- p1 b",
                                         "eval",
                                         "eval '' p1"};
  std::string text = pick(kTexts);
  if (text.find("x=a") != text.npos) {
    if (!may_assign() || (static_ && branch_)) return "";
    assigned("x", Kind::kText);
    for (Variable& one : scope_.variables) one.single = one.single && one.name != "x";
  }
  const std::string name = one_in(3) ? name_of(Kind::kText) : "";
  return name.empty() ? text : "eval 'p1 \"$" + name + "\"'";
}

std::string RunMaker::assignment_for_eval() {
  const std::string name = one_in(2) ? "x" : "w";
  const std::string value = word();
  return name + "=" + value + " eval 'p1 \"$" + name + "\"'";
}

std::string RunMaker::trap_exit() {
  return aside([&] {
    if (static_) scope_ = {};
    const Restored deep(depth_, std::min(depth_, 0));
    const Restored function(in_function_, false);
    const Restored loop(breakable_, false);
    std::string text = inner_script(1);
    return "trap " + quoted(text) + (one_in(2) ? " EXIT" : " 0");
  });
}

std::string RunMaker::trap_other() {
  constexpr std::string_view kTexts[] = {
      "trap 'x=rm' DEBUG; x=p1; $x a",
      "trap 'x=rm' ERR; x=p1; p6; $x a",
      "trap p1 EXIT; p1() { $x z; }; x=ls; p1; x=rm",
      "f0() { return; }; trap 'x=rm' RETURN; x=p1; set -T; f0; $x a",
      "trap 'p1 $1' EXIT; set -- b",
      "trap 'p1 $x' EXIT; x=b",
      "trap '$x a' EXIT; x=rm",
      "trap \"p1 $x\" EXIT",
      "trap - EXIT",
      "trap '' INT",
      "f0() { trap 'p1 $x' RETURN; local x=b; }; x=a; f0",
  };
  return pick(kTexts);
}

std::string RunMaker::exec_program() {
  constexpr std::string_view kHeads[] = {"exec ", "exec -a nom ", "exec -- ", "exec -l "};
  return (one_in(3) ? pick(kHeads) : std::string("exec ")) + "p1" + words(2);
}

std::string RunMaker::exec_redirection() {
  constexpr std::string_view kTexts[] = {"exec 3>o1", "exec 2>/dev/null", "exec 3<f1", "exec 3>&-"};
  return pick(kTexts);
}

std::string RunMaker::command_builtin() {
  constexpr std::string_view kHeads[] = {"command ", "command -- ", "command command "};
  return pick(kHeads) + program_words();
}

std::string RunMaker::command_eval() {
  if (one_in(3)) {
    const std::string name = name_of(Kind::kText);
    if (!name.empty()) return "command eval 'p1 $" + name + "'";
  }
  constexpr std::string_view kTexts[] = {"command eval 'p1 a'", "command eval p1",
                                         "command echo a"};
  constexpr std::string_view kWild[] = {"command read x <<< b; p1 $x", "command unset x; p1 $x",
                                        "command export x=b; p1 $x", "command . /dev/null",
                                        "command eval 'p1() { rm a; }'; p1"};
  return !static_ && one_in(2) ? pick(kWild) : pick(kTexts);
}

std::string RunMaker::builtin() {
  constexpr std::string_view kTexts[] = {"builtin eval 'p1 a'", "builtin true",
                                         "builtin cd .",        "builtin command p1 b",
                                         "builtin exec p1 c",   "builtin p1"};
  return pick(kTexts);
}

std::string RunMaker::source() {
  constexpr std::string_view kTexts[] = {"echo 'p1 a' > s1; . ./s1", "source <(echo 'x=rm'); $x a",
                                         ". /dev/stdin <<< 'x=rm'; p1 $x", "source f1",
                                         "echo rm b > s1; source ./s1 c"};
  return pick(kTexts);
}

std::string RunMaker::alias() {
  constexpr std::string_view kTexts[] = {"shopt -s expand_aliases; alias p1=rm\np1 a",
                                         "alias p1=rm\np1 a", "alias", "unalias -a",
                                         "shopt -s expand_aliases; alias p1='rm b;'; p1 a\n p1 c"};
  return pick(kTexts);
}

// ---- builtins that set variables ----

std::string RunMaker::read() {
  constexpr std::string_view kTexts[] = {"read x <<< rm; p1 $x",
                                         "read -r x y <<< 'b c d'; p1 $x $y",
                                         "read -a A <<< 'rm b'; p1 ${A[0]}",
                                         "x=p1; read -ax <<< rm; $x a",
                                         "x=p1; read -pt x <<< rm; $x a",
                                         "read <<< b; p1 $REPLY",
                                         "p7 b | { read x; p1 $x; }",
                                         "read -n1 x <<< ab; p1 $x",
                                         "read -d b x <<< ab; p1 $x",
                                         "read 'A[0]' <<< rm; p1 $A",
                                         "read \"$x\" <<< rm",
                                         "read -u0 x <<< rm; p1 $x",
                                         "read -rd '' x <<< rm; p1 $x",
                                         "x=p1; read -t0 x <<< rm; $x a",
                                         "x=p1; read -ep x y <<< rm; $x a",
                                         "IFS=b read x y <<< abrm; p1 $y"};
  return pick(kTexts);
}

std::string RunMaker::mapfile() {
  constexpr std::string_view kTexts[] = {"mapfile -t A <<< rm; p1 ${A[0]}",
                                         "readarray A <<< b; p1 \"${A[@]}\"",
                                         "mapfile <<< rm; p1 $MAPFILE",
                                         "mapfile -C 'p1 a' -c 1 A <<< b",
                                         "A=(a b); mapfile -O1 -t A <<< rm; p1 ${A[@]}",
                                         "A=(p1); mapfile -t -n1 A <<< rm; $A z",
                                         "A=(p1); mapfile -td '' A < <(printf rm); $A z"};
  return pick(kTexts);
}

std::string RunMaker::getopts() {
  constexpr std::string_view kTexts[] = {"set -- -a b; getopts a: x; p1 $x $OPTARG",
                                         "x=p1; getopts ab x -b; p1 $x",
                                         "while getopts ab: v -a -b rm; do p1 $v $OPTARG; done"};
  return pick(kTexts);
}

std::string RunMaker::let() {
  if (!may_assign() || (static_ && branch_)) return "";
  const Variable* known = variable(Kind::kNumber, true);
  if (!static_ && one_in(3)) return one_in(2) ? "let \"$x\"" : "let x=5; p1 $x";
  if (known == nullptr) return "let 1+1";
  const std::string name = known->name;
  assigned(name, Kind::kNumber);
  return one_in(2) ? "let " + name + "+=2" : "let '" + name + " = 3' " + name + "++";
}

std::string RunMaker::print_into() {
  if (static_) {
    if (!may_assign() || branch_) return "";
    begin_word();
    const std::string value = one_in(4) ? " a-b" : " %s " + word();
    assigned("z", Kind::kText);
    return "printf -v z" + value;
  }
  constexpr std::string_view kTexts[] = {"printf -v x %s rm; p1 $x", "x=p1; printf -vx %s rm; $x a",
                                         "printf -v 'A[1]' %s b; p1 ${A[1]}", "printf -v \"$x\" a",
                                         "x=p1; printf '%n' x; p1 $x"};
  return pick(kTexts);
}

// ---- small ones ----

std::string RunMaker::test_text() {
  constexpr std::string_view kTexts[] = {"-f f1",   "-n a",           "-z ''",  "a = b",
                                         "1 -eq 1", "-d d1 -a -e f1", "! -f x", "a != a"};
  constexpr std::string_view kWild[] = {"-v $x", "-v 'A[$(rm e)]'", "$x -eq 1",  "$x",
                                        "-R x",  "\"$E3\" = b",     "-v \"$E6\""};
  return !static_ && one_in(3) ? pick(kWild) : pick(kTexts);
}
std::string RunMaker::test() { return "test " + test_text(); }
std::string RunMaker::bracket() { return "[ " + test_text() + " ]"; }
std::string RunMaker::true_false() { return one_in(2) ? "true" : one_in(2) ? "false" : ": a"; }

std::string RunMaker::leave_loop() {
  if (!breakable_) return "";
  // What stands behind it is still written, and on another way it is reached.
  constexpr std::string_view kTexts[] = {"break",          "continue", "p6 && break",
                                         "p1 || continue", "break 2",  "if p6; then break; fi",
                                         "p1 && break"};
  std::string text = pick(kTexts);
  // A loop that counts by its condition only ends when that is reached again.
  if (loop_ && text.find("continue") != text.npos) text = "break";
  return text;
}

std::string RunMaker::return_early() {
  if (!in_function_) return "";
  constexpr std::string_view kTexts[] = {"p6 && return", "return", "p1 || return 1",
                                         "p1 && return 0"};
  return pick(kTexts);
}

std::string RunMaker::exit_early() {
  constexpr std::string_view kTexts[] = {"p6 && exit", "exit", "p1 || exit 1", "(exit 3)"};
  return one_in(2) ? pick(kTexts) : "";
}

std::string RunMaker::wait() { return "wait"; }

std::string RunMaker::hash() {
  constexpr std::string_view kTexts[] = {"hash -p \"${PATH}/rm\" p1; p1 a", "hash -r", "hash p1",
                                         "hash -d p1", "hash -p \"$PATH/rm\" p1"};
  return pick(kTexts);
}

std::string RunMaker::enable() {
  constexpr std::string_view kTexts[] = {"enable -n echo; echo a", "enable -n eval; eval p1",
                                         "enable", "enable -n test; test a = b"};
  return pick(kTexts);
}

std::string RunMaker::type() {
  constexpr std::string_view kTexts[] = {"type p1", "type -t ls", "command -v p1", "command -V rm"};
  return pick(kTexts);
}

std::string RunMaker::echo() { return "echo" + words(3); }
std::string RunMaker::printf() {
  return "printf " + std::string(one_in(2) ? "%s" : "'%s\\n'") + words(2);
}

std::string RunMaker::separators() {
  constexpr std::string_view kTexts[] = {"IFS=b; x=abrmbc; p1 $x",
                                         "x=a,b; IFS=, ; p1 $x",
                                         "set -- a b; IFS=-; p1 \"$*\"",
                                         "IFS=; x='b c'; p1 $x",
                                         "f0() { local IFS=,; p1 $x; }; x=a,b; f0; p1 $x",
                                         "IFS=, p1 $x"};
  return pick(kTexts);
}

// ---- wrappers ----

std::string RunMaker::env() {
  constexpr std::string_view kHeads[] = {"env ", "env -- ", "env -u w ", "env -u w -u y "};
  return pick(kHeads) + program_words();
}

std::string RunMaker::env_assignment() {
  const std::string value = word();
  if (posix_ && value.starts_with('~')) return "";
  return "env w=" + value + " " + program_words();
}

std::string RunMaker::env_split() {
  if (static_) {
    constexpr std::string_view kHeads[] = {"env -S 'p1 a'", "env -Sp1", "env -S 'w=1 p1 b'",
                                           "env -S 'env p7 -n 5'", "env --split-string='p1 a'"};
    return pick(kHeads) + words(2);
  }
  constexpr std::string_view kTexts[] = {"env -S 'p1 a'", "env -S'p1 \"b c\"'", "env -S 'w=1 rm a'",
                                         "env -S p1 c", "env --split-string='p1 a' d"};
  return pick(kTexts);
}

std::string RunMaker::timeout() {
  constexpr std::string_view kHeads[] = {"timeout 5 ", "timeout -k 1 5 ",
                                         "timeout --signal=TERM 5s ", "timeout -s KILL 9 "};
  return pick(kHeads) + program_words();
}

std::string RunMaker::nice() {
  constexpr std::string_view kHeads[] = {"nice ", "nice -n 5 ", "nice -5 ", "nice --adjustment=3 "};
  return pick(kHeads) + program_words();
}

std::string RunMaker::nohup() { return "nohup " + program_words(); }
std::string RunMaker::setsid() {
  return (one_in(2) ? "setsid -w " : "setsid --wait ") + program_words();
}
std::string RunMaker::stdbuf() {
  return (one_in(2) ? "stdbuf -oL " : "stdbuf -o 0 -e 0 ") + program_words();
}

std::string RunMaker::xargs() {
  constexpr std::string_view kTexts[] = {"xargs p1 a </dev/null",
                                         "echo b c | xargs p1",
                                         "echo b c | xargs -n1 p1 a",
                                         "echo b | xargs -I{} p1 {} a{}c",
                                         "xargs -r rm </dev/null",
                                         "p8 | xargs p1",
                                         "echo p3 a | xargs env",
                                         "printf 'b\\0c' | xargs -0 p1",
                                         "echo a | xargs",
                                         "echo b | xargs -I % sh -c 'p1 %'",
                                         "echo x | xargs p2",
                                         "echo rm | xargs -I{} {} a"};
  return pick(kTexts);
}

std::string RunMaker::find_exec() {
  constexpr std::string_view kTexts[] = {
      "find d1 -exec p1 a {} \\;", "find d1 -name f2 -exec p1 {} +",
      "find . -maxdepth 0 -exec rm b \\;", "find d1 -execdir p1 {} ';'",
      "find d2 -exec sh -c 'p1 c' \\;"};
  return pick(kTexts);
}

std::string RunMaker::shell_text(std::string_view shell) {
  const bool plain = posix_;
  const std::string text = aside([&] {
    const Restored posix(posix_, posix_ || shell == "sh");
    const Restored function(in_function_, false);
    const Restored loop(loop_, false);
    const Restored branch(branch_, false);
    Scope inner;
    if (!static_) inner.variables = scope_.variables;
    scope_ = inner;
    return inner_script(2);
  });
  const Restored posix(posix_, plain);
  constexpr std::string_view kFlags[] = {" -c ", " -c ", " -e -c ", " -ec ", " -c -- ", " -uc "};
  return std::string(shell) + (static_ && one_in(2) ? " -c " : pick(kFlags)) + quoted(text);
}

std::string RunMaker::sh_c() { return shell_text("sh"); }
std::string RunMaker::bash_c() { return shell_text("bash"); }

std::string RunMaker::shell_with_parameters() {
  constexpr std::string_view kTexts[] = {"'p1 \"$1\" $2'", "'p1 \"$@\"'", "'for v; do p1 $v; done'",
                                         "'shift; p1 \"$*\" $#'", "'p1 ${1:-d}'"};
  const std::string text = pick(kTexts);
  return std::string(one_in(2) ? "bash" : "sh") + " -c " + text + " name" + tame_words(3);
}

std::string RunMaker::shell_input() {
  constexpr std::string_view kTexts[] = {
      "bash <<< 'p1 a'", "echo 'p1 a' | bash", "bash -s b <<< 'p1 $1'",     "echo rm b | sh",
      "sh < f1",         "p8 | bash",          "bash /dev/stdin <<< 'rm c'"};
  return pick(kTexts);
}

}  // namespace tollgate::bash
