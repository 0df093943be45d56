// From libfyaml's events to the tree.
// The library never prints: its messages are collected and said again in our words and places.
// SAFETY: the walk keeps its own stack, so depth costs no machine stack and has a limit.
#include <libfyaml.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <set>

#include "base/text.h"
#include "config/yaml.h"

namespace tollgate::config {
namespace {

struct DestroyParser {
  void operator()(fy_parser* parser) const { fy_parser_destroy(parser); }
};
struct DestroyDiag {
  void operator()(fy_diag* diag) const { fy_diag_destroy(diag); }
};

void print_nothing(fy_diag*, void*, const char*, std::size_t) {}

class Reader {
 public:
  Reader(Document& document, std::vector<Diagnostic>& out)
      : document_(document), out_(out), before_(out.size()) {}

  void read();

 private:
  bool open();
  bool take(fy_event& event);  // false: no use in going on
  bool start(NodeKind kind, fy_event& event, fy_token* anchor, fy_token* tag);
  void finish(fy_event& event);
  void scalar(fy_event& event);
  void add(Node&& node);
  void check_key(const Node& key);
  void refuse_anchor(fy_token* anchor);
  void check_tag(fy_token* tag, Node& node);
  void library_errors();
  void report(std::string code, std::string message, std::string hint, std::uint32_t offset,
              std::uint32_t width = 1);

  // A container that is being filled, and the key that waits for its value.
  struct Open {
    Node node;
    Node key;
    bool has_key = false;
    std::set<std::string, std::less<>> seen;  // filled only for large mappings
  };

