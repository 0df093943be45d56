// The steps come from base/line_difference.h; here is how they look on a screen.
// INVARIANT: no line of either text reaches the screen unless visible() has seen it.
#include "explain/difference.h"

#include <vector>

#include "base/line_difference.h"
#include "base/text.h"
#include "explain/layout.h"

namespace tollgate {
namespace {

constexpr std::size_t kAround = 2;

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines = split(text, '\n');
  if (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

// Unchanged lines far from every change are left out, with their count.
std::string shown(const std::vector<LineStep>& steps, const Lines& before, const Lines& after) {
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
    const Lines& side = steps[i].mark == '+' ? after : before;
    out += std::string(1, steps[i].mark) + " " + visible(side[steps[i].line]) + "\n";
  }
  tell_hidden();
  return out;
}

}  // namespace

std::string difference(std::string_view before, std::string_view after) {
  if (before == after) return "";
  const Lines a = lines_of(before), b = lines_of(after);
  return shown(line_steps(a, b), a, b);
}

}  // namespace tollgate
