// A QR code, and how it is drawn in a terminal.
// libqrencode makes the code; what is drawn is text, so that tests read it back.
// With colours it is black on white whatever the terminal looks like. Without them what is drawn is
// light, as on a dark terminal, and `kLight` is for the other kind.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tollgate::cli {

struct QrCode {
  std::size_t size = 0;    // modules a side, without the quiet zone
  std::vector<bool> dark;  // row by row

  bool is_dark(std::size_t x, std::size_t y) const { return dark[y * size + x]; }
};

// Cameras want so many light modules around it.
inline constexpr std::size_t kQuietZone = 4;

// Error: bad-usage where the text is too long for a code.
Result<QrCode> qr_code(std::string_view text);

enum class QrLook { kColor, kDark, kLight };

// Two modules a character: half blocks.
std::string in_half_blocks(const QrCode& code, QrLook look);
// Two characters a module, ASCII alone.
std::string in_ascii(const QrCode& code, QrLook look);

// How many columns either takes.
std::size_t half_block_columns(const QrCode& code);
std::size_t ascii_columns(const QrCode& code);

}  // namespace tollgate::cli
