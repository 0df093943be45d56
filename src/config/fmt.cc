// Layout by lines: the tree says where keys and list items begin, and so how far they indent.
// A line that begins nothing (inside quotes, brackets, block text) moves with the line it belongs
// to. SAFETY: each step is checked by reading the result; a step that would change meaning is left
// out.
#include "config/fmt.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "config/yaml.h"
#include "policy/rule.h"

namespace tollgate::config {
namespace {

std::string without_blanks(std::string_view text) {
  std::string result;
  for (char c : text)
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') result += c;
  return result;
}

bool reads_as(const std::string& text, const Document& wanted) {
  std::vector<Diagnostic> problems;
  const Document document = read_yaml(text, wanted.file(), problems);
  return problems.empty() && same_meaning(document.root(), wanted.root()) &&
         without_blanks(text) == without_blanks(wanted.text());
}

// ---- rules ----

struct Edit {
  std::uint32_t offset;
  std::size_t size;
  std::string text;
};

void rule_edit(const Node& node, Verdict list, const Document& document, std::vector<Edit>& edits) {
  if (!node.is_scalar() || !node.verbatim || node.text.find('\n') != std::string::npos) return;
  const Result<Rule> rule = parse_rule(list, node.text, document.place(node));
  if (!rule) return;
  std::string canonical = format_rule(*rule);
  if (canonical == node.text || canonical.find_first_of("\"'\n") != std::string::npos) return;
  if (!node.plain && canonical.find('\\') != std::string::npos) return;
  edits.push_back({node.offset, node.text.size(), std::move(canonical)});
}

// Every list named allow, ask or deny below a key `rules`, wherever it stands.
void rule_edits(const Node& node, const Document& document, std::vector<Edit>& edits) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& value = node.items[i];
    if (!node.is_mapping() || node.keys[i].text != "rules" || !value.is_mapping()) {
      rule_edits(value, document, edits);
      continue;
    }
    for (Verdict list : {Verdict::kAllow, Verdict::kAsk, Verdict::kDeny}) {
      const Node* rules = value.find(name(list));
      if (rules == nullptr || !rules->is_sequence()) continue;
      for (const Node& rule : rules->items) {
        const Node* text = rule.is_mapping() ? rule.find("rule") : &rule;
        if (text != nullptr) rule_edit(*text, list, document, edits);
      }
    }
  }
}

std::string with_edits(std::string text, std::vector<Edit> edits) {
  std::sort(edits.begin(), edits.end(),
            [](const Edit& a, const Edit& b) { return a.offset > b.offset; });
  for (const Edit& edit : edits) text.replace(edit.offset, edit.size, edit.text);
  return text;
}

// Applies the canonical spelling of each rule whose file still reads with only that text changed.
std::string with_canonical_rules(const Document& document) {
  std::vector<Edit> edits;
  rule_edits(document.root(), document, edits);
  const std::string all = with_edits(document.text(), edits);
  std::vector<Diagnostic> problems;
  const Document again = read_yaml(all, document.file(), problems);
  std::vector<Edit> left;
  rule_edits(again.root(), again, left);
  return problems.empty() && left.empty() ? all : document.text();
}

// ---- layout ----

struct Line {
  std::string text;        // without its indentation and line end
  std::size_t indent = 0;  // as written
  int wanted = -1;         // where a key or an item begins: its new indentation
  bool verbatim = false;   // a line of block text
};

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> lines;
  for (std::string_view line : split(text, '\n')) {
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t solid = std::min(line.find_first_not_of(' '), line.size());
    lines.push_back({std::string(line.substr(solid)), solid});
  }
  return lines;
}

// True when a block text (| or >) begins at the end of this line.
bool begins_block_text(std::string_view line) {
  const std::size_t comment = line.find(" #");
  line = trim(line.substr(0, comment));
  while (!line.empty() &&
         (line.back() == '+' || line.back() == '-' || (line.back() >= '1' && line.back() <= '9')))
    line.remove_suffix(1);
  return line.ends_with(" |") || line.ends_with(" >") || line.ends_with(":|") || line == "|" ||
         line == ">";
}

void mark_block_text(std::vector<Line>& lines) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].wanted < 0 || !begins_block_text(lines[i].text)) continue;
    for (std::size_t j = i + 1; j < lines.size(); ++j) {
      if (!trim(lines[j].text).empty() && lines[j].indent <= lines[i].indent) break;
      if (lines[j].wanted >= 0) break;
      lines[j].verbatim = true;
    }
  }
}

class Layout {
 public:
  Layout(const Document& document, std::vector<Line>& lines) : document_(document), lines_(lines) {}

  void place(const Node& node, int indent);

