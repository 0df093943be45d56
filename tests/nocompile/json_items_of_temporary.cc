// A loop over the items of a temporary JSON value would run over freed memory.
// Compiles as it is; with BREAK it must fail with the next line's text (tests/nocompile/run).
// expect: use of deleted function
#include "json/value.h"

tollgate::json::Value made() { return {}; }

int main() {
#ifdef BREAK
  for (const tollgate::json::Value& item : made().items()) return item.is_null() ? 1 : 0;
#else
  const tollgate::json::Value value = made();
  for (const tollgate::json::Value& item : value.items()) return item.is_null() ? 1 : 0;
#endif
}
