// What a dollar sign or a backquote begins.
// Texts that bash reads again when it expands them (backquotes, $((…)) that is none) get a reader
// of their own: what they hold is part of the tree, and their mistakes are not this text's.
#include <utility>

#include "shell/nesting.h"
#include "shell/reader.h"

namespace tollgate::shell {
namespace {

bool is_special_parameter(char c) {
  return is_digit(c) || std::string_view("@*#?-$!").find(c) != std::string_view::npos;
}

// The text without continued lines at its end. A backslash that is escaped itself continues none.
std::string_view before_continuations(std::string_view text) {
  while (text.ends_with("\\\n")) {
    const std::size_t other = text.substr(0, text.size() - 1).find_last_not_of('\\');
    const std::size_t backslashes = text.size() - 2 - (other == text.npos ? -1 : other);
    if (backslashes % 2 == 0) break;
    text.remove_suffix(2);
  }
  return text;
}

}  // namespace

void Reader::read_dollar(Quoting quoting, Pile<Part>& parts) {
  const std::uint32_t begin = at_;
  const Nesting nesting(shared_.depth);
  if (nesting.too_deep()) {
    too_much(at_);
    return;
  }
  if (!count_piece()) return;
  ++at_;
  skip_continuations();
  const char c = look();
  const bool quotes = quoting == Quoting::kNone || quoting == Quoting::kInside;
  if (c == '(') {
    ++at_;
    const std::uint32_t second = behind_continuations(at_);
    if (look_at(second) == '(') {
      at_ = second;
      return read_arithmetic(parts, begin);
    }
    return read_substitution(parts, PartKind::kCommand, begin);
  }
  if (c == '{') {
    ++at_;
    return read_parameter(quoting, parts, begin);
  }
  if (c == '[') {
    ++at_;
    return read_old_arithmetic(parts, begin);
  }
  if (c == '\'' && quotes) return read_ansi(parts, begin);
  if (c == '"' && quotes) return read_double(parts, PartKind::kLocale, begin);
  if (done() || !(is_name_start(c) || is_special_parameter(c)))
    return add_literal(begin, begin + 1, parts);
  Part part;
  part.kind = PartKind::kParameter;
  Parameter* parameter = shared_.arena.make<Parameter>();
  parameter->name = is_name_start(c) ? take_name() : text_.substr(at_++, 1);
  part.parameter = parameter;
  part.span = span_from(begin);
  parts.add(part);
}

// At the first character behind the bracket.
void Reader::read_substitution(Pile<Part>& parts, PartKind kind, std::uint32_t begin) {
  Part part;
  part.kind = kind;
  const std::uint32_t open = at_;
  std::uint32_t close = 0;
  if (const Script* known = known_script(at_, close)) {
    part.script = known;
    at_ = close;
  } else {
    part.script = read_nested_script();
  }
  if (apart_ && !failed_) part.text = text_.substr(open, at_ - 1 - open);
  part.span = span_from(begin);
  parts.add(part);
}

const Script* Reader::inner_script(const Source& source) {
  const bool extglob = shared_.extglob;
  Reader inner(shared_, source);
  const Script* script = inner.read_all();
  inner_refused_ = inner.failed();
  shared_.extglob = extglob;  // a shell of its own
  return script;
}

// `…`: up to the next backquote without a backslash; then backslashes before $ ` \ go away, and
// continued lines become one, whatever quote or comment they are in.
void Reader::read_backquote(Quoting quoting, Pile<Part>& parts) {
  const std::uint32_t begin = at_;
  const Nesting nesting(shared_.depth);
  if (nesting.too_deep()) {
    too_much(at_);
    return;
  }
  if (!count_piece()) return;
  std::uint32_t close = at_ + 1;
  bool escaped = false;
  while (close < end_ && text_[close] != '`') {
    if (text_[close] == '\\') {
      escaped = true;
      ++close;
    }
    ++close;
  }
  if (close >= end_) {
    at_ = end_;
    fail(begin, "the backquote is not closed", true);
    return;
  }
  Source source = part_of_source(begin + 1, close);
  Part part;
  part.kind = PartKind::kBackquote;
  part.text = source.text;
  if (escaped) {
    std::string plain;
    std::vector<std::uint32_t> map;
    for (std::uint32_t i = begin + 1; i < close; ++i) {
      const char next = look_at(i + 1);
      if (text_[i] == '\\' && next == '\n' && i + 1 < close) {
        ++i;
        continue;
      }
      const bool goes = text_[i] == '\\' && i + 1 < close &&
                        (next == '$' || next == '`' || next == '\\' ||
                         (next == '"' && quoting == Quoting::kDouble));
      if (goes) ++i;
      map.push_back(span_of(i, i + 1).begin);
      plain += text_[i];
    }
    map.push_back(span_of(close, close + 1).begin);
    source.text = shared_.arena.copy(plain);
    source.map = shared_.arena.copy(map.data(), map.size());
  }
  at_ = close + 1;
  part.script = inner_script(source);
  part.refused = inner_refused_;
  part.span = span_from(begin);
  parts.add(part);
}

// Whether the brackets in a piece of text are balanced and never close more than they open. Bash
// counts them without a look at backquotes, and a quote that does not close goes on to the end.
bool Reader::is_balanced(std::uint32_t begin, std::uint32_t end) const {
  int open = 0;
  for (std::uint32_t i = begin; i < end; ++i) {
    std::uint32_t next = i + 1;
    switch (text_[i]) {
      case '\\':
        next = i + 2;
        break;
      case '\'':
      case '"':
        if (text_[i] == '"') next = known_pair(Pair::kDouble, i + 1);
        if (next <= i + 1) next = behind_quote(i, end);
        break;
      case '$':
        next = skip_counted(i);
        break;
      case '(':
        ++open;
        break;
      case ')':
        if (--open < 0) return false;
        break;
      default:
        break;
    }
    if (next == 0 || next > end) break;
    i = next - 1;
  }
  return open == 0;
}

// Behind the quote that closes the one at `open`, whatever stands between; 0 where none does.
std::uint32_t Reader::behind_quote(std::uint32_t open, std::uint32_t end) const {
  for (std::uint32_t i = open + 1; i < end; ++i) {
    if (text_[i] == text_[open]) return i + 1;
    if (text_[open] == '"' && text_[i] == '\\') ++i;
  }
  return 0;
}

// Behind the substitution that begins at a dollar, where looking for the end has met it already:
// its brackets are balanced. Else behind the dollar alone.
std::uint32_t Reader::skip_counted(std::uint32_t dollar) const {
  const std::uint32_t open = behind_continuations(dollar + 1);
  if (look_at(open) != '(') return dollar + 1;
  const std::uint32_t second = behind_continuations(open + 1);
  std::uint32_t close = known_pair(Pair::kArithmetic, second);
  if (look_at(second) == '(' && close != 0) return close;
  return known_script(open + 1, close) == nullptr || close == 0 ? dollar + 1 : close;
}

// At the second bracket of `$((`. Where the text is no arithmetic it is commands in a subshell.
void Reader::read_arithmetic(Pile<Part>& parts, std::uint32_t begin) {
  const std::uint32_t open = at_;
  const std::size_t announced = pending_.size();
  const std::uint32_t close = skip_pair(Pair::kArithmetic, open);
  if (close == 0) {
    at_ = end_;
    if (!failed_) fail(begin, "`$((` is not closed", true);
    return;
  }
  Part part;
  const std::string_view body = text_.substr(open, close - 1 - open);
  const std::uint32_t inner = open + static_cast<std::uint32_t>(before_continuations(body).size());
  if (inner >= open + 2 && text_[inner - 1] == ')' && is_balanced(open + 1, inner - 1)) {
    part.kind = PartKind::kArithmetic;
    Arithmetic* arithmetic = shared_.arena.make<Arithmetic>(arithmetic_of(open + 1, inner - 1));
    part.arithmetic = arithmetic;
    // LIMIT: bash counts the bracket behind each pattern of a `case`, and so may run what it
    // prints.
    if (body.find("esac") != body.npos) too_much(begin, "a case inside `$((` is read in two ways");
  } else {
    part.kind = PartKind::kCommand;
    part.text = body;
    part.script = inner_script(part_of_source(open, close - 1));
    part.refused = inner_refused_;
    keep_documents(announced, begin);
  }
  if (!failed_) at_ = close;
  part.span = span_from(begin);
  parts.add(part);
}

void Reader::read_old_arithmetic(Pile<Part>& parts, std::uint32_t begin) {
  const std::uint32_t close = skip_pair(Pair::kBracket, at_);
  if (close == 0) {
    at_ = end_;
    if (!failed_) fail(begin, "`$[` is not closed", true);
    return;
  }
  Part part;
  part.kind = PartKind::kArithmetic;
  Arithmetic* arithmetic = shared_.arena.make<Arithmetic>(arithmetic_of(at_, close - 1));
  arithmetic->old_style = true;
  part.arithmetic = arithmetic;
  if (!failed_) at_ = close;
  part.span = span_from(begin);
  parts.add(part);
}

Arithmetic Reader::arithmetic_of(std::uint32_t begin, std::uint32_t end) {
  Arithmetic arithmetic;
  Pile<Part> parts(shared_.arena);
  at_ = begin;
  const bool before = failed_;
  read_parts(Quoting::kNumeric, end, '\0', parts);
  if (failed_ && !before) refusal_.limit = true;  // bash complains only when it gets there
  arithmetic.text = {span_of(begin, end), parts.list()};
  return arithmetic;
}

// Behind `${`. Bash looks at the inside only when it expands it: a strange one is kept, not
// refused.
void Reader::read_parameter(Quoting quoting, Pile<Part>& parts, std::uint32_t begin) {
  Part part;
  part.kind = PartKind::kParameter;
  Parameter* parameter = shared_.arena.make<Parameter>();
  parameter->braced = true;
  part.parameter = parameter;
  const std::uint32_t open = at_;
  const std::size_t announced = pending_.size();
  skip_continuations();
  // A newer bash and other shells run what stands behind `${ ` or `${|`.
  if (is_blank(look()) || look() == '\n' || look() == '|') {
    parameter->op = ParameterOp::kBad;
    const std::uint32_t close = skip_pair(Pair::kBrace, open);
    if (close == 0) {
      at_ = end_;
      if (!failed_) fail(begin, "`${` is not closed", true);
    } else {
      part.script = inner_script(part_of_source(open + (look() == '|' ? 1 : 0), close - 1));
      part.text = text_.substr(open, close - 1 - open);
      at_ = close;
      keep_documents(announced, begin);
    }
    part.span = span_from(begin);
    parts.add(part);
    return;
  }
  read_operation(quoting, open, *parameter);
  if (!failed_ && look() != '}') {
    read_strange(open, *parameter);
    part.text = text_.substr(open, at_ - open);
    keep_documents(announced, begin);
  }
  if (!failed_ && done()) fail(begin, "`${` is not closed", true);
  if (!failed_) ++at_;
  part.span = span_from(begin);
  parts.add(part);
}

// The end of the subscript that begins here, in an expansion that begins at `open`; 0 where it does
// not end inside. Bash finds the closing brace first and does not care about brackets.
std::uint32_t Reader::skip_subscript(std::uint32_t open) {
  const std::uint32_t brace = skip_pair(Pair::kBrace, open);
  if (brace == 0) return 0;
  const std::uint32_t end = std::exchange(end_, brace - 1);
  const std::uint32_t close = find_pair(Pair::kSubscript, at_ + 1);
  end_ = end;
  return close;
}

// Something that is no parameter: find the end as bash does, and keep what it holds.
void Reader::read_strange(std::uint32_t open, Parameter& parameter) {
  parameter = {};
  parameter.braced = true;
  parameter.op = ParameterOp::kBad;
  const std::uint32_t close = skip_pair(Pair::kBrace, open);
  at_ = open;
  Pile<Part> parts(shared_.arena);
  if (close != 0) read_parts(Quoting::kInside, close - 1, '\0', parts);
  parameter.word = {span_from(open), parts.list()};
  if (!failed_) at_ = close == 0 ? end_ : close - 1;
}

Word Reader::read_operand(Quoting quoting, char stop) {
  const Quoting inner = quoting == Quoting::kNone ? Quoting::kInside : quoting;
  Pile<Part> parts(shared_.arena);
  const std::uint32_t begin = at_;
  read_parts(inner, end_, stop, parts);
  return {span_from(begin), parts.list()};
}

// Behind the colon. The offset and the length are expressions, in which a quote is plain.
// LIMIT: bash takes it for a quote when it looks for the brace, and <( for a substitution.
void Reader::read_substring(std::uint32_t open, Parameter& parameter) {
  parameter.op = ParameterOp::kSubstring;
  const std::uint32_t close = skip_pair(Pair::kBrace, open);
  const std::string_view inside = close == 0 ? "" : text_.substr(at_, close - 1 - at_);
  const auto has = [&](std::string_view text) { return inside.find(text) != inside.npos; };
  if (has("'") || has("<(") || has(">(")) too_much(open, "a quote inside `${` is read in two ways");
  parameter.word = read_operand(Quoting::kNumeric, ':');
  if (look() == ':') {
    ++at_;
    parameter.has_second = true;
    parameter.second = read_operand(Quoting::kNumeric, '}');
  }
  if (close == 0) fail(open, "`${` is not closed", true);
}

void Reader::read_operation(Quoting quoting, std::uint32_t open, Parameter& parameter) {
  // ${#x} is a length; ${#}, ${#-…}, ${##…} are about the number of parameters.
  const char second = look_on(1);
  if (look() == '#' && second != '}' &&
      (is_name(second) || (is_special_parameter(second) && look_on(2) == '}'))) {
    parameter.op = ParameterOp::kLength;
    step();
  } else if (look() == '!' && (is_name(second) ||
                               (is_special_parameter(second) && second != '-' && second != '?'))) {
    parameter.indirect = true;
    step();
  }
  const std::uint32_t name = at_;
  if (is_name_start(look())) {
    parameter.name = take_name();
  } else if (is_digit(look())) {
    while (is_digit(look())) ++at_;
  } else if (!done() && is_special_parameter(look()) &&
             !(look() == '$' &&
               std::string_view("({['\"").find(look(1)) != std::string_view::npos)) {
    ++at_;
  } else {
    return;
  }
  if (parameter.name.empty()) parameter.name = text_.substr(name, at_ - name);
  skip_continuations();
  if (look() == '[') {
    const std::uint32_t close = skip_subscript(open);
    if (close == 0) return;
    parameter.subscripted = true;
    Pile<Part> parts(shared_.arena);
    const std::uint32_t begin = ++at_;
    read_parts(Quoting::kInside, close - 1, '\0', parts);
    parameter.subscript = {span_of(begin, close - 1), parts.list()};
    if (failed_) return;
    at_ = close;
    skip_continuations();
  }
  if (parameter.indirect && (look() == '*' || look() == '@') && look_on(1) == '}' &&
      !parameter.subscripted) {
    parameter.op = ParameterOp::kNames;
    parameter.letter = look();
    step();
    return;
  }
  if (parameter.op == ParameterOp::kLength || look() == '}') return;
  const auto operand = [&](ParameterOp op) {
    parameter.op = op;
    // Patterns and their like are read as if no quotes stood around the expansion.
    const bool pattern = op >= ParameterOp::kPrefix && op <= ParameterOp::kToggle;
    const char c = look();
    step();
    if (pattern && look() == c) {
      parameter.doubled = true;
      step();
    }
    const Quoting inner = pattern ? Quoting::kInside : quoting;
    if (op == ParameterOp::kReplace && !parameter.doubled && (look() == '#' || look() == '%'))
      parameter.letter = text_[at_++];
    const char stop = op == ParameterOp::kReplace ? '/' : '}';
    parameter.word = read_operand(inner, stop);
    if (op == ParameterOp::kReplace && look() == '/') {
      ++at_;
      parameter.has_second = true;
      parameter.second = read_operand(quoting, '}');
    }
  };
  if (look() == ':') {
    step();
    if (std::string_view("-=?+").find(look()) == std::string_view::npos)
      return read_substring(open, parameter);
    parameter.colon = true;
  }
  switch (look()) {
    case '-':
      return operand(ParameterOp::kDefault);
    case '=':
      return operand(ParameterOp::kAssign);
    case '?':
      return operand(ParameterOp::kError);
    case '+':
      return operand(ParameterOp::kAlternative);
    case '#':
      return operand(ParameterOp::kPrefix);
    case '%':
      return operand(ParameterOp::kSuffix);
    case '/':
      return operand(ParameterOp::kReplace);
    case '^':
      return operand(ParameterOp::kUpper);
    case ',':
      return operand(ParameterOp::kLower);
    case '~':
      return operand(ParameterOp::kToggle);
    case '@':
      if (is_name_start(look_on(1)) && look_on(2) == '}') {
        parameter.op = ParameterOp::kTransform;
        parameter.letter = look_on(1);
        step();
        step();
      }
      return;
    default:
      return;
  }
}

}  // namespace tollgate::shell
