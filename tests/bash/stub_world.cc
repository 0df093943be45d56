// One directory a script: `bin` leads to the stubs, `w` is where it runs, `log` is what they wrote.
// A few shells work through the scripts side by side, each script in a subshell.
#include "bash/stub_world.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace tollgate::bash {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShells = 2;
// LIMIT: a shell that takes longer than this for its share is stuck in one of the scripts.
constexpr int kPatienceMs = 30'000;

constexpr std::string_view kStubs[] = {
    "p1",    "p2",    "p3",   "p4",   "p5",     "p6",     "p7",  "p8",      "rm",
    "git",   "ls",    "cat",  "echo", "true",   "false",  "env", "timeout", "nice",
    "nohup", "xargs", "bash", "sh",   "setsid", "stdbuf", "find"};

// `$1` holds the scripts, `$2` is the place of the first, `$3` says how to start them.
constexpr const char* kHarness = R"(
mapfile -d '' -t _texts < "$1"
for _at in "${!_texts[@]}"; do
  printf '%s\n' "$_at" >&9
  (
    _index=$(($3 + _at))
    export PATH=$2/$_index/bin
    cd "$2/$_index/w" || exit
    unset OLDPWD
    exec 9>&-
    ulimit -St 1
    case $4 in
      fresh) exec /bin/bash --norc --noprofile -c "${_texts[_at]}" ;;
    esac
    set --
    eval "${_texts[_at]}"
  )
done </dev/null >/dev/null 2>&1
exit 0
)";

// Without these nothing that a script starts can take anything away or reach anybody.
bool hold_back() {
  constexpr int kRefused[] = {
#ifdef SYS_unlink
      SYS_unlink,   SYS_rmdir,     SYS_rename, SYS_link,      SYS_symlink,
      SYS_chmod,    SYS_chown,     SYS_creat,
#endif
      SYS_unlinkat, SYS_renameat2, SYS_linkat, SYS_symlinkat, SYS_fchmodat,
      SYS_fchownat, SYS_truncate,  SYS_socket, SYS_mount,     SYS_umount2,
      SYS_chroot,   SYS_ptrace,    SYS_reboot};
  std::vector<sock_filter> code = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const int number : kRefused) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(number), 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

void bound(int what, rlim_t limit) {
  const rlimit both{limit, limit};
  ::setrlimit(static_cast<decltype(RLIMIT_CPU)>(what), &both);
}

std::vector<std::string> environment_of(Outside outside) {
  std::vector<std::string> all = {"LC_ALL=C.UTF-8", "FUNCNEST=40",
                                  "HOME=" + std::string(StubWorld::kHome)};
  if (outside == Outside::kOne) {
    all.insert(all.end(), {"E1=e", "E2=a b", "E3=-x rm", "E4=", "E5=p3", "E6=a[$(rm e)]"});
    return all;
  }
  all.insert(all.end(), {"E1=", "E2=*", "E3=rm x", "E4=p3 -x", "E5=rm", "E6=5"});
  for (const char* name : {"x", "y", "z", "n", "m", "c", "v", "w", "A", "B", "t", "fd", "REPLY"})
    all.push_back(std::string(name) + "=other");
  return all;
}

// Where files live in memory, if there is such a place.
std::string place_for_files() {
  const char* chosen = std::getenv("TMPDIR");
  if (chosen != nullptr) return chosen;
  return ::access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
}

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::uint64_t number_in(const std::string& text) {
  return std::strtoull(text.c_str(), nullptr, 10);
}

// Records as the stub writes them.
Runs runs_in(const std::string& log) {
  Runs runs;
  std::size_t at = 0;
  const auto next = [&] {
    const std::size_t end = std::min(log.find('\0', at), log.size());
    std::string word = log.substr(at, end - at);
    at = end + 1;
    return word;
  };
  while (at < log.size()) {
    Run run{next()};
    const std::uint64_t words = number_in(next());
    for (std::uint64_t i = 0; i < words; ++i) {
      std::string word = next();
      if (i > 0) run.push_back(std::move(word));
    }
    runs.push_back(std::move(run));
  }
  return runs;
}

// Ends those of our children that are still there.
void end_children() {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != name.npos) continue;
    const std::string status = text_of("/proc/" + name + "/status");
    if (status.find("\nPPid:\t" + std::to_string(::getpid()) + "\n") != status.npos)
      ::kill(static_cast<pid_t>(number_in(name)), SIGKILL);
  }
}

// What ran in the background and outlived its shell.
void await_left_over() {
  sigset_t ended, before;
  ::sigemptyset(&ended);
  ::sigaddset(&ended, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &ended, &before);
  for (pid_t child = 0; child >= 0;) {
    child = ::waitpid(-1, nullptr, WNOHANG);
    const timespec patience{10, 0};
    if (child == 0 && ::sigtimedwait(&ended, nullptr, &patience) < 0 && errno == EAGAIN)
      end_children();
  }
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

StubWorld::StubWorld(const std::vector<std::string>& more) {
  std::string pattern = place_for_files() + "/tollgate-run-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) {
    problem_ = "there is no place for files";
    return;
  }
  root_ = fs::canonical(pattern).string();
  fs::create_directory(root_ + "/bin");
  fs::copy_file(TOLLGATE_STUB, root_ + "/stub");
  std::ofstream(root_ + "/keeper") << ::getpid();
  for (const std::string_view name : kStubs)
    fs::create_hard_link(root_ + "/stub", root_ + "/bin/" + std::string(name));
  for (const std::string& name : more)
    if (!fs::exists(root_ + "/bin/" + name))
      fs::create_hard_link(root_ + "/stub", root_ + "/bin/" + name);
}

