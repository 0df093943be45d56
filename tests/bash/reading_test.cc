// The reader held against the real bash, on random scripts: what it takes, what it understands.
// Each run takes other scripts; a failure says their seeds. See settings.h for what can be set.
// LIMIT: with TOLLGATE_LONG=1 all of it stays well below what a program may take then (see
// tools/dev/test.sh); each question to bash costs about a millisecond.
#include <gtest/gtest.h>

#include "bash/real_bash.h"
#include "bash/script_maker.h"
#include "bash/settings.h"
#include "shell/print.h"
#include "shell/read.h"

namespace tollgate::bash {
namespace {

constexpr std::uint64_t kFresh = 0;

std::string seeds_from(std::uint64_t begin) { return "TOLLGATE_SEED=" + std::to_string(begin); }

Extglob extglob_of(const std::string& script) {
  return has_extglob(script) ? Extglob::kOn : Extglob::kOff;
}
// For a script that stands inside a function, where its first line is not run before it is read.
shell::ReadOptions options_of(const std::string& script) {
  return {.extglob = has_extglob(script)};
}

// Every fourth script has lines that are continued anywhere. A comment or a quoted document may
// then end otherwise, so that more of them are refused, by bash too.
bool is_continued(std::uint64_t seed) { return seed % 4 == 0; }
std::string script_by(ScriptMaker& maker, std::uint64_t seed) {
  return is_continued(seed) ? maker.continued_script() : maker.script();
}
std::string script_of(std::uint64_t seed, Counts& counts) {
  ScriptMaker maker(seed, counts);
  return script_by(maker, seed);
}

void expect_same_acceptance(const std::string& script, std::uint64_t seed) {
  const shell::Tree tree = shell::read(script);
  const bool ours = !tree.refused();
  if (tree.refused() && tree.refusal().limit) return;
  // Some mistakes in (( )) and [[ ]] bash swallows without a word; with a here-document in the same
  // text that cannot be told from acceptance.
  const bool silent = script.find("<<") != script.npos &&
                      (script.find("((") != script.npos || script.find("[[") != script.npos);
  if (!ours && silent) return;
  // Whether a word may be an array bash remembers from one command into the next that it holds.
  const bool odd_array =
      !ours && script.find("=(") != script.npos && tree.refusal().message.starts_with("`(` is not");
  if (odd_array) return;
  // Right behind `coproc {` bash looks for reserved words in an array, and behind `coproc name` for
  // a builtin that takes one.
  const bool array = script.find("coproc") != script.npos && script.find("=(") != script.npos;
  if (array) return;
  EXPECT_EQ(ours, bash_accepts(script, extglob_of(script)).value_or(ours))
      << "seed " << seed << (ours ? "" : ", refused: " + tree.refusal().message) << "\n"
      << script;
}

TEST(Reading, TakesWhatBashTakes) {
  Counts counts = {};
  const std::uint64_t begin = first_seed(kFresh);
  SCOPED_TRACE(seeds_from(begin));
  for (std::uint64_t seed = begin; seed < begin + scripts(4'000, 20'000); ++seed) {
    expect_same_acceptance(script_of(seed, counts), seed);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Reading, RefusesWhatBashRefuses) {
  Counts counts = {};
  const std::uint64_t begin = first_seed(kFresh);
  SCOPED_TRACE(seeds_from(begin));
  for (std::uint64_t seed = begin; seed < begin + scripts(4'000, 20'000); ++seed) {
    expect_same_acceptance(ScriptMaker(seed, counts).damaged_script(), seed);
    if (testing::Test::HasFailure()) return;
  }
}

// Bash names a coprocess that has no name, even where no name may stand.
constexpr std::string_view kName = "coproc COPROC ";
std::string without_quirks(std::string printed) {
  for (std::size_t at = printed.find(kName); at != printed.npos; at = printed.find(kName, at))
    printed.replace(at, kName.size(), "coproc ");
  return printed;
}

// Without the continuations.
std::string on_one_line(std::string script) {
  for (std::size_t at = script.find("\\\n"); at != script.npos; at = script.find("\\\n", at))
    script.erase(at, 2);
  return script;
}

// Bash prints some here-documents where it would not read them again. Those that it reads as it
// printed them say what it understood.
std::vector<bool> printed_well(const std::vector<std::string>& scripts,
                               const std::vector<std::string>& printed) {
  std::vector<std::string> bodies;
  for (std::size_t i = 0; i < scripts.size(); ++i) {
    constexpr std::string_view kOpen = "{ \n";
    const std::size_t open = printed[i].find(kOpen), close = printed[i].rfind('}');
    const bool asked = on_one_line(scripts[i]).find("<<") != std::string::npos &&
                       open != std::string::npos && close > open;
    bodies.push_back(asked ? printed[i].substr(open + kOpen.size(), close - open - kOpen.size())
                           : ":");
  }
  const std::vector<std::string> again = printed_by_bash(bodies);
  std::vector<bool> well;
  for (std::size_t i = 0; i < scripts.size(); ++i)
    well.push_back(bodies[i] == ":" || again[i] == printed[i]);
  return well;
}

TEST(Reading, UnderstandsScriptsAsBashPrintsThem) {
  Counts counts = {};
  const std::uint64_t begin = first_seed(kFresh), end = begin + scripts(12'000, 50'000);
  SCOPED_TRACE(seeds_from(begin));
  std::uint64_t refused = 0, odd = 0;
  for (std::uint64_t at = begin; at < end; at += 1'000) {
    std::vector<std::string> made;
    std::vector<Counts> made_of;
    for (std::uint64_t seed = at; seed < at + 1'000; ++seed) {
      made_of.push_back({});
      ScriptMaker maker(seed, made_of.back());
      std::string script = script_by(maker, seed);
      // SAFETY: what is no script by itself could end the function, and bash would run the rest.
      const bool whole = !shell::read(script).refused();
      if (!whole && !is_continued(seed)) ++refused;
      // Bash loses a separator behind a here-document in a command inside brackets, when it runs it
      // as well as when it prints it; see hides_document().
      // A continued line may leave a document without an end, and the function then ends in it.
      const bool open = is_continued(seed) && on_one_line(script).find("<<") != std::string::npos;
      const bool compared = whole && !open && !maker.has_inner_document();
      if (!compared) made_of.back() = {};
      made.push_back(compared ? std::move(script) : ":");
    }
    const std::vector<std::string> printed = printed_by_bash(made);
    const std::vector<bool> well = printed_well(made, printed);
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (!well[i]) {
        ++odd;
        continue;
      }
      const shell::Tree ours = shell::read("f_() {\n" + made[i] + "\n}", options_of(made[i]));
      const shell::Tree theirs = shell::read(without_quirks(printed[i]), options_of(made[i]));
      ASSERT_FALSE(ours.refused()) << "seed " << at + i << "\n" << made[i];
      ASSERT_FALSE(printed[i].empty()) << "seed " << at + i << "\n" << made[i];
      // Its redirections come last, though one in front kept words from being reserved ones.
      if (theirs.refused() && printed[i].find(kName) != std::string::npos) continue;
      ASSERT_FALSE(theirs.refused())
          << "seed " << at + i << ": " << theirs.refusal().message << "\n"
          << printed[i];
      ASSERT_EQ(dump(ours.script()), dump(theirs.script())) << "seed " << at + i << "\n--- script\n"
                                                            << made[i] << "\n--- bash\n"
                                                            << printed[i];
      // Only what was compared counts.
      for (std::size_t k = 0; k < kProductions; ++k) counts[k] += made_of[i][k];
    }
  }
  EXPECT_LT(refused * 20, end - begin);
  EXPECT_LT(odd * 20, end - begin);
  for (std::size_t i = 0; i < kProductions; ++i)
    EXPECT_GE(counts[i], 200u) << "too seldom: " << name(static_cast<Production>(i));
}

TEST(Reading, ReadsItsOwnPrinting) {
  Counts counts = {};
  const std::uint64_t begin = first_seed(kFresh), end = begin + scripts(20'000, 400'000);
  SCOPED_TRACE(seeds_from(begin));
  std::uint64_t refused = 0;
  for (std::uint64_t seed = begin; seed < end; ++seed) {
    const std::string script = script_of(seed, counts);
    const shell::Tree tree = shell::read(script);
    if (tree.refused()) {
      if (!is_continued(seed)) ++refused;
      continue;
    }
    const std::string printed = print(tree.script());
    const shell::Tree again = shell::read(printed);
    ASSERT_FALSE(again.refused()) << "seed " << seed << ": " << again.refusal().message
                                  << "\n--- script\n"
                                  << script << "\n--- printed\n"
                                  << printed;
    ASSERT_EQ(dump(again.script()), dump(tree.script())) << "seed " << seed << "\n--- script\n"
                                                         << script << "\n--- printed\n"
                                                         << printed;
  }
  EXPECT_LT(refused * 20, end - begin);
}

}  // namespace
}  // namespace tollgate::bash
