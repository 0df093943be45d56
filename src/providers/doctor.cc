#include "providers/doctor.h"

#include <algorithm>
#include <array>

#include "base/shell_words.h"
#include "base/text.h"
#include "os/files.h"
#include "os/paths.h"
#include "os/user.h"
#include "providers/failure_modes.h"
#include "providers/install.h"

namespace tollgate::providers {
namespace {

// LIMIT: milliseconds. A hook may ask people as long as the client waits.
constexpr int kVersionTime = 10'000;
constexpr int kProbeTime = (kHookSeconds + 5) * 1000;

Check closed(std::string what) { return {State::kClosed, std::move(what), ""}; }
Check open(std::string what, std::string how) {
  return {State::kOpen, std::move(what), std::move(how)};
}

std::string found_on(const std::string& search_path, std::string_view program) {
  for (const std::string_view directory : split(search_path, ':')) {
    if (!directory.starts_with('/')) continue;
    const std::string file = std::string(directory) + "/" + std::string(program);
    const Result<os::Stamp> stamp = os::stamp_of(file);
    if (stamp && stamp->is_regular() && (stamp->mode & 0111) != 0) return file;
  }
  return "";
}

std::string first_line(const std::string& text) {
  return std::string(trim(std::string_view(text).substr(0, text.find('\n'))));
}

// Who besides root and this user could change it, "" for nobody.
std::string writable_by(const os::Stamp& stamp) {
  if (stamp.uid != 0 && stamp.uid != os::effective_uid()) return "another user";
  return (stamp.mode & 022) != 0 ? "group or others" : "";
}

class Examination {
 public:
  Examination(const Provider& client, const Surroundings& surroundings)
      : client_(client), surroundings_(surroundings) {
    report_.client = std::string(client.name);
    report_.title = std::string(client.title);
  }

  ClientReport made() && {
    find_program();
    look_into(surroundings_.scene, Scope::kUser);
    if (surroundings_.scene.project != surroundings_.scene.home)
      look_into(surroundings_.scene, Scope::kProject);
    look_into_plugins();
    if (!report_.is_present()) return std::move(report_);
    if (report_.places.empty()) {
      add(open("it is not registered: no call is judged",
               "run `tollgate install " + report_.client + "`"));
    } else {
      for (const std::string& command : commands_) try_command(command);
    }
    for (Check& each : switched_off(report_.client, surroundings_.scene)) add(std::move(each));
    if (!report_.places.empty())
      for (Check& each : failure_modes(report_.client, entries_)) add(std::move(each));
    return std::move(report_);
  }

 private:
  void add(Check check) {
    if (std::ranges::find(report_.checks, check.what, &Check::what) == report_.checks.end())
      report_.checks.push_back(std::move(check));
  }

  void find_program() {
    for (const std::string_view program : client_.programs) {
      report_.program = found_on(surroundings_.search_path, program);
      if (report_.program.empty()) continue;
      const std::string words[] = {report_.program, "--version"};
      const Result<os::Ran> ran = surroundings_.run(words, "", kVersionTime);
      if (ran && ran->status == 0) report_.version = first_line(ran->out);
      return;
    }
  }

  void look_into(const Scene& scene, Scope scope) {
    const auto targets = client_.targets(scene, scope, {});
    if (!targets) return;  // the client has no such scope
    std::optional<HookCommand> command;
    for (const Target& target : *targets) {
      Result<std::string> text = text_of(target.path);
      const auto found = text ? target.find(*text) : Fail(text.error());
      if (!found) {
        add(open("`" + target.path + "` cannot be read: " + found.error().message,
                 "correct it at " + place_name(found.error().where)));
        continue;
      }
      if (found->empty()) continue;
      if (!command) command = command_of(found->front().command);
      note_entries({target.path, *found}, scope);
    }
    if (command) compare(scene, scope, *command);
  }

  HookCommand command_of(const std::string& line) const {
    const std::vector<std::string> words = hook_words(line).value_or(std::vector<std::string>(1));
    return {.program = words[0],
            .client = report_.client,
            .config = option_of(words, "--config"),
            .agent = option_of(words, "--agent"),
            .data = option_of(words, "--data")};
  }

