// The grammar: scripts, lists, pipelines, simple commands, redirections.
// Each function stands at a token and leaves the one behind what it read.
// SAFETY: after a failure every function gives what it has, so nothing that was read is lost.
#include "shell/nesting.h"
#include "shell/reader.h"
#include "shell/reserved.h"

namespace tollgate::shell {

Span Reader::span_of(std::uint32_t begin, std::uint32_t end) const {
  if (source_.map != nullptr) {
    const std::uint32_t first = source_.map[begin];
    return {first, end > begin ? source_.map[end - 1] + 1 - first : 0};
  }
  return {source_.base + begin, end - begin};
}

Source Reader::part_of_source(std::uint32_t begin, std::uint32_t end) const {
  Source part;
  part.text = text_.substr(begin, end - begin);
  part.base = source_.base + begin;
  if (source_.map != nullptr) part.map = source_.map + begin;
  return part;
}

bool Reader::fail(std::uint32_t begin, std::string message, bool incomplete) {
  if (failed_) return false;
  failed_ = true;
  refusal_ = {.span = span_of(std::min(begin, end_), std::min(begin + 1, end_)),
              .message = std::move(message),
              .incomplete = incomplete,
              .limit = false};
  return false;
}

bool Reader::too_much(std::uint32_t begin, std::string message) {
  if (failed_) return false;
  fail(begin, std::move(message));
  refusal_.limit = true;
  return false;
}

// LIMIT: more than that nobody follows.
bool Reader::count_piece() {
  constexpr std::size_t kMaxPieces = 131'072;
  return ++shared_.pieces <= kMaxPieces || too_much(at_, "it has too many words");
}

// LIMIT: what bash reads again, or not at all, may announce no here-document. Its body would stand
// behind this line while the tree does not show what it belongs to.
void Reader::keep_documents(std::size_t announced, std::uint32_t begin) {
  if (pending_.size() != announced)
    too_much(begin, "a here-document stands where its body cannot be told");
}

bool Reader::unexpected(const Token& token) {
  if (token.kind == TokenKind::kEnd)
    return fail(token.begin, "the text ends in the middle of a command", true);
  if (token.kind == TokenKind::kNewline) return fail(token.begin, "the line ends too early");
  const std::string_view shown = text_.substr(token.begin, std::min(token.end - token.begin, 40u));
  return fail(token.begin, "`" + std::string(shown) + "` is not expected here");
}

const Script* Reader::read_all() {
  const Nesting nesting(shared_.depth);
  if (nesting.too_deep()) {
    too_much(0);
    return shared_.arena.make<Script>();
  }
  const Script* script = read_script(Until::kEnd);
  if (!failed_ && peek(Place::kCommand).kind != TokenKind::kEnd) unexpected(token_);
  if (!pending_.empty()) read_bodies();
  return script;
}

const Script* Reader::read_nested_script() {
  const Nesting nesting(shared_.depth);
  if (nesting.too_deep()) {
    too_much(at_);
    return shared_.arena.make<Script>();
  }
  const std::uint32_t begin = at_;
  std::vector<Pending> outer;
  outer.swap(pending_);
  ++in_substitution_;
  // Right behind the bracket bash does not know `time` as a reserved word.
  if (peek(Place::kCommand).kind == TokenKind::kWord) first_word_ = token_.begin;
  const Script* script = read_script(Until::kClose);
  --in_substitution_;
  if (!failed_) {
    if (peek(Place::kCommand).kind == TokenKind::kClose)
      take();
    else if (token_.kind == TokenKind::kEnd)
      fail(begin, "`(` is not closed", true);
    else
      unexpected(token_);
  }
  // Bodies that did not begin before the bracket closed stand behind the outer line.
  for (Pending& each : pending_)
    if (each.closed == 0) each.closed = at_;
  outer.insert(outer.end(), pending_.begin(), pending_.end());
  pending_.swap(outer);
  return script;
}

bool Reader::at_script_end(Until until) {
  const Token& token = peek(Place::kCommand);
  switch (token.kind) {
    case TokenKind::kEnd:
    case TokenKind::kClose:
    case TokenKind::kCaseBreak:
    case TokenKind::kCaseFall:
    case TokenKind::kCaseTest:
      return true;
    case TokenKind::kWord:
      return until == Until::kReserved && token.assigned == nullptr &&
             is_one_of(kClosers, token.word.literal());
    default:
      return false;
  }
}

// Statements up to what cannot belong to them; the caller knows whether that may stand there.
const Script* Reader::read_script(Until until) {
  Pile<Statement> statements(shared_.arena);
  const std::uint32_t begin = at_;
  skip_newlines();
  while (!failed_ && !at_script_end(until)) {
    Statement statement;
    statement.command = read_and_or();
    if (statement.command != nullptr) statements.add(statement);
    if (failed_) break;
    const TokenKind kind = peek(Place::kCommand).kind;
    if (kind == TokenKind::kAmpersand || kind == TokenKind::kSemicolon) {
      statements.back().background = kind == TokenKind::kAmpersand;
      take();
    } else if (kind != TokenKind::kNewline) {
      break;
    }
    if (peek(Place::kCommand).kind != TokenKind::kNewline) continue;
    statements.back().newline = true;
    newline();
    if (until == Until::kEnd) settle_options(statements);
    skip_newlines();
  }
  Script* script = shared_.arena.make<Script>();
  script->statements = statements.list();
  script->span = span_from(std::min(begin, at_));
  return script;
}

const Command* Reader::read_and_or() {
  const Nesting nesting(shared_.depth);
  if (nesting.too_deep()) {
    too_much(at_);
    return nullptr;
  }
  const Command* first = read_pipeline();
  if (failed_ || first == nullptr) return first;
  TokenKind kind = peek(Place::kCommand).kind;
  if (kind != TokenKind::kAnd && kind != TokenKind::kOr) return first;
  Pile<AndOrStep> steps(shared_.arena);
  steps.add({false, first});
  while (!failed_ && (kind == TokenKind::kAnd || kind == TokenKind::kOr)) {
    take();
    skip_newlines();
    const Command* next = failed_ ? nullptr : read_pipeline();
    if (next != nullptr) steps.add({kind == TokenKind::kOr, next});
    if (!failed_) kind = peek(Place::kCommand).kind;
  }
  AndOr* list = shared_.arena.make<AndOr>();
  list->kind = CommandKind::kAndOr;
  list->steps = steps.list();
  list->span = {first->span.begin, list->steps.back().command->span.end() - first->span.begin};
  return list;
}

const Command* Reader::read_pipeline() {
  const std::uint32_t begin = peek(Place::kCommand).begin;
  bool negated = false, prefixed = false;
  TimeMode time = TimeMode::kNone;
  for (;;) {
    if (take_reserved("!")) {
      negated = !negated;
      prefixed = true;
    } else if (peek_reserved("time") && token_.begin != first_word_) {
      take();
      time = TimeMode::kTime;
      prefixed = true;
      if (take_reserved("-p")) {
        time = TimeMode::kPosix;
        take_reserved("--");
      } else if (take_reserved("--")) {
        time = TimeMode::kPosix;
      }
    } else {
      break;
    }
  }
  Pile<PipelineStage> stages(shared_.arena);
  const TokenKind kind = peek(Place::kCommand).kind;
  const bool bare = prefixed && (kind == TokenKind::kEnd || kind == TokenKind::kNewline ||
                                 kind == TokenKind::kSemicolon);
  if (!bare) {
    const Command* first = read_command();
    if (failed_ && first == nullptr && !prefixed) return nullptr;
    if (first != nullptr) stages.add({first, false});
    while (!failed_) {
      const TokenKind next = peek(Place::kCommand).kind;
      if (next != TokenKind::kPipe && next != TokenKind::kPipeErrors) break;
      take();
      stages.back().with_errors = next == TokenKind::kPipeErrors;
      skip_newlines();
      const Command* stage = failed_ ? nullptr : read_command();
      if (stage != nullptr) stages.add({stage, false});
    }
    if (!prefixed && stages.size() == 1) return stages[0].command;
  }
  Pipeline* pipeline = shared_.arena.make<Pipeline>();
  pipeline->kind = CommandKind::kPipeline;
  pipeline->negated = negated;
  pipeline->time = time;
  pipeline->stages = stages.list();
  pipeline->span = span_of(begin, std::max(begin, has_token_ ? token_.begin : at_));
  return pipeline;
}

const Command* Reader::read_command() {
  const Nesting nesting(shared_.depth);
  if (nesting.too_deep()) {
    too_much(at_);
    return nullptr;
  }
  const Token& token = peek(Place::kCommand);
  if (failed_) return nullptr;
  switch (token.kind) {
    case TokenKind::kWord:
      if (token.assigned == nullptr && !token.word.literal().empty()) {
        if (token.word.literal() == "!") {  // only a whole pipeline is negated
          unexpected(token);
          return nullptr;
        }
        const Command* other = read_definition();
        if (other == nullptr && !failed_) other = read_compound();
        if (other != nullptr || failed_) return other;
      }
      return read_simple();
    case TokenKind::kRedirect:
      return read_simple();
    case TokenKind::kOpen:
      return read_compound();
    default:
      unexpected(token);
      return nullptr;
  }
}

const Command* Reader::read_simple(const Token* first, bool alone) {
  Pile<Assignment> assignments(shared_.arena);
  Pile<Word> words(shared_.arena);
  Pile<Redirection> redirections(shared_.arena);
  std::vector<Assignment> declared;
  std::vector<std::uint32_t> declared_at;
  const std::uint32_t begin = first != nullptr ? first->begin : peek(Place::kCommand).begin;
  std::uint32_t end = first != nullptr ? first->end : begin;
  if (first != nullptr) words.add(first->word);
  Place place = Place::kCommand;
  if (first != nullptr)
    place = is_one_of(kDeclarers, first->word.literal()) ? Place::kDeclaration : Place::kArgument;
  while (!failed_ && !alone) {
    const Token& token = peek(place);
    // A word that failed half way may hold commands already; they count all the same.
    if (failed_ && token.kind != TokenKind::kWord) break;
    if (token.kind == TokenKind::kRedirect) {
      // Bash takes `a=b` for an assignment there, and then does not want it.
      const bool assigns = token.op == RedirectionOp::kBothAppend && redirections.size() > 0 &&
                           words.size() + assignments.size() == 0;
      redirections.add(take_redirection(assigns ? Place::kCommand : Place::kArgument));
      end = at_;
      if (place == Place::kDeclaration || (assignments.size() > 0 && words.size() == 0))
        place = Place::kLate;
      continue;
    }
    if (token.kind == TokenKind::kOpen && words.size() == 1 && assignments.size() == 0 &&
        redirections.size() == 0) {
      return read_function(words[0], begin, false);
    }
    if (token.kind != TokenKind::kWord) break;
    end = token.end;
    if (token.assigned != nullptr && words.size() == 0) {
      assignments.add(*token.assigned);
    } else {
      if (token.assigned != nullptr) {
        declared.push_back(*token.assigned);
        declared_at.push_back(static_cast<std::uint32_t>(words.size()));
      }
      words.add(token.word);
    }
    take();
    if (words.size() == 1 && place != Place::kArgument && place != Place::kDeclaration) {
      const bool declares = place == Place::kCommand && is_one_of(kDeclarers, words[0].literal());
      place = declares ? Place::kDeclaration : Place::kArgument;
    }
  }
  SimpleCommand* command = shared_.arena.make<SimpleCommand>();
  command->assignments = assignments.list();
  command->words = words.list();
  command->redirections = redirections.list();
  command->declared = {shared_.arena.copy(declared.data(), declared.size()),
                       static_cast<std::uint32_t>(declared.size())};
  command->declared_at = {shared_.arena.copy(declared_at.data(), declared_at.size()),
                          static_cast<std::uint32_t>(declared_at.size())};
  command->span = span_of(begin, end);
  if (!failed_) note_options(*command);
  return command;
}

// Whether the token is the first of the brackets `()`; a subshell may be a function's body.
bool Reader::at_brackets() {
  if (peek(Place::kCommand).kind != TokenKind::kOpen) return false;
  std::uint32_t i = at_;
  while (is_blank(look_at(i)) || (look_at(i) == '\\' && look_at(i + 1) == '\n'))
    i += look_at(i) == '\\' ? 2 : 1;
  return look_at(i) == ')';
}

// At the `(` behind a name.
const Command* Reader::read_function(const Word& name, std::uint32_t begin, bool keyword) {
  if (!keyword || at_brackets()) {
    take();
    if (peek(Place::kCommand).kind != TokenKind::kClose) {
      unexpected(token_);
      return nullptr;
    }
    take();
  }
  skip_newlines();
  if (failed_) return nullptr;
  Function* function = shared_.arena.make<Function>();
  function->kind = CommandKind::kFunction;
  function->name = name;
  function->keyword = keyword;
  const Token& token = peek(Place::kCommand);
  function->body =
      token.kind == TokenKind::kWord || token.kind == TokenKind::kOpen ? read_compound() : nullptr;
  if (function->body == nullptr && !failed_) unexpected(token_);
  function->span = span_of(begin, has_token_ ? token_.begin : at_);
  return function;
}

// At the operator. After a failure it is what was read of it, which counts all the same.
Redirection Reader::take_redirection(Place target) {
  Redirection redirection;
  redirection.op = token_.op;
  redirection.descriptor = token_.descriptor;
  redirection.variable = token_.variable;
  redirection.subscripted = token_.subscripted;
  const std::uint32_t begin = token_.begin;
  take();
  read_target(target, redirection);
  redirection.span = span_from(begin);
  return redirection;
}

bool Reader::read_target(Place place, Redirection& out) {
  const bool duplicates =
      out.op == RedirectionOp::kDuplicateRead || out.op == RedirectionOp::kDuplicateWrite;
  skip_blanks();
  if (duplicates && look() == '-') {
    const std::uint32_t begin = at_++;
    Pile<Part> parts(shared_.arena);
    add_literal(begin, at_, parts);
    out.target = {span_from(begin), parts.list()};
    return true;
  }
  if (duplicates && is_digit(look())) {  // `>&2>x`: the number belongs to the first of the two
    out.target = read_word(Place::kArgument);
    return !failed_;
  }
  const std::size_t announced = pending_.size();
  read_token(place);
  if (token_.kind == TokenKind::kWord) out.target = token_.word;
  if (failed_) return false;
  if (token_.kind != TokenKind::kWord || token_.assigned != nullptr) return unexpected(token_);
  if (out.op == RedirectionOp::kHere || out.op == RedirectionOp::kHereTabs) {
    keep_documents(announced, token_.begin);
    announce(out);
  }
  return true;
}

// `shopt -s extglob` changes how the lines behind it are read.
void Reader::note_options(const SimpleCommand& command) {
  if (command.words.empty() || command.words[0].literal() != "shopt") return;
  bool on = false, off = false, named = false;
  for (const Word& word : command.words) {
    const std::string_view text = word.literal();
    on = on || (text.size() > 1 && text[0] == '-' && text.find('s') != text.npos);
    off = off || (text.size() > 1 && text[0] == '-' && text.find('u') != text.npos);
    named = named || text == "extglob" || text.empty();
  }
  if (!named || (!on && !off)) return;
  option_command_ = &command;
  option_value_ = on;
}

// Bash reads line by line and runs each before it reads the next.
void Reader::settle_options(const Pile<Statement>& statements) {
  if (option_command_ == nullptr) return;
  bool sure = false;
  for (std::size_t i = 0; i < statements.size(); ++i)
    sure = sure || (statements[i].command == option_command_ && !statements[i].background);
  if (sure)
    shared_.extglob = option_value_;
  else
    shared_.extglob_unsure = true;
  option_command_ = nullptr;
}

}  // namespace tollgate::shell
