// `tollgate eval`: what the gate says of one call, or of one call a line.
// The exit status of a single call is its verdict; a stream of calls always ends with 0.
// SAFETY: a line that cannot be read is answered with deny, and the next line is read.
#include <utility>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/local_gate.h"
#include "explain/call_text.h"
#include "explain/layout.h"
#include "protocol/generic.h"

namespace tollgate::cli {
namespace {

constexpr auto kOptions =
    with_gate_options(Option{"jsonl", "", "read one JSON object a line, answer one a line"},
                      Option{"json", "", "answer with one line of JSON"});

int status_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAllow:
      return 0;
    case Verdict::kAsk:
      return 10;
    case Verdict::kDeny:
      break;
  }
  return 20;
}

// What a reason points at: its rule and place, or the part of the call that nothing covers.
std::string pointer(const Reason& reason, const std::string& text, const std::string& here) {
  std::string out = visible(reason.rule);
  if (reason.kind != ReasonKind::kRule && reason.kind != ReasonKind::kDefault)
    out = std::string(name(reason.kind)) + (out.empty() ? "" : " " + out);
  if (!reason.source.empty() && reason.source != "built-in")
    out += (out.empty() ? "" : ", ") + visible(near_path(reason.source, here));
  const std::string part(slice(text, reason.span));
  const bool told = reason.text.find("`" + part + "`") != reason.text.npos;
  if (out.empty() && !part.empty() && !told) out = visible_start(part, 80);
  return out.empty() ? "" : " (" + out + ")";
}

std::string human_line(const AuditRecord& record, const LocalGate& gate, const Paint& paint) {
  const Decision& decision = record.decision;
  const json::Value* main = record.call.input.find(main_field(record.call, gate.policy().tools()));
  const std::string text = main == nullptr ? "" : main->as_string();
  std::string line =
      paint.verdict(decision.verdict, padded(std::string(name(decision.verdict)), 5));
  if (decision.reasons.empty()) return line + "\n";
  const Reason& reason = decision.reasons.front();
  line += "  " + visible(reason.text) + pointer(reason, text, gate.here());
  if (decision.reasons.size() > 1)
    line += paint.faint(", and " + std::to_string(decision.reasons.size() - 1) + " more");
  return line + "\n";
}

void say_errors(const LocalGate& gate, Context& context) {
  if (!gate.policy().broken()) return;
  for (const Diagnostic& diagnostic : gate.diagnostics())
    if (diagnostic.severity == Severity::kError)
      context.console.err(render(near_path(diagnostic, gate.here())));
}

int eval_one(const Arguments& arguments, LocalGate& gate, Context& context) {
  const std::string& tool = arguments.words[0];
  const std::string text = arguments.words.size() > 1 ? arguments.words[1] : "";
  Result<json::Value> input = input_of(tool, text, gate.policy().tools());
  if (!input) return complain(context, input.error(), kUsedWrongly);
  const AuditRecord record = gate.settle(call_of(tool, std::move(*input)), Detail::kVerdict);
  if (arguments.has("json"))
    context.console.out(encode_generic({}, record.decision, record.effects) + "\n");
  else
    context.console.out(human_line(record, gate, Paint(context.console.screen().color)));
  return status_of(record.decision.verdict);
}

AuditRecord eval_line(const std::string& line, LocalGate& gate) {
  Result<ToolCall> call = decode_generic(line);
  if (!call) return gate.refuse(call.error());
  // The person who runs this says the mode, line by line: it is no client's claim.
  const std::optional<Mode> mode = mode_named(std::exchange(call->client_mode, ""));
  return gate.settle(std::move(*call), Detail::kVerdict, mode);
}

int eval_lines(LocalGate& gate, Context& context) {
  const Error too_long{
      .code = "malformed-call",
      .message = "the line is longer than " + std::to_string(kMaxCallBytes) + " bytes",
      .hint = "send a shorter call",
      .where = {}};
  std::string line;
  for (;;) {
    const Heard heard = context.console.read_line(line, kMaxCallBytes);
    if (heard == Heard::kEnd) return kDone;
    const bool whole = heard == Heard::kLine;
    const AuditRecord record = whole ? eval_line(line, gate) : gate.refuse(too_long);
    const json::Value id = whole ? generic_id(line) : json::Value();
    context.console.out(encode_generic(id, record.decision, record.effects) + "\n");
    if (!context.console.flush()) return kFailed;
  }
}

}  // namespace

const Shape kEvalShape = {
    .usage = "[OPTION…] TOOL [TEXT]\n[OPTION…] --jsonl",
    .about =
        "Says what the gate would answer to a tool call, without running or recording it.\n"
        "TEXT is the tool's main text (a command, a path, a URL), or its whole input as a JSON\n"
        "object. The exit status is the verdict: 0 allow, 10 ask, 20 deny.\n\n"
        "With --jsonl each line of standard input is a call {\"tool\", \"input\"}, perhaps with\n"
        "\"cwd\", \"agent\", \"mode\" and \"id\"; a line that is none is denied. The exit status "
        "is 0.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 2,
    .examples =
        "tollgate eval Bash 'git push --force'\n"
        "tollgate eval --mode plan Write src/main.c\n"
        "tollgate eval --json mcp__github__merge_pull_request '{\"repo\": \"acme/shop\"}'\n"
        "tollgate eval --jsonl < calls.jsonl",
};

int run_eval(const Arguments& arguments, Context& context) {
  const bool lines = arguments.has("jsonl");
  if (lines != arguments.words.empty())
    return complain(context,
                    {.code = "bad-usage",
                     .message = lines ? "`--jsonl` reads its calls from standard input"
                                      : "there is no tool call to judge",
                     .hint = lines ? "leave TOOL and TEXT out"
                                   : "name a tool and its text: tollgate eval Bash 'git status'",
                     .where = {}},
                    kUsedWrongly);
  Result<LocalGate> gate = LocalGate::open(arguments, context, PolicyFrom::kSnapshotOrFiles);
  if (!gate) return complain(context, gate.error(), kUsedWrongly);
  say_errors(*gate, context);
  return lines ? eval_lines(*gate, context) : eval_one(arguments, *gate, context);
}

}  // namespace tollgate::cli
