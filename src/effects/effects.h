// What a call would do, read from the call alone: total, pure, never throws.
// One file per kind of tool; kReaders in effects.cc says which reads which.
// SAFETY: whatever cannot be read becomes an Unknown effect with the text that defeated it.
#pragma once

#include <span>
#include <string_view>

#include "core/effect.h"
#include "core/tool_call.h"
#include "core/tool_declaration.h"

namespace tollgate {

// `home` is what `~` stands for; "" when it is not known (then `~/x` is Unknown).
Effects effects_of(const ToolCall& call, std::span<const ToolDeclaration> declared = {},
                   std::string_view home = {});

}  // namespace tollgate
