#include "cli/qr_code.h"

#include <qrencode.h>

#include <memory>

#include "cli/commands.h"

namespace tollgate::cli {
namespace {

// The colours of the 256 that no theme changes, behind those that every terminal has.
constexpr std::string_view kBlackOnWhite = "\x1b[30;47m\x1b[38;5;16;48;5;231m";
constexpr std::string_view kBlack = "\x1b[40m\x1b[48;5;16m";
constexpr std::string_view kWhite = "\x1b[47m\x1b[48;5;231m";
constexpr std::string_view kPlain = "\x1b[0m";

// With the quiet zone around it; below the last row it is light as well.
bool is_dark_at(const QrCode& code, std::size_t x, std::size_t y) {
  if (x < kQuietZone || y < kQuietZone) return false;
  x -= kQuietZone;
  y -= kQuietZone;
  return x < code.size && y < code.size && code.is_dark(x, y);
}

std::size_t whole_size(const QrCode& code) { return code.size + 2 * kQuietZone; }

std::string_view half_block(bool top, bool bottom) {
  if (top) return bottom ? "█" : "▀";
  return bottom ? "▄" : " ";
}

struct CodeEnd {
  void operator()(QRcode* code) const { ::QRcode_free(code); }
};

}  // namespace

Result<QrCode> qr_code(std::string_view text) {
  // What a screen shows is whole: the lowest level of correction makes the smallest code.
  const std::unique_ptr<QRcode, CodeEnd> made(
      ::QRcode_encodeData(static_cast<int>(text.size()),
                          reinterpret_cast<const unsigned char*>(text.data()), 0, QR_ECLEVEL_L));
  if (made == nullptr)
    return Fail(error_of("bad-usage", "the link is too long for a code", "use the link itself"));
  QrCode out{.size = static_cast<std::size_t>(made->width), .dark = {}};
  out.dark.reserve(out.size * out.size);
  for (std::size_t i = 0; i < out.size * out.size; ++i) out.dark.push_back(made->data[i] & 1);
  return out;
}

std::string in_half_blocks(const QrCode& code, QrLook look) {
  const bool color = look == QrLook::kColor;
  // What is drawn in the colour of letters: the dark modules, or on a dark terminal the light ones.
  const bool drawn = look != QrLook::kDark;
  std::string out;
  for (std::size_t y = 0; y < whole_size(code); y += 2) {
    if (color) out += kBlackOnWhite;
    for (std::size_t x = 0; x < whole_size(code); ++x)
      out += half_block(is_dark_at(code, x, y) == drawn, is_dark_at(code, x, y + 1) == drawn);
    if (color) out += kPlain;
    out += '\n';
  }
  return out;
}

std::string in_ascii(const QrCode& code, QrLook look) {
  std::string out;
  for (std::size_t y = 0; y < whole_size(code); ++y) {
    for (std::size_t x = 0; x < whole_size(code); ++x) {
      const bool dark = is_dark_at(code, x, y);
      if (look == QrLook::kColor)
        out += std::string(dark ? kBlack : kWhite) + "  ";
      else
        out += dark == (look == QrLook::kLight) ? "##" : "  ";
    }
    if (look == QrLook::kColor) out += kPlain;
    out += '\n';
  }
  return out;
}

std::size_t half_block_columns(const QrCode& code) { return whole_size(code); }
std::size_t ascii_columns(const QrCode& code) { return 2 * whole_size(code); }

}  // namespace tollgate::cli