 private:
  bool is_flow(const Node& node) const {
    const std::string& text = document_.text();
    return node.offset < text.size() && (text[node.offset] == '[' || text[node.offset] == '{');
  }
  // Says where the line indents, if the node is the first thing on it.
  void first_on_line(std::uint32_t offset, int indent) {
    const Position where = document_.place(offset);
    if (where.line == 0 || where.line > lines_.size()) return;
    Line& line = lines_[where.line - 1];
    if (line.indent + 1 == where.column) line.wanted = indent;
  }
  // The dash of a list item, or the item itself where no dash is found before it.
  std::uint32_t dash_before(const Node& item) const {
    const std::string& text = document_.text();
    std::uint32_t at = item.offset;
    while (at > 0 && text[at - 1] != '\n') {
      --at;
      if (text[at] == '-') return at;
      if (text[at] != ' ' && text[at] != '"' && text[at] != '\'' && text[at] != '!') break;
    }
    return item.offset;
  }

  const Document& document_;
  std::vector<Line>& lines_;
};

void Layout::place(const Node& node, int indent) {
  if (node.is_scalar() || is_flow(node)) return;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& value = node.items[i];
    if (node.is_mapping()) {
      const Node& key = node.keys[i];
      first_on_line(key.plain || key.offset == 0 ? key.offset : key.offset - 1, indent);
    } else {
      first_on_line(dash_before(value), indent);
    }
    place(value, indent + 2);
  }
}

// `-   x` becomes `- x`; what hangs below the dash moves with it.
void tighten_dashes(std::vector<Line>& lines) {
  for (Line& line : lines) {
    if (line.wanted < 0 || !line.text.starts_with("- ")) continue;
    const std::size_t solid = line.text.find_first_not_of(' ', 1);
    if (solid == std::string::npos || line.text[solid] == '#') continue;
    line.text = "- " + line.text.substr(solid);
  }
}

// Comments stand as far in as what follows them.
void place_comments(std::vector<Line>& lines) {
  int next = 0;
  for (std::size_t i = lines.size(); i-- > 0;) {
    if (lines[i].verbatim) continue;
    if (lines[i].wanted >= 0)
      next = lines[i].wanted;
    else if (lines[i].text.starts_with('#'))
      lines[i].wanted = lines[i].indent == 0 ? 0 : next;
  }
}

std::string written(const std::vector<Line>& lines, bool collapse) {
  std::string out;
  long shift = 0;
  bool blank = true;  // no blank line at the top
  for (const Line& line : lines) {
    if (line.wanted >= 0 && !line.text.starts_with('#'))
      shift = line.wanted - static_cast<long>(line.indent);
    std::string_view text = line.text;
    if (!line.verbatim)
      while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
    if (text.empty()) {
      if (!blank || !collapse || line.verbatim) out += '\n';
      blank = !line.verbatim;
      continue;
    }
    blank = false;
    const long indent =
        line.wanted >= 0 ? line.wanted : std::max(0L, static_cast<long>(line.indent) + shift);
    out.append(static_cast<std::size_t>(indent), ' ');
    out += text;
    out += '\n';
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

std::string laid_out(const Document& document, bool reindent, bool collapse) {
  std::vector<Line> lines = lines_of(document.text());
  Layout(document, lines).place(document.root(), 0);
  mark_block_text(lines);
  if (reindent) {
    tighten_dashes(lines);
    place_comments(lines);
  } else {
    for (Line& line : lines) line.wanted = line.wanted < 0 ? -1 : static_cast<int>(line.indent);
  }
  return written(lines, collapse);
}

}  // namespace

Result<std::string> format_config(std::string_view text, const std::string& file) {
  std::vector<Diagnostic> problems;
  const Document first = read_yaml(std::string(text), file, problems);
  if (!problems.empty()) {
    sort_by_place(problems);
    return Fail(problems.front().error);
  }
  const Document document = read_yaml(with_canonical_rules(first), file, problems);
  struct Try {
    bool reindent, collapse;
  };
  for (const Try& each : {Try{true, true}, Try{false, true}, Try{false, false}}) {
    std::string result = laid_out(document, each.reindent, each.collapse);
    if (!reads_as(result, document)) continue;
    // A second pass must find nothing to do.
    std::vector<Diagnostic> ignored;
    const Document again = read_yaml(result, file, ignored);
    if (laid_out(again, each.reindent, each.collapse) == result) return result;
  }
  return Fail({.code = "format-changes-meaning",
               .message = "`" + file + "` cannot be laid out without changing what it says",
               .hint = "simplify texts that span several lines",
               .where = {.file = file, .line = 0, .column = 0, .width = 1, .text = {}}});
}

}  // namespace tollgate::config
