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
// The shell texts that code or a setting carries, as far as is known.
std::vector<std::string> shell_texts_in(std::string_view program, std::string_view text);
// Commands of a client that moves files, one a line: the files of this host that they send.
std::vector<std::string> sent_by(std::string_view commands);
// An address of socat: what it opens, runs or reaches.
struct SocatAddress {
  enum class Kind : std::uint8_t { kFile, kShell, kHost, kOther };
  Kind kind = Kind::kOther;
  std::string text;
};
SocatAddress read_socat(std::string_view address);
// An option for a compiler or linker that names a program to run.
bool is_program_flag(std::string_view word);
// NAME=VALUE for make: it runs what is in the value; it is one that everybody uses.
bool is_expanded_by_make(std::string_view word);
bool is_usual_setting(std::string_view word);
// `+COMMAND` among the files of an editor, `!COMMAND` as the file of ed.
bool is_editor_command(std::string_view program, std::string_view word);

// The words of find from its starting points on. False when it may do more than is added.
// `names` gets what -print0 prints, if nothing else is printed.
bool read_find(std::span<const Word> argv, std::size_t from, const Surroundings& around,
               InnerReader& inner, Effects& out, std::vector<Word>& names);
// The words as the program itself spells them out first; nothing where it does not.
std::optional<std::vector<Word>> respelled(std::string_view program, std::span<const Word> argv);

// Whether every make of env splits the text behind its -S alike: plain words between blanks.
bool splits_alike(std::span<const Word> argv);

// if=, of= and the rest. False for anything else.
bool read_dd(std::span<const Word> words, const Surroundings& around, Effects& out);

}  // namespace tollgate
