// Which names count as near, and what the hint says about it.
// Rows are misspellings people make; the empty answer is as important as the right one.
// The distance itself is checked against a plain recursive definition on random words.
#include "base/edit_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/text.h"

namespace tollgate {
namespace {

struct DistanceCase {
  std::string_view name, a, b;
  std::size_t want;
};
constexpr DistanceCase kDistances[] = {
    {"equal words are 0 apart", "bash", "bash", 0},
    {"case does not count", "Bash", "bASH", 0},
    {"a missing letter is 1", "reviwer", "reviewer", 1},
    {"a swap of neighbours is 1", "dney", "deny", 1},
    {"a replaced letter is 1", "cat", "cut", 1},
    {"against nothing it is the length", "", "abc", 3},
    {"unrelated words are far", "kitten", "sitting", 3},
};

TEST(EditDistance, CountsInsertDeleteReplaceSwap) {
  for (const DistanceCase& c : kDistances) {
    EXPECT_EQ(edit_distance(c.a, c.b), c.want) << c.name;
    EXPECT_EQ(edit_distance(c.b, c.a), c.want) << c.name << ", the other way round";
  }
}

std::size_t naive(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  const auto rest = [](std::string_view s, std::size_t n) { return s.substr(0, s.size() - n); };
  std::size_t best = std::min({naive(rest(a, 1), b) + 1, naive(a, rest(b, 1)) + 1,
                               naive(rest(a, 1), rest(b, 1)) + (a.back() == b.back() ? 0u : 1u)});
  if (a.size() > 1 && b.size() > 1 && a.back() == b[b.size() - 2] && a[a.size() - 2] == b.back())
    best = std::min(best, naive(rest(a, 2), rest(b, 2)) + 1);
  return best;
}

TEST(EditDistance, AgreesWithTheRecursiveDefinition) {
  std::mt19937 random(1);
  const auto word = [&] {
    std::string out(random() % 6, 'a');
    for (char& c : out) c = static_cast<char>('a' + random() % 3);
    return out;
  };
  for (int i = 0; i < 300; ++i) {
    const std::string a = word();
    const std::string b = word();
    EXPECT_EQ(edit_distance(a, b), naive(a, b)) << a << " " << b;
  }
}

struct NearestCase {
  std::string_view name, word, want;
};
constexpr NearestCase kNearest[] = {
    {"a slip is found", "reviwer", "reviewer"},
    {"the nearest of two wins", "develper", "developer"},
    {"a short word allows one slip", "dev", "dev2"},
    {"nothing near gives nothing", "astronaut", ""},
    {"an empty word is near nothing", "", ""},
    {"another case is near", "REVIEWER", "reviewer"},
};

TEST(Nearest, SuggestsOnlyWhatIsWithinAThird) {
  constexpr std::string_view kRoles[] = {"developer", "reviewer", "supervisor", "dev2"};
  for (const NearestCase& c : kNearest) EXPECT_EQ(nearest(c.word, kRoles), c.want) << c.name;
  EXPECT_EQ(nearest(std::string(1 << 20, 'r'), kRoles), "");
}

TEST(DidYouMean, NamesTheSetWithOrWithoutAQuestion) {
  constexpr std::string_view kRoles[] = {"developer", "reviewer"};
  EXPECT_EQ(did_you_mean("reviwer", "roles", kRoles),
            "did you mean `reviewer`? known roles: developer, reviewer");
  EXPECT_EQ(did_you_mean("pilot", "roles", kRoles), "known roles: developer, reviewer");
  EXPECT_EQ(did_you_mean("pilot", "roles", {}), "known roles: none");
}

}  // namespace
}  // namespace tollgate
