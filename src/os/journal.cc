// libsystemd does the work.
// LIMIT: the newest messages are enough for whoever looks for heads; more are not read.
#include "os/journal.h"

#include <sys/stat.h>
#include <sys/uio.h>
#include <systemd/sd-journal.h>

#include <algorithm>
#include <memory>

#include "os/system_error.h"

namespace tollgate::os {
namespace {

constexpr const char* kSocket = "/run/systemd/journal/socket";
constexpr std::size_t kMostMessages = 100'000;

Error unavailable(std::string_view doing, int number) {
  return system_error("journal-unavailable", doing, kSocket, number);
}

struct Close {
  void operator()(sd_journal* journal) const { sd_journal_close(journal); }
};

}  // namespace

Result<void> write_journal(std::span<const JournalField> fields) {
  // Without one the library says that all went well.
  struct stat status{};
  if (::stat(kSocket, &status) != 0) return Fail(unavailable("reach the journal at", errno));
  std::vector<std::string> texts;
  for (const auto& [name, value] : fields)
    texts.push_back(std::string(name) + "=" + std::string(value));
  std::vector<iovec> parts;
  for (std::string& text : texts) parts.push_back({text.data(), text.size()});
  const int result = sd_journal_sendv(parts.data(), static_cast<int>(parts.size()));
  if (result < 0) return Fail(unavailable("write to the journal at", -result));
  return {};
}

Result<std::vector<std::string>> journal_messages(const JournalField& field) {
  sd_journal* opened = nullptr;
  if (const int result = sd_journal_open(&opened, SD_JOURNAL_LOCAL_ONLY); result < 0)
    return Fail(unavailable("read the journal of", -result));
  const std::unique_ptr<sd_journal, Close> journal(opened);
  const std::string match = std::string(field.first) + "=" + std::string(field.second);
  int result = sd_journal_add_match(journal.get(), match.data(), match.size());
  if (result >= 0) result = sd_journal_seek_tail(journal.get());
  std::vector<std::string> out;
  while (result >= 0 && out.size() < kMostMessages &&
         (result = sd_journal_previous(journal.get())) > 0) {
    const void* data = nullptr;
    std::size_t size = 0;
    if (sd_journal_get_data(journal.get(), "MESSAGE", &data, &size) < 0) continue;
    const std::string_view text(static_cast<const char*>(data), size);
    out.emplace_back(text.substr(std::min(text.find('=') + 1, text.size())));
  }
  if (result < 0) return Fail(unavailable("read the journal of", -result));
  std::ranges::reverse(out);
  return out;
}

}  // namespace tollgate::os
