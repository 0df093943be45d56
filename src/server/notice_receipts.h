// What became of a question's notices, as the store keeps it and as people see it.
// INVARIANT: what kept_text() writes, kept_receipts() reads back equal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "notify/courier.h"

namespace tollgate::server {

std::string kept_text(const std::vector<notify::Receipt>& receipts);
// What cannot be read is left out: its notice is sent once more.
std::vector<notify::Receipt> kept_receipts(const std::string& text);

std::string_view word(notify::ReceiptState state);

// [{target, device?, state, tries, at, dueAt, why?}].
json::Value receipts_value(const std::vector<notify::Receipt>& receipts);

}  // namespace tollgate::server
