// One epoll, one queue of what was posted, timers in their order.
// A descriptor stays registered from one wait to the next; only what fires and is wanted by nobody
// is taken out, so that an ordinary request tells the kernel nothing.
// INVARIANT: turns are short: what is ready, what was posted, and a few of the timers that are due,
// so that thousands of them hold up nobody's answer.
#include "server/transport/event_loop.h"

#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "os/clock.h"
#include "server/transport/workers.h"

namespace tollgate::server {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kEventsATurn = 128;
constexpr int kTimersATurn = 16;
// Work that was asked for in one turn is handed over together, so much of it at most.
constexpr std::size_t kWorkAtOnce = 8;
// How long work may be queued before one more thread is called for it.
constexpr std::chrono::milliseconds kLookAfter{1};
// LIMIT: the clock has no room for a time without end.
constexpr std::chrono::milliseconds kLongestTimer = std::chrono::hours(24 * 365 * 10);
// epoll counts in an int.
constexpr std::chrono::nanoseconds kLongestSleep = std::chrono::hours(1);

// Runs it; false when it threw, and then the log has it.
template <class Task>
bool guarded(const EventLoop::Log& log, Task&& task) {
  std::string words;
  try {
    task();
    return true;
  } catch (const std::exception& error) {
    words = error.what();
  } catch (...) {
    words = "something unknown";
  }
  try {
    if (log) log("a task of the daemon failed: " + words);
  } catch (...) {
    return false;  // the log itself has failed, and there is nobody else to tell
  }
  return false;
}

int checked(int result, const char* doing) {
  if (result < 0) throw std::system_error(errno, std::generic_category(), doing);
  return result;
}

// --- signals -------------------------------------------------------------------------------------

constexpr std::array kSignals = {SIGTERM, SIGINT, SIGHUP};

std::atomic<int> heard_by = -1;           // what wakes the loop that hears them
std::atomic<unsigned> heard_signals = 0;  // a bit for each number

void note_signal(int number) {
  const int before = errno;
  heard_signals |= 1u << static_cast<unsigned>(number);
  const std::uint64_t one = 1;
  // It fails only where enough was written already.
  [[maybe_unused]] const ssize_t written = ::write(heard_by, &one, sizeof one);
  errno = before;
}

// While it lives the signals come here; then they do again what they did.
class SignalWatch {
 public:
  explicit SignalWatch(int wakes) {
    heard_by = wakes;
    heard_signals = 0;
    struct sigaction action = {};
    action.sa_handler = note_signal;
    action.sa_flags = SA_RESTART;
    ::sigfillset(&action.sa_mask);
    // A signal that cannot be caught keeps what it does.
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      caught_[i] = ::sigaction(kSignals[i], &action, &before_[i]) == 0;
  }
  ~SignalWatch() {
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      if (caught_[i]) ::sigaction(kSignals[i], &before_[i], nullptr);
  }
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

 private:
  std::array<struct sigaction, kSignals.size()> before_ = {};
  std::array<bool, kSignals.size()> caught_ = {};
};

// --- the loop ------------------------------------------------------------------------------------

class EpollLoop;

class EpollWatch : public Watch {
 public:
  EpollWatch(EpollLoop& loop, os::Descriptor descriptor);
  ~EpollWatch() override;

  void await_readable(std::shared_ptr<Watched> who) override {
    reader_ = std::move(who);
    arm(EPOLLIN);
  }
  void await_writable(std::shared_ptr<Watched> who) override {
    writer_ = std::move(who);
    arm(EPOLLOUT);
  }

  // Tells whom it concerns. `slot` is emptied where this ends meanwhile.
  void fire(std::uint32_t events, const epoll_event& slot);

 private:
  // False: this has ended.
  static bool tell(std::shared_ptr<Watched>& whom, void (Watched::*what)(), const epoll_event& slot,
                   const EventLoop::Log& log);
  void arm(std::uint32_t event);
  void disarm(std::uint32_t events);
  int control(int operation);

  EpollLoop& loop_;
  os::Descriptor owned_;
  std::uint32_t armed_ = EPOLLIN;
  bool registered_ = false;
  std::shared_ptr<Watched> reader_, writer_;
};

class LoopTimer : public Timer {
 public:
  using Queue = std::multimap<Clock::time_point, LoopTimer*>;

  LoopTimer(Queue& queue, Clock::time_point due, std::function<void()> run)
      : queue_(queue), place_(queue.emplace(due, this)), run_(std::move(run)) {}
  ~LoopTimer() override {
    if (queued_) queue_.erase(place_);
  }
  LoopTimer(const LoopTimer&) = delete;
  LoopTimer& operator=(const LoopTimer&) = delete;

