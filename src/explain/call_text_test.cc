// From a tool and a text to a call's input.
#include "explain/call_text.h"

#include <gtest/gtest.h>

#include "json/json.h"

namespace tollgate {
namespace {

std::string input(std::string_view tool, std::string_view text) {
  const std::vector<ToolDeclaration> declared = {
      {.name = "desk.open", .arguments = {"name"}},
      {.name = "desk.move", .arguments = {"from", "to"}},
  };
  const Result<json::Value> value = input_of(tool, text, declared);
  return value ? json::write(*value) : value.error().code;
}

struct Case {
  std::string_view name, tool, text, want;
};

TEST(CallText, ATextIsTheMainField) {
  constexpr Case kCases[] = {
      {"a command", "Bash", "ls -l", R"({"command":"ls -l"})"},
      {"an empty command is a command", "Bash", "", R"({"command":""})"},
      {"a path", "Edit", "a.c", R"({"file_path":"a.c"})"},
      {"a URL", "WebFetch", "https://x.org/", R"({"url":"https://x.org/"})"},
      {"a sub-agent's type", "Agent", "explorer", R"({"subagent_type":"explorer"})"},
      {"a declared argument", "desk.open", "a", R"({"name":"a"})"},
      {"a built-in application tool", "terminal.exec", "ls", R"({"command":"ls"})"},
      {"an object is the whole input", "Bash", R"({"command": "ls"})", R"({"command":"ls"})"},
      {"an empty object is an empty input", "Bash", "{}", "{}"},
      {"a tool without a field takes no text", "TodoWrite", "", "{}"},
      {"a text for a tool without a field is refused", "TodoWrite", "x", "bad-usage"},
      {"a text for a server's tool is refused", "mcp__a__b", "x", "bad-usage"},
      {"a text for two arguments is refused", "desk.move", "x", "bad-usage"},
      {"a group of commands is a command", "Bash", "{ rm -rf /; }",
       R"({"command":"{ rm -rf /; }"})"},
      {"a brace expansion is a command", "Bash", "{a,b}", R"({"command":"{a,b}"})"},
      {"a path may begin with a brace", "Grep", "{foo}", R"({"path":"{foo}"})"},
      {"an object with blanks is an object", "Bash", R"({ "command": "ls" })",
       R"({"command":"ls"})"},
      {"text after an object is no text of the tool", "Bash", R"({"command": "ls"} x)",
       "bad-usage"},
      {"a key that is there twice is refused", "Bash", R"({"a": 1, "a": 2})", "bad-usage"},
      {"without a field a brace is broken JSON", "mcp__a__b", "{a}", "bad-usage"},
      {"broken JSON is refused", "Bash", "{\"command\"", "bad-usage"},
      {"bytes that are no text are refused", "Bash", "\xff", "bad-usage"},
  };
  for (const Case& one : kCases) EXPECT_EQ(input(one.tool, one.text), one.want) << one.name;
}

TEST(CallText, TheMainFieldIsTheOneThatIsThere) {
  const auto field = [](const std::string& tool, std::string_view text) {
    return main_field(call_of(tool, *json::parse(text)), {});
  };
  EXPECT_EQ(field("Bash", R"({"command": "ls"})"), "command");
  EXPECT_EQ(field("exec_command", R"({"command": "ls"})"), "command");
  EXPECT_EQ(field("Bash", R"({"command": ["ls"]})"), "");
  EXPECT_EQ(field("mcp__a__b", R"({"x": "y"})"), "");
}

}  // namespace
}  // namespace tollgate