  Document& document_;
  std::vector<Diagnostic>& out_;
  std::size_t before_;  // how many there were when the reading began
  std::unique_ptr<fy_diag, DestroyDiag> diag_;
  std::unique_ptr<fy_parser, DestroyParser> parser_;
  std::vector<Open> stack_;
  int documents_ = 0;
  bool has_root_ = false;
};

std::uint32_t offset_of(const fy_mark* mark) {
  return mark == nullptr ? 0 : static_cast<std::uint32_t>(mark->input_pos);
}

void Reader::report(std::string code, std::string message, std::string hint, std::uint32_t offset,
                    std::uint32_t width) {
  out_.push_back({Severity::kError,
                  {.code = std::move(code),
                   .message = std::move(message),
                   .hint = std::move(hint),
                   .where = document_.place(offset, width)}});
}

bool Reader::open() {
  fy_diag_cfg quiet{};
  fy_diag_cfg_default(&quiet);
  quiet.fp = nullptr;
  quiet.output_fn = print_nothing;
  quiet.level = FYET_ERROR;
  quiet.colorize = false;
  diag_.reset(fy_diag_create(&quiet));
  if (!diag_) return false;
  fy_diag_set_collect_errors(diag_.get(), true);
  const fy_parse_cfg settings{.search_path = "",
                              .flags = static_cast<fy_parse_cfg_flags>(
                                  FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE |
                                  FYPCF_DISABLE_ACCELERATORS | FYPCF_SLOPPY_FLOW_INDENTATION),
                              .userdata = nullptr,
                              .diag = diag_.get()};
  parser_.reset(fy_parser_create(&settings));
  return parser_ &&
         fy_parser_set_string(parser_.get(), document_.text().data(), document_.text().size()) == 0;
}

void Reader::read() {
  document_.root().kind = NodeKind::kMapping;
  if (!open())
    return report("yaml-syntax", "the YAML reader could not be started", "free some memory", 0);
  bool going = true;
  while (going) {
    fy_event* event = fy_parser_parse(parser_.get());
    if (event == nullptr) break;
    going = take(*event) && out_.size() - before_ < kMaxErrors;
    fy_parser_event_free(parser_.get(), event);
  }
  if (out_.size() - before_ >= kMaxErrors) {
    document_.root() = Node{};
    document_.root().kind = NodeKind::kMapping;
    return out_.push_back(too_many_errors(document_.file()));
  }
  if (fy_parser_get_stream_error(parser_.get())) library_errors();
}

bool Reader::take(fy_event& event) {
  switch (event.type) {
    case FYET_DOCUMENT_START:
      if (++documents_ == 1) return true;
      report("yaml-several-documents", "a second document begins here",
             "keep one document a file: remove the `---`", offset_of(fy_event_start_mark(&event)),
             3);
      return false;
    case FYET_SEQUENCE_START:
      return start(NodeKind::kSequence, event, event.sequence_start.anchor,
                   event.sequence_start.tag);
    case FYET_MAPPING_START:
      return start(NodeKind::kMapping, event, event.mapping_start.anchor, event.mapping_start.tag);
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
      finish(event);
      return true;
    case FYET_SCALAR:
      scalar(event);
      return true;
    case FYET_ALIAS: {
      Node node;
      node.offset = offset_of(fy_event_start_mark(&event));
      report("yaml-alias", "an alias is not taken in a policy",
             "write the value out; quote it when the `*` belongs to the text", node.offset);
      add(std::move(node));
      return true;
    }
    default:
      return true;
  }
}

bool Reader::start(NodeKind kind, fy_event& event, fy_token* anchor, fy_token* tag) {
  Open open;
  open.node.kind = kind;
  open.node.offset = offset_of(fy_event_start_mark(&event));
  refuse_anchor(anchor);
  if (tag != nullptr) check_tag(tag, open.node);
  if (stack_.size() == kMaxDepth) {
    report("yaml-too-deep", "the file is nested deeper than " + std::to_string(kMaxDepth),
           "flatten it", open.node.offset);
    return false;
  }
  stack_.push_back(std::move(open));
  return true;
}

void Reader::finish(fy_event& event) {
  Node node = std::move(stack_.back().node);
  const std::string& all = document_.text();
  const char first = node.offset < all.size() ? all[node.offset] : ' ';
  // Without brackets the library's own end is where the next thing begins.
  if (first == '[' || first == '{')
    node.end = offset_of(fy_event_end_mark(&event));
  else
    node.end = node.items.empty() ? node.offset : node.items.back().end;
  stack_.pop_back();
  add(std::move(node));
}

// Block text ends before the line break of its last line; blank lines behind it are its own only
// where it keeps them.
std::uint32_t end_of_block(const std::string& all, std::size_t end, std::string_view value) {
  const auto back = [&](std::string_view over) {
    while (end > 0 && over.find(all[end - 1]) != over.npos) --end;
  };
  if (!value.ends_with("\n\n") && value != "\n") {
    back(" \t\r\n");
  } else {
    back(" \t");
    if (end > 0 && all[end - 1] == '\n') --end;
    back("\r");
  }
  return static_cast<std::uint32_t>(end);
}

std::uint32_t end_of_scalar(const std::string& all, fy_event& event, std::string_view value) {
  const std::size_t end = std::min<std::size_t>(offset_of(fy_event_end_mark(&event)), all.size());
  switch (fy_token_scalar_style(event.scalar.value)) {
    case FYSS_SINGLE_QUOTED:
    case FYSS_DOUBLE_QUOTED:
      return static_cast<std::uint32_t>(std::min(end + 1, all.size()));
    case FYSS_LITERAL:
    case FYSS_FOLDED:
      return end_of_block(all, end, value);
    default:
      return static_cast<std::uint32_t>(end);
  }
}

void Reader::scalar(fy_event& event) {
  Node node;
  std::size_t size = 0;
  fy_token* token = event.scalar.value;
  const fy_mark* begin = fy_event_start_mark(&event);
  node.offset = offset_of(begin);
  if (token != nullptr) {
    const char* text = fy_token_get_text(token, &size);
    if (text != nullptr) node.text.assign(text, size);
    node.plain = fy_token_scalar_style(token) == FYSS_PLAIN;
    node.end = end_of_scalar(document_.text(), event, node.text);
  }
  const std::string& all = document_.text();
  const bool quoted = !node.plain && node.offset < all.size() &&
                      (all[node.offset] == '"' || all[node.offset] == '\'');
  if (quoted) ++node.offset;
  node.verbatim = all.compare(std::min<std::size_t>(node.offset, all.size()), size, node.text) == 0;
  node.width = static_cast<std::uint32_t>(std::max<std::size_t>(size, 1));
  refuse_anchor(event.scalar.anchor);
  if (event.scalar.tag != nullptr) check_tag(event.scalar.tag, node);
  add(std::move(node));
}

// Puts a finished node where it belongs: into the container on top, as key or value.
void Reader::add(Node&& node) {
  if (stack_.empty()) {
    if (!has_root_ && !node.is_null()) document_.root() = std::move(node);
    has_root_ = true;
    return;
  }
  Open& top = stack_.back();
  // What is not written has no place of its own: it gets that of its key, or of its list.
  const bool unwritten = node.is_scalar() && node.plain && node.text.empty();
  if (top.node.kind == NodeKind::kSequence) {
    if (unwritten) node.offset = node.end = top.node.offset;
    top.node.items.push_back(std::move(node));
  } else if (!top.has_key) {
    if (unwritten) node.offset = node.end = top.node.offset;
    check_key(node);
    top.key = std::move(node);
    top.has_key = true;
  } else {
    if (unwritten) {
      node.offset = top.key.offset;
      node.width = top.key.width;
      node.end = top.key.end;
    }
    top.node.keys.push_back(std::move(top.key));
    top.node.items.push_back(std::move(node));
    top.has_key = false;
  }
}

void Reader::check_key(const Node& key) {
  if (!key.is_scalar())
    return report("yaml-bad-key", "a key must be plain text, not a list or a mapping",
                  "quote the text when the brackets belong to it", key.offset);
  if (key.text == "<<" && key.plain)
    return report("yaml-merge-key", "a merge key is not taken in a policy",
                  "write the keys out, or use `extends`", key.offset, 2);
  Open& top = stack_.back();
  constexpr std::size_t kSmall = 16;
  bool twice = false;
  if (top.node.keys.size() < kSmall) {
    for (const Node& other : top.node.keys) twice = twice || other.text == key.text;
  } else {
    if (top.seen.empty())
      for (const Node& other : top.node.keys) top.seen.insert(other.text);
    twice = !top.seen.insert(key.text).second;
  }
  if (twice)
    report("yaml-duplicate-key", "the key `" + key.text + "` stands twice in this mapping",
           "keep one of the two", key.offset, key.width);
}

void Reader::refuse_anchor(fy_token* anchor) {
  if (anchor == nullptr) return;
  const std::uint32_t at = offset_of(fy_token_start_mark(anchor));
  report("yaml-alias", "an anchor is not taken in a policy",
         "write the value out; quote it when the `&` belongs to the text", at == 0 ? 0 : at - 1);
}

void Reader::check_tag(fy_token* tag, Node& node) {
  static constexpr std::string_view kCore = "tag:yaml.org,2002:";
  static constexpr std::string_view kNames[] = {"str",   "int", "bool", "null",
                                                "float", "seq", "map"};
  const char* text = fy_tag_token_tag(tag) == nullptr ? nullptr : fy_token_get_text0(tag);
  const std::string_view whole = text == nullptr ? "" : text;
  if (whole.starts_with(kCore))
    for (std::string_view name : kNames)
      if (whole.substr(kCore.size()) == name) {
        if (name == "str") node.plain = false;
        return;
      }
  report("yaml-tag", "the tag `" + std::string(whole) + "` is not taken in a policy",
         "remove the tag; quote the text when the `!` belongs to it",
         offset_of(fy_token_start_mark(tag)));
}

// A hint for the mistakes that people make in policies.
std::string hint_for(const Position& where, bool tab) {
  if (tab) return "use blanks for indentation, never tabs";
  const std::size_t at = where.column == 0 ? 0 : where.column - 1;
  char found = at < where.text.size() ? where.text[at] : ' ';
  if (at > 0 && at <= where.text.size() && where.text[at - 1] == '*') found = '*';
  if (found == '@' || found == '`' || found == '%' || found == '*')
    return std::string("put the text in quotes: `") + found + "` cannot begin a plain one";
  return "check indentation, quotes and brackets here and on the line before";
}

void Reader::library_errors() {
  void* previous = nullptr;
  std::size_t count = 0;
  while (const fy_diag_error* error = fy_diag_errors_iterate(diag_.get(), &previous)) {
    if (error->type != FYET_ERROR || error->line <= 0) continue;
    std::uint32_t offset = 0;
    const std::string& text = document_.text();
    for (int line = 1; line < error->line && offset < text.size(); ++offset)
      if (text[offset] == '\n') ++line;
    Position where = document_.place(offset);
    const std::size_t solid = where.text.find_first_not_of(" \t");
    const std::size_t tab = where.text.find('\t');
    const bool tabbed = tab != std::string::npos && tab < solid;
    where.column = tabbed ? static_cast<std::uint32_t>(tab + 1)
                          : static_cast<std::uint32_t>(std::max(error->column, 1));
    std::string message = lower(std::string_view(error->msg == nullptr ? "" : error->msg));
    if (tabbed) message = "a tab stands in the indentation";
    const std::string hint = hint_for(where, tabbed);
    out_.push_back({Severity::kError,
                    {.code = tabbed ? "yaml-tab" : "yaml-syntax",
                     .message = std::move(message),
                     .hint = hint,
                     .where = std::move(where)}});
    ++count;
  }
  if (count == 0)
    report("yaml-syntax", "the text is not YAML", "check indentation, quotes and brackets", 0);
}

bool refuse(const Document& document, std::vector<Diagnostic>& out, std::string code,
            std::string message, std::string hint, std::size_t offset) {
  out.push_back({Severity::kError,
                 {.code = std::move(code),
                  .message = std::move(message),
                  .hint = std::move(hint),
                  .where = document.place(static_cast<std::uint32_t>(offset))}});
  return false;
}

// The first byte of the first line that is not valid UTF-8 or hides something.
std::size_t first_bad_line(const std::string& text, bool (*good)(std::string_view)) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!good(line)) return begin;
    begin = end + 1;
  }
  return 0;
}

