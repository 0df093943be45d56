#include "certificates/place.h"

#include <algorithm>

#include "base/host.h"
#include "os/addresses.h"
#include "os/files.h"
#include "os/user.h"

namespace tollgate::certificates {
namespace {

constexpr std::size_t kMostBytes = 256u << 10;
constexpr std::uint32_t kPrivateMode = 0600, kPublicMode = 0644;

// A key of ours that nobody else can read.
Result<std::string> read_key(const std::string& file) {
  const Result<os::FileText> read = os::read_stamped(file, kMostBytes);
  if (!read) return Fail(read.error());
  if (read->stamp.uid != os::effective_uid() || (read->stamp.mode & 077u) != 0)
    return Fail({.code = "tls-unusable",
                 .message = "others have access to `" + file + "`",
                 .hint = "take it away with `chmod 600`; if they may have read it, make another "
                         "with `tollgate pair --certificate --new-authority`",
                 .where = {}});
  return read->text;
}

bool is_there(const std::string& file) {
  const Result<os::Stamp> stamp = os::link_stamp_of(file);
  return !stamp || stamp->exists;  // what cannot be looked at is not written over
}

Result<Signed> read_authority(const Place& place) {
  Result<std::string> key = read_key(place.authority_key);
  if (!key) return Fail(std::move(key).error());
  Result<std::string> certificate = os::read_file(place.authority, kMostBytes);
  if (!certificate) return Fail(std::move(certificate).error());
  return Signed{.key = std::move(*key), .certificate = std::move(*certificate)};
}

Result<Facts> first_in(const std::string& pem, const std::string& file) {
  Result<std::vector<Facts>> chain = facts_in(pem, file);
  if (!chain) return Fail(std::move(chain).error());
  return std::move(chain->front());
}

Result<Signed> new_authority(const Place& place, const Wish& wish) {
  Result<Signed> made = make_authority(wish);
  if (!made) return made;
  if (Result<void> kept = os::write_atomically(place.authority_key, made->key, kPrivateMode); !kept)
    return Fail(std::move(kept).error());
  if (Result<void> kept = os::write_atomically(place.authority, made->certificate, kPublicMode);
      !kept)
    return Fail(std::move(kept).error());
  return made;
}

Result<Facts> new_server(const Place& place, const Signed& authority, const Wish& wish) {
  const Result<Signed> made = sign_server(authority, wish);
  if (!made) return Fail(made.error());
  const std::string file = made->key + made->certificate + authority.certificate;
  if (Result<void> kept = os::write_atomically(place.server, file, kPrivateMode); !kept)
    return Fail(std::move(kept).error());
  return first_in(made->certificate, place.server);
}

bool is_due(const Facts& server, std::int64_t now) {
  return server.not_after - now < (server.not_after - server.not_before) / 3 ||
         now < server.not_before;
}

bool same_names(const std::vector<std::string>& have, const std::vector<std::string>& wanted) {
  std::vector<std::string> a, b;
  for (const std::string& each : have) a.push_back(canonical_host(each));
  for (const std::string& each : wanted) b.push_back(canonical_host(each));
  std::ranges::sort(a);
  std::ranges::sort(b);
  b.erase(std::ranges::unique(b).begin(), b.end());
  return a == b;
}

// The chain of the server's file: its own certificate, then that of who signed it.
Result<std::vector<Facts>> read_server(const Place& place) {
  const Result<std::string> text = read_key(place.server);
  if (!text) return Fail(text.error());
  return facts_in(*text, place.server);
}

}  // namespace

Place place_in(const std::string& data_dir) {
  const std::string directory = data_dir + "/tls";
  return {.directory = directory,
          .authority_key = directory + "/ca.key",
          .authority = directory + "/ca.crt",
          .server = directory + "/server.pem"};
}

Result<Made> ensure(const Place& place, const Wish& wish, Authority which) {
  if (Result<void> made = os::make_private_directory(place.directory); !made)
    return Fail(std::move(made).error());
  Made out;
  out.new_authority = which == Authority::kNew || !is_there(place.authority_key);
  const Result<Signed> authority =
      out.new_authority ? new_authority(place, wish) : read_authority(place);
  if (!authority) return Fail(authority.error());
  Result<Facts> facts = first_in(authority->certificate, place.authority);
  if (!facts) return Fail(std::move(facts).error());
  out.authority = std::move(*facts);
  if (!out.new_authority && is_there(place.server)) {
    Result<std::vector<Facts>> chain = read_server(place);
    if (!chain) return Fail(std::move(chain).error());
    if (chain->size() == 2 && chain->back().sha256 == out.authority.sha256 &&
        same_names(chain->front().names, wish.names) && !is_due(chain->front(), wish.now)) {
      out.server = std::move(chain->front());
      return out;
    }
  }
  Result<Facts> server = new_server(place, *authority, wish);
  if (!server) return Fail(std::move(server).error());
  out.server = std::move(*server);
  out.new_server = true;
  return out;
}

Result<std::optional<Facts>> renew(const Place& place, std::int64_t now) {
  if (!is_there(place.authority_key) || !is_there(place.server)) return std::nullopt;
  const Result<std::vector<Facts>> chain = read_server(place);
  if (!chain) return Fail(chain.error());
  if (!is_due(chain->front(), now)) return std::nullopt;
  const Result<Signed> authority = read_authority(place);
  if (!authority) return Fail(authority.error());
  constexpr std::string_view kTitle = "Tollgate server on ";
  const std::string& subject = chain->front().subject;
  Result<Facts> made =
      new_server(place, *authority,
                 {.machine = subject.starts_with(kTitle) ? subject.substr(kTitle.size()) : subject,
                  .names = chain->front().names,
                  .now = now});
  if (!made) return Fail(std::move(made).error());
  return std::optional(std::move(*made));
}

std::vector<std::string> usual_names(const std::string& machine,
                                     const std::vector<std::string>& addresses) {
  std::vector<std::string> out = {"localhost", "127.0.0.1", "::1"};
  const std::string name = canonical_host(machine);
  if (!name.empty() && !is_address(name) && name != "localhost") {
    out.push_back(name);
    if (name.find('.') == name.npos) out.push_back(name + ".local");
  }
  for (const std::string& each : addresses)
    if (os::is_private_address(each) && out.size() < kMostNames) out.push_back(each);
  return out;
}

}  // namespace tollgate::certificates
