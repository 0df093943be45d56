// The application tools that are known without a declaration.
// A declaration in the configuration replaces the built-in one of the same name.
// The list is short on purpose: a tool that is not here may do anything.
#include "core/tool_declaration.h"

#include <algorithm>

namespace tollgate {
namespace {

enum class SideEffect { kNo, kYes };

ToolDeclaration made(std::string name, SideEffect side_effect, std::string specifier, Does does,
                     std::vector<std::string> arguments) {
  ToolDeclaration out;
  out.name = std::move(name);
  out.side_effect = side_effect == SideEffect::kYes;
  out.specifier_template = std::move(specifier);
  out.does = does;
  out.arguments = std::move(arguments);
  return out;
}

// Every built-in name has one.
bool has_dot(std::string_view tool) { return tool.find('.') != tool.npos; }

const ToolDeclaration* named(std::string_view tool, std::span<const ToolDeclaration> among) {
  const auto found = std::ranges::find(among, tool, &ToolDeclaration::name);
  return found == among.end() ? nullptr : &*found;
}

}  // namespace

std::span<const ToolDeclaration> built_in_declarations() {
  static const std::vector<ToolDeclaration> declarations = {
      made("editor.applyEdit", SideEffect::kYes, "{uri}", Does::kWrite, {"uri"}),
      made("editor.open", SideEffect::kNo, "{uri}", Does::kRead, {"uri"}),
      made("editor.save", SideEffect::kYes, "{uri}", Does::kWrite, {"uri"}),
      made("files.create", SideEffect::kYes, "{path}", Does::kCreate, {"path"}),
      made("files.delete", SideEffect::kYes, "{path}", Does::kDelete, {"path"}),
      made("files.list", SideEffect::kNo, "{path}", Does::kRead, {"path"}),
      made("files.mkdir", SideEffect::kYes, "{path}", Does::kCreate, {"path"}),
      made("files.read", SideEffect::kNo, "{path}", Does::kRead, {"path"}),
      made("files.rename", SideEffect::kYes, "{path}", Does::kRename, {"path", "newPath"}),
      made("files.stat", SideEffect::kNo, "{path}", Does::kRead, {"path"}),
      made("files.write", SideEffect::kYes, "{path}", Does::kWrite, {"path"}),
      made("terminal.exec", SideEffect::kYes, "{command}", Does::kShell, {"command"}),
  };
  return declarations;
}

const ToolDeclaration* declaration_of(std::string_view tool,
                                      std::span<const ToolDeclaration> declared) {
  const ToolDeclaration* found = named(tool, declared);
  return found != nullptr || !has_dot(tool) ? found : named(tool, built_in_declarations());
}

}  // namespace tollgate