bool shows_all(std::string_view line) { return !has_hidden_characters(line); }

// What makes the text unfit before any YAML is read.
bool is_fit(const Document& document, std::vector<Diagnostic>& out) {
  const std::string& text = document.text();
  // What hides nothing is valid UTF-8 with plain line ends, and then no question below is left.
  if (!has_hidden_characters(text)) return true;
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos)
    return refuse(document, out, "yaml-nul", "a NUL byte stands in the file", "remove it", nul);
  if (!is_valid_utf8(text))
    return refuse(document, out, "yaml-invalid-utf8", "this line is not valid UTF-8",
                  "save the file as UTF-8", first_bad_line(text, is_valid_utf8));
  if (text.starts_with("\xef\xbb\xbf"))
    return refuse(document, out, "yaml-hidden-character", "the file begins with a byte order mark",
                  "save the file as UTF-8 without a byte order mark", 0);
  std::string unix_text;
  std::string_view shown = text;
  if (text.find('\r') != std::string::npos) {
    unix_text.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') unix_text += text[i];
    shown = unix_text;
  }
  if (has_hidden_characters(shown))
    return refuse(document, out, "yaml-hidden-character",
                  "this line holds a character that hides or reorders text",
                  "remove control, zero-width and bidirectional characters",
                  first_bad_line(text, shows_all));
  return true;
}

}  // namespace

Document read_yaml(std::string text, std::string file, std::vector<Diagnostic>& out) {
  if (text.size() > kMaxFileBytes) {
    out.push_back({Severity::kError,
                   {.code = "file-too-large",
                    .message = "the file has " + std::to_string(text.size()) +
                               " bytes, more than the limit of " + std::to_string(kMaxFileBytes),
                    .hint = "split it or make it smaller",
                    .where = {.file = file, .line = 0, .column = 0, .width = 1, .text = {}}}});
    Document nothing(std::move(file), "");
    nothing.root().kind = NodeKind::kMapping;
    return nothing;
  }
  Document document(std::move(file), std::move(text));
  document.root().kind = NodeKind::kMapping;
  if (is_fit(document, out)) Reader(document, out).read();
  return document;
}

}  // namespace tollgate::config
