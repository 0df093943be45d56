// SAFETY: from the first line on there is a last word, and no way out of here is silent.
#include "hook/process.h"

#include "core/tool_call.h"
#include "hook/command_line.h"
#include "os/last_word.h"
#include "os/streams.h"
#include "protocol/payload.h"

namespace tollgate::hook {
namespace {

HookReply refuse(const Dialect* dialect, const std::string& reason) {
  return dialect != nullptr ? dialect->refuse(reason) : block(reason);
}

constexpr int kBlocks = 2;  // the status that every client takes for a no

// An answer that the client cannot read is none: then the status has to block. Some clients heed
// it only where there is a reason as well.
int say(const HookReply& reply) {
  if (!os::write_output(reply.out)) {
    static_cast<void>(os::write_error(
        "Tollgate: the answer could not be written to standard output, so the call is blocked\n"));
    return kBlocks;
  }
  return os::write_error(reply.err) ? reply.status : kBlocks;
}

}  // namespace

int run(std::span<const std::string> words, const Place& place, const PolicySource& source,
        const Otherwise& otherwise, Leave leave) {
  if (!os::keep_standard_numbers()) return kBlocks;
  CommandLine line;
  const Result<void> read = read_command_line(words, line);
  const Dialect* dialect = dialect_named(line.provider);
  HookReply last = refuse(dialect,
                          "Tollgate: the gate failed or took too long, so the call is "
                          "blocked; retry it once, then leave it");
  os::set_last_word({std::move(last.out), std::move(last.err), last.status, kBlocks});
  os::set_deadline(deadline_of(line));
  line.registration.within = patience_of(line);
  if (!read) return say(refuse(dialect, told(read.error())));
  const Result<std::string> payload = os::read_input(kMaxCallBytes);
  if (!payload) return say(refuse(dialect, told(payload.error())));
  Place here = place;
  if (leave != nullptr) here.at_reply = [leave](const HookReply& reply) { leave(say(reply)); };
  if (const std::optional<HookReply> reply = answer(*payload, line.registration, here, source))
    return say(*reply);
  return say(refuse(dialect, told(otherwise(*payload))));
}

}  // namespace tollgate::hook
