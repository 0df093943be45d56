#include "hook/command_line.h"

#include <algorithm>
#include <charconv>

namespace tollgate::hook {
namespace {

constexpr int kUsualTimeout = 30'000;  // where the registration does not say
constexpr int kMargin = 2'000;
constexpr int kLeast = 500;
constexpr int kSpare = 250;          // to say that a question is still open
constexpr int kLongest = 24 * 3600;  // seconds

std::unexpected<Error> wrong(std::string message) {
  return Fail({.code = "bad-usage",
               .message = std::move(message),
               .hint = "usage: tollgate-hook CLIENT [--config FILE] [--agent NAME] [--data DIR] "
                       "[--timeout SECONDS] [--sync]",
               .where = {}});
}

}  // namespace

Result<void> read_command_line(std::span<const std::string> words, CommandLine& line) {
  if (words.empty() || words[0].starts_with('-')) return wrong("no client is named");
  line.provider = words[0];
  line.registration.provider = line.provider;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& option = words[i];
    if (option == "--sync") {
      line.registration.sync = true;
      continue;
    }
    std::string seconds;
    std::string* const place = option == "--config"    ? &line.registration.config_file
                               : option == "--agent"   ? &line.registration.agent
                               : option == "--data"    ? &line.registration.data_dir
                               : option == "--timeout" ? &seconds
                                                       : nullptr;
    if (place == nullptr) return wrong("unknown option `" + option + "`");
    if (i + 1 == words.size()) return wrong("`" + option + "` has no value");
    *place = words[++i];
    const bool path = option == "--config" || option == "--data";
    if (path && !place->starts_with('/')) return wrong("`" + option + "` is no absolute path");
    if (option != "--timeout") continue;
    int value = 0;
    const auto [end, error] =
        std::from_chars(seconds.data(), seconds.data() + seconds.size(), value);
    if (error != std::errc() || end != seconds.data() + seconds.size() || value <= 0 ||
        value > kLongest)
      return wrong("`" + seconds + "` is no number of seconds");
    line.timeout = value * 1000;
  }
  return {};
}

int patience_of(const CommandLine& line) { return std::max(deadline_of(line) - kSpare, 0); }

int deadline_of(const CommandLine& line) {
  const int timeout = line.timeout > 0 ? line.timeout : kUsualTimeout;
  return std::max(timeout - kMargin, kLeast);
}

}  // namespace tollgate::hook
