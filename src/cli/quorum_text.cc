#include "cli/quorum_text.h"

#include <utility>

#include "cli/gate_client.h"
#include "explain/layout.h"

namespace tollgate::cli {
namespace {

using json::Value;

std::string joined(const Value& texts, std::string_view between) {
  std::string out;
  for (const Value& text : texts.items())
    out += (out.empty() ? "" : std::string(between)) + visible(text.as_string());
  return out;
}

std::string threshold_line(const Value& threshold) {
  const std::string name = text_in(threshold, "name"),
                    roles = joined(member_of(threshold, "of"), ", ");
  const Value& agreed = member_of(threshold, "agreed");
  std::string out = name.empty() ? "" : visible(name) + ": ";
  out += std::to_string(agreed.items().size()) + " of " + member_of(threshold, "any").number_text();
  if (!roles.empty()) out += " (" + roles + ")";
  out += agreed.items().empty() ? ", nobody yet" : ", " + joined(agreed, " and ");
  const std::string missing = member_of(threshold, "missing").number_text();
  out += missing == "0" ? ", met" : ", " + missing + " missing";
  if (const std::string opens = text_in(threshold, "opensAt"); !opens.empty())
    out += ", asked from " + opens;
  if (const std::string until = text_in(threshold, "until"); !until.empty())
    out += ", until " + until;
  return out;
}

}  // namespace

std::vector<std::string> quorum_lines(const Value& permission) {
  std::vector<std::string> out;
  const Value& quorum = member_of(permission, "quorum");
  for (const Value& rule : member_of(quorum, "rules").items()) {
    bool first = true;
    for (const Value& threshold : member_of(rule, "thresholds").items())
      out.push_back((std::exchange(first, false) ? "" : "or ") + threshold_line(threshold));
  }
  if (const std::string against = joined(member_of(quorum, "against"), " and "); !against.empty())
    out.push_back("against: " + against + ", " + member_of(quorum, "denials").number_text() +
                  " of them end it");
  return out;
}

}  // namespace tollgate::cli
