// Tools of MCP servers: the server decides what they do, so the tool itself is the effect.
// A declaration in the configuration adds what it says the tool does.
// A server's own hints never reach this place: they could only loosen.
#include <utility>

#include "effects/subject.h"

namespace tollgate {

void read_mcp_call(const Subject& subject, Effects& out) {
  Effect effect;
  effect.kind = EffectKind::kMcp;
  effect.target = subject.call.tool;
  out.push_back(std::move(effect));
  read_declared(subject, out);
}

}  // namespace tollgate
