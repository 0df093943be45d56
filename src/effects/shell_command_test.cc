// What shell commands come to, as one line each.
// The rows are about programs that are known, options that are not, and where the shell stands.
// Nothing here runs a command.
#include <gtest/gtest.h>

#include <random>

#include "core/test_call.h"
#include "effects/effect_dump.h"
#include "effects/effects.h"

namespace tollgate {
namespace {

struct Case {
  std::string_view name, command, want;
};

constexpr Case kCases[] = {
    {"a program that touches nothing", "pwd", "run(pwd)"},
    {"operands it does not take make it unlisted", "whoami x", "run!(whoami,x)"},
    {"echo prints whatever it is given", "echo -n 'rm -rf /'", "run(echo,-n,rm -rf /)"},
    {"printf with a variable is unlisted", "printf -v x y", "run(printf,-v,x,y)"},
    {"printf that would set a variable is unlisted", "printf %n PATH",
     "run!(printf,%n,PATH) unknown(`PATH` changes what programs load or run)"},
    {"a substitution of nothing but a sign", "echo $(!)",
     "run(echo,...) unknown(`)` is not expected here)"},
    {"a variable that is not set has its default", "unset x; p ${x-e}", "run(unset,x) run!(p,e)"},
    {"what a default quotes is one word", "x=; p ${x:-\"a b\"}", "run!(p,a b)"},
    {"a local variable ends with its function", "f() { local x=b; }; x=a; f; p $x",
     "run(local,x=b) run!(p,a)"},
    {"a variable for eval is set in it", "x=a eval 'p $x'", "run(eval,p $x) run!(p,a)"},
    {"what is printed on one way only is not known", "p $([ -f a ] && echo b)",
     "run([,-f,a,]) run(echo,b) run!(p,...)"},
    {"what is printed elsewhere is not known", "p $(echo b >/dev/null)", "run(echo,b) run!(p,...)"},
    {"a counter has every value", "for ((i=0; i<2; i++)); do p $i; done", "run!(p,...)"},
    {"a loop that is left early", "for v in a b; do x=c; t && break; x=d; done; p $x",
     "run!(t) run(break) run!(t) run(break) run!(p,d) run!(p,c)"},
    {"printf with a plain format", "printf '%5.2f%%\\n' 3", "run(printf,%5.2f%%\\n,3)"},
    {"date prints", "date -u '+%F'", "run(date,-u,+%F)"},
    {"date sets the clock", "date 0101", "run!(date,0101)"},
    {"date -s sets the clock", "date -s now", "run!(date,-s,now)"},
    {"ls reads where it stands", "ls -la", "run(ls,-la) read(/w)"},
    {"ls -R reads the tree", "ls -lR sub", "run(ls,-lR,sub) read**(/w/sub)"},
    {"a path in a system directory is the program", "/bin/cat a", "run(/bin/cat,a) read(/w/a)"},
    {"any other path is not", "./cat a", "run!(./cat,a)"},
    {"a path out of a system directory is not", "/usr/bin/../x/cat a", "run!(/usr/bin/../x/cat,a)"},
    {"cat reads its operands", "cat a ../b /c", "run(cat,a,../b,/c) read(/w/a) read(/b) read(/c)"},
    {"standard input is no file", "cat -", "run(cat,-)"},
    {"head takes a number", "head -20 a", "run(head,-20,a) read(/w/a)"},
    {"a value may be attached or not", "tail -n5 -n 6 --lines=7 --lin 8 a",
     "run(tail,-n5,-n,6,--lines=7,--lin,8,a) read(/w/a)"},
    {"an unknown option makes it unlisted", "cat --output=x a",
     "run!(cat,--output=x,a) read(/w/a)"},
    {"an unknown letter in a bundle does too", "ls -lY", "run!(ls,-lY) read(/w)"},
    {"touch and mkdir create", "touch a; mkdir -p b/c",
     "run(touch,a) create(/w/a) run(mkdir,-p,b/c) create(/w/b/c)"},
    {"touch -r reads", "touch -r a b", "run(touch,-r,a,b) read(/w/a) create(/w/b)"},
    {"rm deletes", "rm -f a b", "run(rm,-f,a,b) delete(/w/a) delete(/w/b)"},
    {"rm -rf deletes the tree", "rm -rf /", "run(rm,-rf,/) delete**(/)"},
    {"options may come last", "rm x -fr", "run(rm,x,-fr) delete**(/w/x)"},
    {"options may be abbreviated", "rm --rec --force x", "run(rm,--rec,--force,x) delete**(/w/x)"},
    {"words after -- are operands", "rm -- -rf", "run(rm,--,-rf) delete(/w/-rf)"},
    {"quotes inside a flag change nothing", R"(rm -r""f x)", "run(rm,-rf,x) delete**(/w/x)"},
    {"an unknown option keeps the path", "rm -rf --zap x", "run!(rm,-rf,--zap,x) delete**(/w/x)"},
    {"cp reads and writes, at the target or inside", "cp a b",
     "run(cp,a,b) read(/w/a) write(/w/b/a) write(/w/b)"},
    {"cp into a directory", "cp a c/b d/",
     "run(cp,a,c/b,d/) read(/w/a) read(/w/c/b) write(/w/d/a) write(/w/d/b)"},
    {"cp -t names the directory first", "cp -r -t d a",
     "run(cp,-r,-t,d,a) read**(/w/a) write**(/w/d/a)"},
    {"cp -T writes the target itself", "cp -T a b", "run(cp,-T,a,b) read(/w/a) write(/w/b)"},
    {"cp -s makes links and is unlisted", "cp -s a b",
     "run!(cp,-s,a,b) read(/w/a) write(/w/a) link(/w/b/a) link(/w/b)"},
    {"so does cp -l, also in a bundle", "cp -rlT a b",
     "run!(cp,-rlT,a,b) read**(/w/a) write**(/w/a) link**(/w/b)"},
    {"and by its long name, cut short", "cp --li -T a b",
     "run!(cp,--li,-T,a,b) read(/w/a) write(/w/a) link(/w/b)"},
    {"cp that follows links down the tree is unlisted", "cp -rLT a b",
     "run!(cp,-rLT,a,b) read**(/w/a) write**(/w/b)"},
    {"also those that are operands", "cp -T -H -a a b",
     "run!(cp,-T,-H,-a,a,b) read**(/w/a) write**(/w/b)"},
    {"also by the long name", "cp -T -r --dereference a b",
     "run!(cp,-T,-r,--dereference,a,b) read**(/w/a) write**(/w/b)"},
    {"cp that follows a link to a file is listed", "cp -LT a b",
     "run(cp,-LT,a,b) read(/w/a) write(/w/b)"},
    {"ls that follows links down the tree is unlisted", "ls -RL d", "run!(ls,-RL,d) read**(/w/d)"},
    {"ls that follows links is listed", "ls -L d", "run(ls,-L,d) read(/w/d)"},
    {"mv takes away and puts, and either may be a tree", "mv a b",
     "run(mv,a,b) read**(/w/a) rename**(/w/a) rename**(/w/b/a) rename**(/w/b)"},
    {"a dot is a directory to fill", "mv s/a .",
     "run(mv,s/a,.) read**(/w/s/a) rename**(/w/s/a) rename**(/w/a)"},
    {"so is home", "mv a ~",
     "run(mv,a,/home/u) read**(/w/a) rename**(/w/a) rename**(/home/u/a) rename**(/home/u)"},
    {"an empty target is Unknown", "cp a ''",
     "run(cp,a,) read(/w/a) unknown(the path `` cannot be placed)"},
    {"chmod changes permissions", "chmod -R 777 .", "run(chmod,-R,777,.) mode**(/w)"},
    {"chmod takes a mode with a dash", "chmod -x a", "run(chmod,-x,a) mode(/w/a)"},
    {"git follows a repository", "git status", "run(git,status) repository(/w)"},
    {"git follows one elsewhere", "git -C /x/../y log", "run(git,-C,/x/../y,log) repository(/y)"},
    {"git follows one that is not known", "git -C \"$D\" log",
     "run(git,-C,...,log) repository(the directory it runs in)"},
    {"git's version follows none", "git --version", "run(git,--version)"},
    {"a top directory is its repository's", "cd \"$(git rev-parse --show-toplevel)\"; git log",
     "run(git,rev-parse,--show-toplevel) repository(/w) run(cd,...) run(git,log) repository(/w)"},
    {"home is known", "cat ~/.ssh/id '~/x'",
     "run(cat,/home/u/.ssh/id,~/x) read(/home/u/.ssh/id) read(/w/~/x)"},
    {"an empty path cannot be placed", "rm ''", "run(rm,) unknown(the path `` cannot be placed)"},

    {"every command of a list counts", "ls && git push | wc -l",
     "run(ls) read(/w) run!(git,push) reach(git) run(wc,-l)"},
    {"after cd and && the shell has moved", "cd sub && cat a",
     "run(cd,sub) run(cat,a) read(/w/sub/a)"},
    {"after cd and ; it may have moved", "cd sub; cat a",
     "run(cd,sub) run(cat,a) read(/w/sub/a) read(/w/a)"},
    {"after cd and || it has not", "cd sub || cat a", "run(cd,sub) run(cat,a) read(/w/a)"},
    {"a whole chain follows", "cd a && cd ../b && ls", "run(cd,a) run(cd,../b) run(ls) read(/w/b)"},
    {"cd alone goes home", "cd && ls", "run(cd) run(ls) read(/home/u)"},
    {"in a pipeline nothing moves", "cd a | cat b && cat c",
     "run(cd,a) run(cat,b) read(/w/b) run(cat,c) read(/w/c)"},
    {"cd - goes anywhere", "cd - && cat a /b",
     "run(cd,-) run(cat,a,/b) read(the directory of `a`) read(/b)"},
    {"pushd goes anywhere", "pushd x && ls", "run(pushd,x) run(ls) read(/w/x)"},

    {"an inner shell is read", "sh -c 'rm -rf x; ls'",
     "run(sh,-c,rm -rf x; ls) run(rm,-rf,x) delete**(/w/x) run(ls) read(/w)"},
    {"eval is read", "eval r''m -rf x", "run(eval,rm,-rf,x) run(rm,-rf,x) delete**(/w/x)"},
    {"an alias inside eval changes the rest", "eval alias ls=x; pwd",
     "run(eval,alias,ls=x) run!(alias,ls=x) run(pwd) unknown(an alias may stand for `pwd`)"},
    {"a shell with more words is read too, with doubt", "sh -c ls x",
     "run(sh,-c,ls,x) run(ls) read(/w)"},
    {"an alias changes the rest", "alias ls='rm -rf'\nls",
     "run!(alias,ls=rm -rf) run(ls) unknown(an alias may stand for `ls`) run(rm,-rf) read(/w)"},
    {"a subscript runs what it holds", "test -v 'a[$(rm x)]'",
     "run(test,-v,a[$(rm x)]) unknown(arithmetic runs what a value holds) run(:) run(rm,x) "
     "delete(/w/x)"},
    {"source runs a file", "source x",
     "run!(source,x) read(/w/x) unknown(script: `source` runs a file that is not read)"},

    {"a trap runs wherever the shell went", "trap 'rm x' EXIT; cd \"$D\"",
     "run(trap,rm x,EXIT) run!(cd,...) run(rm,x) delete(/w/x) delete(the directory of `x`)"},
    {"in a trap the directory is known", "trap 'p $PWD' EXIT", "run(trap,p $PWD,EXIT) run!(p,/w)"},
    {"unless it was lost", "trap 'p $PWD' EXIT; cd -P a",
     "run(trap,p $PWD,EXIT) run(cd,-P,a) run!(p,...)"},
    {"a value like the beginning of an array", "x=a; declare x='('; p $x",
     "run(declare,x=() run!(p,()"},
    {"an array with one of two values", "cd a; A=($PWD b); p \"${A[@]}\"",
     "run(cd,a) run!(p,/w/a,b) run!(p,/w,b)"},
    {"parameters of one of two ways", "if t; then set -- a; else set -- b; fi; p $1",
     "run!(t) run(set,--,a) run(set,--,b) run!(p,a) run!(p,b)"},
    {"parameters of two ways that are not as many", "set -- a; t && set -- b c; p $1",
     "run(set,--,a) run!(t) run(set,--,b,c) run!(p,...)"},
    {"arrays of two ways", "A=(a b); t && A=(a c); p \"${A[@]}\"",
     "run!(t) run!(p,a,b) run!(p,a,c)"},
    {"a word for a loop with one of two values", "cd a; for v in $PWD; do p $v; done",
     "run(cd,a) run!(p,/w/a) run!(p,/w)"},
    {"a loop over nothing", "for v in; do p $v b; done", "run!(p,b)"},
    {"a loop that stays where it is", "while p; do cd .; cat a; done",
     "run!(p) run(cd,.) run(cat,a) read(/w/a)"},
    {"a value that is set is no error", "x=a; p $(echo ${x:?m})", "run(echo,a) run!(p,a)"},
    {"a value that may be empty is one", "x=; t && x=a; p $(echo ${x:?m})",
     "run!(t) run(echo,a) run(echo) run!(p,...)"},
    {"the name of a substituted file stays what it is", "x=<(t); p ${x?m} ${x/rm/b} ${x#a} ${x,,}",
     "run!(t) run!(p,/dev/fd/63,/dev/fd/63,/dev/fd/63,/dev/fd/63)"},
    {"but no piece of it is known", "x=<(t); p ${x#/} ${x%?} ${x/6/7} ${x^^} ${#x} ${x:1}",
     "run!(t) run!(p,...,...,...,...,...,...)"},
    {"echo has as many options as it likes", "p $(echo -n -e -nE a)",
     "run(echo,-n,-e,-nE,a) run!(p,a)"},
    {"echo may have escapes", "p $(echo -e 'a\\nb')", "run(echo,-e,a\\nb) run!(p,...)"},
    {"with set -u what is set is known", "set -u; x=a; i=x; p $(echo ${!i} $HOME)",
     "run(set,-u) run(echo,a,/home/u) run!(p,a,/home/u)"},
    {"with set -u what is not set ends it", "set -u; i=x; p $(echo ${!i})",
     "run(set,-u) run(echo,...) run!(p,...)"},
    {"with set -u a parameter that is not set ends it", "set a; set -u; p $(echo \\'$2)",
     "run(set,a) run(set,-u) run(echo,') run!(p,...)"},
    {"a text for sh that it makes itself", "sh -c 'eval \"p \\$[2]\"'",
     "run(sh,-c,eval \"p \\$[2]\") run(eval,p $[2]) unknown(another shell may read this otherwise "
     "than bash) run!(p,2)"},
    {"a builtin that only bash has", "sh -c 'let x=5; p $x'",
     "run(sh,-c,let x=5; p $x) run(let,x=5) unknown(`sh` may have no `let` like that) run!(p,5)"},
    {"a failure inside a substitution is its own", "x=<(((1/0))); p \"$x\"", "run!(p,/dev/fd/63)"},
    {"a break in another shell", "x=a; while t; do sh -c 'while t; do break; done'; done; p $x",
     "run!(t) run(sh,-c,while t; do break; done) run!(t) run(break) run!(p,a)"},
    {"a variable for eval in a loop", "x=a; while t; do x=b eval p; done; p $x",
     "run!(t) run(eval,p) run!(p) run!(p,a)"},
    {"parameters set in a loop", "x=a; while t; do set -- \"$y\"; done; p $x",
     "run!(t) run(set,--,...) run!(p,a)"},
    {"a tilde behind braces is a letter", "p w={1..2}~/x", "run!(p,w=1~/x,w=2~/x)"},
    {"a tilde behind the sign and braces is not known", "p w=~/{a,b}", "run!(p,...)"},
    {"posix mode by a variable", "x=p; POSIXLY_CORRECT=1; x=rm eval :; $x a",
     "unknown(`POSIXLY_CORRECT` changes what programs load or run) run(eval,:) run(:) run!(p,a)"},
    {"posix mode by an option", "set -o posix",
     "run!(set,-o,posix) unknown(an option changes how the shell reads commands)"},
    {"an option of a shell that is started", "bash -O lastpipe -c 'x=p; echo r | read x; $x'",
     "run(bash,-O,lastpipe,-c,x=p; echo r | read x; $x) unknown(`lastpipe` runs the end of a "
     "pipeline in the shell itself) run(echo,r) run(read,x) run!(p)"},
    {"a descriptor by name is a word to another shell", "sh -c 'p {d}>1'",
     "run!(sh,-c,p {d}>1) run!(p) write(/w/1) unknown(code: `sh` may read this otherwise than "
     "bash)"},
    {"a group that writes is one to all shells", "sh -c '{ p; }>1'",
     "run(sh,-c,{ p; }>1) write(/w/1) run!(p)"},
    {"a name behind a tilde that braces make", "p ~{0,1}", "run!(p,...)"},
    {"a tilde that braces put before a name", "p {,~}root", "run!(p,...)"},
    {"a tilde in braces", "p {~,a}/b", "run!(p,/home/u/b,a/b)"},
    {"braces behind the process number make no words", "p $${a,b}", "run!(p,...)"},
    {"braces behind another number make words", "p $?{a,b}", "run!(p,...,...)"},
    {"braces are off in a shell that is started", "bash +B -c 'p {a,b}'",
     "run(bash,+B,-c,p {a,b}) run!(p,...)"},
    {"sh ends at a failure in a substitution, too", "sh -ec 'p $(t; echo b)'",
     "run(sh,-ec,p $(t; echo b)) run!(t) run(echo,b) run!(p,...)"},
    {"but not before its only command", "sh -ec 'p $(echo b)'",
     "run(sh,-ec,p $(echo b)) run(echo,b) run!(p,b)"},
    {"patterns are matched otherwise", "bash -O nocasematch -c 'x=RM; p ${x/r/z}'",
     "run(bash,-O,nocasematch,-c,x=RM; p ${x/r/z}) run!(p,...)"},
    {"a shell in posix mode", "bash --posix -c 'x=p; x=rm eval :; $x'",
     "run!(bash,--posix,-c,x=p; x=rm eval :; $x) unknown(an option changes how the shell reads "
     "commands) run(eval,:) run(:) run!(p)"},
    {"arithmetic evaluates an element", "A=(a 'B[$(rm x)]'); ((A[1]))",
     "unknown(arithmetic evaluates what `a` holds) unknown(arithmetic runs what a value holds) "
     "run(:) run!(rm,x) delete(/w/x)"},
    {"arithmetic evaluates an element that is not known", "read -a A; ((A[1]))",
     "run(read,-a,A) unknown(arithmetic evaluates what `A` holds)"},
    {"arithmetic sets an element", "A=(a b); ((A[1]=5)); p \"${A[@]}\" $A", "run!(p,...,...)"},
    {"arithmetic counts an element up", "A=(1 2); ((++A[1])); p \"${A[@]}\"", "run!(p,...)"},
    {"arithmetic that only looks at one", "A=(1 2); ((A[1] > 1)); p \"${A[@]}\"", "run!(p,1,2)"},
    {"bash ends a substitution elsewhere", "a $( B=(\\') ) ; : ' ) ) ; rm -rf x ; : ' #'",
     "unknown(a backslash in an array inside a substitution) run!(a,...) run(:, ) ) ; rm -rf x ; : "
     ")"},
    {"also with a declaration in a function", "a <( f() { local B=(\\;); } )",
     "unknown(a backslash in an array inside a substitution) run!(a,/dev/fd/63) run(local,B=()"},
    {"other quotes there are read as they are", "a $( B=(';' \"\\\"\") )", "run!(a,...)"},
    {"posix mode by shopt", "shopt -so posix",
     "run!(shopt,-so,posix) unknown(an option changes how the shell reads commands)"},
    {"words that become assignments", "set -k",
     "run!(set,-k) unknown(an option changes how the shell reads commands)"},
    {"sh reads quoted signs like bash", "sh -c 'p \";|&((\" \"[[\" # |& ((\nx=~ p'",
     "run(sh,-c,p \";|&((\" \"[[\" # |& ((\nx=~ p) run!(p,;|&((,[[) run!(p)"},
    {"sh reads arithmetic like bash", "sh -c 'p $((1+((2))))'",
     "run(sh,-c,p $((1+((2))))) run!(p,3)"},
    {"sh reads two parentheses otherwise", "sh -c 'p \"a\"; ((x))'",
     "run!(sh,-c,p \"a\"; ((x))) run!(p,a) unknown(arithmetic evaluates what `x` holds) "
     "unknown(code: `sh` may read this otherwise than bash)"},
    {"also behind text that looks like arithmetic", "sh -c 'p $((1) ((x)))'",
     "run!(sh,-c,p $((1) ((x)))) unknown(the text of a substitution cannot be read) run!(1) "
     "run!(p,...) unknown(code: `sh` may read this otherwise than bash)"},
    {"also behind a quote in a here-document", "sh -c \"cat <<E\nit's\nE\n((x)) '\"",
     "run!(sh,-c,cat <<E\nit's\nE\n((x)) ') run(cat) unknown(arithmetic evaluates what `x` holds) "
     "unknown(the quote `'` is not closed) unknown(code: `sh` may read this otherwise than bash)"},
    {"also over the end of a line", "sh -c '(\\\n(x))'",
     "run!(sh,-c,(\\\n(x))) unknown(arithmetic evaluates what `x` holds) "
     "unknown(code: `sh` may read this otherwise than bash)"},
    {"sh may not know a tilde behind export", "sh -c 'export y=~; p $y'",
     "run(sh,-c,export y=~; p $y) run(export,y=...) run!(p,...)"},

    {"a readonly stays what it is in a function", "readonly x=a; f() { local x=b; p $x; }; f; p $x",
     "run(readonly,x=a) run(local,x=b) run!(p,b) run!(p,a) run!(p,a)"},
    {"a local list of a readonly is not known", "readonly x=a; f() { local x=(b); p $x; }; f",
     "run(readonly,x=a) run(local,x=() run!(p,...)"},
    {"unset uncovers what was there before the call", "x=a; f() { unset x; p $x; }; x=b f",
     "run(unset,x) run!(p) run!(p,b) run!(p,a)"},
    {"unset uncovers the variable of another function",
     "x=a; g() { unset x; p $x; }; f() { local x=b; g; }; f",
     "run(local,x=b) run(unset,x) run!(p) run!(p,b) run!(p,a)"},
    {"a local that is unset stays the function's own",
     "x=a; f() { local x=b; unset x; p $x; }; f; p $x",
     "run(local,x=b) run(unset,x) run!(p) run!(p,a)"},
    {"unset with a value for eval", "x=a; x=b eval 'unset x; p $x'; p $x",
     "run(eval,unset x; p $x) run(unset,x) run!(p) run!(p,b) run!(p,a) run!(p) run!(p,b) run!(p,a) "
     "run!(p,...)"},
    {"a local may inherit", "x=a; f() { local -I x; p $x; x=b; }; f; p $x",
     "run(local,-I,x) run!(p,a) run!(p,a)"},
    {"an inherited array", "x=(a b); f() { local -I x; p \"${x[@]}\"; }; f",
     "run(local,-I,x) run!(p,a,b)"},
    {"a value for declare", "x=a; x=b declare x; p $x",
     "run(declare,x) run!(p,b) run!(p,a) run!(p,...)"},
    {"a value for local", "x=a; f() { x=b local x; }; f; p $x", "run(local,x) run!(p,...)"},
    {"a value that the function has of the call", "x=a; f() { local x; p $x; }; x=b f; p $x",
     "run(local,x) run!(p,b) run!(p,a)"},
    {"a value that the function exports", "x=a; f() { export x=c; p $x; }; x=b f; p $x",
     "run(export,x=c) run!(p,c) run!(p,b) run!(p,a) run!(p,...)"},
    {"declare -g does not change the local one",
     "x=a; f() { local x=b; declare -g x=c; p $x; }; f; p $x",
     "run(local,x=b) run(declare,-g,x=c) run!(p,c) run!(p,b) run!(p,a) run!(p,...)"},
    {"an option that export does not have", "x=a; export -z x=b; p $x",
     "run!(export,-z,x=b) run!(p,b) run!(p,a)"},
    {"declare that only prints", "x=a; declare -p x=b; p $x",
     "run!(declare,-p,x=b) run!(p,b) run!(p,a)"},
    {"an option that set does not have", "set -- a; set -Z b; p $1",
     "run(set,--,a) run!(set,-Z,b) run!(p,b) run!(p,a)"},
    {"a plus alone is no parameter", "set + a; p $1", "run(set,+,a) run!(p,a)"},
    {"a dash alone leaves the parameters", "set -- a; set -; p $1",
     "run(set,--,a) run(set,-) run!(p,a)"},
    {"a list in a text", "declare -a x='(a b)'; p \"${x[@]}\"",
     "run(declare,-a,x=(a b)) run!(p,a,b)"},
    {"a list in a text, perhaps", "x=(a b); declare x='(c d)'; p \"$x\"",
     "run(declare,x=(c d)) run!(p,c) run!(p,...)"},
    {"a list in a text that runs something", "declare -a 'x=($(rm a))'",
     "run(declare,-a,x=($(rm a))) run(rm,a) delete(/w/a) unknown(a text is read as a list of "
     "elements)"},
    {"unset -n leaves what stands for no other", "x=a; unset -n x; p $x",
     "run(unset,-n,x) run!(p) run!(p,a)"},
    {"local in a shell that a function starts", "f() { bash -c 'local x=a; p $x'; }; f",
     "run(bash,-c,local x=a; p $x) run(local,x=a) run!(p,...)"},

    {"what was read before an Unknown counts", "rm -rf a $x; ls",
     "run!(rm,-rf,a,...) delete**(/w/a) delete**(a word that is not known) run(ls) read(/w)"},
    {"a program that is cut short is nobody", "r$x a", "run!(r...,a)"},
    {"no command is Unknown", "  ", "unknown(there is no command)"},
};

TEST(ShellCommand, Effects) {
  for (const Case& c : kCases)
    EXPECT_EQ(dump_effects(effects_of(bash(std::string(c.command)), {}, "/home/u")), c.want)
        << c.name << "\n"
        << c.command;
}

// Unset it is no word at all.
TEST(ShellCommand, NumbersOfBashAreNothingToAnotherShell) {
  for (const auto& [shell, several] : {std::pair("bash", false), std::pair("sh", true)}) {
    const Effects effects = effects_of(bash(std::string(shell) + " -c 'p $RANDOM'"), {}, "/home/u");
    ASSERT_EQ(effects.size(), 2u) << shell;
    ASSERT_EQ(effects[1].argv.size(), 2u) << shell;
    EXPECT_EQ(effects[1].argv[1].several, several) << shell;
  }
}

TEST(ShellCommand, OperandsBelongToTheCommandThatHasThem) {
  const Effects effects = effects_of(bash("ls && cat a"), {}, "/home/u");
  ASSERT_EQ(effects.size(), 4u);
  EXPECT_EQ(effects[3].owner, 2u);
  EXPECT_EQ(effects[3].by, EffectBy::kOperand);
  EXPECT_EQ(effects[3].span, (Span{10, 1}));
  EXPECT_EQ(effects[2].argv[0].span, (Span{6, 3}));
}

TEST(ShellCommand, TheUncleanedPathIsKeptForTheLook) {
  const Effects effects = effects_of(bash("cd link && cat ../x"), {}, "/home/u");
  ASSERT_EQ(effects.size(), 3u);
  EXPECT_EQ(effects[2].path, "/w/x");
  EXPECT_EQ(effects[2].spelled, "/w/link/../x");
}

TEST(ShellCommand, ALongCommandSaysSoAndIsStillRead) {
  const Effects effects = effects_of(bash("rm -rf /" + std::string(kMaxCommandBytes, ' ')));
  EXPECT_EQ(dump_effects(effects),
            "unknown(longer than 10000 characters) run(rm,-rf,/) delete**(/)");
}

TEST(ShellCommand, ALongPathIsUnknown) {
  const std::string name(4094, 'a');
  EXPECT_EQ(dump_effects(effects_of(bash("rm /" + name))),
            "run(rm,/" + name + ") delete(/" + name + ")");
  EXPECT_EQ(dump_effects(effects_of(bash("rm /a" + name))),
            "run(rm,/a" + name + ") unknown(the path is too long)");
}

TEST(ShellCommand, ManyEffectsSaySoAndAllStay) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "a;";
  const Effects effects = effects_of(bash(text));
  EXPECT_EQ(effects.size(), 5001u);
  EXPECT_EQ(effects.back().why, "more than 4096 effects");
}

TEST(ShellCommand, NestingHasABound) {
  std::string text = "ls";
  for (int i = 0; i < 12; ++i) text = "eval " + text;
  bool said = false;
  for (const Effect& effect : effects_of(bash(text)))
    said = said || effect.why == "shells nested too deep";
  EXPECT_TRUE(said);
}

TEST(ShellCommand, WithoutAHomeATildeIsNotKnown) {
  EXPECT_EQ(dump_effects(effects_of(bash("rm -rf ~"))),
            "run!(rm,-rf,...) delete**(a word that is not known)");
}

TEST(ShellCommand, WithoutACwdRelativePathsAreUnknown) {
  ToolCall call = bash("cat a /b");
  call.cwd = "";
  EXPECT_EQ(dump_effects(effects_of(call)), "run(cat,a,/b) read(the directory of `a`) read(/b)");
}

TEST(ShellCommand, AnyTextGivesEffectsWhoseOwnersRun) {
  constexpr std::string_view kPieces[] = {"rm",  "-rf", " ",  "cp",   "~/x", "'a b'", "&&", "|",
                                          ";",   "cd",  "..", "$x",   "\\",  "\n",    "-t", "chmod",
                                          "777", "--",  "\"", "eval", "mv",  "sh -c"};
  std::mt19937 random(11);
  std::uniform_int_distribution<std::size_t> piece(0, std::size(kPieces) - 1), size(0, 24);
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::size_t k = size(random); k > 0; --k)
      text += std::string(kPieces[piece(random)]) + (k % 3 == 0 ? "" : " ");
    const Effects effects = effects_of(bash(text), {}, "/home/u");
    ASSERT_FALSE(effects.empty()) << text;
    for (std::size_t k = 0; k < effects.size(); ++k) {
      const Effect& effect = effects[k];
      ASSERT_LE(effect.span.end(), text.size()) << text;
      ASSERT_TRUE(!is_path_kind(effect.kind) || effect.path.starts_with('/') ||
                  (effect.path.empty() && !effect.why.empty()))
          << text;
      if (effect.owner == kNoOwner) continue;
      ASSERT_LT(effect.owner, k) << text;
      ASSERT_EQ(effects[effect.owner].kind, EffectKind::kRun) << text;
    }
  }
}

}  // namespace
}  // namespace tollgate
