// From a program's words to effects, by its rows.
// The table finds the rows, the arguments are told apart by one, the actions become effects.
// SAFETY: a program without a row, and a word that no row understands, leaves the run unlisted,
// and its words are guessed to be paths, hosts and commands.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/effect.h"
#include "effects/programs/row.h"

namespace tollgate {

// What comes into a command by its standard input.
struct Input {
  enum class Kind : std::uint8_t { kNone, kSome, kText, kNames, kFetched };
  Kind kind = Kind::kNone;
  std::string text;              // kText: all of it
  std::vector<Word> names = {};  // kNames: patterns of the names, each of which ends with a NUL

  // Nothing more is known of it than its kind.
  void lose(Kind now) {
    kind = now;
    text.clear();
    names.clear();
  }
};

// Before a directory: the top of the repository that it lies in, which is not known but for that.
inline constexpr std::string_view kTopOf = "top of ";

// Where and how a command runs.
struct Surroundings {
  std::span<const std::string> directories;  // absolute; "" or kTopOf for one that is not known
  std::string_view home;
  std::uint32_t owner = kNoOwner;  // index of its kRun effect
  const Input* input = nullptr;    // what it reads; none where this is null
};

// How an inner command runs compared to the outer one.
enum class Lent : std::uint8_t { kNo, kYes };

// The one who reads what programs run in turn.
class InnerReader {
 public:
  virtual ~InnerReader() = default;
  // `words` begins with the program. `environment`: assignments stand before it (env).
  virtual void command(std::span<const Word> words, const Surroundings& around, Lent lent) = 0;
  // `parameters` are what the text knows as $1, $2 …; nothing is known of them where there is none.
  virtual void shell(const Word& text, const Surroundings& around, Lent lent,
                     std::span<const Word> parameters = {}) = 0;
  virtual void assignment(const Word& word, const Surroundings& around) = 0;
};

struct ProgramReading {
  bool listed = false;  // its effects are all that it does
  bool safe = false;    // and no option could make it do more
  bool told = false;    // a row tells every word apart, whatever else the program does
  bool prints_fetched = false;
  std::vector<Word> names = {};  // patterns of the names it prints, each of which ends with a NUL
};

// Whether the text so far makes the file that the word names, otherwise than by building it.
bool is_made(std::string_view word, const Surroundings& around, const Effects& out);

// Adds what the program does, behind its kRun effect at around.owner.
ProgramReading read_program(std::span<const Word> argv, const Surroundings& around,
                            InnerReader& inner, Effects& out);

// The base name, when the word is a bare name or a path in a directory of the system; else "".
std::string_view program_name(std::string_view word);

// A path as a word names it, in each directory. `path` is empty where the word does not tell.
struct PathUse {
  EffectKind kind = EffectKind::kRead;
  EffectBy by = EffectBy::kOperand;
  bool recursive = false;
};
void add_path(const PathUse& use, const Word& word, const Surroundings& around, Effects& out);

// The name that <(…) and >(…) have; nobody else uses so high a number.
inline constexpr std::string_view kSubstitutedFile = "/dev/fd/63";

// True for programs that make files and links which an archive names.
bool is_unpacker(std::string_view program);
// True for git commands that lay other files and links into the work tree.
bool checks_out(std::span<const Word> argv);
// True for programs that print what they fetch.
bool is_fetcher(std::string_view program);

}  // namespace tollgate
