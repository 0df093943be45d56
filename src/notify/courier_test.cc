// Notices on their way: when they are sent, when again, when not any more.
// A sender in memory answers when the case says so; the clock stands until it is moved.
#include "notify/courier.h"

#include <gtest/gtest.h>

#include <map>

namespace tollgate::notify {
namespace {

struct Sent {
  Order order;
  std::function<void(Outcome)> done;
};

class MemorySender : public Sender {
 public:
  void send(Order order, std::function<void(Outcome)> done) override {
    sent.push_back({std::move(order), std::move(done)});
  }
  void recall(const std::string& question) override { recalled.push_back(question); }

  std::vector<Sent> sent;
  std::vector<std::string> recalled;
};

class CourierTest : public testing::Test {
 protected:
  void announce(const std::string& id, const std::vector<Stop>& stops,
                const std::vector<Receipt>& known = {}) {
    courier.announce({.question = id,
                      .title = "web asks",
                      .link = "http://gate/#/question/" + id,
                      .several = several,
                      .created = now},
                     stops, now, known);
  }
  static Stop stop(const std::string& name, Millis after = 0, Kind kind = Kind::kWebhook) {
    return {.target = std::make_shared<const Target>(Target{.name = name, .kind = kind}),
            .device = {},
            .subscription = {},
            .after = after};
  }
  void pass(Millis time) {
    now += time;
    courier.tick(now);
  }
  void answer(std::size_t index, Outcome::Kind kind, Millis wait = 0) {
    sender.sent.at(index).done({.kind = kind, .wait = wait, .why = "because"});
    while (!posted.empty()) {
      const auto work = std::move(posted.front());
      posted.erase(posted.begin());
      work();
    }
  }
  // target:state:tries of each.
  std::string state(const std::string& id) const {
    std::string out;
    for (const Receipt& each : courier.receipts(id))
      out += (out.empty() ? "" : " ") + each.target + ":" +
             std::string(kReceiptStates[static_cast<std::size_t>(each.state)]) + ":" +
             std::to_string(each.tries);
    return out;
  }

