// The words of roles: what execute_bash, fs_* and their like stand for, and the built-in roles.
// One table, used by rules, ceilings and the configuration.
// A role that stands in no table is an error, never a wider right.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "policy/rule.h"

namespace tollgate {

// The kinds of tool that a word of the role vocabulary stands for; nothing for any other word.
std::optional<std::uint16_t> vocabulary_kinds(std::string_view word);
std::span<const std::string_view> vocabulary();

struct BuiltInRole {
  std::string_view name;
  std::span<const std::string_view> allowed_tools;
};
std::span<const BuiltInRole> built_in_roles();

// The server under which the gate's own tools stand, also known as @cao-mcp-server.
inline constexpr std::string_view kOwnServer = "tollgate";

}  // namespace tollgate
