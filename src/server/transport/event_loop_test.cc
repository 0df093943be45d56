// What the loop does where descriptors and times are not as one would wish.
#include "server/transport/event_loop.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>

namespace tollgate::server {
namespace {

struct Pair {
  Pair() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends), 0);
    ours = os::Descriptor(ends[0]);
    theirs = os::Descriptor(ends[1]);
  }
  os::Descriptor ours, theirs;
};

class Told : public Watched {
 public:
  explicit Told(std::function<void()> then = {}) : then_(std::move(then)) {}
  void on_readable() override {
    ++times;
    if (then_) then_();
  }
  void on_writable() override {}

  int times = 0;

 private:
  std::function<void()> then_;
};

void run_for(EventLoop& loop, std::int64_t milliseconds) {
  const auto end = loop.after(milliseconds, [&] { loop.quit(); });
  loop.run();
}

double used_seconds() {
  timespec used{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

// Both are ready in one turn; whoever is told first ends the other and takes its number.
TEST(EventLoop, ADescriptorThatTookANumberIsToldNothingOfTheOneBefore) {
  const auto loop = EventLoop::make(1, {});
  Pair pairs[2], fresh;
  const auto later = std::make_shared<Told>();
  std::unique_ptr<Watch> watches[2], taken;
  int numbers[2] = {pairs[0].ours.number(), pairs[1].ours.number()};
  std::shared_ptr<Told> told[2];
  for (int i = 0; i < 2; ++i) {
    told[i] = std::make_shared<Told>([&, i] {
      const int number = numbers[1 - i];
      watches[1 - i].reset();
      ASSERT_EQ(::dup3(fresh.ours.number(), number, O_CLOEXEC), number);
      taken = loop->watch(os::Descriptor(number));
      taken->await_readable(later);
    });
    ASSERT_EQ(::write(pairs[i].theirs.number(), "x", 1), 1);
    watches[i] = loop->watch(std::move(pairs[i].ours));
    watches[i]->await_readable(told[i]);
  }
  run_for(*loop, 50);
  EXPECT_EQ(told[0]->times + told[1]->times, 1);
  EXPECT_EQ(later->times, 0);
}

TEST(EventLoop, APeerThatHangsUpIsToldWhenSomebodyWantsToKnow) {
  const auto loop = EventLoop::make(1, {});
  Pair pair;
  const std::unique_ptr<Watch> watch = loop->watch(std::move(pair.ours));
  pair.theirs = os::Descriptor();
  const auto told = std::make_shared<Told>();
  const double before = used_seconds();
  const auto ask = loop->after(300, [&] { watch->await_readable(told); });
  run_for(*loop, 350);
  EXPECT_LT(used_seconds() - before, 0.15) << "it goes round and round";
  EXPECT_EQ(told->times, 1);
}

TEST(EventLoop, ATimerWithoutEndIsNotDueAtOnce) {
  const auto loop = EventLoop::make(1, {});
  bool due = false;
  const auto never = loop->after(std::numeric_limits<std::int64_t>::max(), [&] { due = true; });
  run_for(*loop, 20);
  EXPECT_FALSE(due);
}

TEST(EventLoop, WhatIsThrownEndsWhereItWasThrown) {
  std::atomic<int> logged = 0;
  const auto loop = EventLoop::make(1, [&](const std::string&) { ++logged; });
  Pair pair;
  const auto told = std::make_shared<Told>([] { throw std::runtime_error("read"); });
  const std::unique_ptr<Watch> watch = loop->watch(std::move(pair.ours));
  watch->await_readable(told);
  ASSERT_EQ(::write(pair.theirs.number(), "x", 1), 1);
  bool then = false;
  loop->post([] { throw 7; });
  const auto timer = loop->after(1, [] { throw std::runtime_error("timer"); });
  loop->work([] { throw std::runtime_error("pool"); }, [&] { then = true; });
  loop->work([] {}, [] { throw std::runtime_error("then"); });
  run_for(*loop, 100);
  EXPECT_EQ(told->times, 1);
  EXPECT_FALSE(then);
  EXPECT_EQ(logged, 5);
}

TEST(EventLoop, WorkThatEndsWhileItQuitsIsStillTold) {
  const auto loop = EventLoop::make(1, {});
  bool then = false;
  loop->post([&] {
    loop->work([] { ::usleep(50'000); }, [&] { then = true; });
    loop->quit();
  });
  loop->run();
  EXPECT_TRUE(then);
}

}  // namespace
}  // namespace tollgate::server
