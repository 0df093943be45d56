// "Did you mean": the nearest of a closed set of names.
// Used by every error about an unknown name, so that all of them speak alike.
// An empty answer means that nothing is near enough to be worth suggesting.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace tollgate {

// Optimal string alignment distance (insert, delete, replace, swap neighbours), ASCII case folded.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The nearest candidate within a third of the word's length (at least 1), or "".
std::string nearest(std::string_view word, std::span<const std::string_view> candidates);

// "did you mean `x`? known roles: a, b, c", or without the question when nothing is near.
std::string did_you_mean(std::string_view word, std::string_view plural,
                         std::span<const std::string_view> candidates);

}  // namespace tollgate
