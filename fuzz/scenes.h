// Calls for the fuzzers to judge, with their effects and the look at a small made-up world.
// Included by the fuzz programs only.
// Nothing here looks at the machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tool_table.h"
#include "effects/effects.h"
#include "fuzz/require.h"
#include "json/json.h"
#include "policy/match.h"
#include "service/world.h"

namespace tollgate::fuzz {

struct Asked {
  ToolCall call;
  Effects effects;
  Situation situation;

  Scene scene(std::span<const ToolDeclaration> tools = {}) const& {
    return {call, kind_of(call.tool), effects, situation, tools};
  }
};

inline constexpr std::string_view kHome = "/home/me";
inline constexpr std::string_view kBase = "/home/me/shop";

inline Asked look_at(ToolCall call, std::span<const ToolDeclaration> tools = {}) {
  static const auto file = [](std::string real) {
    return PathLook{.state = PathState::kFile, .real = std::move(real), .below = {}};
  };
  static FixedWorld world;
  if (world.files.empty()) {
    world.now = 1'700'000'000;
    world.files["/home/me/shop/src/a.ts"] = file("/home/me/shop/src/a.ts");
    world.files["/home/me/shop/link"] = file("/etc/passwd");
    world.files["/home/me/shop/.env"] = file("/home/me/shop/.env");
    world.files["/home/me/shop"] =
        world.files["/home/me/shop/.git"] = {.state = PathState::kDirectory, .below = {}};
    world.files["/home/me/shop/src"] = {
        .state = PathState::kDirectory,
        .real = "/home/me/shop/src",
        .below = {"/home/me/shop/src/a.ts", "/home/me/shop/src/b/.env"}};
  }
  Asked asked{.call = std::move(call), .effects = {}, .situation = {}};
  if (asked.call.cwd.empty()) asked.call.cwd = kBase;
  asked.effects = effects_of(asked.call, tools, kHome);
  asked.situation = world.look(asked.call, asked.effects,
                               {.walk = true,
                                .base = std::string(kBase),
                                .roots = {},
                                .home = std::string(kHome),
                                .temporary = {},
                                .gate = {"/home/me/.config/tollgate"},
                                .search_path = "/usr/bin:/bin"});
  return asked;
}

inline ToolCall call_of(std::string_view tool, std::string_view input) {
  ToolCall call;
  call.tool = call.native_tool = tool;
  call.provider = "claude";
  call.input = json::parse(input).value_or(json::Value::object());
  return call;
}

// One of every kind of tool, plain and odd.
inline const std::vector<Asked>& asked_calls() {
  static const std::vector<Asked> all = [] {
    struct Row {
      std::string_view tool, input;
    };
    constexpr Row kRows[] = {
        {"Bash", R"({"command":"npm run build"})"},
        {"Bash", R"({"command":"git -C . push origin main -f"})"},
        {"Bash", R"({"command":"rm -rf src/a.ts /tmp/x"})"},
        {"Bash",
         R"({"command":"sudo env A=b /usr/bin/curl -fsS https://api.example.com/x > out.txt"})"},
        {"Bash", R"({"command":"echo \"$(cat .env)\" 'a b' \\* ; $X y"})"},
        {"Bash", "{}"},
        {"Read", R"({"file_path":"/home/me/shop/src/a.ts"})"},
        {"Read", R"({"file_path":"link"})"},
        {"Edit", R"({"file_path":"src/B.ts","old_string":"x","new_string":"y"})"},
        {"Write", R"({"file_path":"/etc/hosts","content":"x"})"},
        {"Grep", R"({"pattern":"x","path":"src"})"},
        {"WebFetch", R"({"url":"https://docs.example.com:8443/a/b?c"})"},
        {"WebFetch", R"({"url":"http://user@2130706433/"})"},
        {"WebSearch", R"({"query":"x"})"},
        {"Agent", R"({"subagent_type":"Explore","prompt":"x"})"},
        {"TodoWrite", "{}"},
        {"ExitPlanMode", "{}"},
        {"mcp__github__merge",
         R"({"repo":"acme/shop","n":1,"tags":["a","b/c"],"deep":{"x":true}})"},
        {"mcp__github__list", R"({"repo":"acme/../x"})"},
        {"files.delete", R"({"path":"src"})"},
        {"terminal.exec", R"({"command":"ls -la"})"},
        {"deploy.now", R"({"where":"prod"})"},
    };
    std::vector<Asked> asked;
    for (const Row& row : kRows) asked.push_back(look_at(call_of(row.tool, row.input)));
    return asked;
  }();
  return all;
}

}  // namespace tollgate::fuzz
