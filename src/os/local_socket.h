// A stream to a process of this machine, through a socket in the file system.
// Everything has a deadline: whoever is at the other end may be slow, gone, or not who it seems.
// One question and one answer; the stream ends with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "os/descriptor.h"

namespace tollgate::os {

class LocalStream {
 public:
  // Nothing where nobody listens there, or somebody else than root and this user does.
  static std::optional<LocalStream> open(const std::string& path);

  // Sends all of it and reads until the other side has ended. `until` counts as now_monotonic().
  // Errors: socket-failed, socket-timeout, file-too-large.
  Result<std::string> exchange(std::string_view request, std::size_t limit, std::int64_t until);

 private:
  LocalStream(Descriptor descriptor, std::string path)
      : descriptor_(std::move(descriptor)), path_(std::move(path)) {}
  // True once it is ready, false at the deadline.
  bool wait(short events, std::int64_t until) const;

  Descriptor descriptor_;
  std::string path_;
};

}  // namespace tollgate::os
