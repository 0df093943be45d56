// `tollgate pair --certificate`, and what has to stand in the settings for a phone to get here.
// SAFETY: this makes keys and says what to write; the settings are the person's to change, and no
// address is opened by it.
#pragma once

#include <cstdint>
#include <string>

#include "cli/arguments.h"
#include "cli/commands.h"

namespace tollgate::cli {

int make_certificate(const Arguments& arguments, Context& context);

// The lines for the settings, with a word before them. `port` is the one that the daemon has.
std::string settings_for_phones(const std::string& data_dir, std::uint16_t port,
                                const Arguments& arguments, const Context& context);

}  // namespace tollgate::cli
