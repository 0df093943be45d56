// Deliveries stand in a queue by their time; those whose time has come stand in the lane of their
// target until it is their turn.
#include "notify/courier.h"

#include <algorithm>
#include <deque>
#include <map>

namespace tollgate::notify {
namespace {

constexpr int kTries = static_cast<int>(std::size(kBackOff)) + 1;

struct Delivery {
  Stop stop;
  Receipt receipt;
};

struct Round {
  Notice notice;
  std::vector<Delivery> deliveries;
};

struct Place {
  std::string question;
  std::size_t index = 0;
};

// What goes to one target, or to one device of it.
struct Lane {
  double tokens = kBurst;
  Millis refilled = 0;
  int under_way = 0;
  std::deque<Place> waiting;
};

std::string lane_of(const Stop& stop) {
  return stop.target->name + "/" + stop.subscription.endpoint;
}

// A machine takes every notice; people are told of several by one.
bool is_paced(const Stop& stop) { return stop.target->kind != Kind::kWebhook; }

std::string delivery_of(const Round& round, const Stop& stop) {
  return round.notice.question + "-" + stop.target->name;
}

Notice summary_of(const Notice& oldest, std::size_t count) {
  Notice out = oldest;
  out.question.clear();
  out.title = std::to_string(count) + " questions wait";
  out.text = "The oldest: " + oldest.title + ".";
  const std::size_t fragment = out.link.find("/#/");
  if (fragment != out.link.npos) out.link = out.link.substr(0, fragment) + "/#/questions";
  return out;
}

}  // namespace

struct Courier::Inside : std::enable_shared_from_this<Courier::Inside> {
  Inside(Sender& sender_in, Post post_in, CourierOptions options_in)
      : sender(sender_in), post(std::move(post_in)), options(std::move(options_in)) {}

  Sender& sender;
  Post post;
  CourierOptions options;
  std::map<std::string, Round> rounds;  // by question
  std::multimap<Millis, Place> queue;   // by the time they are due
  std::map<std::string, Lane> lanes;
  int under_way = 0;
  Millis now = 0;

