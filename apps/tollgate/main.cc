// The program `tollgate`: its arguments, its environment and its streams, handed to cli/.
// Wiring only; what the commands do lives in src/cli.
// SAFETY: an answer that could not be written is a failure, whatever the command came to.
#include <string>
#include <vector>

#include "cli/commands.h"
#include "os/files.h"
#include "os/paths.h"

namespace {

// Where this program lies: as it was called, or as PATH finds it.
std::string program_path(const std::string& called, const tollgate::os::Environment& environment) {
  const std::string here = tollgate::os::current_directory().value_or("/");
  if (called.find('/') != called.npos) return tollgate::os::absolute(called, here);
  std::string path = environment.get("PATH").value_or("");
  path += ':';
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = path.find(':', begin);
    const std::string directory = tollgate::os::absolute(path.substr(begin, end - begin), here);
    const std::string file = directory + "/" + called;
    if (const auto stamp = tollgate::os::stamp_of(file); stamp && stamp->is_regular()) return file;
    begin = end + 1;
  }
  return "";
}

}  // namespace

int main(int count, char** values) {
  const std::vector<std::string> words(values, values + count);
  const tollgate::os::Environment environment = tollgate::os::Environment::current();
  tollgate::cli::ProcessConsole console(environment);
  tollgate::cli::Context context{.console = console, .environment = environment, .program = {}};
  if (!words.empty()) context.program = program_path(words[0], environment);
  const std::vector<std::string> arguments(words.begin() + (words.empty() ? 0 : 1), words.end());
  const int status = tollgate::cli::run(arguments, context);
  if (console.flush()) return status;
  console.err("error[file-unwritable]: the answer could not be written to standard output\n");
  return tollgate::cli::kFailed;
}
