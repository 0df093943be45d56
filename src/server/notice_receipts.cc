#include "server/notice_receipts.h"

#include <algorithm>
#include <charconv>

#include "json/json.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

using json::Value;
using notify::Receipt;
using notify::ReceiptState;

Millis number_in(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  Millis out = 0;
  if (member == nullptr) return out;
  const std::string& text = member->number_text();
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

Value kept_value(const Receipt& receipt) {
  return Value::object({{"target", text_value(receipt.target)},
                        {"device", text_value(receipt.device)},
                        {"state", text_value(word(receipt.state))},
                        {"tries", Value::integer(receipt.tries)},
                        {"at", Value::integer(receipt.at)},
                        {"due", Value::integer(receipt.due)},
                        {"why", text_value(receipt.why)}});
}

}  // namespace

std::string_view word(ReceiptState state) {
  return notify::kReceiptStates[static_cast<std::size_t>(state)];
}

std::string kept_text(const std::vector<Receipt>& receipts) {
  Value list = Value::array();
  for (const Receipt& each : receipts) list.push(kept_value(each));
  return json::write(list);
}

std::vector<Receipt> kept_receipts(const std::string& text) {
  std::vector<Receipt> out;
  const Result<Value> list = json::parse(text);
  if (!list) return out;
  for (const Value& each : list->items()) {
    Receipt receipt{.target = text_in(each, "target"), .device = text_in(each, "device")};
    const auto* state = std::ranges::find(notify::kReceiptStates, text_in(each, "state"));
    if (state == std::end(notify::kReceiptStates)) continue;
    receipt.state = static_cast<ReceiptState>(state - std::begin(notify::kReceiptStates));
    receipt.tries = static_cast<int>(number_in(each, "tries"));
    receipt.at = number_in(each, "at");
    receipt.due = number_in(each, "due");
    receipt.why = text_in(each, "why");
    out.push_back(std::move(receipt));
  }
  return out;
}

Value receipts_value(const std::vector<Receipt>& receipts) {
  Value list = Value::array();
  for (const Receipt& receipt : receipts) {
    Value each = Value::object({{"target", text_value(receipt.target)},
                                {"state", text_value(word(receipt.state))},
                                {"tries", Value::integer(receipt.tries)},
                                {"at", moment_value(receipt.at)},
                                {"dueAt", moment_value(receipt.due)}});
    if (!receipt.device.empty()) each.set("device", text_value(receipt.device));
    if (!receipt.why.empty()) each.set("why", text_value(receipt.why));
    list.push(std::move(each));
  }
  return list;
}

}  // namespace tollgate::server
