// Texts that would take for ever if they were followed word for word.
// Each is read to its end, well within the time that a test may take, and what is cut is told.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/test_call.h"
#include "effects/effects.h"

namespace tollgate {
namespace {

Effects read(std::string command) { return effects_of(bash(std::move(command)), {}, "/home/u"); }

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

bool is_cut(const Effects& effects) {
  return std::ranges::any_of(effects, [](const Effect& effect) {
    return effect.kind == EffectKind::kUnknown &&
           (effect.target == kBeyondLimit || effect.target == kNotFollowed);
  });
}

bool runs(const Effects& effects, std::string_view program) {
  return std::ranges::any_of(effects, [&](const Effect& effect) {
    return effect.kind == EffectKind::kRun && effect.argv[0].text == program;
  });
}

TEST(ShellLimits, AMegabyteIsReadToItsEnd) {
  for (const std::string_view unit :
       {"$(", "((", "`", "\"", "'", "{", "{a,b}", "cat <<a\n", "<<a ", "${", "\\"})
    EXPECT_FALSE(read(repeated(unit, 1'000'000 / unit.size())).empty()) << unit;
}

TEST(ShellLimits, TheSameOverAndOver) {
  for (const std::string_view unit :
       {"{ ", "( ", "${a:-", "[[ ", "<(", "if ", "case x in ", "$((1+", "ls ", "ls;", "x=$x$x;",
        "for i in a b; do ", "while a; do ", "a=(\"${a[@]}\" \"${a[@]}\");",
        "set -- \"$@\" \"$@\";", "eval \"eval \\\"", "$(a) ", "(a);", "a && b || c;"})
    EXPECT_FALSE(read(repeated(unit, 100'000 / unit.size())).empty()) << unit;
}

TEST(ShellLimits, LongListsInOneConstruct) {
  constexpr std::size_t kMany = 20'000;
  const struct {
    std::string_view begin, unit, end;
  } kTexts[] = {
      {"[[ a ", "&& a ", "]]"},
      {"if a; then b; ", "elif c; then d; ", "fi"},
      {"case x in ", "a) b;; ", "esac"},
      {"echo $((", "1?1:", "1))"},
      {"echo $((", "2**", "1))"},
      {"echo $((", "(", "))"},
      {"echo $((", "a ", "))"},
      {"echo ", "${a:-b} ", ""},
      {"for i in ", "a ", "; do ls; done"},
      {"curl ", "x ", ""},
      {"while a; do read x; done <<E\n", "a b\n", "E\n"},
  };
  for (const auto& text : kTexts)
    EXPECT_FALSE(
        read(std::string(text.begin) + repeated(text.unit, kMany) + std::string(text.end)).empty())
        << text.begin << text.unit;
}

TEST(ShellLimits, WhatGrowsIsCutAndTold) {
  std::string names, loops;
  for (int i = 0; i < 120; ++i) names += "v" + std::to_string(i) + "=a;";
  for (int i = 0; i < 8; ++i) loops += "for x" + std::to_string(i) + " in a b c d e f g h i j; do ";
  std::string calls;
  for (int i = 0; i < 8; ++i)
    calls += "f" + std::to_string(i) + "() { f0; f1; f2; f3; f4; f5; f6; f7; ls; };";
  calls += "f0";
  loops += "ls;" + repeated(" done;", 8);
  const std::string letters = "x='" + std::string(4'000, 'a') + "';";
  for (const std::string& text : {
           loops,
           "x=aaaaaaaaaa;" + repeated("x=$x$x;", 60) + "echo $x",
           "x=(a b);" + repeated("x=(\"${x[@]}\" \"${x[@]}\");", 60) + "echo ${x[1]}",
           "set -- a b;" + repeated("set -- \"$@\" \"$@\";", 60) + "echo $1",
           "x=a;" + repeated("x=$(echo $x$x);", 60) + "echo $x",
           letters + "y=${x//a/$x}; z=${y//a/$y}; echo $z",
           names + repeated("(v0=b);", 2'000),
           std::string("x='x+x+x+x'; echo $((x))"),
           std::string("f() { trap \"f $1a\" EXIT; }; trap 'f a' EXIT"),
           calls,
       }) {
    const Effects effects = read(text + "\nreboot");
    EXPECT_TRUE(is_cut(effects)) << text.substr(0, 80);
    EXPECT_TRUE(runs(effects, "reboot")) << text.substr(0, 80);
  }
}

TEST(ShellLimits, WhatIsFoundBeforeTheLimitCounts) {
  for (const std::string_view unit :
       {"a;", "ls b\n", "x=$x$x;", "(a);", "case x in a) b;; esac;"}) {
    const Effects effects = read("reboot;" + repeated(unit, 1'000'000 / unit.size()));
    EXPECT_TRUE(runs(effects, "reboot")) << unit;
    EXPECT_TRUE(is_cut(effects)) << unit;
  }
}

// Each may be one of two things, and all of them together one of far too many.
TEST(ShellLimits, ManyChoicesInOneWord) {
  const Effects effects = read("rm " + repeated("${a:-b}", 60) + "; reboot");
  EXPECT_TRUE(runs(effects, "rm"));
  EXPECT_TRUE(runs(effects, "reboot"));
  std::string values;
  for (const std::string_view name : {"a", "b", "c", "d", "e"})
    values += "if t; then " + std::string(name) + "=1; else " + std::string(name) + "=2; fi;";
  EXPECT_TRUE(runs(read(values + repeated("echo $a$b$c$d$e;", 20'000)), "echo"));
}

TEST(ShellLimits, ALongScriptIsNotCut) {
  const std::string_view part =
      "for f in src/*.c; do\n  x=\"$(basename \"$f\" .c)\"\n  if [ -f \"$x.h\" ]; then\n"
      "    gcc -c \"$f\" -o \"out/$x.o\" 2>>log || exit 1\n  fi\ndone\n"
      "cat > notes <<E\n$x is done\nE\ncase $x in a|b) echo one;; *) echo other;; esac\n";
  EXPECT_FALSE(is_cut(read(repeated(part, 10'000 / part.size()))));
}

TEST(ShellLimits, WhatIsUsualIsNotCut) {
  for (const std::string_view text :
       {"for a in 1 2 3; do for b in 1 2 3; do for c in 1 2 3; do echo $a$b$c; done; done; done",
        "x=a; x=$x$x; x=$x$x; echo $x", "f() { echo $1; }; f a; f b; f c",
        "x='1+1'; y='x+x'; echo $((y+y))", "set -- a b; set -- \"$@\" \"$@\"; echo \"$@\""})
    EXPECT_FALSE(is_cut(read(std::string(text)))) << text;
}

}  // namespace
}  // namespace tollgate
