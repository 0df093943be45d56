// An error has to be wrapped by Fail, so that no failure is taken for a value.
// Compiles as it is; with BREAK it must fail with the next line's text (tests/nocompile/run).
// expect: conversion from
#include "base/result.h"

int main() {
#ifdef BREAK
  tollgate::Result<int> result = tollgate::Error{};
  return result.has_value() ? 1 : 0;
#else
  tollgate::Result<int> result = tollgate::Fail(tollgate::Error{});
  return result.has_value() ? 1 : 0;
#endif
}
