// A moment: while one lives, no path is looked at twice on this thread.
// What one call asks of the world is asked over and over: the same directories lie above all its
// paths. Files are seen as they were when first looked at, as if all looks had been at once.
// What this room itself changes begins a new moment; so must whoever has waited for a person.
#pragma once

#include <sys/stat.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "os/paths.h"

namespace tollgate::os {

class Moment {
 public:
  Moment();
  ~Moment();
  Moment(const Moment&) = delete;
  Moment& operator=(const Moment&) = delete;

  struct Memory;  // what was seen

 private:
  Memory* outer_;
};

// The moment is over, and another one begins: what was seen counts no more.
void begin_new_moment();

namespace detail {

// As the system calls of these names, `errno` included; without a moment they are nothing else.
int lstat(const std::string& path, struct stat& status);
int stat(const std::string& path, struct stat& status);

bool in_moment();
// What is known of a directory, as it is written; null for nothing. REQUIRES: a moment.
const Resolved* resolved(std::string_view directory);
const Resolved& remember(std::string_view directory, Resolved found);
void remember(std::shared_ptr<const KnownDirectories> directories);
// Every path that was looked at, its last component not followed. REQUIRES: a moment.
std::vector<std::string> looked_at();

}  // namespace detail

}  // namespace tollgate::os
