// Bodies of here-documents: lines up to the one that is the delimiter.
// Where the delimiter has no quotes, the body is expanded as between double quotes.
// INVARIANT: a body that no line ends goes to the end of the text, as bash takes it.
#include <algorithm>

#include "shell/reader.h"

namespace tollgate::shell {
namespace {

struct Delimiter {
  std::string plain;    // its own characters
  bool quoted = false;  // some of them
  // An expansion in it keeps the quotes inside, and $'…' and $"…" lose their dollar: then it is not
  // told what the characters are.
  bool told = true;
};

Delimiter delimiter_of(std::string_view raw) {
  Delimiter out;
  std::string& plain = out.plain;
  bool& quoted = out.quoted;
  bool expands = false;
  char quote = '\0';
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const char c = raw[i];
    const char behind = i + 1 < raw.size() ? raw[i + 1] : '\0';
    if (quote != '\'' && c == '$') {
      if (quote == '\0' && (behind == '\'' || behind == '"')) out.told = false;
      expands = expands || behind == '(' || behind == '{' || behind == '[';
    }
    expands = expands || (quote != '\'' && c == '`');
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
      quoted = quoted || c == '\\';  // the last character of the text
      plain += c;
    }
  }
  if (expands && quoted) out.told = false;
  return out;
}

}  // namespace

void Reader::announce(Redirection& redirection) {
  HereDocument* here = shared_.arena.make<HereDocument>();
  const std::string_view raw = text_.substr(token_.begin, token_.end - token_.begin);
  // LIMIT: no line could end such a document, or only one that nobody would see in it.
  if (raw.find('\n') != raw.npos)
    too_much(token_.begin, "the delimiter of a here-document goes over two lines");
  const Delimiter delimiter = delimiter_of(raw);
  if (!delimiter.told)
    too_much(token_.begin, "the delimiter of a here-document has quotes and an expansion in it");
  const bool tabs = redirection.op == RedirectionOp::kHereTabs;
  if (tabs && delimiter.plain.starts_with('\t'))
    too_much(token_.begin, "the delimiter of a here-document begins with what `<<-` leaves out");
  here->delimiter = shared_.arena.copy(std::string_view(delimiter.plain));
  here->quoted = delimiter.quoted;
  redirection.here = here;
  pending_.push_back({here, tabs});
}

// Bash reads a body that a closed substitution still waits for from the very next line, even where
// the command goes on there.
bool Reader::follows_its_line(const Pending& pending) const {
  const std::size_t line = text_.find('\n', pending.closed);
  return line == text_.npos || line + 1 == at_;
}

void Reader::read_bodies() {
  std::vector<Pending> waiting;
  waiting.swap(pending_);
  const auto late = std::find_if(waiting.begin(), waiting.end(),
                                 [](const Pending& each) { return each.closed != 0; });
  if (late != waiting.end() && !follows_its_line(*late)) {
    too_much(late->closed - 1, "the body of a here-document begins where a command goes on");
    return;
  }
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
  bool copied = false;  // something was dropped or added: the body is not a piece of the text
  while (at_ < end_) {
    const std::uint32_t line = at_;
    // One line, or several that backslashes join, where the delimiter is not quoted. Tabs are left
    // out before the whole of it, so also behind a join.
    std::uint32_t from = here.quoted ? line : behind_continuations(line);
    if (pending.tabs)
      while (look_at(from) == '\t') from = here.quoted ? from + 1 : behind_continuations(from + 1);
    std::string text;
    std::vector<std::uint32_t> places;
    std::uint32_t i = from;
    bool joined = false;
    for (; i < end_ && text_[i] != '\n'; ++i) {
      if (!here.quoted && text_[i] == '\\') {
        if (look_at(i + 1) == '\n') {
          joined = true;
          ++i;
          continue;
        }
        text += text_[i];
        places.push_back(i);
        if (i + 1 < end_) ++i;  // else it stands for itself, and so is written twice
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
    if (std::string_view(text).starts_with(here.delimiter) && text.find(')', size) != text.npos) {
      if (in_substitution_ > 0) {
        here.closed = true;
        at_ = places[size];
        break;
      }
      // LIMIT: it looks like the end, and stands too late to be one.
      if (pending.closed != 0) too_much(line, "the end of a here-document cannot be told");
    }
    // The last line gets its end where the text lacks it.
    copied = copied || joined || from != line || i >= end_;
    body += text;
    body += '\n';
    map.insert(map.end(), places.begin(), places.end());
    map.push_back(std::min(i, end_ - 1));
    body_end = at_;
  }
  Source source = part_of_source(begin, body_end);
  if (copied) {
    for (std::uint32_t& place : map) place = span_of(place, place).begin;
    map.push_back(span_of(body_end, body_end).begin);
    source.text = shared_.arena.copy(std::string_view(body));
    source.map = shared_.arena.copy(map.data(), map.size());
  }
  here.text = source.text;
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
