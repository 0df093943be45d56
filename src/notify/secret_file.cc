#include "notify/secret_file.h"

#include "base/text.h"
#include "os/files.h"
#include "os/user.h"

namespace tollgate::notify {
namespace {

constexpr std::size_t kMostBytes = 16u << 10;
constexpr std::uint32_t kOfOthers = 0077;

Error unsafe(const std::string& path, const std::string& what, std::string hint) {
  return {.code = "unsafe-secret-file",
          .message = "the secret's file `" + path + "` " + what,
          .hint = std::move(hint),
          .where = {.file = path, .line = 0, .column = 0, .width = 1, .text = {}}};
}

}  // namespace

Result<std::string> secret_in(const std::string& path) {
  Result<os::FileText> read = os::read_stamped(path, kMostBytes);
  if (!read) return Fail(std::move(read).error());
  if (read->stamp.uid != 0 && read->stamp.uid != os::effective_uid())
    return Fail(unsafe(path, "belongs to somebody else", "use a file of your own"));
  if ((read->stamp.mode & kOfOthers) != 0)
    return Fail(unsafe(path, "may be read or written by others", "run `chmod 600 " + path + "`"));
  const std::string_view text = trim(read->text);
  if (text.empty())
    return Fail(unsafe(path, "is empty", "write the secret into it, and nothing else"));
  return std::string(text);
}

}  // namespace tollgate::notify
