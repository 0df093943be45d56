// A directory of its own for each test of this room, gone at the end. Included by tests only.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "os/paths.h"

namespace tollgate::store {

class TestDirectory {
 public:
  TestDirectory() {
    std::string pattern = "/tmp/tollgate-store-XXXXXX";
    const char* made = ::mkdtemp(pattern.data());
    if (made == nullptr) std::abort();
    path_ = made;
  }
  ~TestDirectory() {
    std::vector<std::string> all = os::walk_below(path_, 100'000).paths;
    std::sort(all.rbegin(), all.rend());
    for (const std::string& path : all)
      if (::unlink(path.c_str()) != 0) ::rmdir(path.c_str());
    ::rmdir(path_.c_str());
  }
  TestDirectory(const TestDirectory&) = delete;
  TestDirectory& operator=(const TestDirectory&) = delete;

  std::string at(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace tollgate::store
