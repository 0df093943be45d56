// A value or the Error that stood in its way.
// Rooms pass errors up unchanged or with a place added; nothing is thrown across a room's border.
// `Fail` keeps call sites short: `return Fail({.code = …})`.
#pragma once

#include <expected>
#include <utility>

#include "base/error.h"

namespace tollgate {

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> Fail(Error error) { return std::unexpected<Error>(std::move(error)); }

}  // namespace tollgate