  Millis now = 1'000'000;
  bool several = false;
  MemorySender sender;
  std::vector<std::function<void()>> posted;
  std::vector<std::string> gone;
  Courier courier{sender,
                  [this](std::function<void()> work) { posted.push_back(std::move(work)); },
                  {.prepare = {},
                   .gone = [this](const Subscription& each) { gone.push_back(each.endpoint); },
                   .changed = {}}};
};

using enum Outcome::Kind;

TEST_F(CourierTest, SendsAtOnceAndKeepsAReceipt) {
  announce("q", {stop("hook")});
  ASSERT_EQ(sender.sent.size(), 1u);
  EXPECT_EQ(sender.sent[0].order.delivery, "q-hook");
  EXPECT_EQ(state("q"), "hook:sending:1");
  answer(0, kDelivered);
  EXPECT_EQ(state("q"), "hook:delivered:1");
  pass(1'000'000);
  EXPECT_EQ(sender.sent.size(), 1u);
}

TEST_F(CourierTest, TriesAgainWithBackOffAndGivesUp) {
  announce("q", {stop("hook")});
  std::vector<Millis> pauses;
  for (std::size_t i = 0; i < 5; ++i) {
    answer(i, kAgain);
    EXPECT_EQ(state("q"), "hook:waiting:" + std::to_string(i + 1));
    const Millis began = now;
    while (sender.sent.size() == i + 1 && now - began < 1'000'000) pass(500);
    pauses.push_back(now - began);
  }
  EXPECT_EQ(pauses, (std::vector<Millis>{1'000, 4'000, 15'000, 60'000, 240'000}));
  answer(5, kAgain);
  EXPECT_EQ(state("q"), "hook:failed:6");
  EXPECT_EQ(courier.receipts("q")[0].why, "because");
  pass(10'000'000);
  EXPECT_EQ(sender.sent.size(), 6u);
  for (const Sent& each : sender.sent) EXPECT_EQ(each.order.delivery, "q-hook");
}

TEST_F(CourierTest, WaitsAsLongAsTheTargetAsksWithinABound) {
  announce("q", {stop("hook")});
  answer(0, kAgain, 30'000);
  pass(29'999);
  EXPECT_EQ(sender.sent.size(), 1u);
  pass(1);
  ASSERT_EQ(sender.sent.size(), 2u);
  answer(1, kAgain, 86'400'000);
  pass(kLongestWait);
  EXPECT_EQ(sender.sent.size(), 3u);
}

TEST_F(CourierTest, WhatWasRefusedIsNotTriedAgain) {
  announce("q", {stop("hook")});
  answer(0, kRefused);
  EXPECT_EQ(state("q"), "hook:failed:1");
  pass(1'000'000);
  EXPECT_EQ(sender.sent.size(), 1u);
}

TEST_F(CourierTest, ASecondChannelComesWhenNobodyHasSeenIt) {
  announce("seen", {stop("first"), stop("second", 20'000)});
  announce("unseen", {stop("first"), stop("second", 20'000)});
  answer(0, kDelivered);
  answer(1, kDelivered);
  pass(19'999);
  EXPECT_EQ(sender.sent.size(), 2u);
  courier.seen("seen", now);
  pass(1);
  ASSERT_EQ(sender.sent.size(), 3u);
  EXPECT_EQ(sender.sent[2].order.target.name, "second");
  EXPECT_EQ(sender.sent[2].order.notice.question, "unseen");
  EXPECT_EQ(state("seen"), "first:delivered:1 second:unneeded:0");
}

TEST_F(CourierTest, AClockThatGoesBackIsBelievedWhileThereIsNothing) {
  pass(3'600'000);
  announce("before", {stop("first")});
  answer(0, kDelivered);
  courier.ended("before");
  now -= 3'600'000;
  announce("q", {stop("first"), stop("second", 20'000)});
  ASSERT_EQ(sender.sent.size(), 2u) << "nobody waits for the clock to come back";
  answer(1, kDelivered);
  pass(19'999);
  EXPECT_EQ(sender.sent.size(), 2u) << "and the second channel has its time";
  pass(1);
  EXPECT_EQ(sender.sent.size(), 3u);
}

TEST_F(CourierTest, ADeadFirstChannelMakesTheSecondGoAtOnce) {
  announce("q", {stop("first"), stop("second", 20'000)});
  answer(0, kRefused);
  ASSERT_EQ(sender.sent.size(), 2u);
  EXPECT_EQ(sender.sent[1].order.target.name, "second");
}

TEST_F(CourierTest, ATargetThatCannotBeUsedFailsWithoutBeingTried) {
  Stop broken = stop("broken");
  broken.target = std::make_shared<const Target>(
      Target{.name = "broken", .problem = "the secret's file is open to others"});
  announce("q", {broken, stop("second", 20'000)});
  EXPECT_EQ(state("q"), "broken:failed:0 second:sending:1");
}

TEST_F(CourierTest, WhereSeveralMustAnswerOneLookIsNotEnough) {
  several = true;
  announce("q", {stop("second", 20'000)});
  courier.seen("q", now);
  pass(20'000);
  EXPECT_EQ(sender.sent.size(), 1u);
}

TEST_F(CourierTest, NothingIsSentAfterTheEnd) {
  announce("q", {stop("hook"), stop("late", 20'000)});
  courier.ended("q");
  EXPECT_EQ(sender.recalled, std::vector<std::string>{"q"});
  answer(0, kAgain);
  pass(1'000'000);
  EXPECT_EQ(sender.sent.size(), 1u);
  EXPECT_EQ(state("q"), "");
}

TEST_F(CourierTest, ASlowTargetHoldsNobodyElse) {
  for (int i = 0; i < 50; ++i) announce("q" + std::to_string(i), {stop("slow"), stop("good")});
  std::map<std::string, int> before;
  for (const Sent& each : sender.sent) ++before[each.order.target.name];
  EXPECT_EQ(before, (std::map<std::string, int>{{"slow", kMostToOne}, {"good", kMostToOne}}));
  // The slow one never answers; the other goes through all of them.
  for (std::size_t i = 0; i < sender.sent.size(); ++i)
    if (sender.sent[i].order.target.name == "good") answer(i, kDelivered);
  std::map<std::string, int> after;
  for (const Sent& each : sender.sent) ++after[each.order.target.name];
  EXPECT_EQ(after, (std::map<std::string, int>{{"slow", kMostToOne}, {"good", 50}}));
}

TEST_F(CourierTest, PeopleAreToldOfManyByOneNotice) {
  for (int i = 0; i < 40; ++i) announce("q" + std::to_string(i), {stop("phone", 0, Kind::kNtfy)});
  for (std::size_t i = 0; i < sender.sent.size(); ++i) answer(i, kDelivered);
  ASSERT_EQ(sender.sent.size(), static_cast<std::size_t>(kBurst));
  const Notice& last = sender.sent.back().order.notice;
  EXPECT_EQ(last.title, "31 questions wait");
  EXPECT_EQ(last.link, "http://gate/#/questions");
  EXPECT_EQ(last.question, "");
  EXPECT_EQ(state("q39"), "phone:delivered:1");
  announce("later", {stop("phone", 0, Kind::kNtfy)});
  EXPECT_EQ(sender.sent.size(), static_cast<std::size_t>(kBurst));
  pass(kPace);
  EXPECT_EQ(sender.sent.size(), static_cast<std::size_t>(kBurst) + 1);
  EXPECT_EQ(sender.sent.back().order.notice.question, "later");
}

TEST_F(CourierTest, ASubscriptionThatEndedIsTold) {
  Stop phone = stop("phones", 0, Kind::kPush);
  phone.subscription.endpoint = "https://push/1";
  announce("q", {phone});
  answer(0, kGone);
  EXPECT_EQ(gone, std::vector<std::string>{"https://push/1"});
  EXPECT_EQ(state("q"), "phones:failed:1");
}

TEST_F(CourierTest, AfterARestartOnlyWhatWasNotDeliveredGoesOn) {
  announce("q", {stop("done"), stop("half"), stop("late", 20'000), stop("dead")},
           {{.target = "done", .state = ReceiptState::kDelivered, .tries = 1},
            {.target = "half", .state = ReceiptState::kSending, .tries = 2},
            {.target = "late", .state = ReceiptState::kWaiting, .due = now + 5'000},
            {.target = "dead", .state = ReceiptState::kFailed, .tries = 6}});
  ASSERT_EQ(sender.sent.size(), 1u);
  EXPECT_EQ(sender.sent[0].order.target.name, "half");
  EXPECT_EQ(state("q"), "done:delivered:1 half:sending:3 late:waiting:0 dead:failed:6");
}

TEST_F(CourierTest, TooManyAreRefusedAndSaySo) {
  for (std::size_t i = 0; i < kMostWaiting; ++i)
    announce("q" + std::to_string(i), {stop("late", 1'000'000)});
  announce("more", {stop("late", 1'000'000)});
  EXPECT_EQ(state("more"), "late:failed:0");
  EXPECT_EQ(courier.receipts("more")[0].why, "too many notices wait already");
}

}  // namespace
}  // namespace tollgate::notify
