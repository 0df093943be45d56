// Registrations and touches: what a browser brings is taken, and each lie in it is told.
#include "webauthn/ceremony.h"

#include <gtest/gtest.h>

#include <functional>

#include "webauthn/soft_authenticator.h"

namespace tollgate::webauthn {
namespace {

const Expected kExpected{.challenge = "0123456789abcdef0123456789abcdef",
                         .origin = "https://gate.example.com",
                         .rp_id = "gate.example.com"};

Saying said(std::string type, unsigned flags, std::uint32_t counter) {
  return {.type = std::move(type),
          .challenge = kExpected.challenge,
          .origin = kExpected.origin,
          .rp_id = kExpected.rp_id,
          .flags = flags,
          .counter = counter};
}

TEST(Registration, GivesTheKeyThatWasMade) {
  const SoftAuthenticator device("a key");
  const Saying saying = said("webauthn.create", 0x41, 7);
  const auto key = check_registration(SoftAuthenticator::client_data(saying),
                                      device.attestation(saying), kExpected);
  ASSERT_TRUE(key) << key.error().message;
  EXPECT_EQ(*key, (PublicKey{.id = "a key", .point = device.point(), .counter = 7}));
}

TEST(Registration, RefusesEveryLie) {
  const SoftAuthenticator device("a key");
  Cbor rsa = device.cose_key();
  rsa.items[3] = cbor_number(-257);
  Cbor off_curve = device.cose_key();
  off_curve.items[7].bytes[5] ^= 1;
  Cbor short_number = device.cose_key();
  short_number.items[7].bytes.pop_back();
  struct Case {
    std::string_view name;
    std::function<void(Saying&)> lie;
    const Cbor* key;
    std::string_view want;
  };
  const Case kCases[] = {
      {"a touch in place of a new key", [](Saying& s) { s.type = "webauthn.get"; }, nullptr,
       "something else"},
      {"another challenge", [](Saying& s) { s.challenge = "x"; }, nullptr, "another challenge"},
      {"another page", [](Saying& s) { s.origin = "https://gate.example.com.evil"; }, nullptr,
       "another address"},
      {"a page within another", [](Saying& s) { s.cross_origin = true; }, nullptr,
       "within the page"},
      {"another site", [](Saying& s) { s.rp_id = "example.com"; }, nullptr, "another site"},
      {"nobody touched it", [](Saying& s) { s.flags = 0x40; }, nullptr, "nobody has touched"},
      {"no key in it", [](Saying& s) { s.flags = 0x01; }, nullptr, "no key"},
      {"extensions that are not there", [](Saying& s) { s.flags = 0xc1; }, nullptr,
       "ends too early"},
      {"a key of another kind", [](Saying&) {}, &rsa, "ES256"},
      {"a point beside the curve", [](Saying&) {}, &off_curve, "no point"},
      {"half a point", [](Saying&) {}, &short_number, "not whole"},
  };
  for (const Case& each : kCases) {
    Saying saying = said("webauthn.create", 0x41, 0);
    each.lie(saying);
    const auto key = check_registration(
        SoftAuthenticator::client_data(saying),
        device.attestation(saying, each.key != nullptr ? *each.key : device.cose_key()), kExpected);
    ASSERT_FALSE(key) << each.name;
    EXPECT_EQ(key.error().code, "presence-refused") << each.name;
    EXPECT_NE(key.error().message.find(each.want), std::string::npos)
        << each.name << ": " << key.error().message;
  }
  const Saying saying = said("webauthn.create", 0x41, 0);
  EXPECT_FALSE(check_registration(SoftAuthenticator::client_data(saying),
                                  device.attestation(saying) + '\0', kExpected));
  EXPECT_FALSE(check_registration("[]", device.attestation(saying), kExpected));
  Expected none = kExpected;
  none.challenge.clear();
  Saying without = saying;
  without.challenge.clear();
  EXPECT_FALSE(check_registration(SoftAuthenticator::client_data(without),
                                  device.attestation(without), none))
      << "no challenge is no challenge";
}

TEST(Touch, RefusesEveryLie) {
  const SoftAuthenticator device("a key"), other("another");
  const PublicKey key{.id = "a key", .point = device.point(), .counter = 10};
  struct Case {
    std::string_view name;
    std::function<void(Saying&)> lie;
    std::string_view want;  // "": it is taken
  };
  const Case kCases[] = {
      {"a true one", [](Saying&) {}, ""},
      {"with other flags that are not ours to judge", [](Saying& s) { s.flags = 0x1d; }, ""},
      {"a registration in its place", [](Saying& s) { s.type = "webauthn.create"; },
       "something else"},
      {"another question's challenge", [](Saying& s) { s.challenge[0] ^= 1; }, "another challenge"},
      {"the page of another address", [](Saying& s) { s.origin = "http://gate.example.com"; },
       "another address"},
      {"a page within another", [](Saying& s) { s.cross_origin = true; }, "within the page"},
      {"another site", [](Saying& s) { s.rp_id = "gate.example.org"; }, "another site"},
      {"nobody touched it", [](Saying& s) { s.flags = 0x04; }, "nobody has touched"},
      {"a new key in it", [](Saying& s) { s.flags = 0x41; }, "a key was made"},
      {"extensions that are not there", [](Saying& s) { s.flags = 0x81; }, "ends too early"},
      {"a counter that stands still", [](Saying& s) { s.counter = 10; }, "went back"},
      {"a counter that went back", [](Saying& s) { s.counter = 3; }, "went back"},
      {"a counter that is gone", [](Saying& s) { s.counter = 0; }, "went back"},
  };
  for (const Case& each : kCases) {
    Saying saying = said("webauthn.get", 0x01, 11);
    each.lie(saying);
    const auto counter = check_assertion(SoftAuthenticator::client_data(saying),
                                         SoftAuthenticator::authenticator_data(saying),
                                         device.signature(saying), key, kExpected);
    EXPECT_EQ(counter.has_value(), each.want.empty()) << each.name;
    if (counter) {
      EXPECT_EQ(*counter, 11u) << each.name;
    } else {
      EXPECT_NE(counter.error().message.find(each.want), std::string::npos)
          << each.name << ": " << counter.error().message;
    }
  }
  const Saying saying = said("webauthn.get", 0x01, 11);
  const auto with = [&](const std::string& signature, const std::string& data) {
    return check_assertion(SoftAuthenticator::client_data(saying), data, signature, key, kExpected)
        .has_value();
  };
  const std::string data = SoftAuthenticator::authenticator_data(saying);
  EXPECT_FALSE(with(other.signature(saying), data)) << "another person's key";
  EXPECT_FALSE(with("", data)) << "no signature";
  EXPECT_FALSE(with(device.signature(saying), data + "x")) << "something behind";
  EXPECT_FALSE(with(device.signature(saying), data.substr(0, 36))) << "cut off";
}

TEST(Touch, AKeyThatDoesNotCountIsTaken) {
  const SoftAuthenticator device("a key");
  const PublicKey key{.id = "a key", .point = device.point(), .counter = 0};
  const Saying saying = said("webauthn.get", 0x01, 0);
  EXPECT_TRUE(check_assertion(SoftAuthenticator::client_data(saying),
                              SoftAuthenticator::authenticator_data(saying),
                              device.signature(saying), key, kExpected));
}

TEST(Challenge, IsReadOutOfTheBrowsersData) {
  EXPECT_EQ(challenge_in(R"({"challenge":"Zm9v"})").value_or(""), "foo");
  for (const std::string_view text :
       {"", "{}", "[]", R"({"challenge":""})", R"({"challenge":7})", R"({"challenge":"+/"})"})
    EXPECT_FALSE(challenge_in(text)) << text;
  EXPECT_FALSE(challenge_in(std::string(kMaxClientBytes + 1, ' ')));
}

}  // namespace
}  // namespace tollgate::webauthn
