// The application tools that are known without a declaration.
// Each has an effect and the arguments that effect needs.
// A declaration of the user's own comes first.
#include "core/tool_declaration.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace tollgate {
namespace {

struct DeclarationCase {
  std::string_view name, tool;
  Does does;
  bool side_effect;
  std::vector<std::string> arguments;
};

TEST(ToolDeclaration, BuiltInToolsSayWhatTheyDo) {
  const DeclarationCase cases[] = {
      {"exec runs its command", "terminal.exec", Does::kShell, true, {"command"}},
      {"read reads", "files.read", Does::kRead, false, {"path"}},
      {"list reads", "files.list", Does::kRead, false, {"path"}},
      {"stat reads", "files.stat", Does::kRead, false, {"path"}},
      {"write writes", "files.write", Does::kWrite, true, {"path"}},
      {"create creates", "files.create", Does::kCreate, true, {"path"}},
      {"mkdir creates", "files.mkdir", Does::kCreate, true, {"path"}},
      {"delete deletes", "files.delete", Does::kDelete, true, {"path"}},
      {"rename has two ends", "files.rename", Does::kRename, true, {"path", "newPath"}},
      {"opening an editor reads", "editor.open", Does::kRead, false, {"uri"}},
      {"saving writes", "editor.save", Does::kWrite, true, {"uri"}},
      {"an edit writes", "editor.applyEdit", Does::kWrite, true, {"uri"}},
  };
  EXPECT_EQ(built_in_declarations().size(), std::size(cases));
  for (const DeclarationCase& c : cases) {
    const ToolDeclaration* found = declaration_of(c.tool, {});
    ASSERT_NE(found, nullptr) << c.name;
    EXPECT_EQ(found->does, c.does) << c.name;
    EXPECT_EQ(found->side_effect, c.side_effect) << c.name;
    EXPECT_EQ(found->arguments, c.arguments) << c.name;
    EXPECT_EQ(found->specifier_template, "{" + c.arguments[0] + "}") << c.name;
  }
}

TEST(ToolDeclaration, TheUsersOwnComesFirst) {
  std::vector<ToolDeclaration> own(1);
  own[0].name = "files.read";
  EXPECT_EQ(declaration_of("files.read", own), &own[0]);
  EXPECT_EQ(declaration_of("files.write", own)->does, Does::kWrite);
  EXPECT_EQ(declaration_of("browser.open", own), nullptr);
}

}  // namespace
}  // namespace tollgate
