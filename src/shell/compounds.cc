// Compound commands: each begins with a reserved word or a bracket and ends with its partner.
// read_compound() is the table; the functions below it are in the order of the table.
// SAFETY: a body that fails is kept with what it had.
#include <utility>

#include "shell/nesting.h"
#include "shell/reader.h"
#include "shell/reserved.h"

namespace tollgate::shell {
namespace {

// Reserved words that bash refuses behind `coproc` and behind a coprocess's name.
bool is_no_coprocess(std::string_view word) {
  return is_one_of(kClosers, word) || word == "!" || word == "coproc" || word == "function";
}

}  // namespace

// Compound commands proper, which is all that may be the body of a function or coprocess.
const Command* Reader::read_compound() {
  const Token& token = peek(Place::kCommand);
  if (token.kind == TokenKind::kOpen) {
    skip_continuations();
    return look() == '(' ? read_double_parenthesis() : with_redirections(read_subshell());
  }
  const std::string_view word = token.word.literal();
  if (!is_one_of(kReserved, word)) return nullptr;
  if (word == "{") return with_redirections(read_group());
  if (word == "if") return with_redirections(read_if());
  if (word == "while") return with_redirections(read_loop(CommandKind::kWhile));
  if (word == "until") return with_redirections(read_loop(CommandKind::kUntil));
  if (word == "for") return with_redirections(read_for(CommandKind::kFor));
  if (word == "select") return with_redirections(read_for(CommandKind::kSelect));
  if (word == "case") return with_redirections(read_case());
  if (word == "[[") return with_redirections(read_conditional());
  unexpected(token);  // a closer
  return nullptr;
}

// Definitions, which begin with a reserved word and hold a compound command.
const Command* Reader::read_definition() {
  const Token& token = peek(Place::kCommand);
  const std::string_view word = token.word.literal();
  if (word == "coproc") return read_coprocess();
  if (word == "function") {
    const std::uint32_t begin = token.begin;
    take();
    const Token& name = peek(Place::kArgument);
    if (failed_) return nullptr;
    if (name.kind != TokenKind::kWord) {
      unexpected(name);
      return nullptr;
    }
    const Word named = name.word;
    take();
    return read_function(named, begin, true);
  }
  return nullptr;
}

const Command* Reader::with_redirections(Command* command) {
  if (command == nullptr) return nullptr;
  Pile<Redirection> redirections(shared_.arena);
  Place place = Place::kCommand;
  while (!failed_ && peek(place).kind == TokenKind::kRedirect) {
    redirections.add(take_redirection(Place::kArgument));
    place = Place::kArgument;
  }
  // Right behind a redirection no word is a reserved one, and no other may stand there.
  if (!failed_ && place == Place::kArgument && token_.kind == TokenKind::kWord) unexpected(token_);
  command->redirections = redirections.list();
  return command;
}

Command* Reader::read_subshell() {
  const std::uint32_t begin = token_.begin;
  take();
  Block* block = shared_.arena.make<Block>();
  block->kind = CommandKind::kSubshell;
  block->body = read_filled(Until::kClose);
  if (!failed_ && peek(Place::kCommand).kind != TokenKind::kClose) unexpected(token_);
  if (!failed_) take();
  block->span = span_from(begin);
  return block;
}

Command* Reader::read_group() {
  const std::uint32_t begin = token_.begin;
  take();
  Block* block = shared_.arena.make<Block>();
  block->kind = CommandKind::kGroup;
  block->body = read_filled(Until::kReserved);
  if (!failed_ && !take_reserved("}")) unexpected(peek(Place::kCommand));
  block->span = span_from(begin);
  return block;
}

// A script that must hold at least one statement.
const Script* Reader::read_filled(Until until) {
  const Script* script = read_script(until);
  if (!failed_ && script->statements.empty()) unexpected(peek(Place::kCommand));
  return script;
}

Command* Reader::read_if() {
  const std::uint32_t begin = token_.begin;
  take();
  Pile<IfArm> arms(shared_.arena);
  for (bool more = true; more && !failed_;) {
    IfArm arm;
    arm.condition = read_filled(Until::kReserved);
    if (!failed_ && !take_reserved("then")) unexpected(peek(Place::kCommand));
    if (!failed_) arm.body = read_filled(Until::kReserved);
    arms.add(arm);
    more = !failed_ && take_reserved("elif");
  }
  if (!failed_ && take_reserved("else")) {
    IfArm arm;
    arm.body = read_filled(Until::kReserved);
    arms.add(arm);
  }
  if (!failed_ && !take_reserved("fi")) unexpected(peek(Place::kCommand));
  If* command = shared_.arena.make<If>();
  command->kind = CommandKind::kIf;
  command->arms = arms.list();
  command->span = span_from(begin);
  return command;
}

Command* Reader::read_loop(CommandKind kind) {
  Loop* loop = shared_.arena.make<Loop>();
  loop->kind = kind;
  const std::uint32_t begin = token_.begin;
  take();
  loop->condition = read_filled(Until::kReserved);
  if (!failed_ && !take_reserved("do")) unexpected(peek(Place::kCommand));
  if (!failed_) loop->body = read_filled(Until::kReserved);
  if (!failed_ && !take_reserved("done")) unexpected(peek(Place::kCommand));
  loop->span = span_from(begin);
  return loop;
}

// do … done, or { … } where the grammar takes it.
const Script* Reader::read_loop_body(bool braces) {
  const bool brace = braces && peek_reserved("{");
  if (failed_) return nullptr;
  if (!brace && !peek_reserved("do")) {
    unexpected(token_);
    return nullptr;
  }
  take();
  const Script* body = read_filled(Until::kReserved);
  if (!failed_ && !take_reserved(brace ? "}" : "done")) unexpected(peek(Place::kCommand));
  return body;
}

Command* Reader::read_for(CommandKind kind) {
  const std::uint32_t begin = token_.begin;
  take();
  skip_blanks();
  if (kind == CommandKind::kFor && look() == '(' && look_on(1) == '(')
    return read_arithmetic_for(begin);
  const Token& name = peek(Place::kArgument);
  if (failed_) return nullptr;
  if (name.kind != TokenKind::kWord) {
    unexpected(name);
    return nullptr;
  }
  For* loop = shared_.arena.make<For>();
  loop->kind = kind;
  loop->name = name.word;
  take();
  bool braces = false;
  if (peek(Place::kCommand).kind == TokenKind::kSemicolon) {
    take();
    skip_newlines();
    braces = true;
  } else {
    braces = token_.kind == TokenKind::kNewline;
    skip_newlines();
    if (!failed_ && take_reserved("in")) {
      loop->has_words = true;
      Pile<Word> words(shared_.arena);
      while (peek(Place::kArgument).kind == TokenKind::kWord) {
        words.add(token_.word);
        if (failed_) break;
        take();
      }
      loop->words = words.list();
      if (!failed_) {
        if (token_.kind == TokenKind::kSemicolon)
          take();
        else if (token_.kind == TokenKind::kNewline)
          newline();
        else
          unexpected(token_);
      }
      skip_newlines();
      braces = true;
    }
  }
  if (!failed_) loop->body = read_loop_body(braces);
  loop->span = span_from(begin);
  return loop;
}

// Behind the expansion that `${` begins. Bash looks for the end of a subscript first, and where
// either has none it takes the rest of the head for the expansion.
std::uint32_t Reader::skip_braces_in_head(std::uint32_t from) {
  for (std::uint32_t i = from; i < end_; ++i) {
    if (std::string_view("}#%^,~:-=?+/\\'\"`").find(text_[i]) != std::string_view::npos) break;
    if (text_[i] != '[') continue;
    const std::uint32_t close = find_pair(Pair::kSubscript, i + 1);
    if (close == 0) return end_;
    from = close;
    break;
  }
  const std::uint32_t close = skip_pair(Pair::kBrace, from);
  return close == 0 ? end_ : close;
}

// Behind what may hold a semicolon that divides nothing; 0 where no such thing begins.
std::uint32_t Reader::skip_in_head(std::uint32_t at) {
  switch (text_[at]) {
    case '\\':
      return at + 2;
    case '\'':
      return skip_single(at + 1, false);
    case '"':
      return skip_pair(Pair::kDouble, at + 1);
    case '`':
      return skip_pair(Pair::kBackquote, at + 1);
    case '$': {
      const std::uint32_t open = behind_continuations(at + 1);
      if (look_at(open) == '{') return skip_braces_in_head(open + 1);
      if (look_at(open) != '(') return 0;
      const std::uint32_t second = behind_continuations(open + 1);
      return look_at(second) == '(' ? skip_pair(Pair::kArithmetic, second)
                                    : skip_substitution(open + 1);
    }
    default:
      return 0;
  }
}

Command* Reader::read_arithmetic_for(std::uint32_t begin) {
  ArithmeticFor* loop = shared_.arena.make<ArithmeticFor>();
  loop->kind = CommandKind::kArithmeticFor;
  const std::uint32_t open = behind_continuations(at_ + 1) + 1;
  const std::uint32_t close = skip_pair(Pair::kArithmetic, open);
  if (close == 0 || look_at(close) != ')') {
    if (!failed_) fail(at_, "`((` is not closed by `))`", close == 0);
    return loop;
  }
  // Three parts between semicolons.
  std::uint32_t from = open;
  int part = 0;
  for (std::uint32_t i = open; i < close && !failed_; ++i) {
    if (i < close - 1 && text_[i] != ';') {
      // Bash looks for the end of an expansion inside the head alone.
      const std::uint32_t end = std::exchange(end_, close - 1);
      if (const std::uint32_t next = skip_in_head(i)) i = next - 1;
      end_ = end;
      continue;
    }
    if (part > 2) {
      fail(i, "the head of the loop has more than three parts");
      break;
    }
    loop->parts[part++] = arithmetic_of(from, i);
    from = i + 1;
  }
  if (!failed_ && part != 3) fail(open, "the head of the loop does not have three parts");
  if (failed_) return loop;
  at_ = close + 1;
  if (peek(Place::kCommand).kind == TokenKind::kSemicolon) take();
  skip_newlines();
  if (!failed_) loop->body = read_loop_body(true);
  loop->span = span_from(begin);
  return loop;
}

Command* Reader::read_case() {
  const std::uint32_t begin = token_.begin;
  take();
  Case* command = shared_.arena.make<Case>();
  command->kind = CommandKind::kCase;
  if (peek(Place::kArgument).kind == TokenKind::kWord) command->subject = token_.word;
  if (failed_) return command;
  if (token_.kind != TokenKind::kWord) {
    unexpected(token_);
    return command;
  }
  take();
  skip_newlines();
  if (!failed_ && !take_reserved("in")) unexpected(peek(Place::kCommand));
  Pile<CaseArm> arms(shared_.arena);
  while (!failed_ && read_case_arm(arms)) {
  }
  command->arms = arms.list();
  command->span = span_from(begin);
  return command;
}

// One arm; false at the end of the command.
bool Reader::read_case_arm(Pile<CaseArm>& arms) {
  while (!failed_ && peek(Place::kCasePattern).kind == TokenKind::kNewline) newline();
  if (failed_) return false;
  if (token_.kind == TokenKind::kWord && token_.word.literal() == "esac") {
    take();
    return false;
  }
  if (token_.kind == TokenKind::kOpen) take();
  CaseArm arm;
  {
    Pile<Word> patterns(shared_.arena);
    for (;;) {
      if (peek(Place::kCasePattern).kind != TokenKind::kWord) {
        unexpected(token_);
        return false;
      }
      patterns.add(token_.word);
      if (failed_) return false;
      take();
      if (peek(Place::kCasePattern).kind != TokenKind::kPipe) break;
      take();
    }
    if (token_.kind != TokenKind::kClose) {
      unexpected(token_);
      return false;
    }
    take();
    arm.patterns = patterns.list();
  }
  arm.body = read_script(Until::kReserved);
  if (failed_) {
    arms.add(arm);
    return false;
  }
  switch (peek(Place::kCommand).kind) {
    case TokenKind::kCaseBreak:
      arm.end = CaseEnd::kBreak;
      break;
    case TokenKind::kCaseFall:
      arm.end = CaseEnd::kFall;
      break;
    case TokenKind::kCaseTest:
      arm.end = CaseEnd::kTest;
      break;
    default:
      arm.end = CaseEnd::kNone;
      arms.add(arm);
      if (!take_reserved("esac")) unexpected(token_);
      return false;
  }
  arms.add(arm);
  take();
  return true;
}

// At the first bracket of `((`. What closes otherwise is a subshell in a subshell.
const Command* Reader::read_double_parenthesis() {
  const std::uint32_t begin = token_.begin;
  const std::uint32_t open = at_ + 1;
  const std::size_t announced = pending_.size();
  const std::uint32_t close = skip_pair(Pair::kArithmetic, open);
  if (close == 0) {
    if (!failed_) fail(begin, "`((` is not closed", true);
    return nullptr;
  }
  // LIMIT: bash mostly gives up where the line ends between the two, also where it is continued.
  if (look_at(close) == '\n' || behind_continuations(close) != close) {
    too_much(begin, "`((` is not closed by `))` on the same line");
    return nullptr;
  }
  if (look_at(close) != ')') {
    keep_documents(announced, begin);
    return failed_ ? nullptr : with_redirections(read_subshell());
  }
  take();
  ArithmeticCommand* command = shared_.arena.make<ArithmeticCommand>();
  command->kind = CommandKind::kArithmetic;
  command->expression = arithmetic_of(open, close - 1);
  if (!failed_) at_ = close + 1;
  command->span = span_from(begin);
  return with_redirections(command);
}

const Command* Reader::read_coprocess() {
  const std::uint32_t begin = token_.begin;
  take();
  Coprocess* command = shared_.arena.make<Coprocess>();
  command->kind = CommandKind::kCoprocess;
  const Token& token = peek(Place::kCommand);
  if (failed_) return command;
  const bool starts = token.kind == TokenKind::kOpen ||
                      (token.kind == TokenKind::kWord && !token.word.literal().empty());
  if (starts && is_no_coprocess(token.word.literal())) unexpected(token);
  if (starts && !failed_) command->body = read_compound();
  if (command->body == nullptr && !failed_) {
    // `coproc NAME { …; }`, else a simple command.
    const Token& name = peek(Place::kCommand);
    if (name.kind == TokenKind::kWord && name.assigned == nullptr) {
      const Token first = name;
      take();
      const Token& next = peek(Place::kCommand);
      // A word that ends a command around this one ends it, too: `{ coproc a }`.
      const bool ended = next.kind == TokenKind::kWord && is_one_of(kClosers, next.word.literal());
      if (next.kind == TokenKind::kWord && !ended && is_no_coprocess(next.word.literal()))
        unexpected(next);
      const bool compound =
          !failed_ && (next.kind == TokenKind::kOpen ||
                       (next.kind == TokenKind::kWord && is_one_of(kOpeners, next.word.literal())));
      if (compound) command->name = first.word.literal();
      if (!failed_) command->body = compound ? read_compound() : read_simple(&first, ended);
    } else if (name.kind == TokenKind::kWord || name.kind == TokenKind::kRedirect) {
      command->body = read_simple();
    } else {
      unexpected(token_);
    }
  }
  command->span = span_from(begin);
  return command;
}

}  // namespace tollgate::shell
