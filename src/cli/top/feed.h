// The daemon as the dashboard hears it: what happens by itself, and replies to requests.
// Two threads of its own, one that listens on the web socket and one that asks; whoever holds the
// feed takes events out on its own thread when the descriptor becomes readable.
// A line that breaks is told and opened again, and what was missed is asked for by number.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cli/gate_client.h"
#include "cli/top/model.h"
#include "os/descriptor.h"

namespace tollgate::cli::top {

// Which events of the daemon's run have been heard.
class Place {
 public:
  // "" at the first time, else the query that asks for what came since.
  std::string query() const;
  enum class Next { kTake, kSkip, kStartAnew };
  Next take(const json::Value& message);
  void forget() { *this = {}; }

 private:
  std::string run_;
  long long number_ = -1;
};

class Feed {
 public:
  // REQUIRES: the client has its credential, and outlives this.
  explicit Feed(GateClient& client);
  ~Feed();
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  void ask(Request request);
  std::vector<Event> take();
  int descriptor() const { return wake_.number(); }

 private:
  void run_requests();
  void run_socket();
  bool listen(Place& place);  // until the line breaks; whether it ever stood
  void push(Event event);
  bool pause(std::int64_t milliseconds);  // false where it is over
  bool is_over();

  GateClient& client_;
  os::Descriptor wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Request> requests_;  // GUARDED_BY(mutex_)
  std::vector<Event> events_;     // GUARDED_BY(mutex_)
  bool over_ = false;             // GUARDED_BY(mutex_)
  std::thread asking_;
  std::thread listening_;
};

}  // namespace tollgate::cli::top
