// The program `tollgate-hook`: small and static, because it starts before every tool call.
// It judges by the compiled policy; where that is not fresh, `tollgate hook` beside it reads the
// files, answers, and leaves a fresh one behind.
#include <cstdlib>
#include <string>
#include <vector>

#include "config/fresh_policy.h"
#include "hook/process.h"
#include "os/replace_process.h"

int main(int count, char** values) {
  using namespace tollgate;
  std::vector<std::string> words(values + (count > 0 ? 1 : 0), values + count);
  const os::Environment environment = os::Environment::current();
  const hook::Place place{.environment = environment};
  const auto otherwise = [&](std::string_view payload) {
    const std::string program = os::own_program().value_or("");
    const std::string reader = program.substr(0, program.rfind('/') + 1) + "tollgate";
    std::vector<std::string> arguments = words;
    arguments.insert(arguments.begin(), "hook");
    return os::replace_process(reader, arguments, payload);
  };
  // One call meets few of the rules.
  const auto source = [](const config::LoadOptions& options) {
    return config::fresh_policy(options, PolicyCheck::kAsRead);
  };
  // Everything is written by then; what is left is the kernel's to take back.
  std::_Exit(hook::run(words, place, source, otherwise, std::_Exit));
}
