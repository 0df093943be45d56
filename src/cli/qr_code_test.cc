// What is drawn is the code: read back from each drawing, with its quiet zone.
// A reader of other make reads the drawings in tests/daemon.
#include "cli/qr_code.h"

#include <gtest/gtest.h>

#include "base/text.h"

namespace tollgate::cli {
namespace {

constexpr std::string_view kUrl =
    "https://192.168.1.20:1615/#/pair/"
    "tgl_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef?sha256="
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

// Without escape sequences.
std::string bare(std::string_view drawing) {
  std::string out;
  while (!drawing.empty()) {
    const std::size_t escape = std::min(drawing.find('\x1b'), drawing.size());
    out += drawing.substr(0, escape);
    drawing.remove_prefix(escape);
    drawing.remove_prefix(std::min(drawing.find('m') + 1, drawing.size()));
  }
  return out;
}

// The modules of half blocks, top and bottom of each, where what is drawn counts as `drawn`.
std::vector<std::vector<bool>> modules(const std::string& drawing, bool drawn) {
  std::vector<std::vector<bool>> out;
  for (std::string_view line : split(drawing, '\n')) {
    if (line.empty()) continue;
    std::vector<bool> top, bottom;
    while (!line.empty()) {
      const std::string_view sign = line.substr(0, line[0] == ' ' ? 1 : 3);
      top.push_back((sign == "█" || sign == "▀") == drawn);
      bottom.push_back((sign == "█" || sign == "▄") == drawn);
      line.remove_prefix(sign.size());
    }
    out.push_back(top);
    out.push_back(bottom);
  }
  return out;
}

void expect_same(const QrCode& code, const std::vector<std::vector<bool>>& grid) {
  const std::size_t whole = code.size + 2 * kQuietZone;
  ASSERT_GE(grid.size(), whole);
  for (std::size_t y = 0; y < grid.size(); ++y) {
    ASSERT_EQ(grid[y].size(), whole) << y;
    for (std::size_t x = 0; x < whole; ++x) {
      const bool inside =
          x >= kQuietZone && y >= kQuietZone && x < whole - kQuietZone && y < whole - kQuietZone;
      EXPECT_EQ(grid[y][x], inside && code.is_dark(x - kQuietZone, y - kQuietZone))
          << x << "," << y;
    }
  }
}

TEST(QrCode, HalfBlocksAreTheCodeOnEveryTerminal) {
  const Result<QrCode> code = qr_code(kUrl);
  ASSERT_TRUE(code);
  expect_same(*code, modules(bare(in_half_blocks(*code, QrLook::kColor)), true));
  expect_same(*code, modules(in_half_blocks(*code, QrLook::kLight), true));
  expect_same(*code, modules(in_half_blocks(*code, QrLook::kDark), false));
  EXPECT_EQ(half_block_columns(*code), code->size + 8);
}

TEST(QrCode, AsciiIsAscii) {
  const Result<QrCode> code = qr_code(kUrl);
  ASSERT_TRUE(code);
  const std::string light = in_ascii(*code, QrLook::kLight), dark = in_ascii(*code, QrLook::kDark);
  for (const char c : in_ascii(*code, QrLook::kColor) + light + dark)
    ASSERT_GT(c, 0) << static_cast<int>(c);
  std::vector<std::vector<bool>> grid;
  for (const std::string_view line : split(light, '\n')) {
    if (line.empty()) continue;
    grid.emplace_back();
    for (std::size_t x = 0; x < line.size(); x += 2)
      grid.back().push_back(line.substr(x, 2) == "##");
  }
  expect_same(*code, grid);
  std::string turned = dark;
  for (char& c : turned) c = c == '#' ? ' ' : c == ' ' ? '#' : c;
  EXPECT_EQ(turned, light);
}

TEST(QrCode, FitsATerminalOfEightyColumns) {
  EXPECT_LE(half_block_columns(qr_code(kUrl).value()), 80u);
}

TEST(QrCode, WhatIsTooLongIsAnError) {
  const Result<QrCode> code = qr_code(std::string(4'000, 'x'));
  ASSERT_FALSE(code);
  EXPECT_EQ(code.error().code, "bad-usage");
}

}  // namespace
}  // namespace tollgate::cli
