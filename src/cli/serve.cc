// `tollgate serve`: the daemon, in the foreground.
// SAFETY: the login link goes to the terminal that started it, or to the descriptor that was named;
// it works once and for a minute.
#include "server/serve.h"

#include <array>

#include "base/moment_text.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/local_gate.h"
#include "cli/registration.h"
#include "cli/version.h"
#include "os/clock.h"
#include "os/user.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 8> kOptions = {{
    {"config", "FILE", "use this configuration instead of the user's"},
    {"data", "DIR", "keep the store, the socket and the spool here"},
    {"listen", "ADDRESS", "HOST:PORT, in place of settings.listen; port 0 takes a free one"},
    {"ready-fd", "N", "write {\"url\", \"login\", \"pid\"} there once connections are accepted"},
    {"keep-gone", "TIME", "how long a question stays whose agent is gone: 60s"},
    {"patience", "TIME", "when a client that takes no stream is told to retry: 50s"},
    {"group", "TIME", "how long a record waits for others to be written with: 2ms, at most 1s"},
    {"insecure", "", "serve others than this machine without TLS"},
}};

Result<int> descriptor_of(const Arguments& arguments) {
  if (!arguments.has("ready-fd")) return -1;
  const std::string text = arguments.get("ready-fd");
  if (text.empty() || text.size() > 6 || text.find_first_not_of("0123456789") != text.npos)
    return Fail(error_of("bad-usage", "`" + text + "` is no descriptor",
                         "write a number, as in --ready-fd 3"));
  return std::stoi(text);
}

// A time that was given, within its bounds; `usual` where none was.
Result<long long> time_in(const Arguments& arguments, std::string_view name, long long usual,
                          long long most) {
  if (!arguments.has(name)) return usual;
  const std::optional<long long> given = duration_ms(arguments.get(name));
  if (given && *given >= 0 && *given <= most) return *given;
  return Fail(error_of("bad-usage",
                       "`" + arguments.get(name) + "` is no time for --" + std::string(name),
                       "write 500ms, 30s or 10m, no more than " + std::to_string(most) + "ms"));
}

Result<void> read_times(const Arguments& arguments, server::ServeOptions& options) {
  constexpr long long kDay = 24LL * 3600 * 1000;
  const Result<long long> gone = time_in(arguments, "keep-gone", options.keep_gone, kDay);
  if (!gone) return Fail(gone.error());
  const Result<long long> patience = time_in(arguments, "patience", options.patience, kDay);
  if (!patience) return Fail(patience.error());
  const Result<long long> group = time_in(arguments, "group", options.group_delay.count(), 1'000);
  if (!group) return Fail(group.error());
  options.keep_gone = *gone;
  options.patience = *patience;
  options.group_delay = std::chrono::milliseconds(*group);
  return {};
}

}  // namespace

const Shape kServeShape = {
    .usage = "[--config FILE] [--data DIR] [--listen ADDRESS] [--ready-fd N] [OPTION…]",
    .about =
        "Runs the daemon: agents ask it over MCP, HTTP and a local socket, people answer.\n"
        "It prints a link to log in with, which works once and for a minute. SIGHUP reads the\n"
        "configuration again (so does every change of it), SIGTERM stops; what is open stays open.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 0,
    .examples =
        "tollgate serve\n"
        "tollgate serve --config team.yaml --listen 127.0.0.1:0 --ready-fd 3 3> ready.json",
};

int run_serve(const Arguments& arguments, Context& context) {
  const Result<int> descriptor = descriptor_of(arguments);
  if (!descriptor) return complain(context, descriptor.error(), kUsedWrongly);
  server::ServeOptions options;
  options.ready_fd = *descriptor;
  if (const Result<void> read = read_times(arguments, options); !read)
    return complain(context, read.error(), kUsedWrongly);
  if (arguments.has("config")) {
    Result<std::string> file = absolute_here(arguments.get("config"));
    if (!file) return complain(context, file.error());
    options.files.config_file = std::move(*file);
  }
  options.files.managed_file = context.managed_file;
  Result<std::string> data = data_dir_of(arguments, context);
  if (!data) return complain(context, data.error());
  options.files.data_dir = std::move(*data);
  options.files.home = os::home_directory(context.environment).value_or("");
  options.files.program = context.program;
  options.files.environment = context.environment;
  options.listen = arguments.get("listen");
  options.insecure = arguments.has("insecure");
  options.person = context.environment.get_filled("USER").value_or("operator");
  options.version = std::string(kVersion);
  options.log = [&context](const std::string& line) {
    context.console.err(moment_text(os::now_milliseconds()) + " " + line + "\n");
  };
  options.started = [&context](const std::string& url, const std::string& login) {
    context.console.out("listening at " + url + "\n");
    if (!login.empty()) context.console.out("log in (once, within a minute): " + login + "\n");
    context.console.flush();
  };
  const Result<void> served = server::serve(options);
  return served ? kDone : complain(context, served.error());
}

}  // namespace tollgate::cli
