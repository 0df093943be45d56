#include "os/replace_process.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <vector>

#include "os/descriptor.h"
#include "os/fault.h"
#include "os/system_error.h"

namespace tollgate::os {

Error replace_process(const std::string& path, std::span<const std::string> arguments,
                      std::string_view input) {
  const auto failed = [&] { return system_error("program-unstartable", "start", path, errno); };
  Descriptor file(detail::fails("memfd") ? -1 : ::memfd_create("input", MFD_CLOEXEC));
  if (!file.valid()) return failed();
  for (std::string_view rest = input; !rest.empty();) {
    const ssize_t count = ::write(file.number(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed();
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  if (::lseek(file.number(), 0, SEEK_SET) < 0 || ::dup2(file.number(), STDIN_FILENO) < 0)
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

}  // namespace tollgate::os
