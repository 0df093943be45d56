// What the configuration says of an application's own tool: its effect and its specifier.
// files.*, editor.* and terminal.exec are built in; others come from `tools:` or a manifest.
// A tool without a declaration, or with an effect left out, may do anything.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace tollgate {

enum class Does : std::uint8_t {
  kUnknown,
  kNothing,
  kShell,
  kRead,
  kWrite,
  kCreate,
  kDelete,
  kRename,
  kUrl,
};

struct ToolDeclaration {
  std::string name;  // terminal.exec, mcp__server__tool
  bool side_effect = true;
  std::string specifier_template;  // "{path}"; "" for none
  Does does = Does::kUnknown;
  std::vector<std::string> arguments;  // one, or two for kRename (from, to)
  Position where;

  bool operator==(const ToolDeclaration&) const = default;
};

std::span<const ToolDeclaration> built_in_declarations();

// The declared one, else the built-in one, else nothing.
const ToolDeclaration* declaration_of(std::string_view tool,
                                      std::span<const ToolDeclaration> declared);

}  // namespace tollgate
