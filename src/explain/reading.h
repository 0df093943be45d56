// A judged call taken apart for a screen: shell text with its commands, edits as before and after.
// Pure. Offsets are in UTF-16 code units of the text, as scripts of a page count.
// The page shows what is here beside the whole call, never in place of it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/audit_log.h"
#include "core/tool_declaration.h"
#include "json/value.h"

namespace tollgate {

// LIMIT: of more commands, or effects of one, the rest is counted in `more`.
inline constexpr std::size_t kShownCommands = 200;
inline constexpr std::size_t kShownEffects = 50;

// {"text", "commands": [{"span": [begin, end], "argv", "known", "effects", "more"?}], "deciding":
// [[begin, end]], "more"?}, where the call is for a shell. `known`: the gate knows all that the
// program does with these words. `here` as for an explanation.
std::optional<json::Value> shell_reading(const AuditRecord& record,
                                         std::span<const ToolDeclaration> declared,
                                         const std::string& here);

// What an edit takes away and puts there, as far as the call itself says it.
struct EditPiece {
  std::string path;                   // as the call has it
  std::optional<std::string> before;  // nothing: the call does not say
  std::string after;
  bool whole = false;  // `after` is the whole file, and what it holds now is `before`

  bool operator==(const EditPiece&) const = default;
};
std::vector<EditPiece> edit_pieces(const ToolCall& call);

// The text of a call that is a patch, "" where it is none.
std::string patch_in(const ToolCall& call);

}  // namespace tollgate
