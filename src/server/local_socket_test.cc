// The socket in the file system and TLS: who may connect, who is told from whom, what stays closed.
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include "server/client.h"
#include "server/test_server.h"

namespace tollgate::server {
namespace {

ServerOptions local_options(const std::string& path) {
  ServerOptions options = test_options();
  options.host = "";
  options.local_socket = path;
  return options;
}

// Listens and ends without removing its file, as a daemon does that was killed.
void leave_stale_socket(const std::string& path) {
  const os::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  ASSERT_EQ(::bind(socket.number(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(::listen(socket.number(), 1), 0);
}

TEST(LocalSocket, IsItsUsersAloneAndKnowsWhoCalls) {
  const TestDirectory files;
  const std::string path = files.at("data/gate.sock");
  {
    Handlers handlers;
    handlers.request = [](const std::shared_ptr<Exchange>& exchange) {
      const Peer& peer = exchange->request().peer;
      exchange->reply(json_response(200, peer.name() + " pid " + std::to_string(peer.pid) +
                                             (peer.local_socket ? " local" : "")));
    };
    TestServer server(local_options(path), std::move(handlers));
    struct stat found = {};
    ASSERT_EQ(::lstat(path.c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777u, 0600u);
    ASSERT_EQ(::stat(files.at("data").c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777u, 0700u);
    ClientRequest request;
    request.local_socket = path;
    request.within_ms = kTestDeadline;
    const Result<Response> response = fetch(request);
    ASSERT_TRUE(response) << render(response.error());
    EXPECT_EQ(response->body, "uid " + std::to_string(::geteuid()) + " pid " +
                                  std::to_string(::getpid()) + " local");
    EXPECT_EQ(RawPeer(path).say(get("/x", "Origin: http://localhost\r\n")).status(), 403);
  }
  EXPECT_NE(::access(path.c_str(), F_OK), 0) << "the file goes with its daemon";
}

TEST(LocalSocket, ReplacesTheFileOfADaemonThatIsGone) {
  TestDirectory files;
  const std::string path = files.at("data/gate.sock");
  files.write("data/x", "");
  leave_stale_socket(path);
  TestServer server(local_options(path));
  EXPECT_EQ(RawPeer(path).say(get("/x")).status(), 200);
  const auto second = Server::open(local_options(path));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, "listen-failed");
  EXPECT_EQ(RawPeer(path).say(get("/x")).status(), 200) << "the first one stays";
}

TEST(LocalSocket, RefusesAnUnsafePlace) {
  TestDirectory files;
  files.write("data/gate.sock", "a file");
  EXPECT_EQ(Server::open(local_options(files.at("data/gate.sock"))).error().code, "listen-failed");
  EXPECT_EQ(Server::open(local_options(files.at(std::string(200, 'a')))).error().code,
            "listen-failed");
  files.write("open/x", "");
  ASSERT_EQ(::chmod(files.at("open").c_str(), 0755), 0);
  EXPECT_EQ(Server::open(local_options(files.at("open/gate.sock"))).error().code, "listen-failed");
  EXPECT_EQ(Server::open(local_options("gate.sock")).error().code, "listen-failed");
}

// A certificate for localhost that signs itself, and its key, as files.
void write_certificate(TestDirectory& files, const std::string& name, long serial) {
  EVP_PKEY* key = ::EVP_EC_gen("P-256");
  X509* certificate = ::X509_new();
  ::X509_set_version(certificate, 2);
  ::ASN1_INTEGER_set(::X509_get_serialNumber(certificate), serial);
  ::X509_gmtime_adj(::X509_getm_notBefore(certificate), -60);
  ::X509_gmtime_adj(::X509_getm_notAfter(certificate), 3600);
  ::X509_set_pubkey(certificate, key);
  X509_NAME* subject = ::X509_get_subject_name(certificate);
  ::X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  ::X509_set_issuer_name(certificate, subject);
  ::X509_sign(certificate, key, ::EVP_sha256());
  const auto text_of = [](auto write) {
    BIO* memory = ::BIO_new(::BIO_s_mem());
    write(memory);
    char* bytes = nullptr;
    const long size = ::BIO_get_mem_data(memory, &bytes);
    std::string text(bytes, static_cast<std::size_t>(size));
    ::BIO_free(memory);
    return text;
  };
  files.write(name + ".pem", text_of([&](BIO* out) { ::PEM_write_bio_X509(out, certificate); }));
  files.write(name + ".key", text_of([&](BIO* out) {
                ::PEM_write_bio_PrivateKey(out, key, nullptr, nullptr, 0, nullptr, nullptr);
              }));
  ::X509_free(certificate);
  ::EVP_PKEY_free(key);
}

// A client of TLS over a raw peer.
class TlsPeer {
 public:
  TlsPeer(std::uint16_t port, int version) : peer_(port) {
    context_ = ::SSL_CTX_new(::TLS_client_method());
    ::SSL_CTX_set_min_proto_version(context_, version);
    ::SSL_CTX_set_max_proto_version(context_, version);
    ::SSL_CTX_set_security_level(context_, 0);  // the server must be the one that refuses
    state_ = ::SSL_new(context_);
    ::SSL_set_fd(state_, peer_.number());
    connected_ = ::SSL_connect(state_) == 1;
  }
  ~TlsPeer() {
    ::SSL_free(state_);
    ::SSL_CTX_free(context_);
  }
  TlsPeer(const TlsPeer&) = delete;
  TlsPeer& operator=(const TlsPeer&) = delete;

  bool connected() const { return connected_; }
  long serial() const {
    X509* certificate = ::SSL_get1_peer_certificate(state_);
    const long serial = ::ASN1_INTEGER_get(::X509_get_serialNumber(certificate));
    ::X509_free(certificate);
    return serial;
  }
  std::string ask(const std::string& bytes, std::size_t body) {
    EXPECT_EQ(::SSL_write(state_, bytes.data(), static_cast<int>(bytes.size())),
              static_cast<int>(bytes.size()));
    std::string text;
    char buffer[4096];
    for (;;) {
      const std::size_t end = text.find("\r\n\r\n");
      if (end != text.npos && text.size() >= end + 4 + body) return text.substr(end + 4);
      const int got = ::SSL_read(state_, buffer, sizeof buffer);
      if (got <= 0) return text;
      text.append(buffer, static_cast<std::size_t>(got));
    }
  }

 private:
  RawPeer peer_;
  SSL_CTX* context_ = nullptr;
  SSL* state_ = nullptr;
  bool connected_ = false;
};

ServerOptions tls_options(const TestDirectory& files) {
  ServerOptions options = test_options();
  options.certificate = files.at("a.pem");
  options.key = files.at("a.key");
  return options;
}

TEST(Tls, ServesBothNewVersionsAndNoOlderOne) {
  TestDirectory files;
  write_certificate(files, "a", 7);
  TestServer server(tls_options(files));
  EXPECT_TRUE(server.server().url().starts_with("https://127.0.0.1:"));
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    TlsPeer peer(server.port(), version);
    ASSERT_TRUE(peer.connected());
    const std::string body(100'000, 'a');
    EXPECT_EQ(peer.ask(post("/x", body), 14), "POST /x 100000");
    EXPECT_EQ(peer.ask(get("/y"), 8), "GET /y 0");
  }
  EXPECT_FALSE(TlsPeer(server.port(), TLS1_1_VERSION).connected());
  RawPeer plain(server.port());
  plain.say(get("/x"));
  EXPECT_EQ(plain.rest().find("HTTP/1.1 200"), std::string::npos);
}

TEST(Tls, APeerThatLeavesIsNoticed) {
  TestDirectory files;
  write_certificate(files, "a", 7);
  TestServer server(tls_options(files));
  std::promise<void> gone;
  std::shared_ptr<Exchange> exchange;
  {
    TlsPeer peer(server.port(), TLS1_3_VERSION);
    ASSERT_TRUE(peer.connected());
    std::thread asking([&] { EXPECT_EQ(peer.ask(get("/wait"), 7), "2\r\n12\r\n"); });
    server.await_waiting(1);
    exchange = server.take_waiting();
    server.on_loop([&] {
      exchange->on_gone([&] { gone.set_value(); });
      exchange->begin_stream({});
      exchange->send("12");
    });
    asking.join();
  }
  EXPECT_EQ(gone.get_future().wait_for(std::chrono::milliseconds(kTestDeadline)),
            std::future_status::ready);
  server.on_loop([&] { exchange.reset(); });
}

TEST(Tls, ACertificateCanBeRenewedWhileItServes) {
  TestDirectory files;
  write_certificate(files, "a", 7);
  TestServer server(tls_options(files));
  EXPECT_EQ(TlsPeer(server.port(), TLS1_3_VERSION).serial(), 7);
  write_certificate(files, "a", 8);
  EXPECT_TRUE(server.on_loop([&] { return server.server().reload_certificate().has_value(); }));
  EXPECT_EQ(TlsPeer(server.port(), TLS1_3_VERSION).serial(), 8);
  files.write("a.key", "broken");
  EXPECT_FALSE(server.on_loop([&] { return server.server().reload_certificate().has_value(); }));
  EXPECT_EQ(TlsPeer(server.port(), TLS1_3_VERSION).serial(), 8) << "the last good one stays";
}

TEST(Tls, FilesThatDoNotFitAreErrors) {
  TestDirectory files;
  write_certificate(files, "a", 1);
  write_certificate(files, "b", 2);
  ServerOptions options = tls_options(files);
  options.key = files.at("b.key");
  EXPECT_EQ(Server::open(options).error().code, "tls-unusable");
  options.key = files.at("missing.key");
  EXPECT_EQ(Server::open(options).error().code, "tls-unusable");
  options.key = files.at("a.key");
  options.certificate = files.at("a.key");
  EXPECT_EQ(Server::open(options).error().code, "tls-unusable");
  options.certificate = "";
  EXPECT_EQ(Server::open(options).error().code, "incomplete-tls");
  options = tls_options(files);
  options.host = "0.0.0.0";
  EXPECT_TRUE(Server::open(options)) << "with TLS others may reach it";
}

}  // namespace
}  // namespace tollgate::server
