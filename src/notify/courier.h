// Brings notices to their targets: at once or when nobody has seen the question, again when it
// fails, and never more often than people can bear.
// One thread at a time: the daemon's own. A Sender does what takes time elsewhere; time comes in as
// an argument.
// INVARIANT: nothing here waits, and no bound of a target holds for another: a dead or slow one
// delays neither the others nor any answer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "notify/messages.h"
#include "notify/notice.h"
#include "notify/target.h"

namespace tollgate::notify {

// LIMIT: notices that wait, over all questions; more are refused and say so.
inline constexpr std::size_t kMostWaiting = 8'192;
// LIMIT: how often one is tried, and how long is waited between; then the target counts as dead for
// this question.
inline constexpr Millis kBackOff[] = {1'000, 4'000, 15'000, 60'000, 240'000};
// LIMIT: what a target may ask us to wait.
inline constexpr Millis kLongestWait = 600'000;
// LIMIT: at once to one target, and to all of them.
inline constexpr int kMostToOne = 2;
inline constexpr int kMostToAll = 16;
// LIMIT: notices to one place that people read: so many at once, then one every so often; what
// comes meanwhile is told by one notice.
inline constexpr int kBurst = 10;
inline constexpr Millis kPace = 5'000;

enum class ReceiptState : std::uint8_t {
  kWaiting,    // for its time, or for the next try
  kSending,    // handed over
  kDelivered,  // the target took it
  kFailed,     // it did not, and will not be tried again
  kUnneeded,   // somebody saw the question, or it ended
};
inline constexpr std::string_view kReceiptStates[] = {"waiting", "sending", "delivered", "failed",
                                                      "unneeded"};

struct Receipt {
  std::string target;  // its name
  std::string device;  // of push: which one
  ReceiptState state = ReceiptState::kWaiting;
  int tries = 0;
  Millis at = 0;   // of the last change
  Millis due = 0;  // of one that waits
  std::string why;

  bool operator==(const Receipt&) const = default;
};

// One target of a notice.
struct Stop {
  std::shared_ptr<const Target> target;
  std::string device;  // of push, with its subscription
  Subscription subscription;
  Millis after = 0;  // only where nobody has seen the question for so long
};

struct Outcome {
  enum class Kind : std::uint8_t {
    kDelivered,
    kAgain,    // it may work later
    kRefused,  // it never will
    kGone,     // the subscription has ended
  } kind = Kind::kAgain;
  Millis wait = 0;  // of kAgain: what the target asks for
  std::string why;

  bool operator==(const Outcome&) const = default;
};

// Sends on threads of its own. The real one is outlet.h; tests have one in memory.
class Sender {
 public:
  virtual ~Sender() = default;
  // `done` is called once, on any thread, within the sender's own time limit.
  virtual void send(Order order, std::function<void(Outcome)> done) = 0;
  // The question has ended: what can be taken back is.
  virtual void recall(const std::string& question) = 0;
};

struct CourierOptions {
  // Called before a notice is handed over: adds a ticket where the configuration wants one.
  std::function<void(Order&)> prepare = {};
  // A subscription that has ended.
  std::function<void(const Subscription&)> gone = {};
  // Receipts of the question have changed.
  std::function<void(const std::string& question)> changed = {};
};

class Courier {
 public:
  using Post = std::function<void(std::function<void()>)>;

  Courier(Sender& sender, Post post, CourierOptions options);

  // A question was put. `known` are receipts from before a restart: what was delivered is not sent
  // again.
  void announce(Notice notice, const std::vector<Stop>& stops, Millis now,
                const std::vector<Receipt>& known = {});
  // Somebody looked at it: what still waits is not needed, unless several must answer.
  void seen(const std::string& question, Millis now);
  void ended(const std::string& question);

  void tick(Millis now);

  std::vector<Receipt> receipts(const std::string& question) const;
  std::size_t waiting() const;

 private:
  struct Inside;
  std::shared_ptr<Inside> inside_;  // the sender may outlive the courier
};

}  // namespace tollgate::notify
