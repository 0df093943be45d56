// `tollgate serve`: the daemon, in the foreground.
// SAFETY: the login link goes to the terminal that started it, or to the descriptor that was named;
// it works once and for a minute.
#include "server/serve.h"

#include <array>

#include "base/moment_text.h"
#include "cli/commands.h"
#include "cli/local_gate.h"
#include "cli/registration.h"
#include "cli/version.h"
#include "os/clock.h"
#include "os/user.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 5> kOptions = {{
    {"config", "FILE", "use this configuration instead of the user's"},
    {"data", "DIR", "keep the store, the socket and the spool here"},
    {"listen", "ADDRESS", "HOST:PORT, in place of settings.listen; port 0 takes a free one"},
    {"ready-fd", "N", "write {\"url\", \"login\", \"pid\"} there once connections are accepted"},
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

}  // namespace

const Shape kServeShape = {
    .usage = "[--config FILE] [--data DIR] [--listen ADDRESS] [--ready-fd N] [--insecure]",
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
