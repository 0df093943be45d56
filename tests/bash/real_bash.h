// The bash of this machine, asked what it makes of a script. Nothing of the script is run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tollgate::bash {

// What a program wrote and how it ended.
struct Outcome {
  int status = 0;  // kKilled: it was ended
  std::string out, err;
};
inline constexpr int kKilled = 128;
Outcome run_bash(const std::vector<std::string>& arguments, std::string_view input = {});

// Whether extended patterns are read from the first line on.
enum class Extglob : std::uint8_t { kOff, kOn };

// Whether `bash -n` takes the text. Nothing where bash goes astray: some broken arrays it reads for
// ever, with ever more memory. It runs no `shopt`.
std::optional<bool> bash_accepts(const std::string& script, Extglob extglob);

// The bodies of functions as bash prints them, "" for those it refuses. One process for all; those
// that begin with kExtglobLine are read with extended patterns.
std::vector<std::string> printed_by_bash(const std::vector<std::string>& scripts);

}  // namespace tollgate::bash
