#include "cli/top/feed.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "json/json.h"
#include "os/clock.h"
#include "server/socket_client.h"

namespace tollgate::cli::top {
namespace {

constexpr std::int64_t kFirstPause = 300, kLongestPause = 5'000;
constexpr std::int64_t kSlice = 250;       // how long a wait may delay the end
constexpr std::int64_t kSilence = 90'000;  // the daemon pings every 30 seconds

long long number_in(const json::Value& value) {
  const std::string& text = member_of(value, "seq").number_text();
  if (text.empty() || text.size() > 15 || text.find_first_not_of("0123456789") != text.npos)
    return -1;
  return std::stoll(text);
}

}  // namespace

std::string Place::query() const {
  if (run_.empty() || number_ < 0) return "";
  return "&since=" + std::to_string(number_) + "&run=" + escaped(run_);
}

Place::Next Place::take(const json::Value& message) {
  const std::string& channel = text_of(message, "channel");
  const json::Value& data = member_of(message, "data");
  if (channel == "permission" && text_of(message, "event") == "all") {
    run_ = text_of(data, "run");
    number_ = number_in(data);
    return Next::kTake;
  }
  const long long number = number_in(message);
  if (channel == "gate" || number < 0) return Next::kTake;
  if (text_of(message, "run") != run_) return Next::kStartAnew;
  if (number <= number_) return Next::kSkip;
  if (number_ >= 0 && number != number_ + 1) return Next::kStartAnew;
  number_ = number;
  return Next::kTake;
}

Feed::Feed(GateClient& client) : client_(client), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  asking_ = std::thread([this] { run_requests(); });
  listening_ = std::thread([this] { run_socket(); });
}

Feed::~Feed() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  asking_.join();
  listening_.join();
}

void Feed::ask(Request request) {
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
  }
  changed_.notify_all();
}

std::vector<Event> Feed::take() {
  std::uint64_t count = 0;
  static_cast<void>(::read(wake_.number(), &count, sizeof count));
  const std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

void Feed::push(Event event) {
  {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
  }
  const std::uint64_t one = 1;
  static_cast<void>(::write(wake_.number(), &one, sizeof one));
}

bool Feed::is_over() {
  const std::lock_guard lock(mutex_);
  return over_;
}

bool Feed::pause(std::int64_t milliseconds) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), [this] { return over_; });
  return !over_;
}

void Feed::run_requests() {
  for (;;) {
    Request request;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return over_ || !requests_.empty(); });
      if (over_) return;
      request = std::move(requests_.front());
      requests_.pop_front();
    }
    Result<json::Value> said = client_.call(request.method, request.target, request.body);
    push(Replied{std::move(request), std::move(said)});
  }
}

void Feed::run_socket() {
  Place place;
  std::int64_t wait = kFirstPause;
  do {
    if (listen(place)) wait = kFirstPause;
    wait = std::min(wait * 2, kLongestPause);
  } while (pause(wait / 2));
}

bool Feed::listen(Place& place) {
  const Result<server::ClientRequest> request =
      client_.request("GET", "/ws?view=brief" + place.query());
  Result<server::SocketClient> socket =
      request ? server::SocketClient::open(*request) : Fail(request.error());
  if (!socket) {
    push(Lost{socket.error().message});
    return false;
  }
  std::int64_t heard = os::now_monotonic();
  while (!is_over()) {
    const Result<std::optional<std::string>> text = socket->next(kSlice);
    if (!text && text.error().code == "socket-timeout") {
      if (os::now_monotonic() - heard < kSilence) continue;
      push(Lost{"the daemon says nothing any more"});
      return true;
    }
    if (!text || !*text) {
      push(Lost{text ? "the daemon has closed the line" : text.error().message});
      return true;
    }
    heard = os::now_monotonic();
    Result<json::Value> message = json::parse(**text, {.max_bytes = 64u << 20, .max_depth = 96});
    if (!message) continue;
    const Place::Next next = place.take(*message);
    if (next == Place::Next::kTake) push(Heard{std::move(*message)});
    if (next != Place::Next::kStartAnew) continue;
    place.forget();
    return true;
  }
  return true;
}

}  // namespace tollgate::cli::top
