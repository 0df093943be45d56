#include "notify/desktop.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "notify/codes.h"
#include "os/descriptor.h"

namespace tollgate::notify {
namespace {

constexpr const char* kService = "org.freedesktop.Notifications";
constexpr const char* kPath = "/org/freedesktop/Notifications";
constexpr const char* kPortal = "org.freedesktop.portal.Desktop";
constexpr std::uint64_t kCallTime = 3'000'000;  // LIMIT: of one call on the bus, in microseconds
constexpr std::size_t kMostQueued = 256;        // LIMIT: what waits for the bus
constexpr std::size_t kMostShown = 1'024;       // notices whose presses are still understood
constexpr std::uint32_t kDismissed = 2;         // of NotificationClosed: a person closed it

struct BusEnd {
  void operator()(sd_bus* bus) const { ::sd_bus_close_unref(bus); }
};
using Bus = std::unique_ptr<sd_bus, BusEnd>;

struct MessageEnd {
  void operator()(sd_bus_message* message) const { ::sd_bus_message_unref(message); }
};
using Message = std::unique_ptr<sd_bus_message, MessageEnd>;

struct Shown {
  std::string question;
  std::string link;
};

Outcome failed(std::string why) {
  return {.kind = Outcome::Kind::kAgain, .wait = 0, .why = std::move(why)};
}

}  // namespace

std::string session_bus(const os::Environment& environment) {
  if (const auto address = environment.get_filled("DBUS_SESSION_BUS_ADDRESS")) return *address;
  const auto directory = environment.get_filled("XDG_RUNTIME_DIR");
  if (!directory || !directory->starts_with('/')) return "";
  const std::string socket = *directory + "/bus";
  if (::access(socket.c_str(), R_OK | W_OK) != 0) return "";
  return "unix:path=" + socket;
}

struct Desktop::Inside {
  Inside(std::string address_in, std::function<void(const std::string&)> looked_in)
      : address(std::move(address_in)),
        looked(std::move(looked_in)),
        wake(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
        thread([this] { run(); }) {}

  struct Work {
    Notice notice;
    std::function<void(Outcome)> done;  // empty: the question has ended
  };

  void add(Work work);
  void run();
  bool take(std::deque<Work>& all);
  void wait_for_more();
  Result<void> connect();
  Outcome show(const Notice& notice);
  bool has_actions();
  void close(const std::string& question);
  void open(const std::string& link);
  static int on_action(sd_bus_message* message, void* self, sd_bus_error*);
  static int on_closed(sd_bus_message* message, void* self, sd_bus_error*);

  const std::string address;
  const std::function<void(const std::string&)> looked;
  os::Descriptor wake;
  std::mutex mutex;
  std::deque<Work> waiting;  // GUARDED_BY(mutex)
  bool stopping = false;     // GUARDED_BY(mutex)
  // Of the thread alone.
  Bus bus;
  bool actions = false;
  std::map<std::uint32_t, Shown> shown;
  std::vector<std::string> to_open;
  std::thread thread;  // the last: it uses the others
};

void Desktop::Inside::add(Work work) {
  std::optional<Work> refused;
  {
    const std::lock_guard lock(mutex);
    if (waiting.size() < kMostQueued)
      waiting.push_back(std::move(work));
    else
      refused = std::move(work);
  }
  if (refused && refused->done) refused->done(failed("too many notices wait for the desktop"));
  const std::uint64_t one = 1;
  static_cast<void>(!::write(wake.number(), &one, sizeof one));
}

// False once it is to end.
bool Desktop::Inside::take(std::deque<Work>& all) {
  const std::lock_guard lock(mutex);
  all.swap(waiting);
  return !stopping;
}

void Desktop::Inside::run() {
  std::deque<Work> all;
  while (take(all)) {
    for (const Work& work : all) {
      if (work.done)
        work.done(show(work.notice));
      else
        close(work.notice.question);
    }
    all.clear();
    while (bus != nullptr && ::sd_bus_process(bus.get(), nullptr) > 0) {
    }
    for (const std::string& link : to_open) open(link);
    to_open.clear();
    wait_for_more();
  }
}

void Desktop::Inside::wait_for_more() {
  std::array<pollfd, 2> watched = {{{wake.number(), POLLIN, 0}, {-1, POLLIN, 0}}};
  if (bus != nullptr && ::sd_bus_is_open(bus.get()) > 0)
    watched[1].fd = ::sd_bus_get_fd(bus.get());
  else
    bus.reset();
  ::poll(watched.data(), watched.size(), -1);
  std::uint64_t count = 0;
  static_cast<void>(!::read(wake.number(), &count, sizeof count));
}

Result<void> Desktop::Inside::connect() {
  if (bus != nullptr && ::sd_bus_is_open(bus.get()) > 0) return {};
  bus.reset();
  shown.clear();
  sd_bus* made = nullptr;
  if (::sd_bus_new(&made) < 0)
    return Fail(
        {.code = "notify-failed", .message = "no memory", .hint = "free some", .where = {}});
  Bus fresh(made);
  ::sd_bus_set_method_call_timeout(made, kCallTime);
  int result = ::sd_bus_set_address(made, address.c_str());
  if (result >= 0) result = ::sd_bus_set_bus_client(made, 1);
  if (result >= 0) result = ::sd_bus_start(made);
  constexpr const char* kFrom =
      "type='signal',path='/org/freedesktop/Notifications',"
      "interface='org.freedesktop.Notifications',member='";
  const std::string action = std::string(kFrom) + "ActionInvoked'";
  const std::string closed = std::string(kFrom) + "NotificationClosed'";
  if (result >= 0) result = ::sd_bus_add_match(made, nullptr, action.c_str(), on_action, this);
  if (result >= 0) result = ::sd_bus_add_match(made, nullptr, closed.c_str(), on_closed, this);
  if (result < 0)
    return Fail(
        {.code = "notify-failed",
         .message = std::string("the session bus cannot be reached: ") + std::strerror(-result),
         .hint = "start the daemon in the desktop's session",
         .where = {}});
  bus = std::move(fresh);
  actions = has_actions();
  return {};
}

bool Desktop::Inside::has_actions() {
  sd_bus_message* raw = nullptr;
  if (::sd_bus_call_method(bus.get(), kService, kPath, kService, "GetCapabilities", nullptr, &raw,
                           "") < 0)
    return false;
  const Message reply(raw);
  if (::sd_bus_message_enter_container(raw, 'a', "s") < 0) return false;
  const char* word = nullptr;
  bool found = false;
  while (::sd_bus_message_read(raw, "s", &word) > 0)
    found = found || std::string_view(word) == "actions";
  return found;
}

Outcome Desktop::Inside::show(const Notice& notice) {
  if (const Result<void> there = connect(); !there) return failed(there.error().message);
  // Where nothing can be pressed, the address itself has to do.
  std::string body = as_markup(notice.text);
  if (!actions) body += "\n" + as_markup(notice.link);
  sd_bus_message* raw = nullptr;
  if (::sd_bus_message_new_method_call(bus.get(), &raw, kService, kPath, kService, "Notify") < 0)
    return failed("no message for the session bus");
  const Message call(raw);
  int result = ::sd_bus_message_append(raw, "susss", "Tollgate", 0u, "dialog-password",
                                       notice.title.c_str(), body.c_str());
  if (result >= 0)
    result = actions ? ::sd_bus_message_append(raw, "as", 2, "default", "Open")
                     : ::sd_bus_message_append(raw, "as", 0);
  if (result >= 0)
    result = ::sd_bus_message_append(raw, "a{sv}", 2, "urgency", "y", notice.urgent ? 2 : 1,
                                     "desktop-entry", "s", "tollgate");
  if (result >= 0) result = ::sd_bus_message_append(raw, "i", -1);
  sd_bus_message* answer = nullptr;
  if (result >= 0) result = ::sd_bus_call(bus.get(), raw, kCallTime, nullptr, &answer);
  const Message reply(answer);
  std::uint32_t id = 0;
  if (result >= 0) result = ::sd_bus_message_read(answer, "u", &id);
  if (result < 0)
    return failed(std::string("the desktop did not take it: ") + std::strerror(-result));
  if (shown.size() >= kMostShown) shown.erase(shown.begin());
  shown[id] = {notice.question, notice.link};
  return {.kind = Outcome::Kind::kDelivered, .wait = 0, .why = {}};
}

void Desktop::Inside::close(const std::string& question) {
  for (auto at = shown.begin(); at != shown.end();) {
    if (at->second.question != question) {
      ++at;
      continue;
    }
    if (bus != nullptr)
      ::sd_bus_call_method_async(bus.get(), nullptr, kService, kPath, kService, "CloseNotification",
                                 nullptr, nullptr, "u", at->first);
    at = shown.erase(at);
  }
}

void Desktop::Inside::open(const std::string& link) {
  if (bus == nullptr) return;
  ::sd_bus_call_method_async(bus.get(), nullptr, kPortal, "/org/freedesktop/portal/desktop",
                             "org.freedesktop.portal.OpenURI", "OpenURI", nullptr, nullptr,
                             "ssa{sv}", "", link.c_str(), 0);
}

int Desktop::Inside::on_action(sd_bus_message* message, void* self, sd_bus_error*) {
  auto* inside = static_cast<Inside*>(self);
  std::uint32_t id = 0;
  const char* action = nullptr;
  if (::sd_bus_message_read(message, "us", &id, &action) < 0) return 0;
  const auto found = inside->shown.find(id);
  if (found == inside->shown.end()) return 0;
  inside->to_open.push_back(found->second.link);
  inside->looked(found->second.question);
  return 0;
}

int Desktop::Inside::on_closed(sd_bus_message* message, void* self, sd_bus_error*) {
  auto* inside = static_cast<Inside*>(self);
  std::uint32_t id = 0, why = 0;
  if (::sd_bus_message_read(message, "uu", &id, &why) < 0) return 0;
  const auto found = inside->shown.find(id);
  if (found == inside->shown.end()) return 0;
  const std::string question = found->second.question;
  inside->shown.erase(found);
  if (why == kDismissed) inside->looked(question);
  return 0;
}

Desktop::Desktop(std::string bus_address, std::function<void(const std::string&)> looked)
    : inside_(std::make_unique<Inside>(std::move(bus_address), std::move(looked))) {}

Desktop::~Desktop() {
  {
    const std::lock_guard lock(inside_->mutex);
    inside_->stopping = true;
  }
  const std::uint64_t one = 1;
  static_cast<void>(!::write(inside_->wake.number(), &one, sizeof one));
  inside_->thread.join();
}

void Desktop::send(Notice notice, std::function<void(Outcome)> done) {
  inside_->add({std::move(notice), std::move(done)});
}

void Desktop::recall(const std::string& question) {
  Notice ended;
  ended.question = question;
  inside_->add({std::move(ended), {}});
}

}  // namespace tollgate::notify
