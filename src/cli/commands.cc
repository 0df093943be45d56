// The table of verbs, and the way from a command line to one of them.
// To add a verb: a row here, a file <verb>.cc, a folder of scripts in tests/cli.
#include "cli/commands.h"

#include <algorithm>

#include "base/edit_distance.h"
#include "base/text.h"
#include "cli/version.h"
#include "explain/layout.h"
#include "os/files.h"

namespace tollgate::cli {
namespace {

struct Row {
  std::string_view verb;
  std::string_view summary;
  const Shape* shape;
  int (*run)(const Arguments&, Context&);
};

constexpr Row kCommands[] = {
    {"eval", "judge a tool call, or one a line", &kEvalShape, run_eval},
    {"explain", "say why, and what would change the answer", &kExplainShape, run_explain},
    {"check", "find what is wrong with a configuration", &kCheckShape, run_check},
    {"lint", "find rules that are probably not what you want", &kLintShape, run_lint},
    {"test", "run decision cases", &kTestShape, run_test},
    {"fmt", "lay out a configuration", &kFmtShape, run_fmt},
    {"init", "write a first configuration", &kInitShape, run_init},
    {"trust", "trust a project's configuration", &kTrustShape, run_trust},
    {"compile", "compile the configuration, or translate it for a client", &kCompileShape,
     run_compile},
    {"install", "register the hook with a client", &kInstallShape, run_install},
    {"uninstall", "take it out of a client's settings", &kUninstallShape, run_uninstall},
    {"doctor", "find what is open with the clients here", &kDoctorShape, run_doctor},
    {"hook", "answer a client's hook", &kHookShape, nullptr},
    {"serve", "run the daemon that people answer through", &kServeShape, run_serve},
    {"mcp", "the permission server over standard input and output", &kMcpShape, run_mcp},
    {"top", "the dashboard: questions, sessions, history", &kTopShape, run_top},
    {"pending", "list the questions that are open", &kPendingShape, run_pending},
    {"approve", "allow what a question is about", &kApproveShape, run_approve},
    {"deny", "refuse it", &kDenyShape, run_deny},
    {"sessions", "list, open, change and end sessions", &kSessionsShape, run_sessions},
    {"grants", "list and revoke what answers have taught", &kGrantsShape, run_grants},
    {"log", "show the record, check its chain, export it", &kLogShape, run_log},
    {"replay", "judge the record by another configuration", &kReplayShape, run_replay},
    {"approver", "make, list and revoke credentials", &kApproverShape, run_approver},
    {"pair", "pair a phone by a code, make a certificate for it", &kPairShape, run_pair},
    {"db", "copy the store, put a copy back, look through it", &kDbShape, run_db},
    {"freeze", "deny everything until it is lifted", &kFreezeShape, run_freeze},
    {"tools", "list tools and their names", &kToolsShape, run_tools},
    {"schema", "print a JSON Schema", &kSchemaShape, run_schema},
};

std::string overview() {
  std::string out =
      "usage: tollgate COMMAND [ARGUMENT…]\n\n"
      "A permission gate for the tool calls of AI agents.\n\n";
  for (const Row& row : kCommands) {
    std::string verb(row.verb);
    verb.resize(10, ' ');
    out += "  " + verb + std::string(row.summary) + "\n";
  }
  out +=
      "\n  tollgate COMMAND --help   how a command is used\n"
      "  tollgate --version        which version this is\n";
  return out;
}

const Row* row_of(std::string_view verb) {
  const auto* found = std::ranges::find(kCommands, verb, &Row::verb);
  return found == std::end(kCommands) ? nullptr : found;
}

int unknown_verb(std::string_view verb, Context& context) {
  std::vector<std::string_view> known;
  for (const Row& row : kCommands) known.push_back(row.verb);
  return complain(context,
                  {.code = "bad-usage",
                   .message = "unknown command `" + shortened(verb) + "`",
                   .hint = did_you_mean(verb, "commands", known),
                   .where = {}},
                  kUsedWrongly);
}

// `--help` before `--` wins over everything else, also over mistakes.
bool wants_help(std::span<const std::string> given) {
  for (const std::string& word : given) {
    if (word == "--") return false;
    if (word == "--help" || word == "-h") return true;
  }
  return false;
}

int say_help(std::span<const std::string> about, Context& context) {
  if (about.empty()) {
    context.console.out(overview());
    return kDone;
  }
  const Row* row = row_of(about[0]);
  if (row == nullptr) return unknown_verb(about[0], context);
  context.console.out(help_text(row->verb, *row->shape));
  return kDone;
}

}  // namespace

int complain(Context& context, const Error& error, int status) {
  const Diagnostic diagnostic{Severity::kError, error};
  context.console.err(render(near_path(diagnostic, os::current_directory().value_or(""))));
  return status;
}

Error error_of(std::string code, std::string message, std::string hint) {
  return {
      .code = std::move(code), .message = std::move(message), .hint = std::move(hint), .where = {}};
}

bool person_agrees(const std::string& question, Context& context) {
  context.console.out("\n" + question + " [y/N] ");
  context.console.flush();
  std::string answer;
  if (context.console.read_line(answer, 100) != Heard::kLine) return false;
  const std::string word = lower(trim(answer));
  return word == "y" || word == "yes";
}

int run(std::span<const std::string> arguments, Context& context) {
  if (arguments.empty()) return say_help({}, context);
  const std::string& verb = arguments[0];
  const auto rest = arguments.subspan(1);
  if (verb == "help") return say_help(rest, context);
  if (verb == "--help" || verb == "-h") return say_help({}, context);
  if (verb == "--version") {
    context.console.out("tollgate " + std::string(kVersion) + "\n");
    return kDone;
  }
  const Row* row = row_of(verb);
  if (row == nullptr) return unknown_verb(verb, context);
  if (wants_help(rest)) return say_help(arguments.first(1), context);
  if (row->run == nullptr) return run_hook(rest, context);
  const Result<Arguments> parsed = parse_arguments(*row->shape, verb, rest);
  if (!parsed) return complain(context, parsed.error(), kUsedWrongly);
  return row->run(*parsed, context);
}

}  // namespace tollgate::cli
