// Digests by the RFC's own example, and comparisons that must fail closed.
#include "notify/codes.h"

#include <gtest/gtest.h>

namespace tollgate::notify {
namespace {

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
