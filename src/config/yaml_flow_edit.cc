// Edits of lists and mappings between brackets.
// A piece that has its lines for itself is put in and taken out as lines, any other within its
// line.
// INVARIANT: an item that was put in and taken out again leaves the bytes as they were.
#include <algorithm>

#include "config/yaml_edit.h"

namespace tollgate::config {
namespace {

constexpr auto kNone = std::string::npos;

// One member of a list or mapping, as it stands in the text.
struct Piece {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t comma = kNone;  // behind it
};

struct Pieces {
  std::size_t open = 0;   // the bracket
  std::size_t close = 0;  // the other one
  std::vector<Piece> each;
};

// Past blanks, line breaks and comments.
std::size_t solid_at(std::string_view text, std::size_t at) {
  for (;;) {
    at = std::min(text.find_first_not_of(" \t\r\n", at), text.size());
    if (at == text.size() || text[at] != '#') return at;
    at = std::min(text.find('\n', at), text.size());
  }
}

Pieces pieces_of(std::string_view text, const Node& container) {
  Pieces pieces{container.offset, container.end - 1u, {}};
  std::size_t from = container.offset + 1;
  for (const Node& item : container.items) {
    Piece piece{solid_at(text, from), item.end, kNone};
    std::size_t next = solid_at(text, piece.end);
    // A key without a value ends behind its colon.
    if (next < text.size() && text[next] == ':') {
      piece.end = next + 1;
      next = solid_at(text, piece.end);
    }
    if (next < text.size() && text[next] == ',') piece.comma = next;
    from = piece.comma == kNone ? next : piece.comma + 1;
    pieces.each.push_back(piece);
  }
  return pieces;
}

bool has_any(std::string_view text, std::size_t begin, std::size_t end, std::string_view of) {
  return begin < end && text.substr(begin, end - begin).find_first_of(of) != kNone;
}

// Only blanks stand before it on its line.
bool begins_line(std::string_view text, std::size_t at) {
  const std::size_t begin = at - column_of(text, at);
  return text.find_first_not_of(" \t", begin) == at;
}

// The piece, its comma and a comment have their lines for themselves.
bool is_alone(std::string_view text, const Piece& piece) {
  if (!begins_line(text, piece.begin)) return false;
  const bool comma = piece.comma != kNone;
  if (comma && has_any(text, piece.end, piece.comma, "\n#")) return false;
  const std::size_t behind =
      std::min(text.find_first_not_of(" \t\r", comma ? piece.comma + 1 : piece.end), text.size());
  return behind == text.size() || text[behind] == '\n' || text[behind] == '#';
}

std::string with_first(const std::string& text, const Pieces& pieces, const std::string& piece) {
  const std::size_t close = pieces.close;
  if (close > pieces.open + 1 && begins_line(text, close)) {
    const std::string line = std::string(column_of(text, close) + 2, ' ') + piece;
    const std::size_t above = close - column_of(text, close) - 1;
    return with_cuts(text, {lines_below(text, above, {line})});
  }
  const bool airy = close == pieces.open + 2 && text[close - 1] == ' ';
  return with_cuts(text, {{close, close, airy ? piece + " " : piece}});
}

std::string without_only(const std::string& text, const Pieces& pieces, const Piece& piece) {
  if (is_alone(text, piece)) return with_cuts(text, {lines_gone(text, piece.begin, piece.end)});
  const bool airy = piece.begin == pieces.open + 2 && text[pieces.open + 1] == ' ' &&
                    piece.end + 1 == pieces.close && text[piece.end] == ' ';
  if (airy) return with_cuts(text, {{piece.begin, pieces.close, ""}});
  return with_cuts(text, {{piece.begin, piece.comma == kNone ? piece.end : piece.comma + 1, ""}});
}

// The last of several, within its line.
std::vector<Cut> last_gone(std::string_view text, const Piece& before, const Piece& last) {
  if (!has_any(text, before.end, last.begin, "#\n")) return {{before.end, last.end, ""}};
  const std::size_t comma = last.comma == kNone ? before.comma : last.comma;
  return {{last.begin, last.end, ""}, {comma, comma + 1, ""}};
}

}  // namespace

std::string with_flow_piece(const Document& document, const Node& container,
                            const std::string& piece) {
  const std::string& text = document.text();
  const Pieces pieces = pieces_of(text, container);
  if (pieces.each.empty()) return with_first(text, pieces, piece);
  const Piece& last = pieces.each.back();
  if (!is_alone(text, last)) return with_cuts(text, {{last.end, last.end, ", " + piece}});
  const std::string line = std::string(column_of(text, last.begin), ' ') + piece;
  if (last.comma != kNone) return with_cuts(text, {lines_below(text, last.comma, {line + ","})});
  return with_cuts(text, {{last.end, last.end, ","}, lines_below(text, last.end, {line})});
}

std::string without_flow_piece(const Document& document, const Node& container, std::size_t index) {
  const std::string& text = document.text();
  const Pieces pieces = pieces_of(text, container);
  const Piece& piece = pieces.each[index];
  const bool last = index + 1 == pieces.each.size();
  if (pieces.each.size() == 1) return without_only(text, pieces, piece);
  if (is_alone(text, piece)) {
    std::vector<Cut> cuts = {lines_gone(text, piece.begin, piece.end)};
    const std::size_t comma = pieces.each[index == 0 ? 0 : index - 1].comma;
    if (last && piece.comma == kNone && comma != kNone) cuts.push_back({comma, comma + 1, ""});
    return with_cuts(text, std::move(cuts));
  }
  if (last) return with_cuts(text, last_gone(text, pieces.each[index - 1], piece));
  const std::size_t next = pieces.each[index + 1].begin;
  const bool remark = has_any(text, piece.end, next, "#");
  return with_cuts(text,
                   {{piece.begin, remark && piece.comma != kNone ? piece.comma + 1 : next, ""}});
}

}  // namespace tollgate::config
