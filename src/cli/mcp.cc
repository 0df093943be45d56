// `tollgate mcp --stdio`: the daemon's permission server for clients that start their servers.
// Each line goes to the daemon as one request and what comes back goes out as lines; the session
// is named by a variable or a file, never by an argument.
// SAFETY: where the daemon cannot be reached a request gets an error, which clients take for a no.
#include "protocol/mcp.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/gate_client.h"
#include "cli/local_gate.h"
#include "cli/registration.h"
#include "hook/daemon.h"
#include "json/json.h"
#include "os/files.h"
#include "protocol/mcp_reply.h"
#include "server/client.h"

namespace tollgate::cli {
namespace {

using json::Value;

constexpr std::array<Option, 3> kOptions = {{
    {"stdio", "", "speak over standard input and output (the only way there is)"},
    {"session-file", "FILE", "read the session's id from this file of yours"},
    kDataOption,
}};

// LIMIT: lines that wait for the daemon at once; the next is refused.
constexpr int kMostWaiting = 256;
constexpr std::size_t kMostLine = 4u << 20;
constexpr std::int64_t kPatience = 60'000;  // between two signs of life, of which there are many

Result<std::string> session_of(const Arguments& arguments, const Context& context) {
  if (!arguments.has("session-file")) {
    if (const auto id = context.environment.get_filled("TOLLGATE_SESSION")) return *id;
    return Fail(error_of("unknown-session", "no session is named",
                         "set TOLLGATE_SESSION, or name a file with --session-file"));
  }
  const Result<std::string> path = absolute_here(arguments.get("session-file"));
  if (!path) return Fail(path.error());
  const Result<os::FileText> file = os::read_stamped(*path, 4'096);
  if (!file) return Fail(file.error());
  if ((file->stamp.mode & 077) != 0)
    return Fail(error_of("unknown-session", "others may read `" + *path + "`",
                         "the id of a session is a secret: chmod 600 the file"));
  return std::string(trim(file->text));
}

// What all threads share; it lives as long as the last of them.
struct Bridge {
  std::string socket;
  std::string target;
  std::mutex mutex;
  Console* console = nullptr;  // GUARDED_BY(mutex); nothing once the client has gone
  std::string version;         // GUARDED_BY(mutex); what `initialize` settled
  std::atomic<int> waiting = 0;

  void say(const std::string& line) {
    const std::scoped_lock lock(mutex);
    if (console == nullptr) return;
    console->out(line + "\n");
    console->flush();
  }
  void end() {
    const std::scoped_lock lock(mutex);
    console = nullptr;
  }
};

// The headers that say over HTTP what the message says of itself.
std::vector<std::pair<std::string, std::string>> headers_of(Bridge& bridge, const Value& message) {
  std::vector<std::pair<std::string, std::string>> headers = {
      {"Content-Type", "application/json"}, {"Accept", "application/json, text/event-stream"}};
  const std::string method = member_of(message, "method").as_string();
  const Value& params = member_of(message, "params");
  const std::string modern =
      member_of(member_of(params, "_meta"), "io.modelcontextprotocol/protocolVersion").as_string();
  if (!modern.empty()) {
    headers.emplace_back("MCP-Protocol-Version", modern);
    headers.emplace_back("Mcp-Method", method);
    const std::string name = member_of(params, "name").as_string();
    if (!name.empty()) headers.emplace_back("Mcp-Name", name);
    return headers;
  }
  const std::scoped_lock lock(bridge.mutex);
  if (method != "initialize" && !bridge.version.empty())
    headers.emplace_back("MCP-Protocol-Version", bridge.version);
  return headers;
}

void note_version(Bridge& bridge, const Value& message, const std::string& answer) {
  if (member_of(message, "method").as_string() != "initialize") return;
  const Result<Value> value = json::parse(answer);
  if (!value) return;
  const std::scoped_lock lock(bridge.mutex);
  bridge.version = member_of(member_of(*value, "result"), "protocolVersion").as_string();
}

void fail(Bridge& bridge, const Value& id, const std::string& why) {
  if (id.is_null()) return;
  bridge.say(
      json::write(error_message(id, {.code = mcp_code::kInternal, .message = why, .data = {}})));
}

Result<void> relay_events(Bridge& bridge, server::ClientStream& stream) {
  server::EventReader events;
  for (;;) {
    Result<std::optional<std::string>> bytes = stream.next(kPatience);
    if (!bytes) return Fail(bytes.error());
    if (!*bytes) return {};
    events.feed(**bytes);
    while (const std::optional<server::ServerEvent> event = events.next())
      if (!event->data.empty()) bridge.say(event->data);
  }
}

Result<std::string> whole_body(server::ClientStream& stream) {
  std::string body;
  for (;;) {
    Result<std::optional<std::string>> bytes = stream.next(kPatience);
    if (!bytes) return Fail(bytes.error());
    if (!*bytes) return body;
    body += **bytes;
  }
}

void relay(Bridge& bridge, const std::string& line, const Value& message) {
  const Value& id = member_of(message, "id");
  server::ClientRequest request;
  request.local_socket = bridge.socket;
  request.method = "POST";
  request.target = bridge.target;
  request.headers = headers_of(bridge, message);
  request.body = line;
  request.within_ms = kPatience;
  Result<server::ClientStream> stream = server::ClientStream::open(request);
  if (!stream) return fail(bridge, id, "the gate cannot be reached: " + stream.error().message);
  const server::Response& head = stream->head();
  bool is_stream = false;
  for (const auto& [name, value] : head.headers)
    if (name == "content-type" && value.starts_with("text/event-stream")) is_stream = true;
  if (is_stream) {
    if (const Result<void> done = relay_events(bridge, *stream); !done)
      fail(bridge, id, "the gate did not answer: " + done.error().message);
    return;
  }
  const Result<std::string> body = whole_body(*stream);
  if (!body) return fail(bridge, id, "the gate did not answer: " + body.error().message);
  if (head.status == 404) return fail(bridge, id, "the gate knows no such session");
  if (body->empty()) return;
  note_version(bridge, message, *body);
  bridge.say(*body);
}

}  // namespace

const Shape kMcpShape = {
    .usage = "--stdio [--session-file FILE] [--data DIR]",
    .about =
        "The daemon's permission server over standard input and output, for clients that start\n"
        "their MCP servers. The session is the one in TOLLGATE_SESSION or in a file of yours: its\n"
        "id is a secret and no argument.",
    .options = kOptions,
    .least_words = 0,
    .most_words = 0,
    .examples = "TOLLGATE_SESSION=… tollgate mcp --stdio",
};

int run_mcp(const Arguments& arguments, Context& context) {
  if (!arguments.has("stdio"))
    return complain(context,
                    error_of("bad-usage", "`tollgate mcp` needs --stdio",
                             "over HTTP the daemon itself is the server"),
                    kUsedWrongly);
  const Result<std::string> session = session_of(arguments, context);
  if (!session) return complain(context, session.error());
  const Result<std::string> data = data_dir_of(arguments, context);
  if (!data) return complain(context, data.error());
  const auto bridge = std::make_shared<Bridge>();
  bridge->socket = hook::socket_in(*data);
  bridge->target = "/mcp/" + escaped(*session);
  bridge->console = &context.console;
  std::string line;
  for (;;) {
    const Heard heard = context.console.read_line(line, kMostLine);
    if (heard == Heard::kEnd) {
      bridge->end();
      return kDone;
    }
    if (heard == Heard::kTooLong || trim(line).empty()) continue;
    Result<Value> message = json::parse(line);
    const Value id = message ? member_of(*message, "id") : Value();
    // What starts a conversation is answered in its order; calls may overtake one another.
    const bool is_call = message && member_of(*message, "method").as_string() == "tools/call";
    if (!is_call) {
      relay(*bridge, line, message ? *message : Value());
      continue;
    }
    if (++bridge->waiting > kMostWaiting) {
      --bridge->waiting;
      fail(*bridge, id, "too many calls are waiting");
      continue;
    }
    std::thread([bridge, line, message = std::move(*message)] {
      relay(*bridge, line, message);
      --bridge->waiting;
    }).detach();
  }
}

}  // namespace tollgate::cli
