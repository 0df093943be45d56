// See the header. The library never throws; it is told not to write to standard error either.
// LIMIT: RE2 bounds nesting, repetition and the size of the compiled pattern by itself.
#include "config/pattern.h"

#include <re2/re2.h>

namespace tollgate::config {

std::optional<PatternFault> fault_of_pattern(const std::string& pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 compiled(pattern, options);
  if (!compiled.ok()) {
    const std::string& part = compiled.error_arg();
    std::string why = compiled.error();
    if (const std::string told = ": " + part; why.ends_with(told))
      why.resize(why.size() - told.size());
    return PatternFault{std::move(why), part};
  }
  if (RE2::FullMatch("", compiled)) return PatternFault{"it matches the empty text", pattern};
  return std::nullopt;
}

}  // namespace tollgate::config
