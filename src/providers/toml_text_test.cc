// TOML: what is taken, what is refused and where, and blocks that come and go.
#include "providers/toml_text.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "providers/toml_hooks.h"

namespace tollgate::providers {
namespace {

// One line a statement: `[a.b]`, `[[a]]`, `a.b=text`.
std::string dump(const TomlText& document) {
  std::string out;
  for (const TomlStatement& each : document.statements) {
    const std::string path = join(each.path, ".");
    if (!out.empty()) out += ' ';
    if (each.kind == TomlKind::kTable) out += "[" + path + "]";
    if (each.kind == TomlKind::kTables) out += "[[" + path + "]]";
    if (each.kind == TomlKind::kPair)
      out += path + "=" + (each.is_string ? "'" + each.text + "'" : each.text);
  }
  return out;
}

TEST(Toml, ReadsStatements) {
  struct Case {
    const char *name, *text, *want;
  };
  const Case cases[] = {
      {"nothing", "", ""},
      {"comments and blank lines", "# a\n\n  # b\r\n", ""},
      {"keys of every kind", "a = 1\n\"b c\" = 2\n'd.e' = 3\nf . g = 4\n", "a=1 b c=2 d.e=3 f.g=4"},
      {"headers", "[a]\n[ b . \"c\" ] # x\n[[d]]\n[[d]]\n", "[a] [b.c] [[d]] [[d]]"},
      {"strings", "a = \"x\\n\\u00e9\\\"\" # y\nb = 'c:\\d'\n", "a='x\né\"' b='c:\\d'"},
      {"long strings", "a = \"\"\"\nx\\\n   y\"\"\"\nb = '''\n'z''''\n", "a='xy' b=''z''"},
      {"numbers", "a = +1_000\nb = 0xdead_beef\nc = -1.5e-3\nd = inf\n",
       "a=+1_000 b=0xdead_beef c=-1.5e-3 d=inf"},
      {"dates and times",
       "a = 2027-01-02T03:04:05Z\nb = 2027-01-02 03:04:05.5+01:00\nc = 07:08:09\n",
       "a=2027-01-02T03:04:05Z b=2027-01-02 03:04:05.5+01:00 c=07:08:09"},
      {"lists over lines", "a = [\n 1, # one\n 'x',\n]\n", "a=[\n 1, # one\n 'x',\n]"},
      {"tables on a line", "a = { b = 1, c.d = [ {} ] }\n", "a={ b = 1, c.d = [ {} ] }"},
      {"a table below one that was implied", "[a.b]\n[a]\nc = 1\n", "[a.b] [a] c=1"},
      {"the same key in two elements", "[[a]]\nb = 1\n[[a]]\nb = 2\n", "[[a]] b=1 [[a]] b=2"},
      {"a last line without an end", "a = true", "a=true"},
  };
  for (const Case& each : cases) {
    const auto got = read_toml(each.text, "f.toml");
    ASSERT_TRUE(got) << each.name << ": " << got.error().message;
    EXPECT_EQ(dump(*got), each.want) << each.name;
  }
}

TEST(Toml, RefusesWithAPlace) {
  struct Case {
    const char *name, *text, *place;
  };
  const Case cases[] = {
      {"no value", "a = 1\nb =\n", "f.toml:2:4"},
      {"no equals sign", "a 1\n", "f.toml:1:3"},
      {"two values", "a = 1 2\n", "f.toml:1:7"},
      {"a word that is no value", "a = yes\n", "f.toml:1:5"},
      {"a month that is none", "a = 2027-13-01\n", "f.toml:1:5"},
      {"an hour that is none", "a = 24:00:00\n", "f.toml:1:5"},
      {"a control character in a long string", "a = '''x\x01'''\n", "f.toml:1:9"},
      {"a number with a leading zero", "a = 01\n", "f.toml:1:5"},
      {"a header that does not end", "[a\n", "f.toml:1:3"},
      {"a list header with one bracket", "[[a]\n", "f.toml:1:5"},
      {"a string that does not end", "a = \"x\nb = 1\n", "f.toml:1:5"},
      {"a long string that does not end", "a = 1\nb = '''x\n", "f.toml:2:5"},
      {"an escape nobody knows", "a = \"\\q\"\n", "f.toml:1:6"},
      {"an escape that is no character", "a = \"\\ud800\"\n", "f.toml:1:6"},
      {"a control character", "a = \"\x01\"\n", "f.toml:1:6"},
      {"a list that does not end", "a = [1,\n", "f.toml:2:1"},
      {"a key twice", "a = 1\na = 2\n", "f.toml:2:1"},
      {"a key twice on one line", "a = { b = 1, b = 2 }\n", "f.toml:1:14"},
      {"a table twice", "[a]\n[a]\n", "f.toml:2:1"},
      {"a list where a table is", "[a]\n[[a]]\n", "f.toml:2:1"},
      {"a table where a list is", "[[a]]\n[a]\n", "f.toml:2:1"},
      {"a table below a value", "a = 1\n[a.b]\n", "f.toml:2:1"},
      {"bytes that are no text", "a = 1\nb = \"\xff\"\n", "f.toml:2:6"},
  };
  for (const Case& each : cases) {
    const auto got = read_toml(each.text, "f.toml");
    ASSERT_FALSE(got) << each.name;
    EXPECT_EQ(got.error().code, "toml-syntax") << each.name;
    EXPECT_EQ(place_name(got.error().where), each.place)
        << each.name << ": " << got.error().message;
  }
}

TEST(Toml, NestingIsBounded) {
  EXPECT_TRUE(read_toml("a = " + std::string(60, '[') + std::string(60, ']') + "\n", "f"));
  EXPECT_FALSE(read_toml("a = " + std::string(100'000, '['), "f"));
}

TEST(Toml, AStringIsReadBackAsItWas) {
  for (const char* text : {"", "plain", "it's \"q\" \\ back", "tab\tnew\nline", "é \x7f \x1b"}) {
    const auto got = read_toml("a = " + toml_string(text) + "\n", "f");
    ASSERT_TRUE(got) << text;
    EXPECT_EQ(got->statements[0].text, text);
  }
}

TEST(Toml, BlocksComeAndGoAndLeaveTheRest) {
  const std::string before = "# top\na = 1\n\n[x]\nb = 2 # two\n";
  const std::string with = with_block(before, "[[y]]\nc = 3\n");
  EXPECT_EQ(with, before + "\n[[y]]\nc = 3\n");
  const auto document = read_toml(with + "# of z\n[z]\nd = 4\n", "f");
  ASSERT_TRUE(document);
  const std::size_t header[] = {3};
  EXPECT_EQ(without_blocks(*document, header), before + "# of z\n[z]\nd = 4\n");
  EXPECT_EQ(with_block("a = 1\r\n", "[b]\nc = 2\n"), "a = 1\r\n\r\n[b]\r\nc = 2\r\n");
  EXPECT_EQ(with_block("", "[b]\n"), "[b]\n");
}

}  // namespace
}  // namespace tollgate::providers
