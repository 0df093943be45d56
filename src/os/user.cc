// The user's id and home.
// A line of passwd is name:password:uid:gid:comment:home:shell.
// Nothing is guessed: without a home the caller hears so.
#include "os/user.h"

#include <unistd.h>

#include <algorithm>

#include "os/files.h"

namespace tollgate::os {

namespace {

constexpr std::size_t kFields = 6;  // up to the home

}  // namespace

std::uint32_t effective_uid() { return ::geteuid(); }

Result<std::string> home_directory(const Environment& environment, const std::string& passwd_file) {
  const std::optional<std::string> home = environment.get_filled("HOME");
  if (home && home->starts_with('/')) return *home;
  Result<std::string> passwd = read_file(passwd_file, 16u << 20);
  if (!passwd) return Fail(std::move(passwd).error());
  const std::string uid = std::to_string(effective_uid());
  std::string_view rest = *passwd;
  while (!rest.empty()) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    std::string_view fields[kFields];
    std::size_t count = 0;
    for (std::size_t colon = 0; count < kFields && colon != line.npos; ++count) {
      colon = line.find(':');
      fields[count] = line.substr(0, colon);
      line.remove_prefix(colon == line.npos ? line.size() : colon + 1);
    }
    if (count == kFields && fields[2] == uid && fields[5].starts_with('/'))
      return std::string(fields[5]);
  }
  return Fail({.code = "home-unknown",
               .message = "the home directory of user " + uid + " is not known",
               .hint = "set HOME to an absolute path",
               .where = {}});
}

}  // namespace tollgate::os
