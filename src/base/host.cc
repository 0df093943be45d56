// Brings a host into its one spelling, or refuses it.
// The numeric forms follow the WHATWG rules for IPv4: decimal, octal, hexadecimal, short forms.
// A host whose last part is a number is an address or nothing, never a name.
#include "base/host.h"

#include <arpa/inet.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/text.h"

namespace tollgate {
namespace {

constexpr std::string_view kDigits = "0123456789";

std::optional<std::uint64_t> number_of(std::string_view part) {
  if (part.empty()) return std::nullopt;
  unsigned base = 10;
  if (part.size() >= 2 && part[0] == '0' && lower(part[1]) == 'x') {
    base = 16;
    part.remove_prefix(2);
  } else if (part.size() >= 2 && part[0] == '0') {
    base = 8;
    part.remove_prefix(1);
  }
  std::uint64_t value = 0;
  for (const char c : part) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(lower(c));
    if (digit >= base) return std::nullopt;
    value = value * base + digit;
    if (value > 0xffffffff) return std::nullopt;
  }
  return value;
}

std::string dotted(std::uint64_t address) {
  std::string out;
  for (int shift = 24; shift >= 0; shift -= 8) {
    if (!out.empty()) out += '.';
    out += std::to_string((address >> shift) & 0xff);
  }
  return out;
}

bool looks_numeric(std::string_view last) {
  if (last.size() >= 2 && last[0] == '0' && lower(last[1]) == 'x')
    return last.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
  return last.find_first_not_of(kDigits) == std::string_view::npos;
}

std::string numeric_host(const std::vector<std::string_view>& parts) {
  if (parts.size() > 4) return "";
  std::uint64_t address = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto value = number_of(parts[i]);
    if (!value) return "";
    const bool last = i + 1 == parts.size();
    const std::uint64_t room = last ? (std::uint64_t{1} << (8 * (5 - parts.size()))) : 256;
    if (*value >= room) return "";
    address |= last ? *value : *value << (8 * (3 - i));
  }
  return dotted(address);
}

std::string ipv6_host(std::string_view text) {
  // A NUL would end the text early for the C function.
  if (text.find('\0') != std::string_view::npos) return "";
  std::array<unsigned char, 16> bytes{};
  if (inet_pton(AF_INET6, std::string(text).c_str(), bytes.data()) != 1) return "";
  bool zero = true;
  for (std::size_t i = 0; i < 10; ++i) zero = zero && bytes[i] == 0;
  const bool mapped = zero && bytes[10] == 0xff && bytes[11] == 0xff;
  if (mapped) {
    std::uint64_t address = 0;
    for (std::size_t i = 12; i < 16; ++i) address = address << 8 | bytes[i];
    return dotted(address);
  }
  std::array<char, INET6_ADDRSTRLEN> out{};
  if (inet_ntop(AF_INET6, bytes.data(), out.data(), out.size()) == nullptr) return "";
  return out.data();
}

bool is_name(std::string_view part) {
  if (part.empty() || part.size() > 63) return false;
  return part.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == std::string_view::npos;
}

}  // namespace

std::string canonical_host(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']') && host.size() > 2)
    return ipv6_host(host.substr(1, host.size() - 2));
  if (host.find(':') != std::string_view::npos) return ipv6_host(host);
  std::string name = lower(host);
  if (name.ends_with('.')) name.pop_back();
  if (name.empty() || name.size() > 253) return "";
  const std::vector<std::string_view> parts = split(name, '.');
  if (looks_numeric(parts.back())) return numeric_host(parts);
  for (const std::string_view part : parts)
    if (!is_name(part)) return "";
  return name;
}

bool is_address(std::string_view canonical) {
  if (canonical.find(':') != std::string_view::npos) return true;
  const std::string_view last = canonical.substr(canonical.rfind('.') + 1);
  return !last.empty() && last.find_first_not_of(kDigits) == std::string_view::npos;
}

}  // namespace tollgate
