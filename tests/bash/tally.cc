#include "bash/tally.h"

#include <algorithm>
#include <cstdio>

namespace tollgate::bash {
namespace {

double share(const Count& count) {
  if (count.in_static == 0) return count.is_static ? 0 : 101;
  return 100.0 * static_cast<double>(count.understood) / static_cast<double>(count.in_static);
}

}  // namespace

std::string table_of(std::vector<Count> counts) {
  std::ranges::stable_sort(counts, {}, share);
  std::string out = "  occurred   unknown    static  understood\n";
  for (const Count& count : counts) {
    char line[160];
    if (count.in_static == 0)
      std::snprintf(line, sizeof line, "%10llu%10llu         -           -  ",
                    static_cast<unsigned long long>(count.occurred),
                    static_cast<unsigned long long>(count.unknown));
    else
      std::snprintf(line, sizeof line, "%10llu%10llu%10llu  %8.2f %%  ",
                    static_cast<unsigned long long>(count.occurred),
                    static_cast<unsigned long long>(count.unknown),
                    static_cast<unsigned long long>(count.in_static), share(count));
    out += line + count.name + "\n";
  }
  return out;
}

std::string shortfalls(const std::vector<Count>& counts, std::uint64_t least) {
  std::string out;
  for (const Count& count : counts) {
    if (count.occurred < least)
      out += "too seldom: " + count.name + ", " + std::to_string(count.occurred) + " times\n";
    if (!count.is_static) continue;
    // Static scripts are some two thirds of all; of a handful one is more than a twentieth.
    if (count.in_static < least / 2)
      out +=
          "too seldom static: " + count.name + ", " + std::to_string(count.in_static) + " times\n";
    else if (share(count) < kPercent)
      out += "too seldom understood: " + count.name + ", " + std::to_string(count.understood) +
             " of " + std::to_string(count.in_static) + "\n";
  }
  return out;
}

}  // namespace tollgate::bash
