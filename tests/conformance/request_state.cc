#include "conformance/request_state.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <charconv>

#include "base/text.h"
#include "json/json.h"

namespace tollgate::conformance {
namespace {

template <class Number>
bool read_number(std::string_view text, Number& out) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  return problem == std::errc() && end == text.data() + text.size();
}

}  // namespace

// round.number.seal, where the seal is over both and the call.
std::string RequestStates::give(int round, const json::Value& about) {
  const std::uint64_t number = next_++;
  open_.insert(number);
  const std::string open = std::to_string(round) + "." + std::to_string(number);
  return open + "." + seal(open + "\n" + json::canonical(about));
}

std::optional<int> RequestStates::take(std::string_view state, const json::Value& about) {
  const std::vector<std::string_view> parts = split(state, '.');
  if (parts.size() != 3) return std::nullopt;
  const std::string open = std::string(parts[0]) + "." + std::string(parts[1]);
  const std::string wanted = seal(open + "\n" + json::canonical(about));
  if (wanted.size() != parts[2].size() ||
      CRYPTO_memcmp(wanted.data(), parts[2].data(), wanted.size()) != 0)
    return std::nullopt;
  int round = 0;
  std::uint64_t number = 0;
  if (!read_number(parts[0], round) || !read_number(parts[1], number)) return std::nullopt;
  if (open_.erase(number) == 0) return std::nullopt;
  return round;
}

std::string RequestStates::seal(std::string_view text) const {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  HMAC(EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(), bytes, &size);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (unsigned int i = 0; i < size; ++i) {
    out += kDigits[bytes[i] >> 4];
    out += kDigits[bytes[i] & 15];
  }
  return out;
}

}  // namespace tollgate::conformance
