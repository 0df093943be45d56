// Programs that touch nothing: they print, or they only come to an end.
// A row here means that the program has no effect at all with the options it lists.
// The shell's own builtins of these names are meant as well; they know no more options.
#include "effects/commands/program.h"

namespace tollgate {
namespace {

constexpr ProgramRow kRows[] = {
    {"true", Operands::kText, "*"},
    {"false", Operands::kText, "*"},
    {":", Operands::kText, "*"},
    {"echo", Operands::kText, "*"},
    {"printf", Operands::kFormat, "+"},
    {"pwd", Operands::kNone, "L P logical physical help version"},
    {"whoami", Operands::kNone, "help version"},
    {"id", Operands::kNone,
     "a g G n r u z Z context group groups name real user zero help version"},
    {"uname", Operands::kNone,
     "a s n r v m p i o all kernel-name nodename kernel-release kernel-version machine processor "
     "hardware-platform operating-system help version"},
    {"date", Operands::kClock,
     "u R I? utc universal uct rfc-email iso-8601? rfc-3339: help version"},
    {"basename", Operands::kText, "a s: z multiple suffix: zero help version"},
    {"dirname", Operands::kText, "z zero help version"},
    {"sleep", Operands::kText, "help version"},
    // The gate's own questions are free; every other verb is not in this row's reach.
    {"tollgate", Operands::kOwn,
     "config< agent: mode: cwd: json jsonl strict project help version"},
};

}  // namespace

std::span<const ProgramRow> quiet_programs() { return kRows; }

}  // namespace tollgate
