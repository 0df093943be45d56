// A head that comes at once is read where it lies; only one in pieces is copied together.
#include "server/transport/request_reader.h"

#include <algorithm>

#include "base/text.h"
#include "server/target.h"

namespace tollgate::server {
namespace {

constexpr std::string_view kMalformed = "malformed-request";
constexpr std::string_view kTooLarge = "request-too-large";
constexpr std::size_t kMostMethod = 24;
// A body is not given room before it comes, but for what most of them need.
constexpr std::size_t kFirstRoom = 64u << 10;

bool is_method(std::string_view text) {
  return !text.empty() && text.size() <= kMostMethod &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

}  // namespace

std::size_t RequestReader::feed(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size() && !done_ && !refusal_) {
    const std::string_view rest = bytes.substr(used);
    used += has_head_ ? feed_body(rest) : feed_head(rest);
  }
  return used;
}

std::size_t RequestReader::feed_head(std::string_view bytes) {
  // An empty line before a request is forgiven, as the standard asks.
  if (!started_ && bytes[0] == (in_empty_line_ ? '\n' : '\r')) {
    in_empty_line_ = !in_empty_line_;
    return 1;
  }
  const std::size_t before = partial_.size();
  if (!started_ && (in_empty_line_ || !is_token(bytes.substr(0, 1))))
    malformed("the request does not begin with a method");
  started_ = true;
  if (refusal_) return bytes.size();
  if (before > 0) partial_.append(bytes.substr(0, limits_.header_bytes + 1));
  // Nothing behind the limit is looked at, so that pieces and the whole come to the same.
  const std::string_view text =
      (before > 0 ? std::string_view(partial_) : bytes).substr(0, limits_.header_bytes + 1);
  const HeadEnd head = find_head_end(text, before);
  if (head.broken) {
    malformed("a line does not end with carriage return and line feed");
  } else if (head.end > limits_.header_bytes ||
             (head.end == 0 && text.size() > limits_.header_bytes)) {
    refuse(
        431, kTooLarge,
        "the head of the request is longer than " + std::to_string(limits_.header_bytes) + " bytes",
        "send fewer or shorter headers");
  } else if (head.end > 0) {
    read_head(text.substr(0, head.end));
    partial_ = {};
    return head.end - before;
  } else if (before == 0) {
    partial_ = bytes;
  }
  return bytes.size();
}

void RequestReader::read_head(std::string_view head) {
  has_head_ = true;
  const std::size_t first = head.find("\r\n");
  if (!read_first_line(head.substr(0, first))) return;
  const std::string_view lines = head.substr(first + 2, head.size() - first - 4);
  request_.headers.reserve(12);
  if (const auto wrong = read_fields(lines, request_.headers)) {
    if (request_.headers.size() < kMostFields) return malformed(*wrong);
    return refuse(431, kTooLarge, *wrong, "send fewer headers");
  }
  if (const auto wrong = read_framing(request_.headers, framing_)) return malformed(*wrong);
  if (!check_host()) return;
  keep_alive_ = !is_old_ && !framing_.close;
  begin_body();
}

bool RequestReader::read_first_line(std::string_view line) {
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == line.npos || first == last) {
    malformed("the first line is not `METHOD /path HTTP/1.1`");
    return false;
  }
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (!is_method(method)) {
    malformed("the method is malformed");
    return false;
  }
  if (!read_version(line.substr(last + 1))) return false;
  if (target.size() > kMostTargetBytes) {
    refuse(414, kTooLarge, "the target of the request is too long", "use a shorter path or query");
    return false;
  }
  std::optional<Target> split = target_of(target);
  if (!split) {
    malformed("the target is not a plain path");
    return false;
  }
  request_.method = method;
  request_.target = target;
  request_.segments = std::move(split->segments);
  request_.query = std::move(split->query);
  return true;
}

bool RequestReader::read_version(std::string_view version) {
  is_old_ = version == "HTTP/1.0";
  if (is_old_ || version == "HTTP/1.1") return true;
  if (version.size() == 8 && version.starts_with("HTTP/"))
    refuse(505, kMalformed, "the version of HTTP is not known", "speak HTTP/1.1");
  else
    malformed("the first line is not `METHOD /path HTTP/1.1`");
  return false;
}

bool RequestReader::check_host() {
  std::size_t hosts = 0;
  for (const auto& [name, value] : request_.headers) {
    if (name == "host") ++hosts;
    if (name == "expect" && lower(value) != "100-continue") {
      refuse(417, kMalformed, "only `Expect: 100-continue` is known", "leave `Expect` out");
      return false;
    }
    if (name == "expect" && !is_old_) wants_continue_ = true;
  }
  if (hosts == 1) return true;
  malformed(hosts == 0 ? "`Host` is missing" : "`Host` stands twice");
  return false;
}

void RequestReader::begin_body() {
  if (framing_.chunked && is_old_) return malformed("HTTP/1.0 has no transfer encodings");
  if (framing_.chunked) {
    chunks_ = ChunkReader(limits_.body_bytes);
  } else if (framing_.length.value_or(0) > limits_.body_bytes) {
    refuse(413, kTooLarge,
           "the body is longer than " + std::to_string(limits_.body_bytes) + " bytes",
           "send less at once");
  } else if (framing_.length.value_or(0) == 0) {
    done_ = true;
  } else {
    request_.body.reserve(
        static_cast<std::size_t>(std::min<std::uint64_t>(*framing_.length, kFirstRoom)));
  }
}

std::size_t RequestReader::feed_body(std::string_view bytes) {
  if (framing_.chunked) {
    const std::size_t used = chunks_.feed(bytes, request_.body);
    using State = ChunkReader::State;
    done_ = chunks_.state() == State::kDone;
    if (chunks_.state() == State::kMalformed) malformed("a chunk of the body is malformed");
    if (chunks_.state() == State::kTooLarge)
      refuse(413, kTooLarge,
             "the body is longer than " + std::to_string(limits_.body_bytes) + " bytes",
             "send less at once");
    return used;
  }
  const std::size_t left = static_cast<std::size_t>(*framing_.length) - request_.body.size();
  const std::size_t used = std::min(left, bytes.size());
  request_.body.append(bytes.substr(0, used));
  done_ = used == left;
  return used;
}

Request RequestReader::take() {
  Request request = std::move(request_);
  request_ = {};
  framing_ = {};
  started_ = has_head_ = done_ = keep_alive_ = wants_continue_ = is_old_ = false;
  return request;
}

void RequestReader::malformed(std::string_view message) {
  refuse(400, kMalformed, message, "send a request as HTTP/1.1 has it");
}

void RequestReader::refuse(int status, std::string_view code, std::string_view message,
                           std::string_view hint) {
  refusal_ = error_response(status, code, message, hint);
}

}  // namespace tollgate::server
