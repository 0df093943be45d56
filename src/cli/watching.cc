#include "cli/watching.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "base/text.h"
#include "cli/handles.h"
#include "cli/permission_text.h"
#include "cli/quorum_text.h"
#include "cli/top/feed.h"
#include "json/json.h"
#include "os/clock.h"

namespace tollgate::cli {
namespace {

using json::Value;
using top::text_of;

// Of a question that several people answer, once somebody has.
std::string votes_so_far(const Value& permission) {
  std::string out;
  if (member_of(permission, "votes").items().empty()) return out;
  for (const std::string& line : quorum_lines(permission))
    out += (out.empty() ? "voted; needs " : "; ") + line;
  return out;
}

std::string fate_of(const Value& permission) {
  const std::string& state = text_of(permission, "state");
  if (state == "pending" && !text_of(permission, "goneAt").empty())
    return "agent gone; it may come back for its answer";
  if (state == "pending") return votes_so_far(permission);
  const Value& answer = member_of(permission, "answer");
  std::string out = state;
  if (const std::string by = text_in(answer, "by"); !by.empty()) out += " by " + by;
  if (const std::string rule = text_in(answer, "rule"); !rule.empty())
    out += ", from now on " + rule;
  if (const std::string reason = text_in(answer, "reason"); !reason.empty()) out += ": " + reason;
  if (!text_of(permission, "deliveredAt").empty()) return out + "; delivered to the agent";
  if (!text_of(permission, "goneAt").empty()) return out + "; agent gone";
  return out + "; recorded";
}

top::Request whole_request(const std::string& id) {
  return {top::Purpose::kWhole, id, "GET", "/api/permissions/" + escaped(id), {}};
}

// Lines that were typed, as they come.
class Typing {
 public:
  // False at the end of the input.
  bool read() {
    char buffer[512];
    const ssize_t got = ::read(0, buffer, sizeof buffer);
    if (got <= 0) return false;
    text_.append(buffer, static_cast<std::size_t>(got));
    return true;
  }
  std::optional<std::string> line() {
    const std::size_t end = text_.find('\n');
    if (end == text_.npos) return std::nullopt;
    std::string out = text_.substr(0, end);
    text_.erase(0, end + 1);
    return out;
  }

