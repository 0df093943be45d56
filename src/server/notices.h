// Telling people of questions: which target gets which, what became of it, and who may answer by
// it. On the daemon's own thread. It hears of questions after they are on the disk, and hands
// notices to a courier whose sender has threads of its own. SAFETY: nothing here is on the way of a
// decision or an answer; a target that is dead, slow or wrong costs a receipt that says so.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "approvals/desk.h"
#include "approvals/people.h"
#include "config/notify.h"
#include "notify/courier.h"
#include "server/answer_tickets.h"
#include "server/loop.h"
#include "server/push_shelf.h"
#include "server/slack_places.h"

namespace tollgate::server {

// A target and what it is for.
struct NoticeRoute {
  std::shared_ptr<const notify::Target> target;
  config::NotifyEntry entry;
};

// Reads the secrets that lie in files: on the pool, or before the daemon runs.
std::vector<NoticeRoute> notice_routes(const config::Settings& settings);

// Whether the target wants to hear of the question.
bool is_for(const config::NotifyEntry& entry, const store::Question& question);

struct NoticeParts {
  Loop& loop;
  store::Store& store;
  approvals::Desk& desk;
  approvals::People& people;
  notify::Sender& sender;
  std::string push_key;  // the public one; "" where there is none
};

class Notices {
 public:
  explicit Notices(NoticeParts parts);

  // `base` is the address of the page as people reach it.
  void configure(std::vector<NoticeRoute> routes, std::string base);
  // After the desk was restored: what was not delivered goes on.
  void restore(const std::vector<std::pair<std::string, std::string>>& settings);
  void question_changed(approvals::Notice notice, const store::Question& question);
  void tick(Millis now);

  std::vector<notify::Receipt> receipts(const std::string& question) const {
    return courier_.receipts(question);
  }
  // [{name, type, state: ready | unusable, why?, delivered, failed, last?}].
  json::Value targets_value() const;
  // Sends a notice that says it is one for trying; `done` hears what became of it. Error:
  // unknown-target.
  void try_target(const std::string& name, const std::function<void(Result<json::Value>)>& done);

  // Says in a message of Slack what became of a press, where Slack has named a place for it. Sent
  // once; what fails costs the message its word and nothing else.
  void reply_to_slack(const NoticeRoute& route, notify::Notice notice, notify::SlackReply reply);

  const NoticeRoute* route(const std::string& name) const;
  const NoticeRoute* route_of(notify::Kind kind) const;  // the first of its kind
  const std::string& push_key() const& { return parts_.push_key; }
  const std::string& base() const& { return base_; }
  PushShelf& shelf() { return shelf_; }
  AnswerTickets& tickets() { return tickets_; }
  SlackPlaces& slack_places() { return slack_places_; }

 private:
  struct Tally {
    std::uint64_t delivered = 0;
    std::uint64_t failed = 0;
    std::string why;  // of the last failure
    Millis at = 0;    // of the last end
  };

  void announce(const store::Question& question, const std::vector<notify::Receipt>& known);
  void add_stops(const NoticeRoute& route, std::vector<notify::Stop>& stops);
  void prepare(notify::Order& order);
  void changed(const std::string& question);
  void write_receipts();
  void put_receipts(const std::string& question, std::vector<store::Change>& batch);
  void forget(const std::string& question);
  void tell_slack(const store::Question& question);

  NoticeParts parts_;
  std::vector<NoticeRoute> routes_;
  std::string base_;
  PushShelf shelf_;
  AnswerTickets tickets_;
  SlackPlaces slack_places_;
  std::set<std::string> dirty_;    // questions whose receipts are to be written
  std::set<std::string> on_disk_;  // questions whose receipts are in the store
  // Receipts as they were last told to the audit, by question, target and device.
  std::map<std::string, std::vector<notify::Receipt>> told_;
  std::map<std::string, Tally> tallies_;
  notify::Courier courier_;
};

}  // namespace tollgate::server