  // Whether every file says what an install would write: no event, agent or matcher is missing.
  void compare(const Scene& scene, Scope scope, const HookCommand& command) {
    const auto targets = client_.targets(scene, scope, command);
    for (const Target& target : targets.value_or(std::vector<Target>())) {
      const Result<std::string> text = text_of(target.path);
      const Result<std::string> wanted = text ? target.put(*text) : text;
      if (!wanted || *wanted != *text)
        add(open("`" + target.path +
                     "` is not as an install writes it, so that calls may run "
                     "unjudged",
                 "run `tollgate install " + report_.client + "` again"));
    }
  }

  // A plugin lies anywhere; the records of installs know where.
  void look_into_plugins() {
    constexpr std::string_view kHooks = "/hooks/hooks.json";
    if (report_.client != "claude") return;
    for (const std::string& file : installed_files(surroundings_.data_dir)) {
      if (!file.ends_with(kHooks)) continue;
      Scene scene = surroundings_.scene;
      scene.plugin = file.substr(0, file.size() - kHooks.size());
      look_into(scene, Scope::kPlugin);
      add({State::kUnclosed,
           "whether the plugin in `" + scene.plugin + "` is switched on is not seen",
           "start it with `--plugin-dir " + scene.plugin + "`"});
    }
  }

  // SAFETY: a repository writes its own settings, so of those a command is run only when it is,
  // word for word, what an install writes, and starts the hook that belongs to this program.
  bool may_be_tried(const std::string& command, Scope scope) const {
    if (scope == Scope::kUser) return true;
    const HookCommand parts = command_of(command);
    if (parts.program != surroundings_.hook) return false;
    if (report_.client == "opencode") return command == shell_line(words_of(parts));
    return std::ranges::any_of(std::array{Shell::kPosix, Shell::kPosixFlat, Shell::kAny},
                               [&](Shell shell) { return command == command_line(parts, shell); });
  }

  void note_entries(Place place, Scope scope) {
    for (const Registered& entry : place.entries) {
      if (entry.event.ends_with("(not trusted)"))
        add(open("Codex does not trust the hook in `" + place.file + "` and skips it",
                 "run `tollgate install codex` again"));
      entries_.push_back(entry);
      if (!may_be_tried(entry.command, scope))
        add(open("a command in `" + place.file +
                     "` is not what this program would install, so it was not tried",
                 "look at it; `tollgate install " + report_.client + "` writes it anew"));
      else if (std::ranges::find(commands_, entry.command) == commands_.end())
        commands_.push_back(entry.command);
    }
    report_.places.push_back(std::move(place));
  }

  void try_command(const std::string& command) {
    const std::vector<std::string> words = hook_words(command).value_or(std::vector<std::string>());
    if (words.size() < 2) return;
    check_program(words[0]);
    check_words(words);
    for (const Probe& probe : probes_for(report_.client, surroundings_.scene.project))
      try_probe(probe, command);
    try_without_hook(words[0], command);
  }

  void check_program(const std::string& program) {
    const Result<os::Stamp> stamp = os::stamp_of(program);
    if (!program.starts_with('/') || !stamp || !stamp->is_regular() || (stamp->mode & 0111) == 0) {
      add(open("the hook `" + program + "` is not a program that can be started",
               "install Tollgate again, then run `tollgate install " + report_.client + "`"));
      return;
    }
    if (const std::string who = writable_by(*stamp); !who.empty())
      add(open("the hook `" + program + "` can be written by " + who,
               "run `chmod go-w " + program + "`, or make it belong to you or root"));
  }

  void check_words(const std::vector<std::string>& words) {
    const NamedPolicy named{.config = option_of(words, "--config"),
                            .agent = option_of(words, "--agent"),
                            .data = option_of(words, "--data")};
    if (named.config.empty() || named.data.empty())
      add(
          open("the registered command names no policy or no data directory, so that the client's "
               "environment chooses them",
               "run `tollgate install " + report_.client + "`"));
    if (std::ranges::find(report_.policies, named) == report_.policies.end())
      report_.policies.push_back(named);
  }

