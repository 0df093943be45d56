// Reading a command line: options anywhere, values either way, text byte for byte.
#include "cli/arguments.h"

#include <gtest/gtest.h>

namespace tollgate::cli {
namespace {

constexpr Option kOptions[] = {
    {"config", "FILE", "a file"},
    {"tool", "TOOL", "a tool"},
    {"json", "", "as JSON"},
};
constexpr Shape kShape = {.usage = "[OPTION…] TOOL [TEXT]",
                          .about = "Judges.",
                          .options = kOptions,
                          .least_words = 1,
                          .most_words = 2,
                          .examples = "tollgate x y"};

// `config=F tool=A|B json words=[…]`, or the error's message.
std::string read(std::vector<std::string> given) {
  const Result<Arguments> parsed = parse_arguments(kShape, "x", given);
  if (!parsed) return parsed.error().code + ": " + parsed.error().message;
  std::string out;
  if (parsed->has("config")) out += "config=" + parsed->get("config") + " ";
  for (const std::string& tool : parsed->all("tool")) out += "tool=" + tool + " ";
  if (parsed->has("json")) out += "json ";
  for (const std::string& word : parsed->words) out += "<" + word + ">";
  return out;
}

struct Case {
  std::string_view name;
  std::vector<std::string> given;
  std::string_view want;
};

TEST(Arguments, AreReadAsTheyStand) {
  const Case kCases[] = {
      {"words alone are words", {"a", "b"}, "<a><b>"},
      {"a value is the next argument", {"--config", "f", "a"}, "config=f <a>"},
      {"a value may follow an equals sign", {"--config=f", "a"}, "config=f <a>"},
      {"a value may be empty", {"--config=", "a"}, "config= <a>"},
      {"a value may begin with a dash", {"--config", "-f", "a"}, "config=-f <a>"},
      {"the last of several values counts", {"--config=f", "--config=g", "a"}, "config=g <a>"},
      {"all values can be asked for", {"--tool", "A", "a", "--tool=B"}, "tool=A tool=B <a>"},
      {"options may stand behind words", {"a", "--json", "b"}, "json <a><b>"},
      {"two dashes end the options", {"--", "--json", "-x"}, "<--json><-x>"},
      {"the second pair of dashes is a word", {"--", "--"}, "<-->"},
      {"a dash alone is a word", {"-"}, "<->"},
      {"an empty word is a word", {""}, "<>"},
      {"brackets are left alone", {"[a,b]", "{}"}, "<[a,b]><{}>"},
      {"an unknown option is refused", {"--jsn", "a"}, "bad-usage: unknown option `--jsn`"},
      {"an abbreviation is refused", {"--js", "a"}, "bad-usage: unknown option `--js`"},
      {"a short option is refused", {"-j", "a"}, "bad-usage: unknown option `-j`"},
      {"a missing value is refused", {"a", "--config"}, "bad-usage: `--config` needs a value"},
      {"a value too many is refused", {"--json=1", "a"}, "bad-usage: `--json` takes no value"},
      {"too few words are refused", {}, "bad-usage: words are missing after `tollgate x`"},
      {"too many words are refused", {"a", "b", "c"}, "bad-usage: `c` is one word too many"},
  };
  for (const Case& one : kCases) EXPECT_EQ(read(one.given), one.want) << one.name;
}

TEST(Arguments, HelpIsMadeOfTheSameTable) {
  EXPECT_EQ(help_text("x", kShape),
            "usage: tollgate x [OPTION…] TOOL [TEXT]\n\nJudges.\n\n"
            "  --config FILE  a file\n  --tool TOOL    a tool\n  --json         as JSON\n"
            "  --help         show this\n\nexamples\n  tollgate x y\n");
}

}  // namespace
}  // namespace tollgate::cli
