// The page itself: files that were built in, for anybody, with nothing of anybody in them.
// What the page shows it asks for like every other client, with its cookie.
// SAFETY: the page may load and run its own files and nothing else, and stands in no frame.
#include <algorithm>

#include "base/text.h"
#include "server/page_files.h"
#include "server/routes.h"

namespace tollgate::server {
namespace {

constexpr std::string_view kPolicy =
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types tollgate";

// Whether the sender takes what is compressed; no word on it is a yes (RFC 9110, 12.5.3).
bool takes_gzip(const Request& request) {
  const std::optional<std::string> accepted = request.header("accept-encoding");
  if (!accepted) return true;
  bool star = false;
  for (const std::string_view part : split(*accepted, ',')) {
    const std::size_t semicolon = std::min(part.find(';'), part.size());
    const std::string_view coding = trim(part.substr(0, semicolon));
    const std::string_view weight = trim(part.substr(std::min(semicolon + 1, part.size())));
    const bool wanted =
        !weight.starts_with("q=0") || weight.find_first_of("123456789") != weight.npos;
    if (coding == "gzip" || coding == "x-gzip") return wanted;
    if (coding == "*") star = wanted;
  }
  return star;
}

bool has_tag(const Request& request, std::string_view etag) {
  const std::optional<std::string> known = request.header("if-none-match");
  if (!known) return false;
  for (const std::string_view part : split(*known, ',')) {
    std::string_view tag = trim(part);
    if (tag.starts_with("W/")) tag.remove_prefix(2);
    if (tag == etag || tag == "*") return true;
  }
  return false;
}

// Names below /assets carry a hash of what is in them; any other is asked about each time.
std::string_view keeping_of(std::string_view path) {
  return path.starts_with("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
}

const PageFile* file_of(const Request& request) {
  std::string path;
  for (const std::string& segment : request.segments) path += "/" + segment;
  if (path.empty()) path = "/";
  const std::span<const PageFile> files = page_files();
  const auto found = std::ranges::find(files, path, &PageFile::path);
  return found == files.end() ? nullptr : &*found;
}

Response response_of(const PageFile& file) {
  Response out;
  const auto say = [&](std::string_view name, std::string_view value) {
    out.headers.emplace_back(name, value);
  };
  say("Content-Type", file.type);
  say("ETag", file.etag);
  say("Cache-Control", keeping_of(file.path));
  say("Vary", "Accept-Encoding");
  say("Content-Security-Policy", kPolicy);
  say("X-Frame-Options", "DENY");
  say("X-Content-Type-Options", "nosniff");
  say("Referrer-Policy", "no-referrer");
  say("Cross-Origin-Opener-Policy", "same-origin");
  say("Cross-Origin-Resource-Policy", "same-origin");
  say("Permissions-Policy", "camera=(), geolocation=(), microphone=()");
  return out;
}

}  // namespace

bool serve_page(const Visit& visit) {
  const Request& request = visit.request();
  const PageFile* file = file_of(request);
  if (file == nullptr) return false;
  if (request.method != "GET" && request.method != "HEAD") {
    Response response =
        error_response(405, "unknown-route", "this is a file of the page", "known here: GET");
    response.headers.emplace_back("Allow", "GET");
    visit.exchange->reply(std::move(response));
    return true;
  }
  if (!takes_gzip(request)) {
    visit.fail(406, {.code = "malformed-request",
                     .message = "the page is kept compressed",
                     .hint = "accept the encoding gzip",
                     .where = {}});
    return true;
  }
  Response response = response_of(*file);
  if (has_tag(request, file->etag)) {
    response.status = 304;
  } else {
    response.headers.emplace_back("Content-Encoding", "gzip");
    response.body.assign(file->begin, file->end);
  }
  visit.exchange->reply(std::move(response));
  return true;
}

}  // namespace tollgate::server
