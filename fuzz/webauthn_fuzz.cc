// Any bytes as what an authenticator brings: refused with a code, or read back to the same bytes.
// Nothing that was made up is ever taken for a touch: the key here signs nothing.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "webauthn/cbor.h"
#include "webauthn/ceremony.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace tollgate::webauthn;
  using tollgate::fuzz::require;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto read = read_cbor(text);
  if (read) {
    require(read->second <= size);
    require(write_cbor(read->first) == text.substr(0, read->second));
  } else {
    require(read.error().code == "presence-refused");
  }

  const Expected expected{.challenge = "foo", .origin = "http://localhost", .rp_id = "localhost"};
  constexpr std::string_view kMade =
      R"({"type":"webauthn.create","challenge":"Zm9v","origin":"http://localhost"})";
  constexpr std::string_view kTouched =
      R"({"type":"webauthn.get","challenge":"Zm9v","origin":"http://localhost"})";
  if (const auto key = check_registration(kMade, text, expected)) {
    require(!key->id.empty() && key->id.size() <= kMaxIdBytes && key->point.size() == 65);
    require(!check_assertion(kTouched, text, text, *key, expected));
  }
  const PublicKey nobody{.id = "x", .point = std::string(65, '\4'), .counter = 0};
  require(!check_assertion(kTouched, text, text, nobody, expected));
  require(!check_registration(text, text, expected) || challenge_in(text));
  return 0;
}
