// Each function makes one construct and may put any other inside, up to a depth.
#include "bash/script_maker.h"

#include <utility>

namespace tollgate::bash {
namespace {

constexpr std::string_view kNames[kProductions] = {"plain word",
                                                   "single quotes",
                                                   "double quotes",
                                                   "escape",
                                                   "ansi quotes",
                                                   "locale quotes",
                                                   "continuation",
                                                   "variable",
                                                   "braces",
                                                   "default",
                                                   "pattern removal",
                                                   "replacement",
                                                   "substring",
                                                   "case change",
                                                   "case change by pattern",
                                                   "toggled case",
                                                   "transformation",
                                                   "length",
                                                   "indirection",
                                                   "element",
                                                   "slice",
                                                   "command substitution",
                                                   "backquotes",
                                                   "nested backquotes",
                                                   "arithmetic",
                                                   "old arithmetic",
                                                   "process substitution",
                                                   "brace list",
                                                   "glob",
                                                   "extended glob",
                                                   "tilde",
                                                   "carriage return",
                                                   "byte order mark",
                                                   "broken letter",
                                                   "comment",
                                                   "simple command",
                                                   "assignment",
                                                   "array",
                                                   "declare",
                                                   "declare of a map",
                                                   "append",
                                                   "subscript",
                                                   "input",
                                                   "output",
                                                   "append output",
                                                   "clobber",
                                                   "both",
                                                   "duplicate",
                                                   "close",
                                                   "read and write",
                                                   "here-string",
                                                   "here-document",
                                                   "quoted here-document",
                                                   "here-document with tabs",
                                                   "descriptor variable",
                                                   "pipeline",
                                                   "pipe with errors",
                                                   "negation",
                                                   "time",
                                                   "and or",
                                                   "background",
                                                   "sequence",
                                                   "subshell",
                                                   "group",
                                                   "if",
                                                   "while",
                                                   "until",
                                                   "for",
                                                   "for without words",
                                                   "arithmetic for",
                                                   "select",
                                                   "case",
                                                   "arithmetic command",
                                                   "conditional",
                                                   "regex",
                                                   "function",
                                                   "function word",
                                                   "coprocess"};

constexpr std::string_view kPlain[] = {
    "a",  "b",  "ls",  "x1", "-l",   "--all",    "foo.txt", "./run", "/etc/x", "a=b", "1",  "22",
    "%",  "+x", "a:b", "@",  "^",    "}",        "]",       "]]",    "a#b",    "in",  "do", "then",
    "fi", "!",  "=",   "{",  "time", "function", "é",       "~x",    "a,b",    "."};
constexpr std::string_view kCommands[] = {"ls", "cat", "grep", "echo", "p1", "p2", "/bin/p3", "q"};
constexpr std::string_view kVariables[] = {"x", "y", "HOME", "a1", "_z"};
constexpr std::string_view kSpecials[] = {"$?", "$#", "$@", "$*", "$$", "$!", "$-", "$0", "$1"};

}  // namespace

std::string_view name(Production production) { return kNames[static_cast<int>(production)]; }

std::string ScriptMaker::blank() {
  if (one_in(24)) {
    count(Production::kContinuation);
    return " \\\n";
  }
  return one_in(8) ? (one_in(2) ? "  " : "\t") : " ";
}

// Ends a statement. A newline must follow where bodies wait.
std::string ScriptMaker::end() {
  if (!pending_.empty()) {
    std::string bodies;
    bodies.swap(pending_);
    return "\n" + bodies;
  }
  switch (below(5)) {
    case 0:
      count(Production::kComment);
      return " # it's \"a comment\" $( `\n";
    case 1:
      return "\n";
    case 2:
      return "\n\n";
    default:
      return "; ";
  }
}

std::string ScriptMaker::script() {
  const std::string first = head();
  return first + lines();
}

std::string ScriptMaker::head() {
  extglob_ = one_in(8);
  return std::string(extglob_ ? kExtglobLine : "");
}

std::string ScriptMaker::lines() {
  std::string out;
  // Bash knows no such mark: it belongs to the first word.
  if (!extglob_ && one_in(10)) {
    count(Production::kByteOrderMark);
    out = "\xEF\xBB\xBFq\n";
  }
  for (std::uint32_t n = 1 + below(2); n > 0; --n) out += list(2 + static_cast<int>(below(2)));
  return out;
}

std::string ScriptMaker::damaged_script() {
  const std::string first = head();
  std::string text = lines();
  constexpr std::string_view kInserted[] = {
      "(",    ")",    "{",    "}",  ";",  "&",   "|",  "'",  "\"", "`",         "$",
      "<",    ">",    "\\",   "\n", " ",  "((",  "))", "[[", "]]", ";;",        "do",
      "done", " fi ", "esac", "${", "$(", "<<E", "=(", "#",  "!",  "case x in", "\\\n"};
  for (std::uint32_t n = 1 + below(3); n > 0 && !text.empty(); --n) {
    const std::size_t at = below(static_cast<std::uint32_t>(text.size()));
    switch (below(3)) {
      case 0:
        text.erase(at, 1 + below(3));
        break;
      case 1:
        text.insert(at, pick(kInserted));
        break;
      default:
        text.insert(at, text.substr(at, 1 + below(5)));
    }
  }
  return first + text;
}

std::string ScriptMaker::continued_script() {
  const std::string first = head();
  std::string text = lines();
  for (std::uint32_t n = 1 + below(3); n > 0 && !text.empty(); --n) {
    text.insert(below(static_cast<std::uint32_t>(text.size())), "\\\n");
    count(Production::kContinuation);
  }
  return first + text;
}

std::string ScriptMaker::list(int depth) {
  std::string out;
  for (std::uint32_t n = 1 + below(2); n > 0; --n) {
    out += and_or(depth);
    if (one_in(12) && pending_.empty()) {
      count(Production::kBackground);
      out += one_in(2) ? " &\n" : " & ";
    } else {
      count(Production::kSequence);
      out += end();
    }
  }
  return out;
}

std::string ScriptMaker::and_or(int depth) {
  std::string out = pipeline(depth);
  while (one_in(5)) {
    count(Production::kAndOr);
    out += one_in(2) ? " && " : " || ";
    if (one_in(6) && pending_.empty()) out += "\n";
    out += pipeline(depth);
  }
  return out;
}

std::string ScriptMaker::pipeline(int depth) {
  std::string out;
  if (one_in(14)) {
    count(Production::kNegation);
    out += "! ";
  }
  if (one_in(20)) {
    count(Production::kTime);
    out += one_in(3) ? "time -p " : "time ";
  }
  out += command(depth);
  while (one_in(6)) {
    const bool errors = one_in(4);
    count(errors ? Production::kPipeErrors : Production::kPipeline);
    out += errors ? " |& " : " | ";
    if (one_in(6) && pending_.empty()) out += "\n";
    out += command(depth);
  }
  return out;
}

std::string ScriptMaker::command(int depth) {
  return depth > 0 && one_in(3) ? compound(depth - 1) : simple(depth);
}

std::string ScriptMaker::simple(int depth) {
  count(Production::kSimple);
  std::string out;
  while (one_in(5)) {
    out += assignment(depth);
    out += blank();
  }
  // Behind an assignment and a redirection bash takes no array.
  bool late = false;
  if (one_in(12)) {
    late = !out.empty();
    out += redirection(depth);
    out += blank();
  }
  if (one_in(14) && !late) {
    count(Production::kDeclare);
    constexpr std::string_view kDeclarers[] = {"declare", "export", "local", "readonly", "typeset"};
    if (one_in(4)) return out + (one_in(2) ? "declare" : "local") + " -A " + map();
    out += pick(kDeclarers);
    out += " -a " + (one_in(2) ? array() : "y=" + word(depth));
    return out;
  }
  out += one_in(8) ? word(depth) + "x" : std::string(pick(kCommands));
  for (std::uint32_t n = below(4); n > 0; --n) out += blank() + word(depth);
  while (one_in(4)) out += blank() + redirection(depth);
  return out;
}

// The inside of a compound command, up to its closing word.
std::string ScriptMaker::body(int depth, std::string_view close) {
  std::string out = one_in(3) ? "\n" : " ";
  out += list(depth);
  if (!pending_.empty()) out += end();
  return out + std::string(close);
}

std::string ScriptMaker::compound(int depth) {
  std::string out;
  switch (below(15)) {
    case 0:
      count(Production::kSubshell);
      out = "(" + body(depth, ")");
      break;
    case 1:
      count(Production::kGroup);
      out = "{" + body(depth, "}");
      break;
    case 2:
      count(Production::kIf);
      out = "if" + body(depth, "then") + body(depth, "");
      if (one_in(3)) out += "elif" + body(depth, "then") + body(depth, "");
      if (one_in(3)) out += "else" + body(depth, "");
      out += "fi";
      break;
    case 3:
      count(Production::kWhile);
      out = "while" + body(depth, "do") + body(depth, "done");
      break;
    case 4:
      count(Production::kUntil);
      out = "until" + body(depth, "do") + body(depth, "done");
      break;
    case 5: {
      const bool braces = one_in(4);
      count(Production::kFor);
      out = "for " + std::string(pick(kVariables)) + " in " + words(depth, 4) +
            (one_in(2) ? "; " : "\n") + (braces ? "{" : "do") + body(depth, braces ? "}" : "done");
      break;
    }
    case 6:
      count(Production::kForWithout);
      out = "for x" +
            std::string(one_in(2)   ? "; "
                        : one_in(2) ? "\n"
                                    : " ") +
            "do" + body(depth, "done");
      break;
    case 7:
      count(Production::kArithmeticFor);
      out = "for ((" + arithmetic(depth) + "; " + arithmetic(depth) + ";" + arithmetic(depth) +
            "))" + (one_in(2) ? "; do" : " do") + body(depth, "done");
      break;
    case 8:
      count(Production::kSelect);
      out = "select y in " + words(depth, 3) + "; do" + body(depth, "done");
      break;
    case 9: {
      count(Production::kCaseOf);
      out = "case " + word(depth) + " in" + (one_in(2) ? "\n" : " ");
      for (std::uint32_t n = below(4); n > 0; --n) {
        constexpr std::string_view kEnds[] = {";;", ";;", ";;\n", ";&", ";;& "};
        out += one_in(2) ? "(" : "";
        out += "p" + word(depth);
        while (one_in(3)) out += "|" + word(depth) + "x";
        out += ")";
        if (!one_in(5)) out += body(depth, "");
        out += std::string(pick(kEnds)) + " ";
      }
      out += "esac";
      break;
    }
    case 10:
      count(Production::kArithmeticCommand);
      out = "((" + arithmetic(depth) + "))";
      break;
    case 11:
      count(Production::kConditional);
      out = "[[ " + condition(depth) + " ]]";
      break;
    case 12: {
      const bool keyword = one_in(2);
      count(keyword ? Production::kFunctionWord : Production::kFunction);
      out = keyword ? "function f" + std::string(one_in(2) ? "()" : "") : "f()";
      out += (one_in(3) ? "\n" : " ");
      out += one_in(3) ? "(" + body(depth, ")") : "{" + body(depth, "}");
      break;
    }
    case 13:
      count(Production::kCoprocess);
      out = "coproc ";
      if (one_in(2)) return out + (one_in(2) ? "N " : "") + "{" + body(depth, "}");
      return out + simple(depth);
    default:
      return simple(depth);
  }
  while (one_in(6)) out += " " + redirection(depth);
  return out;
}

std::string ScriptMaker::assignment(int depth) {
  count(Production::kAssignment);
  std::string out(pick(kVariables));
  if (one_in(5)) {
    count(Production::kSubscript);
    out += "[" + arithmetic(depth) + "]";
  }
  if (one_in(6)) {
    count(Production::kAppend);
    out += "+";
  }
  if (one_in(6) && out.find('[') == out.npos) return out + "=" + array().substr(2);
  return out + "=" + (one_in(5) ? "" : word(depth));
}

std::string ScriptMaker::array() {
  count(Production::kArray);
  std::string out = "z=(";
  for (std::uint32_t n = below(4); n > 0; --n) {
    // Bash loses its way in an array with an escaped quote inside $( ).
    if (one_in(4)) out += "[" + arithmetic(0) + "]=";
    constexpr std::string_view kElements[] = {"a", "'b c'", "\"$x y\"", "$x", "{1,2}", "*"};
    out += "e" + std::string(pick(kElements)) + (one_in(5) ? "\n" : " ");
  }
  return out + ")";
}

// The subscripts of a map are text.
std::string ScriptMaker::map() {
  count(Production::kMap);
  std::string out = "z=(";
  for (std::uint32_t n = below(4); n > 0; --n) {
    constexpr std::string_view kKeys[] = {"a", "'b c'", "$x", "\"$y\"", "a b", "x+1"};
    constexpr std::string_view kElements[] = {"a", "'b c'", "\"$x y\"", "$x", "{1,2}", "*"};
    out += "[" + std::string(pick(kKeys)) + "]=" + std::string(pick(kElements));
    out += one_in(5) ? "\n" : " ";
  }
  return out + ")";
}

std::string ScriptMaker::here_document() {
  constexpr std::string_view kLines[] = {
      "plain text\n", "\ttab $x\n", "it's \"quoted\"\n", "$(p1 a)\n", "`p2`\n", "${y:-z}\n",
      "\\$x \\\\ \n", "\n",         "a)b}c;;\n",         "$((1+2))\n"};
  const std::string delimiter = "E" + std::to_string(++here_);
  const bool quoted = one_in(3), tabs = one_in(4);
  inner_document_ = inner_document_ || substitutions_ > 0;
  count(quoted ? Production::kHereQuoted : Production::kHereDocument);
  if (tabs) count(Production::kHereTabs);
  for (std::uint32_t n = below(4); n > 0; --n) pending_ += std::string(pick(kLines));
  pending_ += (tabs && one_in(2) ? "\t" : "") + delimiter + "\n";
  constexpr std::string_view kQuotes[] = {"'", "\""};
  const std::string quote(quoted ? pick(kQuotes) : "");
  return (tabs ? "<<-" : "<<") + std::string(one_in(3) ? " " : "") + quote + delimiter + quote;
}

std::string ScriptMaker::redirection(int depth) {
  // A body inside backquotes or brackets would need a line of its own.
  if (one_in(6) && here_ < 100 && !in_arithmetic_) return here_document();
  std::string prefix;
  if (one_in(5)) prefix = std::to_string(below(10));
  if (one_in(14)) {
    count(Production::kDescriptorVariable);
    prefix = "{fd}";
  }
  const auto to = [&](Production production, std::string_view op) {
    count(production);
    return prefix + std::string(op) + (one_in(3) ? " " : "") + "r" + word(depth);
  };
  switch (below(10)) {
    case 0:
      return to(Production::kInput, "<");
    case 1:
      return to(Production::kAppendOutput, ">>");
    case 2:
      return to(Production::kClobber, ">|");
    case 3:
      prefix.clear();
      return to(Production::kBoth, one_in(2) ? "&>" : "&>>");
    case 4:
      count(Production::kDuplicate);
      return prefix + (one_in(2) ? ">&" : "<&") + std::to_string(below(5));
    case 5:
      count(Production::kClose);
      return prefix + (one_in(2) ? ">&-" : "<&-");
    case 6:
      if (prefix == "1") prefix = "0";  // bash prints both alike
      return to(Production::kReadWrite, "<>");
    case 7:
      return to(Production::kHereString, "<<<");
    default:
      return to(Production::kOutput, ">");
  }
}

std::string ScriptMaker::condition(int depth) {
  if (depth > 0 && one_in(4)) {
    constexpr std::string_view kJoins[] = {" && ", " || ", " &&\n"};
    return condition(depth - 1) + std::string(pick(kJoins)) + condition(depth - 1);
  }
  if (depth > 0 && one_in(8)) return "( " + condition(depth - 1) + " )";
  if (one_in(8)) return "! " + condition(depth);
  switch (below(6)) {
    case 0: {
      constexpr std::string_view kTests[] = {"-f", "-n", "-z", "-d", "-v", "-e", "-x"};
      return std::string(pick(kTests)) + " c" + word(depth);
    }
    case 1:
    case 4: {
      count(Production::kRegex);
      constexpr std::string_view kPatterns[] = {"^(a|b c)$", "a|b", "[a-z]+", "\\.x$",
                                                "$x",        "(a)", "^a\\ b"};
      return "c" + word(depth) + " =~ " + std::string(pick(kPatterns));
    }
    case 2: {
      constexpr std::string_view kPatterns[] = {"@(a|b)", "*.txt", "!(x)", "a?", "+([0-9])"};
      return "c" + word(depth) + (one_in(2) ? " == " : " != ") + std::string(pick(kPatterns));
    }
    case 3: {
      constexpr std::string_view kOps[] = {"-eq", "-lt", "-nt", "<", ">", "=", "=="};
      return "c" + word(depth) + " " + std::string(pick(kOps)) + " c" + word(depth);
    }
    default:
      return "c" + word(depth);
  }
}

std::string ScriptMaker::arithmetic(int depth) {
  constexpr std::string_view kTexts[] = {"1",   "x+1",   "i=0",  "i<3",   "i++",  "(1+2)*3", "x[1]",
                                         "a,b", "x?y:z", "1<<2", "16#ff", "x&&y", "!x",      "(x)"};
  if (depth > 0 && one_in(4)) {
    count(Production::kElement);
    // Bash looks for quotes in here-documents there.
    const bool outside = std::exchange(in_arithmetic_, true);
    std::string text = std::string(pick(kTexts)) + " + " + expansion(depth - 1);
    in_arithmetic_ = outside;
    return text;
  }
  return std::string(pick(kTexts));
}

std::string ScriptMaker::words(int depth, std::uint32_t most) {
  std::string out;
  for (std::uint32_t n = 1 + below(most); n > 0; --n) {
    if (!out.empty()) out += ' ';
    out += word(depth);
  }
  return out;
}

std::string ScriptMaker::word(int depth) {
  std::string out = part(depth);
  while (one_in(3)) out += part(depth);
  return out;
}

std::string ScriptMaker::part(int depth) {
  constexpr std::string_view kSingle[] = {"''", "'a b'", "'$x'", "'\"'", "'a\\'", "'#`('"};
  constexpr std::string_view kEscaped[] = {"\\a", "\\ ", "\\$",  "\\\"",
                                           "\\'", "\\;", "\\\\", "\\#"};
  constexpr std::string_view kAnsi[] = {"$'a'", "$'\\n'", "$'it\\'s'", "$'\\x41'", "$'\\u00e9'"};
  switch (below(17)) {
    case 0:
      count(Production::kSingleQuotes);
      return std::string(pick(kSingle));
    case 1:
    case 2: {
      count(Production::kDoubleQuotes);
      std::string out = "\"";
      for (std::uint32_t n = below(4); n > 0; --n) out += quoted_part(depth);
      return out + "\"";
    }
    case 3:
      count(Production::kEscape);
      return std::string(pick(kEscaped));
    case 4:
      count(Production::kAnsiQuotes);
      return std::string(pick(kAnsi));
    case 5:
      count(Production::kLocaleQuotes);
      return "$\"a b\"";
    case 6:
    case 7:
    case 8:
      return expansion(depth);
    case 9:
      count(Production::kBraceList);
      return one_in(2) ? "{a,b}" : "{1..3}";
    case 10:
      if (extglob_ && !one_in(3)) return extended_glob(depth);
      count(Production::kGlob);
      return one_in(2) ? "*.c" : "[a-z]?";
    case 11:
      if (extglob_ && one_in(2)) return extended_glob(depth);
      if (one_in(4)) return odd_bytes();
      count(Production::kTilde);
      return "~/x";
    case 12:
      if (depth > 0) {
        count(Production::kProcess);
        return substitution(one_in(2) ? "<(" : ">(", depth - 2);
      }
      [[fallthrough]];
    default:
      count(Production::kPlainWord);
      return std::string(pick(kPlain));
  }
}

std::string ScriptMaker::extended_glob(int depth) {
  count(Production::kExtendedGlob);
  constexpr std::string_view kBegins[] = {"@(", "?(", "*(", "+(", "!("};
  constexpr std::string_view kTexts[] = {"a", "a|b", "[0-9]", "a b", "'x)'|y", "$x", "", "*.c|\\)"};
  std::string out(pick(kBegins));
  out += pick(kTexts);
  if (depth > 0 && one_in(4)) out += "|" + extended_glob(depth - 1);
  if (depth > 0 && one_in(4)) out += "|" + expansion(depth - 1);
  return out + ")";
}

// They are letters like any other.
std::string ScriptMaker::odd_bytes() {
  if (one_in(2)) {
    count(Production::kCarriageReturn);
    return one_in(2) ? "\r" : "a\r";
  }
  count(Production::kBrokenLetter);
  constexpr std::string_view kBytes[] = {"\xFF",     "\xC3",          "a\x80",
                                         "\xE2\x82", "\xF0\x9F\x92z", "\xC0\xAF"};
  return std::string(pick(kBytes));
}

std::string ScriptMaker::quoted_part(int depth) {
  constexpr std::string_view kTexts[] = {"a b", ";|&", "'", "\\\"", "\\$", "\\\\", "\\a", "#",
                                         "(",   ")",   "{", "}",    "\n",  "*",    "!"};
  return one_in(2) ? std::string(pick(kTexts)) : expansion(depth);
}

std::string ScriptMaker::expansion(int depth) {
  if (depth <= 0) {
    if (backquotes_ > 0 && backquotes_ < 3 && one_in(6)) return backquoted(0);
    count(Production::kVariable);
    return "$" + std::string(pick(kVariables)) + (one_in(2) ? "" : "/");
  }
  switch (below(9)) {
    case 0:
      count(Production::kVariable);
      return std::string(pick(kSpecials));
    case 1:
    case 2:
    case 3:
      return parameter(depth - 1);
    case 4:
    case 5:
      count(Production::kCommand);
      return substitution("$(", depth - 2);
    case 6:
      return backquoted(depth - 2);
    case 7:
      count(Production::kArithmetic);
      if (one_in(4)) {
        count(Production::kOldArithmetic);
        return "$[" + arithmetic(depth - 1) + "]";
      }
      return "$((" + arithmetic(depth - 1) + "))";
    default:
      count(Production::kVariable);
      return "$" + std::string(pick(kVariables)) + "-";
  }
}

// A script that stands for itself, with the bodies of its here-documents inside.
std::string ScriptMaker::inner_script(int depth) {
  std::string waiting;
  waiting.swap(pending_);
  std::string out = list(depth);
  if (!pending_.empty()) out += end();
  pending_.swap(waiting);
  return out;
}

std::string ScriptMaker::substitution(std::string_view open, int depth) {
  ++substitutions_;
  const std::string script = inner_script(depth);
  --substitutions_;
  // Bash prints a leading `time` so that it means something else.
  const bool timed = script.starts_with("time") || script.starts_with("! time");
  return std::string(open) + (one_in(3) ? "\n" : " ") + (timed ? ":; " : "") + script + ")";
}

// Each level of backquotes takes one backslash away from those before $ ` and backslash.
std::string ScriptMaker::backquoted(int depth) {
  count(Production::kBackquote);
  if (backquotes_ > 0) count(Production::kNestedBackquote);
  ++backquotes_;
  const std::string script = inner_script(depth);
  --backquotes_;
  std::string out = "`";
  for (const char c : script) {
    if (c == '\\' || c == '`' || (c == '$' && one_in(8))) out += '\\';
    out += c;
  }
  return out + "`";
}

std::string ScriptMaker::parameter(int depth) {
  const std::string variable(pick(kVariables));
  // The inside may hold no bare quote of the other kind: bash looks for its partner.
  constexpr std::string_view kTexts[] = {"d", "a b", "\\}", "$x", "\"q r\"", "a/b", "*", ""};
  const auto text = [&] { return one_in(3) ? expansion(depth) : std::string(pick(kTexts)); };
  switch (below(10)) {
    case 0:
      count(Production::kBraces);
      return "${" + variable + "}";
    case 1: {
      count(Production::kDefault);
      constexpr std::string_view kOps[] = {":-", "-", ":=", "=", ":+", "+", ":?", "?"};
      return "${" + variable + std::string(pick(kOps)) + text() + "}";
    }
    case 2: {
      count(Production::kPattern);
      constexpr std::string_view kOps[] = {"#", "##", "%", "%%"};
      return "${" + variable + std::string(pick(kOps)) + text() + "}";
    }
    case 3: {
      count(Production::kReplace);
      constexpr std::string_view kOps[] = {"/", "//", "/#", "/%"};
      return "${" + variable + std::string(pick(kOps)) + "p" + (one_in(3) ? "" : "/" + text()) +
             "}";
    }
    case 4:
      if (one_in(2)) {
        count(Production::kSlice);
        constexpr std::string_view kLists[] = {"a1[@]", "x[*]", "@", "*"};
        constexpr std::string_view kPlaces[] = {":1", ":1:1", ": -1", ":0:2", ":x:$y"};
        return "${" + std::string(pick(kLists)) + std::string(pick(kPlaces)) + "}";
      }
      count(Production::kSubstring);
      return "${" + variable + ":1" + (one_in(2) ? "" : ":" + arithmetic(0)) + "}";
    case 5: {
      constexpr std::string_view kOps[] = {"^", "^^", ",", ",,"};
      if (one_in(3)) {
        count(Production::kToggle);
        return "${" + variable + (one_in(2) ? "~" : "~~") + (one_in(3) ? text() : "") + "}";
      }
      const bool some = one_in(2);
      count(some ? Production::kCasePattern : Production::kCase);
      return "${" + variable + std::string(pick(kOps)) + (some ? "p" + text() : "") + "}";
    }
    case 6: {
      count(Production::kTransform);
      constexpr std::string_view kOps[] = {"@Q", "@U", "@a", "@E"};
      return "${" + variable + std::string(pick(kOps)) + "}";
    }
    case 7:
      count(Production::kLength);
      return one_in(2) ? "${#" + variable + "}" : "${#" + variable + "[@]}";
    case 8: {
      count(Production::kIndirect);
      constexpr std::string_view kForms[] = {"${!x}", "${!x*}", "${!x@}", "${!x[@]}"};
      return std::string(pick(kForms));
    }
    default:
      count(Production::kElement);
      return "${" + variable + "[" + (one_in(2) ? "@" : arithmetic(depth)) + "]}";
  }
}

}  // namespace tollgate::bash
