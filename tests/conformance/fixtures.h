// The tools and prompts that the conformance suite of MCP calls by name, besides the gate's own.
// What they do is written in the suite; how bytes travel is the business of whoever runs them.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "conformance/request_state.h"
#include "protocol/mcp.h"
#include "protocol/mcp_reply.h"

namespace tollgate::conformance {

// The way to the client while a call runs.
class Line {
 public:
  virtual ~Line() = default;
  virtual void tell(const json::Value& message) = 0;
  // A request of the server's own; nothing where no answer came. Legacy only.
  virtual std::optional<json::Value> ask(std::string_view method, json::Value params) = 0;
};

using Outcome = std::variant<json::Value, McpError>;

// The gate's tools; and the same with the suite's behind them.
McpServer plain_server();
McpServer fixture_server();

class Fixtures {
 public:
  explicit Fixtures(std::string key) : states_(std::move(key)) {}

  // From any thread.
  Outcome run(const McpCall& call, Line& line);

 private:
  Outcome with_input(const McpCall& call);

  std::mutex mutex_;
  RequestStates states_;
};

}  // namespace tollgate::conformance
