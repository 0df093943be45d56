// Edit distance with three rolling rows, and the sentence made of it.
// Stands alone; every closed set of names in the program is compared here.
// LIMIT: words longer than kLongest are never near anything, so hostile input stays cheap.
#include "base/edit_distance.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.h"

namespace tollgate {
namespace {

constexpr std::size_t kLongest = 128;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const char x = lower(a[i - 1]);
      const char y = lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (x == y ? 0u : 1u)});
      const bool swapped = i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y;
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::string nearest(std::string_view word, std::span<const std::string_view> candidates) {
  if (word.empty() || word.size() > kLongest) return {};
  const std::size_t limit = std::max<std::size_t>(1, word.size() / 3);
  std::string_view best;
  std::size_t best_distance = limit + 1;
  for (std::string_view candidate : candidates) {
    // Lengths alone rule most names out.
    const std::size_t shorter = std::min(word.size(), candidate.size());
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (candidate.empty() || longer - shorter >= best_distance) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance) continue;
    best = candidate;
    best_distance = distance;
  }
  return std::string(best);
}

std::string did_you_mean(std::string_view word, std::string_view plural,
                         std::span<const std::string_view> candidates) {
  std::string out;
  if (const std::string near = nearest(word, candidates); !near.empty())
    out = "did you mean `" + near + "`? ";
  out += "known " + std::string(plural) + ": ";
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i > 0) out += ", ";
    out += candidates[i];
  }
  if (candidates.empty()) out += "none";
  return out;
}

}  // namespace tollgate
