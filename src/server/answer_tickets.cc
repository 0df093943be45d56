#include "server/answer_tickets.h"

#include <algorithm>

#include "approvals/digest.h"
#include "os/random.h"
#include "server/question_reading.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

constexpr std::string_view kPrefix = "tgn_";
constexpr std::size_t kSecretBytes = 32;
// LIMIT: tickets at one time; the oldest ends for a new one.
constexpr std::size_t kMostTickets = 4'096;

std::string reading_in(const store::Question& question) {
  return text_in(question.context, "reading");
}

}  // namespace

Error link_spent() {
  return {.code = "link-spent",
          .message = "this link was used, is unknown or too old",
          .hint = "open the question on the page, and log in there",
          .where = {}};
}

bool may_carry_answer(const store::Question& question, const config::NotifyAnswer& answer) {
  const Decision& decision = question.asked.decision;
  if (question.type != store::QuestionType::kPermission || !question.for_session.empty() ||
      question.state != store::QuestionState::kPending || needs_eyes(question))
    return false;
  for (const Reason& reason : decision.reasons) {
    if (reason.verdict != Verdict::kAsk) continue;
    if (reason.kind != ReasonKind::kRule ||
        std::ranges::find(answer.rules, reason.rule) == answer.rules.end())
      return false;
  }
  return stands_in_what_asks(question.asked);
}

Result<notify::Ticket> AnswerTickets::make(const store::Question& question,
                                           const std::string& target,
                                           const config::NotifyAnswer& answer,
                                           const std::string& base, Millis now) {
  std::erase_if(held_, [&](const auto& each) {
    return each.second.question == question.id && each.second.target == target;
  });
  if (held_.size() >= kMostTickets)
    held_.erase(
        std::ranges::min_element(held_, {}, [](const auto& each) { return each.second.expires; }));
  Result<std::string> bytes = os::random_bytes(kSecretBytes);
  if (!bytes) return Fail(std::move(bytes).error());
  notify::Ticket ticket;
  ticket.secret = std::string(kPrefix) + approvals::hexadecimal(*bytes);
  ticket.url = base + "/answer/" + ticket.secret;
  ticket.expires = now + answer.within_ms;
  if (question.expires != 0) ticket.expires = std::min(ticket.expires, question.expires);
  const std::string digest = approvals::sha256(ticket.secret);
  if (digest.empty()) return Fail(link_spent());
  held_[digest] = {.target = target,
                   .approver = answer.as,
                   .question = question.id,
                   .digest = question.digest,
                   .reading = reading_in(question),
                   .expires = ticket.expires};
  return ticket;
}

std::optional<TicketHolder> AnswerTickets::find(const std::string& secret, Millis now) const {
  const auto found = held_.find(approvals::sha256(secret));
  if (!secret.starts_with(kPrefix) || found == held_.end() || found->second.expires <= now)
    return std::nullopt;
  return found->second;
}

Result<TicketHolder> AnswerTickets::spend(const std::string& secret, Millis now) {
  std::optional<TicketHolder> holder = find(secret, now);
  if (!holder) return Fail(link_spent());
  held_.erase(approvals::sha256(secret));
  return std::move(*holder);
}

void AnswerTickets::drop(const std::string& question) {
  std::erase_if(held_, [&](const auto& each) { return each.second.question == question; });
}

void AnswerTickets::tick(Millis now) {
  std::erase_if(held_, [&](const auto& each) { return each.second.expires <= now; });
}

bool fits(const TicketHolder& holder, const store::Question& question) {
  return question.state == store::QuestionState::kPending && question.id == holder.question &&
         !holder.digest.empty() && question.digest == holder.digest &&
         reading_in(question) == holder.reading;
}

}  // namespace tollgate::server
