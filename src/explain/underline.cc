// First the lines as cells, a character each; then those worth showing, folded to the screen.
// A cell knows whether it is marked, so that folding cannot lose a caret.
#include "explain/underline.h"

#include <algorithm>
#include <utility>

namespace tollgate {
namespace {

// LIMIT: of a longer text only what stands near a marked line is shown; the rest is counted.
constexpr std::size_t kShownLines = 12;
constexpr std::size_t kAround = 2;  // lines shown before and after a marked one
constexpr std::size_t kTab = 4;
constexpr std::size_t kFoldIndent = 2;

struct Cell {
  std::string shown;
  std::size_t columns = 1;
  bool marked = false;
};
using Line = std::vector<Cell>;

bool is_marked(const Line& line) { return std::ranges::any_of(line, &Cell::marked); }

bool is_inside(std::size_t at, const std::vector<Span>& spans) {
  return std::ranges::any_of(spans, [&](Span span) {
    return span.size == 0 ? at == span.begin : at >= span.begin && at < span.end();
  });
}

std::vector<Line> lines_of(std::string_view text, const std::vector<Span>& spans) {
  std::vector<Line> lines(1);
  std::size_t width = 0;  // of the line so far
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    const bool marked = is_inside(at, spans);
    if (text[at] == '\n') {
      // Only an empty span can mean the end of a line.
      if (marked &&
          std::ranges::find(spans, Span{static_cast<std::uint32_t>(at), 0}) != spans.end())
        lines.back().push_back({" ", 1, true});
      lines.emplace_back();
      width = 0;
    } else if (text[at] == '\t') {
      const std::size_t blanks = kTab - width % kTab;
      lines.back().push_back({std::string(blanks, ' '), blanks, marked});
      width += blanks;
    } else {
      std::string shown = visible(text.substr(at, size));
      const std::size_t wide = columns(shown);
      lines.back().push_back({std::move(shown), wide, marked});
      width += wide;
    }
    at += size;
  }
  return lines;
}

// A line of the text or, where that fills the screen, a part of it.
struct Piece {
  Line cells;
  bool continues = false;
};

// Cuts lines where they fill the screen, behind a blank where there is one.
void fold(Line line, std::size_t width, std::vector<Piece>& out) {
  constexpr std::size_t kLeast = 20;
  std::size_t begin = 0;
  while (width >= kLeast) {
    const std::size_t room = begin == 0 ? width : width - kFoldIndent;
    std::size_t end = begin, taken = 0, blank = 0;
    while (end < line.size() && taken + line[end].columns <= room) {
      taken += line[end].columns;
      if (line[end++].shown == " ") blank = end;
    }
    if (end == line.size()) break;
    if (blank > begin + (end - begin) / 2) end = blank;
    out.push_back({Line(line.begin() + static_cast<std::ptrdiff_t>(begin),
                        line.begin() + static_cast<std::ptrdiff_t>(end)),
                   begin > 0});
    begin = end;
  }
  out.push_back({Line(line.begin() + static_cast<std::ptrdiff_t>(begin), line.end()), begin > 0});
}

// Which pieces of a long text stand near a marked one; all of a short text.
std::vector<char> worth_showing(const std::vector<Piece>& pieces) {
  std::vector<char> shown(pieces.size(), pieces.size() <= kShownLines ? 1 : 0);
  if (pieces.size() <= kShownLines) return shown;
  const auto show = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, shown.size()); ++i) shown[i] = 1;
  };
  bool any = false;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (!is_marked(pieces[i].cells)) continue;
    any = true;
    show(i < kAround ? 0 : i - kAround, i + kAround + 1);
  }
  show(0, any ? 1 : kShownLines);
  return shown;
}

void add_line(std::string_view indent, const Line& line, const Paint& paint, std::string& out) {
  std::string text(indent), carets(indent);
  for (const Cell& cell : line) {
    text += cell.shown;
    carets.append(cell.columns, cell.marked ? '^' : ' ');
  }
  text.resize(text.find_last_not_of(' ') + 1);
  out += text + "\n";
  const std::size_t first = carets.find('^');
  if (first == carets.npos) return;
  carets.resize(carets.find_last_not_of(' ') + 1);
  out += carets.substr(0, first) + paint.caret(carets.substr(first)) + "\n";
}

}  // namespace

std::string underlined(std::string_view text, const std::vector<Span>& spans, const Paint& paint,
                       UnderlineOptions options) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  std::vector<Line> lines = lines_of(text, spans);
  if (std::ranges::any_of(spans, [&](Span s) { return s.size == 0 && s.begin >= text.size(); }))
    lines.back().push_back({" ", 1, true});
  const std::size_t room = options.width > options.margin ? options.width - options.margin : 0;
  std::vector<Piece> pieces;
  for (Line& line : lines) fold(std::move(line), room, pieces);
  const std::vector<char> shown = worth_showing(pieces);
  const std::string indent(options.margin, ' ');
  std::string out;
  for (std::size_t i = 0; i < pieces.size();) {
    std::size_t skipped = 0;
    while (i + skipped < pieces.size() && !shown[i + skipped]) ++skipped;
    if (skipped > 0)
      out += indent + paint.faint("… " + std::to_string(skipped) + " lines") + "\n";
    else
      add_line(pieces[i].continues ? indent + std::string(kFoldIndent, ' ') : indent,
               pieces[i].cells, paint, out);
    i += std::max<std::size_t>(skipped, 1);
  }
  return out;
}

}  // namespace tollgate
