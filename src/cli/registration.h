// What install, uninstall and doctor share: which client, which files, which command.
// Nothing is written before a person has seen the difference and said yes, or gave --yes.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "providers/install.h"
#include "providers/provider.h"

namespace tollgate::cli {

// Error: bad-usage, with the nearest client.
Result<const providers::Provider*> client_named(const std::string& name);

// The hook beside this program, links resolved. Error: program-unstartable.
Result<std::string> hook_program(const Context& context);

// Error: bad-usage when more than one is named.
Result<providers::Scope> scope_of(const Arguments& arguments);

// Where the client's files are for these options. Error: home-unknown.
Result<providers::Scene> scene_of(const Arguments& arguments, const Context& context);

// Where records are kept: --data, else the user's own place.
Result<std::string> data_dir_of(const Arguments& arguments, const Context& context);

// Prints the difference of every file.
void show(const std::vector<providers::Change>& changes, Context& context);

// A person's yes, on the terminal or by --yes. Error: needs-person.
Result<void> agreement(const Arguments& arguments, const std::string& question, Context& context);

// One line for people, or the same as JSON with the files.
int say_outcome(const providers::Provider& client, std::string_view outcome,
                const std::vector<providers::Change>& changes, const std::string& text,
                const Arguments& arguments, Context& context);

}  // namespace tollgate::cli
