// The user's id and home.
// A line of passwd is name:password:uid:gid:comment:home:shell.
// Nothing is guessed: without a home the caller hears so.
#include "os/user.h"

#include <unistd.h>

#include "base/text.h"
#include "os/files.h"

namespace tollgate::os {

std::uint32_t effective_uid() { return ::geteuid(); }

Result<std::string> home_directory(const Environment& environment, const std::string& passwd_file) {
  const std::optional<std::string> home = environment.get_filled("HOME");
  if (home && home->starts_with('/')) return *home;
  Result<std::string> passwd = read_file(passwd_file, 16u << 20);
  if (!passwd) return Fail(std::move(passwd).error());
  const std::string uid = std::to_string(effective_uid());
  for (std::string_view line : split(*passwd, '\n')) {
    const std::vector<std::string_view> fields = split(line, ':');
    if (fields.size() >= 6 && fields[2] == uid && fields[5].starts_with('/'))
      return std::string(fields[5]);
  }
  return Fail({.code = "home-unknown",
               .message = "the home directory of user " + uid + " is not known",
               .hint = "set HOME to an absolute path",
               .where = {}});
}

}  // namespace tollgate::os
