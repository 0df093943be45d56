// The plugin of opencode, run by node with hooks that answer well, badly or not at all.
#include <gtest/gtest.h>

#include "os/run_program.h"
#include "providers/test_home.h"

namespace tollgate::providers {
namespace {

constexpr const char* kNode = "/usr/bin/node";

// Calls the plugin as opencode does, and says what became of the call.
constexpr const char* kDriver = R"JS(
import { Tollgate } from "./home/.config/opencode/plugin/tollgate.js"
const plugin = await Tollgate({ directory: "/work dir" })
const output = { args: { command: "ls", extra: 1 } }
try {
  await plugin["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c" }, output)
  console.log("runs " + JSON.stringify(output.args))
} catch (error) {
  console.log("throws " + error.message)
}
)JS";

class Plugin : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto stamp = os::stamp_of(kNode); !stamp || !stamp->exists)
      GTEST_SKIP() << "there is no " << kNode;
    home_.write("package.json", "{\"type\": \"module\"}");
    home_.write("driver.js", kDriver);
    home_.command().program = home_.at("a hook");
    home_.install("opencode");
  }

  std::string call(const std::string& hook) {
    home_.write("a hook", "#!/bin/sh\n" + hook + "\n", 0755);
    return call();
  }
  std::string call() {
    const std::string words[] = {kNode, home_.at("driver.js")};
    const auto ran = os::run_program(words, "", {.milliseconds = 30'000});
    return ran ? home_.plain(ran->out + ran->err) : ran.error().message;
  }

  TestHome home_;
};

TEST_F(Plugin, RunsOnAClearYesAlone) {
  struct Case {
    const char *name, *hook, *want;
  };
  const Case cases[] = {
      {"an allow runs", "cat > /dev/null; echo '{\"decision\":\"allow\",\"reason\":\"r\"}'",
       "runs {\"command\":\"ls\",\"extra\":1}\n"},
      {"changed arguments take the place of the old ones",
       "echo '{\"decision\":\"allow\",\"args\":{\"command\":\"pwd\"}}'",
       "runs {\"command\":\"pwd\"}\n"},
      {"a deny is thrown with its reason", "echo '{\"decision\":\"deny\",\"reason\":\"not here\"}'",
       "throws not here\n"},
      {"so is an ask", "echo '{\"decision\":\"ask\",\"reason\":\"a person\"}'",
       "throws a person\n"},
      {"a deny without a reason is thrown as well", "echo '{\"decision\":\"deny\"}'",
       "throws Tollgate: the call is blocked\n"},
      {"null is no answer", "echo null", "throws Tollgate: the call is blocked\n"},
      {"changed arguments that are none", "echo '{\"decision\":\"allow\",\"args\":null}'",
       "throws Tollgate: the changed arguments are no object, so the call is blocked\n"},
  };
  for (const Case& each : cases) EXPECT_EQ(call(each.hook), each.want) << each.name;
}

TEST_F(Plugin, ThrowsWhenTheHookFails) {
  constexpr std::string_view kFailed = "throws Tollgate: the hook failed, so the call is blocked: ";
  for (const char* hook : {"exit 0", "echo hello", "kill -9 $$", "exit 1"})
    EXPECT_TRUE(call(hook).starts_with(kFailed)) << hook;
  ASSERT_EQ(::unlink(home_.at("a hook").c_str()), 0);
  EXPECT_TRUE(call().starts_with(kFailed));
}

TEST_F(Plugin, SendsTheCallAndTheRegisteredWords) {
  call("cat > \"$(dirname \"$0\")/payload\"; echo \"$@\" > \"$(dirname \"$0\")/words\"");
  EXPECT_EQ(home_.read("payload"),
            "{\"tool\":\"bash\",\"sessionID\":\"s\",\"callID\":\"c\",\"cwd\":\"/work dir\","
            "\"args\":{\"command\":\"ls\",\"extra\":1}}");
  EXPECT_EQ(home_.plain(home_.read("words")),
            "opencode --config /home/you/it's \"here\".yaml --agent backend --data data --timeout "
            "60\n");
}

}  // namespace
}  // namespace tollgate::providers
