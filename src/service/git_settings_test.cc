// Git's configuration format, row by row as git itself reads it, and which settings name programs.
// The rows of the reader were held against `git config --list`.
#include "service/git_settings.h"

#include <gtest/gtest.h>

#include "service/section_settings.h"

namespace tollgate {
namespace {

// `name=value` for each setting, `|` between; a key alone has no `=`.
std::string dump(std::string_view text) {
  const auto settings = read_git_settings(text);
  if (!settings) return "refused";
  std::string out;
  for (const GitSetting& one : *settings)
    out += (out.empty() ? "" : "|") + one.name() + (one.value ? "=" + *one.value : "");
  return out;
}

struct ReadCase {
  std::string_view name, text, want;
};
constexpr ReadCase kReads[] = {
    {"nothing", "", ""},
    {"a setting", "[core]\n\tbare = false\n", "core.bare=false"},
    {"without an end of line", "[core]\nbare=false", "core.bare=false"},
    {"a key alone", "[core]\nbare\nx = 1\n", "core.bare|core.x=1"},
    {"behind the header on its line", "[core]bare = no", "core.bare=no"},
    {"sections and keys in any case", "[CoRe]\nFsMonitor = A\n", "core.fsmonitor=A"},
    {"a subsection keeps its case", "[diff \"X.y\"]\ncommand = c\n", "diff.X.y.command=c"},
    {"escapes in a subsection", "[a \"b\\\"\\\\c\\d\"]\nk=v\n", "a.b\"\\cd.k=v"},
    {"the old form of a subsection", "[diff.Tool]\ncommand=c\n", "diff.tool.command=c"},
    {"blanks around", "  [a]  \n  k   =   v w   \n", "a.k=v w"},
    {"remarks", "# x\n[a] ; y\nk=v # z\nl=w;z\n", "a.k=v|a.l=w"},
    {"no remark inside quotes", "[a]\nk=\"v # ; w\" x\n", "a.k=v # ; w x"},
    {"quotes inside a word", "[a]\nk=./e\"vi\"l.sh\n", "a.k=./evil.sh"},
    {"quoted blanks stay", "[a]\nk=\"  v  \"  \n", "a.k=  v  "},
    {"escapes", "[a]\nk=a\\tb\\n\\\\\\\"c\n", "a.k=a\tb\n\\\"c"},
    {"a line that goes on", "[a]\nk=./e\\\nvil\n", "a.k=./evil"},
    {"a remark does not go on", "[a]\nk=v # x \\\nl=w\n", "a.k=v|a.l=w"},
    {"ends of line as DOS has them", "[a]\r\nk=v\r\nl=w\\\r\nx\r\n", "a.k=v|a.l=wx"},
    {"a byte order mark", "\xEF\xBB\xBF[a]\nk=v\n", "a.k=v"},
    {"an empty value", "[a]\nk=\n", "a.k="},
    {"several of one name", "[a]\nk=1\n[b]\nk=2\n[a]\nk=3\n", "a.k=1|b.k=2|a.k=3"},
    {"two settings on one line are one", "[a]\nk=v l=w\n", "a.k=v l=w"},
    {"dots in a quoted subsection", "[core \"a\"]\nfsmonitor=x\n", "core.a.fsmonitor=x"},
    {"no section", "k=v\n", "refused"},
    {"an open header", "[a\nk=v\n", "refused"},
    {"an empty header", "[]\nk=v\n", "refused"},
    {"an odd header", "[a b]\nk=v\n", "refused"},
    {"an open subsection", "[a \"b]\nk=v\n", "refused"},
    {"an open quote", "[a]\nk=\"v\n", "refused"},
    {"an unknown escape", "[a]\nk=\\x\n", "refused"},
    {"a key that begins with a digit", "[a]\n1k=v\n", "refused"},
    {"a key with an odd letter", "[a]\nk_l=v\n", "refused"},
    {"a key with a remark", "[a]\nk # x\n", "refused"},
};

TEST(GitSettings, AreReadAsGitReadsThem) {
  for (const ReadCase& c : kReads) EXPECT_EQ(dump(c.text), c.want) << c.name;
  EXPECT_EQ(dump(std::string_view("[a]\nk=v\0w\n", 10)), "refused");
  EXPECT_EQ(dump(std::string(kMaxSettingsBytes, '\n')), "");
  EXPECT_EQ(dump(std::string(kMaxSettingsBytes + 1, '\n')), "refused");
}

struct NamesCase {
  std::string_view text;
  SettingNames want;
};
constexpr SettingNames kNothing = SettingNames::kNothing;
constexpr SettingNames kProgram = SettingNames::kProgram;
constexpr SettingNames kElsewhere = SettingNames::kElsewhere;
constexpr NamesCase kNames[] = {
    // What every repository has.
    {"[core] repositoryformatversion = 0", kNothing},
    {"[core] bare = false", kNothing},
    {"[core] logallrefupdates", kNothing},
    {"[core] ignorecase = true", kNothing},
    {"[remote \"origin\"] url = git@example.com:a/b", kNothing},
    {"[remote \"origin\"] fetch = +refs/heads/*:refs/remotes/origin/*", kNothing},
    {"[branch \"main\"] merge = refs/heads/main", kNothing},
    {"[submodule \"x\"] url = https://example.com/x", kNothing},
    {"[submodule \"x\"] update = rebase", kNothing},
    {"[user] email = me@example.com", kNothing},
    {"[log] date = iso", kNothing},
    {"[diff] tool = vimdiff", kNothing},
    {"[diff \"lfs\"] cachetextconv = true", kNothing},
    {"[merge] tool = meld", kNothing},
    {"[lfs] repositoryformatversion = 0", kNothing},
    {"[lfs \"https://example.com/x\"] access = basic", kNothing},
    // Switches.
    {"[core] fsmonitor = true", kNothing},
    {"[core] fsmonitor = FALSE", kNothing},
    {"[core] fsmonitor = 1", kNothing},
    {"[core] fsmonitor", kNothing},
    {"[core] fsmonitor =", kNothing},
    {"[core] fsmonitor = ./x.sh", kProgram},
    {"[core] fsmonitor = .git/hooks/query-watchman", kProgram},
    {"[CORE] FsMonitor = rs", kProgram},
    {"[core \"x\"] fsmonitor = ./x.sh", kNothing},
    {"[pager] branch = false", kNothing},
    {"[pager] log = ./x.sh", kProgram},
    {"[pager \"x\"] y = ./x.sh", kProgram},
    {"[core] pager = cat", kNothing},
    {"[core] pager = less", kNothing},
    {"[core] pager = less -R", kProgram},
    {"[core] pager = sh -c id", kProgram},
    // Hooks.
    {"[core] hooksPath = .husky", kNothing},
    {"[core] hooksPath = .husky/_", kNothing},
    {"[core] hooksPath = .husky/_/", kNothing},
    {"[core] hooksPath = .git/hooks", kNothing},
    {"[core] hooksPath = /w/.git/hooks", kNothing},
    {"[core] hooksPath = /dev/null", kNothing},
    {"[core] hooksPath = .husky/../evil", kProgram},
    {"[core] hooksPath = hooks", kProgram},
    {"[core] hooksPath = /x/.git/hooks", kProgram},
    {"[hook \"x\"] command = ./x.sh", kProgram},
    // Commands of the core.
    {"[core] sshCommand = ssh -i key", kProgram},
    {"[core] editor = vim", kProgram},
    {"[sequence] editor = ./x.sh", kProgram},
    {"[core] askPass = ./x.sh", kProgram},
    {"[core] gitProxy = ./x.sh for example.com", kProgram},
    {"[core] alternateRefsCommand = ./x.sh", kProgram},
    // Differences, filters and merges.
    {"[diff] external = ./x.sh", kProgram},
    {"[diff] external =", kNothing},
    {"[diff \"x\"] command = ./x.sh", kProgram},
    {"[diff \"x\"] textconv = ./x.sh", kProgram},
    {"[diff.x] textconv = ./x.sh", kProgram},
    {"[filter \"lfs\"] clean = git-lfs clean -- %f", kNothing},
    {"[filter \"lfs\"] smudge = git-lfs smudge -- %f", kNothing},
    {"[filter \"lfs\"] smudge = git-lfs smudge --skip -- %f", kNothing},
    {"[filter \"lfs\"] process = git-lfs filter-process", kNothing},
    {"[filter \"lfs\"] process = git-lfs filter-process --skip", kNothing},
    {"[filter \"lfs\"] required = true", kNothing},
    {"[filter \"lfs\"] clean = \"git-lfs clean -- %f; id\"", kProgram},
    {"[filter \"lfs\"] process = ./git-lfs filter-process", kProgram},
    {"[filter \"x\"] clean = ./x.sh", kProgram},
    {"[filter \"x\"] smudge = ./x.sh", kProgram},
    {"[filter \"x\"] process = ./x.sh", kProgram},
    {"[merge \"x\"] driver = ./x.sh %O", kProgram},
    {"[merge \"x\"] name = x", kNothing},
    {"[interactive] diffFilter = delta", kProgram},
    {"[difftool \"x\"] cmd = ./x.sh", kProgram},
    {"[difftool \"x\"] path = ./x.sh", kProgram},
    {"[difftool] prompt = false", kNothing},
    {"[mergetool \"x\"] cmd = ./x.sh", kProgram},
    {"[trailer \"x\"] command = ./x.sh", kProgram},
    {"[trailer \"x\"] cmd = ./x.sh", kProgram},
    {"[trailer \"x\"] key = X", kNothing},
    {"[tar \"tar.xz\"] command = ./x.sh", kProgram},
    // Aliases.
    {"[alias] st = status", kNothing},
    {"[alias] st = !./x.sh", kProgram},
    {"[alias \"st\"] command = !./x.sh", kProgram},
    {"[alias] l = !git lfs ls-files", kNothing},
    {"[alias] l = \"!git lfs ls-files; id\"", kProgram},
    // Keys, passwords, remotes, helpers.
    {"[gpg] program = ./x.sh", kProgram},
    {"[gpg \"ssh\"] program = ./x.sh", kProgram},
    {"[gpg \"ssh\"] defaultKeyCommand = ./x.sh", kProgram},
    {"[gpg] format = ssh", kNothing},
    {"[credential] helper = store", kNothing},
    {"[credential] helper = cache --timeout=300", kNothing},
    {"[credential] helper =", kNothing},
    {"[credential \"https://example.com\"] helper = osxkeychain", kNothing},
    {"[credential] helper = !./x.sh", kProgram},
    {"[credential] helper = /x.sh", kProgram},
    {"[credential] helper = \"store; id\"", kProgram},
    {"[credential] helper = store $(id)", kProgram},
    {"[credential \"https://example.com\"] helper = ./x.sh", kProgram},
    {"[remote \"origin\"] uploadpack = ./x.sh", kProgram},
    {"[remote \"origin\"] receivepack = ./x.sh", kProgram},
    {"[remote \"origin\"] vcs = x", kProgram},
    {"[uploadpack] packObjectsHook = ./x.sh", kProgram},
    {"[gc] recentObjectsHook = ./x.sh", kProgram},
    {"[submodule \"x\"] update = !./x.sh", kProgram},
    {"[man \"x\"] cmd = ./x.sh", kProgram},
    {"[browser \"x\"] cmd = ./x.sh", kProgram},
    {"[web] browser = x", kProgram},
    {"[lfs \"customtransfer.x\"] path = ./x.sh", kProgram},
    {"[lfs.CustomTransfer.x] path = ./x.sh", kProgram},
    {"[lfs \"extension.x\"] clean = ./x.sh", kProgram},
    // What leads elsewhere.
    {"[include] path = other", kElsewhere},
    {"[include] path =", kElsewhere},
    {"[includeIf \"gitdir:/w/\"] path = other", kElsewhere},
    {"[protocol \"ext\"] allow = always", kElsewhere},
    {"[protocol] allow = always", kElsewhere},
    {"[protocol] allow = never", kNothing},
    {"[protocol \"file\"] allow = always", kNothing},
};

TEST(GitSettings, SayWhichProgramTheyName) {
  for (const NamesCase& c : kNames) {
    const auto settings = read_git_settings(c.text);
    ASSERT_TRUE(settings && settings->size() == 1) << c.text;
    EXPECT_EQ(names_program(settings->front(), "/w/.git/hooks"), c.want) << c.text;
  }
}

TEST(GitSettings, KnowABoolean) {
  const auto truth = [](std::string_view text) {
    return is_true(read_git_settings(text)->front());
  };
  for (const char* text : {"[a] k", "[a] k=true", "[a] k=Yes", "[a] k=on", "[a] k=1", "[a] k=10"})
    EXPECT_TRUE(truth(text)) << text;
  for (const char* text : {"[a] k=", "[a] k=false", "[a] k=no", "[a] k=off", "[a] k=0"})
    EXPECT_FALSE(truth(text)) << text;
}

struct SuspectCase {
  std::string_view name, text, want;
};

TEST(SectionSettings, OfMercurialAreHarmlessOnlyWhereListed) {
  constexpr SuspectCase kCases[] = {
      {"nothing", "", ""},
      {"paths", "# x\n[paths]\ndefault = https://example.com/x\n\n[ui]\nusername = me\n", ""},
      {"a value over two lines", "[ui]\nusername = me\n  and you\n", ""},
      {"an extension", "[extensions]\nevil = ./evil.py\n", "evil = ./evil.py"},
      {"a hook", "[paths]\na = b\n[hooks]\npre-status = ./x.sh\n", "pre-status = ./x.sh"},
      {"an alias", "[alias]\nst = !./x.sh\n", "st = !./x.sh"},
      {"another setting of a section", "[ui]\neditor = ./x.sh\n", "editor = ./x.sh"},
      {"an include", "[paths]\n%include other\n", "%include other"},
      {"what the program would refuse", "[alias]\n st = !./x.sh\n", "st = !./x.sh"},
      {"no section", "a = b\n", "a = b"},
      {"an open header", "[alias\nx = y\n", "[alias"},
  };
  for (const SuspectCase& c : kCases) EXPECT_EQ(suspect_line_of_hgrc(c.text), c.want) << c.name;
}

TEST(SectionSettings, OfJujutsuAreHarmlessOnlyWhereListed) {
  constexpr SuspectCase kCases[] = {
      {"nothing", "", ""},
      {"a user", "# x\n[user]\nname = \"me\"\nemail = \"me@example.com\"\n", ""},
      {"aliases of revisions", "[revset-aliases]\n'trunk()' = \"main@origin\"\n", ""},
      {"a pager", "[ui]\npager = \"./x.sh\"\n", "[ui]"},
      {"a pager with blanks before", "  [ui]\n  pager = \"./x.sh\"\n", "[ui]"},
      {"a key before any section", "ui.pager = \"./x.sh\"\n", "ui.pager = \"./x.sh\""},
      {"a table below a harmless one", "[user.x]\ny = 1\n", "[user.x]"},
      {"a text over lines", "[user]\nname = \"\"\"\n", "\"\"\""},
      {"a header with a remark", "[user] # x\n", "[user] # x"},
  };
  for (const SuspectCase& c : kCases) EXPECT_EQ(suspect_line_of_jj(c.text), c.want) << c.name;
}

}  // namespace
}  // namespace tollgate
