// How often each construct or program row came up, and how often it was understood.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tollgate::bash {

struct Count {
  std::string name;
  bool is_static = true;         // it stands in static scripts, and there it has to be understood
  std::uint64_t occurred = 0;    // scripts with it
  std::uint64_t in_static = 0;   // of those, static ones
  std::uint64_t understood = 0;  // of the static ones, those of which every run was known
  std::uint64_t unknown = 0;     // of all of them, those in which something is not known
};

// One line each, the worst understood first.
std::string table_of(std::vector<Count> counts);

// What is too seldom or too seldom understood, a line each. LIMIT: few scripts prove nothing of
// how seldom something is.
constexpr std::uint64_t kLeast = 200, kPercent = 95;
std::string shortfalls(const std::vector<Count>& counts, std::uint64_t least);

}  // namespace tollgate::bash
