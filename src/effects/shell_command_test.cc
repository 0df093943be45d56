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