  // While there is nothing, whoever says an earlier moment is believed: the time of day was set.
  void see(Millis moment) { now = rounds.empty() ? moment : std::max(now, moment); }
  Delivery* find(const Place& place);
  void wait(const Place& place, Delivery& delivery, Millis due);
  void set(const Place& place, Delivery& delivery, ReceiptState state, std::string why);
  void pump();
  void run(const std::string& name, Lane& lane);
  void hand_over(const std::string& name, Lane& lane, std::vector<Place> places);
  void heard(const std::string& name, const std::vector<Place>& places,
             const Subscription& subscription, const Outcome& outcome);
  void settle(const Place& place, Delivery& delivery, const Outcome& outcome);
  void hasten(const std::string& question);
  void told(const std::string& question) const {
    if (options.changed) options.changed(question);
  }
};

Delivery* Courier::Inside::find(const Place& place) {
  const auto found = rounds.find(place.question);
  if (found == rounds.end() || place.index >= found->second.deliveries.size()) return nullptr;
  return &found->second.deliveries[place.index];
}

void Courier::Inside::wait(const Place& place, Delivery& delivery, Millis due) {
  delivery.receipt.due = due;
  queue.emplace(due, place);
  set(place, delivery, ReceiptState::kWaiting, std::move(delivery.receipt.why));
}

void Courier::Inside::set(const Place& place, Delivery& delivery, ReceiptState state,
                          std::string why) {
  delivery.receipt.state = state;
  delivery.receipt.at = now;
  delivery.receipt.why = std::move(why);
  if (state != ReceiptState::kWaiting) delivery.receipt.due = 0;
  told(place.question);
}

// Whose time has come goes into its lane, and every lane goes as far as it may.
void Courier::Inside::pump() {
  while (!queue.empty() && queue.begin()->first <= now) {
    const auto next = queue.extract(queue.begin());
    const Place& place = next.mapped();
    const Delivery* delivery = find(place);
    // One that was hastened, or is no longer needed, stands here too.
    if (delivery == nullptr || delivery->receipt.state != ReceiptState::kWaiting ||
        delivery->receipt.due != next.key())
      continue;
    lanes[lane_of(delivery->stop)].waiting.push_back(place);
  }
  for (auto& [name, lane] : lanes) run(name, lane);
  std::erase_if(lanes, [&](const auto& each) {
    return each.second.waiting.empty() && each.second.under_way == 0 &&
           each.second.refilled + kBurst * kPace < now;
  });
}

void Courier::Inside::run(const std::string& name, Lane& lane) {
  if (lane.refilled == 0 || lane.refilled > now) lane.refilled = now;
  lane.tokens = std::min<double>(
      kBurst, lane.tokens + static_cast<double>(now - lane.refilled) / static_cast<double>(kPace));
  lane.refilled = now;
  while (!lane.waiting.empty() && lane.under_way < kMostToOne && under_way < kMostToAll) {
    std::vector<Place> places = {lane.waiting.front()};
    const Delivery* first = find(places[0]);
    if (first == nullptr || first->receipt.state != ReceiptState::kWaiting) {
      lane.waiting.pop_front();
      continue;
    }
    const bool paced = is_paced(first->stop);
    if (paced && lane.tokens < 1) return;
    lane.waiting.pop_front();
    // It was held back, and others came: one notice is for all of them.
    if (paced && lane.tokens < 2) {
      for (const Place& place : lane.waiting)
        if (const Delivery* other = find(place);
            other != nullptr && other->receipt.state == ReceiptState::kWaiting)
          places.push_back(place);
      lane.waiting.clear();
    }
    if (paced) lane.tokens -= 1;
    hand_over(name, lane, std::move(places));
  }
}

void Courier::Inside::hand_over(const std::string& name, Lane& lane, std::vector<Place> places) {
  const Round& round = rounds.at(places[0].question);
  const Stop stop = round.deliveries[places[0].index].stop;
  Order order{.target = *stop.target,
              .subscription = stop.subscription,
              .notice = places.size() == 1 ? round.notice : summary_of(round.notice, places.size()),
              .ticket = {},
              .delivery = delivery_of(round, stop),
              .now = now};
  if (options.prepare && places.size() == 1) options.prepare(order);
  for (const Place& place : places) {
    Delivery& delivery = *find(place);
    ++delivery.receipt.tries;
    set(place, delivery, ReceiptState::kSending, "");
  }
  ++lane.under_way;
  ++under_way;
  sender.send(std::move(order),
              [weak = weak_from_this(), post = post, name, places = std::move(places),
               subscription = stop.subscription](Outcome outcome) {
                post([weak, name, places, subscription, outcome = std::move(outcome)] {
                  if (const auto self = weak.lock())
                    self->heard(name, places, subscription, outcome);
                });
              });
}

void Courier::Inside::heard(const std::string& name, const std::vector<Place>& places,
                            const Subscription& subscription, const Outcome& outcome) {
  --under_way;
  if (const auto lane = lanes.find(name); lane != lanes.end()) --lane->second.under_way;
  for (const Place& place : places)
    if (Delivery* delivery = find(place);
        delivery != nullptr && delivery->receipt.state == ReceiptState::kSending)
      settle(place, *delivery, outcome);
  if (outcome.kind == Outcome::Kind::kGone && options.gone) options.gone(subscription);
  pump();
}

void Courier::Inside::settle(const Place& place, Delivery& delivery, const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::kDelivered)
    return set(place, delivery, ReceiptState::kDelivered, "");
  const int tries = delivery.receipt.tries;
  if (outcome.kind == Outcome::Kind::kAgain && tries < kTries) {
    delivery.receipt.why = outcome.why;
    const Millis pause = kBackOff[static_cast<std::size_t>(tries - 1)];
    return wait(place, delivery, now + std::max(pause, std::min(outcome.wait, kLongestWait)));
  }
  set(place, delivery, ReceiptState::kFailed, outcome.why);
  hasten(place.question);
}

