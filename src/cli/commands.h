// Every verb of `tollgate`: its shape and the function that runs it.
// commands.cc is the table; each verb has a file of its own.
// A command returns its exit status: 0 done, 1 it failed, 2 it was used wrongly; eval has its own.
#pragma once

#include <span>
#include <string>

#include "base/error.h"
#include "cli/arguments.h"
#include "cli/console.h"
#include "os/environment.h"

namespace tollgate::cli {

// What a command may look at besides its arguments.
struct Context {
  Console& console;
  const os::Environment& environment;
  std::string program;  // where this program lies, "" when that cannot be told
  std::string managed_file = "/etc/tollgate/tollgate.yaml";
};

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kUsedWrongly = 2;

// `arguments` is what follows the program's name.
int run(std::span<const std::string> arguments, Context& context);

// Says an error in the usual layout on standard error; gives `status` back.
int complain(Context& context, const Error& error, int status = kFailed);

// An error that stands at no place in a file.
Error error_of(std::string code, std::string message, std::string hint);

// Asks on the terminal; anything but a clear yes is a no.
bool person_agrees(const std::string& question, Context& context);

extern const Shape kApproveShape, kApproverShape, kCheckShape, kCompileShape, kDenyShape, kDbShape,
    kDoctorShape, kEvalShape, kExplainShape, kFmtShape, kFreezeShape, kGrantsShape, kHookShape,
    kInitShape, kInstallShape, kLintShape, kLogShape, kMcpShape, kPairShape, kPendingShape,
    kReplayShape, kSchemaShape, kServeShape, kSessionsShape, kTestShape, kToolsShape, kTopShape,
    kTrustShape, kUninstallShape;

int run_approve(const Arguments& arguments, Context& context);
int run_approver(const Arguments& arguments, Context& context);
int run_check(const Arguments& arguments, Context& context);
int run_compile(const Arguments& arguments, Context& context);
int run_db(const Arguments& arguments, Context& context);
int run_deny(const Arguments& arguments, Context& context);
int run_doctor(const Arguments& arguments, Context& context);
int run_eval(const Arguments& arguments, Context& context);
int run_explain(const Arguments& arguments, Context& context);
int run_fmt(const Arguments& arguments, Context& context);
int run_freeze(const Arguments& arguments, Context& context);
int run_grants(const Arguments& arguments, Context& context);
// Takes the words as they stand; see cli/hook.cc.
int run_hook(std::span<const std::string> words, Context& context);
int run_init(const Arguments& arguments, Context& context);
int run_install(const Arguments& arguments, Context& context);
int run_lint(const Arguments& arguments, Context& context);
int run_log(const Arguments& arguments, Context& context);
int run_mcp(const Arguments& arguments, Context& context);
int run_pair(const Arguments& arguments, Context& context);
int run_pending(const Arguments& arguments, Context& context);
int run_replay(const Arguments& arguments, Context& context);
int run_schema(const Arguments& arguments, Context& context);
int run_serve(const Arguments& arguments, Context& context);
int run_sessions(const Arguments& arguments, Context& context);
int run_test(const Arguments& arguments, Context& context);
int run_tools(const Arguments& arguments, Context& context);
int run_top(const Arguments& arguments, Context& context);
int run_trust(const Arguments& arguments, Context& context);
int run_uninstall(const Arguments& arguments, Context& context);

}  // namespace tollgate::cli
