// Links, codes and cookies behind a proxy, in a VPN, through a forward, and with a certificate of
// the gate's own.
#include "server/public_address.h"

#include <gtest/gtest.h>

#include "server/test_daemon.h"

namespace tollgate::server {
namespace {

certificates::Facts facts(std::string sha256, std::vector<std::string> names, bool authority) {
  certificates::Facts out;
  out.subject = authority ? "Tollgate on box" : "Tollgate server on box";
  out.sha256 = std::move(sha256);
  out.names = std::move(names);
  out.not_after = 1'900'000'000'000;
  out.is_authority = authority;
  out.pem = authority ? "-----BEGIN CERTIFICATE-----\nA\n" : "-----BEGIN CERTIFICATE-----\nB\n";
  return out;
}

std::string with_url(std::string_view url) {
  return "version: 1\nsettings: {publicUrl: \"" + std::string(url) + "\"}\n";
}

struct Way {
  std::string_view says, own, known, url;
  bool reachable;
  bool has_digest;
};
constexpr Way kWays[] = {
    {"loopback alone reaches no phone", "http://127.0.0.1:1615", "", "http://127.0.0.1:1615", false,
     false},
    {"loopback of IPv6 neither", "http://[::1]:1615", "", "http://[::1]:1615", false, false},
    {"an address of the network does", "https://192.168.1.20:1615", "", "https://192.168.1.20:1615",
     true, true},
    {"all addresses are known by the public one", "https://127.0.0.1:1615",
     "https://192.168.1.20:1615", "https://192.168.1.20:1615", true, true},
    {"a name of the certificate, in other letters", "https://127.0.0.1:1615",
     "https://Box.local:1615/", "https://Box.local:1615", true, true},
    {"a proxy has a certificate of its own", "https://127.0.0.1:1615", "https://gate.example.org",
     "https://gate.example.org", true, false},
    {"so has one with our name at another port", "https://127.0.0.1:1615", "https://box.local",
     "https://box.local", true, false},
    {"a forward is declared", "http://127.0.0.1:1615", "http://127.0.0.1:1615",
     "http://127.0.0.1:1615", true, false},
    {"a VPN without TLS", "http://127.0.0.1:1615", "http://100.64.0.7:1615",
     "http://100.64.0.7:1615", true, false},
};

TEST(PublicAddress, IsWhatLinksAndCodesLeadTo) {
  for (const Way& way : kWays) {
    TestDaemon gate(way.known.empty() ? "version: 1\n" : with_url(way.known));
    gate.daemon.status.url = std::string(way.own);
    if (way.own.starts_with("https"))
      gate.daemon.status.certificates = [] {
        return std::vector{facts("aa11", {"127.0.0.1", "192.168.1.20", "box.local"}, false)};
      };
    const PublicAddress address = public_address(gate.daemon);
    EXPECT_EQ(address.url, way.url) << way.says;
    EXPECT_EQ(address.reachable, way.reachable) << way.says;
    EXPECT_EQ(address.fingerprint, way.has_digest ? "aa11" : "") << way.says;
    const auto paired = gate.post_as(gate.ann, "/api/pair", R"({"device":"phone"})");
    const std::string code = paired.text("url"), begin = std::string(way.url) + "/#/pair/tgl_";
    EXPECT_TRUE(code.starts_with(begin)) << way.says << ": " << code;
    EXPECT_EQ(code.ends_with("?sha256=aa11"), way.has_digest) << way.says << ": " << code;
    EXPECT_EQ(paired.at("reachable").as_bool(), way.reachable) << way.says;
    const std::string link = gate.post_as(gate.ann, "/api/links", "{}").text("login");
    EXPECT_TRUE(link.starts_with(std::string(way.url) + "/login/tgl_")) << way.says << ": " << link;
    const auto settings = gate.get("/api/settings");
    EXPECT_EQ(settings.text("address"), way.url) << way.says;
    EXPECT_EQ(settings.at("reachable").as_bool(), way.reachable) << way.says;
  }
}

struct Sent {
  std::string_view says, known, host, forwarded;
  bool tls;
  bool secure;
};
constexpr Sent kSent[] = {
    {"plain HTTP on loopback", "", "127.0.0.1:1615", "", false, false},
    {"TLS of our own", "", "127.0.0.1:1615", "", true, true},
    {"a proxy that keeps the host", "https://gate.example.org", "gate.example.org", "", false,
     true},
    {"with the port that is usual", "https://gate.example.org", "gate.example.org:443", "", false,
     true},
    {"in other letters", "https://Gate.example.org/", "GATE.example.org", "", false, true},
    {"a proxy that says so", "https://gate.example.org", "127.0.0.1:1615", "https", false, true},
    {"beside the proxy, on the machine", "https://gate.example.org", "127.0.0.1:1615", "", false,
     false},
    {"a VPN without TLS", "http://100.64.0.7:1615", "100.64.0.7:1615", "", false, false},
};

TEST(PublicAddress, TheCookieIsForEncryptedConnectionsWhereThereIsOne) {
  for (const Sent& sent : kSent) {
    TestDaemon gate(sent.known.empty() ? "version: 1\n" : with_url(sent.known));
    std::vector<std::pair<std::string, std::string>> headers = {
        {"host", std::string(sent.host)}, {"content-type", "application/json"}};
    if (!sent.forwarded.empty())
      headers.emplace_back("x-forwarded-proto", std::string(sent.forwarded));
    Request request =
        memory_request("POST", "/api/login", R"({"credential":")" + gate.ann + R"("})", headers);
    std::erase_if(request.headers, [&](const auto& header) {
      return header.first == "host" && header.second != sent.host;
    });
    request.peer.tls = sent.tls;
    const auto entered = gate.send(std::move(request));
    ASSERT_EQ(entered.status, 200) << sent.says;
    const std::string cookie = entered.exchange->header("Set-Cookie");
    EXPECT_EQ(cookie.find("; Secure") != std::string::npos, sent.secure) << sent.says;
    EXPECT_NE(cookie.find("; HttpOnly; SameSite=Strict"), std::string::npos) << sent.says;
  }
}

TEST(Certificate, IsToldToAnybodyAndItsAuthorityHandedOut) {
  TestDaemon gate;
  const auto none = gate.send(memory_request("GET", "/api/certificate"));
  EXPECT_EQ(none.status, 200);
  EXPECT_TRUE(none.at("certificate").is_null() && none.at("authority").is_null());
  EXPECT_EQ(gate.send(memory_request("GET", "/ca.crt")).status, 404);
  std::vector<certificates::Facts> chain = {facts("aa11", {"box.local"}, false)};
  gate.daemon.status.certificates = [&] { return chain; };
  // Signed by somebody who is not in the chain: there is nothing to hand out.
  EXPECT_EQ(gate.send(memory_request("GET", "/ca.crt")).status, 404);
  chain.push_back(facts("bb22", {}, true));
  const auto told = gate.send(memory_request("GET", "/api/certificate"));
  EXPECT_EQ(text_in(told.at("certificate"), "sha256"), "aa11");
  EXPECT_EQ(text_in(told.at("authority"), "sha256"), "bb22");
  const auto file = gate.send(memory_request("GET", "/ca.crt"));
  EXPECT_EQ(file.status, 200);
  EXPECT_EQ(file.exchange->header("Content-Type"), "application/x-x509-ca-cert");
  EXPECT_EQ(file.exchange->response.body, "-----BEGIN CERTIFICATE-----\nA\n");
}

}  // namespace
}  // namespace tollgate::server
