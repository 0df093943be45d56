#include "os/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "os/fault.h"

namespace tollgate::os {

Descriptor memory_file(std::string_view bytes) {
  Descriptor file(detail::fails("memfd") ? -1 : ::memfd_create("input", MFD_CLOEXEC));
  for (std::string_view rest = bytes; file.valid() && !rest.empty();) {
    const ssize_t count =
        detail::fails("write") ? -1 : ::write(file.number(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Descriptor();
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  if (file.valid() && (detail::fails("lseek") || ::lseek(file.number(), 0, SEEK_SET) < 0))
    return Descriptor();
  return file;
}

}  // namespace tollgate::os
