// The options of one call, asked for those of a pattern: in any order, bundle, abbreviation or
// spelling. For deny and ask rules only.
// SAFETY: an option that is not known may be the one that is asked for, and then it is.
#pragma once

#include "policy/command_reading.h"
#include "policy/option_grammar.h"

namespace tollgate {

// Lives no longer than the reading.
class CallOptions {
 public:
  CallOptions(const CommandReading& call, const OptionGrammar* grammar)
      : call_(call), grammar_(grammar) {}

  bool has(const Option& want) const;

 private:
  bool is(const Option& want, const OptionSpellings& ways, const Option& have) const;
  bool in_bundle(const Option& want, const OptionSpellings& ways, const Option& have) const;
  bool may_be(const Option& want, const OptionSpellings& ways, const Option& have) const;
  bool may_be_in_bundle(const OptionSpellings& ways, const Option& have) const;
  bool has_signal(const Option& want) const;
  bool has_sum(const Option& want) const;
  bool has_letters(const Option& want) const;
  bool takes_rest(char letter) const;

  const CommandReading& call_;
  const OptionGrammar* grammar_;
};

}  // namespace tollgate
