// People: secrets that are shown once, cookies, links that work once, guesses that have to wait.
#include "approvals/people.h"

#include <gtest/gtest.h>

#include "approvals/digest.h"
#include "approvals/guesses.h"
#include "approvals/scripted_store.h"

namespace tollgate::approvals {
namespace {

constexpr store::Millis kStart = 1'000'000'000;

class PeopleTest : public testing::Test {
 protected:
  void settle(bool working = true) {
    do queue.run();
    while (kept.answer_one(working));
  }
  std::string random_bytes(std::size_t count) {
    if (!random_works) return "";
    return std::string(count - 1, 'r') + static_cast<char>(++made);
  }
  People make() {
    return {kept, queue.post(), [this](std::size_t count) { return random_bytes(count); }};
  }
  void crash() {
    queue.clear();
    kept.batches.clear();
    people.emplace(make());
    const store::Kept all = *kept.load(now, 0);
    people->restore(all.credentials, all.logins);
  }
  template <class T>
  std::function<void(Result<T>)> into(std::optional<Result<T>>& slot) {
    return [&slot](Result<T> result) { slot = std::move(result); };
  }
  std::string added(const std::string& name, store::Millis lifetime = 0) {
    std::optional<Result<std::string>> secret;
    people->add({.name = name, .roles = {"lead"}, .lifetime = lifetime}, "root", now, into(secret));
    settle();
    return secret && *secret ? **secret : "";
  }
  std::string link_for(const std::string& name) {
    std::optional<Result<std::string>> secret;
    people->make_link(name, now, into(secret));
    settle();
    return secret && *secret ? **secret : "";
  }
  Result<People::Cookie> enter(const std::string& link, bool working = true) {
    std::optional<Result<People::Cookie>> cookie;
    people->enter_by_link(link, "here", now, into(cookie));
    settle(working);
    return *cookie;
  }
  std::string code(const std::string& secret, const std::string& from = "here") {
    const Result<Who> who = people->by_secret(secret, from, now);
    return who ? who->credential.name : who.error().code;
  }
  std::string cookie_code(const People::Cookie& cookie) {
    const Result<Who> who = people->by_cookie(cookie.value, cookie.key, "here", now);
    return who ? who->credential.name : who.error().code;
  }
  void revoke(const std::string& name) {
    people->revoke(name, "root", now, [this](const Result<void>& result) {
      revoked.push_back(result ? "ok" : result.error().code);
    });
    settle();
  }

