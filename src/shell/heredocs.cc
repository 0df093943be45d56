// Bodies of here-documents: lines up to the one that is the delimiter.
// Where the delimiter has no quotes, the body is expanded as between double quotes.
// INVARIANT: a body that no line ends goes to the end of the text, as bash takes it.
#include "shell/reader.h"

namespace tollgate::shell {
namespace {

// The delimiter's own characters.
std::string without_quotes(std::string_view raw, bool& quoted) {
  std::string plain;
  char quote = '\0';
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    if (quote == '\'') {
      if (c == '\'')
        quote = '\0';
      else
        plain += c;
    } else if (c == '\\' && i + 1 < raw.size()) {
      const char next = raw[i + 1];
      if (next == '\n') {
        ++i;
        continue;
      }
      quoted = true;
      const bool kept = quote == '"' && next != '"' && next != '\\' && next != '$' && next != '`';
      if (kept) plain += c;
      plain += next;
      ++i;
    } else if (c == '"' || (c == '\'' && quote == '\0')) {
      quoted = true;
      quote = quote == '"' ? '\0' : c;
    } else {
      plain += c;
    }
  }
  return plain;
}

}  // namespace

void Reader::announce(Redirection& redirection) {
  HereDocument* here = shared_.arena.make<HereDocument>();
  bool quoted = false;
  const std::string_view raw = text_.substr(token_.begin, token_.end - token_.begin);
  here->delimiter = shared_.arena.copy(std::string_view(without_quotes(raw, quoted)));
  here->quoted = quoted;
  redirection.here = here;
  pending_.push_back({here, redirection.op == RedirectionOp::kHereTabs});
}

void Reader::read_bodies() {
  std::vector<Pending> waiting;
  waiting.swap(pending_);
  for (Pending& each : waiting) {
    if (failed_) return;
    read_body_of(each);
  }
}

void Reader::read_body_of(Pending& pending) {
  HereDocument& here = *pending.here;
  std::string body;
  std::vector<std::uint32_t> map;
  const std::uint32_t begin = at_;
  std::uint32_t body_end = at_;
  bool copied =
      false;  // tabs or continuations were dropped, so the body is not a piece of the text
  while (at_ < end_) {
    const std::uint32_t line = at_;
    std::uint32_t from = line;
    if (pending.tabs)
      while (look_at(from) == '\t' && from < end_) ++from;
    // One line, or several that backslashes join, where the delimiter is not quoted.
    std::string text;
    std::vector<std::uint32_t> places;
    std::uint32_t i = from;
    bool joined = false;
    for (; i < end_ && text_[i] != '\n'; ++i) {
      if (!here.quoted && text_[i] == '\\' && i + 1 < end_) {
        if (text_[i + 1] == '\n') {
          joined = true;
          ++i;
          continue;
        }
        text += text_[i];
        places.push_back(i);
        ++i;
      }
      text += text_[i];
      places.push_back(i);
    }
    at_ = std::min(i + 1, end_);
    if (text == here.delimiter) {
      here.closed = true;
      break;
    }
    // Inside $( … ) a line may end both: bash takes what follows the delimiter for shell text, if
    // only a bracket is in it.
    const std::size_t size = here.delimiter.size();
    if (in_substitution_ > 0 && std::string_view(text).starts_with(here.delimiter) &&
        text.find(')', size) != text.npos) {
      here.closed = true;
      at_ = places[size];
      break;
    }
    copied = copied || joined || from != line;
    body += text;
    map.insert(map.end(), places.begin(), places.end());
    if (i < end_) {
      body += '\n';
      map.push_back(i);
    }
    body_end = at_;
  }
  Source source = part_of_source(begin, body_end);
  if (copied) {
    for (std::uint32_t& place : map) place = span_of(place, place).begin;
    map.push_back(span_of(body_end, body_end).begin);
    source.text = shared_.arena.copy(std::string_view(body));
    source.map = shared_.arena.copy(map.data(), map.size());
  }
  if (here.quoted) {
    Part part;
    part.kind = PartKind::kSingle;
    part.span = span_of(begin, body_end);
    part.text = source.text;
    here.body = {part.span, {shared_.arena.copy(&part, 1), 1}};
    return;
  }
  // Its expansions are read when the document is used: mistakes there are not this text's.
  Reader inner(shared_, source);
  here.body = inner.read_body(Quoting::kHere);
  here.refused = inner.failed();
}

}  // namespace tollgate::shell
