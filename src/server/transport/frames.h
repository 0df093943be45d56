// The frames of a web socket (RFC 6455), as either side reads and writes them.
// Texts only, no extensions; pieces are put together within a limit.
// SAFETY: whatever the standard does not let a browser send ends the socket with a code.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tollgate::server {

enum class FrameKind : std::uint8_t {
  kText = 1,
  kClose = 8,
  kPing = 9,
  kPong = 10,
  kWrong = 16,  // `code` says how the socket must be closed
};

struct Frame {
  FrameKind kind = FrameKind::kWrong;
  std::string bytes;  // a whole text, or what a ping holds
  int code = 0;       // of kClose and kWrong; 1005 where a close has none
};

// Whose frames are read: clients mask theirs, servers must not.
enum class FramesOf : std::uint8_t { kClient, kServer };

class FrameReader {
 public:
  explicit FrameReader(std::size_t most, FramesOf peer = FramesOf::kClient)
      : most_(most), peer_(peer) {}

  // Takes from the front of `bytes` what it needs; nothing where more must come first.
  // After kWrong it must not be asked again.
  std::optional<Frame> next(std::string_view& bytes);

 private:
  std::optional<Frame> step(std::string_view& bytes);
  bool take_head(std::string_view& bytes);
  int wrong_head() const;  // the code, 0 for a good one
  std::optional<Frame> end_frame();
  bool is_control() const { return (opcode() & 8) != 0; }
  unsigned opcode() const { return static_cast<unsigned char>(head_[0]) & 15u; }
  bool is_last() const { return (static_cast<unsigned char>(head_[0]) & 0x80u) != 0; }

  std::size_t most_;
  FramesOf peer_;
  std::string head_;
  std::uint64_t length_ = 0;
  std::uint64_t have_ = 0;  // of this frame
  bool in_frame_ = false;
  bool in_text_ = false;  // pieces of a text have come and more follow
  std::string text_;
  std::string control_;
};

void append_frame(std::string& out, FrameKind kind, std::string_view bytes);
// As a client sends it: with a mask of four bytes.
void append_masked(std::string& out, FrameKind kind, std::string_view bytes, std::string_view mask);
void append_close(std::string& out, int code, std::string_view reason);

// The answer to `Sec-WebSocket-Key`; nothing where that is not 16 bytes in base64.
std::optional<std::string> accept_key(std::string_view key);

// `Sec-WebSocket-Key` for 16 random bytes.
std::string request_key(std::string_view bytes);

}  // namespace tollgate::server
