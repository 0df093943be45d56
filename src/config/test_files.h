// A temporary home for tests of this room: files by relative path, gone at the end.
// Included by tests only.
// Never the real home: HOME, the managed file and the data directory all lie in here.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "config/loader.h"
#include "os/files.h"
#include "os/paths.h"

namespace tollgate::config {

class TestFiles {
 public:
  TestFiles() {
    std::string pattern = "/tmp/tollgate-config-XXXXXX";
    const char* made = ::mkdtemp(pattern.data());
    if (made == nullptr) std::abort();
    dir_ = os::real_path(made).path;
    variables_["HOME"] = dir_ + "/home";
    write("home/project/.git/HEAD", "");
  }
  ~TestFiles() {
    std::vector<std::string> all = os::walk_below(dir_, 100'000).paths;
    std::sort(all.rbegin(), all.rend());
    for (const std::string& path : all)
      if (::unlink(path.c_str()) != 0) ::rmdir(path.c_str());
    ::rmdir(dir_.c_str());
  }
  TestFiles(const TestFiles&) = delete;
  TestFiles& operator=(const TestFiles&) = delete;

  std::string at(const std::string& name) const { return dir_ + "/" + name; }
  void write(const std::string& name, const std::string& text, std::uint32_t mode = 0600) {
    const std::string path = at(name);
    EXPECT_TRUE(os::make_private_directory(path.substr(0, path.rfind('/'))));
    EXPECT_TRUE(os::write_atomically(path, text, mode));
  }
  void user(const std::string& text) { write("home/.config/tollgate/tollgate.yaml", text); }
  void managed(const std::string& text) { write("etc/tollgate.yaml", text); }
  void project(const std::string& text) { write("home/project/tollgate.yaml", text); }
  void agentic(const std::string& text) { write("home/project/.agentic/config.yaml", text); }
  void set(const std::string& name, const std::string& value) { variables_[name] = value; }

  LoadOptions options() {
    environment_ = os::Environment(variables_);
    LoadOptions options;
    options.managed_file = at("etc/tollgate.yaml");
    options.cwd = at("home/project");
    options.environment = &environment_;
    return options;
  }
  Loaded load() { return config::load(options()); }

  // The text with the temporary directory's name taken out.
  std::string plain(std::string text) const {
    for (std::size_t i = text.find(dir_); i != std::string::npos; i = text.find(dir_))
      text.replace(i, dir_.size() + 1, "");
    return text;
  }
  std::string report(const Loaded& loaded) const {
    std::string text;
    for (const Diagnostic& each : loaded.diagnostics) text += render(each);
    return plain(text);
  }

 private:
  std::string dir_;
  os::Environment::Variables variables_;
  os::Environment environment_;
};

}  // namespace tollgate::config
