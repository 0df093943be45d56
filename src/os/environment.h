// A copy of the environment as a value, so that tests can bring their own.
// Taken once at the start of a program and passed down; nothing else reads environ.
// An empty variable is there; whether that counts as unset is for the caller to say.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tollgate::os {

class Environment {
 public:
  using Variables = std::map<std::string, std::string, std::less<>>;

  Environment() = default;
  explicit Environment(Variables variables) : variables_(std::move(variables)) {}

  // The variables of this process; of a name that stands twice the first counts, as getenv has it.
  static Environment current();

  std::optional<std::string> get(std::string_view name) const;
  // The value, unless it is unset or empty.
  std::optional<std::string> get_filled(std::string_view name) const;
  const Variables& variables() const& { return variables_; }

 private:
  Variables variables_;
};

}  // namespace tollgate::os
