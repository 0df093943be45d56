// The gate's own key for Web Push (VAPID, RFC 8292): who sends is proved by it.
// Made once, kept in a file that only its user reads; the browser binds its subscription to it.
// INVARIANT: the key in the file never changes by itself: another one ends every subscription.
#pragma once

#include <openssl/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"

namespace tollgate::notify {

struct KeyEnd {
  void operator()(EVP_PKEY* key) const;
};
using Key = std::unique_ptr<EVP_PKEY, KeyEnd>;

class PushKey {
 public:
  // Errors: notify-failed where the library gives none.
  static Result<PushKey> make();
  // PEM, as pem() gives it. Error: notify-failed.
  static Result<PushKey> read(const std::string& pem);
  // The key in the file; made and written there (0600) where there is none. Errors: what files
  // have, unsafe-secret-file, notify-failed.
  static Result<PushKey> in_file(const std::string& path);

  std::string pem() const;
  // The public key as browsers take it: 65 bytes, base64url.
  const std::string& public_text() const& { return public_text_; }

  // The value of `Authorization` for one push service, which `audience` is the origin of.
  Result<std::string> authorization(const std::string& audience, const std::string& contact,
                                    std::int64_t expires_seconds) const;

 private:
  PushKey(Key key, std::string public_text)
      : key_(std::move(key)), public_text_(std::move(public_text)) {}
  static Result<PushKey> of(Key key);

  Key key_;
  std::string public_text_;
};

// 65 bytes, the uncompressed point of a key on P-256; "" where it is none.
std::string public_point(const EVP_PKEY* key);
// A new key on P-256; nothing where the library fails.
Key new_key();

}  // namespace tollgate::notify
