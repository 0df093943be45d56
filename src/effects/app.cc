// Tools of applications, by their declaration: shell, read, write, delete, rename, url.
// An undeclared tool, or a name in no table, may do anything: that is what kApp stands for.
// editor.* names its files by URI.
#include <utility>

#include "effects/paths.h"
#include "effects/subject.h"

namespace tollgate {
namespace {

struct PathDoing {
  Does does;
  EffectKind kind;
};

constexpr PathDoing kPathDoings[] = {
    {Does::kRead, EffectKind::kRead},     {Does::kWrite, EffectKind::kWrite},
    {Does::kCreate, EffectKind::kCreate}, {Does::kDelete, EffectKind::kDelete},
    {Does::kRename, EffectKind::kRename},
};

// An argument by its dotted name.
const json::Value* argument(const json::Value& input, std::string_view name) {
  const json::Value* value = &input;
  while (value != nullptr && !name.empty()) {
    const std::size_t dot = name.find('.');
    value = value->find(name.substr(0, dot));
    name = dot == std::string_view::npos ? "" : name.substr(dot + 1);
  }
  return value;
}

std::expected<Located, std::string> place(const Subject& subject, std::string_view written) {
  const PathContext context{subject.call.cwd, subject.home, Tilde::kHome};
  const bool editor = subject.call.tool.starts_with("editor.");
  if (editor || subject.call.tool.starts_with("files."))
    if (const auto path = path_of_file_uri(written)) return locate(*path, context);
  // SAFETY: `x:y` may be a URI or a file of that name; an editor takes it for a URI.
  const bool scheme = written.find(':') < written.find('/');
  if (is_uri(written) || (editor && scheme)) return std::unexpected(cannot_place(written));
  return locate(written, context);
}

void add_path(const Subject& subject, EffectKind kind, const std::string& written, Effects& out) {
  auto located = place(subject, written);
  if (!located) return out.push_back(unknown(std::move(located).error(), whole(written)));
  Effect effect = path_effect(kind, std::move(*located), whole(written));
  // SAFETY: a directory goes with all that is in it, and these tools take directories.
  effect.recursive = kind == EffectKind::kDelete || kind == EffectKind::kRename;
  if (kind == EffectKind::kWrite || kind == EffectKind::kCreate)
    effect.text = new_text(subject.call.input, "");
  out.push_back(std::move(effect));
  // SAFETY: an application that takes `file:` for a directory would climb elsewhere.
  const bool climbs = written.find("..") != std::string::npos;
  if (climbs && is_uri(written) && !subject.call.tool.starts_with("editor."))
    out.push_back(unknown("`" + written + "` may be a URI or a path", whole(written)));
}

// An application may or may not read `cwd`, so both directories are possible.
void add_shell(const Subject& subject, const std::string& text, Effects& out) {
  std::vector<std::string> directories{subject.call.cwd};
  const json::Value* cwd = subject.call.input.find("cwd");
  if (cwd != nullptr && !cwd->is_null()) {
    const auto located = locate(cwd->as_string(), {subject.call.cwd, subject.home, Tilde::kHome});
    if (!located) out.push_back(unknown("`cwd` names no directory"));
    directories.push_back(located ? located->path : "");
  }
  read_shell_text({text, directories, subject.home}, out);
}

void add_doing(const Subject& subject, Does does, const std::string& text, Effects& out) {
  if (does == Does::kUrl) return read_url(text, whole(text), out);
  if (does == Does::kShell) return add_shell(subject, text, out);
  for (const PathDoing& row : kPathDoings)
    if (row.does == does) return add_path(subject, row.kind, text, out);
}

// A tool that does more than it can say of itself needs covering as a tool.
bool needs_covering(const ToolDeclaration& declaration) {
  const Does does = declaration.does;
  return declaration.side_effect &&
         (does == Does::kNothing || does == Does::kRead || does == Does::kUrl);
}

void add_argument(const Subject& subject, Does does, const std::string& name, Effects& out) {
  const json::Value* value = argument(subject.call.input, name);
  if (value != nullptr && value->is_string())
    return add_doing(subject, does, value->as_string(), out);
  if (value == nullptr || !value->is_array() || value->items().empty())
    return out.push_back(unknown_field(name, {name, value}));
  for (const json::Value& item : value->items()) {
    if (item.is_string() && does != Does::kShell)
      add_doing(subject, does, item.as_string(), out);
    else
      out.push_back(unknown("`" + name + "` holds what cannot be read"));
  }
}

}  // namespace

bool read_declared(const Subject& subject, Effects& out) {
  const ToolDeclaration* declaration = declaration_of(subject.call.tool, subject.declared);
  if (declaration == nullptr || declaration->does == Does::kUnknown) return false;
  if (declaration->does == Does::kNothing) return true;
  if (declaration->arguments.empty()) return false;
  // A file that moves can be read under its new name.
  if (declaration->does == Does::kRename) {
    const std::size_t before = out.size();
    add_argument(subject, Does::kRead, declaration->arguments[0], out);
    for (Effect& effect : std::span(out).subspan(before))
      effect.recursive = effect.kind == EffectKind::kRead;
  }
  for (const std::string& name : declaration->arguments)
    add_argument(subject, declaration->does, name, out);
  return true;
}

void read_app_call(const Subject& subject, Effects& out) {
  const bool said = read_declared(subject, out);
  const ToolDeclaration* declaration = declaration_of(subject.call.tool, subject.declared);
  if (said && !needs_covering(*declaration)) return;
  Effect effect;
  effect.kind = EffectKind::kApp;
  effect.target = subject.call.tool;
  out.push_back(std::move(effect));
}

}  // namespace tollgate
