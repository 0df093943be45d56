// What looks like the id of a session, and where the daemon puts one.
// SAFETY: an id that is not known for one is printed; members that name sessions are listed here.
#include "cli/handles.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "approvals/digest.h"
#include "cli/commands.h"
#include "json/json.h"

namespace tollgate::cli {
namespace {

using json::Value;

// 256 bits, and behind a dot the name of each sub-agent.
bool is_id(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  return text.size() >= kDigits && (text.size() == kDigits || text[kDigits] == '.') &&
         text.substr(0, kDigits).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Where the daemon puts a session's id; digests look like one.
bool names_session(std::string_view member) {
  constexpr std::array<std::string_view, 5> kEnds = {"session", "Session", "sessionId", "SessionId",
                                                     "parent"};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return member.ends_with(end); });
}

bool is_input(std::string_view member) {
  constexpr std::array<std::string_view, 3> kNames = {"input", "toolInput", "updatedInput"};
  return std::ranges::find(kNames, member) != kNames.end();
}

}  // namespace

Result<void> check_handle(const std::string& word) {
  if (!is_id(word)) return {};
  return Fail(error_of("bad-usage", "a session's id is a secret and stands in no argument",
                       "name it by its handle: `tollgate sessions` lists them"));
}

std::string without_id(const std::string& text) {
  return is_id(text) ? approvals::handle_of(text) : text;
}

Value without_ids(const Value& value) {
  if (value.is_array()) {
    Value out = Value::array();
    for (const Value& item : value.items()) out.push(without_ids(item));
    return out;
  }
  if (!value.is_object()) return value;
  const bool is_session = value.find("handle") != nullptr;
  Value out = Value::object();
  for (const auto& [name, member] : value.members()) {
    if (is_session && name == "id") continue;
    if (is_input(name))
      out.set(name, member);
    else if (names_session(name) && member.is_string())
      out.set(name, Value::string(without_id(member.as_string())));
    else
      out.set(name, without_ids(member));
  }
  return out;
}

std::string json_line(const Value& value) { return json::write(without_ids(value)) + "\n"; }

}  // namespace tollgate::cli
