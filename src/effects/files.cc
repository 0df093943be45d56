// Tools that read and list files: a path, a list of paths or patterns, or a directory to search.
// A search tool walks its directory, so it reads the whole tree.
// A path that cannot be placed is Unknown; a missing directory means the call's own.
#include <utility>

#include "base/text.h"
#include "effects/paths.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

enum class Depth { kItself, kTree };

// Where a pattern can begin to find things: its path up to the first part that is no plain name.
// Nothing where alternatives or `..` further on could lead elsewhere.
std::optional<std::string> pattern_start(std::string_view pattern) {
  const std::size_t special = pattern.find_first_of("*?[{\\!(");
  if (special == std::string_view::npos) return std::string(pattern);
  const std::string_view rest = pattern.substr(special);
  for (const std::string_view elsewhere : {"..", "{/", ",/", "|/", "(/", "{~", ",~", "\\"})
    if (rest.find(elsewhere) != std::string_view::npos) return std::nullopt;
  const std::size_t slash = pattern.rfind('/', special);
  if (slash == std::string_view::npos) return ".";
  return std::string(pattern.substr(0, slash + 1));
}

void add_read(const Subject& subject, std::string_view written, Depth depth, Effects& out) {
  add_placed(subject, EffectKind::kRead, written, out);
  out.back().recursive = depth == Depth::kTree && out.back().kind == EffectKind::kRead;
}

// The same for a path that is not itself the text of the main field.
void add_unspanned_read(const Subject& subject, std::string_view written, Depth depth,
                        Effects& out) {
  add_read(subject, written, depth, out);
  out.back().span = {};
}

// An entry of a list of paths may be a pattern.
void add_pattern(const Subject& subject, const std::string& pattern, Effects& out) {
  const auto start = pattern_start(pattern);
  if (!start) return out.push_back(unknown("the pattern `" + pattern + "` cannot be placed"));
  add_unspanned_read(subject, *start, *start == pattern ? Depth::kItself : Depth::kTree, out);
}

// One entry of a list of operations: a mode, and a path or the paths of images.
void add_operation(const Subject& subject, const json::Value& operation, Effects& out) {
  const std::size_t before = out.size();
  const json::Value* mode = operation.find("mode");
  const bool line = mode != nullptr && mode->as_string() == "Line";
  const json::Value* path = operation.find("path");
  if (path != nullptr && path->is_string())
    add_unspanned_read(subject, path->as_string(), line ? Depth::kItself : Depth::kTree, out);
  if (const json::Value* images = operation.find("image_paths"))
    for (const json::Value& item : images->items())
      add_unspanned_read(subject, item.as_string(), Depth::kItself, out);
  if (out.size() == before) out.push_back(unknown("an operation that names no path"));
}

void add_list(const Subject& subject, const json::Value& list, Effects& out) {
  for (const json::Value& item : list.items()) {
    if (item.is_string())
      add_pattern(subject, item.as_string(), out);
    else if (item.is_object())
      add_operation(subject, item, out);
    else
      out.push_back(unknown("a path that is not a string"));
  }
  if (list.items().empty()) out.push_back(unknown("the list of paths is empty"));
}

// Below which path the pattern of a Glob looks, seen from `base`.
void add_glob(const Subject& subject, const std::string& base, const std::string& pattern,
              Effects& out) {
  const auto start = pattern_start(pattern);
  if (!start) {
    out.push_back(unknown("the pattern `" + pattern + "` cannot be placed", whole(pattern)));
    return;
  }
  const bool own = start->starts_with('/') || start->starts_with('~');
  add_unspanned_read(subject, own ? *start : base + "/" + *start, Depth::kTree, out);
}

}  // namespace

void add_placed(const Subject& subject, EffectKind kind, std::string_view written, Effects& out) {
  // SAFETY: a client may take `file:` for a scheme or for a directory; neither reading is safe.
  auto located = locate(written, {subject.call.cwd, subject.home, Tilde::kHome});
  if (!located || written.starts_with("file:")) {
    out.push_back(
        unknown("the path `" + std::string(written) + "` cannot be placed", whole(written)));
    return;
  }
  out.push_back(path_effect(kind, std::move(*located), whole(written)));
}

void read_file_call(const Subject& subject, Effects& out) {
  const std::string_view names = main_names(subject.call);
  const std::size_t before = out.size();
  for (const std::string_view name : split(names, ',')) {
    const json::Value* value = subject.call.input.find(trim(name));
    if (value != nullptr && value->is_array()) add_list(subject, *value, out);
  }
  if (out.size() > before) return;
  if (const auto path = text_of(subject, names, out)) add_read(subject, *path, Depth::kItself, out);
}

void read_list_call(const Subject& subject, Effects& out) {
  const std::string_view names = main_names(subject.call);
  const InputField field = field_of(subject.call.input, names);
  std::string base = ".";
  if (field.value != nullptr && field.value->is_array() && !field.value->items().empty()) {
    for (const json::Value& item : field.value->items())
      add_unspanned_read(subject, item.as_string(), Depth::kTree, out);
    return;
  }
  const bool given = field.value != nullptr && !field.value->is_null() && !field.value->is_array();
  if (given) {
    const auto text = text_of(subject, names, out);
    if (!text) return;
    if (!text->empty()) base = *text;
  }
  // Only a glob is a path; what Grep looks for is text. Every field that could be the pattern
  // counts, so that one the client does not read cannot hide the one it does.
  const std::size_t before = out.size();
  if (subject.call.tool == "Glob")
    for (const std::string_view name : {"pattern", "glob_pattern", "Pattern", "glob"}) {
      const json::Value* pattern = subject.call.input.find(name);
      if (pattern != nullptr && pattern->is_string())
        add_glob(subject, base, pattern->as_string(), out);
    }
  if (out.size() > before) return;
  add_read(subject, base, Depth::kTree, out);
  if (!given) out.back().span = {};
}

}  // namespace tollgate
