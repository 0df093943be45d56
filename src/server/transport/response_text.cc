#include "server/transport/response_text.h"

#include <ctime>

#include "base/text.h"
#include "server/transport/fields.h"

namespace tollgate::server {
namespace {

struct Row {
  int status;
  std::string_view phrase;
};
constexpr Row kRows[] = {
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {426, "Upgrade Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
};

// Made once a second. Only the loop's thread asks, but tests have several of them.
const std::string& date_of(std::int64_t now) {
  thread_local std::int64_t made = -1;
  thread_local std::string text;
  if (made == now) return text;
  made = now;
  constexpr const char* kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr const char* kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                     "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t seconds = now;
  std::tm parts = {};
  ::gmtime_r(&seconds, &parts);
  char clock[40] = {};
  std::strftime(clock, sizeof clock, " %Y %H:%M:%S GMT", &parts);
  char day[8] = {};
  std::strftime(day, sizeof day, "%d", &parts);
  text = std::string(kDays[parts.tm_wday]) + ", " + day + " " + kMonths[parts.tm_mon] + clock;
  return text;
}

bool is_safe(std::string_view name, std::string_view value) {
  if (!is_token(name)) return false;
  for (const char c : value)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) return false;
  return true;
}

// The transport's own: whoever answers may not say otherwise.
bool is_ours(std::string_view name) {
  switch (name.size()) {
    case 4:
      return lower(name) == "date";
    case 10:
      return lower(name) == "connection";
    case 14:
      return lower(name) == "content-length";
    case 17:
      return lower(name) == "transfer-encoding";
    default:
      return false;
  }
}

bool has_body(int status) { return status >= 200 && status != 204 && status != 304; }

}  // namespace

std::string_view reason_phrase(int status) {
  for (const Row& row : kRows)
    if (row.status == status) return row.phrase;
  return "Unknown";
}

void append_response(std::string& out, const Response& response, ResponseShape shape,
                     std::int64_t now) {
  out.reserve(out.size() + 256 + response.body.size());
  out += "HTTP/1.1 ";
  out += std::to_string(response.status);
  out += ' ';
  out += reason_phrase(response.status);
  out += "\r\nDate: ";
  out += date_of(now);
  out += "\r\n";
  for (const auto& [name, value] : response.headers) {
    if (!is_safe(name, value) || is_ours(name)) continue;
    out += name;
    out += ": ";
    out += value;
    out += "\r\n";
  }
  if (!shape.keep_alive) out += "Connection: close\r\n";
  if (!has_body(response.status)) {
    out += "\r\n";
    return;
  }
  if (shape.end == BodyEnd::kChunks) out += "Transfer-Encoding: chunked\r\n";
  if (shape.end == BodyEnd::kLength) {
    out += "Content-Length: ";
    out += std::to_string(response.body.size());
    out += "\r\n";
  }
  out += "\r\n";
  if (shape.end == BodyEnd::kLength && !shape.head_only) out += response.body;
}

void append_chunk(std::string& out, std::string_view piece) {
  constexpr char kDigits[] = "0123456789abcdef";
  char digits[16];
  std::size_t at = sizeof digits;
  for (std::size_t size = piece.size(); size > 0; size >>= 4) digits[--at] = kDigits[size & 15];
  if (at == sizeof digits) digits[--at] = '0';
  out.append(digits + at, sizeof digits - at);
  out += "\r\n";
  out += piece;
  out += "\r\n";
}

}  // namespace tollgate::server
