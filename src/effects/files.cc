// Tools that read and list files: a path, a list of paths or patterns, or a directory to search.
// A search tool walks its directory, so it reads the whole tree, and the files its pattern names.
// A path that cannot be placed is Unknown; a missing directory means the call's own.
#include <algorithm>
#include <utility>

#include "base/text.h"
#include "effects/paths.h"
#include "effects/patterns.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

enum class Depth { kItself, kTree };

// How clients call the pattern of a Glob, and the pattern of the names that any search looks into.
constexpr std::string_view kGlobFields[] = {"pattern", "glob_pattern", "Pattern", "glob"};
constexpr std::string_view kNameFields[] = {"glob",         "globs",      "include",
                                            "includes",     "Includes",   "include_pattern",
                                            "file_pattern", "filePattern"};

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

bool is_rooted(std::string_view pattern) {
  return pattern.starts_with('/') || pattern.starts_with('~');
}

std::string below(const std::string& base, const std::string& path) {
  return is_rooted(path) ? path : base + "/" + path;
}

// The files that a pattern names outright, so that a place that is sensitive by name is seen.
void add_named(const Subject& subject, const std::string& base, const std::string& pattern,
               Effects& out) {
  const auto names = names_in(pattern);
  if (!names) return out.push_back(unknown("the pattern has too many alternatives"));
  for (const std::string& name : *names) {
    add_unspanned_read(subject, below(base, name), Depth::kItself, out);
    // What the same pattern has just given need not be said twice.
    const Effect& added = out.back();
    const auto recent = out.end() - std::min<std::ptrdiff_t>(std::ssize(out), 8);
    const bool known = std::any_of(recent, out.end() - 1, [&](const Effect& effect) {
      return effect.kind == added.kind && effect.path == added.path && effect.why == added.why;
    });
    if (known) out.pop_back();
  }
}

// An entry of a list of paths may be a pattern.
void add_pattern(const Subject& subject, const std::string& pattern, Effects& out) {
  const auto start = pattern_start(pattern);
  if (!start)
    out.push_back(unknown("the pattern `" + pattern + "` cannot be placed"));
  else
    add_unspanned_read(subject, *start, *start == pattern ? Depth::kItself : Depth::kTree, out);
  if (start != pattern) add_named(subject, ".", pattern, out);
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
  if (start)
    add_unspanned_read(subject, below(base, *start), Depth::kTree, out);
  else
    out.push_back(unknown("the pattern `" + pattern + "` cannot be placed", whole(pattern)));
}

// Every pattern in the fields of these names: one the client does not read must not hide another.
std::vector<std::string> patterns_in(const json::Value& input,
                                     std::span<const std::string_view> names) {
  std::vector<std::string> patterns;
  for (const std::string_view name : names) {
    const json::Value* value = input.find(name);
    if (value == nullptr) continue;
    if (value->is_string()) patterns.push_back(value->as_string());
    for (const json::Value& item : value->items())
      if (item.is_string()) patterns.push_back(item.as_string());
  }
  return patterns;
}

// The directories that a search starts from; without a field, or with an empty one, the call's own.
std::vector<std::string> bases_of(const Subject& subject, std::span<const InputField> fields,
                                  Effects& out) {
  std::vector<std::string> bases;
  const auto add = [&](const std::string& text) { bases.push_back(text.empty() ? "." : text); };
  for (const InputField& field : fields) {
    const json::Value& value = *field.value;
    if (value.is_string() || value.is_null() || (value.is_array() && value.items().empty()))
      add(value.as_string());
    else if (!value.is_array())
      out.push_back(unknown_field(main_names(subject.call), field));
    for (const json::Value& item : value.items()) {
      if (item.is_string())
        add(item.as_string());
      else
        out.push_back(unknown("`" + std::string(field.name) + "` holds what is no path"));
    }
  }
  if (fields.empty()) bases.push_back(".");
  return bases;
}

}  // namespace

void add_placed(const Subject& subject, EffectKind kind, std::string_view written, Effects& out) {
  auto located = locate(written, {subject.call.cwd, subject.home, Tilde::kHome});
  // SAFETY: a client may take `file:` for a scheme or for a directory; neither reading is safe.
  if (located && is_uri(written)) located = std::unexpected(cannot_place(written));
  if (!located) return out.push_back(unknown(std::move(located).error(), whole(written)));
  out.push_back(path_effect(kind, std::move(*located), whole(written)));
}

void read_file_call(const Subject& subject, Effects& out) {
  const std::string_view names = main_names(subject.call);
  const std::vector<InputField> fields = fields_of(subject, names, out);
  for (const InputField& field : fields) {
    const std::size_t before = out.size();
    const bool patterns = field.name == "include" || field.name == "paths";
    if (field.value->is_array())
      add_list(subject, *field.value, out);
    else if (!field.value->is_string())
      out.push_back(unknown_field(names, field));
    else if (patterns)
      add_pattern(subject, field.value->as_string(), out);
    else
      add_read(subject, field.value->as_string(), Depth::kItself, out);
    if (&field != &fields.front()) forget_spans(out, before);
  }
  if (fields.empty()) out.push_back(unknown_field(names, {}));
}

void read_list_call(const Subject& subject, Effects& out) {
  const json::Value& input = subject.call.input;
  const std::vector<InputField> fields = fields_of(subject, main_names(subject.call), out);
  const std::vector<std::string> bases = bases_of(subject, fields, out);
  // Only a glob is a path; what Grep looks for is text.
  std::vector<std::string> globs;
  if (subject.call.tool == "Glob") globs = patterns_in(input, kGlobFields);
  const std::vector<std::string> names = patterns_in(input, kNameFields);
  const bool spanned = fields.size() == 1 && fields[0].value->is_string();
  // LIMIT: many directories times many patterns are read as the directories, and as the patterns
  // in the first of them.
  const bool many = bases.size() > 1 && bases.size() * (globs.size() + names.size()) > kMaxEffects;
  if (many) {
    out.push_back(unknown("too many directories and patterns"));
    for (const std::string& base : bases) add_unspanned_read(subject, base, Depth::kTree, out);
  }
  for (const std::string& base : std::span(bases).first(many ? 1 : bases.size())) {
    const std::size_t before = out.size();
    for (const std::string& glob : globs) add_glob(subject, base, glob, out);
    if (globs.empty()) add_read(subject, base, Depth::kTree, out);
    if (globs.empty() && !spanned) forget_spans(out, before);
    for (const std::string& glob : globs) add_named(subject, base, glob, out);
    for (const std::string& name : names) {
      add_named(subject, base, name, out);
      // To some clients a leading slash is where the search starts, as in a .gitignore.
      if (name.starts_with('/')) add_named(subject, base, "." + name, out);
    }
  }
}

}  // namespace tollgate
