// `tollgate log`: what was asked and decided, newest last.
#include <array>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/gate_client.h"
#include "cli/moment.h"
#include "explain/layout.h"
#include "json/json.h"
#include "os/clock.h"

namespace tollgate::cli {
namespace {

using json::Value;

constexpr std::array<Option, 12> kOptions = {{
    {"since", "TIME", "2026-03-02T10:00:00Z, or how long ago: 2h"},
    {"until", "TIME", "the same"},
    {"agent", "NAME", "of this agent"},
    {"session", "ID", "of this session"},
    {"verdict", "VERDICT", "allow, ask or deny"},
    {"tool", "NAME", "of this tool"},
    {"rule", "RULE", "that this rule decided"},
    {"kind", "KIND", "call, question, answer, session, grant, credential, freeze, policy …"},
    {"grep", "TEXT", "that hold this text"},
    {"limit", "N", "at most so many, 100 unless told otherwise"},
    kDataOption,
    kJsonOption,
}};

// A moment, or so long before now; nothing where it is neither.
std::optional<std::int64_t> moment_of(const std::string& text) {
  if (const std::optional<std::int64_t> seconds = utc_seconds(text)) return *seconds * 1000;
  const std::optional<long long> ago = duration_ms(text);
  if (!ago || text.find_first_not_of("0123456789") == text.npos) return std::nullopt;
  return os::now_milliseconds() - *ago;
}

Result<std::string> query_of(const Arguments& arguments) {
  std::string query;
  const auto add = [&](std::string_view name, const std::string& value) {
    query += (query.empty() ? "?" : "&") + std::string(name) + "=" + escaped(value);
  };
  for (const std::string_view name :
       {"agent", "session", "verdict", "tool", "rule", "kind", "grep", "limit"})
    if (arguments.has(name)) add(name, arguments.get(name));
  for (const std::string_view name : {"since", "until"}) {
    if (!arguments.has(name)) continue;
    const std::optional<std::int64_t> moment = moment_of(arguments.get(name));
    if (!moment)
      return Fail(error_of("bad-usage", "`" + arguments.get(name) + "` is no time",
                           "write 2026-03-02T10:00:00Z or 2h"));
    add(name, std::to_string(*moment));
  }
  return query;
}

std::string line_of(const Value& row) {
  std::string what = text_in(row, "kind");
  const Value* record = row.find("record");
  const Value* call = record == nullptr ? nullptr : record->find("call");
  const Value* input = call == nullptr ? nullptr : call->find("input");
  std::string about;
  if (input != nullptr) {
    const std::string command = text_in(*input, "command");
    about = command.empty() ? visible_start(json::write(*input), 160) : visible_start(command, 160);
  }
  std::string out =
      text_in(row, "at") + "  " + padded(what, 9) + padded(text_in(row, "verdict"), 6);
  const std::string agent = text_in(row, "agent");
  out += padded(agent.empty() ? "-" : agent, 10) + " " + text_in(row, "tool");
  if (!about.empty()) out += "  " + about;
  const std::string rule = text_in(row, "rule"), by = text_in(row, "by");
  if (!rule.empty()) out += "  [" + rule + "]";
  if (!by.empty()) out += "  by " + by;
  return out + "\n";
}

}  // namespace

const Shape kLogShape = {
    .usage =
        "[--since TIME] [--agent NAME] [--verdict VERDICT] [--tool NAME] [--grep TEXT] [--json]",
    .about = "Shows the record of calls, questions, answers and acts. Asks for a credential.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 0,
    .examples = "tollgate log --since 2h --verdict deny\ntollgate log --grep 'git push' --json",
};

int run_log(const Arguments& arguments, Context& context) {
  const Result<std::string> query = query_of(arguments);
  if (!query) return complain(context, query.error(), kUsedWrongly);
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  const Result<Value> answer = client->call("GET", "/api/audit" + *query);
  if (!answer) return complain(context, answer.error());
  const Value* rows = answer->find("rows");
  if (rows == nullptr) return kDone;
  // The newest came first; people read downwards.
  for (std::size_t i = rows->items().size(); i > 0; --i) {
    const Value& row = rows->items()[i - 1];
    context.console.out(arguments.has("json") ? json::write(row) + "\n" : line_of(row));
  }
  return kDone;
}

}  // namespace tollgate::cli
