// A loop over the members of a temporary JSON value would run over freed memory.
// Compiles as it is; with BREAK it must fail with the next line's text (tests/nocompile/run).
// expect: use of deleted function
#include "json/value.h"

tollgate::json::Value made() { return {}; }

int main() {
#ifdef BREAK
  for (const auto& member : made().members()) return static_cast<int>(member.first.size());
#else
  const tollgate::json::Value value = made();
  for (const auto& member : value.members()) return static_cast<int>(member.first.size());
#endif
}
