// The policies that the daemon judges by: one for each place and agent that asks, kept fresh.
// May be used from any thread; what is handed out stays good however often the files change.
// SAFETY: a file that breaks while the daemon runs changes nothing: the last good policy holds, and
// the error is told. Where there never was a good one, everything is denied.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "config/loader.h"
#include "os/environment.h"
#include "policy/policy.h"
#include "service/world.h"

namespace tollgate::server {

struct PolicyFiles {
  std::string config_file;  // "": the user's own
  std::string managed_file;
  std::string data_dir;
  std::string home;
  std::string program;  // where this program lies
  os::Environment environment;
};

// What holds for the calls of one session.
struct Ground {
  std::shared_ptr<const Policy> policy;
  LookPlan plan;  // without base, roots and search path: those are the session's
};

// A file that was read again.
struct Reload {
  std::string cwd;
  std::string agent;
  std::size_t rules = 0;
  std::vector<Diagnostic> errors;  // not empty: the last good policy still holds
};

class Policies {
 public:
  explicit Policies(PolicyFiles files);

  // `agent` is a name of the configuration, "" for the default one.
  Ground at(const std::string& cwd, const std::string& agent);

  // Counts what at() may give otherwise than before. Whoever keeps what it made of a ground takes
  // this before at(), and makes it again when it is another.
  std::uint64_t revision() const { return revision_; }

  // Reads again what has changed since, or everything.
  enum class Which : std::uint8_t { kChanged, kAll };
  std::vector<Reload> refresh(Which which);

  // What is wrong with the files now, each error once.
  std::vector<Diagnostic> errors() const;
  // The user's and managed settings as they were when last read without an error.
  config::Settings settings() const;
  // The agents of the configuration, the default one among them.
  std::vector<AgentPolicy> agents() const;

  // What would be wrong if the user's file said this instead.
  std::vector<Diagnostic> errors_with(const std::string& text) const;

  const PolicyFiles& files() const& { return files_; }

 private:
  struct Entry {
    Ground ground;
    config::Settings settings;
    std::vector<config::SourceStamp> sources;
    std::vector<Diagnostic> errors;
    std::uint64_t used = 0;
  };
  using Key = std::pair<std::string, std::string>;  // cwd, agent

  config::LoadOptions options_for(const Key& key) const;
  Entry read(const Key& key) const;
  bool is_stale(const Entry& entry) const;
  enum class Own : std::uint8_t { kNo, kYes };
  void renew(const Key& key, Own own, std::vector<Reload>& reloads);

  PolicyFiles files_;
  mutable std::mutex mutex_;
  std::map<Key, Entry> entries_;  // GUARDED_BY(mutex_)
  Entry own_;                     // GUARDED_BY(mutex_); of no place in particular
  std::uint64_t uses_ = 0;        // GUARDED_BY(mutex_)
  std::atomic<std::uint64_t> revision_ = 1;
};

}  // namespace tollgate::server
