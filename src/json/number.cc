// One text for one number, whatever way it was spelled.
// Whole numbers keep every digit; others become the shortest text of the double a client would see.
// The answer is empty when the number is beyond a double: two readers would not agree on it.
#include <charconv>
#include <cmath>
#include <cstdint>

#include "json/json.h"

namespace tollgate::json {
namespace {

// LIMIT: a longer whole number is written with an exponent, so that `1e300` cannot blow up.
constexpr std::int64_t kPlainDigits = 40;
constexpr std::int64_t kLargestPosition = 309;    // digits before the point of the largest double
constexpr std::int64_t kSmallestPosition = -400;  // far below the smallest double
constexpr std::int64_t kExponentCap = 1'000'000'000;

// digits * 10^exponent, without leading or trailing zeros; no digits mean zero.
struct Decimal {
  bool negative = false;
  std::string digits;
  std::int64_t exponent = 0;

  // How many digits stand before the decimal point.
  std::int64_t position() const { return static_cast<std::int64_t>(digits.size()) + exponent; }
};

std::int64_t exponent_of(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  std::int64_t value = 0;
  for (char c : text)
    if (value < kExponentCap) value = value * 10 + (c - '0');
  return negative ? -value : value;
}

Decimal decimal_of(std::string_view literal) {
  Decimal out;
  if (!literal.empty() && literal.front() == '-') {
    out.negative = true;
    literal.remove_prefix(1);
  }
  const std::size_t e = literal.find_first_of("eE");
  if (e != std::string_view::npos) out.exponent = exponent_of(literal.substr(e + 1));
  bool fraction = false;
  for (char c : literal.substr(0, e)) {
    if (c == '.') {
      fraction = true;
      continue;
    }
    if (fraction) --out.exponent;
    if (!out.digits.empty() || c != '0') out.digits += c;
  }
  while (!out.digits.empty() && out.digits.back() == '0') {
    out.digits.pop_back();
    ++out.exponent;
  }
  return out;
}

std::string whole_text(const Decimal& decimal) {
  std::string out = decimal.negative ? "-" : "";
  out += decimal.digits;
  if (decimal.position() <= kPlainDigits)
    out.append(static_cast<std::size_t>(decimal.exponent), '0');
  else if (decimal.exponent > 0)
    out += 'e' + std::to_string(decimal.exponent);
  return out;
}

// As JavaScript writes it, so that a rule's `0.0001` is the text it meets. `digits` is not empty.
std::string fraction_text(const Decimal& decimal) {
  constexpr std::int64_t kMostLeadingZeros = 6;
  const std::int64_t position = decimal.position();
  std::string out = decimal.negative ? "-" : "";
  if (position > 0) {
    const auto point = static_cast<std::size_t>(position);
    return out + decimal.digits.substr(0, point) + "." + decimal.digits.substr(point);
  }
  if (position > -kMostLeadingZeros)
    return out + "0." + std::string(static_cast<std::size_t>(-position), '0') + decimal.digits;
  out += decimal.digits.front();
  if (decimal.digits.size() > 1) out += "." + decimal.digits.substr(1);
  return out + "e" + std::to_string(position - 1);
}

// The double nearest to the literal; infinite when it is too large.
double double_of(const Decimal& decimal, std::string_view literal) {
  double value = 0;
  const auto [end, problem] =
      std::from_chars(literal.data(), literal.data() + literal.size(), value);
  if (problem == std::errc::result_out_of_range) return decimal.position() > 0 ? HUGE_VAL : 0.0;
  return value;
}

}  // namespace

std::string canonical_number(std::string_view literal) {
  const Decimal decimal = decimal_of(literal);
  if (decimal.digits.empty() || decimal.position() < kSmallestPosition) return "0";
  if (decimal.position() > kLargestPosition) return {};
  const double value = double_of(decimal, literal);
  if (std::isinf(value)) return {};
  if (decimal.exponent >= 0) return whole_text(decimal);
  if (value == 0) return "0";

  char shortest[64];
  const auto [end, problem] = std::to_chars(shortest, shortest + sizeof shortest, value);
  const std::string_view text(shortest, static_cast<std::size_t>(end - shortest));
  const Decimal rounded = decimal_of(text);
  return rounded.exponent >= 0 ? whole_text(rounded) : fraction_text(rounded);
}

}  // namespace tollgate::json
