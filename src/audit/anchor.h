// Heads of the chain as they are kept elsewhere: one line of JSON each, and what a place is worth.
// Pure: files and journals are os/'s, sending is notify's.
// SAFETY: a head that somebody makes up can only raise an alarm; one that is gone attests nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/chain_check.h"
#include "json/value.h"

namespace tollgate {

json::Value anchor_value(const Anchor& anchor);
// {"tollgate":"head","store":…,"number":…,"digest":…,"at":…,"place":…} without its newline.
std::string anchor_line(const Anchor& anchor);

// The heads that stand in a text, a line each. What stands before the brace (a log's own words) is
// left out, and so are lines that are none; the body of a webhook is one, too.
std::vector<Anchor> anchors_in(std::string_view text, const std::string& from);

// What keeps the user whom agents run as from rewriting a file of heads.
struct AnchorFile {
  bool append_only = false;  // the file system refuses all else, its owner's wishes included
  bool own = true;           // it belongs to that user
};
// Why the file attests nothing against that user, "" where it does.
std::string weakness_of(const AnchorFile& file);

}  // namespace tollgate
