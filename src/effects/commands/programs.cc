// Finds a program's row, whichever table holds it.
// A path is the known program only in the system's own directories.
// A new table is one file and one entry of kTables.
#include <algorithm>
#include <array>

#include "effects/commands/program.h"
#include "effects/paths.h"

namespace tollgate {
namespace {

constexpr std::array kTables = {file_programs, quiet_programs};

constexpr std::array<std::string_view, 6> kSystemDirectories = {
    "/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin",
};

}  // namespace

std::string_view program_name(std::string_view word) {
  const std::size_t slash = word.rfind('/');
  if (slash == std::string_view::npos) return word;
  if (std::ranges::find(kSystemDirectories, word.substr(0, slash)) == kSystemDirectories.end())
    return {};
  return base_name(word);
}

const ProgramRow* program_row(std::string_view word) {
  const std::string_view name = program_name(word);
  if (name.empty()) return nullptr;
  for (const auto table : kTables)
    for (const ProgramRow& row : table())
      if (row.name == name) return &row;
  return nullptr;
}

}  // namespace tollgate