  store::Millis now = kStart;
  int made = 0;
  bool random_works = true;
  ScriptedStore kept;
  PostQueue queue;
  std::optional<People> people{make()};
  std::vector<std::string> revoked;
};

TEST_F(PeopleTest, ASecretIsShownOnceAndOnlyItsDigestIsKept) {
  const std::string secret = added("ann");
  EXPECT_TRUE(secret.starts_with("tga_"));
  EXPECT_EQ(secret.size(), 4u + 64u);
  EXPECT_EQ(kept.credentials.at("ann").digest, sha256(secret));
  EXPECT_EQ(kept.credentials.at("ann").person, "ann");
  EXPECT_EQ(kept.rows.at(0).kind, "credential");
  EXPECT_EQ(kept.rows.at(0).by, "root");
  EXPECT_EQ(code(secret), "ann");
  crash();
  EXPECT_EQ(code(secret), "ann");
}

// It takes the time of day over while nothing waits, and both clocks are read in whole
// milliseconds.
TEST_F(PeopleTest, ALoginWorksThoughTheClockWentBackALittle) {
  ASSERT_NE(added("ann"), "");
  --now;
  const Result<People::Cookie> cookie = enter(link_for("ann"));
  ASSERT_TRUE(cookie) << cookie.error().message;
  EXPECT_EQ(cookie_code(*cookie), "ann");
}

TEST_F(PeopleTest, WhatIsNoCredential) {
  const std::string secret = added("ann"), short_lived = added("bob", 1'000),
                    link = link_for("ann"), gone = added("cleo");
  const People::Cookie cookie = *enter(link);
  revoke("cleo");
  now += 1'000;
  struct Case {
    std::string_view name;
    std::string secret;
  };
  const Case kCases[] = {
      {"nothing", ""},
      {"the name", "ann"},
      {"another secret", "tga_" + std::string(64, '0')},
      {"the digest itself", sha256(secret)},
      {"without its prefix", secret.substr(4)},
      {"cut off", secret.substr(0, secret.size() - 1)},
      {"with more behind it", secret + "0"},
      {"a link", link},
      {"a cookie", cookie.value},
      {"a page's key", cookie.key},
      {"cookie and key", cookie.value + "." + cookie.key},
      {"one that is too old", short_lived},
      {"one that was revoked", gone},
  };
  for (const Case& one : kCases)
    EXPECT_EQ(code(one.secret, std::string(one.name)), "bad-credential") << one.name;
  EXPECT_EQ(cookie_code({.value = secret, .key = "tgk_x", .credential = {}}), "bad-credential")
      << "a secret is no cookie";
}

TEST_F(PeopleTest, ANameIsTakenUntilItIsRevoked) {
  const std::string first = added("ann");
  std::optional<Result<std::string>> one, two, three;
  people->add({.name = "ann"}, "root", now, into(one));
  EXPECT_EQ(one->error().code, "approver-taken");
  people->add({.name = "bob"}, "root", now, into(two));
  people->add({.name = "bob"}, "root", now, into(three));
  settle();
  EXPECT_TRUE(two->has_value());
  EXPECT_EQ(three->error().code, "approver-taken") << "also while the first is being kept";
  const People::Cookie cookie = *enter(link_for("ann"));
  revoke("ann");
  now += 1;
  const std::string second = added("ann");
  EXPECT_EQ(code(first), "bad-credential");
  EXPECT_EQ(code(second), "ann");
  EXPECT_EQ(cookie_code(cookie), "bad-credential") << "a login of the earlier one";
  revoke("nobody");
  EXPECT_EQ(revoked, (std::vector<std::string>{"ok", "unknown-approver"}));
}

TEST_F(PeopleTest, ACookieOfAnEarlierCredentialOfThatNameOpensNothing) {
  added("ann");
  const People::Cookie cookie = *enter(link_for("ann"));
  const store::Login login = kept.logins.at(sha256(cookie.value + "." + cookie.key));
  revoke("ann");
  kept.logins[login.digest] = login;  // written by another daemon after the revocation
  now += 1;
  added("ann");
  crash();
  EXPECT_EQ(cookie_code(cookie), "bad-credential");
}

TEST_F(PeopleTest, OneWhoIsRevokedWhileLoggingInGetsNoCookie) {
  const std::string secret = added("ann");
  std::optional<Result<People::Cookie>> cookie;
  people->revoke("ann", "root", now, [](const Result<void>&) {});
  people->enter_by_secret(secret, "here", now, into(cookie));
  settle();
  EXPECT_EQ(cookie->error().code, "bad-credential");
  for (const auto& [digest, login] : kept.logins) EXPECT_LT(login.expires, now);
}

TEST_F(PeopleTest, NothingIsMadeWhereSomethingFails) {
  std::optional<Result<std::string>> secret;
  people->add({.name = "ann"}, "root", now, into(secret));
  settle(false);
  EXPECT_EQ(secret->error().code, "store-unavailable");
  random_works = false;
  people->add({.name = "ann"}, "root", now, into(secret));
  EXPECT_EQ(secret->error().code, "random-unavailable");
  random_works = true;
  people->make_link("ann", now, into(secret));
  EXPECT_EQ(secret->error().code, "unknown-approver");
  EXPECT_TRUE(people->all().empty());
}

TEST_F(PeopleTest, ALinkWorksOnceWithin60Seconds) {
  added("ann");
  const std::string link = link_for("ann");
  EXPECT_TRUE(link.starts_with("tgl_"));
  const Result<People::Cookie> cookie = enter(link);
  ASSERT_TRUE(cookie);
  EXPECT_TRUE(cookie->value.starts_with("tgc_"));
  EXPECT_EQ(cookie->credential.name, "ann");
  EXPECT_EQ(enter(link).error().code, "bad-credential");
  crash();
  EXPECT_EQ(enter(link).error().code, "bad-credential");

  const std::string late = link_for("ann");
  now += kLinkLifetime;
  EXPECT_EQ(enter(late).error().code, "bad-credential");

  const std::string elsewhere = link_for("ann");
  kept.logins.at(sha256(elsewhere)).used = now;  // another daemon was first
  EXPECT_EQ(enter(elsewhere).error().code, "bad-credential");

  const std::string unlucky = link_for("ann");
  EXPECT_EQ(enter(unlucky, false).error().code, "store-unavailable");
  EXPECT_TRUE(enter(unlucky)) << "it was not spent";
}

TEST_F(PeopleTest, AClockThatGoesBackKeepsNobodyOut) {
  added("ann");
  now -= 1;
  const std::string link = link_for("ann");
  const Result<People::Cookie> cookie = enter(link);
  ASSERT_TRUE(cookie);
  EXPECT_TRUE(people->by_cookie(cookie->value, cookie->key, "here", now));
}

TEST_F(PeopleTest, OfTwoWhoUseALinkAtOnceOneGetsIn) {
  added("ann");
  const std::string link = link_for("ann");
  std::optional<Result<People::Cookie>> one, two;
  people->enter_by_link(link, "here", now, into(one));
  people->enter_by_link(link, "there", now, into(two));
  settle();
  EXPECT_TRUE(one->has_value());
  EXPECT_EQ(two->error().code, "bad-credential");
}

TEST_F(PeopleTest, ACookieLastsTwelveHoursAndNeedsItsKey) {
  const std::string secret = added("ann");
  std::optional<Result<People::Cookie>> made_one, made_another;
  people->enter_by_secret(secret, "here", now, into(made_one));
  people->enter_by_secret(secret, "here", now, into(made_another));
  settle();
  ASSERT_TRUE(made_one->has_value() && made_another->has_value());
  const People::Cookie value = **made_one, another = **made_another;
  EXPECT_NE(value.key, another.key);
  EXPECT_FALSE(kept.logins.contains(sha256(value.value))) << "a cookie alone finds nothing";
  EXPECT_FALSE(kept.logins.contains(sha256(value.key)));
  crash();
  const Result<Who> who = people->by_cookie(value.value, value.key, "here", now);
  ASSERT_TRUE(who);
  EXPECT_TRUE(who->by_cookie);
  const auto code_of = [&](const std::string& cookie, const std::string& key) {
    return cookie_code({.value = cookie, .key = key, .credential = {}});
  };
  for (const std::string& key : {std::string(), another.key, value.value, secret, value.key + "0",
                                 value.key.substr(1), hmac_sha256(value.value, "tollgate csrf 1")})
    EXPECT_EQ(code_of(value.value, key), "bad-credential") << key;
  EXPECT_EQ(code_of(value.key, value.value), "bad-credential") << "turned round";
  EXPECT_EQ(code_of("", value.key), "bad-credential");
  now += kCookieLifetime - 1;
  EXPECT_EQ(cookie_code(value), "ann");
  now += 1;
  EXPECT_EQ(cookie_code(value), "bad-credential");
  people->tick(now + 1);
  settle();
  EXPECT_TRUE(kept.logins.empty());
}

TEST_F(PeopleTest, OneWhoLeavesIsOut) {
  added("ann");
  const People::Cookie cookie = *enter(link_for("ann"));
  people->leave(cookie.value, cookie.key, [](const Result<void>&) {});
  EXPECT_EQ(cookie_code(cookie), "bad-credential");
  settle();
  crash();
  EXPECT_EQ(cookie_code(cookie), "bad-credential");
}

TEST_F(PeopleTest, GuessesHaveToWait) {
  const std::string secret = added("ann");
  for (int i = 0; i < kFreeGuesses; ++i) EXPECT_EQ(code("tga_wrong"), "bad-credential") << i;
  EXPECT_EQ(code("tga_wrong"), "too-many-guesses");
  EXPECT_EQ(cookie_code({.value = "tgc_wrong", .key = "tgk_wrong", .credential = {}}),
            "too-many-guesses")
      << "every sort of secret counts";
  EXPECT_EQ(code("tga_wrong", "elsewhere"), "bad-credential");
  EXPECT_EQ(code(secret), "ann") << "a guesser does not lock out who has the secret";
  now += kFirstWait;
  EXPECT_EQ(code("tga_wrong"), "bad-credential");
  now += kFirstWait;
  EXPECT_EQ(code("tga_wrong"), "too-many-guesses") << "the second wait is longer";
  now += kFirstWait;
  EXPECT_EQ(code("tga_wrong"), "bad-credential");
}

TEST_F(PeopleTest, GuessingCannotFillTheDisk) {
  for (int i = 0; i < 10'000; ++i) {
    static_cast<void>(people->by_secret("tga_wrong", "place " + std::to_string(i % 100), now));
    now += 10;
    if (i % 10 == 0) people->tick(now);
  }
  settle();
  std::size_t lines = 0;
  for (const store::AuditRow& row : kept.rows)
    lines += row.record.find("act")->as_string() == "wrong login";
  EXPECT_GE(lines, 1u);
  EXPECT_LE(lines, 3u) << "one a minute";
}

TEST(Guesses, ACrowdCannotPushOutOneThatHasToWait) {
  Guesses guesses;
  for (int i = 0; i < kFreeGuesses + 10; ++i) {
    guesses.note_wrong("attacker", kStart);
  }
  ASSERT_GT(guesses.wait("attacker", kStart), 0);
  for (int i = 0; i < 10'000; ++i) guesses.note_wrong("p" + std::to_string(i), kStart + 1);
  EXPECT_LE(guesses.places(), kMaxPlaces);
  EXPECT_GT(guesses.wait("attacker", kStart + 1), 0);
  guesses.note_wrong(std::string(1'000'000, 'x'), kStart + 1);
  EXPECT_LE(guesses.wait("attacker", kStart), kLongestWait);
  guesses.tick(kStart + kGuessesForgotten + kLongestWait);
  EXPECT_EQ(guesses.places(), 0u);
}

TEST(Guesses, WhereAllHaveToWaitNewcomersAreCountedTogether) {
  Guesses guesses;
  for (std::size_t i = 0; i < kMaxPlaces; ++i)
    for (int n = 0; n < kFreeGuesses; ++n) guesses.note_wrong("p" + std::to_string(i), kStart);
  for (int n = 0; n < kFreeGuesses; ++n) {
    EXPECT_EQ(guesses.wait("new", kStart), 0) << n;
    guesses.note_wrong("new " + std::to_string(n), kStart);
  }
  EXPECT_GT(guesses.wait("another one", kStart), 0);
}

TEST(Digests, AreThoseOfTheStandards) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hmac_sha256("Jefe", "what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hexadecimal(std::string("\x00\xff\x1a", 3)), "00ff1a");
  EXPECT_TRUE(same_secret("a", "a"));
  EXPECT_FALSE(same_secret("a", "b"));
  EXPECT_FALSE(same_secret("", "")) << "nothing is no secret";
}

}  // namespace
}  // namespace tollgate::approvals
