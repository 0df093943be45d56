// What each kind of tool comes to, from the JSON a client would send.
// A row names provider, native tool and input; the effects are compared as one line.
// Every kind has a row for input that is missing or odd: it must never be silence.
#include "effects/effects.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/tool_table.h"
#include "effects/effect_dump.h"
#include "effects/url.h"
#include "json/json.h"

namespace tollgate {
namespace {

ToolCall call_of(std::string_view provider, std::string_view native, std::string_view input) {
  ToolCall call;
  call.provider = provider;
  call.native_tool = native;
  call.tool = canonical_tool(provider, native);
  call.cwd = "/w";
  auto parsed = json::parse(input);
  EXPECT_TRUE(parsed) << input;
  if (parsed) call.input = *parsed;
  return call;
}

struct Case {
  std::string_view name, provider, tool, input, want;
};

constexpr Case kCases[] = {
    {"Read reads", "claude", "Read", R"({"file_path":"/a/../b"})", "read(/b)"},
    {"a path is placed by the cwd", "claude", "Read", R"({"file_path":"x"})", "read(/w/x)"},
    {"a path is placed by home", "claude", "Read", R"({"file_path":"~/x"})", "read(/home/u/x)"},
    {"another home is Unknown", "claude", "Read", R"({"file_path":"~bob/x"})",
     "unknown(the path `~bob/x` cannot be placed)"},
    {"no path is Unknown", "claude", "Read", "{}", "unknown(there is no `file_path`)"},
    {"a path that is no string is Unknown", "claude", "Read", R"({"file_path":1})",
     "unknown(`file_path` is not a string)"},
    {"an empty path is Unknown", "claude", "Read", R"({"file_path":""})",
     "unknown(the path `` cannot be placed)"},
    {"a NUL in a path is Unknown", "claude", "Write", R"({"file_path":"/a\u0000b","content":""})",
     std::string_view("unknown(the path `/a\0b` cannot be placed)", 41)},
    {"a URI where a path must be is Unknown", "claude", "Read", R"({"file_path":"file:///x"})",
     "unknown(the path `file:///x` cannot be placed)"},
    {"a URI in capitals is no path either", "claude", "Read", R"({"file_path":"FILE:///x"})",
     "unknown(the path `FILE:///x` cannot be placed)"},
    {"nor is one of another scheme", "claude", "Read", R"({"file_path":"vscode-remote://h/x"})",
     "unknown(the path `vscode-remote://h/x` cannot be placed)"},
    {"two fields that differ both count and are Unknown too", "gemini", "read_file",
     R"({"file_path":"a","absolute_path":"/b"})",
     "unknown(`file_path` and `absolute_path` say different things) read(/w/a) read(/b)"},
    {"two fields that agree are one", "gemini", "read_file",
     R"({"file_path":"/b","absolute_path":"/b"})", "read(/b)"},
    {"a path beside operations counts", "kiro", "fs_read",
     R"({"operations":[{"mode":"Line","path":"a"}],"path":".env"})",
     "unknown(`operations` and `path` say different things) read(/w/a) read(/w/.env)"},
    {"a text beside a list counts", "gemini", "read_many_files",
     R"({"include":["a"],"paths":".env"})",
     "unknown(`include` and `paths` say different things) read(/w/a) read(/w/.env)"},
    {"a list's pattern names its file", "gemini", "read_many_files", R"({"include":["**/.env"]})",
     "read**(/w) read(/w/.env)"},
    {"a pattern in a text is one too", "gemini", "read_many_files", R"({"include":"src/*"})",
     "read**(/w/src)"},
    {"a list of paths may hold patterns", "gemini", "read_many_files",
     R"({"include":["a.c","src/**/*.c","../{a,/etc}/x"]})",
     "read(/w/a.c) read**(/w/src) unknown(the pattern `../{a,/etc}/x` cannot be placed) "
     "read(/a/x) read(/etc/x)"},
    {"operations each read", "kiro", "fs_read",
     R"({"operations":[{"mode":"Line","path":"a"},{"mode":"Directory","path":"b"},{"mode":"Image"}]})",
     "read(/w/a) read**(/w/b) unknown(an operation that names no path)"},

    {"Grep reads the tree", "claude", "Grep", R"({"pattern":"/etc","path":"src"})",
     "read**(/w/src)"},
    {"without a path it is the cwd", "claude", "Grep", R"({"pattern":"x"})", "read**(/w)"},
    {"LS reads the tree", "claude", "LS", R"({"path":"/a"})", "read**(/a)"},
    {"Glob looks where its pattern leads", "claude", "Glob", R"({"pattern":"/etc/ssl/*.c"})",
     "read**(/etc/ssl)"},
    {"Grep reads the file that its glob names", "claude", "Grep",
     R"({"pattern":"x","path":".","glob":".env"})", "read**(/w) read(/w/.env)"},
    {"at any depth too", "claude", "Grep", R"({"pattern":"x","glob":"**/.env"})",
     "read**(/w) read(/w/.env)"},
    {"an include is such a glob", "gemini", "grep_search",
     R"({"pattern":"x","dir_path":"d","include":"c/.env"})", "read**(/w/d) read(/w/d/c/.env)"},
    {"so is a list of them", "antigravity", "grep_search",
     R"({"SearchPath":"/d","Includes":["*.c",".env"]})", "read**(/d) read(/d/.env)"},
    {"a slash in front is the root or the start of the search", "claude", "Grep",
     R"({"glob":"/.env"})", "read**(/w) read(/.env) read(/w/.env)"},
    {"Glob reads the file that it names", "claude", "Glob", R"({"pattern":"**/.env"})",
     "read**(/w) read(/w/.env)"},
    {"a plain Glob reads it once", "claude", "Glob", R"({"pattern":".env"})", "read**(/w/.env)"},
    {"wildcards do not hide a secret's name", "claude", "Grep", R"({"glob":"src/**/.[e]nv*"})",
     "read**(/w) read(/w/src/.env)"},
    {"nor do alternatives", "claude", "Grep", R"({"glob":"*.{c,pem}"})",
     "read**(/w) read(/w/*.pem)"},
    {"nor do keys of ssh", "claude", "Glob", R"({"pattern":"/k/id_rsa*"})",
     "read**(/k) read(/k/id_rsa)"},
    {"other wildcards name nothing", "claude", "Grep", R"({"glob":"*.{c,h}"})", "read**(/w)"},
    {"a glob that leaves out names nothing", "claude", "Grep", R"({"glob":"!.env"})", "read**(/w)"},
    {"too many alternatives are Unknown", "claude", "Grep",
     R"({"glob":"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"})",
     "read**(/w) unknown(the pattern has too many alternatives)"},
    {"directories that differ all count", "gemini", "glob",
     R"({"dir_path":["d"],"path":"secret","pattern":"secret/*"})",
     "unknown(`dir_path` and `path` say different things) read**(/w/d/secret) "
     "read**(/w/secret/secret)"},
    {"a directory beside none counts", "gemini", "list_directory",
     R"({"dir_path":null,"path":"/s"})",
     "unknown(`dir_path` and `path` say different things) read**(/w) read**(/s)"},
    {"Glob looks below its path", "claude", "Glob", R"({"pattern":"**/*.c","path":"src"})",
     "read**(/w/src)"},
    {"a second pattern hides nothing", "cursor", "Glob",
     R"({"pattern":"src/*","glob_pattern":"/etc/*"})", "read**(/w/src) read**(/etc)"},
    {"a Glob that climbs later is Unknown", "claude", "Glob", R"({"pattern":"*/../../x"})",
     "unknown(the pattern `*/../../x` cannot be placed)"},
    {"an odd path is Unknown", "claude", "Grep", R"({"path":{}})",
     "unknown(`path` is not a string)"},

    {"Write carries its text", "claude", "Write", R"({"file_path":"a","content":"hi"})",
     "write(/w/a: hi)"},
    {"Edit carries its new text", "claude", "Edit",
     R"({"file_path":"a","old_string":"x","new_string":"y"})", "write(/w/a: y)"},
    {"several edits are one text", "claude", "MultiEdit",
     R"({"file_path":"a","edits":[{"new_string":"x"},{"new_string":"y"}]})", "write(/w/a: x\ny)"},
    {"a notebook", "claude", "NotebookEdit", R"({"notebook_path":"n","new_source":"s"})",
     "write(/w/n: s)"},
    {"an edit without a path", "claude", "Edit", "{}", "unknown(there is no `file_path`)"},

    {"a patch is one effect a file", "codex", "apply_patch",
     R"({"input":"*** Begin Patch\n*** Add File: a\n+x\n+y\n*** Update File: b\n@@\n-o\n+n\n)"
     R"(*** Delete File: c\n*** End Patch\n"})",
     "write(/w/a: x\ny) write(/w/b: n) delete(/w/c)"},
    {"a move has two ends", "codex", "apply_patch",
     R"({"input":"*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n+n\n*** End Patch"})",
     "write(/w/a) read(/w/a) rename(/w/a) rename(/w/b) write(/w/b: n)"},
    {"a patch may stand in a here-document", "codex", "apply_patch",
     R"({"input":"<<'EOF'\n*** Begin Patch\n*** Delete File: c\n*** End Patch\nEOF\n"})",
     "delete(/w/c)"},
    {"however it is quoted", "codex", "apply_patch",
     R"({"input":"<<EOF\n*** Begin Patch\n*** Delete File: c\n*** End Patch\nEOF"})",
     "delete(/w/c)"},
    {"in double quotes too", "codex", "apply_patch",
     R"({"input":"<<\"EOF\"\n*** Begin Patch\n*** Delete File: c\n*** End Patch\nEOF"})",
     "delete(/w/c)"},
    {"another first line hides no file", "codex", "apply_patch",
     R"({"input":"please\n*** Begin Patch\n*** Delete File: c\n*** End Patch"})",
     "unknown(a patch begins with `*** Begin Patch`) delete(/w/c)"},
    {"files without a beginning count", "codex", "apply_patch",
     R"({"input":"*** Delete File: c\n*** End Patch"})",
     "unknown(a patch begins with `*** Begin Patch`) delete(/w/c)"},
    {"files after the end count", "codex", "apply_patch",
     R"({"input":"*** Begin Patch\n*** Delete File: c\n*** End Patch\n*** Delete File: d"})",
     "delete(/w/c) unknown(there is text after the end of the patch) delete(/w/d)"},
    {"a move that belongs to no file still arrives", "codex", "apply_patch",
     R"({"input":"*** Begin Patch\n*** Move to: b\n*** End Patch"})",
     "unknown(a move that belongs to no file) rename(/w/b) write(/w/b)"},
    {"two patches both count", "codex", "apply_patch",
     R"({"command":"*** Begin Patch\n*** Delete File: c\n*** End Patch",)"
     R"("input":"*** Begin Patch\n*** Delete File: d\n*** End Patch"})",
     "unknown(`command` and `input` say different things) delete(/w/c) delete(/w/d)"},
    {"a patch without its end is Unknown", "codex", "apply_patch",
     R"({"input":"*** Begin Patch\n*** Add File: a\n+x"})",
     "write(/w/a: x) unknown(the patch does not end with `*** End Patch`)"},
    {"no patch at all is Unknown", "codex", "apply_patch", R"({"input":"hello"})",
     "unknown(a patch begins with `*** Begin Patch`)"},
    {"a line of no kind is Unknown", "codex", "apply_patch",
     R"({"input":"*** Begin Patch\n*** Update File: a\n*** Frob: b\n*** End Patch"})",
     "write(/w/a) unknown(`*** Frob: b` is not understood)"},

    {"WebFetch reaches", "claude", "WebFetch", R"({"url":"https://Example.COM./x"})",
     "reach(example.com)"},
    {"a prompt's URLs are reached", "gemini", "web_fetch",
     R"({"prompt":"read https://a.org/x and <http://b.org>"})", "reach(a.org) reach(b.org)"},
    {"a comma does not end a URL", "gemini", "web_fetch",
     R"({"prompt":"https://good.com,@evil.com/ http:/x https://a.org."})",
     "reach() reach() reach(a.org)"},
    {"a prompt and a URL both count", "gemini", "web_fetch",
     R"({"prompt":"https://a.org","url":"https://b.org"})", "reach(a.org) reach(b.org)"},
    {"no URL is a host not known", "gemini", "web_fetch", R"({"prompt":"read it"})", "reach()"},
    {"a missing URL is Unknown", "claude", "WebFetch", "{}", "unknown(there is no `url`)"},
    {"WebSearch searches", "claude", "WebSearch", R"({"query":"x"})", "search()"},

    {"Agent starts its type", "claude", "Task", R"({"subagent_type":"Explore"})", "agent(Explore)"},
    {"a missing type is none", "claude", "Agent", R"({"prompt":"x"})", "agent()"},
    {"an odd type is Unknown", "claude", "Agent", R"({"subagent_type":[]})",
     "agent() unknown(`subagent_type` is not a string)"},
    {"a tool that is one agent", "gemini", "codebase_investigator", "{}",
     "agent(codebase_investigator)"},

    {"an MCP tool is itself", "claude", "mcp__github__merge", "{}", "mcp(mcp__github__merge)"},
    {"files.read reads", "", "files.read", R"({"path":"a"})", "read(/w/a)"},
    {"files.delete takes the tree", "", "files.delete", R"({"path":"a"})", "delete**(/w/a)"},
    {"files.rename has two ends", "", "files.rename", R"({"path":"a","newPath":"b"})",
     "read**(/w/a) rename**(/w/a) rename**(/w/b)"},
    {"a file as a URI is its path", "", "files.read", R"({"path":"file:/x"})", "read(/x)"},
    {"in capitals too", "", "files.write", R"({"path":"FILE:///x"})", "write(/x)"},
    {"with a host that is this one", "", "files.delete", R"({"path":"file://LOCALHOST/x"})",
     "delete**(/x)"},
    {"a URI that climbs may be a path", "", "files.read", R"({"path":"file:/../x"})",
     "read(/x) unknown(`file:/../x` may be a URI or a path)"},
    {"a URI without a root is Unknown", "", "files.read", R"({"path":"file:x"})",
     "unknown(the path `file:x` cannot be placed)"},
    {"another URI is Unknown", "", "files.read", R"({"path":"ftp://h/x"})",
     "unknown(the path `ftp://h/x` cannot be placed)"},
    {"another user's home is Unknown", "", "files.read", R"({"path":"~bob/x"})",
     "unknown(the path `~bob/x` cannot be placed)"},
    {"all new text counts", "", "files.write", R"({"path":"a","content":"t","text":"u"})",
     "write(/w/a: t\nu)"},
    {"in a list of edits too", "", "editor.applyEdit",
     R"({"uri":"file:///a","edits":[{"range":{"start":1},"oldText":"o","newText":"s"}]})",
     "write(/a: s)"},
    {"an editor's URI has many spellings", "", "editor.open", R"({"uri":"File:/a"})", "read(/a)"},
    {"another home is Unknown to an editor", "", "editor.open", R"({"uri":"~bob/x"})",
     "unknown(the path `~bob/x` cannot be placed)"},
    {"files.write carries text", "", "files.write", R"({"path":"a","content":"t"})",
     "write(/w/a: t)"},
    {"files.write without a path", "", "files.write", "{}", "unknown(there is no `path`)"},
    {"an editor's URI is a path", "", "editor.open", R"({"uri":"file:///a%20b"})", "read(/a b)"},
    {"another scheme is Unknown", "", "editor.open", R"({"uri":"untitled:x"})",
     "unknown(the path `untitled:x` cannot be placed)"},
    {"a URI with another host is Unknown", "", "editor.open", R"({"uri":"file://h/x"})",
     "unknown(the path `file://h/x` cannot be placed)"},
    {"terminal.exec is shell", "", "terminal.exec", R"({"command":"ls"})", "run(ls) read(/w)"},
    {"an undeclared app tool may do anything", "", "deploy.now", "{}", "app(deploy.now)"},
    {"so may a name in no table", "claude", "Skill", "{}", "app(Skill)"},

    {"a helper does nothing", "claude", "TodoWrite", "{}", ""},
    {"a question is for a person", "claude", "ExitPlanMode", "{}", "person(ExitPlanMode)"},

    {"keys for a process are Unknown and read as shell", "codex", "write_stdin",
     R"({"chars":"rm -rf /\n"})",
     "unknown(input for a process that is not known) run(rm,-rf,/) delete**(/)"},
    {"a call cannot prove that a shell reads them", "codex", "write_stdin",
     R"({"chars":"pwd\n","shell":"bash"})",
     "unknown(input for a process that is not known) run(pwd)"},
    {"no keys do nothing", "codex", "write_stdin", R"({"chars":""})", ""},

    {"a list of words runs directly", "codex", "shell", R"({"command":["rm","-rf","a b"]})",
     "run(rm,-rf,a b) delete**(/w/a b)"},
    {"a list with a shell is its text", "codex", "shell",
     R"({"command":["bash","-lc","ls; rm x"]})", "run(ls) read(/w) run(rm,x) delete(/w/x)"},
    {"a list with apply_patch is a patch", "codex", "shell",
     R"({"command":["apply_patch","*** Begin Patch\n*** Delete File: c\n*** End Patch"]})",
     "delete(/w/c)"},
    {"a tilde in a list is a name", "codex", "shell", R"({"command":["cat","~/x"]})",
     "run(cat,~/x) read(/w/~/x)"},
    {"an empty list is Unknown", "codex", "shell", R"({"command":[]})",
     "unknown(the command is not a list of strings)"},
    {"a list of numbers is Unknown", "codex", "shell", R"({"command":[1]})",
     "unknown(the command is not a list of strings)"},
    {"a text beside a list of words runs too", "codex", "exec_command",
     R"({"cmd":["ls"],"command":"rm -rf x"})",
     "unknown(`cmd` and `command` say different things) run(ls) read(/w) run(rm,-rf,x) "
     "delete**(/w/x)"},
    {"two directories are both possible", "gemini", "run_shell_command",
     R"({"command":"cat a","dir_path":"/d","directory":"/e"})", "run(cat,a) read(/d/a) read(/e/a)"},
    {"the call may name its directory", "codex", "shell",
     R"({"command":["cat","a"],"workdir":"sub"})", "run(cat,a) read(/w/sub/a)"},
    {"an odd directory is Unknown", "codex", "shell", R"({"command":["cat","a"],"workdir":7})",
     "unknown(`workdir` names no directory) run(cat,a) read(the directory of `a`)"},
    {"a directory that the client may not read is one more", "claude", "Bash",
     R"({"command":"cat a","workdir":"/tmp"})", "run(cat,a) read(/w/a) read(/tmp/a)"},
    {"the same for an application", "", "terminal.exec", R"({"command":"cat a","cwd":"/tmp"})",
     "run(cat,a) read(/w/a) read(/tmp/a)"},
    {"variables are Unknown", "codex", "shell", R"({"command":["pwd"],"env":{"PATH":"."}})",
     "unknown(`env` sets variables) run(pwd)"},
    {"another shell is Unknown", "codex", "exec_command", R"({"cmd":"pwd","shell":"/tmp/sh"})",
     "unknown(`shell` names a shell whose text is not read) run(pwd)"},
    {"no command is Unknown", "claude", "Bash", "{}", "unknown(there is no `command`)"},
    {"a command that is an object is Unknown", "claude", "Bash", R"({"command":{}})",
     "unknown(`command` is not a string)"},
    {"an input that is no object is Unknown", "claude", "Bash", "[]",
     "unknown(the input of the call is not an object)"},
};

TEST(Effects, OfEveryKindOfTool) {
  for (const Case& c : kCases)
    EXPECT_EQ(dump_effects(effects_of(call_of(c.provider, c.tool, c.input), {}, "/home/u")), c.want)
        << c.name << "\n"
        << c.tool << " " << c.input;
}

TEST(Effects, OfDeclaredTools) {
  const std::vector<ToolDeclaration> declared = {
      {.name = "db.run", .does = Does::kShell, .arguments = {"script.text"}, .where = {}},
      {.name = "net.get", .does = Does::kUrl, .arguments = {"to"}, .where = {}},
      {.name = "clock.now",
       .side_effect = false,
       .does = Does::kNothing,
       .arguments = {},
       .where = {}},
      {.name = "clock.set", .does = Does::kNothing, .arguments = {}, .where = {}},
      {.name = "net.look",
       .side_effect = false,
       .does = Does::kUrl,
       .arguments = {"to"},
       .where = {}},
      {.name = "mail.send", .does = Does::kRead, .arguments = {"file"}, .where = {}},
      {.name = "disk.move", .does = Does::kRename, .arguments = {"from", "to"}, .where = {}},
      {.name = "mcp__fs__drop", .does = Does::kDelete, .arguments = {"paths"}, .where = {}},
  };
  const Case cases[] = {
      {"a dotted argument", "", "db.run", R"({"script":{"text":"ls"}})", "run(ls) read(/w)"},
      {"a URL argument", "", "net.look", R"({"to":"http://x.org/"})", "reach(x.org)"},
      {"a tool without effects", "", "clock.now", "{}", ""},
      {"a side effect that is not told needs covering", "", "clock.set", "{}", "app(clock.set)"},
      {"also beside a URL", "", "net.get", R"({"to":"http://x.org/"})",
       "reach(x.org) app(net.get)"},
      {"also beside a read", "", "mail.send", R"({"file":"a"})", "read(/w/a) app(mail.send)"},
      {"a move reads what it moves", "", "disk.move", R"({"from":["a","b"],"to":"c"})",
       "read**(/w/a) read**(/w/b) rename**(/w/a) rename**(/w/b) rename**(/w/c)"},
      {"a server's tool keeps its own effect", "", "mcp__fs__drop", R"({"paths":["a",1]})",
       "mcp(mcp__fs__drop) delete**(/w/a) unknown(`paths` holds what cannot be read)"},
      {"a missing argument is Unknown", "", "net.look", "{}", "unknown(there is no `to`)"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(dump_effects(effects_of(call_of(c.provider, c.tool, c.input), declared, "/home/u")),
              c.want)
        << c.name;
}

TEST(Effects, ALongPathIsUnknown) {
  const std::string longest = "/" + std::string(4094, 'a');
  const auto read = [](const std::string& path) {
    return dump_effects(effects_of(call_of("claude", "Read", R"({"file_path":")" + path + "\"}")));
  };
  EXPECT_EQ(read(longest), "read(" + longest + ")");
  EXPECT_EQ(read(longest + "a"), "unknown(the path is too long)");
  EXPECT_EQ(read(std::string(4093, 'a')), "unknown(the path is too long)");
}

TEST(Effects, ManyOfAToolSaySoAndAllStay) {
  std::string paths;
  for (int i = 0; i < 5000; ++i) paths += R"("a",)";
  const Effects effects =
      effects_of(call_of("gemini", "read_many_files", R"({"include":[)" + paths + R"("z"]})"));
  ASSERT_EQ(effects.size(), 5002u);
  EXPECT_EQ(effects[5000].path, "/w/z");
  EXPECT_EQ(effects[5001].why, "more than 4096 effects");
}

TEST(Effects, ManyDirectoriesAndPatternsStayFew) {
  std::string many;
  for (int i = 0; i < 3000; ++i) many += R"("a",)";
  const Effects effects = effects_of(call_of(
      "gemini", "glob", R"({"dir_path":[)" + many + R"("z"],"pattern":[)" + many + R"("/y/*"]})"));
  EXPECT_LT(effects.size(), 10'000u);
  EXPECT_EQ(effects[0].why, "too many directories and patterns");
  const auto reads = [&](std::string_view path) {
    return std::ranges::any_of(effects, [&](const Effect& effect) { return effect.path == path; });
  };
  EXPECT_TRUE(reads("/w/z"));
  EXPECT_TRUE(reads("/y"));
}

TEST(Effects, OnlyTheFirstTextHasSpans) {
  const Effects effects = effects_of(
      call_of("codex", "exec_command", R"({"cmd":"ls","command":"rm -rf a-much-longer-name"})"));
  ASSERT_EQ(effects.size(), 5u);
  EXPECT_EQ(effects[1].span, (Span{0, 2}));
  EXPECT_EQ(effects[3].span, Span{});
  EXPECT_EQ(effects[3].argv[0].span, Span{});
  EXPECT_EQ(effects[4].span, Span{});
  EXPECT_EQ(effects[4].owner, 3u);
}

struct HostCase {
  std::string_view name, url, want;
};

constexpr HostCase kHosts[] = {
    {"a name", "https://a.example.com/x?y#z", "a.example.com"},
    {"upper case and a trailing dot", "HTTP://A.Example.COM.:8080/", "a.example.com"},
    {"userinfo", "https://good.com@evil.com/", ""},
    {"a password", "https://a:b@evil.com/", ""},
    {"a backslash", "https://good.com\\@evil.com", ""},
    {"a web socket", "wss://A.com:443/x", "a.com"},
    {"a web socket in the clear", "WS://a.com/", "a.com"},
    {"another scheme", "ftp://a.com/", ""},
    {"a file", "file:///etc/passwd", ""},
    {"no scheme", "a.com/x", ""},
    {"one slash", "https:/a.com", ""},
    {"three slashes", "https:///a.com", ""},
    {"a tab", "https://a\t.com", ""},
    {"a blank in front", " https://a.com", ""},
    {"an encoded dot", "https://a%2ecom/", ""},
    {"letters beyond ASCII", "https://exämple.com/", ""},
    {"an empty part", "https://a..com/", ""},
    {"a star", "https://*.com/", ""},
    {"an odd port", "https://a.com:80x/", ""},
    {"a port too high", "https://a.com:70000/", ""},
    {"a dotted quad", "http://127.0.0.1/", "127.0.0.1"},
    {"a decimal address", "http://2130706433/", "127.0.0.1"},
    {"a hexadecimal address", "http://0x7f000001/", "127.0.0.1"},
    {"an octal address", "http://0177.0.0.01/", "127.0.0.1"},
    {"a short address", "http://127.1/", "127.0.0.1"},
    {"an address with a trailing dot", "http://127.0.0.1./", "127.0.0.1"},
    {"an address out of range", "http://256.1.1.1/", ""},
    {"a name that ends in a number", "http://a.1/", ""},
    {"an IPv6 address", "http://[2001:DB8:0::1]:80/", "2001:db8::1"},
    {"a mapped IPv4 address", "http://[::ffff:7f00:1]/", "127.0.0.1"},
    {"an IPv6 zone", "http://[fe80::1%25eth0]/", ""},
    {"text after the bracket", "http://[::1]evil.com/", ""},
    {"nothing", "", ""},
};

TEST(Url, GivesTheHostOrNothing) {
  for (const HostCase& c : kHosts) EXPECT_EQ(host_of_url(c.url), c.want) << c.name << "\n" << c.url;
}

}  // namespace
}  // namespace tollgate
