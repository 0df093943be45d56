// SAFETY: the child is in a process group of its own, so that killing it leaves nobody behind.
#include "os/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <vector>

#include "os/clock.h"
#include "os/descriptor.h"
#include "os/fault.h"
#include "os/memory_file.h"
#include "os/system_error.h"

namespace tollgate::os {
namespace {

struct Pipe {
  Descriptor read, write;
};

Pipe new_pipe() {
  int ends[2] = {-1, -1};
  if (detail::fails("pipe") || ::pipe2(ends, O_CLOEXEC) != 0) return {Descriptor(), Descriptor()};
  return {Descriptor(ends[0]), Descriptor(ends[1])};
}

int spawn(std::span<const std::string> words, int in, int out, int err, pid_t& child) {
  if (detail::fails("spawn")) return errno;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  ::posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const int error =
      ::posix_spawn(&child, words[0].c_str(), &actions, &attributes, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return error;
}

// Reads both streams until they end; false when the time is over before.
bool drain(int out, int err, Ran& ran, const RunLimits& limits, std::int64_t end) {
  struct pollfd files[] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  std::string* const texts[] = {&ran.out, &ran.err};
  while (files[0].fd >= 0 || files[1].fd >= 0) {
    const std::int64_t left = end - now_monotonic();
    if (left <= 0) return false;
    if (::poll(files, 2, static_cast<int>(left)) < 0 && errno != EINTR) return false;
    for (std::size_t i = 0; i < 2; ++i) {
      if (files[i].fd < 0 || files[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t count = ::read(files[i].fd, buffer, sizeof buffer);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) files[i].fd = -1;
      if (count > 0 && texts[i]->size() < limits.bytes)
        texts[i]->append(buffer, static_cast<std::size_t>(count));
    }
  }
  return true;
}

// A program may close its streams long before it ends.
bool ends_in_time(pid_t child, std::int64_t end) {
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  struct pollfd file = {process.number(), POLLIN, 0};
  for (;;) {
    const std::int64_t left = end - now_monotonic();
    if (!process.valid() || left <= 0) return false;
    const int ready = ::poll(&file, 1, static_cast<int>(left));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

}  // namespace

Result<Ran> run_program(std::span<const std::string> words, std::string_view input,
                        RunLimits limits) {
  const std::string path = words.empty() ? "" : words[0];
  const auto failed = [&](int number) {
    return Fail(system_error("program-unstartable", "start", path, number));
  };
  if (words.empty()) return failed(ENOENT);
  const Descriptor in = memory_file(input);
  Pipe out = new_pipe(), err = new_pipe();
  if (!in.valid() || !out.read.valid() || !err.read.valid()) return failed(errno);
  pid_t child = -1;
  const int error = spawn(words, in.number(), out.write.number(), err.write.number(), child);
  if (error != 0) return failed(error);
  out.write = Descriptor();
  err.write = Descriptor();
  Ran ran;
  const auto end = now_monotonic() + limits.milliseconds;
  ran.late =
      !drain(out.read.number(), err.read.number(), ran, limits, end) || !ends_in_time(child, end);
  // Whatever is left of it: also what went on in the background.
  if (ran.late) ::kill(-child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ran;
}

}  // namespace tollgate::os
