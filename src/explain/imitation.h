// Characters that imitate others: letters of other scripts, signs and blanks that a shell reads as
// something else. The tables are those of web/src/text/hidden.ts, so that every screen marks alike;
// the test compares them.
// For people who must see what they approve: a false mark costs less than a missed one.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tollgate {

struct Imitation {
  std::size_t begin = 0;  // in bytes
  std::size_t size = 0;
  char like = ' ';  // what it passes for; ' ' also for what takes no room

  bool operator==(const Imitation&) const = default;
};

// In the order of the text. Letters count only in a word that could pass for another: one that
// mixes them with Latin, or holds nothing else.
std::vector<Imitation> imitations(std::string_view text);

}  // namespace tollgate
