// A record's text as it is kept: parts that stand in many rows are numbers in it.
// A number stands between two control characters, which JSON text on one line never has.
// INVARIANT: what expand() gives is the text that the row's writer made, byte for byte: it is what
// a row says, however its parts are kept.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "store/rows.h"

namespace tollgate::store {

inline constexpr char kPartBegin = '\x01';
inline constexpr char kPartEnd = '\x02';

// The whole text of a row that is written, its parts in their places. SAFETY: text that could pass
// for a part is no JSON, and would say something else when it is read: it is kept as a string.
std::string whole_text(const AuditRow& row);

// It holds what marks a part.
bool has_marks(std::string_view text);

void append_part(std::string& out, std::int64_t part);

// Walks over a kept text: what is the row's own, and the numbers of its parts. False: it is no such
// text, or `part` has stopped it.
bool for_pieces(std::string_view kept, const std::function<void(std::string_view)>& own,
                const std::function<bool(std::int64_t)>& part);

// Adds what a kept text says. False: it is no such text, or `part_of` knows no such part.
using PartOf = std::function<std::optional<std::string_view>(std::int64_t)>;
bool expand(std::string_view kept, const PartOf& part_of, std::string& out);

}  // namespace tollgate::store
