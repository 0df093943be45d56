// Base64 by the RFC's own examples, and texts that are none.
#include "base/base64.h"

#include <gtest/gtest.h>

namespace tollgate {
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

}  // namespace
}  // namespace tollgate
