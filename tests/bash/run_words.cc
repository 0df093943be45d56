// Parts of words: quotes, expansions, and what can stand in them.
// In a static script only variables that are known here are used, and every value is plain.
#include "bash/run_making.h"

namespace tollgate::bash {
namespace {

constexpr std::string_view kWords[] = {"a", "b",  "x",   "y1",  "foo.txt", "d1",    "-n", "-x",
                                       "1", "22", "a=b", "a:b", "d1/f",    "--all", "@",  "%",
                                       ".", "+x", "rm",  "p1",  "push",    "ab"};
// What a bash that is not asked to may still make of a word.
constexpr std::string_view kOddWords[] = {"A[$(rm e)]", "*",     "é",       "p3 a",   "-x", "b  c",
                                          "~",          "{a,b}", "$(rm e)", "`rm e`", "\\a"};

}  // namespace

// ---- words ----

std::string RunMaker::word() {
  std::string out;
  const std::uint32_t parts = one_in(4) ? 2 + below(2) : 1;
  for (std::uint32_t i = 0; i < parts; ++i) {
    const Restored last(last_, i + 1 == parts);
    out += construct(Sort::kPart);
  }
  return out;
}

std::string RunMaker::words(std::uint32_t most) {
  std::string out;
  for (std::uint32_t n = below(most + 1); n > 0; --n) out += blank() + word();
  return out;
}

// Of a function, a shell or a loop, which may use them without quotes.
std::string RunMaker::tame_words(std::uint32_t most) {
  const Restored tame(tame_, true);
  return words(most);
}

std::string RunMaker::tame(std::string text) {
  const std::size_t at = text.find('*');
  if (at == text.npos || !static_) return text;
  // A function may be called, or may have been written, where something else was known.
  if (tame_ || in_function_ || !scope_.functions.empty())
    text[at] = '+';
  else
    odd_ = true;
  return text;
}

std::string RunMaker::part() { return construct(Sort::kPart); }

std::string RunMaker::operand() {
  constexpr std::string_view kTexts[] = {"d", "a b", "\"q r\"", "'s t'", "a\\ b", "", "x", "a/b"};
  constexpr std::string_view kQuotedTexts[] = {"d", "a b", "q-r", "", "x", "a/b", "\\$"};
  if (depth_ > 0 && one_in(4)) {
    const Restored last(last_, true);
    --depth_;
    std::string inside = construct(Sort::kPart);
    ++depth_;
    return inside;
  }
  return in_quotes_ || posix_ ? pick(kQuotedTexts) : pick(kTexts);
}

std::string RunMaker::pattern() {
  constexpr std::string_view kTexts[] = {"a",  "*",  "?",   "a*",    "*.",  "*/", "[a-c]",
                                         "*b", ".*", "f??", "[!x]*", "\\*", "x"};
  if (one_in(6)) {
    const std::string name = name_of(Kind::kText, true);
    if (!name.empty()) return (in_quotes_ || one_in(2)) ? "${" + name + "}" : "\"$" + name + "\"";
  }
  return pick(kTexts);
}

// ---- quotes ----

std::string RunMaker::plain() {
  if (in_quotes_) return one_in(2) ? "b c" : pick(kWords);
  return pick(kWords);
}

std::string RunMaker::single_quotes() {
  constexpr std::string_view kTexts[] = {"'b c'", "'$x'", "'\"'",    "'a\\'", "'#`('",
                                         "'*'",   "'x'",  "'{a,b}'", "'~'",   "';'"};
  if (!static_ && one_in(4)) return "'" + pick(kOddWords) + "'";
  return tame(pick(kTexts));
}

std::string RunMaker::double_quotes() {
  if (in_quotes_) return "";
  constexpr std::string_view kTexts[] = {"b c", ";|&", "'", "\\\"", "\\$", "\\\\", "\\a", "#",
                                         "(",   ")",   "{", "}",    "\n",  "*",    "x",   "-n"};
  std::string out = "\"";
  const Restored inside(in_quotes_, true);
  for (std::uint32_t n = 1 + below(3); n > 0; --n) {
    const Restored last(last_, false);
    out += one_in(2) ? tame(pick(kTexts)) : construct(Sort::kPart);
  }
  return out + "\"";
}

std::string RunMaker::escaped() {
  if (static_ && in_process_) return "";  // bash misreads some of them there, in arrays
  constexpr std::string_view kTexts[] = {"\\a",  "\\ ", "\\$", "\\\"",    "\\'", "\\;",
                                         "\\\\", "\\#", "\\*", "\\{a,b}", "\\~"};
  return tame(pick(kTexts));
}

std::string RunMaker::ansi_quotes() {
  constexpr std::string_view kTexts[] = {"$'a'",       "$'b\\tc'", "$'it\\'s'", "$'\\x41'",
                                         "$'\\u00e9'", "$'\\n'",   "$'\\101b'", "$'\\\\'"};
  const std::string text = pick(kTexts);
  // Which letter that is, if any, depends on the locale.
  return static_ && text.find("\\u") != text.npos ? "$'\\t'" : text;
}

std::string RunMaker::locale_quotes() { return one_in(2) ? "$\"b c\"" : "$\"x\""; }
std::string RunMaker::empty_quotes() { return one_in(2) ? "''" : "\"\""; }

// ---- variables ----

std::string RunMaker::plain_variable() {
  constexpr Kind kKinds[] = {Kind::kText, Kind::kText, Kind::kNumber, Kind::kArray};
  const std::string name = name_of(kKinds[below(posix_ ? 3 : 4)], false, in_quotes_);
  if (name.empty()) return "";
  return last_ && one_in(2) ? "$" + name : "${" + name + "}";
}

std::string RunMaker::quoted_variable() {
  const std::string name = name_of(one_in(4) ? Kind::kNumber : Kind::kText, false, true);
  return name.empty() || in_quotes_ ? "" : "\"$" + name + "\"";
}

std::string RunMaker::default_value() {
  const std::string name = name_of(Kind::kText);
  return name.empty() ? "" : "${" + name + (one_in(2) ? ":-" : "-") + operand() + "}";
}

std::string RunMaker::unset_default() {
  if (scope_.unset.empty()) return "";
  constexpr std::string_view kOps[] = {":-", "-", "+", ":+"};
  const std::string& name = scope_.unset[below(static_cast<std::uint32_t>(scope_.unset.size()))];
  return "${" + name + pick(kOps) + operand() + "}";
}

std::string RunMaker::assigned_default() {
  if (!may_assign() || (static_ && branch_)) return "";
  std::string name = scope_.unset.empty() ? name_of(Kind::kText, true) : scope_.unset[0];
  if (name.empty()) return "";
  const std::string text = "${" + name + (one_in(2) ? ":=" : "=") + operand() + "}";
  // Whether it is set at all depends on where this stands; nothing rests on it.
  std::erase_if(scope_.variables, [&](const Variable& one) { return one.name == name; });
  std::erase(scope_.unset, name);
  touched_.push_back(name);
  assigns_ = true;
  return text;
}

std::string RunMaker::error_if_unset() {
  const std::string name = name_of(Kind::kText);
  return name.empty() ? "" : "${" + name + (one_in(2) ? ":?" : "?") + "m" + "}";
}

std::string RunMaker::alternative() {
  const std::string name = name_of(Kind::kText);
  return name.empty() ? "" : "${" + name + (one_in(2) ? ":+" : "+") + operand() + "}";
}

std::string RunMaker::prefix() {
  const std::string name = name_of(Kind::kText);
  return name.empty() ? "" : "${" + name + (one_in(2) ? "#" : "##") + pattern() + "}";
}

std::string RunMaker::suffix() {
  const std::string name = name_of(Kind::kText);
  return name.empty() ? "" : "${" + name + (one_in(2) ? "%" : "%%") + pattern() + "}";
}

std::string RunMaker::replacement() {
  constexpr std::string_view kOps[] = {"/", "//", "/#", "/%"};
  constexpr std::string_view kWants[] = {"a", "b", "x", ".", "foo", "\\*", "rm"};
  constexpr std::string_view kPuts[] = {"/q", "", "/", "/a b", "/rm", "/x"};
  const std::string name = name_of(Kind::kText);
  return name.empty() ? "" : "${" + name + pick(kOps) + pick(kWants) + pick(kPuts) + "}";
}

std::string RunMaker::pattern_replacement() {
  constexpr std::string_view kOps[] = {"/", "//", "/#", "/%"};
  constexpr std::string_view kPuts[] = {"/q", "", "/&", "/a&b", "/rm", "/\\&"};
  const std::string name = name_of(Kind::kText);
  return name.empty() ? "" : "${" + name + pick(kOps) + pattern() + pick(kPuts) + "}";
}

std::string RunMaker::substring() {
  constexpr std::string_view kPlaces[] = {":1",     ":0:1",  ":1:2", ": -1", ":(-2)",
                                          ": -2:1", ":0:-1", ":9",   ":2:0"};
  const std::string name = name_of(Kind::kText);
  if (name.empty()) return "";
  if (!static_ && one_in(3)) return "${" + name + ":" + arithmetic_text(1) + "}";
  return "${" + name + pick(kPlaces) + "}";
}

std::string RunMaker::letter_case() {
  constexpr std::string_view kOps[] = {"^", "^^", ",", ",,"};
  const std::string name = name_of(Kind::kText);
  return name.empty() ? "" : "${" + name + pick(kOps) + "}";
}

std::string RunMaker::case_pattern() {
  constexpr std::string_view kOps[] = {"^a", "^^[ab]", ",?", ",,X"};
  const std::string name = name_of(Kind::kText);
  return name.empty() ? "" : "${" + name + pick(kOps) + "}";
}

std::string RunMaker::toggle() {
  const std::string name = name_of(Kind::kText);
  // A single one counts for every word in it, as nobody would guess.
  return name.empty() ? "" : "${" + name + (!static_ && one_in(2) ? "~" : "~~") + "}";
}

std::string RunMaker::transform() {
  if (static_) {
    constexpr std::string_view kLetters[] = {"@U", "@u", "@L"};
    const std::string name = name_of(Kind::kText);
    return name.empty() ? "" : "${" + name + pick(kLetters) + "}";
  }
  constexpr std::string_view kOps[] = {"@Q", "@U", "@u", "@L", "@E", "@P", "@A", "@a", "@K"};
  const std::string name = name_of(one_in(4) ? Kind::kArray : Kind::kText);
  return name.empty() ? "" : "${" + name + (one_in(5) ? "[@]" : "") + pick(kOps) + "}";
}

std::string RunMaker::length() {
  const std::string name = name_of(Kind::kText, true);
  return name.empty() ? "" : "${#" + name + "}";
}

std::string RunMaker::indirect() {
  const std::string name = name_of(Kind::kText);
  if (name.empty()) return "";
  if (!static_) return "${!" + name + "}";
  // Its own line says what it leads to.
  const Variable* to = variable(Kind::kText);
  return to == nullptr || !may_assign() || in_quotes_ ? ""
                                                      : "$(i=" + to->name + "; echo \"${!i}\")";
}

std::string RunMaker::element() {
  const std::string name = name_of(Kind::kArray, true);
  if (name.empty()) return "";
  constexpr std::string_view kSubscripts[] = {"0", "1", "2", "-1", "7"};
  if (!static_ && one_in(2)) return "${" + name + "[" + arithmetic_text(1) + "]}";
  return "${" + name + "[" + pick(kSubscripts) + "]}";
}

std::string RunMaker::elements() {
  const bool bare = !in_quotes_ && one_in(3);
  const std::string name = name_of(Kind::kArray, true, !bare);
  if (name.empty()) return "";
  const std::string all = "${" + name + (one_in(3) ? "[*]}" : "[@]}");
  return in_quotes_ || bare ? all : "\"" + all + "\"";
}

std::string RunMaker::array_length() {
  const std::string name = name_of(Kind::kArray, true);
  return name.empty() ? "" : "${#" + name + (one_in(3) ? "[*]}" : "[@]}");
}

// The shell's own name is no parameter.
std::string RunMaker::known_slice() {
  constexpr std::string_view kPlaces[] = {":1", ":0:2", ": -1", ":1:1", ":9"};
  constexpr std::string_view kOwnPlaces[] = {":1", ":2", ":1:1", ":9"};
  const std::string name = name_of(Kind::kArray, true, true);
  if (name.empty() && (!scope_.positional || scope_.odd_positional)) return "";
  const std::string slice =
      name.empty() ? "${@" + pick(kOwnPlaces) + "}" : "${" + name + "[@]" + pick(kPlaces) + "}";
  return in_quotes_ ? slice : "\"" + slice + "\"";
}

std::string RunMaker::slice() {
  if (static_) return known_slice();
  const std::string name = name_of(Kind::kArray);
  constexpr std::string_view kPlaces[] = {":1", ":0:2", ": -1", ":1:1"};
  if (name.empty() || one_in(3)) return "\"${@" + pick(kPlaces) + "}\"";
  return "${" + name + "[@]" + pick(kPlaces) + "}";
}

std::string RunMaker::keys() {
  const std::string name = name_of(Kind::kArray);
  if (name.empty()) return one_in(2) ? "${!x*}" : "\"${!x@}\"";
  return "${!" + name + "[@]}";
}

// ---- parameters ----

std::string RunMaker::positional() {
  if (!scope_.positional && static_) return "";
  constexpr std::string_view kForms[] = {"${1}", "${2}", "${1:-d}", "${3-d}", "${1#a}"};
  constexpr std::string_view kQuotedForms[] = {"\"$1\"", "$1", "\"${2}\"", "$2"};
  if (scope_.odd_positional && static_) {
    if (tame_) return "";
    odd_ = true;
    return in_quotes_ ? "${1}" : "\"${2}\"";
  }
  return in_quotes_ || !last_ ? pick(kForms) : pick(kQuotedForms);
}

std::string RunMaker::all_parameters() {
  if (!scope_.positional && static_) return "";
  if (scope_.odd_positional && static_ && tame_) return "";
  odd_ = odd_ || scope_.odd_positional;
  const bool bare = one_in(3) && !(scope_.odd_positional && static_);
  return in_quotes_ || bare ? "${@}" : "\"$@\"";
}

std::string RunMaker::joined_parameters() {
  if (!scope_.positional && static_) return "";
  if (scope_.odd_positional && static_ && tame_) return "";
  odd_ = odd_ || scope_.odd_positional;
  const bool bare = one_in(3) && !(scope_.odd_positional && static_);
  return in_quotes_ || bare ? "${*}" : "\"$*\"";
}

std::string RunMaker::parameter_count() {
  if (!scope_.positional && static_) return "";
  return "${#}";
}

// ---- substitutions ----

// A script whose output is known.
std::string RunMaker::known_output() {
  const Restored in_quotes(in_quotes_, false);
  const Restored last(last_, true);
  const Restored tame(tame_, true);
  return aside([&]() -> std::string {
    switch (below(posix_ ? 6 : 8)) {
      case 0:
      case 1:
        return "echo" + words(2);
      case 2:
        return "printf %s" + words(2);
      case 3:
        return "printf '%s\\n'" + words(2);
      case 4:
        return "t=" + word() + "; echo \"$t\"";
      case 5:
        return "echo" + words(2) + "; echo" + words(1);
      case 6:
        return "for v in a b; do echo $v; done";
      default:
        return "cat <<<" + word();
    }
  });
}

std::string RunMaker::substitution() {
  if (depth_ <= 0) return "";
  return "$(" + known_output() + ")";
}

std::string RunMaker::free_substitution() {
  if (depth_ <= 0) return "";
  const Restored in_quotes(in_quotes_, false);
  const Restored last(last_, true);
  return aside([&] {
    std::string text = inner_script(2);
    return "$( " + text + ")";
  });
}

std::string RunMaker::backquotes() {
  if (in_quotes_ || depth_ <= 0) return "";
  std::string out = "`";
  for (const char c : known_output()) {
    if (c == '\\' || c == '`') out += '\\';
    out += c;
  }
  return out + "`";
}

// ---- arithmetic ----

std::string RunMaker::arithmetic_text(int depth) {
  constexpr std::string_view kNumbers[] = {"0", "1", "2", "3", "7", "010", "0x1f", "12"};
  constexpr std::string_view kOps[] = {" + ", "-",  "*",  " & ",  "|",  "^",
                                       " < ", ">=", "==", " != ", "&&", " || "};
  if (depth > 0) switch (below(9)) {
      case 0:
        return "(" + arithmetic_text(depth - 1) + ")";
      case 1:
        return arithmetic_text(depth - 1) + (one_in(2) ? " / 3" : "%5");
      case 2:
        // By how much it shifts is not left to what follows.
        if (posix_ || one_in(2)) return "(" + arithmetic_text(depth - 1) + "<<2)";
        return arithmetic_text(depth - 1) + "**2";
      case 3:
        return arithmetic_text(depth - 1) + " ? " + arithmetic_text(0) + " : " + arithmetic_text(0);
      case 4:
        return (one_in(2) ? "!" : "~") + std::string("(") + arithmetic_text(depth - 1) + ")";
      case 5:
        return " -" + arithmetic_text(0);
      default:
        return arithmetic_text(depth - 1) + pick(kOps) + arithmetic_text(depth - 1);
    }
  if (!static_ && one_in(4)) {
    constexpr std::string_view kWild[] = {"x", "$x", "E1", "$E6", "A[x]", "16#ff", "RANDOM", "y++"};
    return pick(kWild);
  }
  const std::string name = one_in(2) ? name_of(Kind::kNumber, true) : "";
  if (!name.empty()) return one_in(3) ? "$" + name : name;
  return pick(kNumbers);
}

std::string RunMaker::arithmetic() {
  const Restored in_quotes(in_quotes_, true);
  if (may_assign() && (!static_ || !branch_) && !posix_ && one_in(4)) {
    const std::string name = name_of(Kind::kNumber, true);
    constexpr std::string_view kOps[] = {"=", "+=", "*=", "-="};
    if (!name.empty()) {
      assigned(name, Kind::kNumber);
      if (one_in(3)) return one_in(2) ? "$((" + name + "++))" : "$((--" + name + "))";
      return "$((" + name + pick(kOps) + arithmetic_text(1) + "))";
    }
  }
  return "$((" + arithmetic_text(2) + "))";
}

std::string RunMaker::old_arithmetic() {
  const Restored in_quotes(in_quotes_, true);
  return "$[" + arithmetic_text(1) + "]";
}

// ---- braces, tildes, file names ----

std::string RunMaker::brace_list() {
  if (static_ && declared_) return "";
  constexpr std::string_view kTexts[] = {"{a,b}", "{a,}",      "{x,'b c'}",  "{a,{b,c}}", "{a}",
                                         "{,}",   "{\"a\",b}", "{a,b}{1,2}", "{a"};
  const std::string name = one_in(3) ? name_of(Kind::kText) : "";
  if (!name.empty()) return "{a,\"$" + name + "\"}";
  return pick(kTexts);
}

std::string RunMaker::brace_range() {
  if (static_ && declared_) return "";
  constexpr std::string_view kTexts[] = {"{1..3}", "{3..1}",  "{a..c}", "{01..03}", "{1..5..2}",
                                         "{c..a}", "{-1..1}", "{1..a}", "{1..3..0}"};
  return pick(kTexts);
}

std::string RunMaker::tilde() {
  if (static_ && !last_) return "";
  constexpr std::string_view kTexts[] = {"~", "~/x", "~/d1"};
  return pick(kTexts);
}

std::string RunMaker::process() {
  if (depth_ <= 0) return "";
  if (static_ && !last_) return "";
  const bool outer_tame = tame_;
  const std::string made = aside([&]() -> std::string {
    const Restored inside(in_process_, static_);
    const Restored tame(tame_, false);
    std::string text = inner_script(1);
    // There it is a word to one version of bash, and reserved to another.
    if (static_ && text.starts_with("time")) return "";
    // What is written to prints where the command prints.
    return (one_in(3) && !(static_ && outer_tame) ? ">( " : "<( ") + text + ")";
  });
  odd_ = odd_ || !made.empty();
  return made;
}

std::string RunMaker::glob() {
  constexpr std::string_view kTexts[] = {"*", "f?", "[a-z]1", "d1/*", "*.c", "d[12]", "?", "*/f*"};
  return pick(kTexts);
}

std::string RunMaker::extended_glob() {
  constexpr std::string_view kTexts[] = {"?(f)1", "@(a|f1)", "!(x)", "+(f|1)", "*(d)2"};
  return pick(kTexts);
}

// ---- what nobody knows beforehand ----

std::string RunMaker::environment() {
  constexpr std::string_view kNames[] = {"E1", "E2", "E3", "E4", "E5", "E6"};
  return "${" + pick(kNames) + (one_in(4) ? ":-d" : "") + "}";
}

std::string RunMaker::output() {
  constexpr std::string_view kTexts[] = {
      "$(p8)", "$(p7 a)", "$(ls)", "$(p7 b c; p6)", "$(cat f1)", "$(p7 a | cat)", "$(type -t p1)"};
  return pick(kTexts);
}

std::string RunMaker::special() {
  constexpr std::string_view kTexts[] = {"$?",
                                         "$$",
                                         "$!",
                                         "$-",
                                         "$0",
                                         "$_",
                                         "${RANDOM}",
                                         "${LINENO}",
                                         "${OLDPWD}",
                                         "${BASHPID}",
                                         "${PIPESTATUS[0]}"};
  return pick(kTexts);
}

std::string RunMaker::directory_variable() { return one_in(2) ? "${PWD}" : "${HOME}"; }

}  // namespace tollgate::bash
