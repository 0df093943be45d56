// Words and their parts: literals, quotes, patterns.
// One loop for words and one for text in which blanks and operators mean nothing.
// INVARIANT: every turn of a loop moves forward or ends it.
#include <utility>

#include "shell/reader.h"

namespace tollgate::shell {
namespace {

// Characters that end a run of plain ones.
using Table = std::array<bool, 256>;
constexpr Table special_characters(std::string_view listed) {
  Table table = {};
  for (const char c : listed) table[static_cast<unsigned char>(c)] = true;
  return table;
}

constexpr auto kInWord = special_characters(" \t\n|&;()<>\\'\"`$?*+@![");
constexpr auto kEndsWord = special_characters(" \t\n;&");
constexpr auto kInside = special_characters("\\'\"`$<>}");
constexpr auto kInDouble = special_characters("\\'\"`$}");
// Of those that end no run: what may mean something all the same.
constexpr auto kExpands = special_characters("~{");

bool marks(const Table& table, char c) { return table[static_cast<unsigned char>(c)]; }

}  // namespace

void Reader::add_literal(std::uint32_t begin, std::uint32_t end, Pile<Part>& parts) {
  if (begin == end) return;
  // Characters that stand together become one part, so that a plain word has just one.
  if (parts.size() > 0 && parts.back().kind == PartKind::kLiteral &&
      parts.back().text.data() + parts.back().text.size() == text_.data() + begin) {
    Part& last = parts.back();
    last.text = {last.text.data(), last.text.size() + (end - begin)};
    last.span.size = span_of(begin, end).end() - last.span.begin;
    return;
  }
  Part part;
  part.span = span_of(begin, end);
  part.text = text_.substr(begin, end - begin);
  parts.add(part);
}

Word Reader::read_word(Place place) {
  const std::uint32_t begin = at_;
  // Most words are plain, and one part.
  std::uint32_t end = begin;
  bool expands = false;
  for (; end < end_ && !marks(kInWord, text_[end]); ++end) expands |= marks(kExpands, text_[end]);
  if (end > begin && (end == end_ || marks(kEndsWord, text_[end]))) {
    at_ = end;
    Part* part = shared_.arena.make<Part>();
    part->plain = !expands;
    part->span = span_of(begin, end);
    part->text = text_.substr(begin, end - begin);
    return {part->span, {part, 1}};
  }
  Pile<Part> parts(shared_.arena);
  read_word_parts(place, parts);
  if (parts.size() > 1) join_literals(parts);
  return {span_from(begin), parts.list()};
}

// `i\<newline>f` is the word `if`.
void Reader::join_literals(Pile<Part>& parts) {
  std::string joined;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].kind != PartKind::kLiteral) return;
    joined += parts[i].text;
  }
  Part part = parts[0];
  part.text = shared_.arena.copy(std::string_view(joined));
  part.span.size = parts.back().span.end() - part.span.begin;
  parts.clear();
  parts.add(part);
}

bool Reader::at_pattern(Place place) const {
  const bool on = shared_.extglob || place == Place::kGlob;
  return on && look_on(1) == '(' &&
         std::string_view("?*+@!").find(look()) != std::string_view::npos;
}

// Whether `<(` or `>(` stands here, perhaps over two lines.
bool Reader::begins_process() const { return look_at(behind_continuations(at_ + 1)) == '('; }