StubWorld::~StubWorld() {
  std::error_code ignored;
  if (!root_.empty()) fs::remove_all(root_, ignored);
}

std::string StubWorld::directory(std::size_t index) const {
  return root_ + "/" + std::to_string(index) + "/w";
}

void StubWorld::furnish(std::size_t index, Outside outside) {
  const std::string place = root_ + "/" + std::to_string(index);
  const auto file = [](const std::string& path) {
    ::close(::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
  };
  ::mkdir(place.c_str(), 0700);
  ::symlink("../bin", (place + "/bin").c_str());
  ::mkdir((place + "/w").c_str(), 0700);
  ::mkdir((place + "/w/d1").c_str(), 0700);
  ::mkdir((place + "/w/d2").c_str(), 0700);
  file(place + "/w/f1");
  file(place + "/w/d1/f2");
  if (outside == Outside::kOne) return;
  file(place + "/other");
  file(place + "/w/-x");
  file(place + "/w/a");
}

int StubWorld::start_shell(std::size_t from, std::size_t to, Outside outside, Start how) {
  const std::string name = root_ + "/texts" + std::to_string(from);
  std::ofstream texts(name, std::ios::binary | std::ios::trunc);
  for (std::size_t i = from; i < to; ++i) texts << scripts_[i] << '\0';
  texts.close();
  std::vector<std::string> words = {"bash",
                                    "--norc",
                                    "--noprofile",
                                    "-c",
                                    kHarness,
                                    "bash",
                                    name,
                                    root_,
                                    std::to_string(from),
                                    how == Start::kFresh ? "fresh" : "forked"};
  std::vector<std::string> environment = environment_of(outside);
  std::vector<char*> argv, envp;
  for (std::string& word : words) argv.push_back(word.data());
  for (std::string& variable : environment) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  const std::string progress = root_ + "/progress" + std::to_string(from);
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::setsid();
  const int file = ::open(progress.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  ::dup2(file, 9);
  std::signal(SIGPIPE, SIG_IGN);
  bound(RLIMIT_CPU, 20);
  bound(RLIMIT_FSIZE, 4 << 20);
  bound(RLIMIT_CORE, 0);
  if (hold_back()) ::execve("/bin/bash", argv.data(), envp.data());
  ::_exit(126);
}

void StubWorld::start(const std::vector<std::string>& scripts, Outside outside, Start how) {
  // What the scripts leave running becomes our child, so that its end can be awaited.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  scripts_ = scripts;
  outside_ = outside;
  how_ = how;
  stuck_.clear();
  shells_.clear();
  for (std::size_t i = 0; i < scripts.size(); ++i) furnish(i, outside);
  const std::size_t share = (scripts.size() + kShells - 1) / kShells;
  for (std::size_t from = 0; from < scripts.size(); from += share) {
    const std::size_t to = std::min(from + share, scripts.size());
    shells_.push_back({start_shell(from, to, outside, how), from, to});
  }
}

void StubWorld::await(std::size_t shell) {
  while (true) {
    Shell& one = shells_[shell];
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, one.process, 0));
    pollfd polled{handle, POLLIN, 0};
    const bool ended = handle >= 0 && ::poll(&polled, 1, kPatienceMs) > 0;
    if (handle >= 0) ::close(handle);
    if (!ended) ::kill(-one.process, SIGKILL);
    int status = 0;
    ::waitpid(one.process, &status, 0);
    if (ended && WIFEXITED(status) && WEXITSTATUS(status) == 126)
      problem_ = "the kernel does not let scripts be held back";
    if (ended && WIFEXITED(status)) return;
    // Go on behind the script in which it ended.
    const std::string progress = text_of(root_ + "/progress" + std::to_string(one.from));
    const auto done = static_cast<std::size_t>(std::ranges::count(progress, '\n'));
    if (done > 0) stuck_.push_back(one.from + done - 1);
    const std::size_t from = one.from + std::max<std::size_t>(done, 1);
    if (from >= one.to) return;
    one = {start_shell(from, one.to, outside_, how_), from, one.to};
  }
}

std::vector<Runs> StubWorld::finish() {
  for (std::size_t i = 0; i < shells_.size(); ++i) await(i);
  await_left_over();
  std::vector<Runs> all;
  for (std::size_t i = 0; i < scripts_.size(); ++i) {
    const std::string place = root_ + "/" + std::to_string(i);
    all.push_back(runs_in(text_of(place + "/log")));
    std::error_code ignored;
    fs::remove_all(place, ignored);
  }
  return all;
}

Runs StubWorld::run(const std::string& script, Outside outside) {
  start({script}, outside, Start::kFresh);
  return finish()[0];
}

}  // namespace tollgate::bash
