// [[ … ]]: words, operators and brackets, with && binding tighter than ||.
// Right of == and != a word is a pattern, right of =~ a regular expression.
// SAFETY: what is no condition is refused, as bash does.
#include "shell/nesting.h"
#include "shell/reader.h"
#include "shell/reserved.h"

namespace tollgate::shell {
namespace {

bool is_unary(std::string_view word) {
  return word.size() == 2 && word[0] == '-' &&
         std::string_view("abcdefghknoprstuvwxzGLNORS").find(word[1]) != std::string_view::npos;
}

constexpr NameSet kBinaries({"=", "==", "!=", "=~", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt",
                             "-ge", "-nt", "-ot", "-ef"});

Place place_right_of(std::string_view op) {
  if (op == "=~") return Place::kRegex;
  return op == "=" || op == "==" || op == "!=" ? Place::kGlob : Place::kArgument;
}

}  // namespace

Command* Reader::read_conditional() {
  ConditionalCommand* command = shared_.arena.make<ConditionalCommand>();
  command->kind = CommandKind::kConditional;
  const std::uint32_t begin = token_.begin;
  take();
  command->condition = read_or_condition();
  if (!failed_) {
    const Token& token = peek(Place::kArgument);
    if (token.kind == TokenKind::kWord && token.word.literal() == "]]")
      take();
    else
      unexpected(token);
  }
  command->span = span_from(begin);
  return command;
}

void Reader::skip_condition_newlines() {
  while (!failed_ && peek(Place::kArgument).kind == TokenKind::kNewline) newline();
}

// Halves inside halves, so that a long list is not as deep as it is long.
const Condition* Reader::joined(ConditionKind kind, std::span<const Condition* const> all) {
  if (all.size() == 1) return all[0];
  Condition* both = shared_.arena.make<Condition>();
  both->kind = kind;
  both->first = joined(kind, all.first(all.size() / 2));
  both->second = joined(kind, all.subspan(all.size() / 2));
  return both;
}

const Condition* Reader::read_or_condition() {
  std::vector<const Condition*> all{read_and_condition()};
  while (!failed_) {
    skip_condition_newlines();
    if (failed_ || token_.kind != TokenKind::kOr) break;
    take();
    all.push_back(read_and_condition());
  }
  return joined(ConditionKind::kOr, all);
}

const Condition* Reader::read_and_condition() {
  std::vector<const Condition*> all{read_condition()};
  while (!failed_) {
    skip_condition_newlines();
    if (failed_ || token_.kind != TokenKind::kAnd) break;
    take();
    all.push_back(read_condition());
  }
  return joined(ConditionKind::kAnd, all);
}

const Condition* Reader::read_condition() {
  const Nesting nesting(shared_.depth);
  if (nesting.too_deep()) {
    too_much(at_);
    return nullptr;
  }
  skip_condition_newlines();
  if (failed_) return nullptr;
  Condition* condition = shared_.arena.make<Condition>();
  const std::uint32_t begin = token_.begin;
  if (token_.kind == TokenKind::kOpen) {
    take();
    condition->kind = ConditionKind::kGroup;
    condition->first = read_or_condition();
    if (!failed_ && peek(Place::kArgument).kind != TokenKind::kClose) unexpected(token_);
    if (!failed_) take();
    condition->span = span_from(begin);
    return condition;
  }
  if (token_.kind != TokenKind::kWord) {
    unexpected(token_);
    return condition;
  }
  const Word first = token_.word;
  const std::string_view text = first.literal();
  if (text == "]]") {
    unexpected(token_);
    return condition;
  }
  take();
  if (text == "!") {
    condition->kind = ConditionKind::kNot;
    condition->first = read_condition();
    condition->span = span_from(begin);
    return condition;
  }
  condition->left = first;
  if (is_unary(text)) {
    const Token& operand = peek(Place::kArgument);
    if (failed_) return condition;
    if (operand.kind != TokenKind::kWord || operand.word.literal() == "]]") {
      unexpected(operand);
      return condition;
    }
    condition->kind = ConditionKind::kUnary;
    condition->op = text;
    condition->left = operand.word;
    take();
    condition->span = span_from(begin);
    return condition;
  }
  read_binary(*condition);
  condition->span = span_from(begin);
  return condition;
}

// Behind the first word: an operator and its right side, or nothing.
void Reader::read_binary(Condition& condition) {
  const Token& token = peek(Place::kArgument);
  if (failed_) return;
  std::string_view op;
  if (token.kind == TokenKind::kWord && is_one_of(kBinaries, token.word.literal())) {
    op = token.word.literal();
  } else if (token.kind == TokenKind::kRedirect && token.descriptor < 0 && token.variable.empty() &&
             (token.op == RedirectionOp::kRead || token.op == RedirectionOp::kWrite)) {
    op = token.op == RedirectionOp::kRead ? "<" : ">";
  } else {
    const bool ends = token.kind == TokenKind::kAnd || token.kind == TokenKind::kOr ||
                      token.kind == TokenKind::kClose ||
                      (token.kind == TokenKind::kWord && token.word.literal() == "]]");
    if (!ends) unexpected(token);
    return;
  }
  take();
  condition.kind = ConditionKind::kBinary;
  condition.op = op;
  const Place place = place_right_of(op);
  const Token& right = peek(place);
  if (right.kind == TokenKind::kWord) condition.right = right.word;
  if (failed_) return;
  if (right.kind != TokenKind::kWord || right.word.literal() == "]]") {
    unexpected(right);
    return;
  }
  take();
}

}  // namespace tollgate::shell
