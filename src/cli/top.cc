// `tollgate top`: the dashboard at a terminal.
// Wires the three parts of top/: what is known (model), what is heard (feed), what is shown
// (screen).
#include <poll.h>

#include <array>

#include "cli/commands.h"
#include "cli/gate_client.h"
#include "cli/top/draw.h"
#include "cli/top/feed.h"
#include "cli/top/model.h"
#include "cli/top/screen.h"
#include "os/clock.h"
#include "os/local_time.h"

namespace tollgate::cli {
namespace {

constexpr std::array<Option, 1> kOptions = {{kDataOption}};
constexpr int kTickMs = 250;

Error no_terminal() {
  return error_of("no-terminal", "the dashboard needs a terminal to draw on",
                  "`tollgate pending --watch` writes plain lines");
}

class Dashboard {
 public:
  Dashboard(top::Feed& feed, top::Screen& screen) : feed_(feed), screen_(screen) {
    state_.local_time = os::local_time;
  }

  void run() {
    for (top::Request& request : top::first_requests()) feed_.ask(std::move(request));
    take(top::Resized{screen_.size()});
    while (!state_.over) {
      screen_.paint(top::draw(state_));
      std::array<pollfd, 2> both = {{{.fd = 0, .events = POLLIN, .revents = 0},
                                     {.fd = feed_.descriptor(), .events = POLLIN, .revents = 0}}};
      ::poll(both.data(), both.size(), kTickMs);
      if ((both[0].revents & (POLLHUP | POLLERR)) != 0) return;  // the terminal is gone
      for (top::Event& event : feed_.take()) take(event);
      while (const std::optional<top::Key> key = screen_.key()) take(top::Pressed{*key});
      take(top::Resized{screen_.size()});
      take(top::Ticked{});
      if (state_.bells != rung_) screen_.ring();
      rung_ = state_.bells;
    }
  }

 private:
  void take(const top::Event& event) {
    for (top::Request& request : top::apply(state_, event, os::now_monotonic()))
      feed_.ask(std::move(request));
  }

  top::Feed& feed_;
  top::Screen& screen_;
  top::State state_;
  std::uint64_t rung_ = 0;
};

}  // namespace

const Shape kTopShape = {
    .usage = "[--data DIR]",
    .about =
        "Shows the questions that are open, whole and as they come, and takes answers by single\n"
        "keys: once, for the session, always, no, with another input. Beside them sessions and\n"
        "history. `?` lists the keys. Asks for a credential.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 0,
    .examples = "tollgate top",
};

int run_top(const Arguments& arguments, Context& context) {
  if (!context.console.is_interactive()) return complain(context, no_terminal());
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  // A credential that is wrong is told before the screen is taken.
  if (const Result<json::Value> me = client->call("GET", "/api/me"); !me)
    return complain(context, me.error());
  // The screen is given back first: the feed may still wait for an answer.
  top::Feed feed(*client);
  Result<top::Screen> screen =
      top::Screen::open(context.console.screen().color ? top::Colors::kSome : top::Colors::kNone);
  if (!screen) return complain(context, screen.error());
  Dashboard(feed, *screen).run();
  return kDone;
}

}  // namespace tollgate::cli
