#include "server/transcript.h"

#include <algorithm>
#include <vector>

#include "json/json.h"
#include "os/files.h"
#include "os/user.h"

namespace tollgate::server {
namespace {

using json::Value;

// LIMIT: how much of a transcript is read, and how long a message is shown.
constexpr std::size_t kMostBytes = 256u << 10;
constexpr std::size_t kMostMessage = 2'000;
constexpr std::size_t kMessages = 5;

std::string text_in(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  return member == nullptr ? std::string() : member->as_string();
}

// The text of a message: a string, or the text blocks of a list.
std::string said_in(const Value& content) {
  if (content.is_string()) return content.as_string();
  std::string out;
  for (const Value& block : content.items()) {
    if (text_in(block, "type") != "text") continue;
    if (!out.empty()) out += "\n";
    out += text_in(block, "text");
  }
  return out;
}

// Cut at a character's border, with a count of what is missing.
std::string shown(std::string text) {
  if (text.size() <= kMostMessage) return text;
  std::size_t cut = kMostMessage;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xc0) == 0x80) --cut;
  return text.substr(0, cut) + "… (" + std::to_string(text.size() - cut) + " bytes more)";
}

}  // namespace

std::string transcript_in(std::string_view payload) {
  const Result<Value> value = json::parse(payload);
  if (!value) return "";
  const std::string path = text_in(*value, "transcript_path");
  return path.starts_with('/') && path.ends_with(".jsonl") ? path : "";
}

Value last_messages(const std::string& file) {
  const Result<os::Stamp> stamp = os::link_stamp_of(file);
  if (!stamp || !stamp->is_regular() || stamp->uid != os::effective_uid()) return {};
  const std::uint64_t from = stamp->size > kMostBytes ? stamp->size - kMostBytes : 0;
  const Result<os::FileText> part = os::read_part(file, from, kMostBytes);
  if (!part) return {};
  const std::string* tail = &part->text;
  std::vector<Value> found;
  std::size_t end = tail->size();
  while (end > 0 && found.size() < kMessages) {
    const std::size_t newline = tail->rfind('\n', end - 1);
    const std::size_t begin = newline == tail->npos ? 0 : newline + 1;
    const std::string_view line = std::string_view(*tail).substr(begin, end - begin);
    end = newline == tail->npos ? 0 : newline;
    const Result<Value> entry = json::parse(line);
    const Value* message = entry ? entry->find("message") : nullptr;
    const Value* content = message == nullptr ? nullptr : message->find("content");
    if (content == nullptr) continue;
    std::string words = said_in(*content);
    if (words.empty()) continue;
    found.push_back(Value::object({{"role", Value::string(text_in(*message, "role"))},
                                   {"text", Value::string(shown(std::move(words)))}}));
  }
  if (found.empty()) return {};
  std::ranges::reverse(found);
  return Value::array(std::move(found));
}

}  // namespace tollgate::server
