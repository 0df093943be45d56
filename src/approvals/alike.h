// Texts that are held by the thousand and look alike: each as what it has of its own, and where the
// rest stands in another.
// Only runs of the other text are taken over, so that reading one back is a walk over both.
// One thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tollgate::approvals {

// A text as it is held.
struct HeldText {
  std::string own;                          // all of it where `like` is null
  std::shared_ptr<const std::string> like;  // what the rest is taken from

  // Nothing where it is damaged.
  std::optional<std::string> whole() const;
};

// Remembers the text that the next ones are held by.
class Alike {
 public:
  // INVARIANT: whole() of it is the text.
  HeldText hold(std::string text);

 private:
  std::string told_by(std::string_view text) const;
  void go_by(std::string text);

  std::shared_ptr<const std::string> like_;
  std::array<std::uint16_t, 4'096> places_ = {};  // behind a run of like_, by the run's hash
};

}  // namespace tollgate::approvals
