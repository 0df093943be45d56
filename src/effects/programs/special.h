// Programs whose words no row can describe: expressions and little languages.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/effect.h"
#include "effects/programs/program.h"

namespace tollgate {

// What a sed script does beside editing text; nothing where that cannot be told.
struct SedAct {
  enum class Kind : std::uint8_t { kReads, kWrites, kRuns };
  Kind kind = Kind::kRuns;
  std::string text;  // the file, or shell text
};
std::optional<std::vector<SedAct>> read_sed(std::string_view script);
// True when the program only computes and prints.
bool is_harmless_awk(std::string_view program);
// True when the filter reads neither the environment nor another file.
bool is_harmless_jq(std::string_view filter);
bool is_harmless_yq(std::string_view filter);

// Code that only says something about its interpreter.
bool is_harmless_code(std::string_view program, std::string_view text);
// The shell text that code or a setting carries, if it is known to.
std::optional<std::string> shell_text_in(std::string_view program, std::string_view text);
// `+COMMAND` among the files of an editor.
bool is_editor_command(std::string_view program, std::string_view word);

// The words of find from its starting points on. False when it may do more than is added.
bool read_find(std::span<const Word> argv, std::size_t from, const Surroundings& around,
               InnerReader& inner, Effects& out);
// if=, of= and the rest. False for anything else.
bool read_dd(std::span<const Word> words, const Surroundings& around, Effects& out);

}  // namespace tollgate
