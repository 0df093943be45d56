// `tollgate log`: what was asked and decided, newest last.
#include "cli/log.h"

#include <algorithm>
#include <array>

#include "audit/members.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/gate_client.h"
#include "cli/handles.h"
#include "cli/moment.h"
#include "explain/layout.h"
#include "json/json.h"
#include "os/clock.h"

namespace tollgate::cli {
namespace {

using json::Value;

constexpr std::array<Option, 17> kOptions = {{
    {"since", "TIME", "2026-03-02T10:00:00Z, or how long ago: 2h"},
    {"until", "TIME", "the same"},
    {"agent", "NAME", "of this agent"},
    {"session", "HANDLE", "of this session: `tollgate sessions` lists them"},
    {"verdict", "VERDICT", "allow, ask or deny"},
    {"tool", "NAME", "of this tool"},
    {"rule", "RULE", "that this rule decided"},
    {"kind", "KIND", "call, question, answer, session, grant, credential, freeze, policy …"},
    {"grep", "TEXT", "whose input, reasons or own words hold this text"},
    {"limit", "N", "at most so many, 100 unless told otherwise"},
    {"follow", "", "stay, and show what comes"},
    {"csv", "", "as comma-separated values, with a head line"},
    {"anchors", "FILE", "of verify: heads that were kept there; may be given more than once"},
    {"no-anchors", "", "of verify: only those, not what the settings name"},
    {"config", "FILE", "of verify: where `settings.anchor` stands, in place of the user's"},
    kDataOption,
    kJsonOption,
}};

// How long the daemon may hold a request of --follow.
constexpr std::string_view kHold = "20000";

enum class Form { kLines, kJson, kCsv };

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
    const Result<std::int64_t> moment = moment_in(arguments, name, 0);
    if (!moment) return Fail(moment.error());
    add(name, std::to_string(*moment));
  }
  return query;
}

// What the call is about: its command, or its input.
std::string subject_of(const Value& row) {
  const Value* record = row.find("record");
  const Value* call = record == nullptr ? nullptr : record->find("call");
  const Value* input = call == nullptr ? nullptr : call->find("input");
  if (input == nullptr) return "";
  const Value* command = input->find("command");
  return command != nullptr && command->is_string() ? command->as_string() : json::write(*input);
}

std::string line_of(const Value& row) {
  const std::string about = visible_start(subject_of(row), 160);
  std::string out = text_in(row, "at") + "  " + padded(text_in(row, "kind"), 9) +
                    padded(text_in(row, "verdict"), 6);
  const std::string agent = text_in(row, "agent");
  out += padded(agent.empty() ? "-" : agent, 10) + " " + text_in(row, "tool");
  if (!about.empty()) out += "  " + about;
  const std::string rule = text_in(row, "rule"), by = text_in(row, "by");
  if (!rule.empty()) out += "  [" + rule + "]";
  if (!by.empty()) out += "  by " + by;
  return out + "\n";
}

constexpr std::string_view kColumns[] = {"number", "at",   "kind", "verdict", "agent", "session",
                                         "tool",   "rule", "by",   "origin",  "about"};

