// Longest common subsequence of lines, after what is equal at both ends has been set aside.
// LIMIT: two texts that share little and are long are shown as all gone and all new.
#include "cli/difference.h"

#include <cstdint>
#include <vector>

#include "base/text.h"
#include "cli/layout.h"

namespace tollgate::cli {
namespace {

constexpr std::size_t kMostCells = 4'000'000;
constexpr std::size_t kAround = 2;

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

struct Step {
  char mark;  // ' ', '-', '+'
  std::string_view line;
};

// The middle parts, which differ at both ends.
void compare(const Lines& a, const Lines& b, std::vector<Step>& steps) {
  if (a.size() * b.size() > kMostCells) {
    for (const std::string_view line : a) steps.push_back({'-', line});
    for (const std::string_view line : b) steps.push_back({'+', line});
    return;
  }
  // length[i][j]: how many lines a from i and b from j have in common.
  const std::size_t width = b.size() + 1;
  std::vector<std::uint32_t> length((a.size() + 1) * width, 0);
  for (std::size_t i = a.size(); i-- > 0;)
    for (std::size_t j = b.size(); j-- > 0;)
      length[i * width + j] =
          a[i] == b[j] ? length[(i + 1) * width + j + 1] + 1
                       : std::max(length[(i + 1) * width + j], length[i * width + j + 1]);
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      steps.push_back({' ', a[i]});
      ++i, ++j;
    } else if (i < a.size() &&
               (j == b.size() || length[(i + 1) * width + j] >= length[i * width + j + 1])) {
      steps.push_back({'-', a[i++]});
    } else {
      steps.push_back({'+', b[j++]});
    }
  }
}

// Unchanged lines far from every change are left out, with their count.
std::string shown(const std::vector<Step>& steps) {
  std::vector<bool> near(steps.size(), false);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].mark == ' ') continue;
    const std::size_t from = i < kAround ? 0 : i - kAround;
    for (std::size_t k = from; k <= i + kAround && k < steps.size(); ++k) near[k] = true;
  }
  std::string out;
  std::size_t hidden = 0;
  const auto tell_hidden = [&] {
    if (hidden > 0) out += "  … " + std::to_string(hidden) + " unchanged\n";
    hidden = 0;
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!near[i]) {
      ++hidden;
      continue;
    }
    tell_hidden();
    out += std::string(1, steps[i].mark) + " " + visible(steps[i].line) + "\n";
  }
  tell_hidden();
  return out;
}

}  // namespace

std::string difference(std::string_view before, std::string_view after) {
  if (before == after) return "";
  Lines a = lines_of(before), b = lines_of(after);
  std::vector<Step> steps, tail;
  std::size_t same = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same])
    steps.push_back({' ', a[same++]});
  while (a.size() > same && b.size() > same && a.back() == b.back()) {
    tail.insert(tail.begin(), {' ', a.back()});
    a.pop_back();
    b.pop_back();
  }
  compare(Lines(a.begin() + static_cast<std::ptrdiff_t>(same), a.end()),
          Lines(b.begin() + static_cast<std::ptrdiff_t>(same), b.end()), steps);
  steps.insert(steps.end(), tail.begin(), tail.end());
  return shown(steps);
}

}  // namespace tollgate::cli
