// Git commands that throw work away or change git's configuration, told by their words.
// Global options before the subcommand are passed over as option_grammar knows them.
// LIMIT: nobody looks whether there is anything to lose, so each of these is a question.
#pragma once

#include <span>
#include <string_view>

#include "core/effect.h"

namespace tollgate {

// What the command does, for people; "" when it does nothing of the kind. `argv` begins with git.
std::string_view git_discards(std::span<const Word> argv);
// Whether its operands may be files that it puts back as they were, if they are there.
bool git_takes_files(std::span<const Word> argv);

bool git_configures(std::span<const Word> argv);

}  // namespace tollgate
