#include "os/replace_process.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <utility>
#include <vector>

#include "os/fault.h"
#include "os/memory_file.h"
#include "os/paths.h"
#include "os/system_error.h"

namespace tollgate::os {

Error replace_process(const std::string& path, std::span<const std::string> arguments,
                      std::string_view input) {
  const auto failed = [&] { return system_error("program-unstartable", "start", path, errno); };
  const Descriptor file = memory_file(input);
  if (!file.valid() || detail::fails("dup2") || ::dup2(file.number(), STDIN_FILENO) < 0)
    return failed();
  std::vector<char*> words{const_cast<char*>(path.c_str())};
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  if (!detail::fails("exec")) ::execv(path.c_str(), words.data());
  return failed();
}

Result<std::string> own_program() {
  char buffer[PATH_MAX];
  const ssize_t size =
      detail::fails("readlink") ? -1 : ::readlink("/proc/self/exe", buffer, sizeof buffer);
  if (size < 0) return Fail(system_error("file-unreadable", "find", "this program", errno));
  return std::string(buffer, static_cast<std::size_t>(size));
}

Result<std::string> started_program() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel gives an address as a number
  const auto* started = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  if (started != nullptr && started[0] == '/')
    if (RealPath found = real_path(started); found.found == Found::kFile)
      return std::move(found.path);
  return own_program();
}

}  // namespace tollgate::os
