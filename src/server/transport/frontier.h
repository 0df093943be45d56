// What the connections of one server share: limits, handlers, the loop, a buffer to read into.
// Connections keep it alive, all on the loop's thread; only an open one may use more than post().
// INVARIANT: `loop` is there as long as a connection is open.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "server/exchange.h"
#include "server/listener.h"
#include "server/transport/event_loop.h"
#include "server/transport/rates.h"

namespace tollgate::server {

class Connection;

struct Frontier {
  Frontier(EventLoop& event_loop, const ServerLimits& given)
      : loop(&event_loop), limits(given), rates(given.requests_per_second, given.burst) {}

  // Dropped where the server is gone already.
  void post(std::function<void()> work) const {
    if (loop != nullptr && work) loop->post(std::move(work));
  }
  void say(const std::string& words) const {
    if (log) log(words);
  }

  EventLoop* loop;
  ServerLimits limits;
  Rates rates;
  Handlers handlers;
  std::vector<std::string> own_hosts;
  EventLoop::Log log;
  bool stopping = false;
  std::function<void()> closed;  // a connection has gone

  std::list<Connection*> connections;
  std::size_t refused = 0;  // of those, the ones that came above the limit
  std::unordered_map<std::string, std::size_t> of_peer;
  std::vector<char> scratch = std::vector<char>(64u << 10);
};

}  // namespace tollgate::server
