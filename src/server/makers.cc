#include "server/makers.h"

namespace tollgate::server {

std::optional<std::vector<std::string>> makers_of(const store::Question& question,
                                                  const approvals::SessionBook& sessions,
                                                  const approvals::GrantBook& grants,
                                                  store::Millis now) {
  const std::vector<store::Session> chain = sessions.chain(question.session);
  if (chain.empty()) return std::nullopt;
  std::vector<std::string> makers;
  for (const store::Session& session : chain)
    if (!session.made_by.empty()) makers.push_back(session.made_by);
  const std::vector<store::Grant> all = grants.all(now);
  const Decision& decision = question.asked.decision;
  for (const auto* reasons : {&decision.reasons, &decision.also})
    for (const Reason& reason : *reasons)
      for (const store::Grant& grant : all)
        if (reason.kind == ReasonKind::kGrant && reason.source == "grant " + grant.id)
          makers.push_back(grant.author);
  return makers;
}

}  // namespace tollgate::server
