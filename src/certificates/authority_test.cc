// What the authority signs, what it refuses, and how certificates are read.
// Clients of other make verify the chain in tests/daemon.
#include "certificates/authority.h"

#include <gtest/gtest.h>

#include "certificates/facts.h"

namespace tollgate::certificates {
namespace {

constexpr std::int64_t kNow = 1'790'000'000'000;

Wish wish(std::vector<std::string> names) {
  return {.machine = "box", .names = std::move(names), .now = kNow};
}

TEST(Authority, SignsForItsMachineAndPrivateNetworks) {
  const Result<Signed> authority = make_authority(wish({"box"}));
  ASSERT_TRUE(authority) << authority.error().message;
  const std::vector<std::string> names = {"localhost", "127.0.0.1", "::1",          "box",
                                          "box.local", "10.1.2.3",  "192.168.1.20", "fd00::5"};
  const Result<Signed> server = sign_server(*authority, wish(names));
  ASSERT_TRUE(server) << server.error().message;
  const auto chain = facts_in(server->key + server->certificate + authority->certificate, "file");
  ASSERT_TRUE(chain) << chain.error().message;
  ASSERT_EQ(chain->size(), 2u);
  const Facts &leaf = chain->front(), &root = chain->back();
  EXPECT_EQ(leaf.names, names);
  EXPECT_EQ(leaf.subject, "Tollgate server on box");
  EXPECT_FALSE(leaf.is_authority);
  EXPECT_TRUE(root.is_authority);
  EXPECT_EQ(root.subject, "Tollgate on box");
  EXPECT_LT(leaf.not_before, kNow);
  EXPECT_LT(leaf.not_after - leaf.not_before, 398 * kDay);
  EXPECT_GT(leaf.not_after - kNow, 360 * kDay);
  EXPECT_GT(root.not_after, leaf.not_after);
  EXPECT_EQ(leaf.sha256.size(), 64u);
  EXPECT_NE(leaf.sha256, root.sha256);
  EXPECT_EQ(leaf.pem, server->certificate);
}

struct Name {
  std::string_view says, name;
  std::string_view code;  // "" where it is signed
};
constexpr Name kNames[] = {
    {"a public name", "www.example.org", "name-not-permitted"},
    {"a public address", "198.51.100.7", "name-not-permitted"},
    {"a public address of IPv6", "2001:db8::1", "name-not-permitted"},
    {"another machine without a dot", "otherbox", "name-not-permitted"},
    {"the name that it was made for", "gate.tail1234.ts.net", ""},
    {"the address that it was made for", "203.0.113.9", ""},
    {"a name of the local network", "phonebox.local", ""},
    {"an address of a VPN", "100.101.102.103", ""},
    {"a name with something behind it", "box.local,IP:198.51.100.7", "name-not-permitted"},
    {"a name with a port", "box.local:1615", "name-not-permitted"},
    {"a URL", "https://box.local", "name-not-permitted"},
    {"nothing", "", "name-not-permitted"},
};

TEST(Authority, VouchesForNothingElse) {
  const Result<Signed> authority =
      make_authority(wish({"box", "gate.tail1234.ts.net", "203.0.113.9"}));
  ASSERT_TRUE(authority) << authority.error().message;
  for (const Name& each : kNames) {
    const Result<Signed> made =
        sign_server(*authority, wish({"localhost", std::string(each.name)}));
    EXPECT_EQ(made ? "" : made.error().code, each.code) << each.says;
    if (made || each.code.empty()) continue;
    EXPECT_NE(made.error().message.find("`" + std::string(each.name) + "`"), std::string::npos)
        << made.error().message;
  }
}

TEST(Authority, AKeyOfAnotherIsRefused) {
  const Result<Signed> one = make_authority(wish({"box"})), two = make_authority(wish({"box"}));
  ASSERT_TRUE(one && two);
  const Result<Signed> made =
      sign_server({.key = one->key, .certificate = two->certificate}, wish({"localhost"}));
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, "certificate-failed");
  EXPECT_EQ(sign_server({.key = "x", .certificate = "y"}, wish({"localhost"})).error().code,
            "certificate-failed");
}

TEST(Authority, TooManyNamesAreRefused) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i <= kMostNames; ++i) names.push_back("n" + std::to_string(i) + ".local");
  EXPECT_EQ(make_authority(wish(names)).error().code, "name-not-permitted");
  names.pop_back();
  EXPECT_TRUE(make_authority(wish(names)));
}

TEST(Facts, WhatIsNoCertificateIsAnError) {
  for (const std::string_view text :
       {"", "nothing", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"}) {
    const auto chain = facts_in(text, "some/file");
    ASSERT_FALSE(chain) << text;
    EXPECT_EQ(chain.error().code, "tls-unusable");
    EXPECT_EQ(chain.error().where.file, "some/file");
  }
}

TEST(Facts, CoversByNameStarAndAddress) {
  Facts facts;
  facts.names = {"box.local", "*.example.org", "192.168.1.20", "fd00::5"};
  for (const std::string_view host :
       {"box.local", "BOX.local", "a.example.org", "192.168.1.20", "fd00::5", "[fd00:0::5]"})
    EXPECT_TRUE(covers(facts, host)) << host;
  for (const std::string_view host :
       {"", "local", "x.box.local", "example.org", "a.b.example.org", "192.168.1.21", "fd00::6"})
    EXPECT_FALSE(covers(facts, host)) << host;
}

TEST(Facts, ADigestIsSpelledAsBrowsersDo) { EXPECT_EQ(spelled("0aff10"), "0A:FF:10"); }

}  // namespace
}  // namespace tollgate::certificates
