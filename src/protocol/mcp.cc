// Chooses the era of a request, and takes batches apart.
// The methods are in mcp_legacy.cc and mcp_modern.cc; nothing here knows what a method does.
// SAFETY: a request whose header names no version that is spoken here reaches no method.
#include "protocol/mcp.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "protocol/mcp_headers.h"
#include "protocol/mcp_methods.h"

namespace tollgate {
namespace {

using namespace mcp_code;

constexpr std::array<std::string_view, 4> kLegacy = {kMcpNewestLegacy, "2025-06-18", kMcpBatches,
                                                     "2024-11-05"};

// An answer that is no message of the protocol: the request never got that far.
HttpOut refused(int status, std::string message) {
  return json_reply(error_message({}, {kInvalidRequest, std::move(message), {}}), status);
}

HttpOut reply_of(const McpReply& reply, const McpSource& source) {
  if (reply.message.is_null()) return accepted();
  return source.accepts_json ? json_reply(reply.message, reply.status)
                             : event_reply(reply.message, reply.status);
}

McpReply reply_to(const RpcRefusal& refusal, McpEra era) {
  // Without an id there is no request that could have an answer of its own.
  return {.message = error_message(refusal.id, refusal.error),
          .status = refusal.id.is_null() ? 400 : status_of(era, refusal.error.code)};
}

McpTurn turn_of(McpPart part, const McpSource& source) {
  if (auto* call = std::get_if<McpCall>(&part)) return std::move(*call);
  if (auto* cancelled = std::get_if<McpCancelled>(&part)) return std::move(*cancelled);
  if (auto* response = std::get_if<McpResponse>(&part)) return std::move(*response);
  return reply_of(std::get<McpReply>(part), source);
}

McpPart part_of(RpcMessage message, const McpSource& source, McpEra era) {
  RpcResult<McpPart> part = era == McpEra::kModern ? modern_part(message, source)
                                                   : legacy_part(std::move(message), source);
  return part ? std::move(*part) : McpPart(reply_to(part.error(), era));
}

McpPart batch_part(const json::Value& value, const McpSource& source) {
  RpcResult<RpcMessage> message = rpc_message(value);
  if (!message) return reply_to(message.error(), McpEra::kLegacy);
  if (message->method == "initialize" || is_modern(*message)) {
    const McpError error{kInvalidRequest, "this may not be part of a batch", {}};
    return reply_to({message->id, error}, McpEra::kLegacy);
  }
  return part_of(std::move(*message), source, McpEra::kLegacy);
}

McpTurn batch_turn(const json::Value& value, const McpSource& source) {
  if (source.version != kMcpBatches)
    return refused(400, "batches exist in version 2025-03-26 only");
  const std::vector<json::Value>& items = value.items();
  if (items.empty() || items.size() > kMaxMcpBatch)
    return refused(400, "a batch has between 1 and " + std::to_string(kMaxMcpBatch) + " messages");
  McpBatch batch{
      .parts = {}, .accepts_sse = source.accepts_sse, .accepts_json = source.accepts_json};
  for (const json::Value& item : items) batch.parts.push_back(batch_part(item, source));
  return batch;
}

// What `_meta` says where the header names a legacy version, or there is none: nothing, or the
// same.
bool agrees(const RpcMessage& message, const HeaderValue& header) {
  const json::Value* stated = stated_version(message);
  return stated == nullptr || header.says(stated->as_string());
}

McpEra era_of(const RpcMessage& message, const HeaderValue& header) {
  const bool legacy_header = header.missing() || is_legacy_mcp(header.text);
  return !legacy_header || is_modern(message) || !agrees(message, header) ? McpEra::kModern
                                                                          : McpEra::kLegacy;
}

McpTurn posted(const HttpIn& in, McpSource source) {
  RpcResult<json::Value> value = parse_rpc(in.body);
  if (!value) return reply_of(reply_to(value.error(), McpEra::kLegacy), source);
  const HeaderValue header = header_of(in, "mcp-protocol-version");
  source.version = header.missing() ? std::string(kMcpBatches) : header.text;
  if (value->is_array()) return batch_turn(*value, source);
  RpcResult<RpcMessage> message = rpc_message(std::move(*value));
  if (!message) {
    const bool legacy = header.missing() || is_legacy_mcp(header.text);
    return reply_of(reply_to(message.error(), legacy ? McpEra::kLegacy : McpEra::kModern), source);
  }
  const McpEra era = era_of(*message, header);
  return turn_of(part_of(std::move(*message), source, era), source);
}

// The version that an answer to `initialize` settled.
std::string settled_version(const McpPart& part) {
  const auto* reply = std::get_if<McpReply>(&part);
  const json::Value* result = reply == nullptr ? nullptr : reply->message.find("result");
  const json::Value* version = member(result, "protocolVersion");
  return version == nullptr ? "" : version->as_string();
}

}  // namespace

McpTurn read_mcp(const HttpIn& in, const McpServer& server) {
  if (in.method != "POST") {
    HttpOut out = refused(405, "only POST is served here");
    out.headers.emplace_back("Allow", "POST");
    return out;
  }
  const Accepted accepts = accepted_by(in);
  if (!accepts.json && !accepts.events)
    return refused(406, "accept application/json and text/event-stream");
  if (!is_json_body(in)) return refused(415, "send application/json");
  return posted(in, {.server = server,
                     .http = &in,
                     .version = {},
                     .accepts_sse = accepts.events,
                     .accepts_json = accepts.json});
}

McpTurn read_mcp_line(std::string_view line, const McpServer& server, std::string& version) {
  line = trim(line);
  if (line.empty()) return accepted();
  McpSource source{.server = server, .http = nullptr, .version = version};
  RpcResult<json::Value> value = parse_rpc(line);
  if (!value) return reply_of(reply_to(value.error(), McpEra::kLegacy), source);
  if (value->is_array()) return batch_turn(*value, source);
  RpcResult<RpcMessage> message = rpc_message(std::move(*value));
  if (!message) return reply_of(reply_to(message.error(), McpEra::kLegacy), source);
  const McpEra era = is_modern(*message) ? McpEra::kModern : McpEra::kLegacy;
  const bool begins = message->method == "initialize";
  McpPart part = part_of(std::move(*message), source, era);
  if (begins) version = settled_version(part);
  return turn_of(std::move(part), source);
}

std::vector<std::string_view> mcp_versions() {
  std::vector<std::string_view> out = {kMcpModern};
  out.insert(out.end(), kLegacy.begin(), kLegacy.end());
  return out;
}

bool is_legacy_mcp(std::string_view version) {
  return std::ranges::find(kLegacy, version) != kLegacy.end();
}

}  // namespace tollgate
