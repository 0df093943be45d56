// A temporary home for tests of this room: a client's files by relative path, gone at the end.
// Included by tests only; never the real home.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "os/files.h"
#include "os/paths.h"
#include "providers/install.h"

namespace tollgate::providers {

class TestHome {
 public:
  TestHome() {
    std::string pattern = "/tmp/tollgate-providers-XXXXXX";
    const char* made = ::mkdtemp(pattern.data());
    if (made == nullptr) std::abort();
    dir_ = os::real_path(made).path;
    command_ = {.program = "/opt/to ll/tollgate-hook",
                .client = "",
                .config = "/home/you/it's \"here\".yaml",
                .agent = "backend",
                .data = at("data")};
  }
  ~TestHome() {
    std::vector<std::string> all = os::walk_below(dir_, 100'000).paths;
    std::sort(all.rbegin(), all.rend());
    for (const std::string& path : all)
      if (::unlink(path.c_str()) != 0) ::rmdir(path.c_str());
    ::rmdir(dir_.c_str());
  }
  TestHome(const TestHome&) = delete;
  TestHome& operator=(const TestHome&) = delete;

  std::string at(const std::string& name) const { return dir_ + "/" + name; }
  std::string data() const { return at("data"); }
  void write(const std::string& name, const std::string& text, std::uint32_t mode = 0600) {
    const std::string path = at(name);
    EXPECT_TRUE(os::make_private_directory(path.substr(0, path.rfind('/'))));
    EXPECT_TRUE(os::write_atomically(path, text, mode));
  }
  // "(none)" for a file that is not there.
  std::string read(const std::string& name) const {
    return os::read_file(at(name), 1 << 20).value_or("(none)");
  }

  HookCommand& command() { return command_; }
  Result<std::vector<Target>> targets(std::string_view client, Scope scope = Scope::kUser) {
    command_.client = std::string(client);
    const Scene scene{.home = at("home"),
                      .project = at("project"),
                      .plugin = at("plugin"),
                      .environment = environment_};
    return provider_named(client)->targets(scene, scope, command_);
  }

  // How many files changed, or the error's code with its place.
  std::string install(std::string_view client, Scope scope = Scope::kUser) {
    const auto found = targets(client, scope);
    if (!found) return found.error().code;
    const auto changes = plan_install(*found, data());
    if (!changes) return said(changes.error());
    const Result<void> applied = apply_install(*changes, data());
    return applied ? std::to_string(changes->size()) : said(applied.error());
  }
  std::string uninstall(std::string_view client, Scope scope = Scope::kUser) {
    const auto found = targets(client, scope);
    if (!found) return found.error().code;
    const auto changes = plan_uninstall(*found, data());
    if (!changes) return said(changes.error());
    const Result<void> applied = apply_uninstall(*changes, data());
    return applied ? std::to_string(changes->size()) : said(applied.error());
  }

  void set(const std::string& name, const std::string& value) {
    os::Environment::Variables variables = environment_.variables();
    variables[name] = value;
    environment_ = os::Environment(variables);
  }

  // Text with the temporary directory's name taken out.
  std::string plain(std::string text) const {
    for (std::size_t i = text.find(dir_); i != std::string::npos; i = text.find(dir_))
      text.replace(i, dir_.size() + 1, "");
    return text;
  }

 private:
  std::string said(const Error& error) const {
    return error.code + " " + plain(place_name(error.where));
  }

  std::string dir_;
  HookCommand command_;
  os::Environment environment_;
};

}  // namespace tollgate::providers
