// Counts people.
// The quorums are read from the decision's text, one in braces after the other with ` and `
// between.
#include "approvals/quorum.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <string_view>

#include "base/text.h"

namespace tollgate::approvals {
namespace {

constexpr int kNobody = 1'000'000'000;  // more people than there are to ask

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

bool take_number(std::string_view& text, store::Millis& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take_count(std::string_view& text, int& count) {
  store::Millis number = 0;
  if (!take_number(text, number) || number < 1 || number > kNobody) return false;
  count = static_cast<int>(number);
  return true;
}

bool take_roles(std::string_view& text, std::vector<std::string>& roles) {
  const std::size_t end = text.find(']');
  if (end == text.npos) return false;
  for (const std::string_view role : split(text.substr(0, end), ','))
    roles.emplace_back(trim(role));
  text.remove_prefix(end + 1);
  return true;
}

// {any: 2, of: [lead, security], deny: 1, within: 600000ms, expires: 300000ms}
std::optional<Quorum> take_quorum(std::string_view& text) {
  Quorum quorum;
  if (!take(text, "{any: ") || !take_count(text, quorum.any)) return std::nullopt;
  if (take(text, ", of: [") && !take_roles(text, quorum.of)) return std::nullopt;
  if (!take(text, ", deny: ") || !take_count(text, quorum.deny)) return std::nullopt;
  if (take(text, ", within: ") && !(take_number(text, quorum.within_ms) && take(text, "ms")))
    return std::nullopt;
  if (take(text, ", expires: ") && !(take_number(text, quorum.expires_ms) && take(text, "ms")))
    return std::nullopt;
  if (!take(text, "}")) return std::nullopt;
  return quorum;
}

bool counts_for(const store::Vote& vote, const Quorum& quorum,
                const std::vector<std::string>& makers) {
  if (vote.person.empty()) return false;
  if (quorum.any > 1 && std::ranges::find(makers, vote.person) != makers.end()) return false;
  return quorum.of.empty() || std::ranges::any_of(vote.roles, [&](const std::string& role) {
           return std::ranges::find(quorum.of, role) != quorum.of.end();
         });
}

bool is_met(std::span<const store::Vote> votes, const Quorum& quorum,
            const std::vector<std::string>& makers) {
  std::set<std::string> people;
  for (const store::Vote& vote : votes)
    if (vote.allow && counts_for(vote, quorum, makers)) people.insert(vote.person);
  return people.size() >= static_cast<std::size_t>(quorum.any);
}

}  // namespace

std::vector<Quorum> quorums_of(const Decision& decision) {
  std::vector<Quorum> quorums;
  std::string_view rest = decision.approve;
  if (rest.empty()) return {Quorum{}};
  do {
    const std::optional<Quorum> quorum = take_quorum(rest);
    if (!quorum) return {Quorum{.any = kNobody, .of = {}, .deny = 1}};
    quorums.push_back(*quorum);
  } while (take(rest, " and "));
  if (!rest.empty()) return {Quorum{.any = kNobody, .of = {}, .deny = 1}};
  return quorums;
}

bool needs_several(const std::vector<Quorum>& quorums) {
  return std::ranges::any_of(quorums, [](const Quorum& one) { return one.any > 1; }) ||
         quorums.size() > 1;
}

bool counts(const store::Vote& vote, const std::vector<Quorum>& quorums,
            const std::vector<std::string>& makers) {
  return std::ranges::any_of(
      quorums, [&](const Quorum& quorum) { return counts_for(vote, quorum, makers); });
}

Standing standing_of(std::span<const store::Vote> votes, const std::vector<Quorum>& quorums,
                     const std::vector<std::string>& makers) {
  std::set<std::string> against;
  for (const store::Vote& vote : votes)
    if (!vote.allow) against.insert(vote.person);
  for (const Quorum& quorum : quorums)
    if (against.size() >= static_cast<std::size_t>(quorum.deny)) return Standing::kDenied;
  const bool met = !quorums.empty() && std::ranges::all_of(quorums, [&](const Quorum& quorum) {
    return is_met(votes, quorum, makers);
  });
  return met ? Standing::kApproved : Standing::kOpen;
}

store::Millis shortest_use(const std::vector<Quorum>& quorums) {
  store::Millis shortest = 0;
  for (const Quorum& quorum : quorums)
    if (quorum.expires_ms > 0 && (shortest == 0 || quorum.expires_ms < shortest))
      shortest = quorum.expires_ms;
  return shortest;
}

}  // namespace tollgate::approvals
