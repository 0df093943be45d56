#include "bash/real_bash.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

namespace tollgate::bash {
namespace {

// LIMIT: far above what any script here takes; only a bash that does not end comes there.
constexpr rlimit kProcessorSeconds = {10, 10};
constexpr std::size_t kMostOutput = 1u << 24;

// A pipe whose ends close themselves.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (::pipe2(ends, O_CLOEXEC) != 0) std::abort();
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(int which) {
    if (ends[which] >= 0) ::close(ends[which]);
    ends[which] = -1;
  }
};

// Feeds and drains at once, so that neither side waits for the other. Ends when the child closes
// its side, or has said too much.
void talk(Pipe& in, Pipe& out, Pipe& err, std::string_view input, Outcome& outcome) {
  while ((out.ends[0] >= 0 || err.ends[0] >= 0) &&
         outcome.out.size() + outcome.err.size() <= kMostOutput) {
    pollfd polled[3] = {{out.ends[0], POLLIN, 0},
                        {err.ends[0], POLLIN, 0},
                        {input.empty() ? -1 : in.ends[1], POLLOUT, 0}};
    if (::poll(polled, 3, -1) < 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (polled[i].revents == 0) continue;
      char buffer[65536];
      const ssize_t size = ::read(polled[i].fd, buffer, sizeof buffer);
      if (size > 0)
        (i == 0 ? outcome.out : outcome.err).append(buffer, static_cast<std::size_t>(size));
      else
        (i == 0 ? out : err).close_end(0);
    }
    if (polled[2].revents != 0) {
      const ssize_t size =
          ::write(in.ends[1], input.data(), std::min<std::size_t>(input.size(), 4096));
      if (size < 0)
        input = {};
      else
        input.remove_prefix(static_cast<std::size_t>(size));
    }
    if (input.empty()) in.close_end(1);
  }
}

}  // namespace

Outcome run_bash(const std::vector<std::string>& arguments, std::string_view input) {
  std::signal(SIGPIPE, SIG_IGN);
  Pipe in, out, err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.ends[0], 0);
  posix_spawn_file_actions_adddup2(&actions, out.ends[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err.ends[1], 2);
  std::vector<std::string> owned = {"bash", "--norc", "--noprofile"};
  owned.insert(owned.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& each : owned) argv.push_back(each.data());
  argv.push_back(nullptr);
  char locale[] = "LC_ALL=C.UTF-8", path[] = "PATH=/nonexistent";
  char* environment[] = {locale, path, nullptr};
  pid_t child = 0;
  Outcome outcome;
  if (::posix_spawn(&child, "/bin/bash", &actions, nullptr, argv.data(), environment) != 0)
    std::abort();
  posix_spawn_file_actions_destroy(&actions);
  ::prlimit(child, RLIMIT_CPU, &kProcessorSeconds, nullptr);
  in.close_end(0);
  out.close_end(1);
  err.close_end(1);
  if (input.empty()) in.close_end(1);
  talk(in, out, err, input, outcome);
  if (outcome.out.size() + outcome.err.size() > kMostOutput) ::kill(child, SIGKILL);
  int status = 0;
  ::waitpid(child, &status, 0);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : kKilled;
  return outcome;
}

std::optional<bool> bash_accepts(const std::string& script, Extglob extglob) {
  const auto complains = [](const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string line = text.substr(at, end - at);
      if (line.starts_with("bash: ") && line.find("warning: ") == line.npos) return true;
      at = end + 1;
    }
    return false;
  };
  const auto asked = [&](const std::string& text) {
    const std::string sign = extglob == Extglob::kOn ? "-O" : "+O";
    return run_bash({"-n", sign, "extglob", "-c", "--", text});
  };
  const Outcome plain = asked(script);
  if (plain.status == kKilled) return std::nullopt;
  if (plain.status != 0 || complains(plain.err)) return false;
  // A few mistakes in [[ ]] and (( )) end the reading without a word: then this is not noticed.
  if (script.find("[[") == script.npos && script.find("((") == script.npos) return true;
  if (script.find("<<") != script.npos) return true;  // the probe might be taken for a body
  const Outcome probed = asked(script + "\n)\n");
  if (probed.status == kKilled) return std::nullopt;
  return probed.status != 0 || complains(probed.err);
}

std::vector<std::string> printed_by_bash(const std::vector<std::string>& scripts) {
  std::string input;
  for (const std::string& script : scripts) input += script + '\0';
  const Outcome outcome =
      run_bash({"-c",
                "while IFS= read -r -d '' s; do ( [[ $s != *( )'shopt -s extglob'[$';\\n']* ]] || "
                "shopt -s extglob; "
                "eval \"f_() {\"$'\\n'\"$s\"$'\\n'\"}\" && declare -f f_ ) 2>/dev/null; "
                "printf '\\0'; done"},
               input);
  std::vector<std::string> printed;
  for (std::size_t at = 0; at < outcome.out.size();) {
    const std::size_t end = std::min(outcome.out.find('\0', at), outcome.out.size());
    printed.push_back(outcome.out.substr(at, end - at));
    at = end + 1;
  }
  printed.resize(scripts.size());
  return printed;
}

}  // namespace tollgate::bash
