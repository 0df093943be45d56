#include "server/notice_text.h"

#include <algorithm>

#include "approvals/quorum.h"
#include "base/host.h"
#include "base/text.h"
#include "explain/layout.h"
#include "gate/places.h"
#include "server/hook_ask.h"
#include "server/question_reading.h"

namespace tollgate::server {
namespace {

constexpr std::size_t kMostNames = 4;   // LIMIT: programs and hosts in one notice
constexpr std::size_t kMostRule = 80;   // LIMIT: bytes of a rule's text
constexpr std::size_t kMostLabel = 24;  // LIMIT: of a part of a host name: longer ones carry text

std::string base_name(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));  // npos + 1 is 0
}

void add(std::vector<std::string>& names, std::string name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

// "git, npm and 3 more"
std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i)
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  if (names.size() > kMostNames)
    out += " and " + std::to_string(names.size() - kMostNames) + " more";
  return out;
}

// The last labels, as far as they are short: a long one may carry what is no name.
std::string host_name(const std::string& host) {
  if (host.empty()) return "a host that is not known";
  if (is_address(host)) return host;
  const std::vector<std::string_view> labels = split(host, '.');
  std::string out;
  for (std::size_t taken = 1; taken <= std::min<std::size_t>(labels.size(), 3); ++taken) {
    const std::string_view label = labels[labels.size() - taken];
    if (label.size() > kMostLabel) break;
    out = std::string(label) + (out.empty() ? "" : ".") + out;
  }
  return out.empty() ? "a host" : out == host ? out : "…" + out;
}

std::string files(std::string_view verb, const std::vector<std::string>& paths) {
  if (paths.size() != 1) return std::string(verb) + " " + std::to_string(paths.size()) + " files";
  const std::string name = plain_name(base_name(paths[0]));
  return std::string(verb) + " " + (name.empty() ? "a file" : name);
}

struct Sums {
  std::vector<std::string> programs, hosts, changed, deleted, read;
  bool unknown = false;
};

Sums sums_of(const Effects& effects) {
  Sums out;
  for (const Effect& effect : effects) {
    if (effect.guess != Guess::kNone) continue;
    if (effect.kind == EffectKind::kRun) {
      const std::string name = effect.argv.empty() || !effect.argv[0].known
                                   ? ""
                                   : plain_name(base_name(effect.argv[0].text));
      add(out.programs, name.empty() ? "a program" : name);
    } else if (effect.kind == EffectKind::kReach) {
      if (!is_configured_home(effect)) add(out.hosts, host_name(effect.host));
    } else if (effect.kind == EffectKind::kDelete) {
      add(out.deleted, effect.path);
    } else if (is_change_kind(effect.kind)) {
      add(out.changed, effect.path);
    } else if (effect.kind == EffectKind::kRead && !is_repository(effect)) {
      add(out.read, effect.path);
    } else if (effect.kind == EffectKind::kUnknown) {
      out.unknown = true;
    }
  }
  return out;
}

std::string would(const Effects& effects) {
  const Sums sums = sums_of(effects);
  std::vector<std::string> parts;
  if (!sums.programs.empty()) parts.push_back("run " + listed(sums.programs));
  if (!sums.changed.empty()) parts.push_back(files("change", sums.changed));
  if (!sums.deleted.empty()) parts.push_back(files("delete", sums.deleted));
  if (!sums.hosts.empty()) parts.push_back("reach " + listed(sums.hosts));
  if (parts.empty() && !sums.read.empty()) parts.push_back(files("read", sums.read));
  if (sums.unknown) parts.push_back("do something that cannot be read from the call");
  return parts.empty() ? "" : "It would " + join(parts, ", ") + ". ";
}

std::string why(const store::Question& question) {
  const Decision& decision = question.asked.decision;
  if (decision.reasons.empty()) return "";
  if (is_hook_asking(question)) return "The agent's hook asks.";
  const Reason& reason = decision.reasons.front();
  switch (reason.kind) {
    case ReasonKind::kRule:
      // SAFETY: whoever wrote a project's file chose its words.
      if (decision.config_source == ConfigSource::kProject) return "A rule of the project asks.";
      return "The rule " + visible_start(reason.rule, kMostRule) + " asks.";
    case ReasonKind::kBreaker:
      return "A breaker stops it: " + visible_start(reason.rule, kMostRule) + ".";
    case ReasonKind::kGuarded:
      return "It touches a guarded place.";
    case ReasonKind::kSensitive:
      return "It reads a sensitive place.";
    default:
      return "No rule covers it.";
  }
}

}  // namespace

std::string plain_name(std::string_view text, std::size_t most) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._+-@:";
  const bool plain = !text.empty() && text.size() <= most &&
                     text.find_first_not_of(kLetters) == std::string_view::npos &&
                     secret_in(text).empty();
  return plain ? std::string(text) : "";
}

notify::Notice notice_of(const store::Question& question, const std::string& base) {
  const Decision& decision = question.asked.decision;
  notify::Notice out;
  out.question = question.id;
  out.agent = question.agent.empty() ? "an agent" : visible_start(question.agent, 60);
  out.tool = plain_name(question.asked.call.tool, 80);
  if (out.tool.empty()) out.tool = "a tool";
  const bool escalation = question.type == store::QuestionType::kEscalation;
  out.title = out.agent + (escalation ? " asks you something" : " asks to use " + out.tool);
  out.text =
      escalation ? "Open it to read the question." : would(question.asked.effects) + why(question);
  out.link = base + "/#/question/" + question.id;
  out.urgent = is_breaker(question);
  out.several = approvals::needs_several(approvals::quorums_of(decision));
  out.created = question.created;
  out.expires = question.expires;
  return out;
}

}  // namespace tollgate::server