void Reader::read_word_parts(Place place, Pile<Part>& parts) {
  while (!done() && !failed_) {
    std::uint32_t begin = at_;
    while (at_ < end_ && !marks(kInWord, text_[at_])) ++at_;
    add_literal(begin, at_, parts);
    if (done()) return;
    begin = at_;
    const char c = look();
    switch (c) {
      case '\\':
        read_backslash(Quoting::kNone, '\0', parts);
        break;
      case '\'':
        read_single(parts);
        break;
      case '"':
        read_double(parts, PartKind::kDouble, at_);
        break;
      case '`':
        read_backquote(Quoting::kNone, parts);
        break;
      case '$':
        read_dollar(Quoting::kNone, parts);
        break;
      case '<':
      case '>':
        if (!begins_process()) return;
        ++at_;
        skip_continuations();
        ++at_;
        read_substitution(parts, c == '<' ? PartKind::kProcessRead : PartKind::kProcessWrite,
                          begin);
        break;
      case '(':
      case '|':
        if (place != Place::kRegex) return;
        if (c == '(') {
          read_regex_group(parts);
        } else {
          ++at_;
          add_literal(begin, at_, parts);
        }
        break;
      case '?':
      case '*':
      case '+':
      case '@':
      case '!':
        if (at_pattern(place)) {
          read_pattern(parts);
        } else {
          if (shared_.extglob_unsure && look_on(1) == '(') {
            too_much(at_);
            return;
          }
          ++at_;
          add_literal(begin, at_, parts);
        }
        break;
      case '[':
        ++at_;
        add_literal(begin, at_, parts);
        break;
      default:
        return;  // a blank or an operator
    }
  }
}

// Text in which blanks and operators are plain characters, up to `limit` or an unquoted `stop`.
// With '/' or ':' as stop, '}' stops too: it ends the expansion they stand in.
// LIMIT: where something inside goes on behind the limit, bash sees two things in one text.
void Reader::read_parts(Quoting quoting, std::uint32_t limit, char stop, Pile<Part>& parts) {
  const bool plain = quoting == Quoting::kInside;
  const auto& table = plain ? kInside : kInDouble;
  while (at_ < limit && !failed_) {
    std::uint32_t begin = at_;
    while (at_ < limit && !marks(table, text_[at_]) && (stop == '\0' || text_[at_] != stop)) ++at_;
    add_literal(begin, at_, parts);
    if (at_ >= limit) return;
    begin = at_;
    const char c = look();
    if (stop != '\0' && (c == stop || (c == '}' && (stop == '/' || stop == ':')))) return;
    if (c == '\\') {
      read_backslash(quoting, stop, parts);
    } else if (c == '`') {
      read_backquote(quoting, parts);
    } else if (c == '$') {
      read_dollar(quoting, parts);
    } else if (c == '"' && quoting != Quoting::kHere) {
      // Inside "${x:-…}" quotes open again; directly inside "…" the caller stops at them.
      read_double(parts, PartKind::kDouble, at_);
    } else if (c == '\'' && plain) {
      read_single(parts);
    } else if (plain && (c == '<' || c == '>') && begins_process()) {
      ++at_;
      skip_continuations();
      ++at_;
      read_substitution(parts, c == '<' ? PartKind::kProcessRead : PartKind::kProcessWrite, begin);
    } else {
      // In "${x:-'}" bash pairs the quote when it looks for the end, and drops it afterwards.
      if (c == '\'' && quoting == Quoting::kDouble && stop != '"') quote_in_braces_ = true;
      ++at_;
      add_literal(begin, at_, parts);
    }
  }
  if (at_ > limit) too_much(limit, "brackets end where what they hold goes on");
}

void Reader::read_backslash(Quoting quoting, char stop, Pile<Part>& parts) {
  const std::uint32_t begin = at_;
  if (look(1) == '\n' && at_ + 1 < end_) {
    at_ += 2;
    return;
  }
  const bool last = at_ + 1 >= end_;  // at the very end it stands for itself
  const char c = last ? '\\' : look(1);
  const bool plain = quoting == Quoting::kNone || quoting == Quoting::kInside;
  // LIMIT: where the last line began inside a quote, bash drops it.
  if (last && plain && text_.find('\n') < at_)
    too_much(begin, "a backslash ends the text, behind several lines");
  const bool escapes = plain || c == '\\' || c == '$' || c == '`' ||
                       (c == '"' && quoting != Quoting::kHere) || (stop != '\0' && c == '}');
  at_ += last ? 1 : 2;
  if (!escapes) return add_literal(begin, at_, parts);
  Part part;
  part.kind = PartKind::kEscaped;
  part.span = span_from(begin);
  part.text = text_.substr(at_ - 1, 1);
  parts.add(part);
}

