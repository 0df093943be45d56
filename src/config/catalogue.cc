#include "config/catalogue.h"

#include <algorithm>

#include "config/fields.h"
#include "config/yaml.h"
#include "policy/roles.h"

namespace tollgate::config {
namespace {

std::optional<Error> first_error(std::vector<Diagnostic> diagnostics) {
  sort_by_place(diagnostics);
  const auto found = std::ranges::find(diagnostics, Severity::kError, &Diagnostic::severity);
  if (found == diagnostics.end()) return std::nullopt;
  return found->error;
}

void add(Named named, const std::string& name, const Bundle* own, Names& names,
         std::vector<CatalogueEntry>& out) {
  std::optional<Bundle> whole = names.find(named, {name, {}}, Asker::kUser);
  if (!whole) return;
  CatalogueEntry entry{.named = named, .bundle = std::move(*whole), .extends = {}};
  entry.built_in = own == nullptr;
  if (own != nullptr && own->extends) entry.extends = own->extends->value;
  out.push_back(std::move(entry));
}

}  // namespace

Result<std::vector<CatalogueEntry>> catalogue(std::string text, const std::string& file) {
  std::vector<Diagnostic> problems;
  const Document document = read_yaml(std::move(text), file, problems);
  check_fields(document, FileKind::kUser, problems);
  if (std::optional<Error> error = first_error(problems)) return Fail(std::move(*error));
  const std::vector<ToolDeclaration> tools = read_tools(document);
  const ReadContext context{.source = ConfigSource::kUser,
                            .kind = FileKind::kUser,
                            .directory = "/",
                            .home = "/",
                            .tools = tools};
  const std::vector<Statement> statements = {read_statement(document, context, problems)};
  Names names(statements, problems);
  if (std::optional<Error> error = first_error(problems)) return Fail(std::move(*error));
  std::vector<CatalogueEntry> out;
  for (const BuiltInRole& role : built_in_roles())
    add(Named::kRole, std::string(role.name), nullptr, names, out);
  for (const Bundle& role : statements[0].roles) add(Named::kRole, role.name, &role, names, out);
  for (const std::string_view preset : built_in_presets())
    add(Named::kPreset, std::string(preset), nullptr, names, out);
  for (const Bundle& preset : statements[0].presets)
    add(Named::kPreset, preset.name, &preset, names, out);
  return out;
}

}  // namespace tollgate::config
