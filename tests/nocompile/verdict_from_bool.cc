// A verdict is never made of a truth value: true would read as ask.
// Compiles as it is; with BREAK it must fail with the next line's text (tests/nocompile/run).
// expect: cannot convert
#include "core/verdict.h"

int show(tollgate::Verdict verdict) { return static_cast<int>(verdict); }

int main() {
#ifdef BREAK
  return show(true);
#else
  return show(tollgate::Verdict::kAllow);
#endif
}