void Reader::read_single(Pile<Part>& parts) {
  if (!count_piece()) return;
  const std::uint32_t begin = at_;
  const std::size_t close = text_.substr(0, end_).find('\'', at_ + 1);
  if (close == std::string_view::npos) {
    at_ = end_;
    fail(begin, "the quote `'` is not closed", true);
    return;
  }
  at_ = static_cast<std::uint32_t>(close + 1);
  Part part;
  part.kind = PartKind::kSingle;
  part.span = span_from(begin);
  part.text = text_.substr(begin + 1, close - begin - 1);
  parts.add(part);
}

// `begin` is where the part begins: at the quote, or at the dollar before it.
void Reader::read_double(Pile<Part>& parts, PartKind kind, std::uint32_t begin) {
  if (!count_piece()) return;
  const std::uint32_t open = at_;
  const std::size_t announced = pending_.size();
  const bool outside = std::exchange(quote_in_braces_, false);
  ++at_;
  Part part;
  part.kind = kind;
  {
    Pile<Part> inner(shared_.arena);
    read_parts(Quoting::kDouble, end_, '"', inner);
    if (!failed_ && done()) fail(open, "the quote `\"` is not closed", true);
    if (!failed_) ++at_;
    part.parts = inner.list();
  }
  if (std::exchange(quote_in_braces_, outside)) {
    const std::uint32_t close = skip_pair(Pair::kDouble, open + 1);
    if (close == 0 && !failed_) fail(open, "the quote `\"` is not closed", true);
    // SAFETY: the two readings of bash differ; what both show counts, and nothing is known.
    if (close != 0 && close != at_) {
      at_ = close;
      part.kind = PartKind::kUnread;
      part.text = text_.substr(begin, close - begin);
      keep_documents(announced, begin);
    }
  }
  part.span = span_from(begin);
  parts.add(part);
}

// Brackets in a regular expression: parts of the word like all others, unless they cannot be read.
void Reader::read_regex_group(Pile<Part>& parts) {
  const std::uint32_t begin = at_;
  const std::size_t announced = pending_.size();
  const std::uint32_t close = skip_pair(Pair::kParenthesis, at_ + 1);
  if (close == 0) {
    fail(at_, "`(` is not closed", true);
    return;
  }
  Pile<Part> inner(shared_.arena);
  if (read_apart(close, inner)) {
    for (std::size_t i = 0; i < inner.size(); ++i) parts.add(inner[i]);
  } else {
    Part part;
    part.kind = PartKind::kUnread;
    part.span = span_from(begin);
    part.text = text_.substr(begin, close - begin);
    part.parts = inner.list();
    parts.add(part);
  }
  keep_documents(announced, begin);
}

void Reader::read_pattern(Pile<Part>& parts) {
  const std::uint32_t begin = at_;
  const std::size_t announced = pending_.size();
  const std::uint32_t open = behind_continuations(at_ + 1) + 1;
  const std::uint32_t close = skip_pair(Pair::kParenthesis, open);
  if (close == 0) {
    at_ = end_;
    fail(begin + 1, "`(` is not closed", true);
    return;
  }
  at_ = open;
  Pile<Part> inner(shared_.arena);
  const bool whole = read_apart(close - 1, inner);
  at_ = close;
  Part part;
  part.kind = whole ? PartKind::kPattern : PartKind::kUnread;
  part.span = span_from(begin);
  part.text = text_.substr(begin, close - begin);
  part.parts = inner.list();
  parts.add(part);
  keep_documents(announced, begin);
}

// The brackets of a pattern or of a regular expression, up to `end`. Bash looks into them only when
// it expands the word, so that what they hold announces no here-document and has its own mistakes.
bool Reader::read_apart(std::uint32_t end, Pile<Part>& parts) {
  Reader inner(shared_, part_of_source(at_, end));
  inner.apart_ = true;
  inner.read_parts(Quoting::kInside, inner.end_, '\0', parts);
  at_ = end;
  return !inner.failed();
}

Word Reader::read_body(Quoting quoting) {
  Pile<Part> parts(shared_.arena);
  read_parts(quoting, end_, '\0', parts);
  return {span_of(0, end_), parts.list()};
}

}  // namespace tollgate::shell
