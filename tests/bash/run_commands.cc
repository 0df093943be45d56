// Commands: programs, assignments, functions, lists and compound commands, redirections.
// Loops end by themselves: a counter that nothing else touches, a program that fails, a break.
#include "bash/run_making.h"

namespace tollgate::bash {

// ---- programs ----

std::string RunMaker::program_words() {
  constexpr std::string_view kMild[] = {"p1", "p1", "p1", "p2 x", "p6",
                                        "p7", "p8", "ls", "cat",  "git status"};
  constexpr std::string_view kAny[] = {"p1", "p2",       "p3",  "p4",   "p5",
                                       "rm", "git push", "git", "p2 x", "ls"};
  std::string name = mild_ || one_in(2) ? pick(kMild) : pick(kAny);
  const bool reads = name == "cat" || name == "ls" || name == "git status";
  if (name.find(' ') == name.npos && one_in(8)) name = one_in(2) ? "'" + name + "'" : "\\" + name;
  if (reads) return name;
  return name + words(3);
}

std::string RunMaker::program() { return program_words(); }

std::string RunMaker::variable_program() {
  const std::string name = name_of(Kind::kProgram);
  if (!name.empty()) return (one_in(2) ? "$" + name : "\"$" + name + "\"") + words(2);
  if (!may_assign() || branch_) return "";
  constexpr std::string_view kPrograms[] = {"p1", "p1", "p7", "p4", "rm"};
  const std::string text = "c=" + (mild_ ? std::string("p1") : pick(kPrograms));
  assigned("c", Kind::kProgram);
  return text;
}

// ---- assignments ----

std::string RunMaker::assignment() {
  if (!may_assign()) return "";
  constexpr std::string_view kNames[] = {"x", "y", "z"};
  constexpr std::string_view kValues[] = {"a",        "'b c'", "foo.txt", "d1/f", "x",  "''",
                                          "\" a b\"", "-n",    "ab",      "rm",   "p1", "a.b.c"};
  const std::string name = pick(kNames);
  begin_word();
  const bool simple = depth_ <= 0 || one_in(2);
  std::string value = simple ? pick(kValues) : word();
  // In a value braces are only letters, and so are the commas of a list of words.
  if (static_ && branch_ && name_of(Kind::kText).empty()) return "";
  assigned(name, Kind::kText);
  return name + "=" + value;
}

std::string RunMaker::number_assignment() {
  if (!may_assign() || (static_ && branch_)) return "";
  constexpr std::string_view kNames[] = {"n", "m"};
  constexpr std::string_view kValues[] = {"0", "1", "3", "12", "-4"};
  const std::string name = pick(kNames);
  begin_word();
  assigned(name, Kind::kNumber);
  return name + "=" + pick(kValues);
}

std::string RunMaker::assignment_for_program() {
  constexpr std::string_view kNames[] = {"x", "y", "w"};
  const std::string name = pick(kNames);
  return name + "=" + word() + " " + program_words();
}

std::string RunMaker::append() {
  if (!may_assign()) return "";
  const std::string name = name_of(Kind::kText, true);
  if (name.empty()) return "";
  begin_word();
  const std::string value = word();
  assigned(name, Kind::kText);
  return name + "+=" + value;
}

std::string RunMaker::array() {
  if (!may_assign() || posix_ || (static_ && branch_)) return "";
  const std::string name = one_in(2) ? "A" : "B";
  begin_word();
  const std::string inside = words(3);
  if (static_ && several_ > 0) return "";
  assigned(name, Kind::kArray);
  return name + "=(" + (inside.empty() ? "" : inside.substr(1)) + ")";
}

std::string RunMaker::array_append() {
  if (!may_assign() || (static_ && branch_)) return "";
  const std::string name = name_of(Kind::kArray, true);
  if (name.empty()) return "";
  begin_word();
  const std::string inside = words(2);
  if (static_ && several_ > 0) return "";
  assigned(name, Kind::kArray);
  return name + "+=(" + inside + ")";
}

// The first one is there, or is the next.
std::string RunMaker::known_element() {
  if (!may_assign() || branch_ || in_function_) return "";
  const std::string name = name_of(Kind::kArray, true);
  if (name.empty()) return "";
  begin_word();
  const Restored braces(declared_, true);
  const std::string value = word();
  if (several_ > 0) return "";
  assigned(name, Kind::kArray);
  return name + (one_in(2) ? "[0]=" : "[1-1]=") + value;
}

std::string RunMaker::element_assignment() {
  if (static_) return known_element();
  constexpr std::string_view kSubscripts[] = {"0", "1", "5", "-1", "x", "n+1"};
  const std::string name = name_of(Kind::kArray);
  if (name.empty()) return "";
  if (one_in(4)) return name + "=([" + pick(kSubscripts) + "]=" + word() + " b)";
  if (one_in(4)) return "unset '" + name + "[" + pick(kSubscripts) + "]'";
  if (one_in(4)) return "((" + name + "[0]=5))";
  return name + "[" + pick(kSubscripts) + "]=" + word();
}

std::string RunMaker::associative_array() {
  std::erase_if(scope_.variables, [](const Variable& one) { return one.name == "B"; });
  return "declare -A B=([a]=" + word() + " [b]=rm); p1 \"${B[a]}\" ${B[b]} \"${!B[@]}\"";
}

std::string RunMaker::export_variable() {
  if (!may_assign() || (static_ && branch_)) return "";
  if (one_in(4)) {
    const std::string name = name_of(Kind::kText);
    if (!name.empty()) return "export " + name;
  }
  begin_word();
  const Restored braces(declared_, true);
  const std::string value = word();
  assigned("y", Kind::kText);
  return "export y=" + value;
}

std::string RunMaker::declare() {
  if (!may_assign() || (static_ && (branch_ || in_function_))) return "";
  constexpr std::string_view kHeads[] = {"declare", "typeset", "declare -x", "declare --"};
  const std::string head = pick(kHeads);
  begin_word();
  if (one_in(3)) {
    const std::string inside = words(2);
    if (static_ && several_ > 0) return "";
    assigned("B", Kind::kArray);
    return "declare -a B=(" + inside + ")";
  }
  const Restored braces(declared_, true);
  const std::string value = word();
  assigned("z", Kind::kText);
  return head + " z=" + value;
}

std::string RunMaker::local() {
  if (!in_function_ || (static_ && (branch_ || loop_))) return "";
  begin_word();
  const std::string name = one_in(2) ? "x" : "w";
  if (one_in(5)) {
    std::erase_if(scope_.variables, [&](const Variable& one) { return one.name == name; });
    return "local " + name;
  }
  const Restored braces(declared_, true);
  const std::string value = posix_ ? quoted_variable() : word();
  if (value.empty()) return "";
  assigned(name, Kind::kText);
  return (posix_ || !one_in(3) ? "local " : "declare ") + name + "=" + value;
}

std::string RunMaker::readonly() {
  if (!may_assign() || branch_ || in_function_) return "";
  const std::string name = "r" + std::to_string(++names_);
  begin_word();
  const Restored braces(declared_, true);
  const std::string value = posix_ ? "a" : word();
  assigned(name, Kind::kText);
  std::erase_if(scope_.variables, [&](const Variable& one) { return static_ && one.name == name; });
  return (posix_ || one_in(2) ? "readonly " : "declare -r ") + name + "=" + value + "; p1 \"$" +
         name + "\"";
}

std::string RunMaker::change_readonly() {
  constexpr std::string_view kChanges[] = {
      "r=rm",    "export r=rm", "for r in rm; do :; done", "read r <<< rm", "r+=b",
      "unset r", "((r=5))"};
  return (one_in(2) ? "readonly r=a\n" : "declare -r r=p1\n") + pick(kChanges) + "\np1 $r" +
         (one_in(2) ? "; $r z" : "");
}

std::string RunMaker::unset() {
  if (!may_assign() || (static_ && (branch_ || in_function_))) return "";
  const Variable* found = variable(one_in(4) ? Kind::kArray : Kind::kText);
  if (found == nullptr) return "";
  const std::string name = found->name;
  std::erase_if(scope_.variables, [&](const Variable& one) { return one.name == name; });
  scope_.unset.push_back(name);
  touched_.push_back(name);
  assigns_ = true;
  return (one_in(3) ? "unset -v " : "unset ") + name;
}

std::string RunMaker::attribute() {
  constexpr std::string_view kHeads[] = {"declare -i x", "declare -u x",     "declare -l x",
                                         "local -i x",   "declare -i x=2+3", "typeset -i x"};
  constexpr std::string_view kChanges[] = {
      "x=2+3",          "x=rm",  "x=AbC",
      "x='A[$(rm e)]'", "x+=1",  "for x in 1+1 Rm; do p1 $x; done",
      "read x <<< 1+1", "x=$E6", "printf -v x %s 1+2"};
  return pick(kHeads) + "; " + pick(kChanges) + "; p1 $x";
}

std::string RunMaker::name_reference() {
  constexpr std::string_view kUses[] = {"v=rm; $x z",
                                        "v=rm; p1 $x",
                                        "p1 $v",
                                        "unset v; p1 $x",
                                        "for v in x y; do p1 $v; done",
                                        "read v <<< rm; $x z"};
  return std::string(one_in(2) ? "declare" : "typeset") + " -n v=x; " + pick(kUses);
}

// A function that would make its own what cannot be changed.
std::string RunMaker::readonly_and_local() {
  constexpr std::string_view kHeads[] = {
      "local",      "declare",   "typeset",
      "local -x",   "local y=1", "declare -I",
      "declare -g", "export",    "if p6; then local y; fi; local"};
  constexpr std::string_view kValues[] = {"s=p1", "s", "s=(p1)", "s+=b"};
  const std::string name = "f" + std::to_string(++names_);
  const bool inside = one_in(3);
  return std::string(inside ? "f9() { " + name + "; }; " : "") + name + "() { " + pick(kHeads) +
         " " + pick(kValues) + "; p1 $s; $s z; }; " +
         (one_in(3) ? "f8() { readonly s=rm; }; f8" : "readonly s=rm") + "; " +
         (inside ? "f9" : name) + "\np1 $s";
}

// What is given for one command, and what stands behind it.
std::string RunMaker::given_and_unset() {
  constexpr std::string_view kDoes[] = {"unset x",
                                        "unset -v x",
                                        "f8",
                                        "unset x; f8",
                                        "export x=b",
                                        "local x; unset x",
                                        "local -x x=b",
                                        "export x",
                                        "unset x; x=b",
                                        "declare -g x=b",
                                        "readonly y=$x",
                                        "read x <<< b",
                                        "x=c eval 'unset x'",
                                        "local x=b; f8",
                                        "x=c f8"};
  constexpr std::string_view kUses[] = {"x=rm f9",
                                        "f9",
                                        "f7() { local x=rm; f9; p1 $x; }; f7",
                                        "x=c eval 'f9; p1 $x'",
                                        "x=c command unset x",
                                        "x=c printf -v x rm",
                                        "x=c declare x",
                                        "x=c export x",
                                        "x=c unset y",
                                        "f7() { x=c local x; p1 $x; }; f7",
                                        "f7() { x=c f9; p1 $x; }; x=rm f7"};
  return "f8() { unset x; p1 $x; }; f9() { " + pick(kDoes) +
         "; p1 $x; $x z; }; x=" + (one_in(2) ? "p1" : "p2") + "; " + pick(kUses) + "; p1 $x";
}

std::string RunMaker::inherited_local() {
  constexpr std::string_view kHeads[] = {"local -I x",  "declare -I x",    "typeset -I x",
                                         "local -Ix x", "declare -I x=p1", "local -I x+=b",
                                         "local x",     "local -I x=(b c)"};
  constexpr std::string_view kBefore[] = {"x=rm", "x=(rm b)", "x=p1", "readonly x=rm", "unset x"};
  return "f9() { " + pick(kHeads) + "; p1 $x; $x z; x=b; }; " +
         (one_in(4) ? "shopt -s localvar_inherit; " : "") + "(" + pick(kBefore) + "; " +
         (one_in(3) ? "x=c f9" : "f9") + "; p1 $x)";
}

// Then the variable is what it was.
std::string RunMaker::failing_declaration() {
  constexpr std::string_view kTexts[] = {"export -z x=p1",
                                         "readonly -z x=p1",
                                         "readonly -ar x=p1",
                                         "declare -Z x=p1",
                                         "typeset +Z x=p1",
                                         "export -g x=p1",
                                         "export -x x=p1",
                                         "command export -Z x=p1",
                                         "declare -p x=p1",
                                         "declare -F x=p1",
                                         "export 1a x=p1",
                                         "declare --help x=p1",
                                         "declare -Z x=(p1)",
                                         "local x=p1",
                                         "local x=(p1)",
                                         "unset -n x",
                                         "unset -vf x",
                                         "unset -z x",
                                         "read -Z x <<< p1",
                                         "printf -Z -v x p1",
                                         "set -- rm; set -Z $x",
                                         "set -o nope p1",
                                         "set + p1 b",
                                         "set -",
                                         "x=(rm b); declare -A x=p1",
                                         "declare +x x=p1",
                                         "export -n x=p1",
                                         "export -p x=p1"};
  return "(x=rm; set -- rm; " + pick(kTexts) + "; p1 $x; $x z; p1 $1)";
}

// An array takes it apart.
std::string RunMaker::list_in_text() {
  constexpr std::string_view kHeads[] = {"declare -a A=",
                                         "typeset -a A=",
                                         "declare -A A=",
                                         "readonly -a A=",
                                         "A=(a b); declare A=",
                                         "export A=",
                                         "A=(a b); A=c; declare A=",
                                         "declare -a A+=",
                                         "A="};
  constexpr std::string_view kLists[] = {"'(rm b)'", "\"(p1 rm)\"", "'($(rm c))'", "'([a]=rm)'",
                                         "'(rm'",    "' (rm)'",     "\"$E1\"",     "'(\"b c\" d)'"};
  return "(" + pick(kHeads) + pick(kLists) + "; p1 $A \"${A[@]}\"; $A z)";
}

// ---- functions ----

std::string RunMaker::function() {
  const std::string name = "f" + std::to_string(++names_);
  if (static_ && (branch_ || in_function_)) return "";
  std::string text;
  bool assigns = false;
  {
    const Restored scope(scope_);
    const Restored touched(touched_);
    const Restored inside(in_function_, true);
    const Restored loop(loop_, false);
    const Restored breakable(breakable_, false);
    const Restored outer(assigns_, false);
    scope_.positional = true;
    scope_.odd_positional = false;
    // It runs later, when variables may have other values.
    for (Variable& one : scope_.variables) one.single = one.single && !static_;
    if (static_) scope_.unset.clear();
    if (one_in(3)) text = named(one_in(5) ? "return" : "local");
    if (!text.empty()) text = " " + text + end();
    text += body("}");
    assigns = assigns_;
  }
  // What it assigns stays assigned where it is called.
  if (assigns && static_)
    for (Variable& one : scope_.variables) one.single = false;
  scope_.functions.push_back({name, assigns});
  return name + (one_in(2) ? "()" : " ()") + (one_in(4) && !posix_ ? "\n{" : " {") + text;
}

std::string RunMaker::function_word() {
  std::string text = function();
  if (text.empty()) return "";
  const std::size_t round = text.find('(');
  if (one_in(2)) text.erase(round, 2);
  return "function " + text;
}

std::string RunMaker::function_in_subshell() {
  if (static_ && (branch_ || in_function_)) return "";
  const std::string name = "f" + std::to_string(++names_);
  const std::string text = aside([&] {
    const Restored inside(in_function_, true);
    const Restored loop(loop_, false);
    scope_.positional = true;
    scope_.odd_positional = false;
    for (Variable& one : scope_.variables) one.single = one.single && !static_;
    if (static_) scope_.unset.clear();
    return body(")");
  });
  scope_.functions.push_back({name, false});
  return name + "() (" + text;
}

std::string RunMaker::function_call() {
  std::vector<std::string> names;
  for (const Function& one : scope_.functions)
    if (!static_ || !one.assigns || (!loop_ && !branch_)) names.push_back(one.name);
  if (names.empty()) return "";
  return names[below(static_cast<std::uint32_t>(names.size()))] + tame_words(3);
}

std::string RunMaker::assignment_for_function() {
  const std::string call = function_call();
  if (call.empty()) return "";
  // What becomes of a variable of the call's own that the function exports differs by version.
  constexpr std::string_view kNames[] = {"x", "w", "y"};
  return std::string(kNames[below(static_ ? 2 : 3)]) + "=" + word() + " " + call;
}

std::string RunMaker::shadowing_function() {
  if (in_function_ || (static_ && branch_)) return "";
  constexpr std::string_view kNames[] = {"p1", "p5", "p7", "ls"};
  constexpr std::string_view kBodies[] = {"{ command NAME b \"$@\"; }", "{ p2 x \"$@\"; }",
                                          "{ rm \"$1\"; }", "{ p3; }", "( p2 x $# )"};
  const std::string name = pick(kNames);
  std::string text = mild_ && !one_in(3) ? "{ p2 x \"$@\"; }" : pick(kBodies);
  if (const std::size_t at = text.find("NAME"); at != text.npos) text.replace(at, 4, name);
  return name + "() " + text;
}

std::string RunMaker::recursion() {
  const std::string name = "f" + std::to_string(++names_);
  return name + "() { p1 $1; if (( $1 > 0 )); then " + name + " $(($1 - 1)) \"$x\"; fi; " +
         (one_in(2) ? "x=b; " : "") + "}; " + name + " 2 a";
}

std::string RunMaker::exported_function() {
  constexpr std::string_view kHeads[] = {"export -f p1", "declare -fx p1",
                                         "set -a; p1() { rm a; }"};
  constexpr std::string_view kUses[] = {"bash -c 'p1 a'", "bash -c p1", "env bash -c 'p1 b'",
                                        "bash <<< p1"};
  return "p1() { rm \"$@\"; }; " + pick(kHeads) + "; " + pick(kUses);
}

std::string RunMaker::unset_function() {
  constexpr std::string_view kWays[] = {"p1=1; unset p1",   "unset -v p1",       "unset -f p1",
                                        "unset p1",         "unset -f p5",       "unset -n p1",
                                        "(unset -f p1)",    "unset -f p1 | cat", "x=p1; unset $x",
                                        "p6 && unset -f p1"};
  return "p1() { rm \"$@\"; }; " + pick(kWays) + "; p1 a";
}

// ---- lists ----

std::string RunMaker::pipeline() {
  std::string out = aside([&] { return unit(); });
  for (std::uint32_t n = 1 + below(2); n > 0; --n)
    out += (one_in(5) && pending_.empty() ? " |\n" : " | ") + aside([&] { return unit(); });
  return out;
}

std::string RunMaker::pipe_with_errors() {
  const std::string first = aside([&] { return unit(); });
  return first + " |& " + aside([&] { return unit(); });
}

std::string RunMaker::negation() { return "! " + unit(); }
std::string RunMaker::time() { return (one_in(3) ? "time -p " : "time ") + unit(); }

std::string RunMaker::and_or() {
  std::string out = unit();
  for (std::uint32_t n = 1 + below(2); n > 0; --n) {
    out += one_in(2) ? " && " : " || ";
    if (one_in(6) && pending_.empty()) out += "\n";
    out += perhaps([&] { return unit(); });
  }
  return out;
}

std::string RunMaker::background() {
  return aside([&] { return unit(); }) + (one_in(2) ? " & :" : " & wait");
}

std::string RunMaker::subshell() {
  return aside([&] { return "(" + body(")"); });
}
std::string RunMaker::group() { return "{" + body("}"); }

std::string RunMaker::if_command() {
  std::string out = "if" + body("then") + perhaps([&] { return body(""); });
  if (one_in(3)) {
    out += "elif" + perhaps([&] {
             const std::string condition_text = body("then");
             return condition_text + body("");
           });
  }
  if (one_in(3)) out += "else" + perhaps([&] { return body(""); });
  return out + "fi";
}

// ---- loops ----

std::string RunMaker::while_command() {
  const Restored loop(loop_, true);
  const Restored breakable(breakable_, true);
  return perhaps([&] {
    if (one_in(3)) return "while p6" + words(2) + "; do" + body("done");
    const std::string head = "while" + body("do");
    return head + body("break; done");
  });
}

std::string RunMaker::until_command() {
  const Restored loop(loop_, true);
  const Restored breakable(breakable_, true);
  return perhaps([&] {
    if (one_in(3)) return "until p1" + words(2) + "; do" + body("break; done");
    const std::string head = "until" + body("do");
    return head + body("break; done");
  });
}

std::string RunMaker::counting_loop() {
  const std::string name = "i" + std::to_string(++names_);
  const Restored loop(loop_, true);
  const Restored breakable(breakable_, true);
  const std::string text = perhaps([&] { return body(""); });
  constexpr std::string_view kSteps[] = {
      "x=$i",           "x+=b",           "y=$x; x=rm", "p1 $x; x=c", "set -- $x b",
      "A+=($x)",        "p1 ${y:=$x}",    "f0",         "export x=d", "command read x <<< b",
      "p1 $((n++)) $x", "[[ $((n+=1)) ]]"};
  std::string step = pick(kSteps);
  if (const std::size_t at = step.find("$i"); at != step.npos) step.insert(at + 2, name.substr(1));
  const std::string before = step == "f0" ? "f0() { x=b; p1 $x; }; " : "";
  return before + name + "=0; while ((" + name + "++ < 3)); do " + step + "; p1 $x \"$y\";" + text +
         "done";
}

std::string RunMaker::reading_loop() {
  const Restored loop(loop_, true);
  const Restored breakable(breakable_, true);
  const std::string text = perhaps([&] {
    scope_.variables.push_back({"v", Kind::kText, false});
    return body("done");
  });
  if (one_in(2)) return "while read -r v; do p1 $v;" + text + " <<< $'a\\nrm b'";
  return "p7 a b | while read v w; do p1 $w;" + text;
}

std::string RunMaker::for_command() {
  const Restored breakable(breakable_, true);
  const bool braces = !posix_ && one_in(5);
  const Restored odd(odd_, false);
  const std::string list_of_words = tame_words(3);
  const bool holds_odd = odd_;
  return "for v in" + list_of_words + (one_in(2) ? "; " : "\n") + (braces ? "{" : "do") +
         perhaps([&] {
           scope_.variables.push_back({"v", Kind::kText, true, holds_odd});
           return body(braces ? "}" : "done");
         });
}

std::string RunMaker::for_parameters() {
  if (static_ && !scope_.positional) return "";
  const Restored breakable(breakable_, true);
  constexpr std::string_view kHeads[] = {"for v; do", "for v do", "for v\ndo"};
  return pick(kHeads) + perhaps([&] {
           scope_.variables.push_back(
               {"v", Kind::kText, true, scope_.odd_positional || in_function_});
           return body("done");
         });
}

std::string RunMaker::arithmetic_for() {
  const std::string name = "i" + std::to_string(++names_);
  const Restored loop(loop_, true);
  const Restored breakable(breakable_, true);
  return "for ((" + name + "=0; " + name + "<2; " + name + "++))" + (one_in(2) ? "; do" : " do") +
         perhaps([&] { return body("done"); });
}

std::string RunMaker::select() {
  const Restored loop(loop_, true);
  const Restored breakable(breakable_, true);
  const std::string list_of_words = words(2);
  const std::string use = one_in(2) ? "p1 $REPLY $v; " : "$REPLY z; ";
  return (one_in(2) ? "REPLY=p1; " : "") + std::string("select v in") + list_of_words + " rm; do " +
         use + perhaps([&] { return body("break; done"); }) + (one_in(2) ? " <<< 1" : " <<< rm");
}

std::string RunMaker::case_command() {
  constexpr std::string_view kPatterns[] = {"a", "*", "a*", "[a-c]", "'b c'", "x|y", "\"\"", "?"};
  std::string out = "case " + word() + " in" + (one_in(2) ? "\n" : " ");
  for (std::uint32_t n = 1 + below(3); n > 0; --n) {
    out += one_in(2) ? "(" : "";
    out +=
        pick(kPatterns) + ")" + perhaps([&] { return body(""); }) + ";;" + (one_in(2) ? "\n" : " ");
  }
  return out + "esac";
}

std::string RunMaker::case_falling() {
  constexpr std::string_view kPatterns[] = {"a", "*", "a*", "[!a-c]", "'b c'", "x|y"};
  constexpr std::string_view kEnds[] = {";; ", ";& ", ";;& "};
  std::string out = "case " + word() + " in ";
  for (std::uint32_t n = 2 + below(2); n > 0; --n)
    out += pick(kPatterns) + ")" + perhaps([&] { return body(""); }) + pick(kEnds);
  return out + "esac";
}

// ---- conditions ----

// An error in a line leaves the rest of it undone, and the next line runs.
std::string RunMaker::abandoned_line() {
  constexpr std::string_view kErrors[] = {": $((1/0))",
                                          ": $((08))",
                                          ": $((2**-1))",
                                          "UID=1",
                                          ": ${x:1/0}",
                                          ": ${x:0:-9}",
                                          "y[-9]=1",
                                          "y[]=1",
                                          ": ${y[]}",
                                          "y=; : ${!y}",
                                          ": ${1:=a}",
                                          "shopt -s failglob; : no*ne",
                                          "{ : $((1%0)); x=p1; }",
                                          "f9() { local x=p1; : $((1/0)); }; f9",
                                          "for i in $((1/0)); do :; done",
                                          "eval ': $((1/0)); x=p1'",
                                          "let 1/0 x=1",
                                          "(( 1/0, x=1 ))",
                                          "( : $((1/0)) )",
                                          "readonly y=1; y=2 x=p1"};
  constexpr std::string_view kValues[] = {"rm", "p1", "p3", "git", "ls"};
  return std::string("x=") + pick(kValues) + "\n" + pick(kErrors) + "; x=" + pick(kValues) +
         "\n$x z";
}

std::string RunMaker::odd_delimiter() {
  constexpr std::string_view kDelimiters[] = {
      "$'E'",    "$\"E\"", "a$'E'",  "$(echo 'a')", "${x:-\"a\"}", "`a`",
      "`a 'b'`", "'\tE'",  "\"$x\"", "\\$x",        "E''",         "'$(a)'",
      "\"`a`\"", "$x",     "[$'b']", "E\\\nE",      "'a b'",       "$E$'E'"};
  constexpr std::string_view kEnds[] = {"E",  "$E",          "aE",  "\tE", "a",
                                        "$x", "$(echo 'a')", "`a`", "a b", "[b]"};
  return std::string("cat <<") + (one_in(3) ? "-" : "") + pick(kDelimiters) + "\nx\n" +
         pick(kEnds) + "\n" + pick(kEnds) + "\np1 z";
}

std::string RunMaker::arithmetic_command() {
  if (may_assign() && (!static_ || !branch_) && one_in(2)) {
    const std::string name = one_in(2) ? "n" : "m";
    const Variable* known = variable(Kind::kNumber, true);
    constexpr std::string_view kSteps[] = {"++", "--", "+=2", "*=3", "=7", "=010", "-=1", "|=4"};
    if (known != nullptr) {
      const std::string of = known->name;
      assigned(of, Kind::kNumber);
      return "((" + of + pick(kSteps) + "))";
    }
    const std::string value = arithmetic_text(1);
    assigned(name, Kind::kNumber);
    return "((" + name + " = " + value + "))";
  }
  return "((" + arithmetic_text(2) + "))";
}

std::string RunMaker::condition(int depth) {
  if (depth > 0 && one_in(3)) {
    constexpr std::string_view kJoins[] = {" && ", " || "};
    const std::string first = condition(depth - 1);
    return first + pick(kJoins) + perhaps([&] { return condition(depth - 1); });
  }
  if (depth > 0 && one_in(8)) return "( " + condition(depth - 1) + " )";
  if (one_in(8)) return "! " + condition(0);
  constexpr std::string_view kTests[] = {"-f ", "-n ", "-z ", "-d ", "-e "};
  constexpr std::string_view kOps[] = {" == ", " != ", " = ", " < ", " > "};
  constexpr std::string_view kNumeric[] = {" -eq ", " -lt ", " -ge ", " -ne "};
  switch (below(4)) {
    case 0:
      return pick(kTests) + word();
    case 1: {
      const Restored quotes(in_quotes_, true);
      return "$((" + arithmetic_text(1) + "))" + pick(kNumeric) +
             (static_ || one_in(2) ? "2" : "$x");
    }
    case 2:
      return word() + pick(kOps) + pattern();
    default:
      return word() + pick(kOps) + word();
  }
}

std::string RunMaker::conditional() {
  if (!static_ && one_in(5)) {
    constexpr std::string_view kTexts[] = {"[[ -v $x ]]",
                                           "[[ $x -eq 1 ]]",
                                           "[[ x -eq 1 ]]",
                                           "[[ -v A[$x] ]]",
                                           "[[ a == b && $((n=5)) -eq 5 ]]; p1 $n",
                                           "[[ E6 -eq 0 ]]",
                                           "[[ -R x ]]"};
    return pick(kTexts);
  }
  return "[[ " + condition(1) + " ]]";
}

std::string RunMaker::regex() {
  constexpr std::string_view kPatterns[] = {"^(a|b c)$", "a|b", "[a-z]+", "\\.x$", "(a)", "^a\\ b"};
  const std::string left = word();
  // Then the operator is an operand.
  if (left.starts_with('-')) return "";
  const std::string text = "[[ " + left + " =~ " + pick(kPatterns) + " ]]";
  return static_ || one_in(2) ? text : text + "; p1 \"${BASH_REMATCH[0]}\"";
}

std::string RunMaker::coprocess() {
  return aside([&]() -> std::string {
    if (one_in(2))
      return std::string("coproc ") + (one_in(2) ? "N " : "") + "{" + body("}") +
             " 2>&1 </dev/null";
    return "coproc " + program_words() + " </dev/null";  // else its input never ends
  });
}

// ---- redirections ----

std::string RunMaker::input() {
  constexpr std::string_view kFiles[] = {"f1", "/dev/null", "d1/f2", "none"};
  return (one_in(4) ? "3< " : "<") + pick(kFiles);
}

std::string RunMaker::output_file() {
  constexpr std::string_view kFiles[] = {"o1", "/dev/null", "d1/o2", "\"o 3\"", "./o4"};
  constexpr std::string_view kDescriptors[] = {"", "1", "2", "3"};
  if (!static_ && one_in(5)) return ">" + word();
  return pick(kDescriptors) + (one_in(2) ? "> " : ">") + pick(kFiles);
}

std::string RunMaker::append_output() { return one_in(2) ? ">>o1" : "2>> o1"; }
std::string RunMaker::clobber() { return one_in(2) ? ">|o1" : "2>| o2"; }
std::string RunMaker::both() { return one_in(3) ? "&>>o1" : one_in(2) ? "&>o1" : ">&o1"; }
std::string RunMaker::duplicate() { return one_in(2) ? "2>&1" : one_in(2) ? ">&2" : "3<&0"; }
std::string RunMaker::close() { return one_in(2) ? "3>&-" : "<&-"; }
std::string RunMaker::read_write() { return one_in(2) ? "<>f1" : "3<> o1"; }

std::string RunMaker::here_string() {
  const Restored branch(branch_, branch_ || static_);
  return "<<<" + std::string(one_in(2) ? " " : "") + word();
}

std::string RunMaker::here(bool is_quoted, bool tabs) {
  constexpr std::string_view kLines[] = {"plain text\n", "it's \"quoted\"\n", "a)b}c;;\n",
                                         "\n",           "\\\\ \\$x\n",       "# no comment\n"};
  if (static_ && hidden_) return "";
  const std::string delimiter = "E" + std::to_string(++names_);
  std::string text;
  for (std::uint32_t n = below(3); n > 0; --n) {
    std::string line = pick(kLines);
    if (!is_quoted && one_in(2)) {
      const Restored quotes(in_quotes_, true);
      const Restored last(last_, true);
      const Restored branch(branch_, branch_ || static_);
      line = construct(Sort::kPart) + "\n";
    }
    text += (tabs && one_in(2) ? "\t" : "") + line;
  }
  pending_ += text + (tabs && one_in(2) ? "\t" : "") + delimiter + "\n";
  const std::string quote = !is_quoted ? "" : one_in(2) ? "'" : "\"";
  return (tabs ? "<<-" : "<<") + std::string(one_in(3) ? " " : "") + quote + delimiter + quote;
}

std::string RunMaker::here_document() { return here(false, false); }
std::string RunMaker::quoted_here_document() { return here(true, false); }
std::string RunMaker::tabbed_here_document() { return here(one_in(2), true); }

std::string RunMaker::descriptor_variable() {
  return one_in(2) ? "{fd}>o1" : one_in(2) ? "{fd}<f1" : "{fd}>&1";
}

}  // namespace tollgate::bash
