// The server itself: accepts connections, looks at their deadlines, and stops in order.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "os/clock.h"
#include "os/files.h"
#include "server/listener.h"
#include "server/transport/bind.h"
#include "server/transport/connection.h"

namespace tollgate::server {
namespace {

// LIMIT: descriptors for everything that is no connection: the store, the log, programs.
constexpr std::uint64_t kReserve = 64;
// LIMIT: so many that come above the limit are told so; the others are just closed.
constexpr std::size_t kMostRefused = 32;
constexpr std::size_t kMostCertificate = 1u << 20;  // LIMIT: bytes of its file
constexpr int kAcceptsATurn = 64;
constexpr std::int64_t kAcceptPause = 100;

Peer peer_of(int descriptor, bool local, bool tls) {
  Peer peer;
  peer.tls = tls;
  peer.local_socket = local;
  if (local) {
    ucred who = {};
    socklen_t size = sizeof who;
    if (::getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return peer;
    peer.uid = who.uid;
    peer.pid = who.pid;
    return peer;
  }
  sockaddr_storage storage = {};
  socklen_t size = sizeof storage;
  if (::getpeername(descriptor, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return peer;
  char text[INET6_ADDRSTRLEN] = {};
  if (storage.ss_family == AF_INET)
    ::inet_ntop(AF_INET, &reinterpret_cast<sockaddr_in*>(&storage)->sin_addr, text, sizeof text);
  else
    ::inet_ntop(AF_INET6, &reinterpret_cast<sockaddr_in6*>(&storage)->sin6_addr, text, sizeof text);
  peer.address = text;
  if (peer.address.starts_with("::ffff:")) peer.address.erase(0, 7);
  return peer;
}

OpenFiles raised_limit() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return {};
  const rlim_t before = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  return {.soft = limit.rlim_cur, .hard = limit.rlim_max};
}

// An address that stands for all of them is nobody's name: pages could reach us by it.
bool is_any(std::string_view host) {
  return host.empty() || host == "0.0.0.0" || host == "::" || host == "[::]";
}

Response refusal(int status, std::string_view code, std::string_view message) {
  Response response = error_response(status, code, message, "try again in a moment");
  response.headers.emplace_back("Retry-After", "1");
  return response;
}

class WireServer;

class Acceptor : public Watched, public std::enable_shared_from_this<Acceptor> {
 public:
  Acceptor(WireServer& server, EventLoop& loop, Listening listening);
  void arm() {
    if (watch_ != nullptr) watch_->await_readable(shared_from_this());
  }
  void close() {
    watch_.reset();
    pause_.reset();
  }
  void on_readable() override;
  void on_writable() override {}

 private:
  WireServer& server_;
  EventLoop& loop_;
  int number_;
  bool local_;
  std::unique_ptr<Watch> watch_;
  std::unique_ptr<Timer> pause_;
};

class WireServer : public Server {
 public:
  explicit WireServer(ServerOptions options) : options_(std::move(options)) {}
  ~WireServer() override {
    end();
    // Whoever still holds an exchange finds nobody to post to.
    if (frontier_ != nullptr) frontier_->loop = nullptr;
  }

  Result<void> start();
  Loop& loop() override { return *loop_; }
  void set_handlers(Handlers handlers) override { frontier_->handlers = std::move(handlers); }
  std::string url() const override;
  std::uint16_t port() const override { return port_; }
  OpenFiles open_files() const override { return open_files_; }
  std::size_t connection_count() const override { return frontier_->connections.size(); }
  Result<void> reload_certificate() override;
  std::vector<certificates::Facts> certificates() const override { return chain_; }
  void run(std::function<void(int)> on_signal) override;
  void stop(std::int64_t grace_ms) override;

  // A connection that cannot be served is closed; the others go on.
  void take(os::Descriptor accepted, bool local) noexcept;

 private:
  Result<void> listen();
  Result<void> add(Listening listening);
  void serve(os::Descriptor accepted, bool local);
  std::optional<Response> refusal_for(const Peer& peer) const;
  // Those who are only being told so take nobody's place.
  bool is_full() const {
    return frontier_->connections.size() - frontier_->refused >= options_.limits.connections;
  }
  void tick();
  void end();

  ServerOptions options_;
  std::optional<LocalListening> local_;
  TlsContext tls_;
  std::vector<certificates::Facts> chain_;
  OpenFiles open_files_;
  std::uint16_t port_ = 0;
  std::unique_ptr<EventLoop> loop_;
  std::shared_ptr<Frontier> frontier_;
  std::vector<std::shared_ptr<Acceptor>> acceptors_;
  std::unique_ptr<Timer> ticking_;
  std::unique_ptr<Timer> grace_;
};

Acceptor::Acceptor(WireServer& server, EventLoop& loop, Listening listening)
    : server_(server),
      loop_(loop),
      number_(listening.descriptor.number()),
      local_(listening.local),
      watch_(loop.watch(std::move(listening.descriptor))) {}

void Acceptor::on_readable() {
  for (int turn = 0; turn < kAcceptsATurn && watch_ != nullptr; ++turn) {
    const int accepted = ::accept4(number_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (accepted >= 0) {
      server_.take(os::Descriptor(accepted), local_);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      break;
    } else if (errno != EINTR && errno != ECONNABORTED) {
      // Out of descriptors or memory: those who wait stay in the queue for a moment.
      pause_ = loop_.after(kAcceptPause, [this] { arm(); });
      return;
    }
  }
  arm();
}

Result<void> WireServer::start() {
  open_files_ = raised_limit();
  if (options_.limits.connections == 0) {
    const std::uint64_t least = kReserve / 4;
    options_.limits.connections = std::max(open_files_.soft, kReserve + least) - kReserve;
  }
  loop_ = EventLoop::make(options_.workers, options_.log, options_.clock);
  frontier_ = std::make_shared<Frontier>(*loop_, options_.limits);
  frontier_->log = options_.log;
  frontier_->own_hosts = options_.public_urls;
  if (!is_any(options_.host)) frontier_->own_hosts.push_back(options_.host);
  if (options_.certificate.empty() != options_.key.empty())
    return Fail({.code = "incomplete-tls",
                 .message = "TLS needs a certificate and its key",
                 .hint = "name both files, or neither",
                 .where = {}});
  if (const Result<void> loaded = reload_certificate(); !loaded) return loaded;
  return listen();
}

Result<void> WireServer::reload_certificate() {
  if (options_.certificate.empty()) return {};
  Result<TlsContext> loaded = tls_context(options_.certificate, options_.key);
  if (!loaded) return Fail(loaded.error());
  const Result<std::string> text = os::read_file(options_.certificate, kMostCertificate);
  if (!text) return Fail(text.error());
  Result<std::vector<certificates::Facts>> chain =
      certificates::facts_in(*text, options_.certificate);
  if (!chain) return Fail(std::move(chain).error());
  tls_ = std::move(*loaded);
  chain_ = std::move(*chain);
  return {};
}

// A socket from outside stands for the one of its kind.
Result<void> WireServer::listen() {
  bool has_local = options_.local_socket.empty(), has_address = options_.host.empty();
  if (options_.inherited >= 0) {
    Result<Listening> inherited = adopt(options_.inherited);
    if (!inherited) return Fail(inherited.error());
    (inherited->local ? has_local : has_address) = true;
    if (const Result<void> added = add(std::move(*inherited)); !added) return added;
  }
  if (!has_local) {
    Result<LocalListening> local = LocalListening::open(options_.local_socket);
    if (!local) return Fail(local.error());
    local_.emplace(std::move(*local));
    if (const Result<void> added = add(std::move(local_->listening())); !added) return added;
  }
  if (has_address) return {};
  Result<Listening> listening = listen_at(options_.host, options_.port);
  if (!listening) return Fail(listening.error());
  return add(std::move(*listening));
}

Result<void> WireServer::add(Listening listening) {
  if (!listening.loopback && tls_ == nullptr && !options_.insecure)
    return Fail({.code = "listen-insecure",
                 .message = "`" + listening.address + "` can be reached by others, without TLS",
                 .hint = "name a certificate under `settings.tls`, or listen on 127.0.0.1",
                 .where = {}});
  if (!listening.local) {
    port_ = listening.port;
    if (!is_any(listening.address)) frontier_->own_hosts.push_back(listening.address);
  }
  acceptors_.push_back(std::make_shared<Acceptor>(*this, *loop_, std::move(listening)));
  return {};
}

std::string WireServer::url() const {
  if (port_ == 0) return "";
  std::string host = is_any(options_.host) ? "127.0.0.1" : options_.host;
  if (host.find(':') != host.npos && !host.starts_with('[')) host = "[" + host + "]";
  return (tls_ == nullptr ? "http://" : "https://") + host + ":" + std::to_string(port_);
}

void WireServer::take(os::Descriptor accepted, bool local) noexcept {
  try {
    serve(std::move(accepted), local);
  } catch (const std::exception& error) {
    frontier_->say("a connection could not be taken: " + std::string(error.what()));
  }
}

void WireServer::serve(os::Descriptor accepted, bool local) {
  if (is_full() && frontier_->refused >= kMostRefused) return;
  const int number = accepted.number();
  const int on = 1;
  if (!local) ::setsockopt(number, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (!local) ::setsockopt(number, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  const bool tls = tls_ != nullptr && !local;
  TlsState state = tls ? tls_state(tls_.get(), number) : nullptr;
  if (tls && state == nullptr) return;
  Peer peer = peer_of(number, local, tls);
  std::optional<Response> refused = refusal_for(peer);
  const auto connection =
      std::make_shared<Connection>(frontier_, loop_->watch(std::move(accepted)),
                                   Wire(number, std::move(state)), std::move(peer));
  connection->start(std::move(refused));
}

std::optional<Response> WireServer::refusal_for(const Peer& peer) const {
  if (is_full())
    return refusal(503, "server-busy", "the daemon has as many connections as it can hold");
  const std::size_t most = options_.limits.connections_of_peer;
  if (most == 0) return {};
  const auto found = frontier_->of_peer.find(peer.name());
  if (found == frontier_->of_peer.end() || found->second < most) return {};
  return refusal(429, "too-many-requests", "there are too many connections from this address");
}

// One look at all deadlines costs less than a timer for each.
void WireServer::tick() {
  const ServerLimits& limits = options_.limits;
  const std::int64_t least =
      std::min({limits.header_ms, limits.body_ms, limits.idle_ms, limits.ping_ms});
  ticking_ = loop_->after(std::clamp<std::int64_t>(least / 4, 10, 1'000), [this] { tick(); });
  const std::int64_t now = os::now_monotonic();
  for (auto at = frontier_->connections.begin(); at != frontier_->connections.end();) {
    const std::shared_ptr<Connection> connection = (*at++)->shared_from_this();
    connection->tick(now);
  }
}

void WireServer::run(std::function<void(int)> on_signal) {
  ::signal(SIGPIPE, SIG_IGN);  // TLS writes without a word about it
  if (on_signal) loop_->hear_signals(std::move(on_signal));
  for (const auto& acceptor : acceptors_) acceptor->arm();
  tick();
  loop_->run();
  end();
}

void WireServer::stop(std::int64_t grace_ms) {
  if (frontier_->stopping) return;
  frontier_->stopping = true;
  for (const auto& acceptor : acceptors_) acceptor->close();
  for (auto at = frontier_->connections.begin(); at != frontier_->connections.end();) {
    const std::shared_ptr<Connection> connection = (*at++)->shared_from_this();
    connection->stop();
  }
  // From here on the last connection that goes ends the loop.
  frontier_->closed = [this] {
    if (frontier_->connections.empty()) loop_->quit();
  };
  grace_ = loop_->after(grace_ms, [this] { loop_->quit(); });
  frontier_->closed();
}

void WireServer::end() {
  if (frontier_ == nullptr) return;
  frontier_->closed = nullptr;
  ticking_.reset();
  grace_.reset();
  for (const auto& acceptor : acceptors_) acceptor->close();
  while (!frontier_->connections.empty()) {
    const std::shared_ptr<Connection> connection =
        frontier_->connections.front()->shared_from_this();
    connection->close();
  }
  frontier_->handlers = {};
}

}  // namespace

Result<std::unique_ptr<Server>> Server::open(ServerOptions options) {
  try {
    auto server = std::make_unique<WireServer>(std::move(options));
    if (const Result<void> started = server->start(); !started) return Fail(started.error());
    return server;
  } catch (const std::exception& error) {
    return Fail({.code = "listen-failed",
                 .message = "the daemon cannot listen: " + std::string(error.what()),
                 .hint = "check the limits on open files and threads",
                 .where = {}});
  }
}

}  // namespace tollgate::server
