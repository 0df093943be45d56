// Whether an agent could answer in this approver's place, by where the approver comes from.
#include "server/self_approval.h"

#include <gtest/gtest.h>

namespace tollgate::server {
namespace {

struct Case {
  std::string_view says, address;
  bool local_socket, tls, prevented;
  std::string_view why;  // a piece of it
};
constexpr Case kCases[] = {
    {"the terminal on the machine", "", true, false, false, "comes from the machine"},
    {"a browser on the machine", "127.0.0.1", false, true, false, "comes from the machine"},
    {"a forward, or a proxy on the machine", "::1", false, false, false, "proxy or forward"},
    {"nothing is known of it", "", false, true, false, "comes from the machine"},
    {"an address of the machine itself", "192.168.1.20", false, true, false, "an address of the"},
    {"the same, as a socket for both kinds has it", "::ffff:192.168.1.20", false, true, false,
     "an address of the"},
    {"another device without TLS", "192.168.1.30", false, false, false, "not encrypted"},
    {"another device with TLS", "192.168.1.30", false, true, true, "another device"},
};

TEST(SelfApproval, IsPreventedOnlyFromAnotherDeviceWithTls) {
  for (const Case& each : kCases) {
    Peer peer;
    peer.address = std::string(each.address);
    peer.local_socket = each.local_socket;
    peer.tls = each.tls;
    const json::Value said = self_approval_value(peer, {"127.0.0.1", "192.168.1.20"});
    EXPECT_EQ(said.find("prevented")->as_bool(), each.prevented) << each.says;
    EXPECT_NE(said.find("why")->as_string().find(each.why), std::string::npos)
        << each.says << ": " << said.find("why")->as_string();
  }
}

TEST(SelfApproval, WhereTheMachineDoesNotKnowItsAddressesItIsNotPrevented) {
  Peer peer;
  peer.address = "192.168.1.30";
  peer.tls = true;
  const json::Value said = self_approval_value(peer, {});
  EXPECT_FALSE(said.find("prevented")->as_bool());
}

}  // namespace
}  // namespace tollgate::server
