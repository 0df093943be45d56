#include "server/transport/frames.h"

#include <openssl/evp.h>

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace tollgate::server {
namespace {

constexpr std::size_t kMostControl = 125;
enum Code { kProtocol = 1002, kNotText = 1003, kNoCode = 1005, kNotUtf8 = 1007, kTooBig = 1009 };

Frame wrong(int code) { return {.kind = FrameKind::kWrong, .bytes = {}, .code = code}; }

bool may_be_sent(int code) {
  return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
         (code >= 3000 && code <= 4999);
}

Frame close_frame(const std::string& bytes) {
  Frame frame = {.kind = FrameKind::kClose, .bytes = {}, .code = kNoCode};
  if (bytes.empty()) return frame;
  if (bytes.size() == 1) return wrong(kProtocol);
  frame.code = (static_cast<unsigned char>(bytes[0]) << 8) | static_cast<unsigned char>(bytes[1]);
  frame.bytes = bytes.substr(2);
  if (!may_be_sent(frame.code)) return wrong(kProtocol);
  if (!is_valid_utf8(frame.bytes)) return wrong(kNotUtf8);
  return frame;
}

}  // namespace

std::optional<Frame> FrameReader::next(std::string_view& bytes) {
  std::optional<Frame> frame = step(bytes);
  while (!frame && !bytes.empty()) frame = step(bytes);
  return frame;
}

// Nothing where bytes are missing, and at the end of a piece that more pieces follow.
std::optional<Frame> FrameReader::step(std::string_view& bytes) {
  if (!in_frame_) {
    if (!take_head(bytes)) return {};
    if (const int code = wrong_head()) return wrong(code);
    in_frame_ = true;
    have_ = 0;
  }
  const std::size_t count =
      static_cast<std::size_t>(std::min<std::uint64_t>(length_ - have_, bytes.size()));
  std::string& into = is_control() ? control_ : text_;
  static constexpr char kNoMask[4] = {};
  const char* mask = peer_ == FramesOf::kServer ? kNoMask : head_.data() + head_.size() - 4;
  for (std::size_t i = 0; i < count; ++i)
    into += static_cast<char>(bytes[i] ^ mask[(have_ + i) & 3]);
  have_ += count;
  bytes.remove_prefix(count);
  if (have_ < length_) return {};
  return end_frame();
}

// Two bytes, then none, two or eight of length, then four of mask.
bool FrameReader::take_head(std::string_view& bytes) {
  const auto want = [&]() -> std::size_t {
    if (head_.size() < 2) return 2;
    const unsigned length = static_cast<unsigned char>(head_[1]) & 127u;
    const std::size_t mask = (static_cast<unsigned char>(head_[1]) & 128u) != 0 ? 4 : 0;
    return 2 + (length == 126 ? 2u : length == 127 ? 8u : 0u) + mask;
  };
  while (head_.size() < want()) {
    if (bytes.empty()) return false;
    head_ += bytes.front();
    bytes.remove_prefix(1);
  }
  const unsigned length = static_cast<unsigned char>(head_[1]) & 127u;
  length_ = length < 126 ? length : 0;
  const std::size_t more = length == 126 ? 2u : length == 127 ? 8u : 0u;
  for (std::size_t i = 0; i < more; ++i)
    length_ = length_ << 8 | static_cast<unsigned char>(head_[2 + i]);
  return true;
}

int FrameReader::wrong_head() const {
  if ((static_cast<unsigned char>(head_[0]) & 0x70u) != 0) return kProtocol;  // extensions
  const bool masked = (static_cast<unsigned char>(head_[1]) & 0x80u) != 0;
  if (masked != (peer_ == FramesOf::kClient)) return kProtocol;
  const unsigned code = opcode();
  if (code == 2) return kNotText;
  if (code != 0 && code != 1 && code != 8 && code != 9 && code != 10) return kProtocol;
  if (is_control()) return is_last() && length_ <= kMostControl ? 0 : kProtocol;
  if ((code == 0) != in_text_) return kProtocol;
  return length_ > most_ - std::min(most_, text_.size()) ? kTooBig : 0;
}

std::optional<Frame> FrameReader::end_frame() {
  in_frame_ = false;
  const unsigned code = opcode();
  const bool last = is_last();
  head_.clear();
  if ((code & 8) == 0) {
    in_text_ = !last;
    if (!last) return std::nullopt;
    if (!is_valid_utf8(text_)) return wrong(kNotUtf8);
    return Frame{.kind = FrameKind::kText, .bytes = std::exchange(text_, {}), .code = 0};
  }
  std::string control = std::exchange(control_, {});
  if (code == 8) return close_frame(control);
  return Frame{.kind = code == 9 ? FrameKind::kPing : FrameKind::kPong,
               .bytes = std::move(control),
               .code = 0};
}

void append_frame(std::string& out, FrameKind kind, std::string_view bytes) {
  out += static_cast<char>(0x80u | static_cast<unsigned>(kind));
  const std::size_t size = bytes.size();
  if (size < 126) {
    out += static_cast<char>(size);
  } else {
    const bool wide = size > 0xffff;
    out += static_cast<char>(wide ? 127 : 126);
    for (int shift = wide ? 56 : 8; shift >= 0; shift -= 8)
      out += static_cast<char>((static_cast<std::uint64_t>(size) >> shift) & 255);
  }
  out += bytes;
}

void append_masked(std::string& out, FrameKind kind, std::string_view bytes,
                   std::string_view mask) {
  const std::size_t begin = out.size();
  append_frame(out, kind, bytes);
  out[begin + 1] = static_cast<char>(static_cast<unsigned char>(out[begin + 1]) | 0x80u);
  out.insert(out.size() - bytes.size(), mask);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    out[out.size() - bytes.size() + i] = static_cast<char>(bytes[i] ^ mask[i & 3]);
}

void append_close(std::string& out, int code, std::string_view reason) {
  std::string bytes = {static_cast<char>(code >> 8), static_cast<char>(code & 255)};
  const std::string_view cut = reason.substr(0, kMostControl - 2);
  bytes += cut.substr(0, valid_utf8_prefix(cut));
  append_frame(out, FrameKind::kClose, code == kNoCode ? std::string_view() : bytes);
}

std::string request_key(std::string_view bytes) {
  unsigned char out[32] = {};
  const int length = ::EVP_EncodeBlock(out, reinterpret_cast<const unsigned char*>(bytes.data()),
                                       static_cast<int>(std::min<std::size_t>(bytes.size(), 16)));
  return std::string(reinterpret_cast<const char*>(out), static_cast<std::size_t>(length));
}

std::optional<std::string> accept_key(std::string_view key) {
  unsigned char raw[18] = {};
  if (key.size() != 24 || !key.ends_with("==")) return {};
  if (::EVP_DecodeBlock(raw, reinterpret_cast<const unsigned char*>(key.data()), 24) != 18)
    return {};
  const std::string text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  unsigned char digest[EVP_MAX_MD_SIZE] = {};
  unsigned size = 0;
  if (::EVP_Digest(text.data(), text.size(), digest, &size, ::EVP_sha1(), nullptr) != 1) return {};
  unsigned char out[32] = {};
  const int length = ::EVP_EncodeBlock(out, digest, static_cast<int>(size));
  return std::string(reinterpret_cast<const char*>(out), static_cast<std::size_t>(length));
}

}  // namespace tollgate::server
