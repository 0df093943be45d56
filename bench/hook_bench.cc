// What a call costs the client in waiting: the hook's process, from its start to its end, beside
// others that do nothing.
// Programs take turns within each round, so that whatever the machine does meanwhile falls on all;
// each is a fresh copy, as an installation leaves it, so that the page cache holds all alike.
// `hook_bench --place DIR` leaves policy, call and snapshot there, for the count of instructions;
// `hook_bench --peer NAME COMMAND` measures another program on the same call, by a shell.
#include <fcntl.h>
#include <pwd.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "bench/workload.h"

namespace {

using namespace tollgate;

constexpr int kSpawns = 500;
constexpr int kPeerSpawns = 20;  // they take a hundred times as long
constexpr double kTargetSmall = 1.0, kTargetLarge = 1.1;

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "hook_bench: %s\n", why.c_str());
  std::exit(1);
}

struct Program {
  std::string name;
  std::vector<std::string> words;
  double target = 0;  // of the first program's time; 0: none
  int spawns = kSpawns;
  std::vector<double> microseconds = {};
};

// What every program is started with: a usual search path and the user's home, nothing else. With a
// HOME that is another than the user's the hook judges twice, once for each.
class Ground {
 public:
  Ground(std::string directory, bool keep) : directory_(std::move(directory)), keep_(keep) {
    std::filesystem::create_directories(directory_ + "/work");
    write(
        "call.json",
        R"({"session_id":"s","cwd":")" + directory_ +
            R"(/work","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash",)"
            R"("tool_input":{"command":"cd src && npm run build -- --mode test 2>&1 | tail -n 20; git status"},)"
            R"("tool_use_id":"t"})");
    const passwd* user = ::getpwuid(::geteuid());
    home_ = "HOME=" + std::string(user == nullptr ? "/" : user->pw_dir);
  }
  Ground(const Ground&) = delete;
  ~Ground() {
    if (!keep_) std::filesystem::remove_all(directory_);
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ + "/" + name) << text;
  }

  // A copy written from end to end. What has been in the page cache for long lies there in pieces,
  // which cost a program of many pages a tenth of its time.
  std::string copy_of(const std::string& program) const {
    const std::string copy =
        directory_ + "/bin/" + std::filesystem::path(program).filename().string();
    std::filesystem::create_directories(directory_ + "/bin");
    std::filesystem::copy_file(program, copy, std::filesystem::copy_options::overwrite_existing);
    return copy;
  }

  // The program that the hook starts where there is no snapshot yet, under its name beside the
  // copy.
  void link_loader(const std::string& program) const {
    const std::string link = directory_ + "/bin/tollgate";
    std::filesystem::remove(link);
    std::filesystem::create_symlink(program, link);
  }

  // The words that run the hook under so many rules. Its snapshot is there afterwards.
  std::vector<std::string> hook(const std::string& program, std::size_t rules) const {
    const std::string number = std::to_string(rules);
    write("p" + number + ".yaml", bench::yaml_of(bench::rule_texts(rules)));
    std::vector<std::string> words = {program,    "claude",
                                      "--config", directory_ + "/p" + number + ".yaml",
                                      "--data",   directory_ + "/data" + number};
    run(words);  // reads the files, leaves the snapshot behind
    if (!std::filesystem::exists(words.back() + "/snapshots")) give_up("the hook left no snapshot");
    return words;
  }

  // Microseconds from the start to the end.
  double run(const std::vector<std::string>& words) const {
    const int input = ::open((directory_ + "/call.json").c_str(), O_RDONLY | O_CLOEXEC);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, input, 0);
    ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    char path[] = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    char* environment[] = {path, const_cast<char*>(home_.c_str()), nullptr};
    using Clock = std::chrono::steady_clock;
    const Clock::time_point began = Clock::now();
    pid_t child = 0;
    const int error =
        ::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environment);
    int status = 0;
    if (error != 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0)
      give_up("`" + words[0] + "` did not end well");
    const std::chrono::duration<double, std::micro> spent = Clock::now() - began;
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(input);
    return spent.count();
  }

 private:
  std::string directory_;
  bool keep_;
  std::string home_;
};

void measure(const Ground& ground, std::vector<Program>& programs, int rounds) {
  for (Program& program : programs) ground.run(program.words);  // into the page cache
  for (int round = 0; round < rounds; ++round)
    for (Program& program : programs)
      if (round < program.spawns) program.microseconds.push_back(ground.run(program.words));
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void report(const std::vector<Program>& programs) {
  const double median_of_first = median(programs[0].microseconds);
  const double mean_of_first = mean(programs[0].microseconds);
  std::printf("%-38s %7s %10s %10s %8s %8s %8s\n", "program", "spawns", "median us", "mean us",
              "median x", "mean x", "target");
  for (const Program& program : programs) {
    const double middle = median(program.microseconds), average = mean(program.microseconds);
    std::printf("%-38s %7zu %10.1f %10.1f %8.2f %8.2f", program.name.c_str(),
                program.microseconds.size(), middle, average, middle / median_of_first,
                average / mean_of_first);
    if (program.target > 0)
      std::printf(" %8.2f %s", program.target,
                  middle <= program.target * median_of_first ? "held" : "missed");
    std::printf("\n");
  }
}

std::string folder_of_this() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().string();
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = kSpawns;
  std::string place;
  std::vector<Program> peers;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with("--benchmark_min_time")) {
      rounds = 5;  // only to see that it works
    } else if (word == "--place" && i + 1 < argc) {
      place = argv[++i];
    } else if (word == "--peer" && i + 2 < argc) {
      peers.push_back(
          {.name = argv[i + 1], .words = {"/bin/sh", "-c", argv[i + 2]}, .spawns = kPeerSpawns});
      i += 2;
    } else {
      give_up("usage: hook_bench [--place DIR] [--peer NAME COMMAND]…");
    }
  }
  // The system's temporary directory would be a special place to the gate.
  char made[] = "/var/tmp/tollgate-bench.XXXXXX";
  if (place.empty() && ::mkdtemp(made) == nullptr) give_up("no temporary directory");
  const Ground ground(place.empty() ? made : place, !place.empty());
  const std::string folder = folder_of_this(), hook = ground.copy_of(folder + "/tollgate-hook");
  ground.link_loader(folder + "/tollgate");
  std::vector<Program> programs = {
      {.name = "/bin/true", .words = {ground.copy_of("/bin/true")}},
      {.name = "a static program that does nothing",
       .words = {ground.copy_of(folder + "/bench_nothing")}},
      {.name = "tollgate-hook, 1,000 rules",
       .words = ground.hook(hook, 1'000),
       .target = kTargetSmall},
      {.name = "tollgate-hook, 10,000 rules",
       .words = ground.hook(hook, 10'000),
       .target = kTargetLarge},
  };
  if (!place.empty()) return 0;
  std::ranges::move(peers, std::back_inserter(programs));
  measure(ground, programs, rounds);
  report(programs);
  return 0;
}
