// A verdict is no condition: deny would read as true.
// Compiles as it is; with BREAK it must fail with the next line's text (tests/nocompile/run).
// expect: could not convert
#include "core/verdict.h"

tollgate::Verdict made() { return tollgate::Verdict::kDeny; }

int main() {
#ifdef BREAK
  if (made()) return 1;
#else
  if (made() == tollgate::Verdict::kAllow) return 1;
#endif
}
