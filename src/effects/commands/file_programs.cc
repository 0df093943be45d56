// Programs that read or change the files they are given.
// Options that make backups or read lists of names are left out on purpose.
// Each row holds for GNU coreutils; other systems know fewer of these options.
#include "effects/commands/program.h"

namespace tollgate {
namespace {

constexpr ProgramRow kRows[] = {
    {"ls", Operands::kList,
     "a A b B c C d f F g G h H@ i k l L@ m n N o p q Q r R! s S t u U v x X Z 1 D I: T: w: "
     "all almost-all author escape block-size: ignore-backups color? directory dired file-type "
     "classify? format: full-time no-group human-readable si dereference-command-line@ "
     "dereference-command-line-symlink-to-dir@ hide: hyperlink? indicator-style: inode ignore: "
     "kibibytes dereference@ numeric-uid-gid literal hide-control-chars show-control-chars "
     "quote-name quoting-style: reverse recursive! size sort: time: time-style: tabsize: width: "
     "context zero group-directories-first help version"},
    {"cat", Operands::kRead,
     "A b e E n s t T u v show-all number-nonblank show-ends number squeeze-blank show-tabs "
     "show-nonprinting help version"},
    {"head", Operands::kRead,
     "# c: n: q v z bytes: lines: quiet silent verbose zero-terminated "
     "help version"},
    {"tail", Operands::kRead,
     "# c: n: f F q v z s: bytes: lines: follow? retry max-unchanged-stats: pid: quiet silent "
     "sleep-interval: verbose zero-terminated help version"},
    {"wc", Operands::kRead, "c m l L w bytes chars lines max-line-length words help version"},
    {"touch", Operands::kCreate,
     "a c f h m d: t: r< date: no-create no-dereference reference< time: help version"},
    {"mkdir", Operands::kCreate, "p v m: parents verbose mode: help version"},
    {"rmdir", Operands::kDelete, "v verbose ignore-fail-on-non-empty help version"},
    {"rm", Operands::kDelete,
     "f i I r! R! d v force interactive? one-file-system no-preserve-root preserve-root? "
     "recursive! dir verbose help version"},
    {"cp", Operands::kCopy,
     "a! R! r! d f i l& n p P L@ H@ s& u v x T t> archive! recursive! force interactive no-clobber "
     "preserve? no-preserve: no-dereference dereference@ update? verbose one-file-system link& "
     "symbolic-link& strip-trailing-slashes remove-destination reflink? sparse: "
     "no-target-directory "
     "target-directory> help version"},
    {"mv", Operands::kMove,
     "f i n u v T t> force interactive no-clobber update? verbose strip-trailing-slashes "
     "no-target-directory target-directory> help version"},
    {"chmod", Operands::kMode,
     "c f v R! changes quiet silent verbose no-preserve-root preserve-root recursive! "
     "reference< help version"},
};

}  // namespace

std::span<const ProgramRow> file_programs() { return kRows; }

}  // namespace tollgate
