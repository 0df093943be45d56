// Hosts: every spelling of an address is that address, and what is odd is nothing.
#include "base/host.h"

#include <gtest/gtest.h>

namespace tollgate {
namespace {

struct Case {
  std::string_view name, host, want;
  bool address;
};

using namespace std::string_view_literals;

constexpr Case kCases[] = {
    {"a name", "a.example.com", "a.example.com", false},
    {"upper case and a trailing dot", "A.Example.COM.", "a.example.com", false},
    {"a name with numbers in it", "7.c0m1", "7.c0m1", false},
    {"an IPv6 address in brackets", "[0:0:0:0:0:0:0:1]", "::1", true},
    {"an IPv6 address without them", "2001:DB8::0:1", "2001:db8::1", true},
    {"a mapped IPv4 address", "::ffff:127.0.0.1", "127.0.0.1", true},
    {"a short address", "127.1", "127.0.0.1", true},
    {"a hexadecimal address", "0x7f000001", "127.0.0.1", true},
    {"an address with an empty part", "127..1", "", false},
    {"an address that only begins as one", "1.2.3.4.5", "", false},
    {"a name in brackets", "[example.com]", "", false},
    {"a host with a port", "example.com:80", "", false},
    {"an address cut short by a NUL", "[::1\0x]"sv, "", false},
    {"letters beyond ASCII",
     "b\xc3\xbc"
     "cher.example",
     "", false},
    {"a dot", ".", "", false},
    {"nothing", "", "", false},
};

TEST(CanonicalHost, GivesOneSpellingOrNothing) {
  for (const Case& c : kCases) {
    EXPECT_EQ(canonical_host(c.host), c.want) << c.name;
    EXPECT_EQ(is_address(canonical_host(c.host)), c.address) << c.name;
    EXPECT_EQ(canonical_host(canonical_host(c.host)), c.want) << c.name;
  }
}

}  // namespace
}  // namespace tollgate
