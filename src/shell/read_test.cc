// Every construct as a row: what it reads as, on one line, and that its printing reads alike.
// Random scripts are shown to the real bash as well, in tests/bash/.
#include "shell/read.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "shell/print.h"

namespace tollgate::shell {
namespace {

struct Row {
  std::string_view name, text, want;
};

// clang-format off
constexpr Row kRows[] = {
    {"a program and its words", "git push --force",
     "cmd(git,push,--force)"},
    {"words end at blanks", "a  b\tc",
     "cmd(a,b,c)"},
    {"nothing is nothing", "",
     ""},
    {"blanks alone", "  ",
     ""},
    {"a comment", "# ls",
     ""},
    {"a comment behind a command", "ls # it's \"x\"",
     "cmd(ls)"},
    {"a mark inside a word is no comment", "echo a#b",
     "cmd(echo,a#b)"},
    {"single quotes keep everything", "echo 'a $x \"b\" \\'",
     "cmd(echo,'a $x \"b\" \\')"},
    {"double quotes keep blanks", "echo \"a  b\"",
     "cmd(echo,\"a  b\")"},
    {"quotes inside a word", "r\"\"m -r'f'",
     "cmd(r\"\"m,-r'f')"},
    {"a backslash quotes one character", "echo a\\ b \\$x",
     "cmd(echo,a' 'b,'$'x)"},
    {"a backslash between double quotes", "echo \"\\$x \\a \\\" \\\\\"",
     "cmd(echo,\"'$'x \\a '\"' '\\'\")"},
    {"a line that goes on", "rm \\\n-rf x",
     "cmd(rm,-rf,x)"},
    {"a line that goes on inside a word", "r\\\nm x",
     "cmd(rm,x)"},
    {"a reserved word over two lines", "i\\\nf a; then b; fi",
     "if(cmd(a) ? cmd(b))"},
    {"a name over two lines", "echo $x\\\ny \"${x\\\ny}\"",
     "cmd(echo,$xy,\"${xy}\")"},
    {"an operator over two lines", "echo ${x:\\\n-a} ${x#\\\n#a}",
     "cmd(echo,${x:-a},${x##a})"},
    {"an assignment over two lines", "a[1]\\\n=2 b=([1]\\\n+=c)",
     "cmd(a[1]=2,b=([1]+=c))"},
    {"ANSI quotes are decoded", "echo $'a\\nb\\x41\\u00e9\\101\\'c'",
     "cmd(echo,'a\nbAéA'c')"},
    {"a NUL in ANSI quotes ends them", "echo $'ab\\0cd'",
     "cmd(echo,'ab')"},
    {"locale quotes", "echo $\"a $x\"",
     "cmd(echo,\"a $x\")"},
    {"a dollar alone", "echo $ a$ \"$\"",
     "cmd(echo,$,a$,\"$\")"},
    {"variables", "echo $x ${y} $1 $? $@ ${10}",
     "cmd(echo,$x,${y},$1,$?,$@,${10})"},
    {"defaults", "echo ${x:-a b} ${x-a} ${x:=$(b)} ${x:?c} ${x+d}",
     "cmd(echo,${x:-a b},${x-a},${x:=$(cmd(b))},${x:?c},${x+d})"},
    {"patterns", "echo ${x#*/} ${x##a} ${x%b} ${x%%c}",
     "cmd(echo,${x#*/},${x##a},${x%b},${x%%c})"},
    {"a quoted brace in a default", "echo ${x:-\"}\"} ${x:-\\}} ${x:-'}'}",
     "cmd(echo,${x:-\"}\"},${x:-'}'},${x:-'}'})"},
    {"replacement", "echo ${x/a/b} ${x//a} ${x/#a/b} ${x/%a/b}",
     "cmd(echo,${x/a/b},${x//a},${x/#a/b},${x/%a/b})"},
    {"substrings", "echo ${x:1} ${x:1:2} ${x: -1}",
     "cmd(echo,${x:1},${x:1:2},${x: -1})"},
    {"case and transformation", "echo ${x^} ${x^^} ${x,} ${x,,} ${x@Q}",
     "cmd(echo,${x^},${x^^},${x,},${x,,},${x@Q})"},
    {"lengths", "echo ${#x} ${#} ${#x[@]}",
     "cmd(echo,${#x},${#},${#x[@]})"},
    {"indirection", "echo ${!x} ${!x*} ${!x[@]}",
     "cmd(echo,${!x},${!x*},${!x[@]})"},
    {"elements", "echo ${a[1]} ${a[$i]} ${a[@]}",
     "cmd(echo,${a[1]},${a[$i]},${a[@]})"},
    {"what is no parameter", "echo ${a b} ${}",
     "cmd(echo,${bad a b},${})"},
    {"a newer shell's inline command", "echo ${ ls; }",
     "cmd(echo,${bad cmd(ls)})"},
    {"command substitution", "echo $(ls -l) \"$(cat \"a b\")\"",
     "cmd(echo,$(cmd(ls,-l)),\"$(cmd(cat,\"a b\"))\")"},
    {"nested substitution", "echo $(a $(b $(c)))",
     "cmd(echo,$(cmd(a,$(cmd(b,$(cmd(c)))))))"},
    {"a case inside a substitution", "echo $(case x in x) a;; esac)",
     "cmd(echo,$(case(x, x : cmd(a))))"},
    {"a comment inside a substitution", "echo $(a # )\n)",
     "cmd(echo,$(cmd(a)))"},
    {"backquotes", "echo `ls -l` \"`cat \\\"a b\\\"`\"",
     "cmd(echo,`cmd(ls,-l)`,\"`cmd(cat,\"a b\")`\")"},
    {"nested backquotes", "echo `a \\`b \\\\\\`c\\\\\\`\\``",
     "cmd(echo,`cmd(a,`cmd(b,`cmd(c)`)`)`)"},
    {"a line continued between the brackets of arithmetic", "echo $(\\\n(1 + x)\\\n)",
     "cmd(echo,$((1 + x)))"},
    {"a line continued between the brackets of a command", "(\\\n(x+1)); for (\\\n(;;)); do a; done",
     "arith(x+1); for(1;1;1; : cmd(a))"},
    {"a comment inside backquotes goes over a continued line", "echo `a # b\\\n; c\nd`",
     "cmd(echo,`cmd(a); cmd(d)`)"},
    {"a quote inside backquotes loses a continued line", "echo `a 'b\\\nc'`",
     "cmd(echo,`cmd(a,'bc')`)"},
    {"a line continued inside an expansion", "echo ${!\\\nx@} ${#\\\ny} ${z@\\\nQ}",
     "cmd(echo,${!x@},${#y},${z@Q})"},
    {"a line continued before the brace of a subscript's expansion", "a[$\\\n{b c]}]d e",
     "cmd(a[${bad b c]}]d,e)"},
    {"a line continued before the brackets of a pattern", "[[ a == +\\\n(a|b) ]]",
     "cond(a == +(a|b))"},
    {"a line continued inside the name of a descriptor", "a {\\\nf\\\nd}>b",
     "cmd(a,{fd}>b)"},
    {"backquotes that are no script", "echo `if`",
     "cmd(echo,`if( ? -)`)"},
    {"arithmetic", "echo $((1 + x)) $[1 + 2] $(( $(a) ))",
     "cmd(echo,$((1 + x)),$((1 + 2)),$(($(cmd(a)))))"},
    {"two subshells that look like arithmetic", "echo $((a); (b))",
     "cmd(echo,$(sub(cmd(a)); sub(cmd(b))))"},
    {"no arithmetic, and no script either", "echo $((if) a)",
     "cmd(echo,$(sub(if( ? -))))"},
    {"a quote inside backquotes hides brackets from no arithmetic", "echo $((`a \"`))",
     "cmd(echo,$((`cmd(a,\"\")`)))"},
    {"a quote that ends in two places", "echo \"${x:-'}\" '}\"",
     "cmd(echo,?(${x:-'}))"},
    {"process substitution", "diff <(a) <(b c) >(d)",
     "cmd(diff,<(cmd(a)),<(cmd(b,c)),>(cmd(d)))"},
    {"a process substitution over two lines", "a <\\\n(b)",
     "cmd(a,<(cmd(b)))"},
    {"bytes that are no letters are letters", "e\xFF \"a\xC3\" x\x80=\xE2\x82 ${y#\xF0\x9F}\n",
     "cmd(e\xFF,\"a\xC3\",x\x80=\xE2\x82,${y#\xF0\x9F})"},
    {"a byte order mark belongs to the first word", "\xEF\xBB\xBF""ls a",
     "cmd(\xEF\xBB\xBF""ls,a)"},
    {"a carriage return is a letter", "ls a\r\nb\r",
     "cmd(ls,a\r); cmd(b\r)"},
    {"an open subscript in the last part of a head", "for ((1; 1; ${a[b})); do c; done",
     "for(1;1;${bad a[b}; : cmd(c))"},
    {"brackets in a word are plain", "echo a[1] [ab] {a,b} *.c ~/x",
     "cmd(echo,a[1],[ab],{a,b},*.c,~/x)"},
    {"extglob on an earlier line", "shopt -s extglob\necho @(a|b)",
     "cmd(shopt,-s,extglob); cmd(echo,@(a|b))"},
    {"extglob on an earlier line that ends in a separator", "shopt -s extglob;\necho @(a|b)",
     "cmd(shopt,-s,extglob); cmd(echo,@(a|b))"},
    {"extglob is off only on the next line", "shopt -s extglob\nshopt -u extglob; echo @(a)",
     "cmd(shopt,-s,extglob); cmd(shopt,-u,extglob); cmd(echo,@(a))"},
    {"a pattern has its own mistakes", "shopt -s extglob\necho @(a ${x) b",
     "cmd(shopt,-s,extglob); cmd(echo,?(a ${bad }),b)"},
    {"a pattern counts brackets, whatever they are", "shopt -s extglob\necho @((<(a # )\nb))",
     "cmd(shopt,-s,extglob); cmd(echo,@((<(cmd(a); cmd(b))))"},
    {"a function whose name ends like a pattern", "shopt -s extglob\nf+ () { a; }",
     "cmd(shopt,-s,extglob); function(f+ : group(cmd(a)))"},
    {"a sequence", "a; b & c\nd",
     "cmd(a); cmd(b) &; cmd(c); cmd(d)"},
    {"and and or", "a && b || c",
     "cmd(a) && cmd(b) || cmd(c)"},
    {"a pipeline", "a | b |& c",
     "cmd(a) | cmd(b,2>&1) | cmd(c)"},
    {"a negated pipeline", "! a | b",
     "! cmd(a) | cmd(b)"},
    {"two negations of nothing", "! !; a",
     "; cmd(a)"},
    {"a word behind time that looks like its option", "time -p -- -- a",
     "time -p cmd(--,a)"},
    {"time", "time -p a",
     "time -p cmd(a)"},
    {"a bare time", "time; a",
     "time ; cmd(a)"},
    {"a subshell", "(a; b)",
     "sub(cmd(a); cmd(b))"},
    {"a group", "{ a; b; }",
     "group(cmd(a); cmd(b))"},
    {"a brace that is a word", "echo { }",
     "cmd(echo,{,})"},
    {"if", "if a; then b; elif c; then d; else e; fi",
     "if(cmd(a) ? cmd(b), if(cmd(c) ? cmd(d), cmd(e)))"},
    {"while and until", "while a; do b; done; until c; do d; done",
     "while(cmd(a) ? cmd(b)); until(cmd(c) ? cmd(d))"},
    {"for", "for x in a \"b c\" $y; do e; done",
     "for(x in a \"b c\" $y : cmd(e))"},
    {"for over the parameters", "for x do a; done",
     "for(x in \"$@\" : cmd(a))"},
    {"for with braces", "for x in a; { b; }",
     "for(x in a : cmd(b))"},
    {"an arithmetic for", "for ((i=0; i<3; i++)); do a; done",
     "for(i=0;i<3;i++; : cmd(a))"},
    {"semicolons inside the head", "for ((;$(a;b);)); do c; done",
     "for(1;$(cmd(a); cmd(b));1; : cmd(c))"},
    {"select", "select x in a b; do c; done",
     "select(x in a b : cmd(c))"},
    {"case", "case $x in a|b) c;; (d) e;& *) f;; esac",
     "case($x, a|b : cmd(c), d : cmd(e) ;&, * : cmd(f))"},
    {"a case without arms", "case x in esac",
     "case(x)"},
    {"an arm without an end", "case x in a) b; esac",
     "case(x, a : cmd(b))"},
    {"an arithmetic command", "((x++)) && a",
     "arith(x++) && cmd(a)"},
    {"a subshell in a subshell", "((a); b)",
     "sub(sub(cmd(a)); cmd(b))"},
    {"a conditional", "[[ -f a && ! $x == b* || ( c < d ) ]]",
     "cond(-f a && ! $x == b* || ( c < d ))"},
    {"a regular expression", "[[ a =~ ^(b|c d)$ ]]",
     "cond(a =~ ^(b|c d)$)"},
    {"a regular expression with its own mistakes", "[[ a =~ (${) ]]",
     "cond(a =~ ?((${bad }))"},
    {"a word alone", "[[ a ]]",
     "cond(-n a)"},
    {"a function", "f() { a; }",
     "function(f : group(cmd(a)))"},
    {"a function by its keyword", "function f { a; }",
     "function(f : group(cmd(a)))"},
    {"a function whose body is a subshell", "function f ( a )",
     "function(f : group(sub(cmd(a))))"},
    {"a function with redirections", "f() { a; } > b",
     "function(f : group(cmd(a)) >b)"},
    {"a coprocess", "coproc N { a; }",
     "coproc(N : group(cmd(a)))"},
    {"a coprocess of a simple command", "coproc a b",
     "coproc( : cmd(a,b))"},
    {"a coprocess that ends with the group around it", "{ coproc a }",
     "group(coproc( : cmd(a)))"},
    {"a coprocess that ends with the condition", "if coproc a then b; fi",
     "if(coproc( : cmd(a)) ? cmd(b))"},
    {"a coprocess whose command looks like a reserved word", "coproc > a if",
     "coproc( : cmd(if,>a))"},
    {"assignments", "x=1 y+=2 z[i]=3 a",
     "cmd(x=1,y+=2,z[i]=3,a)"},
    {"assignments alone", "x=1 y=",
     "cmd(x=1,y=)"},
    {"an array", "x=(a [2]=b [3]+=c \"d e\")",
     "cmd(x=(a [2]=b [3]+=c \"d e\"))"},
    {"an array over lines", "x=(a\n# c\nb)",
     "cmd(x=(a b))"},
    {"a line that goes on behind an array", "x=(a b)\\\n", "cmd(x=(a b))"},
    {"text behind an array", "a=(b)c",
     "cmd(a=(b)?(c))"},
    {"no subscript behind a redirection", "a=1 >b c[1 2]=3",
     "cmd(a=1,c[1,2]=3,>b)"},
    {"a declared array", "declare -a x=(1 2) y",
     "cmd(declare,-a,x=(1 2),y)"},
    {"an assignment as argument", "echo x=1",
     "cmd(echo,x=1)"},
    {"a quoted name is no assignment", "'x'=1 a",
     "cmd('x'=1,a)"},
    {"redirections", "a < b > c >> d >| e <> f 2> g",
     "cmd(a,<b,>c,>>d,>|e,<>f,2>g)"},
    {"descriptors", "a 2>&1 >&- 3<&0 {fd}> b",
     "cmd(a,2>&1,1>&-,3<&0,{fd}>b)"},
    {"both outputs", "a &> b &>> c",
     "cmd(a,&>b,&>>c)"},
    {"a here-string", "a <<< \"b c\"",
     "cmd(a,<<<\"b c\")"},
    {"a here-document", "cat <<E\na $x\nE\nb",
     "cmd(cat,<<E[a $x]); cmd(b)"},
    {"a quoted here-document", "cat <<'E'\na $x\nE",
     "cmd(cat,<<E'['a $x'])"},
    {"a quoted here-document whose last line has no end", "cat <<'E'\na",
     "cmd(cat,<<E'['a'])"},
    {"a quote in the delimiter", "cat <<\"it's\"\na\nit's",
     "cmd(cat,<<it's'['a'])"},
    {"a command that looks like the delimiter", "cat <<a\n$(b;a)\na",
     "cmd(cat,<<a[$(cmd(b); cmd(a))])"},
    {"a here-document with its own mistakes", "cat <<E\n$(\nE",
     "cmd(cat,<<E[$()])"},
    {"a backslash at the end of a here-document", "cat <<E\na\\",
     "cmd(cat,<<E[a'\\'])"},
    {"tabs are dropped behind a continued line too", "cat <<-E\n\\\n\tE\nrm x",
     "cmd(cat,<<E[]); cmd(rm,x)"},
    {"tabs are dropped", "cat <<-E\n\ta\n\tE",
     "cmd(cat,<<E[a])"},
    {"two here-documents", "cat <<A <<B\na\nA\nb\nB",
     "cmd(cat,<<A[a],<<B[b])"},
    {"a here-document inside a substitution", "echo $(cat <<E\na\nE\n)",
     "cmd(echo,$(cmd(cat,<<E[a])))"},
    {"a here-document behind the bracket", "echo $(cat <<E) b\na\nE",
     "cmd(echo,$(cmd(cat,<<E[a])),b)"},
    {"a here-document without its end", "cat <<E\na",
     "cmd(cat,<<E[a])"},
    {"a line that goes on in a here-document", "cat <<E\na\\\nb\nE",
     "cmd(cat,<<E[ab])"},
    {"redirections behind a compound command", "{ a; } < b 2>&1",
     "group(cmd(a)) <b 2>&1"},
    {"redirections first", "> a b",
     "cmd(b,>a)"},
    {"a redirection alone", "> a",
     "cmd(>a)"},
    {"a return at the end of a line is part of the word", "ls\r",
     "cmd(ls\r)"},
    {"a byte order mark is part of the word", "\xef\xbb\xbf" "ls",
     "cmd(\xef\xbb\xbf" "ls)"},
};

struct Refused {
  std::string_view name, text;
};

constexpr Refused kRefused[] = {
    {"an open quote", "echo 'a"},
    {"an open double quote", "echo \"a"},
    {"an open backquote", "echo `a"},
    {"an open substitution", "echo $(a"},
    {"an open brace", "echo ${a"},
    {"an open subshell", "(a"},
    {"a line continued between the brackets of `))`", "((a)\\\n)"},
    {"an empty subshell", "()"},
    {"an empty group", "{ }"},
    {"a group that does not end", "{ a }"},
    {"two operators", "a && || b"},
    {"a leading operator", "&& a"},
    {"a pipe to nothing", "a |"},
    {"two separators", "a ;; b"},
    {"a separator behind an ampersand", "a &; b"},
    {"if without then", "if a; fi"},
    {"an empty condition", "if then a; fi"},
    {"a stray closing word", "done"},
    {"a word behind a compound command", "{ a; } b"},
    {"a reserved word behind a redirection", "while a; do { b; } > c done"},
    {"a redirection to nothing", "a >"},
    {"an array as argument", "a x=(1)"},
    {"brackets as argument", "a (b)"},
    {"a function without a body", "f()"},
    {"a simple command as body", "f() a"},
    {"an empty loop", "while a; do done"},
    {"for with a bad head", "for ((a;b)); do c; done"},
    {"for with a head that a subscript goes on to the end of", "for ((${a[b}; 1; 1)); do c; done"},
    {"for with a head that a brace goes on to the end of", "for ((${a; 1; 1)); do c; done"},
    {"an unary test without its word", "[[ -f ]]"},
    {"two words in a test", "[[ a b ]]"},
    {"an extglob while it is off", "echo @(a|b)"},
    {"an unpaired quote in a quoted default", "echo \"${x:-it's}\""},
    {"an unpaired quote in an offset", "echo ${x:'1}"},
    {"an array behind a redirection", "declare < a b=(c)"},
    {"an assignment where bash looks for one by mistake", "< a &>> b=c"},
};

// What bash takes, or takes in its own way, and we do not follow.
constexpr Refused kLimits[] = {
    {"a delimiter over two lines", "cat <<'a\nb'\nc"},
    {"a body inside the word of its line", "echo $(cat <<E) \"a\nb\"\nE"},
    {"an escaped character before the end of a line of an array", "echo $(a=(b\\\\\nc))"},
    {"a body inside an array", "a <<E; b=(c\n)\nE"},
    {"a body of what is read twice", "echo ${ $(cat <<E) }\nE"},
    {"a body that a bracket could end", "echo $(cat <<E)\nE)\nE"},
    {"a case inside arithmetic", "echo $(( $(case x in x) a;; esac) ))"},
    {"an expansion that goes on behind its brackets", "(( ${x:-1)) }"},
    {"a backslash at the end of several lines", "echo 'a\nb' \\"},
    {"an expansion that goes on behind the head of a loop", "for ((a;b;${ x)); do c; done; echo }"},
};
// clang-format on

TEST(Read, Rows) {
  for (const Row& row : kRows) {
    const Tree tree = read(row.text);
    EXPECT_FALSE(tree.refused()) << row.name << ": " << tree.refusal().message;
    EXPECT_EQ(dump(tree.script()), row.want) << row.name << "\n" << row.text;
  }
}

TEST(Read, RowsAreReadAgainAsPrinted) {
  for (const Row& row : kRows) {
    const Tree tree = read(row.text);
    const std::string printed = print(tree.script());
    const Tree again = read(printed);
    EXPECT_FALSE(again.refused()) << row.name << "\n" << printed;
    EXPECT_EQ(dump(again.script()), dump(tree.script())) << row.name << "\n" << printed;
  }
}

TEST(Read, RefusesWithAPlace) {
  for (const Refused& row : kRefused) {
    const Tree tree = read(row.text);
    EXPECT_TRUE(tree.refused()) << row.name << "\n" << dump(tree.script());
    EXPECT_FALSE(tree.refusal().message.empty()) << row.name;
    EXPECT_LE(tree.refusal().span.end(), row.text.size()) << row.name;
  }
}

TEST(Read, SaysThatALimitIsOne) {
  for (const Refused& row : kLimits) {
    const Tree tree = read(row.text);
    EXPECT_TRUE(tree.refused()) << row.name << "\n" << dump(tree.script());
    EXPECT_TRUE(tree.refusal().limit) << row.name << ": " << tree.refusal().message;
  }
}

// Each level of `$((…) )` is read anew, so that what is inside uses up the looks of the whole text.
TEST(Read, KnowsThatWhatIsInsideHasUsedUpItsLooks) {
  std::string nest = std::string(20'000, 'a');
  for (int level = 0; level < 40; ++level) nest = "$((" + nest + ") )";
  const std::string places[][2] = {{"echo `", "`\n"}, {"cat <<E\n", "\nE\n"}};
  for (const auto& [before, behind] : places) {
    const Tree tree = read(before + nest + behind + "rm b");
    EXPECT_TRUE(tree.refused()) << before;
    EXPECT_TRUE(tree.refusal().limit) << before;
    EXPECT_TRUE(dump(tree.script()).ends_with("; cmd(rm,b)")) << before;
  }
}

struct Kept {
  std::string_view name, text, want;
};

constexpr Kept kKept[] = {
    {"commands before a mistake", "rm a; b; )", "cmd(rm,a); cmd(b)"},
    {"a command inside what is not closed", "echo \"$(rm a", "cmd(echo,\"$(cmd(rm,a))\")"},
    {"a body that is not closed", "if a; then rm b", "if(cmd(a) ? cmd(rm,b))"},
    {"an arm that is not closed", "case x in a) rm b", "case(x, a : cmd(rm,b))"},
    {"a pipeline that goes on to nothing", "rm a |", "cmd(rm,a)"},
    {"commands behind a limit", "echo $(( $(case x in x) rm a;; esac) ))",
     "cmd(echo,$(($(case(x, x : cmd(rm,a))))))"},
};

TEST(Read, KeepsWhatStoodBeforeAMistake) {
  for (const Kept& row : kKept) {
    const Tree tree = read(row.text);
    EXPECT_TRUE(tree.refused()) << row.name;
    EXPECT_EQ(dump(tree.script()), row.want) << row.name;
  }
}

// LIMIT: a reader that looked at characters again and again would keep what it read each time.
void expect_linear(const Tree& tree, std::string_view text) {
  constexpr std::size_t kBytesEach = 256, kBytesAtLeast = 64 * 1024;
  EXPECT_EQ(tree.text().size(), text.size());
  EXPECT_LE(tree.memory(), kBytesEach * text.size() + kBytesAtLeast) << text.substr(0, 40);
  if (tree.refused()) {
    EXPECT_LE(tree.refusal().span.end(), text.size()) << text.substr(0, 40);
  }
}

// Quadratic work would take minutes here.
TEST(Read, HugeTextsEnd) {
  // clang-format off
  constexpr std::string_view kPieces[] = {
      "$(", "((", "$((", "`", "\\`", "\"", "'", "'a'", "\"a$x\"", "\"${x:-'", "{", "{a,", "${x:-",
      "${x:", "cat <<A\nA\n", "<<a", "<<A ", "ls -la foo; ", "a;b&c|d\n", "$[", "a[", "a[\n", "[[",
      "[[ ( ", "case x in ", "case x in a) ", "x=( ", "$(( $( ", "((a) ", "$((a);", "<(", "$'\\",
      "$'\\''", "\\\n", "$a\\\n", "a\\\n=", "#", "coproc ", "coproc $(", "! ", "if ", "{a[", "f() ",
      "\"$(", "${x:-\"", "$(cat <<E\nE)", "$(cat <<E)\n", "$((`\"`))", "@(", "@(\"$("};
  // clang-format on
  for (std::string_view piece : kPieces) {
    std::string text;
    while (text.size() < 1u << 20) text += piece;
    for (const bool extglob : {false, true}) {
      if (extglob && piece[0] != '@') continue;
      SCOPED_TRACE(piece);
      expect_linear(read(text, {.extglob = extglob}), text);
    }
  }
}

TEST(Read, EveryPrefixEnds) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    for (std::size_t size = 0; size < row.text.size(); ++size)
      expect_linear(read(row.text.substr(0, size)), row.text.substr(0, size));
  }
}

TEST(Read, RandomBytesEnd) {
  constexpr std::string_view kSome = "$(){}[]<>\"'`\\;&|=#!*@+?-:/~ \t\nab12E";
  std::mt19937_64 engine(1);
  for (int i = 0; i < 4'000; ++i) {
    std::string text(engine() % 400, '\0');
    for (char& c : text)
      c = engine() % 8 == 0 ? static_cast<char>(engine()) : kSome[engine() % kSome.size()];
    SCOPED_TRACE(i);
    expect_linear(read(text, {.extglob = i % 2 == 0}), text);
  }
}

TEST(Read, ANulEndsTheText) {
  const Tree tree = read(std::string_view("a\0b", 3));
  EXPECT_TRUE(tree.refused());
  EXPECT_EQ(dump(tree.script()), "cmd(a)");
}

// The words of a text of simple commands, with their places and what is said of them.
// `size`: of the text without its comment, up to which a pipeline goes otherwise.
std::string placed(const Command& command, std::size_t size) {
  std::string out;
  const auto add = [&](Span span) {
    const std::size_t end = std::min<std::size_t>(span.end(), size);
    out += std::to_string(span.begin) + "-" + std::to_string(end) + " ";
  };
  add(command.span);
  if (command.kind == CommandKind::kPipeline) {
    for (const PipelineStage& stage : static_cast<const Pipeline&>(command).stages)
      out += placed(*stage.command, size) + (stage.with_errors ? "|& " : "| ");
    return out;
  }
  if (command.kind == CommandKind::kAndOr) {
    for (const AndOrStep& step : static_cast<const AndOr&>(command).steps)
      out += (step.is_or ? "|| " : "&& ") + placed(*step.command, size);
    return out;
  }
  if (command.kind != CommandKind::kSimple) return dump(command);
  const auto add_word = [&](const Word& word) {
    add(word.span);
    for (const Part& part : word.parts) {
      add(part.span);
      out += std::to_string(static_cast<int>(part.kind)) + (part.plain ? "p " : " ");
      for (const Part& inner : part.parts) add(inner.span);
    }
  };
  for (const Word& word : static_cast<const SimpleCommand&>(command).words) add_word(word);
  for (const Redirection& one : command.redirections) {
    add(one.span);
    out += std::to_string(static_cast<int>(one.op)) + "," + std::to_string(one.descriptor) + " ";
    add_word(one.target);
  }
  return out + dump(command);
}

TEST(Read, PlainTextsReadAsTheGrammarReadsThem) {
  constexpr std::string_view kPieces[] = {
      " ",    " ",   "  ",    "\t",     "|",    " | ",    " || ",       "ls",     "-la", "a=b",
      "x[1]", "[",   "]",     "!",      "time", "if",     "then",       "{",      "}",   "{a,b}",
      "~/x",  "*.c", "'a b'", "\"c\"",  "''",   "\"\"",   "\"it's }\"", "\"$x\"", "#",   "a#b",
      "@",    "+",   "é",     "1",      "2",    "export", "function",   "coproc", "'",   "\"",
      "&",    ";",   "$x",    "\n",     " && ", "&&",     "; ",         ";;",     ">",   " > ",
      ">>",   "<",   "2>&1",  " 2>&1 ", " >&2", "<<",     "<>",         ">|",     "&>",  "/x",
      "12>",  "a2>", "2>/x",  "<(",     " < ",  "{b}>"};
  std::mt19937_64 random(7);
  for (int i = 0; i < 60'000; ++i) {
    std::string text = random() % 2 == 0 ? "ls " : "";
    for (std::size_t pieces = random() % 9; pieces > 0; --pieces)
      text += kPieces[random() % std::size(kPieces)];
    // There the comment would be part of the body.
    if (text.find("<<") != text.npos && text.find('\n') != text.npos) continue;
    const Tree tree = read(text);
    const Tree commented = read(text + " #");  // which is no plain text
    if (tree.refused() || commented.refused() || tree.script().statements.empty()) continue;
    ASSERT_EQ(dump(tree.script()), dump(commented.script())) << text;
    for (std::size_t at = 0; at < tree.script().statements.size(); ++at)
      ASSERT_EQ(placed(*tree.script().statements[at].command, text.size()),
                placed(*commented.script().statements[at].command, text.size()))
          << text;
  }
}

TEST(Read, SpansPointIntoTheText) {
  const std::string_view text = "a `b \\`c d\\`` <<E\n$(e)\nE\n";
  const Tree tree = read(text);
  ASSERT_FALSE(tree.refused());
  const auto& command = static_cast<const SimpleCommand&>(*tree.script().statements[0].command);
  const Script& outer = *command.words[1].parts[0].script;
  const auto& b = static_cast<const SimpleCommand&>(*outer.statements[0].command);
  const Script& inner = *b.words[1].parts[0].script;
  EXPECT_EQ(slice(text, inner.statements[0].command->span), "c d");
  const Part& body = command.redirections[0].here->body.parts[0];
  EXPECT_EQ(slice(text, body.script->statements[0].command->span), "e");
}

}  // namespace
}  // namespace tollgate::shell
