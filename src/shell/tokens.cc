// Tokens: one look ahead, read in the place the grammar stands at.
// A word at the beginning of a command may be an assignment; a number before < or > is no word.
// INVARIANT: the token is stored only when it is complete, because words hold scripts of their own.
#include <array>
#include <limits>

#include "shell/reader.h"

namespace tollgate::shell {
namespace {

// Whether an operator or a descriptor may begin with the character.
bool may_be_no_word(char c) {
  constexpr auto kTable = [] {
    std::array<bool, 256> table = {};
    for (const char first : std::string_view("\n();&|<>{0123456789"))
      table[static_cast<unsigned char>(first)] = true;
    return table;
  }();
  return kTable[static_cast<unsigned char>(c)];
}

}  // namespace

// Bash drops a backslash and the newline behind it before it looks at anything else.
std::uint32_t Reader::behind_continuations(std::uint32_t place) const {
  while (look_at(place) == '\\' && look_at(place + 1) == '\n') place += 2;
  return place;
}

char Reader::look_on(std::uint32_t ahead) const {
  std::uint32_t place = at_;
  for (; ahead > 0; --ahead) place = behind_continuations(place + 1);
  return look_at(place);
}

// Blanks and comments. Only here can a `#` begin a comment: behind a blank or an operator.
void Reader::skip_blanks() {
  for (;;) {
    std::uint32_t at = at_;
    while (is_blank(look_at(at))) ++at;
    at_ = at;
    if (look() == '\\' && look(1) == '\n' && at_ + 1 < end_) {
      at_ += 2;
    } else if (look() == '#') {
      while (!done() && look() != '\n') ++at_;
    } else {
      return;
    }
  }
}

Token& Reader::peek(Place place) {
  if (!has_token_) {
    read_token(place);
    has_token_ = true;
  }
  return token_;
}

void Reader::read_token(Place place) {
  count_piece();
  skip_blanks();
  Token token;
  token.begin = at_;
  if (done()) {
    token.kind = TokenKind::kEnd;
  } else if (place == Place::kRegex && (look() == '(' || look() == '|')) {
    token.kind = TokenKind::kWord;
    token.word = read_word(place);
  } else if (!may_be_no_word(look()) || (!read_operator(token) && !read_descriptor(token))) {
    token.kind = TokenKind::kWord;
    const bool assigns =
        place == Place::kCommand || place == Place::kLate || place == Place::kDeclaration;
    if (!(assigns && read_assignment(place, token))) token.word = read_word(place);
  }
  // INVARIANT: a token moves forward, or reading would not end.
  if (at_ == token.begin && !done() && !failed_) fail(at_, "the text cannot be read from here on");
  token.end = at_;
  token_ = token;
}

bool Reader::read_operator(Token& token) {
  // Continuations may stand between the characters of an operator.
  const auto next = [&] {
    skip_continuations();
    return look();
  };
  const auto redirect = [&](RedirectionOp op) {
    token.kind = TokenKind::kRedirect;
    token.op = op;
    return true;
  };
  const auto is = [&](TokenKind kind) {
    token.kind = kind;
    return true;
  };
  const std::uint32_t begin = at_;
  const char c = look();
  switch (c) {
    case '\n':
      ++at_;
      return is(TokenKind::kNewline);
    case '(':
      ++at_;
      return is(TokenKind::kOpen);
    case ')':
      ++at_;
      return is(TokenKind::kClose);
    case ';':
      ++at_;
      if (next() == ';') {
        ++at_;
        if (next() == '&') {
          ++at_;
          return is(TokenKind::kCaseTest);
        }
        return is(TokenKind::kCaseBreak);
      }
      if (look() == '&') {
        ++at_;
        return is(TokenKind::kCaseFall);
      }
      return is(TokenKind::kSemicolon);
    case '&':
      ++at_;
      if (next() == '&') {
        ++at_;
        return is(TokenKind::kAnd);
      }
      if (look() == '>') {
        ++at_;
        if (next() == '>') {
          ++at_;
          return redirect(RedirectionOp::kBothAppend);
        }
        return redirect(RedirectionOp::kBoth);
      }
      return is(TokenKind::kAmpersand);
    case '|':
      ++at_;
      if (next() == '|') {
        ++at_;
        return is(TokenKind::kOr);
      }
      if (look() == '&') {
        ++at_;
        return is(TokenKind::kPipeErrors);
      }
      return is(TokenKind::kPipe);
    case '<':
    case '>':
      break;
    default:
      return false;
  }
  ++at_;
  const char second = next();
  if (second == '(') {  // a process substitution, which begins a word
    at_ = begin;
    return false;
  }
  if (c == '<') {
    if (second == '<') {
      ++at_;
      if (next() == '<') {
        ++at_;
        return redirect(RedirectionOp::kHereString);
      }
      if (look() == '-') {
        ++at_;
        return redirect(RedirectionOp::kHereTabs);
      }
      return redirect(RedirectionOp::kHere);
    }
    if (second == '&') {
      ++at_;
      return redirect(RedirectionOp::kDuplicateRead);
    }
    if (second == '>') {
      ++at_;
      return redirect(RedirectionOp::kReadWrite);
    }
    return redirect(RedirectionOp::kRead);
  }
  if (second == '>') {
    ++at_;
    return redirect(RedirectionOp::kAppend);
  }
  if (second == '&') {
    ++at_;
    return redirect(RedirectionOp::kDuplicateWrite);
  }
  if (second == '|') {
    ++at_;
    return redirect(RedirectionOp::kClobber);
  }
  return redirect(RedirectionOp::kWrite);
}

// `2>` and `{name}>`: what stands right before a redirection and belongs to it.
bool Reader::read_descriptor(Token& token) {
  const std::uint32_t begin = at_;
  const auto redirects = [&] { return look() == '<' || look() == '>'; };
  if (is_digit(look())) {
    std::int64_t number = 0;
    while (is_digit(look()) && number <= std::numeric_limits<std::int32_t>::max()) {
      number = number * 10 + (look() - '0');
      step();
    }
    if (redirects() && number <= std::numeric_limits<std::int32_t>::max()) {
      if (read_operator(token)) {
        token.descriptor = static_cast<std::int32_t>(number);
        return true;
      }
    }
  } else if (look() == '{' && is_name_start(look_on(1))) {
    step();
    const std::string_view name = take_name();
    skip_continuations();
    // An element of an array may hold the number too.
    const bool subscripted = look() == '[' && is_plain_subscript(at_ + 1);
    if (subscripted)
      at_ = behind_continuations(static_cast<std::uint32_t>(text_.find(']', at_) + 1));
    if (look() == '}') {
      step();
      if (redirects() && read_operator(token)) {
        token.variable = name;
        token.subscripted = subscripted;
        return true;
      }
    }
  }
  at_ = begin;
  return false;
}

bool Reader::peek_reserved(std::string_view word) {
  const Token& token = peek(Place::kCommand);
  return token.kind == TokenKind::kWord && token.assigned == nullptr &&
         token.word.literal() == word;
}

bool Reader::take_reserved(std::string_view word) {
  if (!peek_reserved(word)) return false;
  take();
  return true;
}

// Behind a newline stand the bodies of the here-documents that the line announced.
void Reader::newline() {
  take();
  if (!pending_.empty()) read_bodies();
}

void Reader::skip_newlines() {
  while (!failed_ && peek(Place::kCommand).kind == TokenKind::kNewline) newline();
}

// The name that begins here, perhaps over several lines.
std::string_view Reader::take_name() {
  const std::uint32_t begin = at_;
  std::uint32_t end = begin;
  while (is_name(look_at(end))) ++end;
  at_ = end;
  const std::string_view name = text_.substr(begin, end - begin);
  if (behind_continuations(at_) == at_) return name;
  std::string joined(name);
  for (skip_continuations(); is_name(look()); skip_continuations()) joined += text_[at_++];
  return shared_.arena.copy(std::string_view(joined));
}

// Whether `=` or `+=` stands there.
bool Reader::assigns_at(std::uint32_t place) const {
  place = behind_continuations(place);
  if (look_at(place) == '+') place = behind_continuations(place + 1);
  return look_at(place) == '=';
}

// name=value, name+=value, name[subscript]=value: only where no character of the name is quoted.
bool Reader::read_assignment(Place place, Token& token) {
  if (!is_name_start(look())) return false;
  const std::uint32_t begin = at_;
  Assignment assignment;
  assignment.name = take_name();
  if (look() == '[') {
    // Among arguments a subscript ends the word at a blank, as everywhere.
    if (place != Place::kCommand && !is_plain_subscript(at_ + 1)) {
      at_ = begin;
      return false;
    }
    if (!read_subscript(begin, assignment, token)) return true;
  } else if (!assigns_at(at_)) {
    at_ = begin;
    return false;
  }
  skip_continuations();
  assignment.append = look() == '+';
  if (assignment.append) ++at_;
  skip_continuations();
  ++at_;  // the `=`
  skip_continuations();
  if (look() == '(' && place != Place::kLate) {
    const std::uint32_t open = at_++;
    assignment.compound = true;
    read_elements(assignment);
    if (!failed_) read_tail(open, assignment);
  } else {
    const std::uint32_t value = at_;
    assignment.value = read_word(Place::kArgument);
    assignment.value.span = span_from(value);
  }
  assignment.span = span_from(begin);
  token.assigned = shared_.arena.make<Assignment>(assignment);
  token.word.span = assignment.span;
  return true;
}

// At the bracket behind a name. False where it makes no assignment: then the token holds a word
// with everything between the brackets in it, blanks too.
bool Reader::read_subscript(std::uint32_t begin, Assignment& assignment, Token& token) {
  const std::uint32_t open = at_ + 1;
  const std::uint32_t close = skip_pair(Pair::kSubscript, open);
  if (close == 0) {
    if (!failed_) {
      at_ = end_;
      fail(open - 1, "`[` is not closed", true);
    }
    return false;
  }
  const bool assigns = assigns_at(close);
  at_ = assigns ? open : begin;
  Pile<Part> parts(shared_.arena);
  read_parts(Quoting::kInside, assigns ? close - 1 : close, '\0', parts);
  if (!assigns || failed_) {
    if (!failed_) read_word_parts(Place::kArgument, parts);
    token.word = {span_from(begin), parts.list()};
    return false;
  }
  assignment.subscripted = true;
  assignment.subscript = {span_of(open, close - 1), parts.list()};
  at_ = close;
  return true;
}

// `a=(b)c` assigns the text `(b)c`. What the brackets hold is read all the same.
void Reader::read_tail(std::uint32_t open, Assignment& assignment) {
  skip_continuations();
  const std::uint32_t close = at_;
  Pile<Part> parts(shared_.arena);
  read_word_parts(Place::kArgument, parts);
  if (at_ == close) return;
  Part whole;
  whole.kind = PartKind::kUnread;
  whole.text = text_.substr(open, at_ - open);
  whole.parts = parts.list();
  whole.span = span_from(open);
  assignment.value = {whole.span, {shared_.arena.copy(&whole, 1), 1}};
}

// Whether the subscript that begins here ends before anything that would end the word.
bool Reader::is_plain_subscript(std::uint32_t from) const {
  for (std::uint32_t i = from; i < end_; ++i) {
    i = behind_continuations(i);
    if (look_at(i) == ']') return true;
    if (std::string_view(" \t\n|&;()<>'\"`\\").find(look_at(i)) != std::string_view::npos)
      return false;
  }
  return false;
}

// Behind the `(` of a compound assignment: words on any number of lines.
void Reader::read_elements(Assignment& into) {
  const std::uint32_t begin = at_ - 1;
  Pile<Element> elements(shared_.arena);
  while (!failed_) {
    skip_blanks();
    if (look() == '\n') {
      // LIMIT: inside a substitution bash joins such a line with the next, and loses a backslash.
      if (in_substitution_ > 0 && at_ >= begin + 2 && text_[at_ - 2] == '\\')
        too_much(begin, "a line of an array ends in an escaped character");
      ++at_;
      // LIMIT: bash mistakes the delimiter of a here-document that the command announced before.
      for (const Pending& each : pending_)
        if (each.closed == 0) too_much(begin, "the body of a here-document begins inside an array");
      if (!failed_ && !pending_.empty()) read_bodies();
      continue;
    }
    if (done()) {
      fail(begin, "`(` is not closed", true);
      break;
    }
    if (look() == ')') {
      ++at_;
      break;
    }
    if (!count_piece()) break;
    Element element;
    const std::uint32_t at = at_;
    const bool subscripted = read_element_subscript(element);
    if (!failed_ && element.value.parts.empty()) element.value = read_word(Place::kArgument);
    if (at == at_ && !failed_ && !subscripted) {
      read_token(Place::kArgument);
      unexpected(token_);
    }
    elements.add(element);
  }
  into.elements = elements.list();
}

// `[…]=` before an element. Without the `=` the brackets begin a word that may hold blanks.
bool Reader::read_element_subscript(Element& element) {
  if (look() != '[') return false;
  const std::uint32_t begin = at_;
  const std::uint32_t close = skip_pair(Pair::kSubscript, at_ + 1);
  if (close == 0) return failed_ || fail(begin, "`[` is not closed", true);
  Pile<Part> parts(shared_.arena);
  if (!assigns_at(close)) {
    read_parts(Quoting::kInside, close, '\0', parts);
    if (!failed_) read_word_parts(Place::kArgument, parts);
    element.value = {span_from(begin), parts.list()};
    return true;
  }
  ++at_;
  read_parts(Quoting::kInside, close - 1, '\0', parts);
  element.subscripted = true;
  element.subscript = {span_of(begin + 1, close - 1), parts.list()};
  if (failed_) return true;
  at_ = behind_continuations(close);
  element.append = look() == '+';
  if (element.append) at_ = behind_continuations(at_ + 1);
  ++at_;  // the `=`
  return true;
}

}  // namespace tollgate::shell
