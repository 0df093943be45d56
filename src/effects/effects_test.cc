// What each kind of tool comes to, from the JSON a client would send.
// A row names provider, native tool and input; the effects are compared as one line.
// Every kind has a row for input that is missing or odd: it must never be silence.
#include "effects/effects.h"

#include <gtest/gtest.h>

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
    {"two fields that differ are Unknown too", "gemini", "read_file",
     R"({"file_path":"a","absolute_path":"/b"})",
     "unknown(`file_path` and `absolute_path` say different things) read(/w/a)"},
    {"a list of paths may hold patterns", "gemini", "read_many_files",
     R"({"include":["a.c","src/**/*.c","../{a,/etc}/x"]})",
     "read(/w/a.c) read**(/w/src) unknown(the pattern `../{a,/etc}/x` cannot be placed)"},
    {"operations each read", "kiro", "fs_read",
     R"({"operations":[{"mode":"Line","path":"a"},{"mode":"Directory","path":"b"},{"mode":"Image"}]})",
     "read(/w/a) read**(/w/b) unknown(an operation that names no path)"},

    {"Grep reads the tree", "claude", "Grep", R"({"pattern":"/etc","path":"src"})",
     "read**(/w/src)"},
    {"without a path it is the cwd", "claude", "Grep", R"({"pattern":"x"})", "read**(/w)"},
    {"LS reads the tree", "claude", "LS", R"({"path":"/a"})", "read**(/a)"},
    {"Glob looks where its pattern leads", "claude", "Glob", R"({"pattern":"/etc/ssl/*.pem"})",
     "read**(/etc/ssl)"},
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
     "write(/w/a) rename(/w/a) rename(/w/b) write(/w/b: n)"},
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
     "rename**(/w/a) rename**(/w/b)"},
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
    {"the call may name its directory", "codex", "shell",
     R"({"command":["cat","a"],"workdir":"sub"})", "run(cat,a) read(/w/sub/a)"},
    {"an odd directory is Unknown", "codex", "shell", R"({"command":["cat","a"],"workdir":7})",
     "unknown(`workdir` names no directory) run(cat,a) unknown(the path `a` cannot be placed)"},
    {"a directory that the client may not read is one more", "claude", "Bash",
     R"({"command":"cat a","workdir":"/tmp"})", "run(cat,a) read(/w/a) read(/tmp/a)"},
    {"the same for an application", "", "terminal.exec", R"({"command":"cat a","cwd":"/tmp"})",
     "run(cat,a) read(/w/a) read(/tmp/a)"},
    {"variables are Unknown", "codex", "shell", R"({"command":["pwd"],"env":{"PATH":"."}})",
     "unknown(`env` sets variables) run(pwd)"},
    {"another shell is Unknown", "codex", "exec_command", R"({"cmd":"pwd","shell":"/tmp/sh"})",
     "unknown(`shell` names no shell that is known) run(pwd)"},
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
      {.name = "clock.now", .does = Does::kNothing, .arguments = {}, .where = {}},
      {.name = "mcp__fs__drop", .does = Does::kDelete, .arguments = {"paths"}, .where = {}},
  };
  const Case cases[] = {
      {"a dotted argument", "", "db.run", R"({"script":{"text":"ls"}})", "run(ls) read(/w)"},
      {"a URL argument", "", "net.get", R"({"to":"http://x.org/"})", "reach(x.org)"},
      {"a tool without effects", "", "clock.now", "{}", ""},
      {"a server's tool keeps its own effect", "", "mcp__fs__drop", R"({"paths":["a",1]})",
       "mcp(mcp__fs__drop) delete**(/w/a) unknown(`paths` holds what cannot be read)"},
      {"a missing argument is Unknown", "", "net.get", "{}", "unknown(there is no `to`)"},
  };
  for (const Case& c : cases)
    EXPECT_EQ(dump_effects(effects_of(call_of(c.provider, c.tool, c.input), declared, "/home/u")),
              c.want)
        << c.name;
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