  // It is due: gives what is to be run. It may be destroyed by that.
  std::function<void()> take() {
    queue_.erase(place_);
    queued_ = false;
    return std::move(run_);
  }

 private:
  Queue& queue_;
  Queue::iterator place_;
  bool queued_ = true;
  std::function<void()> run_;
};

class EpollLoop : public EventLoop {
 public:
  EpollLoop(unsigned workers, Log log, Time clock)
      : log_(std::move(log)),
        clock_(std::move(clock)),
        epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "epoll")),
        wake_(checked(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "eventfd")),
        workers_(workers, [this](Work work) { run_heavy(std::move(work)); }) {
    // Every write is an edge, so nobody has to read it.
    epoll_event event = {};
    event.events = EPOLLIN | EPOLLET;
    checked(::epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, wake_.number(), &event), "epoll");
  }
  ~EpollLoop() override {
    workers_.join();
    // What was not run goes while the rest is there; it may still want to post.
    work_.clear();
    std::vector<std::function<void()>> left;
    {
      const std::scoped_lock lock(mutex_);
      over_ = true;
      left.swap(posted_);
    }
    signals_.reset();
  }

  void post(std::function<void()> task) override {
    bool wake = false;
    {
      const std::scoped_lock lock(mutex_);
      if (over_) return;
      posted_.push_back(std::move(task));
      wake = asleep_.exchange(false);
    }
    if (wake) wake_up();
  }

  void work(std::function<void()> heavy, std::function<void()> then) override {
    work_.push_back({std::move(heavy), std::move(then)});
    if (work_.size() >= kWorkAtOnce) workers_.add(work_);
  }

  std::unique_ptr<Timer> after(std::int64_t milliseconds, std::function<void()> run) override {
    const auto wait =
        std::chrono::milliseconds(std::clamp<std::int64_t>(milliseconds, 0, kLongestTimer.count()));
    return std::make_unique<LoopTimer>(timers_, Clock::now() + wait, std::move(run));
  }

  std::int64_t now() const override { return clock_ ? clock_() : os::now_milliseconds(); }
  std::int64_t step() const override { return clock_ ? os::now_milliseconds() - clock_() : 0; }

  std::unique_ptr<Watch> watch(os::Descriptor descriptor) override {
    return std::make_unique<EpollWatch>(*this, std::move(descriptor));
  }

  void hear_signals(std::function<void(int)> heard) override {
    heard_ = std::move(heard);
    signals_ = std::make_unique<SignalWatch>(wake_.number());
  }

  void run() override {
    while (!quit_) turn();
    signals_.reset();
    if (!work_.empty()) workers_.add(work_);
    workers_.join();
    while (run_posted()) {
    }
  }

  void quit() override {
    quit_ = true;
    wake_up();
  }

  // For its watches.
  int epoll() const { return epoll_.number(); }
  const Log& log() const& { return log_; }
  void forget(const EpollWatch* watch) {
    for (epoll_event& event : ready_)
      if (event.data.ptr == watch) event.data.ptr = nullptr;
  }

 private:
  void wake_up() const {
    const std::uint64_t one = 1;
    // It fails only where enough was written already.
    [[maybe_unused]] const ssize_t written = ::write(wake_.number(), &one, sizeof one);
  }

  void turn() {
    if (!work_.empty()) workers_.add(work_);
    const int wait = time_to_sleep();
    const int count = ::epoll_wait(epoll_.number(), ready_.data(), kEventsATurn, wait);
    asleep_ = false;
    for (int i = 0; i < count; ++i)
      if (auto* watch = static_cast<EpollWatch*>(ready_[i].data.ptr); watch != nullptr)
        watch->fire(ready_[i].events, ready_[i]);
    for (int i = 0; i < count; ++i) ready_[i] = {};
    tell_signals();
    run_posted();
    run_due();
  }

  // In milliseconds, -1 for ever; from here on a post wakes the loop.
  int time_to_sleep() {
    std::chrono::nanoseconds wait = kLongestSleep;
    const Clock::time_point now = Clock::now();
    if (!timers_.empty())
      wait = std::min<std::chrono::nanoseconds>(wait, timers_.begin()->first - now);
    if (workers_.has_queue()) {
      if (now - looked_after_ >= kLookAfter) {
        looked_after_ = now;
        workers_.look_after();
      }
      wait = std::min<std::chrono::nanoseconds>(wait, kLookAfter);
    }
    const std::scoped_lock lock(mutex_);
    if (!posted_.empty() || quit_ || wait <= wait.zero()) return 0;
    asleep_ = true;
    return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(wait).count());
  }

  bool run_posted() {
    {
      const std::scoped_lock lock(mutex_);
      running_.swap(posted_);
    }
    for (std::function<void()>& task : running_) {
      guarded(log_, task);
      task = nullptr;
    }
    const bool any = !running_.empty();
    running_.clear();  // its room stays, for the next
    return any;
  }

  void run_due() {
    if (timers_.empty()) return;
    const Clock::time_point now = Clock::now();
    for (int i = 0; i < kTimersATurn && !timers_.empty() && timers_.begin()->first <= now; ++i) {
      const std::function<void()> due = timers_.begin()->second->take();
      guarded(log_, due);
    }
  }

  void tell_signals() {
    if (signals_ == nullptr || heard_signals == 0) return;
    const unsigned heard = heard_signals.exchange(0);
    for (const int number : kSignals)
      if ((heard & 1u << static_cast<unsigned>(number)) != 0)
        guarded(log_, [&] { heard_(number); });
  }

  // On the pool. Both parts are destroyed on the loop: they may hold an exchange. One whose heavy
  // part threw is not told, and what it held answers for itself.
  void run_heavy(Work work) {
    const bool done = guarded(log_, work.heavy);
    post([done, work = std::move(work)] {
      if (done && work.then) work.then();
    });
  }

  Log log_;
  Time clock_;
  const os::Descriptor epoll_, wake_;
  std::array<epoll_event, kEventsATurn> ready_ = {};
  LoopTimer::Queue timers_;
  std::vector<Work> work_;  // to be handed over
  Clock::time_point looked_after_;
  std::unique_ptr<SignalWatch> signals_;
  std::function<void(int)> heard_;
  std::atomic<bool> quit_ = false;
  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;  // GUARDED_BY(mutex_); in their order
  std::vector<std::function<void()>> running_;
  std::atomic<bool> asleep_ = false;  // a post has to wake it; set under the lock
  bool over_ = false;                 // GUARDED_BY(mutex_)
  Workers workers_;
};

