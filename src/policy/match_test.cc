// What rules speak of: commands in any spelling, paths by either name, hosts, arguments.
#include "policy/match.h"

#include <gtest/gtest.h>

#include <sstream>

#include "json/json.h"
#include "policy/specifier.h"

namespace tollgate {
namespace {

std::vector<Word> argv(const std::string& text) {
  std::vector<Word> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back({.text = word});
  return words;
}

struct CommandCase {
  const char* name;
  const char* pattern;
  const char* command;
  Match want;
};

constexpr CommandCase kDenied[] = {
    {"as written", "rm -rf *", "rm -rf x", Match::kYes},
    {"options behind the operand, in another order", "rm -rf *", "rm x -fr", Match::kYes},
    {"options apart", "rm -rf *", "rm -r x -f", Match::kYes},
    {"long options, one abbreviated", "rm -rf *", "rm --rec --force x", Match::kYes},
    {"another letter for the same option", "rm -rf *", "rm -Rf x", Match::kYes},
    {"one option missing", "rm -rf *", "rm -f x", Match::kNo},
    {"more options than asked for", "rm -rf *", "rm -rfv x", Match::kYes},
    {"no operand", "rm -rf *", "rm -rf", Match::kYes},
    {"an operand that is asked for", "rm -rf /", "rm --recursive -f /", Match::kYes},
    {"another operand", "rm -rf /", "rm -rf /tmp/x", Match::kNo},
    {"behind two dashes", "rm -rf /", "rm -rf -- /", Match::kYes},
    {"by its path", "rm *", "/bin/rm x", Match::kYes},
    {"by any absolute path", "rm *", "/opt/tools/rm x", Match::kYes},
    {"a relative program is another one", "rm *", "./rm x", Match::kNo},
    {"a pattern that spells the path", "/bin/rm *", "rm x", Match::kYes},
    {"a forced push by its twin", "git push --force *", "git push -f", Match::kYes},
    {"a forced push behind global options", "git push --force *", "git -C . push origin main -f", Match::kYes},
    {"a forced push with a setting", "git push --force *", "git -c a.b=c push --force", Match::kYes},
    {"a forced push, abbreviated", "git push --force *", "git push --forc origin", Match::kYes},
    {"with a lease is another option", "git push --force *", "git push --force-with-lease", Match::kNo},
    {"another subcommand", "git push --force *", "git log --force", Match::kNo},
    {"a word in a message is no subcommand", "git push *", "git commit -m push", Match::kNo},
    {"bundled with others", "git push -f *", "git push -uf origin", Match::kYes},
    {"a namespace with its value attached", "kubectl delete -n prod *", "kubectl -nprod delete pod x", Match::kYes},
    {"a namespace by its long name", "kubectl delete -n prod *", "kubectl delete pod x --namespace=prod", Match::kYes},
    {"another namespace", "kubectl delete -n prod *", "kubectl delete pod x -n dev", Match::kNo},
    {"a single dash and a long name", "terraform apply -auto-approve *", "terraform apply -auto-approve", Match::kYes},
    {"a long option with a value", "npm publish --tag=latest *", "npm publish --tag=latest", Match::kYes},
    {"a long option with another value", "npm publish --tag=latest *", "npm publish --tag=beta", Match::kNo},
    {"a program left open", "* --version", "node --version", Match::kYes},
    {"nothing alike", "rm *", "ls x", Match::kNo},
};

TEST(CommandHits, SeesThroughSpelling) {
  for (const CommandCase& c : kDenied)
    EXPECT_EQ(command_hits(c.pattern, argv(c.command), "/home/user"), c.want)
        << c.name << ": `" << c.pattern << "` on `" << c.command << "`";
}

TEST(CommandHits, IsInDoubtAboutUnknownWords) {
  std::vector<Word> words = argv("git x --force");
  words[1].known = false;
  EXPECT_EQ(command_hits("git push --force *", words, ""), Match::kMaybe);
  EXPECT_EQ(command_hits("rm *", words, ""), Match::kNo);
  words[0].known = false;
  EXPECT_EQ(command_hits("rm *", words, ""), Match::kMaybe);
  EXPECT_FALSE(command_text_matches("git *", words, Verdict::kAllow, ""));
}

constexpr CommandCase kAllowed[] = {
    {"as written", "npm run *", "npm run build", Match::kYes},
    {"options in another place are another command", "rm -rf *", "rm x -rf", Match::kNo},
    {"from a system directory", "npm run *", "/usr/bin/npm run build", Match::kYes},
    {"from any other directory", "npm run *", "/tmp/npm run build", Match::kNo},
    {"by name where the rule spells a path", "/usr/bin/git status", "git status", Match::kNo},
    {"a path that the rule spells", "./gradlew *", "./gradlew test", Match::kYes},
    {"the home directory", "cat ~/notes", "cat /home/user/notes", Match::kYes},
};

TEST(CommandTextMatches, TakesTheTextAlone) {
  for (const CommandCase& c : kAllowed)
    EXPECT_EQ(command_text_matches(c.pattern, argv(c.command), Verdict::kAllow, "/home/user"),
              c.want == Match::kYes)
        << c.name;
}

struct PathCase {
  const char* name;
  const char* specifier;
  const char* written;
  const char* real;
  Match deny;
  bool allow;
};

constexpr PathCase kPaths[] = {
    {"below the file system's root", "//etc/**", "/etc/hosts", "/etc/hosts", Match::kYes, true},
    {"a directory covers what is below for deny only", "//etc", "/etc/hosts", "/etc/hosts", Match::kYes, false},
    {"in the home directory", "~/x", "/home/user/x", "/home/user/x", Match::kYes, true},
    {"below a workspace root", "/src/**", "/w/a/src/x.c", "/w/a/src/x.c", Match::kYes, true},
    {"below another workspace root", "/src/**", "/w/b/src/x.c", "/w/b/src/x.c", Match::kYes, true},
    {"outside the workspace roots", "/src/**", "/src/x.c", "/src/x.c", Match::kNo, false},
    {"below the base", "src/*.c", "/w/a/src/x.c", "/w/a/src/x.c", Match::kYes, true},
    {"below the base, spelt out", "./src/x.c", "/w/a/src/x.c", "/w/a/src/x.c", Match::kYes, true},
    {"below the call's directory, for deny only", "x.c", "/w/a/sub/x.c", "/w/a/sub/x.c", Match::kYes, false},
    {"a name at any depth, for deny only", ".env", "/w/a/deep/er/.env", "/w/a/deep/er/.env", Match::kYes, false},
    {"a name outside the base, for deny", ".env", "/elsewhere/.env", "/elsewhere/.env", Match::kYes, false},
    {"a name directly in the base", "README.md", "/w/a/README.md", "/w/a/README.md", Match::kYes, true},
    {"two stars in front float for deny", "**/.env", "/elsewhere/x/.env", "/elsewhere/x/.env", Match::kYes, false},
    {"two stars in front stay below the base for allow", "**/x.c", "/w/a/src/x.c", "/w/a/src/x.c", Match::kYes, true},
    {"another letter case is denied too", "//etc/Secret", "/etc/secret", "/etc/secret", Match::kYes, false},
    {"a link out of an allowed directory", "/src/**", "/w/a/src/x", "/etc/shadow", Match::kYes, false},
    {"a link into a denied directory", "//etc/**", "/w/a/link", "/etc/hosts", Match::kYes, false},
    {"elsewhere", "//etc/**", "/w/a/x", "/w/a/x", Match::kNo, false},
    {"a name that only begins alike", "//etc", "/etcetera/x", "/etcetera/x", Match::kNo, false},
};

Situation situation() {
  Situation s;
  s.base = {"/w/a", "/w/a"};
  s.cwd = {"/w/a/sub", "/w/a/sub"};
  s.roots = {{"/w/a", "/w/a"}, {"/w/b", "/w/b"}};
  s.home = {"/home/user", "/home/user"};
  return s;
}

TEST(PathRules, CompareBothNames) {
  for (const PathCase& c : kPaths) {
    const Effect effect{.kind = EffectKind::kRead, .path = c.written};
    const PathLook look{.state = PathState::kFile, .real = c.real};
    EXPECT_EQ(path_hits(c.specifier, effect, look, situation()), c.deny) << c.name;
    EXPECT_EQ(path_covers(c.specifier, effect, look, situation()), c.allow) << c.name;
  }
}

TEST(PathRules, AreInDoubtAboutUnknownPaths) {
  const Effect effect{.kind = EffectKind::kRead, .path = "/proc/self/cwd/x"};
  EXPECT_EQ(path_hits("//etc/**", effect, {}, situation()), Match::kMaybe);
  EXPECT_FALSE(path_covers("//proc/**", effect, {}, situation()));
}

TEST(PathRules, MeetWhatAWalkMeets) {
  Effect walk{.kind = EffectKind::kRead, .recursive = true, .path = "/w/a"};
  PathLook look{.state = PathState::kDirectory, .real = "/w/a"};
  EXPECT_EQ(path_hits("//w/a/secret/key", walk, look, situation()), Match::kYes);
  EXPECT_EQ(path_hits("//w/b/secret", walk, look, situation()), Match::kNo);
  EXPECT_EQ(path_hits("**/.env", walk, look, situation()), Match::kMaybe) << "nobody looked";
  look.walked = true;
  EXPECT_EQ(path_hits("**/.env", walk, look, situation()), Match::kNo);
  look.below = {"/w/a/x/.env"};
  EXPECT_EQ(path_hits("**/.env", walk, look, situation()), Match::kYes);
  look.below.clear();
  look.walk_cut = true;
  EXPECT_EQ(path_hits("**/.env", walk, look, situation()), Match::kYes);
  EXPECT_EQ(path_hits("~/.aws/*", walk, look, situation()), Match::kNo) << "it leads elsewhere";
  EXPECT_EQ(path_hits("//w/*/x/*", walk, look, situation()), Match::kYes) << "it may lead there";
  EXPECT_TRUE(path_covers("//w/a/**", walk, look, situation()));
  EXPECT_FALSE(path_covers("//w/*", walk, look, situation())) << "one level is not the tree";
}

TEST(HostRules, CompareParsedHosts) {
  const auto rule = [](const char* specifier, SpecifierKind kind) {
    return RuleView{.specifier_kind = kind, .specifier = specifier};
  };
  const auto reach = [](const char* host, const char* url) {
    return Effect{.kind = EffectKind::kReach, .host = host, .url = url};
  };
  const RuleView exact = rule("domain:example.com", SpecifierKind::kHost);
  EXPECT_TRUE(host_covers(exact, reach("example.com", "https://example.com/")));
  EXPECT_FALSE(host_covers(exact, reach("api.example.com", "https://api.example.com/")));
  EXPECT_EQ(host_hits(exact, reach("api.example.com", "")), Match::kYes);
  EXPECT_EQ(host_hits(exact, reach("notexample.com", "")), Match::kNo);
  EXPECT_EQ(host_hits(exact, reach("", "http://0x7f.1/")), Match::kMaybe);
  const RuleView below = rule("domain:*.example.com", SpecifierKind::kHost);
  EXPECT_TRUE(host_covers(below, reach("a.b.example.com", "")));
  EXPECT_FALSE(host_covers(below, reach("example.com", "")));
  const RuleView url = rule("https://example.com/docs/*", SpecifierKind::kUrl);
  EXPECT_TRUE(host_covers(url, reach("example.com", "https://example.com/docs/x")));
  EXPECT_FALSE(host_covers(url, reach("example.com", "https://example.com/docs/../admin")));
  EXPECT_FALSE(host_covers(url, reach("example.com", "http://example.com/docs/x")));
  EXPECT_FALSE(host_covers(url, reach("example.com", "https://example.com:8443/docs/x")));
  EXPECT_FALSE(host_covers(url, reach("evil.com", "https://evil.com/docs/x")));
}

struct ArgumentCase {
  const char* name;
  const char* specifier;
  const char* input;
  Match deny;
  bool allow;
};

constexpr ArgumentCase kArguments[] = {
    {"a text", "repo=acme/*", R"({"repo":"acme/site"})", Match::kYes, true},
    {"a star stays in its segment", "repo=acme/*", R"({"repo":"acme/site/x"})", Match::kNo, false},
    {"two stars cross", "repo=acme/**", R"({"repo":"acme/site/x"})", Match::kYes, true},
    {"a number", "n=1", R"({"n":1.0})", Match::kYes, true},
    {"a truth", "force=true", R"({"force":true})", Match::kYes, true},
    {"a text that looks like a truth", "force=true", R"({"force":"true"})", Match::kYes, true},
    {"missing", "repo=acme/*", R"({"other":1})", Match::kMaybe, false},
    {"null", "repo=*", R"({"repo":null})", Match::kMaybe, false},
    {"an object", "repo=*", R"({"repo":{}})", Match::kMaybe, false},
    {"nested", "a.b=x", R"({"a":{"b":"x"}})", Match::kYes, true},
    {"a dotted name as it stands", "a.b=x", R"({"a.b":"x"})", Match::kYes, true},
    {"an array, all alike", "tag=a*", R"({"tag":["a1","a2"]})", Match::kYes, true},
    {"an array, some alike", "tag=a*", R"({"tag":["a1","b2"]})", Match::kYes, false},
    {"an empty array", "tag=a*", R"({"tag":[]})", Match::kNo, false},
    {"inside an array of objects", "files.path=src/*", R"({"files":[{"path":"src/a"},{"path":"etc/b"}]})", Match::kYes, false},
    {"two arguments", "a=1, b=2", R"({"a":1,"b":2})", Match::kYes, true},
    {"one of two is another", "a=1, b=2", R"({"a":1,"b":3})", Match::kNo, false},
    {"one of two is missing", "a=1, b=2", R"({"a":1})", Match::kMaybe, false},
    {"a parent segment", "path=src/**", R"({"path":"src/../etc"})", Match::kMaybe, false},
    {"an encoded dot", "path=src/**", R"({"path":"src/%2E%2e/etc"})", Match::kMaybe, false},
    {"a backslash", "path=src/**", R"({"path":"src\\..\\etc"})", Match::kMaybe, false},
    {"the text of JSON is never matched", "a=*x*", R"({"b":"x"})", Match::kMaybe, false},
    {"names are exact", "Repo=x", R"({"repo":"x"})", Match::kMaybe, false},
};

TEST(ArgumentRules, CompareNamedValues) {
  for (const ArgumentCase& c : kArguments) {
    const auto arguments = argument_patterns(c.specifier);
    ASSERT_TRUE(arguments) << c.name;
    const Result<json::Value> input = json::parse(c.input);
    ASSERT_TRUE(input) << c.name;
    EXPECT_EQ(arguments_hit(packed(*arguments), *input), c.deny) << c.name;
    EXPECT_EQ(arguments_cover(packed(*arguments), *input), c.allow) << c.name;
  }
}

}  // namespace
}  // namespace tollgate
