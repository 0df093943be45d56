// What a call would do to the world, read from the call alone.
// A call is a list of these; decide() asks of every one whether it may happen.
// SAFETY: what could not be read is an Unknown effect, and no narrow rule covers that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"

namespace tollgate {

enum class EffectKind : std::uint8_t {
  kRun,      // a program with an argv
  kRead,     // the bytes of a file, or the names in a directory
  kWrite,    // change an existing file, or create one and fill it
  kCreate,   // make a file or directory that need not exist
  kDelete,   // remove a file or a tree
  kRename,   // take a path away from where it is, or put one there: one effect for each end
  kLink,     // make a link; the target is an effect of its own
  kMode,     // permissions or owner
  kReach,    // a host on a network
  kSearch,   // a web search by the client's own service: no host of the call's choosing
  kMcp,      // a tool of an MCP server
  kAgent,    // start another agent
  kApp,      // a tool of an application that says nothing more about itself
  kPerson,   // a question that only a person can settle
  kUnknown,  // something the reader could not see through
};

std::string_view name(EffectKind kind);

// What may stand behind the known beginning of a word.
enum class Rest : std::uint8_t {
  kNothing,   // the text is all of it
  kAnything,  // any characters, or none
  kPattern,   // `text` is a pattern of file names: one of those it matches, or its own letters
  kJoined,    // as kPattern, with more text around a name that matches: it need not be there
};

// One word of a command after quote removal. `text` is exact only when `known`; otherwise it is
// the literal beginning, and what follows can be anything.
struct Word {
  std::string text;
  Span span;
  bool known = true;
  Rest rest = Rest::kNothing;  // kNothing exactly when known
  bool several = false;        // any number of words may stand here, or none
  bool operand = false;        // not known, but it never begins with a dash
  bool identifier = false;     // not known, but it is a number, a hash or a name, and no file
  bool computed = false;       // known, as what a program in the call prints
  bool secret = false;         // holds a variable whose name is a secret's

  bool operator==(const Word&) const = default;
};

// Whether a program could take the word for an option.
inline bool may_be_option(const Word& word) {
  const bool pattern = word.rest == Rest::kPattern || word.rest == Rest::kJoined;
  if (!word.text.empty() && !pattern) return word.text[0] == '-';
  if (word.known || word.operand) return false;
  return !pattern || word.text.find_first_of("*?[-") == 0;
}

// How an effect came about. Only operands of a covered command ride on the rule that covers it.
enum class EffectBy : std::uint8_t {
  kTool,         // the call's own tool does it
  kOperand,      // a program that the call runs does it to one of its operands
  kRedirection,  // the shell does it
};

// Why a path is taken to be one. The arguments of a program that is not known may be paths, and
// it may read or change them; a guess only ever tightens a verdict.
enum class Guess : std::uint8_t {
  kNone,     // no guess: what is known of the program says so
  kPath,     // it looks like a path
  kWord,     // any word: a path only where something of that name is there
  kProgram,  // the program's own file, which runs
};

// What a kUnknown runs that was not read, in `target`; "" for any other unknown.
inline constexpr std::string_view kUnreadScript = "script";    // a file, named in the call
inline constexpr std::string_view kUnreadCode = "code";        // text that the call carries
inline constexpr std::string_view kUnreadShell = "shell";      // code that may hold shell text
inline constexpr std::string_view kUnreadInput = "input";      // whatever comes in by a pipe
inline constexpr std::string_view kUnreadFetched = "fetched";  // that, and it came from a host
inline constexpr std::string_view kForkBomb = "fork-bomb";     // a function that only starts itself
inline constexpr std::string_view kBeyondLimit = "limit";      // more than is followed again
inline constexpr std::string_view kNotFollowed = "rest";       // written, and not looked at

// The `target` of a kRead that is no read of a file named in the call: a version control program
// follows the settings of the repository that `path` lies in, and those can name programs.
inline constexpr std::string_view kRepository = "repository";

// LIMIT: how many words of a program that is not known are taken for paths and commands; with
// more of them the effects hold an Unknown.
inline constexpr std::size_t kMaxGuessedWords = 200;

inline constexpr std::uint32_t kNoOwner = 0xffffffff;

struct Effect {
  EffectKind kind = EffectKind::kUnknown;
  EffectBy by = EffectBy::kTool;
  bool recursive = false;          // kRead/kDelete/kMode/kWrite: the whole tree below `path`
  bool pattern = false;            // path kinds: `path` is a pattern, and every match is meant
  bool listed = false;             // kRun: the program does nothing beyond the effects it owns here
  bool safe = false;               // kRun: no option of the program could do more than that
  bool told = false;               // kRun: every word's meaning is known; none is a hidden command
  Guess guess = Guess::kNone;      // path kinds: nothing says that the path is touched
  std::uint32_t owner = kNoOwner;  // index of the kRun effect whose program does this
  Span span;                       // where in the call's main text it is written
  std::vector<Word> argv;          // kRun
  std::string path;     // path kinds: as written, made absolute with the cwd, cleaned lexically;
                        // "" where the call does not tell, and `why` says what defeated the reader
  std::string host;     // kReach: lower case, no trailing dot, "" when it cannot be known
  std::string url;      // kReach: the whole URL when there is one
  std::string target;   // kMcp: the tool's full name; kAgent: its type; kApp: the tool; kUnknown:
                        // one of kUnread… above; kRead: kRepository or ""
  std::string text;     // kWrite/kCreate: the new text, when the call carries it; kUnknown of
                        // kUnreadCode: the flag that the code stands behind; kRead of
                        // kRepository: the name that another repository is called by
  std::string why;      // kUnknown: what defeated the reader, for people
  std::string spelled;  // path kinds: absolute but not cleaned, for the look; "" when as `path`

  bool operator==(const Effect&) const = default;
};

using Effects = std::vector<Effect>;

constexpr bool is_path_kind(EffectKind kind) {
  return kind >= EffectKind::kRead && kind <= EffectKind::kMode;
}

// A host that the program's own configuration names, such as a git remote: not the call's choice.
inline bool is_configured_home(const Effect& effect) {
  return effect.kind == EffectKind::kReach && effect.host.empty() && !effect.target.empty();
}

// A program's look at the settings of the repository it runs in; no rule about paths is about it.
inline bool is_repository(const Effect& effect) {
  return effect.kind == EffectKind::kRead && effect.target == kRepository;
}

// Everything that changes a path, in whatever way.
constexpr bool is_change_kind(EffectKind kind) {
  return kind >= EffectKind::kWrite && kind <= EffectKind::kMode;
}

}  // namespace tollgate
