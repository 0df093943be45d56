// Texts that bash evaluates as arithmetic long after they were written: integers, subscripts,
// bounds. Beside the other makers of constructs; none of it is static, so it counts for soundness
// alone. The shapes are put together at random, since attackers found what a list of examples had
// not.
#include "bash/run_maker.h"
#include "bash/run_making.h"

namespace tollgate::bash {
namespace {

// What a variable may hold. `rm` runs where a subscript is evaluated, names lead on to others.
constexpr std::string_view kTexts[] = {"'q[$(rm z)]'", "'q[`p1 a`]'", "'x=1'", "'y=0'", "'x++'",
                                       "'1||x++'",     "'0&&y=1'",    "'b'",   "'n+1'", "'x,y=1'",
                                       "'q[x++]'",     "'x?y=1:b'",   "'n'",   "0",     "1",
                                       "'1 +'",        "'b c'",       "2",     "'x='",  "'(y=1)'"};

// `@` is a name, `%` a text. Each may evaluate one, or change whether the next one does.
constexpr std::string_view kSteps[] = {"@=%",
                                       "@+=%",
                                       "@=$@",
                                       "@=@",
                                       "@+=@",
                                       "declare -i @",
                                       "declare -i @=%",
                                       "declare -i @+=@",
                                       "declare +i @",
                                       "typeset -i @=@",
                                       "readonly @",
                                       "readonly @=%",
                                       "export @=%",
                                       "unset @",
                                       "declare -A m",
                                       "declare -A m=([%]=1)",
                                       "m[%]=1",
                                       "m[$@]=@",
                                       "m[@]+=1",
                                       "declare -a q",
                                       "q=(0 1 2)",
                                       "declare -ai q=(@ %)",
                                       "q[@]=1",
                                       "q[$@]+=1",
                                       "q+=([@]=%)",
                                       "q=([$@]=1 [@]=%)",
                                       "declare -n r=@",
                                       "r=%",
                                       "r+=1",
                                       "(( @ ))",
                                       "(( @ += @ ))",
                                       "(( 1 || @ ))",
                                       "(( 0 && (@ = @) ))",
                                       "(( @ ? @++ : @-- ))",
                                       "(( q[@]++ ))",
                                       "(( m[$@] ))",
                                       "let @ @=1",
                                       "let \"@+=$@\"",
                                       "[[ @ -eq @ ]]",
                                       "[[ $@ -lt 1 ]]",
                                       "[[ -v q[$@] ]]",
                                       "[[ a == b && @ -gt 0 ]]",
                                       "test -v \"q[$@]\"",
                                       "[ \"$@\" -eq 1 ]",
                                       "printf -v \"q[$@]\" %s 1",
                                       "printf -v @ %s \"$@\"",
                                       "read \"q[$@]\" <<< 1",
                                       "read @ <<< \"$@\"",
                                       "unset \"q[$@]\"",
                                       "unset 'q[@]'",
                                       "for (( x=0; x<2; x++ )); do p1 $@; done",
                                       "for @ in % 1; do : $((@)); done",
                                       "while (( b++ < 2 )); do p1; done",
                                       "if [ a = b ]; then @=%; else @=1; fi",
                                       "[ a = a ] && declare -i @",
                                       "f9() { local -i @=@; p1 $@; }; f9",
                                       "f9() { local @; @+=%; p1 $((@)); }; f9",
                                       "( @=% ); p1 $((@))",
                                       ": ${@:=%}",
                                       ": ${@:$@}",
                                       ": $((@))",
                                       ": $[ @ ? @ : @ ]"};

// What shows afterwards how it came out.
constexpr std::string_view kUses[] = {"p1 \"$@\"",
                                      "p1 $((@))",
                                      "w=(p1 rm p1); \"${w[$((@))]}\" z",
                                      "w=(p1 rm); \"${w[@]}\" z",
                                      "w=(rm p1); ${w[$@]} a",
                                      "p1 ${q[@]-d}",
                                      "p1 ${m[$@]+a}",
                                      "w=p1rm; ${w:@:2} a",
                                      "(( @ )) && rm b",
                                      "p1 ${@+rm} ${@-a}",
                                      "${@+rm} p1",
                                      "p1 \"${!q[@]}\""};

}  // namespace

std::string RunMaker::filled(std::string_view shape) {
  constexpr std::string_view kNames[] = {"x", "y", "n", "b"};
  std::string text;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    // `[@]` of an array and `%s` of printf stay what they are.
    const bool whole = shape.substr(i).starts_with("@]}") && one_in(2);
    if (shape[i] == '@' && !whole)
      text += pick(kNames);
    else if (shape[i] == '%' && !shape.substr(i).starts_with("%s"))
      text += pick(kTexts);
    else
      text += shape[i];
  }
  return text;
}

std::string RunMaker::evaluated_later() {
  if (loop_) return "";  // each script must come to an end
  std::string text = filled("@=%; @=%");
  for (std::uint32_t n = 1 + below(4); n > 0; --n) text += "; " + filled(pick(kSteps));
  return text + "; " + filled(pick(kUses));
}

}  // namespace tollgate::bash
