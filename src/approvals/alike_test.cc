#include "approvals/alike.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace tollgate::approvals {
namespace {

TEST(Alike, HoldsWhatLooksAlikeInLittleRoom) {
  Alike alike;
  std::string text = R"({"call":{"tool":"Bash","input":{"command":"npm install package-)";
  const auto question = [&](int i) {
    return text + std::to_string(i) + R"("}},"decision":{"verdict":"ask","reasons":[]}})";
  };
  const HeldText first = alike.hold(question(1));
  const HeldText other = alike.hold(question(1234));
  EXPECT_EQ(first.whole(), question(1));
  EXPECT_EQ(other.whole(), question(1234));
  EXPECT_EQ(first.like, other.like);
  EXPECT_LT(other.own.size(), 20u);
}

TEST(Alike, HoldsAnythingElseAsItIs) {
  Alike alike;
  for (const std::string& text :
       {std::string(), std::string("x"), std::string(100'000, 'x'), std::string(40'000, 'y')}) {
    const HeldText held = alike.hold(text);
    EXPECT_EQ(held.whole(), text) << text.size();
  }
  EXPECT_EQ(alike.hold(std::string(100'000, 'x')).like, nullptr);
}

TEST(Alike, ADamagedOneIsNothing) {
  const auto like = std::make_shared<const std::string>("0123456789");
  for (const std::string own : {"\x05"
                                "abc",
                                "\x01"
                                "a\x0b\x01",
                                "\x01"
                                "a\x01",
                                "\x01"
                                "a\x05\x06",
                                "\xff\xff\xff\xff\xff\xff"})
    EXPECT_EQ((HeldText{own, like}).whole(), std::nullopt) << testing::PrintToString(own);
}

TEST(Alike, GivesBackRandomTexts) {
  const char* given = std::getenv("TOLLGATE_SEED");
  const auto seed = given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10))
                                     : std::random_device{}();
  std::mt19937 random(seed);
  Alike alike;
  std::string last;
  for (int i = 0; i < 2'000; ++i) {
    std::string text;
    while (text.size() < random() % 4'000) {
      const std::size_t from = last.empty() ? 0 : random() % last.size();
      if (random() % 2 == 0) text += last.substr(from, random() % 200);
      for (std::size_t k = random() % 20; k > 0; --k) text += static_cast<char>(random() % 256);
    }
    const HeldText held = alike.hold(text);
    ASSERT_EQ(held.whole(), text) << "TOLLGATE_SEED=" << seed << " turn " << i;
    last = std::move(text);
  }
}

}  // namespace
}  // namespace tollgate::approvals
