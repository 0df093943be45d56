#include "webauthn/ceremony.h"

#include "base/base64.h"
#include "json/json.h"
#include "webauthn/cbor.h"
#include "webauthn/es256.h"

namespace tollgate::webauthn {
namespace {

using json::Value;

Error refused(std::string message) {
  return {.code = "presence-refused",
          .message = std::move(message),
          .hint = "do it again from the gate's own page, with the key that is registered",
          .where = {}};
}

constexpr unsigned kPresent = 0x01;  // somebody touched it
constexpr unsigned kHasKey = 0x40;   // a new key follows
constexpr unsigned kHasExtensions = 0x80;
constexpr std::size_t kFixedBytes = 37;  // digest of the rp id, flags, counter
constexpr std::size_t kModelBytes = 16;  // the authenticator's model

Result<Value> client_data_in(std::string_view text) {
  if (text.size() > kMaxClientBytes) return Fail(refused("the browser's data is too long"));
  Result<Value> value = json::parse(text);
  if (!value || !value->is_object()) return Fail(refused("the browser's data is no JSON object"));
  return value;
}

std::string text_in(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  return member == nullptr ? "" : member->as_string();
}

Result<void> check_client(std::string_view text, std::string_view type, const Expected& expected) {
  const Result<Value> value = client_data_in(text);
  if (!value) return Fail(value.error());
  if (text_in(*value, "type") != type)
    return Fail(refused("it was made for something else than `" + std::string(type) + "`"));
  if (expected.challenge.empty() ||
      bytes_of_base64url(text_in(*value, "challenge")) != expected.challenge)
    return Fail(refused("it answers another challenge"));
  if (text_in(*value, "origin") != expected.origin)
    return Fail(refused("it was made on the page of another address"));
  if (const Value* across = value->find("crossOrigin"); across != nullptr && across->as_bool())
    return Fail(refused("it was made within the page of another address"));
  return {};
}

struct AuthenticatorData {
  unsigned flags = 0;
  std::uint32_t counter = 0;
  std::string_view rest;
};

// `bytes` outlives it.
Result<AuthenticatorData> read_authenticator(std::string_view bytes, const Expected& expected) {
  if (bytes.size() < kFixedBytes) return Fail(refused("the authenticator's data is too short"));
  const std::string digest = sha256(expected.rp_id);
  if (digest.empty() || bytes.substr(0, digest.size()) != digest)
    return Fail(refused("the key was touched for another site"));
  AuthenticatorData out{.flags = static_cast<unsigned char>(bytes[32]),
                        .counter = 0,
                        .rest = bytes.substr(kFixedBytes)};
  for (std::size_t i = 33; i < kFixedBytes; ++i)
    out.counter = out.counter << 8u | static_cast<unsigned char>(bytes[i]);
  if ((out.flags & kPresent) == 0) return Fail(refused("nobody has touched the key"));
  return out;
}

// Extensions are not asked for; where a key sends some, they are one map and the end.
Result<void> check_end(const AuthenticatorData& data, std::string_view rest) {
  if ((data.flags & kHasExtensions) != 0) {
    const auto read = read_cbor(rest);
    if (!read) return Fail(read.error());
    if (read->first.kind != CborKind::kMap) return Fail(refused("extensions are no map"));
    rest.remove_prefix(read->second);
  }
  if (!rest.empty()) return Fail(refused("something stands behind the authenticator's data"));
  return {};
}

bool is_number(const Cbor* value, std::int64_t number) {
  return value != nullptr && value->kind == CborKind::kNumber && value->number == number;
}

// A COSE key: type 2 (two numbers), algorithm -7 (ES256), curve 1 (P-256).
Result<std::string> point_in(const Cbor& key) {
  if (!is_number(key.find(1), 2) || !is_number(key.find(3), -7) || !is_number(key.find(-1), 1))
    return Fail(refused("the key is of a kind that the gate does not take: it takes ES256"));
  std::string point(1, '\4');
  for (const std::int64_t part : {-2, -3}) {
    const Cbor* number = key.find(part);
    if (number == nullptr || number->kind != CborKind::kBytes || number->bytes.size() != 32)
      return Fail(refused("the key is not whole"));
    point += number->bytes;
  }
  if (!is_point(point)) return Fail(refused("the key is no point of its curve"));
  return point;
}

Result<PublicKey> new_key_in(const AuthenticatorData& data) {
  std::string_view rest = data.rest;
  if ((data.flags & kHasKey) == 0 || rest.size() < kModelBytes + 2)
    return Fail(refused("the authenticator has made no key"));
  const std::size_t size = static_cast<unsigned char>(rest[kModelBytes]) * std::size_t{256} +
                           static_cast<unsigned char>(rest[kModelBytes + 1]);
  rest.remove_prefix(kModelBytes + 2);
  if (size == 0 || size > kMaxIdBytes || size > rest.size())
    return Fail(refused("the id of the key has a length that is not possible"));
  PublicKey key{.id = std::string(rest.substr(0, size)), .point = {}, .counter = data.counter};
  rest.remove_prefix(size);
  const auto read = read_cbor(rest);
  if (!read) return Fail(read.error());
  Result<std::string> point = point_in(read->first);
  if (!point) return Fail(std::move(point).error());
  key.point = std::move(*point);
  if (Result<void> end = check_end(data, rest.substr(read->second)); !end)
    return Fail(std::move(end).error());
  return key;
}

}  // namespace

Result<std::string> challenge_in(std::string_view client_data) {
  const Result<Value> value = client_data_in(client_data);
  if (!value) return Fail(value.error());
  std::optional<std::string> bytes = bytes_of_base64url(text_in(*value, "challenge"));
  if (!bytes || bytes->empty()) return Fail(refused("it answers no challenge"));
  return std::move(*bytes);
}

Result<PublicKey> check_registration(std::string_view client_data, std::string_view attestation,
                                     const Expected& expected) {
  if (Result<void> client = check_client(client_data, "webauthn.create", expected); !client)
    return Fail(std::move(client).error());
  const auto read = read_cbor(attestation);
  if (!read) return Fail(read.error());
  const Cbor& object = read->first;
  const Cbor* data = object.find("authData");
  const Cbor* format = object.find("fmt");
  const Cbor* statement = object.find("attStmt");
  if (read->second != attestation.size() || data == nullptr || data->kind != CborKind::kBytes ||
      format == nullptr || format->kind != CborKind::kText || statement == nullptr ||
      statement->kind != CborKind::kMap)
    return Fail(refused("the attestation is not of the form that the standard has"));
  const Result<AuthenticatorData> authenticator = read_authenticator(data->bytes, expected);
  if (!authenticator) return Fail(authenticator.error());
  return new_key_in(*authenticator);
}

Result<std::uint32_t> check_assertion(std::string_view client_data,
                                      std::string_view authenticator_data,
                                      std::string_view signature, const PublicKey& key,
                                      const Expected& expected) {
  if (Result<void> client = check_client(client_data, "webauthn.get", expected); !client)
    return Fail(std::move(client).error());
  const Result<AuthenticatorData> data = read_authenticator(authenticator_data, expected);
  if (!data) return Fail(data.error());
  if ((data->flags & kHasKey) != 0) return Fail(refused("a key was made, and none was asked for"));
  if (Result<void> end = check_end(*data, data->rest); !end) return Fail(std::move(end).error());
  const std::string digest = sha256(client_data);
  if (digest.empty() || !is_signed(key.point, std::string(authenticator_data) + digest, signature))
    return Fail(refused("the signature is not of the registered key"));
  // One that counts at all counts up by every touch.
  if ((data->counter != 0 || key.counter != 0) && data->counter <= key.counter)
    return Fail(refused("the key's counter went back: there may be a copy of it"));
  return data->counter;
}

}  // namespace tollgate::webauthn
