// The reader's own parts: one class, its stages in files of their own.
//   cursor   words.cc   characters and the parts of words
//   pairs.cc            where a bracket closes, by bash's rules for skipping
//   expansions.cc       $… and `…`
//   commands.cc         the grammar;  compounds.cc  if, for, case …;  conditions.cc  [[ … ]]
//   heredocs.cc         bodies of here-documents
//   plain.cc            texts of plain words, which need none of this
// Everything is private to this folder; the rest of the house sees read.h and tree.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "shell/known_ends.h"
#include "shell/read.h"
#include "shell/tree.h"

namespace tollgate::shell {

// A list under construction: the first few items stand here, more of them on the heap, and all in
// the tree's memory once the list is complete.
template <class T, std::size_t kHere = 6>
class Pile {
 public:
  static_assert(std::is_trivially_copyable_v<T>);
  explicit Pile(Arena& arena) : arena_(arena) {}
  Pile(const Pile&) = delete;
  Pile& operator=(const Pile&) = delete;

  void add(const T& item) {
    if (count_ < kHere) {
      new (here_ + count_ * sizeof(T)) T(item);
    } else {
      if (count_ == kHere) more_.assign(first(), first() + kHere);
      more_.push_back(item);
    }
    ++count_;
  }
  void clear() {
    count_ = 0;
    more_.clear();
  }
  std::size_t size() const { return count_; }
  T& back() { return items()[count_ - 1]; }
  const T& operator[](std::size_t i) const { return items()[i]; }
  List<T> list() const {
    return {arena_.copy(items(), count_), static_cast<std::uint32_t>(count_)};
  }

 private:
  const T* first() const { return std::launder(reinterpret_cast<const T*>(here_)); }
  const T* items() const { return count_ > kHere ? more_.data() : first(); }
  T* items() { return const_cast<T*>(static_cast<const Pile*>(this)->items()); }

  Arena& arena_;
  std::size_t count_ = 0;
  alignas(T) std::byte here_[kHere * sizeof(T)];
  std::vector<T> more_;
};

// A text that is being read, and where its characters stand in the text of the call.
struct Source {
  std::string_view text;
  std::uint32_t base = 0;              // of the first character, when they stand together
  const std::uint32_t* map = nullptr;  // of each character and the end, when they do not
};

// What all readers of one text share.
struct Shared {
  explicit Shared(Arena& memory) : arena(memory) {}

  Arena& arena;
  int depth = 0;
  std::size_t budget = 0;  // characters that may still be skipped over
  std::size_t pieces = 0;  // tokens and expansions that were read
  bool extglob = false;
  bool extglob_unsure = false;  // it may have been switched where that cannot be known
};

enum class TokenKind : std::uint8_t {
  kEnd,
  kNewline,
  kWord,
  kSemicolon,   // ;
  kAmpersand,   // &
  kAnd,         // &&
  kOr,          // ||
  kPipe,        // |
  kPipeErrors,  // |&
  kOpen,        // (
  kClose,       // )
  kCaseBreak,   // ;;
  kCaseFall,    // ;&
  kCaseTest,    // ;;&
  kRedirect,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::uint32_t begin = 0, end = 0;
  Word word;                                // kWord
  const Assignment* assigned = nullptr;     // kWord: what it assigns, where it does
  RedirectionOp op = RedirectionOp::kRead;  // kRedirect; the target is not read yet
  std::int32_t descriptor = -1;
  std::string_view variable;
  bool subscripted = false;
};

// Where a word stands, as far as that changes how it is read.
enum class Place : std::uint8_t {
  kCommand,  // the first word of a command: assignments, reserved words
  kLate,     // where assignments are taken, but a redirection behind them: a=(…) is not taken
  kArgument,
  kDeclaration,  // an argument of declare and its like: a=(…) is taken
  kCasePattern,
  kRegex,  // right of =~
  kGlob,   // right of == in [[ ]]: extglob is on
};

enum class Quoting : std::uint8_t {
  kNone,
  kDouble,   // inside "…"
  kHere,     // in a here-document
  kInside,   // unquoted, but blanks and operators are plain characters
  kNumeric,  // in an arithmetic expression
};

class Reader {
 public:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  Reader(Shared& shared, const Source& source) : shared_(shared), source_(source) {
    text_ = source.text;
    end_ = static_cast<std::uint32_t>(text_.size());
  }

