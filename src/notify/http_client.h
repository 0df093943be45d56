// Sends requests to targets over HTTP/1.1 and TLS, on a thread of its own.
// Boost.Asio and Beast stay behind this header, in one file: they are slow to compile.
// SAFETY: certificates and names are checked, redirects are not followed, plain http goes to this
// machine only unless the configuration says otherwise, and every request has an end.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "notify/messages.h"

namespace tollgate::notify {

// LIMIT: one request, from looking up the name to the head of the answer.
inline constexpr Millis kRequestTime = 10'000;

struct HttpReply {
  int status = 0;       // 0: there was no answer, and `why` says so
  Millis retry_ms = 0;  // what `Retry-After` asks for
  std::string why;
};

struct HttpWay {
  std::string ca_file;  // trusted beside the system's own
  bool plain = false;   // http to other machines is wanted
};

class HttpClient {
 public:
  explicit HttpClient(Millis request_time = kRequestTime);
  ~HttpClient();  // what is under way is left

  // `make` runs on the client's thread, and so does `done`, once.
  void send(std::function<Result<HttpMessage>()> make, HttpWay way,
            std::function<void(Result<HttpReply>)> done);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace tollgate::notify
