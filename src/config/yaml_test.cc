// The YAML reader: what it takes, what it refuses, and where it says the mistake is.
// Trees are compared as one-line dumps; errors as the text that people see.
// No file is touched: text comes from the tables.
#include "config/yaml.h"

#include <gtest/gtest.h>

namespace tollgate::config {
namespace {

std::string dump(const Node& node) {
  if (node.is_scalar()) return node.plain ? node.text : "'" + node.text + "'";
  std::string out = node.is_sequence() ? "[" : "{";
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) out += ", ";
    if (node.is_mapping()) out += dump(node.keys[i]) + ": ";
    out += dump(node.items[i]);
  }
  return out + (node.is_sequence() ? "]" : "}");
}

struct TreeCase {
  std::string_view name, text, want;
};
constexpr TreeCase kTrees[] = {
    {"an empty file is an empty mapping", "", "{}"},
    {"a file of comments is an empty mapping", "# nothing\n\n# here\n", "{}"},
    {"keys keep their order", "b: 1\na: 2\n", "{b: 1, a: 2}"},
    {"rules may stand without quotes", "deny:\n  - Bash(git push --force *)\n",
     "{deny: [Bash(git push --force *)]}"},
    {"quotes are remembered", "a: \"yes\"\nb: yes\nc: 'no'\n", "{a: 'yes', b: yes, c: 'no'}"},
    {"flow lists and mappings", "x: [[rm, \"-rf /\"], {a: 1}]\n", "{x: [[rm, '-rf /'], {a: 1}]}"},
    {"a key without a value is empty", "a:\nb: 1\n", "{a: , b: 1}"},
    {"carriage returns end lines", "a: 1\r\nb: 2\r\n", "{a: 1, b: 2}"},
    {"a string tag makes text of it", "a: !!str yes\n", "{a: 'yes'}"},
    {"one document mark is fine", "---\na: 1\n", "{a: 1}"},
    {"a block scalar keeps its lines", "a: |\n  x\n  y\n", "{a: 'x\ny\n'}"},
};

TEST(Yaml, ReadsTrees) {
  for (const TreeCase& c : kTrees) {
    std::vector<Diagnostic> out;
    const Document document = read_yaml(std::string(c.text), "t.yaml", out);
    EXPECT_EQ(dump(document.root()), c.want) << c.name;
    EXPECT_TRUE(out.empty()) << c.name << ": " << (out.empty() ? "" : render(out.front()));
  }
}

struct ErrorCase {
  std::string_view name, text, code;
  std::uint32_t line, column;
};
const ErrorCase kErrors[] = {
    {"a key that stands twice", "a: 1\nb: 2\na: 3\n", "yaml-duplicate-key", 3, 1},
    {"a nested key that stands twice", "r:\n  x: 1\n  x: 2\n", "yaml-duplicate-key", 3, 3},
    {"a tab for indentation", "a:\n\tb: 1\n", "yaml-tab", 2, 1},
    {"an anchor", "a: &x 1\n", "yaml-alias", 1, 4},
    {"an unquoted star is an alias", "a: [*]\n", "yaml-syntax", 1, 6},
    {"a merge key", "a:\n  <<: {b: 1}\n", "yaml-merge-key", 2, 3},
    {"a tag of its own", "a: !mine 1\n", "yaml-tag", 1, 4},
    {"a second document", "a: 1\n---\nb: 2\n", "yaml-several-documents", 2, 1},
    {"bytes that are no UTF-8", "a: 1\nb: \xff\n", "yaml-invalid-utf8", 2, 1},
    {"a list as a key", "? [a]\n: 1\n", "yaml-bad-key", 1, 3},
    {"an at sign without quotes", "a: [@builtin]\n", "yaml-syntax", 1, 5},
    {"an open bracket", "a: [1, 2\n", "yaml-syntax", 2, 1},
    {"text that turns direction", "a: x\xe2\x80\xae y\n", "yaml-hidden-character", 1, 1},
    {"a byte order mark",
     "\xef\xbb\xbf"
     "a: 1\n",
     "yaml-hidden-character", 1, 1},
};

TEST(Yaml, RefusesWhatCouldBeReadInTwoWays) {
  for (const ErrorCase& c : kErrors) {
    std::vector<Diagnostic> out;
    read_yaml(std::string(c.text), "t.yaml", out);
    ASSERT_FALSE(out.empty()) << c.name;
    EXPECT_EQ(out[0].error.code, c.code) << c.name << ": " << render(out[0]);
    EXPECT_EQ(out[0].error.where.line, c.line) << c.name << ": " << render(out[0]);
    EXPECT_EQ(out[0].error.where.column, c.column) << c.name << ": " << render(out[0]);
    EXPECT_FALSE(out[0].error.hint.empty()) << c.name;
  }
}

TEST(Yaml, AnErrorShowsLineCaretAndHint) {
  std::vector<Diagnostic> out;
  read_yaml("mode: plan\nmode: default\n", "tollgate.yaml", out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(render(out[0]),
            "tollgate.yaml:2:1: error[yaml-duplicate-key]: the key `mode` stands twice in this "
            "mapping\n"
            "  mode: default\n"
            "  ^^^^\n"
            "  hint: keep one of the two\n");
}

// What is shown of a line is shorter than the line may be.
TEST(Yaml, AnErrorFarToTheRightIsReported) {
  for (const std::size_t before : {100, 200, 256, 300, 400, 500}) {
    std::vector<Diagnostic> problems;
    read_yaml("x: 1\n" + std::string(before, 't') + "(, 9deny: [ *) [ deny: [ *) [", "t.yaml",
              problems);
    EXPECT_FALSE(problems.empty()) << before;
  }
}

TEST(Yaml, EveryMistakeIsReported) {
  std::vector<Diagnostic> out;
  read_yaml("a: &x 1\nb: *x\nb: 2\nc: !t 1\n", "t.yaml", out);
  EXPECT_EQ(out.size(), 4u);
}

TEST(Yaml, DepthAndSizeHaveLimits) {
  std::vector<Diagnostic> out;
  read_yaml("a: " + std::string(100, '[') + std::string(100, ']') + "\n", "t.yaml", out);
  ASSERT_FALSE(out.empty());
  EXPECT_EQ(out[0].error.code, "yaml-too-deep") << render(out[0]);
  out.clear();
  read_yaml(std::string(kMaxFileBytes + 1, '#'), "t.yaml", out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].error.code, "file-too-large");
  out.clear();
  read_yaml(std::string("a: 1\nb: \0x\n", 11), "t.yaml", out);
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(render(out[0]).substr(0, 29), "t.yaml:2:4: error[yaml-nul]: ");
}

}  // namespace
}  // namespace tollgate::config
