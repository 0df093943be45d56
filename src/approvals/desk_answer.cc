// An answer: who may give it, whether it is enough, and what is written for it.
// The vote, the end, the grant that came of it and the audit's line are one batch.
#include <algorithm>

#include "approvals/desk_inside.h"
#include "base/moment_text.h"

namespace tollgate::approvals {
namespace {

Error refusal(std::string code, std::string message, std::string hint) {
  return {
      .code = std::move(code), .message = std::move(message), .hint = std::move(hint), .where = {}};
}

Error not_counted(std::string message) {
  return refusal("answer-not-counted", std::move(message), "let somebody else answer");
}

// The beginning is enough to find it; the whole id would let its reader ask in its name.
std::string name_of(const Principal& by) {
  return by.session.empty() ? by.person : "parent:" + by.session.substr(0, 8);
}

Result<void> may_parent_answer(const Question& question, const Vote& vote) {
  if (question.for_session != vote.by.session)
    return Fail(refusal("not-your-question", "this question is not for that agent to answer",
                        "leave it to a person"));
  if (!vote.request.allow) return {};
  if (vote.request.scope != store::Scope::kOnce || vote.request.grant)
    return Fail(refusal("not-allowed-here", "an agent answers for one call and teaches no rule",
                        "answer with the scope `once`, or leave it to a person"));
  const Decision& decision = question.asked.decision;
  if (!decision.approve.empty() || !decision.quorums.empty())
    return Fail(not_counted("this question wants people, and an agent is none"));
  return {};
}

Result<void> may_decide_alone(const AnswerRequest& request) {
  if (request.scope != store::Scope::kOnce || request.grant)
    return Fail(refusal("grant-refused", "what needs several people is answered for this call only",
                        "answer with the scope `once`"));
  if (request.changed)
    return Fail(refusal("input-refused", "what needs several people runs as it was asked",
                        "deny it and say what to ask instead"));
  return {};
}

}  // namespace

bool wants_touch(const Question& question, bool allow, store::Scope scope) {
  if (!allow || question.type != store::QuestionType::kPermission) return false;
  const auto is_breaker = [](const Reason& each) { return each.kind == ReasonKind::kBreaker; };
  return scope == store::Scope::kAgent || scope == store::Scope::kEveryone ||
         std::ranges::any_of(question.asked.decision.reasons, is_breaker);
}

// SAFETY: where it is not known who made the session, anybody might have.
store::Vote Desk::Inside::cast(const Question& question, const Vote& vote) const {
  bool maker = false;
  if (vote.by.session.empty() && leave_out_makers(quorums_of(question.asked.decision))) {
    const auto makers = options.makers ? options.makers(question) : std::nullopt;
    maker = !makers || std::ranges::find(*makers, vote.by.person) != makers->end();
  }
  return {.approver = vote.by.approver,
          .person = vote.by.person,
          .allow = vote.request.allow,
          .reason = vote.request.reason,
          .via = vote.by.via,
          .at = vote.now,
          .roles = vote.by.roles,
          .maker = maker,
          .key = vote.by.key};
}

Result<void> Desk::Inside::may_answer(const Question& question, const Vote& vote,
                                      const store::Vote& cast) const {
  if (!vote.by.session.empty()) return may_parent_answer(question, vote);
  if (cast.person.empty())
    return Fail(refusal("not-allowed-here", "an answer needs the name of a person",
                        "use a credential that names a person"));
  const bool touches = wants_touch(question, cast.allow, vote.request.scope);
  if (touches && cast.key.empty() && options.has_key && options.has_key(cast.person))
    return Fail(refusal("presence-required",
                        "`" + cast.person + "` has a security key, and this needs its touch",
                        "answer on the page, at an address where the key is registered"));
  return may_count(question, cast, vote.request);
}

Result<void> Desk::Inside::may_count(const Question& question, const store::Vote& cast,
                                     const AnswerRequest& request) const {
  const std::vector<Quorum> quorums = quorums_of(question.asked.decision);
  const Begun begun = begun_of(question);
  for (const store::Vote& other : question.votes)
    if (other.person == cast.person &&
        (!cast.allow || !other.allow || !adds(cast, question.votes, quorums, begun)))
      return Fail(not_counted("`" + cast.person + "` has answered this question before"));
  if (!cast.allow) return {};
  if (needs_several(quorums))
    if (Result<void> alone = may_decide_alone(request); !alone) return alone;
  if (counts(cast, quorums, begun)) return {};
  if (const Millis from = counts_from(cast, quorums, begun); from != 0)
    return Fail(not_counted("`" + cast.person + "` is asked from " + moment_text(from) + " on"));
  return Fail(
      not_counted("`" + cast.person + "` made the session, or has none of the roles that count"));
}

// REQUIRES: the question's turn.
void Desk::Inside::answer(const EntryPtr& entry, const Vote& vote, const Answered& done) {
  if (!entry->is_pending())
    return done(Fail(refusal("already-answered", "the question has ended before",
                             "read how it ended; that stands")));
  if (is_due(*entry)) {
    if (entry->retry_at > now)
      return done(Fail(refusal("store-unavailable", "the question is over and that cannot be kept",
                               "see what the store says")));
    return end_due(entry, [this, entry, vote, done](const Result<void>& result) {
      if (!result) return done(Fail(store_failed(result.error())));
      entry->line.enter([this, entry, vote, done] { answer(entry, vote, done); });
    });
  }
  entry->unpack();  // until the answer is written
  const Question question = entry->whole();
  std::vector<store::Vote> votes = question.votes;
  votes.push_back(cast(question, vote));
  if (Result<void> may = may_answer(question, vote, votes.back()); !may) {
    entry->pack(alike);
    return done(Fail(may.error()));
  }
  if (!vote.by.session.empty())
    return settle(entry, vote, std::move(votes), vote.request.allow, done);
  switch (standing_of(votes, quorums_of(question.asked.decision), begun_of(question))) {
    case Standing::kOpen:
      return keep_vote(entry, vote, std::move(votes), done);
    case Standing::kApproved:
      return settle(entry, vote, std::move(votes), vote.request.allow, done);
    case Standing::kDenied:
      return settle(entry, vote, std::move(votes), false, done);
  }
}

void Desk::Inside::keep_vote(const EntryPtr& entry, const Vote& vote,
                             std::vector<store::Vote> votes, const Answered& done) {
  Question next = entry->whole();
  next.votes = votes;
  const Soft written = soft_of(next);
  store::AuditRow row = vote_row(next, vote, "vote");
  write(entry,
        {store::ChangeQuestion{std::move(next), store::QuestionState::kPending},
         store::AppendAudit{std::move(row)}},
        store::Durability::kNow,
        [this, entry, votes = std::move(votes), written, done](const Result<void>& result) {
          if (!result) {
            failed(entry, result.error());
            return done(Fail(store_failed(result.error())));
          }
          entry->question.votes = votes;
          entry->kept = written;
          tell_listeners(Notice::kVoted, *entry);
          done(entry->whole());
          touch(entry);
        });
}

// REQUIRES: an open entry.
void Desk::Inside::settle(const EntryPtr& entry, const Vote& vote, std::vector<store::Vote> votes,
                          bool approved, const Answered& done) {
  End how;
  how.state = approved ? store::QuestionState::kApproved : store::QuestionState::kDenied;
  how.votes = std::move(votes);
  how.settlement.by = name_of(vote.by);
  how.settlement.reason = vote.request.reason;
  how.settlement.reply = vote.request.reply;
  how.settlement.at = vote.now;
  if (approved) {
    how.settlement.scope = vote.request.scope;
    how.settlement.changed = vote.request.changed;
    const Question whole = entry->whole();
    const Millis use = time_of_use(how.votes, quorums_of(whole.asked.decision), begun_of(whole));
    how.settlement.use_until = vote.now + (use > 0 ? use : options.same_answer);
    how.grant = vote.request.grant;
  }
  if (how.grant) {
    Result<std::string> id = new_id();
    if (!id) return done(Fail(std::move(id).error()));
    how.grant->id = *id;
    how.grant->question = entry->question.id;
    how.grant->author = vote.by.person;
    if (how.grant->created == 0) how.grant->created = vote.now;
    how.settlement.grant = *id;
    how.settlement.rule = how.grant->rule;
  }
  how.row = vote_row(entry->whole(), vote, approved ? "approved" : "denied");
  how.row.rule = how.settlement.rule;
  end(entry, std::move(how), [entry, done](const Result<void>& result) {
    if (!result) return done(Fail(store_failed(result.error())));
    done(entry->whole());
  });
}

Error store_failed(const Error& error) {
  if (error.code == "already-answered" || error.code == "random-unavailable") return error;
  Error failed = error;
  failed.code = "store-unavailable";
  return failed;
}

}  // namespace tollgate::approvals