  const Script* read_all();
  // The whole source as one word's parts, in a given quoting.
  Word read_body(Quoting quoting);

  bool failed() const { return failed_; }
  const Refusal& refusal() const& { return refusal_; }

 private:
  // --- characters ---
  char look(std::uint32_t ahead = 0) const {
    return at_ + ahead < end_ ? text_[at_ + ahead] : '\0';
  }
  char look_at(std::uint32_t place) const { return place < end_ ? text_[place] : '\0'; }
  bool done() const { return at_ >= end_; }
  std::uint32_t behind_continuations(std::uint32_t place) const;
  void skip_continuations() { at_ = behind_continuations(at_); }
  // The character that stands so many behind this one when continued lines are made one.
  char look_on(std::uint32_t ahead) const;
  void step() { at_ = behind_continuations(at_ + 1); }
  Span span_from(std::uint32_t begin) const { return span_of(begin, at_); }
  Span span_of(std::uint32_t begin, std::uint32_t end) const;
  Source part_of_source(std::uint32_t begin, std::uint32_t end) const;

  // Cold: whatever leads to these is kept away from the code for texts that can be read.
  [[gnu::cold]] bool fail(std::uint32_t begin, std::string message, bool incomplete = false);
  [[gnu::cold]] bool unexpected(const Token& token);
  bool count_piece();  // false beyond the limit
  [[gnu::cold]] bool too_much(std::uint32_t begin,
                              std::string message = "the text is nested too deep to be read");
  void keep_documents(std::size_t announced, std::uint32_t begin);

  // --- words (words.cc) ---
  Word read_word(Place place);
  void read_parts(Quoting quoting, std::uint32_t limit, char stop, Pile<Part>& parts);
  void read_word_parts(Place place, Pile<Part>& parts);
  void join_literals(Pile<Part>& parts);
  void add_literal(std::uint32_t begin, std::uint32_t end, Pile<Part>& parts);
  void read_backslash(Quoting quoting, char stop, Pile<Part>& parts);
  void read_single(Pile<Part>& parts);
  void read_double(Pile<Part>& parts, PartKind kind, std::uint32_t begin);
  void read_ansi(Pile<Part>& parts, std::uint32_t begin);
  bool begins_process() const;
  bool at_pattern(Place place) const;
  void read_regex_group(Pile<Part>& parts);
  void read_pattern(Pile<Part>& parts);
  bool read_apart(std::uint32_t end, Pile<Part>& parts);
  std::string_view take_name();
  bool assigns_at(std::uint32_t place) const;
  bool read_assignment(Place place, Token& token);
  bool read_subscript(std::uint32_t begin, Assignment& assignment, Token& token);
  void read_tail(std::uint32_t open, Assignment& assignment);
  bool is_plain_subscript(std::uint32_t from) const;
  void read_elements(Assignment& into);
  bool read_element_subscript(Element& element);

  // --- skipping (pairs.cc) ---
  enum class Pair : std::uint8_t {
    kParenthesis,  // of a pattern: substitutions inside are not looked into
    kArithmetic,   // (( … ))
    kBrace,
    kBracket,  // $[ … ]
    kSubscript,
    kDouble,
    kBackquote
  };
  // The place behind the bracket that closes what was opened just before `from`; 0 when none does.
  std::uint32_t skip_pair(Pair pair, std::uint32_t from);
  std::uint32_t find_pair(Pair pair, std::uint32_t from);
  std::uint32_t skip_single(std::uint32_t from, bool escapes) const;
  std::uint32_t skip_substitution(std::uint32_t from);
  std::uint32_t known_pair(Pair pair, std::uint32_t from) const;
  std::uint32_t inner_end(Pair pair, std::uint32_t from) const;  // 0: not known
  const Script* known_script(std::uint32_t from, std::uint32_t& close) const;