 private:
  std::string text_;
};

}  // namespace

void Watcher::say(const std::string& text) {
  if (!prompted_.empty()) text_ += "\n";  // the prompt that stands there is over
  prompted_.clear();
  text_ += text;
}

const Watcher::Known* Watcher::sole() const {
  const Known* found = nullptr;
  for (const auto& [id, each] : known_) {
    if (text_of(each.latest, "state") != "pending") continue;
    if (found != nullptr) return nullptr;
    found = &each;
  }
  return found != nullptr && found->printed ? found : nullptr;
}

void Watcher::prompt() {
  if (!prompts_ || lost_ || !prompted_.empty()) return;
  const Known* one = sole();
  if (one == nullptr) return;
  prompted_ = text_of(one->latest, "permissionId");
  text_ += permission_prompt(one->whole);
}

void Watcher::learn(const Value& brief, top::Requests& out) {
  const std::string& id = text_of(brief, "permissionId");
  if (id.empty()) return;
  const bool is_new = !known_.contains(id);
  if (is_new && text_of(brief, "state") != "pending") return;
  Known& known = known_[id];
  known.latest = brief;
  if (is_new) out.push_back(whole_request(id));
  const std::string fate = fate_of(brief);
  if (fate == known.told) return;
  known.told = fate;
  if (!fate.empty()) say(paint_.heading(visible(id)) + "  " + fate + "\n");
}

void Watcher::hear(const Value& message, top::Requests& out) {
  if (std::exchange(lost_, false)) say("the daemon is there again\n");
  const Value& data = member_of(message, "data");
  if (text_of(message, "channel") != "permission") return;
  if (text_of(message, "event") != "all") return learn(data, out);
  std::map<std::string, char> open;
  for (const Value& brief : member_of(data, "permissions").items()) {
    open[text_of(brief, "permissionId")] = 1;
    learn(brief, out);
  }
  // What ended while nobody listened is asked for, so that its end can be told.
  for (const auto& [id, each] : known_)
    if (text_of(each.latest, "state") == "pending" && !open.contains(id))
      out.push_back(whole_request(id));
}

void Watcher::reply(const top::Replied& replied) {
  const auto found = known_.find(replied.asked.about);
  if (found == known_.end()) return;
  if (!replied.said) {
    say("not done: " + visible(replied.said.error().message) + "\n");
    return;
  }
  if (replied.asked.purpose != top::Purpose::kWhole) return;
  Known& known = found->second;
  known.whole = *replied.said;
  top::Requests none;
  learn(*replied.said, none);
  if (std::exchange(known.printed, true) || text_of(known.latest, "state") != "pending") return;
  say(permission_text(known.whole, paint_));
}

std::string Watcher::take(const top::Event& event, top::Requests& out) {
  text_.clear();
  if (const auto* heard = std::get_if<top::Heard>(&event)) hear(heard->message, out);
  if (const auto* replied = std::get_if<top::Replied>(&event)) reply(*replied);
  if (const auto* gone = std::get_if<top::Lost>(&event);
      gone != nullptr && !std::exchange(lost_, true))
    say("cut off: " + visible(gone->why) + "; trying again\n");
  prompt();
  return std::exchange(text_, "");
}

std::string Watcher::typed(const std::string& line, top::Requests& out) {
  text_.clear();
  const std::string id = std::exchange(prompted_, "");
  const std::string words(trim(line));
  const std::size_t blank = std::min(words.find(' '), words.size());
  const std::string word = lower(words.substr(0, blank));
  const std::string reason(trim(std::string_view(words).substr(blank)));
  const bool asks = !id.empty() && text_of(known_[id].latest, "type") == "escalation";
  const std::string target = "/api/permissions/" + escaped(id) + "/";
  const bool yes = (word == "y" || word == "yes") && reason.empty() && !asks;
  const bool always = (word == "a" || word == "always") && reason.empty() && !asks;
  if (id.empty()) {
    if (!words.empty())
      say("nothing was answered: use `tollgate approve ID` or `tollgate deny ID`\n");
  } else if (yes || always) {
    const std::string scope = yes ? "once" : "agent";
    out.push_back({top::Purpose::kAnswer, id, "POST", target + "approve",
                   Value::object({{"scope", Value::string(scope)}})});
  } else if (word == "n" || word == "no") {
    Value body = Value::object();
    if (!reason.empty()) body.set("reason", Value::string(reason));
    out.push_back({top::Purpose::kAnswer, id, "POST", target + "deny", std::move(body)});
  } else {
    say("nothing was answered: y allows it once, a always, n denies it, with a reason behind it\n");
    prompt();
  }
  return std::exchange(text_, "");
}

int watch_pending(GateClient& client, Written written, Context& context) {
  if (const Result<Value> me = client.call("GET", "/api/me"); !me)
    return complain(context, me.error());
  const bool prompts = context.console.is_interactive() && written == Written::kText;
  Watcher watcher(Paint(context.console.screen().color), prompts);
  top::Feed feed(client);
  Typing typing;
  const auto act = [&](const std::string& text, top::Requests& requests) {
    // What was typed before the question is no answer to it.
    if (prompts && text.find("[n]o: ") != text.npos) ::tcflush(0, TCIFLUSH);
    context.console.out(text);
    for (top::Request& request : requests) feed.ask(std::move(request));
    requests.clear();
    return context.console.flush();
  };
  top::Requests requests;
  for (;;) {
    std::array<pollfd, 2> both = {{{.fd = feed.descriptor(), .events = POLLIN, .revents = 0},
                                   {.fd = prompts ? 0 : -1, .events = POLLIN, .revents = 0}}};
    ::poll(both.data(), both.size(), -1);
    for (const top::Event& event : feed.take()) {
      const auto* heard = std::get_if<top::Heard>(&event);
      std::string text = watcher.take(event, requests);
      if (written == Written::kJson) {
        requests.clear();
        text = heard == nullptr ? "" : json_line(heard->message);
      }
      if (!act(text, requests)) return kFailed;
    }
    if ((both[1].revents & (POLLIN | POLLHUP)) == 0) continue;
    if (!typing.read()) return kDone;
    while (const std::optional<std::string> line = typing.line())
      if (!act(watcher.typed(*line, requests), requests)) return kFailed;
  }
}

}  // namespace tollgate::cli
