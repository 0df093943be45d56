// Reads the `rules` block of a file, an agent or a preset.
// Part of reading a statement; kept apart because rules have most keys.
// Errors go to `out` with their place.
#pragma once

#include "config/statement.h"

namespace tollgate::config {

void read_rules(const Document& document, const ReadContext& context, const Node& rules,
                std::string_view agent, std::vector<Rule>& into, std::vector<Diagnostic>& out);

// yes, no, ask, forward, parent; a plain YAML boolean is yes or no.
std::optional<Answerer> answerer_of(const Node& node);

}  // namespace tollgate::config
