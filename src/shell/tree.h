// What a shell text says, as a tree: statements, commands, words, and the parts of words.
// A Tree owns its text and every node; pointers and views into it live as long as it does.
// Nothing is expanded here: quotes are parts of words, and values are the business of effects/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/span.h"
#include "shell/arena.h"

namespace tollgate::shell {

// An array in the tree's memory.
template <class T>
struct List {
  const T* items = nullptr;
  std::uint32_t count = 0;

  const T* begin() const { return items; }
  const T* end() const { return items + count; }
  std::size_t size() const { return count; }
  bool empty() const { return count == 0; }
  const T& operator[](std::size_t i) const { return items[i]; }
  const T& back() const { return items[count - 1]; }
};

struct Script;
struct Parameter;
struct Arithmetic;

enum class PartKind : std::uint8_t {
  kLiteral,       // characters as written, none of them quoted
  kEscaped,       // one character behind a backslash
  kSingle,        // '…'
  kAnsi,          // $'…', `text` decoded
  kDouble,        // "…"
  kLocale,        // $"…"
  kParameter,     // $x ${…}
  kCommand,       // $(…)
  kBackquote,     // `…`
  kArithmetic,    // $((…)) $[…]
  kProcessRead,   // <(…)
  kProcessWrite,  // >(…)
  kPattern,       // ?(…) *(…) +(…) @(…) !(…), read when extglob is on
  kUnread,        // text whose meaning was not established
};

// One piece of a word. `text` is what it stands for (kLiteral, kEscaped, kSingle, kAnsi), the
// operator and body of a pattern, or the source of what bash reads again or not at all: a script in
// backquotes or in a pattern, a $((…)) that is commands, the inside of a bad ${…}, kUnread.
struct Part {
  PartKind kind = PartKind::kLiteral;
  bool refused = false;  // kBackquote, kCommand: the text inside is not all in `script`
  bool plain = false;    // kLiteral: for certain no letter of it may mean something in a word
  Span span;
  std::string_view text;
  List<Part> parts;  // kDouble, kLocale, kPattern
  const Parameter* parameter = nullptr;
  const Script* script = nullptr;  // kCommand, kBackquote, kProcess…; null: its text was refused
  const Arithmetic* arithmetic = nullptr;
};

struct Word {
  Span span;
  List<Part> parts;  // none: the empty word, which only arises inside expansions

