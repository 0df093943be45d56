// From entries of the configuration to targets that can be sent to, and which question is for
// which.
#include <algorithm>

#include "notify/secret_file.h"
#include "notify/web_address.h"
#include "server/notices.h"

namespace tollgate::server {
namespace {

constexpr std::string_view kNoContact = "mailto:tollgate@localhost";

// The text of a file, or of the entry itself; what is wrong goes to the target's problem.
std::string text_or_file(const std::string& text, const std::string& file, std::string& problem) {
  if (file.empty()) return text;
  Result<std::string> read = notify::secret_in(file);
  if (read) return std::move(*read);
  if (problem.empty()) problem = read.error().message;
  return "";
}

notify::Target target_of(const config::NotifyEntry& entry, const std::string& public_url) {
  notify::Target out;
  out.name = entry.name;
  out.kind = notify::kind_named(entry.type).value_or(notify::Kind::kWebhook);
  out.topic = entry.topic;
  out.ca_file = entry.ca_file;
  out.hosts = entry.hosts;
  out.plain = entry.allow_http;
  out.url = text_or_file(entry.url, entry.url_file, out.problem);
  out.secret = text_or_file(entry.secret, entry.secret_file, out.problem);
  out.contact = entry.contact;
  if (out.contact.empty())
    out.contact = public_url.starts_with("https://") ? public_url : std::string(kNoContact);
  const bool needs_url = out.kind != notify::Kind::kDesktop && out.kind != notify::Kind::kPush;
  if (needs_url && out.problem.empty() && !notify::web_address(out.url))
    out.problem = "its url cannot be read";
  return out;
}

bool has_reason(const store::Question& question, const std::string& wanted) {
  return std::ranges::any_of(question.asked.decision.reasons, [&](const Reason& reason) {
    if (reason.kind == ReasonKind::kRule) return reason.rule == wanted;
    return name(reason.kind) == wanted;
  });
}

}  // namespace

std::vector<NoticeRoute> notice_routes(const config::Settings& settings) {
  std::vector<NoticeRoute> out;
  for (const config::NotifyEntry& entry : config::notify_entries(settings))
    out.push_back(
        {std::make_shared<const notify::Target>(target_of(entry, settings.public_url)), entry});
  return out;
}

bool is_for(const config::NotifyEntry& entry, const store::Question& question) {
  if (!entry.agents.empty() &&
      std::ranges::find(entry.agents, question.agent) == entry.agents.end())
    return false;
  return entry.rules.empty() || std::ranges::any_of(entry.rules, [&](const std::string& rule) {
           return has_reason(question, rule);
         });
}

}  // namespace tollgate::server
