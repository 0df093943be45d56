#include "notify/http_client.h"

#include <netdb.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <charconv>
#include <map>
#include <mutex>
#include <thread>

#include "base/host.h"
#include "notify/web_address.h"

namespace tollgate::notify {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace ssl = boost::asio::ssl;
using tcp = asio::ip::tcp;
using asio::use_awaitable;
using Request = http::request<http::string_body>;

constexpr std::size_t kMostHead = 16u << 10;  // LIMIT: of an answer; its body is not read
// LIMIT: names that are being looked up. A dead name service blocks those, and nothing else.
constexpr int kMostLookups = 8;

// Looking a name up may block for long and cannot be stopped: a thread that nobody waits for does
// it, and says what it found if anybody is still there.
struct Lookup {
  std::mutex mutex;
  asio::steady_timer* heard = nullptr;   // GUARDED_BY(mutex); nothing once nobody waits
  std::vector<asio::ip::address> found;  // GUARDED_BY(mutex)
};

std::atomic<int> lookups = 0;

void look_up(const std::string& host, const std::shared_ptr<Lookup>& lookup) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* list = nullptr;
  std::vector<asio::ip::address> found;
  if (::getaddrinfo(host.c_str(), nullptr, &hints, &list) == 0)
    for (const addrinfo* each = list; each != nullptr; each = each->ai_next) {
      tcp::endpoint endpoint;
      if (each->ai_addrlen > endpoint.capacity()) continue;
      std::copy_n(reinterpret_cast<const char*>(each->ai_addr), each->ai_addrlen,
                  reinterpret_cast<char*>(endpoint.data()));
      endpoint.resize(each->ai_addrlen);
      found.push_back(endpoint.address());
    }
  if (list != nullptr) ::freeaddrinfo(list);
  --lookups;
  const std::lock_guard lock(lookup->mutex);
  lookup->found = std::move(found);
  if (lookup->heard == nullptr) return;
  // The timer belongs to the loop's thread; only a post may come from here.
  asio::post(lookup->heard->get_executor(), [lookup] {
    const std::lock_guard here(lookup->mutex);
    if (lookup->heard != nullptr) lookup->heard->cancel();
  });
}

asio::awaitable<std::vector<asio::ip::address>> addresses_of(std::string host, Millis time) {
  if (host == "localhost")
    co_return std::vector<asio::ip::address>{asio::ip::address_v4::loopback(),
                                             asio::ip::address_v6::loopback()};
  if (is_address(host)) co_return std::vector{asio::ip::make_address(host)};
  if (++lookups > kMostLookups) {
    --lookups;
    throw std::runtime_error("too many names are being looked up");
  }
  asio::steady_timer timer(co_await asio::this_coro::executor);
  timer.expires_after(std::chrono::milliseconds(time));
  const auto lookup = std::make_shared<Lookup>();
  lookup->heard = &timer;
  // Whatever ends this ends the waiting.
  struct Leave {
    std::shared_ptr<Lookup> lookup;
    ~Leave() {
      const std::lock_guard lock(lookup->mutex);
      lookup->heard = nullptr;
    }
  } leave{lookup};
  std::thread([host, lookup] { look_up(host, lookup); }).detach();
  boost::system::error_code cancelled;
  co_await timer.async_wait(asio::redirect_error(use_awaitable, cancelled));
  const std::lock_guard lock(lookup->mutex);
  if (lookup->found.empty()) throw std::runtime_error("the name `" + host + "` is not known");
  co_return lookup->found;
}

Millis retry_after(std::string_view text) {
  Millis seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size()) return 0;
  return std::clamp<Millis>(seconds, 0, 86'400) * 1000;
}

Request request_of(const HttpMessage& message, const WebAddress& address) {
  Request request(http::verb::post, address.target, 11);
  request.set(http::field::host, address.host_header());
  request.set(http::field::user_agent, "tollgate");
  request.set(http::field::connection, "close");
  for (const auto& [name, value] : message.headers) request.set(name, value);
  request.body() = message.body;
  request.prepare_payload();
  return request;
}

template <class Stream>
asio::awaitable<HttpReply> speak(Stream& stream, const Request& request) {
  co_await http::async_write(stream, request, use_awaitable);
  beast::flat_buffer buffer;
  http::response_parser<http::empty_body> parser;
  parser.header_limit(kMostHead);
  parser.skip(true);  // the status is all that counts
  co_await http::async_read_header(stream, buffer, parser, use_awaitable);
  HttpReply reply;
  reply.status = static_cast<int>(parser.get().result_int());
  reply.retry_ms = retry_after(parser.get()[http::field::retry_after]);
  co_return reply;
}

