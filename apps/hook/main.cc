// The program `tollgate-hook`: small and static, because it starts before every tool call.
// It judges by the compiled policy; where that is not fresh, `tollgate hook` beside it reads the
// files, answers, and leaves a fresh one behind.
#include <string>
#include <vector>

#include "config/fresh_policy.h"
#include "hook/process.h"
#include "os/replace_process.h"

int main(int count, char** values) {
  using namespace tollgate;
  std::vector<std::string> words(values + (count > 0 ? 1 : 0), values + count);
  const os::Environment environment = os::Environment::current();
  const std::string program = os::own_program().value_or("");
  const hook::Place place{.environment = environment, .program = program};
  const auto otherwise = [&](std::string_view payload) {
    const std::string reader = program.substr(0, program.rfind('/') + 1) + "tollgate";
    std::vector<std::string> arguments = words;
    arguments.insert(arguments.begin(), "hook");
    return os::replace_process(reader, arguments, payload);
  };
  return hook::run(words, place, config::fresh_policy, otherwise);
}
