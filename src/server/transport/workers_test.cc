// The pool by itself: everything is run, and what hangs holds up nothing behind it.
#include "server/transport/workers.h"

#include <gtest/gtest.h>

#include <future>

namespace tollgate::server {
namespace {

using namespace std::chrono_literals;

TEST(Workers, RunAllThatWasAddedBeforeTheEnd) {
  std::atomic<int> count = 0;
  Workers workers(3, [](const Work& work) { work.heavy(); });
  std::vector<Work> work;
  for (int i = 0; i < 100; ++i) work.push_back({[&] { ++count; }, nullptr});
  workers.add(work);
  EXPECT_TRUE(work.empty());
  workers.join();
  EXPECT_EQ(count, 100);
  EXPECT_FALSE(workers.has_queue());
}

TEST(Workers, OneThatHangsIsPassedBy) {
  std::promise<void> let_go, done;
  std::future<void> may_go = let_go.get_future(), came = done.get_future();
  Workers workers(2, [](const Work& work) { work.heavy(); });
  // Both fit one thread, so one is woken for them.
  std::vector<Work> work;
  work.push_back({[&] { may_go.wait(); }, nullptr});
  work.push_back({[&] { done.set_value(); }, nullptr});
  workers.add(work);
  bool passed = false;
  for (int i = 0; i < 10'000 && !passed; ++i) {
    workers.look_after();
    passed = came.wait_for(1ms) == std::future_status::ready;
  }
  EXPECT_TRUE(passed) << "what hangs has held up the other one";
  let_go.set_value();
}

}  // namespace
}  // namespace tollgate::server