  // The same command with a hook that is not there: then nothing but the command itself can block.
  void try_without_hook(const std::string& program, std::string command) {
    const std::string what = "the hook cannot be started, crashes or is killed";
    const std::string word = shell_word(program);
    const std::size_t at = command.find(word);
    // A plugin throws whenever it gets no answer.
    if (report_.client == "opencode") return add(closed(what));
    if (at != command.npos) command.replace(at, word.size(), "/nonexistent/tollgate-hook");
    const std::string words[] = {"/bin/sh", "-c", command};
    const std::vector<Probe> probes = probes_for(report_.client, surroundings_.scene.project);
    const Result<os::Ran> ran = surroundings_.run(words, probes[0].payload, kProbeTime);
    const bool blocks = at != command.npos && ran && !ran->late &&
                        heard_by_client(report_.client, ran->status, ran->out, ran->err).outcome ==
                            Outcome::kBlocks;
    add(blocks ? closed(what) : open(what, "run `tollgate install " + report_.client + "` again"));
  }

  void try_probe(const Probe& probe, const std::string& command) {
    const std::string words[] = {"/bin/sh", "-c", command};
    const Result<os::Ran> ran = surroundings_.run(words, probe.payload, kProbeTime);
    const std::string name(probe.name);
    if (!ran || ran->late) {
      add(open(name + " gets no answer" + (ran ? " in time" : ""),
               "run the registered command by hand and see what it says"));
      return;
    }
    const Heard heard = heard_by_client(report_.client, ran->status, ran->out, ran->err);
    const std::string reason = heard.reason.empty() ? "" : ": " + shortened(heard.reason);
    if (heard.outcome == Outcome::kOpen)
      add(open(name + " gets an answer that the client passes over" + reason,
               "run `tollgate install " + report_.client + "` again"));
    else if (probe.must_block && heard.outcome != Outcome::kBlocks)
      add(open(name + " is not blocked" + reason, "see which program the hook starts"));
    else if (probe.must_block && heard.reason.empty())
      add(open(name + " is blocked without a reason", "see which program the hook starts"));
    else
      add(closed(name + (heard.outcome == Outcome::kRuns   ? " runs"
                         : heard.outcome == Outcome::kAsks ? " is asked about" + reason
                                                           : " is blocked" + reason)));
  }

  const Provider& client_;
  const Surroundings& surroundings_;
  ClientReport report_;
  std::vector<Registered> entries_;
  std::vector<std::string> commands_;  // each once
};

}  // namespace

std::string_view name(State state) {
  switch (state) {
    case State::kClosed:
      return "closed";
    case State::kOpen:
      return "open";
    case State::kUnclosed:
      return "unclosed";
  }
  return "open";
}

ClientReport examine(const Provider& client, const Surroundings& surroundings) {
  return Examination(client, surroundings).made();
}

std::vector<Check> examine_policy_file(const std::string& file, const std::string& project) {
  const os::RealPath real = os::real_path(file);
  if (real.found != os::Found::kFile)
    return {open("the policy `" + file + "` is not there: every call is denied",
                 "write it with `tollgate init`, or install with another")};
  std::vector<Check> checks;
  for (const std::string& path : {real.path, real.path.substr(0, real.path.rfind('/'))}) {
    const Result<os::Stamp> stamp = os::stamp_of(path);
    const std::string who = stamp ? writable_by(*stamp) : "somebody that cannot be told";
    const bool sticky = stamp && stamp->is_directory() && (stamp->mode & 01000) != 0;
    if (!who.empty() && !(sticky && who == "group or others"))
      checks.push_back(open("`" + path + "` can be written by " + who,
                            "run `chmod go-w " + path + "`, or make it belong to you or root"));
  }
  const std::string root = os::real_path(project).path;
  if (root.size() > 1 && real.path.starts_with(root + "/"))
    checks.push_back(open("the policy `" + file + "` lies in the directory that agents work in",
                          "keep it elsewhere, and install with `--config`"));
  if (checks.empty())
    checks.push_back(closed("only you and root can write the policy `" + file + "`"));
  const Result<os::Stamp> stamp = os::stamp_of(real.path);
  if (stamp && stamp->uid == os::effective_uid())
    checks.push_back({State::kUnclosed,
                      "an agent runs as you do: self-approval is not prevented by files alone",
                      "the gate denies agents to touch the policy; a managed file that belongs to "
                      "root holds against everything they run"});
  return checks;
}

}  // namespace tollgate::providers
