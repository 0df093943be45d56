// Rule texts: what they mean, how they are written back, and what is refused with which words.
#include "policy/rule.h"

#include <gtest/gtest.h>

#include <string>

namespace tollgate {
namespace {

const Position kHere{.file = "t.yaml", .line = 3, .column = 7, .width = 1, .text = ""};

std::string dump(const Rule& rule) {
  static constexpr const char* kTools[] = {"all", "kinds", "name", "server", "namespace", "glob"};
  static constexpr const char* kSpecifiers[] = {"none", "shell",     "path",     "host",
                                                "url",  "arguments", "template", "agent"};
  std::string text = std::string(kTools[static_cast<int>(rule.tool.kind)]) + ":" + rule.tool.name;
  text += std::string(" ") + kSpecifiers[static_cast<int>(rule.specifier_kind)];
  if (rule.specifier_kind == SpecifierKind::kArguments)
    for (const ArgumentPattern& argument : rule.arguments)
      text += " [" + argument.name + "|" + argument.pattern + "]";
  else if (!rule.specifier.empty())
    text += " [" + rule.specifier + "]";
  return text;
}

struct Good {
  const char* name;
  Verdict list;
  const char* text;
  const char* want;
};

constexpr Verdict kAllow = Verdict::kAllow, kDeny = Verdict::kDeny, kAsk = Verdict::kAsk;

constexpr Good kGood[] = {
    {"a bare tool", kAllow, "Bash", "name:Bash none"},
    {"a tool of any use is the bare tool", kAllow, "Bash(*)", "name:Bash none"},
    {"a command pattern", kAllow, "Bash(npm run *)", "name:Bash shell [npm run *]"},
    {"the older spelling of a prefix", kAllow, "Bash(npm run test:*)",
     "name:Bash shell [npm run test *]"},
    {"the older spelling behind a blank", kDeny, "Bash(rm :*)", "name:Bash shell [rm *]"},
    {"blanks are folded", kAllow, "Bash(  npm   run  * )", "name:Bash shell [npm run *]"},
    {"an escaped star stays", kAllow, "Bash(echo \\*)", "name:Bash shell [echo \\*]"},
    {"an escaped blank stays", kDeny, "Bash(git commit -m \\ )",
     "name:Bash shell [git commit -m \\ ]"},
    {"a native name is its canonical one", kAllow, "run_shell_command(git status)",
     "name:Bash shell [git status]"},
    {"MultiEdit is Edit", kAllow, "MultiEdit(src/**)", "name:Edit path [src/**]"},
    {"Task is Agent", kDeny, "Task(general-purpose)", "name:Agent agent [general-purpose]"},
    {"the role word for the shell", kAllow, "execute_bash(make *)",
     "kinds:execute_bash shell [make *]"},
    {"the role word for reading", kDeny, "fs_read(**/.env)", "kinds:fs_read path [**/.env]"},
    {"all file tools", kDeny, "fs_*(//etc/**)", "kinds:fs_* path [//etc/**]"},
    {"the role word for the web", kDeny, "web_fetch(domain:Example.COM.)",
     "kinds:web_fetch host [domain:example.com]"},
    {"the client's helpers", kAllow, "@builtin", "kinds:@builtin none"},
    {"everything", kAllow, "*", "all: none"},
    {"a server by its sign", kAllow, "@github", "server:github none"},
    {"a tool of a server by its sign", kAllow, "@github:get_issue",
     "name:mcp__github__get_issue none"},
    {"a server by prefix", kAllow, "mcp__github", "server:github none"},
    {"a server by star", kAllow, "mcp__github__*", "server:github none"},
    {"a tool of a server", kAsk, "mcp__github__merge_pull_request(repo=acme/*)",
     "name:mcp__github__merge_pull_request arguments [repo|acme/*]"},
    {"the other name of the gate's own server", kAllow, "@cao-mcp-server", "server:tollgate none"},
    {"a star inside a name, where it only tightens", kDeny, "mcp__github__delete_*",
     "glob:mcp__github__delete_* none"},
    {"a star for servers, where it only tightens", kDeny, "mcp__*__exec", "glob:mcp__*__exec none"},
    {"a dotted tool with a path", kAllow, "files.write(/src/**)",
     "name:files.write path [/src/**]"},
    {"a namespace", kDeny, "files.*", "namespace:files. none"},
    {"a namespace with a path", kDeny, "files.*(/secret)", "namespace:files. path [/secret]"},
    {"a dotted shell", kAllow, "terminal.exec(npm test)", "name:terminal.exec shell [npm test]"},
    {"an undeclared dotted tool with text", kDeny, "browser.open(https://x/*)",
     "name:browser.open template [https://x/*]"},
    {"an undeclared dotted tool with arguments", kAllow, "db.query(connection=test)",
     "name:db.query arguments [connection|test]"},
    {"several arguments", kAllow, "mcp__x__y(a=1, b.c=two*)",
     "name:mcp__x__y arguments [a|1] [b.c|two*]"},
    {"a quoted argument holds a comma", kAllow, "mcp__x__y(a=\"x, y\", b=z)",
     "name:mcp__x__y arguments [a|x, y] [b|z]"},
    {"a quoted argument holds a parenthesis", kAllow, "mcp__x__y(a=\"f(x)\")",
     "name:mcp__x__y arguments [a|f(x)]"},
    {"an escaped quote in an argument", kAllow, "mcp__x__y(a=i\\\"x)",
     "name:mcp__x__y arguments [a|i\"x]"},
    {"a host", kAllow, "WebFetch(domain:example.com)", "name:WebFetch host [domain:example.com]"},
    {"all below a host", kAllow, "WebFetch(domain:*.example.com)",
     "name:WebFetch host [domain:*.example.com]"},
    {"a URL pattern", kAllow, "WebFetch(https://Example.com/docs/*)",
     "name:WebFetch url [https://example.com/docs/*]"},
    {"an IPv6 address in brackets", kDeny, "WebFetch(domain:[::1])",
     "name:WebFetch host [domain:::1]"},
    {"an IPv6 address written out", kDeny, "WebFetch(domain:0:0:0:0:0:0:0:1)",
     "name:WebFetch host [domain:::1]"},
    {"an IPv6 address that is an IPv4 one", kDeny, "WebFetch(domain:::ffff:7f00:1)",
     "name:WebFetch host [domain:127.0.0.1]"},
    {"a short address", kDeny, "WebFetch(domain:127.1)", "name:WebFetch host [domain:127.0.0.1]"},
    {"a hexadecimal address", kDeny, "WebFetch(domain:0x7f000001)",
     "name:WebFetch host [domain:127.0.0.1]"},
    {"an IPv6 address in a URL keeps its brackets", kDeny, "WebFetch(http://[0::1]:080/*)",
     "name:WebFetch url [http://[::1]:80/*]"},
    {"an IPv4 address in a URL", kDeny, "WebFetch(http://127.1/*)",
     "name:WebFetch url [http://127.0.0.1/*]"},
    {"any host on a port", kDeny, "WebFetch(*://*:0022/*)", "name:WebFetch url [*://*:22/*]"},
    {"a URL pattern with a query alone", kDeny, "WebFetch(https://example.com?a=*)",
     "name:WebFetch url [https://example.com/?a=*]"},
    {"a letter that needs no encoding", kDeny, "WebFetch(https://example.com/%7Eme/a%20b/*)",
     "name:WebFetch url [https://example.com/~me/a%20b/*]"},
    {"a host in its ASCII form", kDeny, "WebFetch(domain:xn--bcher-kva.example)",
     "name:WebFetch host [domain:xn--bcher-kva.example]"},
    {"a path in the home directory", kDeny, "Read(~/.ssh/**)", "name:Read path [~/.ssh/**]"},
    {"an unknown tool far from all known ones", kDeny, "Teleport", "name:Teleport none"},
    {"a quorum's tool", kAsk, "Write", "name:Write none"},
};

TEST(ParseRule, ReadsEverySpelling) {
  for (const Good& c : kGood) {
    const Result<Rule> rule = parse_rule(c.list, c.text, kHere);
    ASSERT_TRUE(rule) << c.name << ": " << render(rule.error());
    EXPECT_EQ(dump(*rule), c.want) << c.name;
  }
}

TEST(FormatRule, ReadsBackAsTheSameRule) {
  for (const Good& c : kGood) {
    const Result<Rule> rule = parse_rule(c.list, c.text, kHere);
    ASSERT_TRUE(rule);
    const std::string text = format_rule(*rule);
    const Result<Rule> again = parse_rule(c.list, text, kHere);
    ASSERT_TRUE(again) << c.name << ": " << text;
    EXPECT_EQ(dump(*again), dump(*rule)) << c.name;
    EXPECT_EQ(format_rule(*again), text) << c.name;
  }
}

struct Bad {
  const char* name;
  Verdict list;
  const char* text;
  const char* code;
  unsigned column;  // counted from the rule's first character, which stands in column 7
  const char* message;
};

constexpr Bad kBad[] = {
    {"no tool", kAllow, "", "rule-syntax", 7, "the rule names no tool"},
    {"an open parenthesis", kAllow, "Bash(npm", "rule-syntax", 15,
     "the parenthesis is never closed"},
    {"text behind the rule", kAllow, "Bash(npm) x", "rule-syntax", 18,
     "the parenthesis is never closed"},
    {"a blank in the name", kAllow, "Ba sh", "rule-syntax", 9, "unexpected ` ` in the tool's name"},
    {"an empty specifier", kAllow, "Bash()", "bad-specifier", 12, "the specifier is empty"},
    {"a slip in a tool's name", kDeny, "Bahs(rm *)", "unknown-tool", 7, "unknown tool `Bahs`"},
    {"a tool's name in the wrong case", kDeny, "bASH", "unknown-tool", 7, "unknown tool `bASH`"},
    {"half a tool's name in an allow rule", kAllow, "mcp__github__get_*", "bad-tool-star", 24,
     "the star in `mcp__github__get_*` stands for part of a name"},
    {"half a server's name in an allow rule", kAllow, "mcp__git*", "bad-tool-star", 15,
     "the star in `mcp__git*` stands for part of a name"},
    {"half a canonical name in an allow rule", kAllow, "Web*", "bad-tool-star", 10,
     "the star in `Web*` stands for part of a name"},
    {"half a namespace in an allow rule", kAllow, "files.w*", "bad-tool-star", 14,
     "the star in `files.w*` stands for part of a name"},
    {"quotes in a command", kAllow, "Bash(git commit -m \"x\")", "rule-never-matches", 26,
     "the quote `\"` is gone before a rule is matched"},
    {"single quotes in a command", kAllow, "Bash(echo 'a')", "rule-never-matches", 17,
     "the quote `'` is gone before a rule is matched"},
    {"two commands", kAllow, "Bash(npm test && npm run lint)", "rule-never-matches", 21,
     "`&` is an operator, and a rule sees one simple command"},
    {"a pipe", kAllow, "Bash(cat x | head)", "rule-never-matches", 18,
     "`|` is an operator, and a rule sees one simple command"},
    {"a semicolon", kDeny, "Bash(a; b)", "rule-never-matches", 13,
     "`;` is an operator, and a rule sees one simple command"},
    {"a redirection", kDeny, "Bash(echo x > y)", "rule-never-matches", 19,
     "`>` is an operator, and a rule sees one simple command"},
    {"a variable", kDeny, "Bash(rm $HOME)", "rule-never-matches", 15,
     "`$` is expanded before a rule is matched"},
    {"a substitution", kDeny, "Bash(rm `x`)", "rule-never-matches", 15,
     "``` is expanded before a rule is matched"},
    {"an assignment", kAllow, "Bash(CI=1 npm test)", "rule-never-matches", 12,
     "`CI=1` is an assignment, and a rule sees the words after it"},
    {"an escape that means nothing", kAllow, "Bash(a\\b)", "bad-specifier", 13,
     "unknown escape `\\b`"},
    {"a dangling backslash of an argument", kAllow, "mcp__a__b(x=a\\)", "bad-specifier", 20,
     "the backslash at the end escapes nothing"},
    {"a dangling backslash", kAllow, "Bash(a\\)", "bad-specifier", 13,
     "the backslash at the end escapes nothing"},
    {"contradictory arguments", kDeny, "mcp__x__y(a=1, a=2)", "rule-never-matches", 22,
     "no call meets both `a=1` and `a=2`"},
    {"a literal outside a pattern", kDeny, "mcp__x__y(a=b*, a=c)", "rule-never-matches", 23,
     "no call meets both `a=b*` and `a=c`"},
    {"a value that is an object too", kDeny, "mcp__x__y(a=1, a.b=2)", "rule-never-matches", 22,
     "no call meets both `a=1` and `a.b=2`"},
    {"text for a tool that takes arguments", kAllow, "mcp__x__y(hello)", "bad-specifier", 17,
     "`hello` is no argument specifier"},
    {"an open quote", kAllow, "mcp__x__y(a=\"b)", "bad-specifier", 19, "the quote is never closed"},
    {"a host for a path tool", kDeny, "Read(domain:example.com)", "bad-specifier", 12,
     "`domain:example.com` is a host and not a path"},
    {"a path for a host tool", kDeny, "WebFetch(/etc/passwd)", "bad-specifier", 16,
     "`/etc/passwd` is no host specifier"},
    {"a plain host without its prefix", kDeny, "WebFetch(example.com)", "bad-specifier", 16,
     "`example.com` is no host specifier"},
    {"a host for the shell", kDeny, "Bash(domain:example.com)", "bad-specifier", 12,
     "`domain:example.com` is a host and not a command"},
    {"a host for an agent's type", kDeny, "Agent(domain:x)", "bad-specifier", 13,
     "`domain:x` is no agent's type"},
    {"a negated path", kDeny, "Read(!secret)", "bad-specifier", 12,
     "a path rule cannot be negated"},
    {"a path with parents", kDeny, "Read(../x)", "rule-never-matches", 12,
     "paths are cleaned before they are matched, so `..` is never met"},
    {"a path with a dot inside", kDeny, "Read(a/./x)", "rule-never-matches", 14,
     "paths are cleaned before they are matched, so `.` is never met"},
    {"a path with an empty component", kDeny, "Read(a//x)", "rule-never-matches", 14,
     "paths are cleaned before they are matched, so `//` is never met here"},
    {"stars glued to a name", kDeny, "Read(a**)", "bad-specifier", 12,
     "`**` stands only for whole components"},
    {"another user's home", kDeny, "Read(~root/x)", "bad-specifier", 12,
     "only `~/` is known, not another user's home"},
    {"a host with a path", kDeny, "WebFetch(domain:example.com/x)", "rule-never-matches", 23,
     "`example.com/x` is no host name: `/` cannot stand in one"},
    {"a host with a user", kDeny, "WebFetch(domain:me@example.com)", "rule-never-matches", 23,
     "`me@example.com` is no host name: `@` cannot stand in one"},
    {"a host with a port", kDeny, "WebFetch(domain:example.com:80)", "rule-never-matches", 23,
     "a host rule has no port"},
    {"an IPv6 address with a port", kDeny, "WebFetch(domain:[::1]:80)", "rule-never-matches", 23,
     "a host rule has no port"},
    {"a host with letters beyond ASCII", kDeny, "WebFetch(domain:bücher.example)",
     "rule-never-matches", 23, "`bücher.example` has letters beyond ASCII, and no host is met so"},
    {"a URL with letters beyond ASCII in its host", kDeny, "WebFetch(https://bücher.example/*)",
     "rule-never-matches", 24, "`bücher.example` has letters beyond ASCII, and no host is met so"},
    {"an address out of range", kDeny, "WebFetch(domain:256.1.1.1)", "rule-never-matches", 23,
     "`256.1.1.1` is no host name"},
    {"a name that ends in a number", kDeny, "WebFetch(domain:a.1)", "rule-never-matches", 23,
     "`a.1` is no host name"},
    {"a broken IPv6 address", kDeny, "WebFetch(domain:[::1::2])", "rule-never-matches", 23,
     "`[::1::2]` is no host name"},
    {"a name in brackets", kDeny, "WebFetch(http://[example.com]/)", "rule-never-matches", 23,
     "`[example.com]` is no host name"},
    {"a star in front of an address", kDeny, "WebFetch(domain:*.127.0.0.1)", "rule-never-matches",
     23, "nothing lies below the address `127.0.0.1`"},
    {"a port that is no number", kDeny, "WebFetch(https://example.com:*/x)", "rule-never-matches",
     36, "`*` is no port"},
    {"a port too high", kDeny, "WebFetch(https://example.com:65536/)", "rule-never-matches", 36,
     "`65536` is no port"},
    {"a part that no server sees", kDeny, "WebFetch(https://example.com/x#y)", "rule-never-matches",
     37, "no server sees the part from `#` on"},
    {"a URL with a user", kDeny, "WebFetch(https://me@example.com/)", "rule-never-matches", 16,
     "a URL with a user name in it never matches"},
    {"a URL that no fetch uses", kDeny, "WebFetch(ftp://example.com/)", "rule-never-matches", 16,
     "no fetch uses the scheme `ftp`"},
    {"no host at all", kDeny, "WebFetch(domain:)", "bad-specifier", 23,
     "`domain:` needs the name of a host"},
    {"a specifier where none can be", kAllow, "*(x)", "bad-specifier", 8, "`*` takes no specifier"},
    {"a specifier for helpers", kAllow, "TodoWrite(x)", "bad-specifier", 16,
     "`TodoWrite` takes no specifier"},
    {"a specifier for a search", kAllow, "WebSearch(x)", "bad-specifier", 16,
     "`WebSearch` takes no specifier"},
    {"a name that clients use for different tools", kAllow, "write(x)", "ambiguous-tool", 7,
     "`write` is Write or Edit, depending on the client"},
};

TEST(ParseRule, RefusesWithThePlaceAndTheReason) {
  for (const Bad& c : kBad) {
    const Result<Rule> rule = parse_rule(c.list, c.text, kHere);
    ASSERT_FALSE(rule) << c.name << ": " << dump(*rule);
    EXPECT_EQ(rule.error().code, c.code) << c.name;
    EXPECT_EQ(rule.error().where.column, c.column) << c.name;
    EXPECT_EQ(rule.error().message, c.message) << c.name;
    EXPECT_FALSE(rule.error().hint.empty()) << c.name;
    EXPECT_EQ(rule.error().where.line, 3u) << c.name;
  }
}

TEST(ParseRule, TakesSoManyArgumentsAndNoMore) {
  const auto rule_with = [](int arguments) {
    std::string text = "mcp__x__y(a0=1";
    for (int i = 1; i < arguments; ++i) text += ", a" + std::to_string(i) + "=1";
    return parse_rule(kDeny, text + ")", kHere);
  };
  EXPECT_TRUE(rule_with(64));
  for (const int arguments : {65, 1'500}) {
    const Result<Rule> rule = rule_with(arguments);
    ASSERT_FALSE(rule) << arguments;
    EXPECT_EQ(rule.error().code, "bad-specifier");
    EXPECT_EQ(rule.error().message, "the specifier names more than 64 arguments");
  }
  EXPECT_EQ(rule_with(60'000).error().code, "rule-too-long");
}

TEST(ParseRule, HasALongestRule) {
  const auto rule_of = [](std::size_t size) {
    return parse_rule(kDeny, "Bash(" + std::string(size - 6, 'a') + ")", kHere);
  };
  EXPECT_TRUE(rule_of(kMaxRuleBytes));
  const Result<Rule> longer = rule_of(kMaxRuleBytes + 1);
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().message, "the rule has 20101 bytes, more than the limit of 20100");
  EXPECT_EQ(longer.error().code, "rule-too-long");
}

TEST(EscapeShellWord, StandsForExactlyItself) {
  for (const char* word :
       {"a b", "*", "a*b", "\\", "\"q\"", "$(x)", "a;b|c&d", "~", "x'y", "a\nb", "`"}) {
    const std::string text = "Bash(echo " + escape_shell_word(word) + ")";
    const Result<Rule> rule = parse_rule(kAllow, text, kHere);
    ASSERT_TRUE(rule) << text << ": " << rule.error().message;
    EXPECT_EQ(format_rule(*rule), text);
  }
}

}  // namespace
}  // namespace tollgate