// SAFETY: a spreadsheet takes what begins with these for a formula, and an agent chose the text.
std::string cell(std::string text) {
  constexpr std::string_view kFormula = "=+-@\t\r";
  if (!text.empty() && kFormula.find(text.front()) != kFormula.npos) text.insert(0, 1, '\'');
  if (text.find_first_of(",\"\n\r") == text.npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string head_line() {
  std::string out;
  for (const std::string_view column : kColumns)
    out += (out.empty() ? "" : ",") + std::string(column);
  return out + "\n";
}

std::string csv_line(const Value& row) {
  std::string out;
  for (const std::string_view column : kColumns) {
    if (column == "number")
      out += member_of(row, column).number_text();
    else
      out += "," + cell(column == "about" ? subject_of(row)
                                          : without_id(member_of(row, column).as_string()));
  }
  return out + "\n";
}

std::string text_of(const Value& row, Form form) {
  switch (form) {
    case Form::kJson:
      return json_line(row);
    case Form::kCsv:
      return csv_line(row);
    case Form::kLines:
      break;
  }
  return line_of(row);
}

// Shows the rows of an answer, oldest first; gives the number of the last.
std::int64_t show(const Value& answer, bool newest_first, Form form, Context& context) {
  const std::vector<Value>& rows = member_of(answer, "rows").items();
  std::int64_t last = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Value& row = rows[newest_first ? rows.size() - 1 - i : i];
    context.console.out(text_of(row, form));
    last = std::max(last, integer_in(row, "number"));
  }
  return last;
}

// Until somebody interrupts it or the daemon ends.
int follow(GateClient& client, const std::string& query, std::int64_t last, Form form,
           Context& context) {
  for (;;) {
    if (!context.console.flush()) return kDone;
    const std::string target = "/api/audit" + query + (query.empty() ? "?" : "&") +
                               "order=oldest&wait=" + std::string(kHold) +
                               "&after=" + std::to_string(last);
    const Result<Value> answer = client.call("GET", target);
    if (!answer) return complain(context, answer.error());
    last = std::max(last, show(*answer, false, form, context));
  }
}

int list(const Arguments& arguments, Context& context) {
  const Result<std::string> query = query_of(arguments);
  if (!query) return complain(context, query.error(), kUsedWrongly);
  if (const Result<void> fits = check_handle(arguments.get("session")); !fits)
    return complain(context, fits.error(), kUsedWrongly);
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  const Result<Value> answer = client->call("GET", "/api/audit" + *query);
  if (!answer) return complain(context, answer.error());
  const Form form = arguments.has("json")  ? Form::kJson
                    : arguments.has("csv") ? Form::kCsv
                                           : Form::kLines;
  if (form == Form::kCsv) context.console.out(head_line());
  // The newest came first; people read downwards.
  const std::int64_t last = show(*answer, true, form, context);
  const std::int64_t behind = integer_in(*answer, "last") - integer_in(*answer, "wordedTo");
  if (arguments.has("grep") && behind > 0)
    context.console.err(std::to_string(behind) +
                        " rows are not in the index of words yet, and were looked through\n");
  if (!arguments.has("follow")) return kDone;
  return follow(*client, *query, std::max(last, integer_in(*answer, "last")), form, context);
}

// What was decided then and why, as the record has it.
int explain(const Arguments& arguments, Context& context) {
  Result<GateClient> client = GateClient::open(arguments, context);
  if (!client) return complain(context, client.error());
  const Result<Value> row = client->call("GET", "/api/audit/" + escaped(arguments.words[1]));
  if (!row) return complain(context, row.error());
  if (arguments.has("json")) {
    context.console.out(json_line(*row));
    return kDone;
  }
  context.console.out(line_of(*row));
  const std::string& explanation = member_of(*row, "explanation").as_string();
  // Its own line breaks stay; the daemon has made everything in it visible.
  context.console.out(explanation.empty()
                          ? json::write_pretty(without_ids(member_of(*row, "record")))
                          : "\n" + explanation);
  return kDone;
}

struct Act {
  std::string_view name;
  std::size_t words;  // with its own, at most
  std::size_t least;
  int (*run)(const Arguments&, Context&);
};
constexpr Act kActs[] = {
    {"explain", 2, 2, explain},
    {"verify", 2, 1, log_verify},
    {"export", 2, 2, log_export},
};

}  // namespace

Result<std::int64_t> moment_in(const Arguments& arguments, std::string_view option,
                               std::int64_t otherwise) {
  if (!arguments.has(option)) return otherwise;
  const std::optional<std::int64_t> moment = moment_of(arguments.get(option));
  if (moment) return *moment;
  return Fail(error_of("bad-usage", "`" + arguments.get(option) + "` is no time",
                       "write 2026-03-02T10:00:00Z or 2h"));
}

const Shape kLogShape = {
    .usage =
        "[--since TIME] [--agent NAME] [--verdict VERDICT] [--tool NAME] [--grep TEXT] [--follow]\n"
        "explain NUMBER\n"
        "verify [FILE]\n"
        "export FILE [--since TIME] [--until TIME]",
    .about =
        "Shows the record of calls, questions, answers and acts; `explain` re-tells one decision.\n"
        "Both ask for a credential. `verify` checks the chain of the record, in the store or in a\n"
        "FILE that `export` wrote, and says what is attested; both need no daemon. Its exit "
        "status\n"
        "is 1 where the chain does not hold.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 2,
    .examples =
        "tollgate log --since 2h --verdict deny\n"
        "tollgate log --grep 'git push' --json\n"
        "tollgate log explain 1204\n"
        "tollgate log verify --anchors /var/log/tollgate-heads",
};

int run_log(const Arguments& arguments, Context& context) {
  if (arguments.words.empty()) return list(arguments, context);
  for (const Act& act : kActs)
    if (arguments.words[0] == act.name && arguments.words.size() >= act.least &&
        arguments.words.size() <= act.words)
      return act.run(arguments, context);
  return complain(
      context,
      error_of("bad-usage", "`tollgate log` does not know that", "see `tollgate log --help`"),
      kUsedWrongly);
}

}  // namespace tollgate::cli
