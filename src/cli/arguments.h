// The command line of one verb: which options it knows, and what was given.
// Read by hand: what stands on the command line is judged, so it must arrive byte for byte.
// An unknown option is an error with the nearest known one, never a word.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace tollgate::cli {

struct Option {
  std::string_view name;   // without its dashes
  std::string_view value;  // what it takes, FILE; "" for a switch
  std::string_view about;
};

inline constexpr std::size_t kManyWords = 1'000'000;

// What a verb takes, and how its help reads.
struct Shape {
  std::string_view usage;  // one line for each form, without `tollgate verb`
  std::string_view about;
  std::span<const Option> options;
  std::size_t least_words = 0;
  std::size_t most_words = 0;
  std::string_view examples;  // one a line
};

class Arguments {
 public:
  bool has(std::string_view option) const;
  // The last value given, or "".
  std::string get(std::string_view option) const;
  std::vector<std::string> all(std::string_view option) const;

  void add(std::string option, std::string value);

  std::string verb;
  std::vector<std::string> words;  // what is no option

 private:
  std::vector<std::pair<std::string, std::string>> options_;
};

// Options may stand anywhere before `--`; a value follows `=` or is the next argument.
// Error: bad-usage.
Result<Arguments> parse_arguments(const Shape& shape, std::string_view verb,
                                  std::span<const std::string> given);

std::string help_text(std::string_view verb, const Shape& shape);

}  // namespace tollgate::cli
