// Encodings by the RFCs' own examples, and comparisons that must fail closed.
#include "notify/codes.h"

#include <gtest/gtest.h>

namespace tollgate::notify {
namespace {

struct Case {
  std::string_view bytes, plain, url;
};
constexpr Case kCases[] = {
    {"", "", ""},
    {"f", "Zg==", "Zg"},
    {"fo", "Zm8=", "Zm8"},
    {"foo", "Zm9v", "Zm9v"},
    {"foob", "Zm9vYg==", "Zm9vYg"},
    {"\xfb\xff\xbe", "+/++", "-_--"},
};

TEST(Base64, IsThatOfRfc4648BothWays) {
  for (const Case& each : kCases) {
    EXPECT_EQ(base64(each.bytes), each.plain);
    EXPECT_EQ(base64url(each.bytes), each.url);
    EXPECT_EQ(bytes_of_base64(each.plain), each.bytes);
    EXPECT_EQ(bytes_of_base64url(each.url), each.bytes);
  }
}

TEST(Base64, RefusesWhatIsNone) {
  for (const std::string_view text : {"Z", "Zg=g", "Zm 9v", "Zm9v\n", "+/++", "ä"})
    EXPECT_FALSE(bytes_of_base64url(text)) << text;
}

TEST(Hmac, IsThatOfRfc4231) {
  EXPECT_EQ(hexadecimal(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(hmac_sha256("", "").size(), 32u);
}

TEST(SameSecret, NeverHoldsForNothing) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "abcd"));
  EXPECT_FALSE(same_secret("", ""));
}

}  // namespace
}  // namespace tollgate::notify
