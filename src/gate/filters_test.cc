// The quick filters of the gate beside what they stand before: no row and no word is passed by.
// Names are made at random of the tables' own rows, in mixed letter case.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <string>

#include "gate/gate_itself.h"
#include "gate/judge.h"
#include "gate/places.h"

namespace tollgate {
namespace {

Situation situation() {
  Situation s;
  s.home = {"/home/user", "/data/home/user"};
  s.base = s.cwd = {"/home/user/project", "/data/home/user/project"};
  s.roots = {s.base};
  return s;
}

class Dice {
 public:
  std::size_t below(std::size_t count) { return random_() % count; }
  template <class List>
  auto one_of(const List& list) {
    return *(std::begin(list) + static_cast<std::ptrdiff_t>(below(std::size(list))));
  }
  std::string in_mixed_case(std::string_view text) {
    const std::size_t how = below(3);
    std::string out(text);
    for (char& c : out)
      if (how == 1 || (how == 2 && below(2) == 0))
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return out;
  }

 private:
  std::mt19937_64 random_{20};
};

std::string path_of(std::string_view row, Dice& dice) {
  constexpr std::string_view kBefore[] = {"",   "/",        "/home/user",         "/data/home/user",
                                          "/x", "/srv/a.b", "/home/user/project", "/usr/lib"};
  constexpr std::string_view kJoints[] = {"/", "/", "/", "/x.", "/.", "."};
  constexpr std::string_view kBehind[] = {"", "", "", "/x", ".pub", "/a/b.c", "x", "_key", "/"};
  std::string path;
  if (row.starts_with("~/"))
    path = std::string(dice.below(2) == 0 ? "/home/user" : "/data/home/user") +
           std::string(row.substr(1));
  else if (row.starts_with('/') && dice.below(2) == 0)
    path = row;
  else
    path = std::string(dice.one_of(kBefore)) + std::string(dice.one_of(kJoints)) + std::string(row);
  return path + std::string(dice.one_of(kBehind));
}

TEST(Filters, PassByNoPlace) {
  Dice dice;
  const Situation around = situation();
  const auto rows = place_rows();
  int guarded = 0, sensitive = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string path = dice.in_mixed_case(path_of(
        i < static_cast<int>(rows.size()) ? rows[static_cast<std::size_t>(i)] : dice.one_of(rows),
        dice));
    const auto wanted = guarded_unfiltered(path, around);
    const auto secret = sensitive_unfiltered(path, around);
    ASSERT_EQ(guarded_place(path, around), wanted) << path;
    ASSERT_EQ(sensitive_place(path, around), secret) << path;
    guarded += wanted.empty() ? 0 : 1;
    sensitive += secret.empty() ? 0 : 1;
  }
  EXPECT_GT(guarded, 10'000);
  EXPECT_GT(sensitive, 10'000);
}

// Each row by itself is found, through the filters.
TEST(Filters, EveryRowIsAPlace) {
  const Situation around = situation();
  for (const std::string_view row : place_rows()) {
    const std::string found = row.starts_with("~/")  ? "/home/user" + std::string(row.substr(1))
                              : row.starts_with('/') ? std::string(row)
                                                     : "/srv/" + std::string(row);
    const std::string venv = "/srv" + std::string(row);
    const std::string key = "/srv/x." + std::string(row);
    EXPECT_FALSE(guarded_place(found, around).empty() && sensitive_place(found, around).empty() &&
                 guarded_place(venv, around).empty() && sensitive_place(key, around).empty())
        << row;
  }
}

Effect run_of(const std::vector<std::string_view>& words, Dice& dice) {
  constexpr std::string_view kOthers[] = {
      "ls",  "x",         "-f",          "--force", "-rf",
      "/",   "stop",      "reset",       "--hard",  "ghp_0123456789abcdef",
      "./x", "mkfs.ext4", "/usr/bin/rm", "push",    "1"};
  Effect run;
  run.kind = EffectKind::kRun;
  run.told = dice.below(4) != 0;
  run.listed = dice.below(2) == 0;
  const std::size_t count = 1 + dice.below(4);
  for (std::size_t i = 0; i < count; ++i) {
    Word word;
    word.text = dice.below(3) == 0 ? dice.one_of(kOthers) : dice.one_of(words);
    if (dice.below(8) == 0) word.text = dice.in_mixed_case(word.text);
    if (dice.below(8) == 0) word.text += "=" + std::string(dice.one_of(words));
    if (dice.below(16) == 0) {
      word.known = false;
      word.rest = Rest::kAnything;
    }
    word.secret = dice.below(16) == 0;
    run.argv.push_back(std::move(word));
  }
  return run;
}

TEST(Filters, MarkNoRunThatAGroundIsAbout) {
  Dice dice;
  const Situation around = situation();
  const auto words = gate_words();
  ToolCall call;
  call.tool = call.native_tool = "Bash";
  int plain_runs = 0, grounds = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Effects effects = {run_of(words, dice)};
    const Scene scene{call, ToolKind::kShell, effects, around, {}};
    const PlainRuns plain(scene);
    const AgainstGate quick = against_gate(scene, plain), slow = against_gate(scene);
    const auto some = built_in_floors(scene, quick.doubt, plain);
    const auto all = built_in_floors(scene, slow.doubt);
    std::string text;
    for (const Word& word : effects[0].argv) text += word.text + " ";
    ASSERT_EQ(quick.denied, slow.denied) << text;
    ASSERT_EQ(quick.doubt, slow.doubt) << text;
    ASSERT_EQ(some.size(), all.size()) << text;
    for (std::size_t j = 0; j < all.size(); ++j) ASSERT_EQ(some[j].reason, all[j].reason) << text;
    plain_runs += plain.has(0) ? 1 : 0;
    grounds += slow.denied || !all.empty() ? 1 : 0;
  }
  EXPECT_GT(plain_runs, 1'000);
  EXPECT_GT(grounds, 10'000);
}

}  // namespace
}  // namespace tollgate
