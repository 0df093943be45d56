// A body that comes in chunks, each with its size before it.
// The server reads requests with it, the client responses.
// SAFETY: sizes, line ends and the end itself are read in one way or refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tollgate::server {

class ChunkReader {
 public:
  enum class State { kSize, kBytes, kBytesEnd, kTrailer, kDone, kMalformed, kTooLarge };

  explicit ChunkReader(std::size_t most = 0) : most_(most) {}

  // Adds to `body` and gives how many bytes were used; what comes behind the end is left.
  std::size_t feed(std::string_view bytes, std::string& body);
  State state() const { return state_; }

 private:
  void take_line(char c, std::size_t have);
  void end_line(std::size_t have);
  void read_size(std::size_t have);

  std::size_t most_;
  State state_ = State::kSize;
  std::uint64_t left_ = 0;    // of the chunk
  std::size_t trailers_ = 0;  // bytes
  std::string line_;
};

}  // namespace tollgate::server