// --- a descriptor --------------------------------------------------------------------------------

EpollWatch::EpollWatch(EpollLoop& loop, os::Descriptor descriptor)
    : loop_(loop), owned_(std::move(descriptor)) {
  checked(control(EPOLL_CTL_ADD), "epoll");
  registered_ = true;
}

EpollWatch::~EpollWatch() {
  // A child process may have the same file open for a moment more, so closing is not enough.
  if (registered_) control(EPOLL_CTL_DEL);
  loop_.forget(this);
  // Whoever waits may be the one who drops this, in the middle of something.
  if (reader_ || writer_) loop_.post([kept = std::pair(std::move(reader_), std::move(writer_))] {});
}

int EpollWatch::control(int operation) {
  epoll_event event = {};
  event.events = armed_;
  event.data.ptr = this;
  return ::epoll_ctl(loop_.epoll(), operation, owned_.number(), &event);
}

void EpollWatch::arm(std::uint32_t event) {
  if (registered_ && (armed_ & event) != 0) return;
  armed_ |= event;
  checked(control(registered_ ? EPOLL_CTL_MOD : EPOLL_CTL_ADD), "epoll");
  registered_ = true;
}

// Nobody wants these. One that is hung up would fire for ever, whatever is wanted of it.
void EpollWatch::disarm(std::uint32_t events) {
  const bool hung = (events & (EPOLLHUP | EPOLLERR)) != 0;
  armed_ = hung ? 0 : armed_ & ~events;
  control(hung ? EPOLL_CTL_DEL : EPOLL_CTL_MOD);
  registered_ = !hung;
}

void EpollWatch::fire(std::uint32_t events, const epoll_event& slot) {
  const bool hung = (events & (EPOLLHUP | EPOLLERR)) != 0;
  const bool readable = hung || (events & EPOLLIN) != 0;
  const bool writable = hung || (events & EPOLLOUT) != 0;
  const EventLoop::Log& log = loop_.log();
  // What was told and not taken up again shows once more in the next turn.
  if (!(readable && reader_) && !(writable && writer_)) return disarm(events);
  if (readable && reader_ && !tell(reader_, &Watched::on_readable, slot, log)) return;
  if (writable && writer_) tell(writer_, &Watched::on_writable, slot, log);
}

bool EpollWatch::tell(std::shared_ptr<Watched>& whom, void (Watched::*what)(),
                      const epoll_event& slot, const EventLoop::Log& log) {
  std::shared_ptr<Watched> who = std::exchange(whom, nullptr);
  guarded(log, [&] { ((*who).*what)(); });
  who.reset();  // which may end this
  return slot.data.ptr != nullptr;
}

}  // namespace

std::unique_ptr<EventLoop> EventLoop::make(unsigned workers, Log log, Time clock) {
  return std::make_unique<EpollLoop>(workers, std::move(log), std::move(clock));
}

}  // namespace tollgate::server
