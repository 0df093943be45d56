// A member found in a temporary JSON value would dangle at once.
// Compiles as it is; with BREAK it must fail with the next line's text (tests/nocompile/run).
// expect: use of deleted function
#include "json/value.h"

tollgate::json::Value made() { return {}; }

int main() {
#ifdef BREAK
  const tollgate::json::Value* found = made().find("command");
  return found == nullptr;
#else
  const tollgate::json::Value value = made();
  const tollgate::json::Value* found = value.find("command");
  return found == nullptr ? 1 : 0;
#endif
}
