#include "server/slack_places.h"

namespace tollgate::server {
namespace {

// LIMIT: messages whose places are kept; presses beyond it leave a message as it is.
constexpr std::size_t kMostPlaces = 1'024;

std::string allowed_words(store::Scope scope) {
  switch (scope) {
    case store::Scope::kOnce:
      return "Allowed, once";
    case store::Scope::kSession:
      return "Allowed, for this session";
    case store::Scope::kAgent:
      return "Allowed always, for this agent";
    case store::Scope::kEveryone:
      return "Allowed always, for everyone";
  }
  return "Allowed";
}

}  // namespace

void SlackPlaces::keep(const std::string& question, SlackPlace place, Millis now) {
  const std::pair key(question, std::move(place.target));
  if (place.url.empty() || (held_.size() >= kMostPlaces && !held_.contains(key))) return;
  held_[key] = {.url = std::move(place.url), .until = now + kSlackPlaceLifetime};
}

void SlackPlaces::drop(const std::string& question, const std::string& target) {
  held_.erase({question, target});
}

std::vector<SlackPlace> SlackPlaces::take(const std::string& question, Millis now) {
  std::vector<SlackPlace> places;
  for (auto each = held_.lower_bound({question, ""});
       each != held_.end() && each->first.first == question; each = held_.erase(each))
    if (each->second.until > now)
      places.push_back({.target = each->first.second, .url = std::move(each->second.url)});
  return places;
}

void SlackPlaces::tick(Millis now) {
  std::erase_if(held_, [&](const auto& each) { return each.second.until <= now; });
}

std::string slack_words(const store::Question& question) {
  const std::string by = question.settlement.by.empty() ? "" : ", by " + question.settlement.by;
  switch (question.state) {
    case store::QuestionState::kPending:
      return "It still waits for an answer.";
    case store::QuestionState::kApproved:
      return (question.type == store::QuestionType::kEscalation
                  ? "Answered"
                  : allowed_words(question.settlement.scope)) +
             by + ".";
    case store::QuestionState::kDenied:
      return "Denied" + by + ".";
    case store::QuestionState::kExpired:
      return "Denied: nobody answered in time.";
    case store::QuestionState::kCancelled:
      return "Over: nobody needs to answer any more.";
  }
  return "Over.";
}

}  // namespace tollgate::server
