// Each allocation on the way of a call failing in turn: a call that cannot be judged is denied or
// has no answer, is never allowed without a record, and the next one goes on.
// The daemon's own loop keeps what is thrown on it from ending anything; so does this one.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "json/json.h"
#include "server/test_daemon.h"

namespace {

// How many more allocations of this thread succeed; negative: all of them.
thread_local long left_to_give = -1;
thread_local bool has_failed = false;

void* given(std::size_t size) {
  if (left_to_give > 0) {
    --left_to_give;
  } else if (left_to_give == 0) {
    left_to_give = -1;
    has_failed = true;
    throw std::bad_alloc();
  }
  if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) { return given(size); }
void* operator new[](std::size_t size) { return given(size); }
// The library's sorting asks in this way, and gives back in the other.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace tollgate::faults {
namespace {

// Plays it with each of its allocations failing in turn; gives how many there were. `play` is told
// what to run while one may fail.
template <class Play>
int at_every_allocation(const Play& play) {
  for (int point = 0;; ++point) {
    bool failed = false;
    play([&](const auto& act) {
      left_to_give = point;
      has_failed = false;
      try {
        act();
      } catch (const std::bad_alloc&) {
        failed = true;
      }
      left_to_give = -1;
      failed = failed || has_failed;
    });
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << "at allocation " << point;
      return point;
    }
    if (!failed) return point;
  }
}

TEST(Memory, AValueThatCannotBeCopiedIsWhatItWas) {
  using json::Value;
  const std::string text =
      R"({"a long name of a member":["a text that needs room of its own",true]})";
  const Value from = json::parse(text).value();
  const int points = at_every_allocation([&](const auto& failing) {
    Value to = Value::string("another text that needs room of its own");
    failing([&] { to = from; });
    EXPECT_TRUE(json::write(to) == text ||
                to.as_string() == "another text that needs room of its own");
  });
  EXPECT_GE(points, 4);
}

TEST(Memory, ACallIsDeniedOrUnansweredAndTheNextGoesOn) {
  server::TestDaemon daemon(
      "version: 1\nrules: {allow: [\"Bash(make *)\"], deny: [\"Bash(git push *)\"]}\n");
  int calls = 0;
  const auto call = [&](const std::string& command, std::string id) {
    server::Arrival arrival;
    arrival.session = daemon.bot;
    arrival.call.native_tool = arrival.call.tool = "Bash";
    arrival.call.input = json::Value::object(
        {{"command", json::Value::string(command)}, {"description", json::Value::string(id)}});
    arrival.call.id = std::move(id);
    arrival.origin = "test";
    arrival.wait = false;
    auto verdict = std::make_shared<std::optional<Verdict>>();
    static_cast<void>(daemon.gate.settle(std::move(arrival), [verdict](const server::Outcome& out) {
      *verdict = out.record.decision.verdict;
    }));
    return verdict;
  };
  const auto run = [&] {
    for (int i = 0; i < 20; ++i) {
      try {
        daemon.loop.run();
      } catch (const std::bad_alloc&) {
        continue;  // as the daemon's own loop does
      }
    }
  };
  std::size_t allowed = 0;
  const int points = at_every_allocation([&](const auto& failing) {
    for (const std::string command : {"make all", "git push origin", "npm ci"}) {
      const std::string id = "call-" + std::to_string(++calls) + "-";
      std::shared_ptr<std::optional<Verdict>> verdict;
      failing([&] {
        verdict = call(command, id);
        run();
      });
      run();
      if (verdict == nullptr || *verdict != Verdict::kAllow) continue;
      ++allowed;
      EXPECT_EQ(command, "make all");
      EXPECT_EQ(daemon.store.audit({.kind = "call", .verdict = "allow", .grep = id}).value().size(),
                1u);
    }
    const auto after = call("make after", "after-" + std::to_string(++calls));
    run();
    EXPECT_EQ(*after, Verdict::kAllow);
  });
  std::printf("%d allocations\n", points);
  EXPECT_GE(points, 50);
  EXPECT_GE(allowed, 1u);
}

}  // namespace
}  // namespace tollgate::faults
