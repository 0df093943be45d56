// fmt: what it changes, what it keeps, and that a second run changes nothing.
// Cases are pairs of texts.
// Texts that cannot be read are errors, never empty files.
#include "config/fmt.h"

#include <gtest/gtest.h>

#include "config/names.h"
#include "config/starter.h"
#include "config/test_files.h"

namespace tollgate::config {
namespace {

struct Case {
  std::string_view name, text, want;
};
constexpr Case kCases[] = {
    {"tidy text stays", "mode: plan\n", "mode: plan\n"},
    {"an empty file stays empty", "", ""},
    {"a final newline is added", "mode: plan", "mode: plan\n"},
    {"trailing blanks go", "mode: plan   \n# x  \n", "mode: plan\n# x\n"},
    {"carriage returns go", "mode: plan\r\nversion: 1\r\n", "mode: plan\nversion: 1\n"},
    {"runs of blank lines become one", "\n\nmode: plan\n\n\n\nversion: 1\n\n\n",
     "mode: plan\n\nversion: 1\n"},
    {"four blanks become two", "rules:\n    deny:\n        - Bash\n",
     "rules:\n  deny:\n    - Bash\n"},
    {"a list under its key moves in", "rules:\n  deny:\n  - Bash\n  - Read\n",
     "rules:\n  deny:\n    - Bash\n    - Read\n"},
    {"wide dashes close up", "rules:\n  deny:\n    -   Bash\n", "rules:\n  deny:\n    - Bash\n"},
    {"mappings in lists hang below the dash",
     "rules:\n    deny:\n      -   rule: Bash\n          reason: no\n",
     "rules:\n  deny:\n    - rule: Bash\n      reason: no\n"},
    {"comments move with what follows",
     "# top\nrules:\n    # about deny\n    deny:\n        # first\n        - Bash # why\n# end\n",
     "# top\nrules:\n  # about deny\n  deny:\n    # first\n    - Bash # why\n# end\n"},
    {"flow text keeps its shape", "rules:\n    deny: [Bash,\n        Read]\n",
     "rules:\n  deny: [Bash,\n      Read]\n"},
    {"block text keeps its lines",
     "rules:\n    deny:\n        - rule: Bash\n          reason: |\n            a  \n\n\n          "
     "  # b\n",
     "rules:\n  deny:\n    - rule: Bash\n      reason: |\n        a  \n\n\n        # b\n"},
    {"rules get one spelling",
     "rules:\n  deny:\n    - Bash(npm run:*)\n    - \"Bash(git  push)\"\n",
     "rules:\n  deny:\n    - Bash(npm run *)\n    - \"Bash(git push)\"\n"},
};

TEST(Fmt, LaysOut) {
  for (const Case& c : kCases) {
    const Result<std::string> got = format_config(c.text, "t.yaml");
    ASSERT_TRUE(got) << c.name << ": " << render(got.error());
    EXPECT_EQ(*got, c.want) << c.name;
    EXPECT_EQ(format_config(*got, "t.yaml").value(), *got) << c.name;
  }
}

TEST(Fmt, RefusesWhatCannotBeRead) {
  EXPECT_EQ(format_config("a: 1\na: 2\n", "t.yaml").error().code, "yaml-duplicate-key");
  EXPECT_EQ(format_config("a: [\n", "t.yaml").error().code, "yaml-syntax");
}

TEST(Starter, EveryPresetLoadsInSilenceAndIsTidy) {
  for (std::string_view preset : built_in_presets()) {
    const Result<std::string> text = starter_config(preset);
    ASSERT_TRUE(text) << preset;
    EXPECT_EQ(format_config(*text, "t.yaml").value(), *text) << preset;
    TestFiles files;
    files.user(*text);
    const Loaded loaded = files.load();
    EXPECT_TRUE(loaded.diagnostics.empty()) << preset << files.report(loaded);
    EXPECT_FALSE(loaded.set.broken) << preset;
  }
  EXPECT_EQ(starter_config("readonly").error().message, "unknown preset `readonly`");
}

}  // namespace
}  // namespace tollgate::config