asio::awaitable<HttpReply> exchange(HttpMessage message, WebAddress address,
                                    std::shared_ptr<ssl::context> context, Millis time) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(time);
  std::vector<tcp::endpoint> endpoints;
  for (const asio::ip::address& each : co_await addresses_of(address.host, time))
    endpoints.emplace_back(each, address.port);
  const Request request = request_of(message, address);
  beast::tcp_stream plain(co_await asio::this_coro::executor);
  plain.expires_at(deadline);
  co_await plain.async_connect(endpoints, use_awaitable);
  if (!address.tls) co_return co_await speak(plain, request);
  beast::ssl_stream<beast::tcp_stream> stream(std::move(plain), *context);
  stream.set_verify_mode(ssl::verify_peer);
  stream.set_verify_callback(ssl::host_name_verification(address.host));
  if (!is_address(address.host))
    ::SSL_set_tlsext_host_name(stream.native_handle(), address.host.c_str());
  co_await stream.async_handshake(ssl::stream_base::client, use_awaitable);
  co_return co_await speak(stream, request);
}

Result<std::shared_ptr<ssl::context>> context_of(const std::string& ca_file) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_client);
  boost::system::error_code failure;
  // Each says by `failure` how it went; what it returns is that again.
  static_cast<void>(context->set_options(ssl::context::default_workarounds |
                                             ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1 |
                                             ssl::context::no_compression,
                                         failure));
  if (!failure) static_cast<void>(context->set_default_verify_paths(failure));
  if (!failure && !ca_file.empty()) static_cast<void>(context->load_verify_file(ca_file, failure));
  if (!failure) return context;
  return Fail({.code = "notify-failed",
               .message = "the certificates in `" + ca_file + "` cannot be used",
               .hint = "`caFile` is a PEM file with the authority's certificate",
               .where = {}});
}

Error not_sent(std::string message, std::string hint) {
  return {
      .code = "notify-failed", .message = std::move(message), .hint = std::move(hint), .where = {}};
}

}  // namespace

struct HttpClient::Inside {
  explicit Inside(Millis time) : request_time(time), thread([this] { context.run(); }) {}

  void start(const HttpMessage& message, const HttpWay& way,
             const std::function<void(Result<HttpReply>)>& done);

  Millis request_time;
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> busy = asio::make_work_guard(context);
  std::map<std::string, std::shared_ptr<ssl::context>> contexts;  // by the file of authorities
  std::thread thread;
};

void HttpClient::Inside::start(const HttpMessage& message, const HttpWay& way,
                               const std::function<void(Result<HttpReply>)>& done) {
  const std::optional<WebAddress> address = web_address(message.url);
  if (!address) return done(Fail(not_sent("the address is none of http or https", "mend `url`")));
  if (!address->tls && !address->is_loopback() && !way.plain)
    return done(Fail(not_sent("the address is plain http to another machine",
                              "use https, or say `allowHttp: true`")));
  std::shared_ptr<ssl::context>& kept = contexts[way.ca_file];
  if (kept == nullptr) {
    Result<std::shared_ptr<ssl::context>> made = context_of(way.ca_file);
    if (!made) return done(Fail(std::move(made).error()));
    kept = std::move(*made);
  }
  asio::co_spawn(context, exchange(message, *address, kept, request_time),
                 [done](const std::exception_ptr& failure, HttpReply reply) {
                   if (failure == nullptr) return done(std::move(reply));
                   HttpReply none;
                   try {
                     std::rethrow_exception(failure);
                   } catch (const boost::system::system_error& error) {
                     none.why = error.code() == beast::error::timeout ? "it did not answer in time"
                                                                      : error.code().message();
                   } catch (const std::exception& error) {
                     none.why = error.what();
                   } catch (...) {
                     none.why = "something unknown";
                   }
                   done(std::move(none));
                 });
}

HttpClient::HttpClient(Millis request_time) : inside_(std::make_unique<Inside>(request_time)) {}

HttpClient::~HttpClient() {
  inside_->context.stop();
  inside_->thread.join();
}

void HttpClient::send(std::function<Result<HttpMessage>()> make, HttpWay way,
                      std::function<void(Result<HttpReply>)> done) {
  asio::post(inside_->context, [inside = inside_.get(), make = std::move(make),
                                way = std::move(way), done = std::move(done)] {
    Result<HttpMessage> message = make();
    if (!message) return done(Fail(std::move(message).error()));
    inside->start(*message, way, done);
  });
}

}  // namespace tollgate::notify