  // The text of a word that is one unquoted piece; empty when it is anything else.
  std::string_view literal() const {
    return parts.count == 1 && parts[0].kind == PartKind::kLiteral ? parts[0].text
                                                                   : std::string_view();
  }
};

// ${name[subscript] operator word}
enum class ParameterOp : std::uint8_t {
  kNone,
  kLength,       // ${#x}
  kDefault,      // -
  kAssign,       // =
  kError,        // ?
  kAlternative,  // +
  kPrefix,       // # ##
  kSuffix,       // % %%
  kReplace,      // / // /# /%
  kUpper,        // ^ ^^
  kLower,        // , ,,
  kToggle,       // ~ ~~
  kSubstring,    // :offset:length
  kTransform,    // @Q
  kNames,        // ${!prefix*} ${!prefix@}
  kBad,          // bash says "bad substitution" when it gets there
};

struct Parameter {
  std::string_view name;  // x, 1, @, #, …
  bool braced = false;
  bool indirect = false;  // ${!x}, and ${!x[@]} for the subscripts
  bool colon = false;     // :- := :? :+
  bool doubled = false;   // ## %% // ^^ ,, ~~
  ParameterOp op = ParameterOp::kNone;
  char letter = 0;  // kTransform; kReplace: 0, '#' or '%'; kNames: '*' or '@'
  bool subscripted = false;
  Word subscript;
  Word word;  // default, pattern, offset
  bool has_second = false;
  Word second;  // replacement, length
};

// $((…)), ((…)), and the three parts of a for loop's head.
struct Arithmetic {
  Word text;               // with its expansions as parts
  bool old_style = false;  // $[…]
};

// name=value, name[sub]+=value, name=(…)
struct Element;
struct Assignment {
  Span span;
  std::string_view name;
  bool append = false;
  bool subscripted = false;
  Word subscript;
  bool compound = false;
  Word value;              // of a compound one: what stands behind its bracket, if anything does
  List<Element> elements;  // of a compound one
};

struct Element {
  bool subscripted = false;
  bool append = false;
  Word subscript;
  Word value;
};

enum class RedirectionOp : std::uint8_t {
  kRead,            // <
  kWrite,           // >
  kAppend,          // >>
  kClobber,         // >|
  kReadWrite,       // <>
  kDuplicateRead,   // <&
  kDuplicateWrite,  // >&
  kBoth,            // &>
  kBothAppend,      // &>>
  kHere,            // <<
  kHereTabs,        // <<-
  kHereString,      // <<<
};

struct HereDocument {
  std::string_view delimiter;  // without its quotes
  bool quoted = false;         // some of it was quoted: the body is taken as it stands
  bool closed = false;         // the line that ends it was found
  bool refused = false;        // its expansions could not be read
  std::string_view text;       // the body's source, without what <<- and backslashes drop
  Word body;
};

struct Redirection {
  RedirectionOp op = RedirectionOp::kRead;
  Span span;
  std::int32_t descriptor = -1;  // 2>; -1: the operator's own
  std::string_view variable;     // {fd}>
  bool subscripted = false;      // {fd[…]}>: the brackets are not kept
  Word target;                   // the word behind; of a here-document the delimiter
  const HereDocument* here = nullptr;
};

enum class CommandKind : std::uint8_t {
  kSimple,
  kPipeline,
  kAndOr,
  kSubshell,
  kGroup,
  kIf,
  kWhile,
  kUntil,
  kFor,
  kArithmeticFor,
  kSelect,
  kCase,
  kArithmetic,
  kConditional,
  kFunction,
  kCoprocess,
};

struct Command {
  CommandKind kind = CommandKind::kSimple;
  Span span;
  List<Redirection> redirections;  // behind a compound command; anywhere in a simple one
};

struct Statement {
  const Command* command = nullptr;
  bool background = false;  // ended by &
  bool newline = false;     // the line ends behind it, and bash runs what stood there
};

struct Script {
  Span span;
  List<Statement> statements;
};

struct SimpleCommand : Command {
  // Assignments that stand before the first word, and those among the words of a builtin that
  // takes them; the latter also stand in `words`, where they have a compound value only here.
  List<Assignment> assignments;
  List<Word> words;
  List<Assignment> declared;  // `declare a=(…)`: by index in `declared_at`
  List<std::uint32_t> declared_at;
};

struct PipelineStage {
  const Command* command = nullptr;
  bool with_errors = false;  // |& behind it
};
enum class TimeMode : std::uint8_t { kNone, kTime, kPosix };
struct Pipeline : Command {
  bool negated = false;
  TimeMode time = TimeMode::kNone;
  List<PipelineStage> stages;  // none behind a bare `time` or `!`
};

struct AndOrStep {
  bool is_or = false;  // how it hangs on the step before; meaningless on the first
  const Command* command = nullptr;
};
struct AndOr : Command {
  List<AndOrStep> steps;
};

// ( … ) and { …; }
struct Block : Command {
  const Script* body = nullptr;
};

struct IfArm {
  const Script* condition = nullptr;  // null: else
  const Script* body = nullptr;
};
struct If : Command {
  List<IfArm> arms;
};

// while, until
struct Loop : Command {
  const Script* condition = nullptr;
  const Script* body = nullptr;
};

// for, select
struct For : Command {
  Word name;
  bool has_words = false;  // false: the positional parameters
  List<Word> words;
  const Script* body = nullptr;
};

struct ArithmeticFor : Command {
  Arithmetic parts[3];
  const Script* body = nullptr;
};

enum class CaseEnd : std::uint8_t { kBreak, kFall, kTest, kNone };  // ;; ;& ;;& or none at all
struct CaseArm {
  List<Word> patterns;
  const Script* body = nullptr;
  CaseEnd end = CaseEnd::kBreak;
};
struct Case : Command {
  Word subject;
  List<CaseArm> arms;
};

struct ArithmeticCommand : Command {
  Arithmetic expression;
};

enum class ConditionKind : std::uint8_t { kWord, kUnary, kBinary, kNot, kAnd, kOr, kGroup };
struct Condition {
  ConditionKind kind = ConditionKind::kWord;
  Span span;
  std::string_view op;  // -f, ==, =~, -eq …
  Word left, right;     // kWord and kUnary use `left`
  const Condition* first = nullptr;
  const Condition* second = nullptr;
};
struct ConditionalCommand : Command {
  const Condition* condition = nullptr;
};

struct Function : Command {
  Word name;
  bool keyword = false;  // `function name`
  const Command* body = nullptr;
};

struct Coprocess : Command {
  std::string_view name;  // "" for the default
  const Command* body = nullptr;
};

// Why reading ended before the text did.
struct Refusal {
  Span span;
  std::string message;      // lower case, one line
  bool incomplete = false;  // more text could have completed it
  bool limit = false;       // bash may well take it; it is too deep or too intricate for us
};

class Tree {
 public:
  Tree() = default;
  Tree(Tree&&) = default;
  Tree& operator=(Tree&&) = default;

  const Script& script() const& { return *script_; }
  std::string_view text() const& { return text_; }
  bool refused() const { return refused_; }
  const Refusal& refusal() const& { return refusal_; }
  std::size_t memory() const { return arena_.bytes(); }

 private:
  friend class TreeMaker;
  Arena arena_;
  std::string_view text_;
  const Script* script_ = nullptr;
  bool refused_ = false;
  Refusal refusal_;
};

}  // namespace tollgate::shell
