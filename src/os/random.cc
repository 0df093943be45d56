// Random bytes from getrandom(2).
// It waits at boot until the system has gathered enough, and may give less than was asked for.
#include "os/random.h"

#include <sys/random.h>

#include <cerrno>

#include "os/fault.h"

namespace tollgate::os {

Result<std::string> random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  std::size_t have = 0;
  while (have < count) {
    const ssize_t got =
        detail::fails("getrandom") ? -1 : ::getrandom(bytes.data() + have, count - have, 0);
    if (got > 0) {
      have += static_cast<std::size_t>(got);
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    return Fail({.code = "random-unavailable",
                 .message = "the system gives no random bytes: error " + std::to_string(errno),
                 .hint = "check that getrandom is not forbidden to this process",
                 .where = {}});
  }
  return bytes;
}

}  // namespace tollgate::os
