// The text of a JSON value may not be taken from a temporary.
// Compiles as it is; with BREAK it must fail with the next line's text (tests/nocompile/run).
// expect: use of deleted function
#include "json/value.h"

tollgate::json::Value made() { return {}; }

int main() {
#ifdef BREAK
  return static_cast<int>(made().as_string().size());
#else
  const tollgate::json::Value value = made();
  const std::string& text = value.as_string();
  return static_cast<int>(text.size());
#endif
}