  // --- expansions (expansions.cc) ---
  void read_dollar(Quoting quoting, Pile<Part>& parts);
  void read_substitution(Pile<Part>& parts, PartKind kind, std::uint32_t begin);
  void read_backquote(Quoting quoting, Pile<Part>& parts);
  void read_arithmetic(Pile<Part>& parts, std::uint32_t begin);
  bool is_balanced(std::uint32_t begin, std::uint32_t end) const;
  std::uint32_t behind_quote(std::uint32_t open, std::uint32_t end) const;
  std::uint32_t skip_counted(std::uint32_t dollar) const;
  void read_old_arithmetic(Pile<Part>& parts, std::uint32_t begin);
  void read_parameter(Quoting quoting, Pile<Part>& parts, std::uint32_t begin);
  void read_operation(Quoting quoting, std::uint32_t open, Parameter& parameter);
  void read_substring(std::uint32_t open, Parameter& parameter);
  std::uint32_t skip_subscript(std::uint32_t open);
  void read_strange(std::uint32_t open, Parameter& parameter);
  Word read_operand(Quoting quoting, char stop);
  Arithmetic arithmetic_of(std::uint32_t begin, std::uint32_t end);
  const Script* inner_script(const Source& source);

  // --- tokens (tokens.cc) ---
  void skip_blanks();
  Token& peek(Place place);
  void take() { has_token_ = false; }
  void read_token(Place place);
  bool read_operator(Token& token);
  bool read_descriptor(Token& token);
  bool peek_reserved(std::string_view word);
  bool take_reserved(std::string_view word);
  void newline();
  void skip_newlines();

  // --- commands (commands.cc, compounds.cc, conditions.cc) ---
  enum class Until : std::uint8_t { kEnd, kClose, kReserved };
  const Script* read_script(Until until);
  const Script* read_nested_script();  // up to and with the `)` that ends it
  const Command* read_and_or();
  const Command* read_pipeline();
  const Command* read_command();
  // `first` is its first word, if read already, and `alone` when it is the only one.
  const Command* read_simple(const Token* first = nullptr, bool alone = false);
  bool at_brackets();
  const Command* read_function(const Word& name, std::uint32_t begin, bool keyword);
  const Command* read_definition();
  const Command* read_compound();  // null without failing: none begins here
  const Command* with_redirections(Command* command);
  Redirection take_redirection(Place target);
  bool read_target(Place place, Redirection& out);
  bool at_script_end(Until until);
  Command* read_subshell();
  Command* read_group();
  Command* read_if();
  Command* read_loop(CommandKind kind);
  Command* read_for(CommandKind kind);
  std::uint32_t skip_braces_in_head(std::uint32_t from);
  std::uint32_t skip_in_head(std::uint32_t at);
  Command* read_arithmetic_for(std::uint32_t begin);
  const Script* read_loop_body(bool braces);
  const Script* read_filled(Until until);
  Command* read_case();
  bool read_case_arm(Pile<CaseArm>& arms);
  const Command* read_double_parenthesis();
  Command* read_conditional();
  const Condition* joined(ConditionKind kind, std::span<const Condition* const> all);
  const Condition* read_or_condition();
  const Condition* read_and_condition();
  const Condition* read_condition();
  void read_binary(Condition& condition);
  void skip_condition_newlines();
  const Command* read_coprocess();
  void note_options(const SimpleCommand& command);
  void settle_options(const Pile<Statement>& statements);

  // --- here-documents (heredocs.cc) ---
  struct Pending {
    HereDocument* here;
    bool tabs;
    std::uint32_t closed = 0;  // behind the bracket of the substitution that it was announced in
  };
  void announce(Redirection& redirection);
  void read_bodies();
  bool follows_its_line(const Pending& pending) const;
  void read_body_of(Pending& pending);

  Shared& shared_;
  Source source_;
  std::string_view text_;
  std::uint32_t at_ = 0, end_ = 0;
  Token token_;
  bool has_token_ = false;
  bool failed_ = false;
  std::uint32_t first_word_ = kNowhere;  // of the innermost substitution, where it begins with one
  int in_substitution_ = 0;
  bool quote_in_braces_ = false;
  bool apart_ = false;  // bash reads this text again when it expands it
  bool inner_refused_ = false;
  const Command* option_command_ = nullptr;
  bool option_value_ = false;
  Refusal refusal_;
  std::vector<Pending> pending_;
  KnownEnds known_;
  // The same for brackets inside brackets, of which there may be one at every place.
  std::array<std::vector<std::uint32_t>, 2> inner_ends_;
};

std::string decode_ansi(std::string_view raw);

// The script of a text that is plain words, quotes, files to read and write, and commands in a row;
// null for any other text.
const Script* read_plain(std::string_view text, Arena& arena);

inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
inline bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_name(char c) { return is_name_start(c) || is_digit(c); }

}  // namespace tollgate::shell
