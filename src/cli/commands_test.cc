// Commands with a console in memory: what scripts cannot do, such as being a terminal.
// Each test has a home of its own below the build's temporary directory.
#include "cli/commands.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "cli/memory_console.h"
#include "cli/version.h"
#include "core/gate_verbs.h"
#include "os/files.h"

namespace tollgate::cli {
namespace {

class Commands : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "tollgate-cli.XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    home_ = pattern;
    environment_ =
        os::Environment(os::Environment::Variables{{"HOME", home_}, {"PATH", "/usr/bin"}});
  }

  int run(std::vector<std::string> words) {
    Context context{
        .console = console_, .environment = environment_, .program = "", .managed_file = ""};
    return cli::run(words, context);
  }

  std::string file(const std::string& name, std::string_view text) {
    const std::string path = home_ + "/" + name;
    EXPECT_TRUE(os::write_atomically(path, text, 0644));
    return path;
  }

  std::string home_;
  os::Environment environment_;
  MemoryConsole console_;
};

TEST_F(Commands, TheVersionIsTheProjects) {
  const Result<std::string> lists =
      os::read_file(std::string(TOLLGATE_SOURCE_DIR) + "/CMakeLists.txt", 1 << 20);
  ASSERT_TRUE(lists);
  EXPECT_NE(lists->find("VERSION " + std::string(kVersion) + " "), std::string::npos);
}

TEST_F(Commands, EveryLineIsFlushedAndABrokenPipeEndsTheStream) {
  console_.lines = {R"({"tool":"TodoWrite","input":{}})", R"({"tool":"TodoWrite","input":{}})"};
  EXPECT_EQ(run({"eval", "--cwd", home_, "--jsonl"}), kDone);
  EXPECT_EQ(console_.flushes, 2);
  console_.lines = {"x", "y"};
  console_.broken = true;
  EXPECT_EQ(run({"eval", "--cwd", home_, "--jsonl"}), kFailed);
  EXPECT_EQ(console_.lines.size(), 1u);
}

TEST_F(Commands, ADirectorysPolicyCountsAlsoWhenMoreAreNamedThanAreKept) {
  ASSERT_TRUE(os::make_private_directory(home_ + "/shop"));
  file("shop/tollgate.yaml", "version: 1\nrules: {deny: [TodoWrite]}\n");
  const auto call = [&](const std::string& place) {
    return R"({"tool":"TodoWrite","input":{},"cwd":")" + home_ + "/" + place + "\"}";
  };
  console_.lines.push_back(call("shop"));
  for (int i = 0; i < 70; ++i) console_.lines.push_back(call("gone/" + std::to_string(i)));
  console_.lines.push_back(call("shop"));
  EXPECT_EQ(run({"eval", "--cwd", home_, "--jsonl"}), kDone);
  const auto count = [&](std::string_view what) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = console_.said.find(what, at)) != std::string::npos; ++at)
      ++found;
    return found;
  };
  EXPECT_EQ(count("{\"verdict\":\"deny\""), 2u);
  EXPECT_EQ(count("{\"verdict\":\"allow\""), 70u);
}

TEST_F(Commands, HelpWinsOverMistakes) {
  EXPECT_EQ(run({"eval", "--nonsense", "--help"}), kDone);
  EXPECT_TRUE(console_.said.starts_with("usage: tollgate eval "));
  EXPECT_EQ(console_.complained, "");
}

// SAFETY: what is in neither list would be open to agents in a client's native policy.
TEST_F(Commands, EachIsFreeForAgentsOrHeldFromThem) {
  ASSERT_EQ(run({"--help"}), kDone);
  std::istringstream lines(console_.said);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  ") || line.starts_with("  tollgate")) continue;
    const std::string verb = line.substr(2, line.find(' ', 2) - 2);
    EXPECT_NE(kFreeVerbs.has(verb), kHeldVerbs.has(verb)) << verb;
  }
}

TEST_F(Commands, ATextOfTwoDashesIsNoCryForHelp) {
  EXPECT_EQ(run({"eval", "--cwd", home_, "Bash", "--", "--help"}), 10);
}

TEST_F(Commands, ColourGoesToATerminalOnly) {
  EXPECT_EQ(run({"eval", "--cwd", home_, "Bash", "ls"}), 0);
  EXPECT_EQ(console_.said.find('\x1b'), std::string::npos);
  console_.terminal = {.is_terminal = true, .color = true, .width = 80};
  EXPECT_EQ(run({"eval", "--cwd", home_, "Bash", "ls"}), 0);
  EXPECT_NE(console_.said.find("\x1b[1;32mallow"), std::string::npos);
}

struct Answer {
  std::string_view name, line;
  int want;
};

TEST_F(Commands, TrustingTakesAPersonsYes) {
  constexpr Answer kAnswers[] = {
      {"an empty line is no", "", kFailed},
      {"n is no", "n", kFailed},
      {"anything else is no", "maybe", kFailed},
      {"y is yes", " Y ", kDone},
  };
  const std::string path = file("tollgate.yaml", "version: 1\n");
  console_.terminal.is_terminal = true;
  for (const Answer& answer : kAnswers) {
    console_.lines = {std::string(answer.line)};
    EXPECT_EQ(run({"trust", path}), answer.want) << answer.name;
  }
  EXPECT_NE(console_.said.find("+ version: 1"), std::string::npos);
}

TEST_F(Commands, TrustingWithoutAnAnswerIsNo) {
  const std::string path = file("tollgate.yaml", "version: 1\n");
  console_.terminal.is_terminal = true;
  EXPECT_EQ(run({"trust", path}), kFailed);
  EXPECT_EQ(run({"trust", "--yes", path}), kDone);
}

}  // namespace
}  // namespace tollgate::cli
