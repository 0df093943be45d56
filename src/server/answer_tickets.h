// The power to answer that a notice carries, where the configuration gives it to a rule.
// On the daemon's own thread, in memory: a restart ends every ticket.
// SAFETY: a ticket is for one question, as one approver, for the call and the reading that were
// asked about; it works once, for a short time. Only the digest of its secret is held.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "config/notify.h"
#include "notify/notice.h"
#include "store/rows.h"

namespace tollgate::server {

using store::Millis;

// Whether notices of this target may answer the question: a permission that people settle, whose
// every asking reason is one of the rules named, that does nothing besides, and has nothing that
// only a person's look settles.
bool may_carry_answer(const store::Question& question, const config::NotifyAnswer& answer);

struct TicketHolder {
  std::string target;    // name
  std::string approver;  // name of the credential
  std::string question;
  std::string digest;   // of the call
  std::string reading;  // what the gate made of it
  Millis expires = 0;
};

class AnswerTickets {
 public:
  // A new one takes the place of the target's last for the question. Error: random-unavailable.
  Result<notify::Ticket> make(const store::Question& question, const std::string& target,
                              const config::NotifyAnswer& answer, const std::string& base,
                              Millis now);
  // Whose it is; nothing where it is spent, unknown or too old.
  std::optional<TicketHolder> find(const std::string& secret, Millis now) const;
  // The same, and from now on it is spent. Errors: link-spent.
  Result<TicketHolder> spend(const std::string& secret, Millis now);

  void drop(const std::string& question);
  void tick(Millis now);
  std::size_t size() const { return held_.size(); }

 private:
  std::map<std::string, TicketHolder> held_;  // by the digest of the secret
};

// Whether the question is still the one that the ticket was made for.
bool fits(const TicketHolder& holder, const store::Question& question);

Error link_spent();

}  // namespace tollgate::server
