// The real bash runs scripts here: an empty place of their own, and only stubs on the PATH.
// What was run is what the stubs wrote down; what the scripts print or return does not count.
// SAFETY: the kernel refuses what a stray program could do harm with: nothing can be removed,
// renamed, linked or connected from inside. Processor time and file size are bounded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tollgate::bash {

// One program that was started: its name, then its words.
using Run = std::vector<std::string>;
using Runs = std::vector<Run>;

// Two worlds that differ in all that a script does not say: variables of the environment, files,
// what programs print. A script that runs the same in both is known from its text alone.
enum class Outside { kOne, kOther };

// How a script is started. In a forked shell it is as cheap as it gets.
enum class Start { kForked, kFresh };

class StubWorld {
 public:
  // `more` are programs that are found besides the usual ones.
  explicit StubWorld(const std::vector<std::string>& more = {});
  ~StubWorld();
  StubWorld(const StubWorld&) = delete;
  StubWorld& operator=(const StubWorld&) = delete;

  // "" when scripts can be run; else why not.
  std::string_view problem() const { return problem_; }

  // Where the script of that index runs, and its home.
  std::string directory(std::size_t index) const;
  static constexpr std::string_view kHome = "/h";

  // REQUIRES: one finish() behind each start(). Between the two the caller may do something else.
  void start(const std::vector<std::string>& scripts, Outside outside, Start how);
  // What each ran, in the order in which it was written down.
  std::vector<Runs> finish();

  // Both at once, in fresh shells.
  Runs run(const std::string& script, Outside outside = Outside::kOne);

  // The scripts of the last finish() that had to be ended; empty unless something is wrong.
  const std::vector<std::size_t>& stuck() const { return stuck_; }

 private:
  void furnish(std::size_t index, Outside outside);
  int start_shell(std::size_t from, std::size_t to, Outside outside, Start how);
  void await(std::size_t shell);

  struct Shell {
    int process = 0;
    std::size_t from = 0, to = 0;
  };

  std::string root_;
  std::string problem_;
  std::vector<std::string> scripts_;
  std::vector<Shell> shells_;
  std::vector<std::size_t> stuck_;
  Outside outside_ = Outside::kOne;
  Start how_ = Start::kForked;
};

}  // namespace tollgate::bash
