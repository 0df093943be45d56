// What is in order with the clients of this user and what is not.
// Everything that is looked at is a value: the report says it all, and cli/ prints it.
// SAFETY: what could not be found out counts as open.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "os/run_program.h"
#include "providers/probe.h"
#include "providers/provider.h"

namespace tollgate::providers {

enum class State {
  kClosed,    // holds
  kOpen,      // does not hold, and could
  kUnclosed,  // does not hold, and nothing here can change that
};

std::string_view name(State state);

// One thing that can go wrong.
struct Check {
  State state = State::kOpen;
  std::string what;
  std::string how;  // what closes it, or what is left to the user

  bool operator==(const Check&) const = default;
};

struct Place {
  std::string file;
  std::vector<Registered> entries;
};

// What a registered command names.
struct NamedPolicy {
  std::string config, agent, data;

  bool operator==(const NamedPolicy&) const = default;
};

struct ClientReport {
  std::string client, title;
  std::string program;  // "": not on PATH
  std::string version;
  std::vector<Place> places;
  std::vector<Check> checks;
  std::vector<NamedPolicy> policies;  // each once

  bool is_present() const { return !program.empty() || !places.empty(); }
};

// How programs are run, and for how many milliseconds at most; tests bring their own.
using Runner = std::function<Result<os::Ran>(std::span<const std::string> words,
                                             std::string_view input, int milliseconds)>;

struct Surroundings {
  Scene scene;  // its project is where the user stands
  std::string search_path;
  std::string data_dir;  // where installs keep their records
  std::string hook;      // the hook beside this program, "" where there is none
  Runner run;
};

ClientReport examine(const Provider& client, const Surroundings& surroundings);

// Whether an agent could write the policy: others may, or it lies in the project.
std::vector<Check> examine_policy_file(const std::string& file, const std::string& project);

}  // namespace tollgate::providers