// The first channel is dead: the second one does not wait for its time.
void Courier::Inside::hasten(const std::string& question) {
  Round& round = rounds.at(question);
  const bool reached = std::ranges::any_of(round.deliveries, [](const Delivery& each) {
    return each.receipt.state == ReceiptState::kDelivered ||
           each.receipt.state == ReceiptState::kSending;
  });
  if (reached) return;
  for (std::size_t i = 0; i < round.deliveries.size(); ++i) {
    Delivery& each = round.deliveries[i];
    if (each.receipt.state != ReceiptState::kWaiting || each.receipt.tries > 0) continue;
    if (each.receipt.due > now) wait({question, i}, each, now);
  }
}

Courier::Courier(Sender& sender, Post post, CourierOptions options)
    : inside_(std::make_shared<Inside>(sender, std::move(post), std::move(options))) {}

void Courier::announce(Notice notice, const std::vector<Stop>& stops, Millis now,
                       const std::vector<Receipt>& known) {
  inside_->see(now);
  const std::string id = notice.question;
  const Millis created = notice.created;
  if (stops.empty() || inside_->rounds.contains(id)) return;
  Round& round = inside_->rounds[id];
  round.notice = std::move(notice);
  round.deliveries.reserve(stops.size());
  for (const Stop& stop : stops) {
    round.deliveries.push_back({stop, {.target = stop.target->name, .device = stop.device}});
    Delivery& delivery = round.deliveries.back();
    const Place place{id, round.deliveries.size() - 1};
    const auto before = std::ranges::find_if(known, [&](const Receipt& each) {
      return each.target == stop.target->name && each.device == stop.device;
    });
    // One that was on its way when the daemon ended may not have arrived: it is sent again.
    if (before != known.end()) delivery.receipt = *before;
    if (before != known.end() && before->state != ReceiptState::kWaiting &&
        before->state != ReceiptState::kSending)
      continue;
    if (inside_->queue.size() >= kMostWaiting)
      inside_->set(place, delivery, ReceiptState::kFailed, "too many notices wait already");
    else if (!stop.target->problem.empty())
      inside_->set(place, delivery, ReceiptState::kFailed, stop.target->problem);
    else
      inside_->wait(place, delivery,
                    std::max(created + stop.after, before == known.end() ? 0 : before->due));
  }
  if (std::ranges::any_of(round.deliveries, [](const Delivery& each) {
        return each.receipt.state == ReceiptState::kFailed;
      }))
    inside_->hasten(id);
  inside_->pump();
}

void Courier::seen(const std::string& question, Millis now) {
  inside_->see(now);
  const auto found = inside_->rounds.find(question);
  if (found == inside_->rounds.end() || found->second.notice.several) return;
  for (std::size_t i = 0; i < found->second.deliveries.size(); ++i) {
    Delivery& each = found->second.deliveries[i];
    if (each.receipt.state == ReceiptState::kWaiting)
      inside_->set({question, i}, each, ReceiptState::kUnneeded, "somebody has seen it");
  }
}

void Courier::ended(const std::string& question) {
  const auto found = inside_->rounds.find(question);
  if (found == inside_->rounds.end()) return;
  inside_->rounds.erase(found);
  inside_->sender.recall(question);
}

void Courier::tick(Millis now) {
  inside_->see(now);
  inside_->pump();
}

std::vector<Receipt> Courier::receipts(const std::string& question) const {
  std::vector<Receipt> out;
  const auto found = inside_->rounds.find(question);
  if (found == inside_->rounds.end()) return out;
  for (const Delivery& each : found->second.deliveries) out.push_back(each.receipt);
  return out;
}

std::size_t Courier::waiting() const { return inside_->queue.size(); }

}  // namespace tollgate::notify
