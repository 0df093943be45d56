// Random shell scripts that compose every construct of the grammar.
// The same seed gives the same script on every machine (only raw generator output is used).
// Productions are named and counted, so that a run can say what it covered.
// LIMIT: no script holds a NUL, which no argument of a program can carry.
#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>

namespace tollgate::bash {

enum class Production : std::uint8_t {
  kPlainWord,
  kSingleQuotes,
  kDoubleQuotes,
  kEscape,
  kAnsiQuotes,
  kLocaleQuotes,
  kContinuation,
  kVariable,
  kBraces,
  kDefault,
  kPattern,
  kReplace,
  kSubstring,
  kCase,
  kCasePattern,
  kToggle,
  kTransform,
  kLength,
  kIndirect,
  kElement,
  kSlice,
  kCommand,
  kBackquote,
  kNestedBackquote,
  kArithmetic,
  kOldArithmetic,
  kProcess,
  kBraceList,
  kGlob,
  kExtendedGlob,
  kTilde,
  kCarriageReturn,
  kByteOrderMark,
  kBrokenLetter,
  kComment,
  kSimple,
  kAssignment,
  kArray,
  kDeclare,
  kMap,
  kAppend,
  kSubscript,
  kInput,
  kOutput,
  kAppendOutput,
  kClobber,
  kBoth,
  kDuplicate,
  kClose,
  kReadWrite,
  kHereString,
  kHereDocument,
  kHereQuoted,
  kHereTabs,
  kDescriptorVariable,
  kPipeline,
  kPipeErrors,
  kNegation,
  kTime,
  kAndOr,
  kBackground,
  kSequence,
  kSubshell,
  kGroup,
  kIf,
  kWhile,
  kUntil,
  kFor,
  kForWithout,
  kArithmeticFor,
  kSelect,
  kCaseOf,
  kArithmeticCommand,
  kConditional,
  kRegex,
  kFunction,
  kFunctionWord,
  kCoprocess,
};
inline constexpr std::size_t kProductions = static_cast<std::size_t>(Production::kCoprocess) + 1;
std::string_view name(Production production);

using Counts = std::array<std::uint64_t, kProductions>;

// The line that every script with extended patterns begins with, and no other.
inline constexpr std::string_view kExtglobLine = "shopt -s extglob\n";
inline bool has_extglob(std::string_view script) { return script.starts_with(kExtglobLine); }

class ScriptMaker {
 public:
  ScriptMaker(std::uint64_t seed, Counts& counts) : engine_(seed), counts_(counts) {}

  // One or a few lines, always complete.
  std::string script();
  // The same with a few characters dropped, doubled or changed: mostly refused.
  std::string damaged_script();
  // A script whose lines are continued anywhere, also inside words, quotes and operators.
  std::string continued_script();

  // Whether a command in brackets, and not in backquotes, announces a here-document.
  bool has_inner_document() const { return inner_document_; }

 private:
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(engine_() % limit); }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  void count(Production production) { ++counts_[static_cast<std::size_t>(production)]; }
  template <std::size_t kSize>
  std::string_view pick(const std::string_view (&items)[kSize]) {
    return items[below(kSize)];
  }

  std::string head();  // the line that switches extglob on, or nothing
  std::string lines();
  std::string list(int depth);
  std::string and_or(int depth);
  std::string pipeline(int depth);
  std::string command(int depth);
  std::string simple(int depth);
  std::string compound(int depth);
  std::string assignment(int depth);
  std::string array();
  std::string map();
  std::string redirection(int depth);
  std::string here_document();
  std::string condition(int depth);
  std::string arithmetic(int depth);
  std::string words(int depth, std::uint32_t most);
  std::string word(int depth);
  std::string part(int depth);
  std::string quoted_part(int depth);
  std::string expansion(int depth);
  std::string parameter(int depth);
  std::string extended_glob(int depth);
  std::string odd_bytes();
  std::string inner_script(int depth);
  std::string substitution(std::string_view open, int depth);
  std::string backquoted(int depth);
  std::string body(int depth, std::string_view close);
  std::string end();  // a separator, and the here-documents that wait for one
  std::string blank();

  std::mt19937_64 engine_;
  Counts& counts_;
  std::string pending_;    // bodies of here-documents
  int here_ = 0;           // how many delimiters were used
  int backquotes_ = 0;     // around what is being made
  int substitutions_ = 0;  // around what is being made, but for backquotes
  bool inner_document_ = false;
  bool in_arithmetic_ = false;
  bool extglob_ = false;
};

}  // namespace tollgate::bash
