#include "server/transport/chunks.h"

#include <algorithm>

#include "base/text.h"
#include "server/transport/fields.h"

namespace tollgate::server {
namespace {

// LIMIT: a size with its extensions, and what may come behind the last chunk.
constexpr std::size_t kMostLine = 256;
constexpr std::size_t kMostTrailers = 4u << 10;

}  // namespace

std::size_t ChunkReader::feed(std::string_view bytes, std::string& body) {
  std::size_t used = 0;
  while (used < bytes.size() && state_ < State::kDone) {
    if (state_ != State::kBytes) {
      take_line(bytes[used++], body.size());
      continue;
    }
    const std::size_t count =
        static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size() - used));
    body.append(bytes.substr(used, count));
    used += count;
    left_ -= count;
    if (left_ == 0) state_ = State::kBytesEnd;
  }
  return used;
}

void ChunkReader::take_line(char c, std::size_t have) {
  if (c != '\n') {
    line_ += c;
    if (line_.size() > (state_ == State::kTrailer ? kMostTrailers : kMostLine))
      state_ = State::kMalformed;
    return;
  }
  if (!line_.ends_with('\r')) {
    state_ = State::kMalformed;
    return;
  }
  line_.pop_back();
  end_line(have);
  line_.clear();
}

void ChunkReader::end_line(std::size_t have) {
  if (state_ == State::kSize) return read_size(have);
  if (state_ == State::kBytesEnd) {
    state_ = line_.empty() ? State::kSize : State::kMalformed;
    return;
  }
  if (line_.empty()) {
    state_ = State::kDone;
    return;
  }
  Fields unused;
  trailers_ += line_.size();
  if (read_fields(line_ + "\r\n", unused) || trailers_ > kMostTrailers) state_ = State::kMalformed;
}

void ChunkReader::read_size(std::size_t have) {
  const std::string_view digits = std::string_view(line_).substr(0, line_.find(';'));
  std::uint64_t size = 0;
  state_ = State::kMalformed;
  if (digits.empty() || digits.size() > 12) return;
  for (const char c : digits) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(lower(c));
    if (digit == std::string_view::npos) return;
    size = size * 16 + digit;
  }
  for (const char c : line_)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return;
  left_ = size;
  if (size > most_ - std::min(most_, have))
    state_ = State::kTooLarge;
  else
    state_ = size == 0 ? State::kTrailer : State::kBytes;
}

}  // namespace tollgate::server
