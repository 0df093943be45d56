// Notices on a desktop: a bus of its own and a server on it that takes what a real one takes.
// Skipped where there is no dbus-daemon.
#include "notify/desktop.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include <array>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace tollgate::notify {
namespace {

using namespace std::chrono_literals;

// A bus that ends with this value. "" where there is no such program.
class PrivateBus {
 public:
  PrivateBus() {
    std::array<int, 2> pipe{};
    if (::access("/usr/bin/dbus-daemon", X_OK) != 0 || ::pipe(pipe.data()) != 0) return;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, pipe[1], 3);
    std::string program = "/usr/bin/dbus-daemon", session = "--session", fork = "--nofork",
                print = "--print-address=3", address = "--address=unix:tmpdir=/tmp";
    std::array<char*, 6> words = {program.data(), session.data(), fork.data(),
                                  print.data(),   address.data(), nullptr};
    if (::posix_spawn(&process_, program.c_str(), &actions, nullptr, words.data(), environ) != 0)
      process_ = -1;
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    std::array<char, 512> text{};
    while (process_ > 0 && address_.find('\n') == address_.npos) {
      const ssize_t size = ::read(pipe[0], text.data(), text.size());
      if (size <= 0) break;
      address_.append(text.data(), static_cast<std::size_t>(size));
    }
    ::close(pipe[0]);
    while (address_.ends_with('\n')) address_.pop_back();
  }
  ~PrivateBus() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  const std::string& address() const { return address_; }

 private:
  pid_t process_ = -1;
  std::string address_;
};

// The other side: org.freedesktop.Notifications, as the specification has it.
class NoticeServer {
 public:
  explicit NoticeServer(const std::string& address) {
    ::sd_bus_new(&bus_);
    ::sd_bus_set_address(bus_, address.c_str());
    ::sd_bus_set_bus_client(bus_, 1);
    EXPECT_GE(::sd_bus_start(bus_), 0);
    static const std::array<sd_bus_vtable, 6> kTable = {{
        SD_BUS_VTABLE_START(0),
        SD_BUS_METHOD("GetCapabilities", "", "as", on_capabilities, 0),
        SD_BUS_METHOD("Notify", "susssasa{sv}i", "u", on_notify, 0),
        SD_BUS_METHOD("CloseNotification", "u", "", on_close, 0),
        SD_BUS_SIGNAL("ActionInvoked", "us", 0),
        SD_BUS_VTABLE_END,
    }};
    EXPECT_GE(::sd_bus_add_object_vtable(bus_, nullptr, "/org/freedesktop/Notifications",
                                         "org.freedesktop.Notifications", kTable.data(), this),
              0);
    EXPECT_GE(::sd_bus_request_name(bus_, "org.freedesktop.Notifications", 0), 0);
    thread_ = std::thread([this] { run(); });
  }
  ~NoticeServer() {
    stop_ = true;
    thread_.join();
    ::sd_bus_close_unref(bus_);
  }

  // Waits until so many lines were heard.
  std::vector<std::string> heard(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, 20s, [&] { return heard_.size() >= count; });
    return heard_;
  }
  void press(std::uint32_t id) { pressed_ = id; }
  void dismiss(std::uint32_t id) { dismissed_ = id; }

 private:
  void run() {
    while (!stop_) {
      while (::sd_bus_process(bus_, nullptr) > 0) {
      }
      if (const std::uint32_t id = pressed_.exchange(0))
        ::sd_bus_emit_signal(bus_, "/org/freedesktop/Notifications",
                             "org.freedesktop.Notifications", "ActionInvoked", "us", id, "default");
      if (const std::uint32_t id = dismissed_.exchange(0))
        ::sd_bus_emit_signal(bus_, "/org/freedesktop/Notifications",
                             "org.freedesktop.Notifications", "NotificationClosed", "uu", id, 2u);
      ::sd_bus_wait(bus_, 20'000);
    }
  }
  void add(std::string line) {
    const std::lock_guard lock(mutex_);
    heard_.push_back(std::move(line));
    changed_.notify_all();
  }
  static int on_capabilities(sd_bus_message* call, void*, sd_bus_error*) {
    sd_bus_message* reply = nullptr;
    ::sd_bus_message_new_method_return(call, &reply);
    ::sd_bus_message_append(reply, "as", 2, "actions", "body");
    const int sent = ::sd_bus_send(nullptr, reply, nullptr);
    ::sd_bus_message_unref(reply);
    return sent;
  }
  static int on_notify(sd_bus_message* call, void* self, sd_bus_error*) {
    const char *name = "", *icon = "", *title = "", *body = "", *word = "";
    std::uint32_t replaces = 0;
    ::sd_bus_message_read(call, "susss", &name, &replaces, &icon, &title, &body);
    std::string actions;
    ::sd_bus_message_enter_container(call, 'a', "s");
    while (::sd_bus_message_read(call, "s", &word) > 0) actions += std::string(word) + ",";
    auto* server = static_cast<NoticeServer*>(self);
    server->add(std::string("notify ") + name + "|" + title + "|" + body + "|" + actions);
    return ::sd_bus_reply_method_return(call, "u", ++server->last_);
  }
  static int on_close(sd_bus_message* call, void* self, sd_bus_error*) {
    std::uint32_t id = 0;
    ::sd_bus_message_read(call, "u", &id);
    static_cast<NoticeServer*>(self)->add("close " + std::to_string(id));
    return ::sd_bus_reply_method_return(call, "");
  }

  sd_bus* bus_ = nullptr;
  std::uint32_t last_ = 0;
  std::atomic<bool> stop_ = false;
  std::atomic<std::uint32_t> pressed_ = 0, dismissed_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> heard_;
  std::thread thread_;
};

