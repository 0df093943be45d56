// Any bytes as requests and as frames of a web socket: what comes out does not depend on how the
// bytes were cut into pieces, keeps its limits, and never holds what a header may not.
// The first byte says how long the pieces are.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/scenes.h"
#include "server/transport/frames.h"
#include "server/transport/request_reader.h"

namespace {

using namespace tollgate::server;
using tollgate::fuzz::require;

constexpr RequestReader::Limits kLimits = {.header_bytes = 512, .body_bytes = 256};

std::string shown(const Request& request) {
  std::string out = request.method + " " + request.target + "\n";
  for (const std::string& segment : request.segments) {
    require(segment != ".." && segment.find('/') == segment.npos);
    out += "/" + segment;
  }
  for (const auto& [name, value] : request.headers) {
    require(value.find_first_of("\r\n") == value.npos && value.find('\0') == value.npos);
    out += name + ": " + value + "\n";
  }
  require(request.header("host").has_value() && request.body.size() <= kLimits.body_bytes);
  return out + request.body + "\n";
}

std::string requests_in(std::string_view bytes, std::size_t step) {
  RequestReader reader(kLimits);
  std::string out;
  while (!bytes.empty()) {
    const std::size_t used = reader.feed(bytes.substr(0, step));
    require(used > 0 || reader.done() || reader.refusal());
    bytes.remove_prefix(used);
    if (reader.refusal()) return out + std::to_string(reader.refusal()->status);
    if (reader.done()) out += shown(reader.take());
  }
  return out;
}

std::string frames_in(std::string_view bytes, std::size_t step) {
  FrameReader reader(256);
  std::string out;
  while (!bytes.empty()) {
    std::string_view piece = bytes.substr(0, step);
    bytes.remove_prefix(piece.size());
    while (const std::optional<Frame> frame = reader.next(piece)) {
      require(frame->bytes.size() <= 256);
      out += std::to_string(static_cast<int>(frame->kind)) + " " + std::to_string(frame->code) +
             " " + frame->bytes + "\n";
      if (frame->kind == FrameKind::kWrong) return out;
    }
  }
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size < 2) return 0;
  const std::size_t step = std::max<std::size_t>(bytes[0], 1);
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 1, size - 1);
  require(requests_in(text, step) == requests_in(text, text.size()));
  require(frames_in(text, step) == frames_in(text, text.size()));
  return 0;
}
