// How much the tests against bash do, as the environment says.
// TOLLGATE_SEED is where the seeds begin, TOLLGATE_SCRIPTS how many scripts a test takes, and
// TOLLGATE_LONG=1 the many of a long run. TOLLGATE_REPORTS is how many findings are shown, and with
// TOLLGATE_RAW=1 they are shown as they were made. TOLLGATE_CONSTRUCT names the construct that
// every script that bash runs must have.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>

namespace tollgate::bash {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool kIsSlow = true;
#else
inline constexpr bool kIsSlow = false;
#endif

inline std::optional<std::uint64_t> setting(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  return std::strtoull(text, nullptr, 10);
}

inline std::uint64_t scripts(std::uint64_t usual, std::uint64_t at_length) {
  return std::getenv("TOLLGATE_LONG") == nullptr ? usual : at_length;
}

// Where the seeds begin; 0, said here or by TOLLGATE_SEED, takes others each time. REQUIRES:
// whoever takes it prints it.
inline std::uint64_t first_seed(std::uint64_t usual) {
  const std::uint64_t chosen = setting("TOLLGATE_SEED").value_or(usual);
  return chosen != 0 ? chosen : std::uint64_t{std::random_device{}()} * 1'000'000;
}

}  // namespace tollgate::bash