// What a thread tells, one after another.
template <class T>
class Heard {
 public:
  void add(T value) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(value));
    changed_.notify_all();
  }
  std::vector<T> wait(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, 20s, [&] { return all_.size() >= count; });
    return all_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<T> all_;
};

TEST(Desktop, ShowsANoticeAndHearsThatItWasPressed) {
  const PrivateBus bus;
  if (bus.address().empty()) GTEST_SKIP() << "there is no dbus-daemon";
  NoticeServer server(bus.address());
  Heard<std::string> looked;
  Heard<Outcome> outcomes;
  Desktop desktop(bus.address(), [&](const std::string& question) { looked.add(question); });
  const auto done = [&](Outcome outcome) { outcomes.add(std::move(outcome)); };
  desktop.send({.question = "q1",
                .title = "web asks to use Bash",
                .text = "It would run <b>git</b> & npm.",
                .link = "http://localhost/#/question/q1"},
               done);
  ASSERT_EQ(outcomes.wait(1).size(), 1u);
  EXPECT_EQ(outcomes.wait(1)[0].kind, Outcome::Kind::kDelivered) << outcomes.wait(1)[0].why;
  EXPECT_EQ(server.heard(1),
            std::vector<std::string>{"notify Tollgate|web asks to use Bash|It would run "
                                     "&lt;b&gt;git&lt;/b&gt; &amp; npm.|default,Open,"});
  server.press(1);
  EXPECT_EQ(looked.wait(1), std::vector<std::string>{"q1"});
  desktop.send({.question = "q2", .title = "two"}, done);
  outcomes.wait(2);
  server.dismiss(2);
  EXPECT_EQ(looked.wait(2), (std::vector<std::string>{"q1", "q2"}));
  desktop.recall("q1");
  EXPECT_EQ(server.heard(3).back(), "close 1");
}

TEST(Desktop, SaysWhyWhereNobodyShowsNotices) {
  const PrivateBus bus;
  if (bus.address().empty()) GTEST_SKIP() << "there is no dbus-daemon";
  Heard<Outcome> outcomes;
  Desktop desktop(bus.address(), [](const std::string&) {});
  desktop.send({.question = "q1"}, [&](Outcome outcome) { outcomes.add(std::move(outcome)); });
  ASSERT_EQ(outcomes.wait(1).size(), 1u);
  EXPECT_EQ(outcomes.wait(1)[0].kind, Outcome::Kind::kAgain);
  EXPECT_NE(outcomes.wait(1)[0].why, "");
}

TEST(Desktop, SaysWhyWhereThereIsNoBus) {
  Heard<Outcome> outcomes;
  Desktop desktop("unix:path=/nonexistent/bus", [](const std::string&) {});
  desktop.send({.question = "q1"}, [&](Outcome outcome) { outcomes.add(std::move(outcome)); });
  ASSERT_EQ(outcomes.wait(1).size(), 1u);
  EXPECT_NE(outcomes.wait(1)[0].why.find("session bus"), std::string::npos);
}

TEST(SessionBus, IsWhereTheEnvironmentSays) {
  EXPECT_EQ(session_bus(os::Environment(
                os::Environment::Variables{{"DBUS_SESSION_BUS_ADDRESS", "unix:path=/x"}})),
            "unix:path=/x");
  EXPECT_EQ(
      session_bus(os::Environment(os::Environment::Variables{{"XDG_RUNTIME_DIR", "/nonexistent"}})),
      "");
  EXPECT_EQ(session_bus(os::Environment()), "");
}

}  // namespace
}  // namespace tollgate::notify
