// Longest common subsequence of lines, after what is equal at both ends has been set aside.
// A line of a unified difference keeps its line break, so that a missing last one is a change.
// INVARIANT: the steps marked ' ' and '-' are the text before, those marked ' ' and '+' the other.
#include "base/line_difference.h"

#include <algorithm>
#include <cstdint>

namespace tollgate {
namespace {

constexpr std::size_t kMostCells = 4'000'000;
constexpr std::size_t kAround = 3;  // unchanged lines about a change, as diff has it

using Lines = std::span<const std::string_view>;

// The middle parts, which differ at both ends; `from` is where they begin in both.
void compare(Lines a, Lines b, std::size_t from, std::vector<LineStep>& steps) {
  if (a.size() * b.size() > kMostCells) {
    for (std::size_t i = 0; i < a.size(); ++i) steps.push_back({'-', from + i});
    for (std::size_t j = 0; j < b.size(); ++j) steps.push_back({'+', from + j});
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
      steps.push_back({' ', from + i});
      ++i, ++j;
    } else if (i < a.size() &&
               (j == b.size() || length[(i + 1) * width + j] >= length[i * width + j + 1])) {
      steps.push_back({'-', from + i++});
    } else {
      steps.push_back({'+', from + j++});
    }
  }
}

// Each with its line break; only the last may have none.
std::vector<std::string_view> whole_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// A run of steps that is shown as one piece.
struct Hunk {
  std::size_t begin, end;             // among the steps
  std::size_t before = 0, after = 0;  // how many lines of each text stand in front of it
};

std::vector<Hunk> hunks_of(const std::vector<LineStep>& steps) {
  std::vector<Hunk> hunks;
  std::size_t before = 0, after = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].mark != ' ') {
      const std::size_t end = std::min(i + 1 + kAround, steps.size());
      if (!hunks.empty() && hunks.back().end + kAround >= i) {
        hunks.back().end = end;
      } else {
        const std::size_t back = std::min(i, kAround);
        hunks.push_back({i - back, end, before - back, after - back});
      }
    }
    before += steps[i].mark != '+';
    after += steps[i].mark != '-';
  }
  return hunks;
}

// "12,3"; a range without lines names the line in front of it.
std::string range(std::size_t skipped, std::size_t count) {
  const std::string first = std::to_string(count == 0 ? skipped : skipped + 1);
  return count == 1 ? first : first + "," + std::to_string(count);
}

}  // namespace

std::vector<LineStep> line_steps(Lines before, Lines after) {
  std::vector<LineStep> steps;
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t same = 0, tail = 0;
  while (same < shorter && before[same] == after[same]) steps.push_back({' ', same++});
  while (tail < shorter - same &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  compare(before.subspan(same, before.size() - tail - same),
          after.subspan(same, after.size() - tail - same), same, steps);
  for (std::size_t i = before.size() - tail; i < before.size(); ++i) steps.push_back({' ', i});
  return steps;
}

std::string unified_difference(std::string_view before, std::string_view after,
                               std::string_view name) {
  if (before == after) return "";
  const std::vector<std::string_view> a = whole_lines(before), b = whole_lines(after);
  const std::vector<LineStep> steps = line_steps(a, b);
  std::string out = "--- " + std::string(name) + "\n+++ " + std::string(name) + "\n";
  for (const Hunk& hunk : hunks_of(steps)) {
    std::size_t gone = 0, made = 0;
    std::string body;
    for (std::size_t i = hunk.begin; i < hunk.end; ++i) {
      const LineStep& step = steps[i];
      const std::string_view line = step.mark == '+' ? b[step.line] : a[step.line];
      gone += step.mark != '+';
      made += step.mark != '-';
      (body += step.mark) += line;
      if (!line.ends_with('\n')) body += "\n\\ No newline at end of file\n";
    }
    out += "@@ -" + range(hunk.before, gone) + " +" + range(hunk.after, made) + " @@\n" + body;
  }
  return out;
}

}  // namespace tollgate
