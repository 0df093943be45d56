// Web Push: the RFC's own example, byte for byte, and a VAPID token that another reader accepts.
#include <gtest/gtest.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>

#include "json/json.h"
#include "notify/codes.h"
#include "notify/messages.h"
#include "notify/push_cipher.h"
#include "notify/push_key.h"
#include "os/files.h"

namespace tollgate::notify {
namespace {

// RFC 8291, appendix A.
constexpr std::string_view kText = "When I grow up, I want to be a watermelon";
constexpr std::string_view kOwnPrivate = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
constexpr std::string_view kOwnPublic =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";
constexpr std::string_view kSalt = "DGv6ra1nlYgDCS1FRnbzlw";
const Subscription kBrowser = {
    "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
    "BTBZMqHH6r4Tts7J_aSIgg"};
constexpr std::string_view kMessage =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_"
    "c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tl"
    "zAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_"
    "Qulcy4a-"
    "fN";

Key key_of(std::string_view private_text, std::string_view public_text) {
  const std::string secret = bytes_of_base64url(private_text).value();
  const std::string point = bytes_of_base64url(public_text).value();
  OSSL_PARAM_BLD* build = ::OSSL_PARAM_BLD_new();
  BIGNUM* number = ::BN_bin2bn(reinterpret_cast<const unsigned char*>(secret.data()),
                               static_cast<int>(secret.size()), nullptr);
  ::OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0);
  ::OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size());
  ::OSSL_PARAM_BLD_push_BN(build, OSSL_PKEY_PARAM_PRIV_KEY, number);
  OSSL_PARAM* parameters = ::OSSL_PARAM_BLD_to_param(build);
  EVP_PKEY_CTX* context = ::EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr);
  EVP_PKEY* made = nullptr;
  ::EVP_PKEY_fromdata_init(context);
  ::EVP_PKEY_fromdata(context, &made, EVP_PKEY_KEYPAIR, parameters);
  ::EVP_PKEY_CTX_free(context);
  ::OSSL_PARAM_free(parameters);
  ::OSSL_PARAM_BLD_free(build);
  ::BN_free(number);
  return Key(made);
}

TEST(PushCipher, IsTheExampleOfRfc8291) {
  const Result<std::string> body = encrypted(kText, kBrowser, key_of(kOwnPrivate, kOwnPublic),
                                             bytes_of_base64url(kSalt).value());
  ASSERT_TRUE(body);
  EXPECT_EQ(base64url(*body), kMessage);
}

TEST(PushCipher, RefusesKeysThatAreNone) {
  struct Case {
    std::string_view name;
    std::string p256dh, auth;
  };
  const std::string off_curve = base64url("\x04" + std::string(64, '\x01'));
  const Case cases[] = {
      {"no point", "", kBrowser.auth},
      {"a point that is not on the curve", off_curve, kBrowser.auth},
      {"a point cut short", kBrowser.p256dh.substr(0, 80), kBrowser.auth},
      {"no text of base64", "****", kBrowser.auth},
      {"a short secret", kBrowser.p256dh, "BTBZMqHH6r4T"},
      {"no secret", kBrowser.p256dh, ""},
  };
  for (const Case& each : cases) {
    const Subscription bad{kBrowser.endpoint, each.p256dh, each.auth};
    const Result<void> checked = check_subscription(bad);
    ASSERT_FALSE(checked) << each.name;
    EXPECT_EQ(checked.error().code, "malformed-request") << each.name;
    EXPECT_FALSE(encrypted(kText, bad, new_key(), std::string(16, 's'))) << each.name;
  }
  EXPECT_FALSE(
      encrypted(std::string(kMostPushText + 1, 'x'), kBrowser, new_key(), std::string(16, 's')));
  EXPECT_FALSE(encrypted(kText, kBrowser, nullptr, std::string(16, 's')));
  EXPECT_FALSE(encrypted(kText, kBrowser, new_key(), "short"));
}

// Checks an ES256 signature with the public key alone, as a push service does.
bool is_signed(const std::string& text, const std::string& signature, const std::string& point) {
  ECDSA_SIG* both = ::ECDSA_SIG_new();
  const auto* bytes = reinterpret_cast<const unsigned char*>(signature.data());
  ::ECDSA_SIG_set0(both, ::BN_bin2bn(bytes, 32, nullptr), ::BN_bin2bn(bytes + 32, 32, nullptr));
  unsigned char* der = nullptr;
  const int size = ::i2d_ECDSA_SIG(both, &der);
  OSSL_PARAM_BLD* build = ::OSSL_PARAM_BLD_new();
  ::OSSL_PARAM_BLD_push_utf8_string(build, OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0);
  ::OSSL_PARAM_BLD_push_octet_string(build, OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size());
  OSSL_PARAM* parameters = ::OSSL_PARAM_BLD_to_param(build);
  EVP_PKEY_CTX* context = ::EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr);
  EVP_PKEY* key = nullptr;
  ::EVP_PKEY_fromdata_init(context);
  ::EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
  EVP_MD_CTX* digest = ::EVP_MD_CTX_new();
  const bool good =
      ::EVP_DigestVerifyInit(digest, nullptr, ::EVP_sha256(), nullptr, key) == 1 &&
      ::EVP_DigestVerify(digest, der, static_cast<std::size_t>(size),
                         reinterpret_cast<const unsigned char*>(text.data()), text.size()) == 1;
  ::EVP_MD_CTX_free(digest);
  ::EVP_PKEY_free(key);
  ::EVP_PKEY_CTX_free(context);
  ::OSSL_PARAM_free(parameters);
  ::OSSL_PARAM_BLD_free(build);
  ::OPENSSL_free(der);
  ::ECDSA_SIG_free(both);
  return good;
}

TEST(PushKey, SignsTokensThatThePublicKeyAccepts) {
  const Result<PushKey> key = PushKey::make();
  ASSERT_TRUE(key);
  const Result<std::string> header =
      key->authorization("https://push.example.net", "mailto:ann@example.com", 1'700'043'200);
  ASSERT_TRUE(header);
  ASSERT_TRUE(header->starts_with("vapid t="));
  const std::size_t comma = header->find(", k=");
  const std::string token = header->substr(8, comma - 8);
  EXPECT_EQ(header->substr(comma + 4), key->public_text());
  const std::size_t first = token.find('.'), second = token.find('.', first + 1);
  EXPECT_EQ(bytes_of_base64url(token.substr(0, first)), R"({"typ":"JWT","alg":"ES256"})");
  EXPECT_EQ(
      bytes_of_base64url(token.substr(first + 1, second - first - 1)),
      R"({"aud":"https://push.example.net","exp":1700043200,"sub":"mailto:ann@example.com"})");
  const std::string signature = bytes_of_base64url(token.substr(second + 1)).value();
  const std::string point = bytes_of_base64url(key->public_text()).value();
  ASSERT_EQ(signature.size(), 64u);
  EXPECT_TRUE(is_signed(token.substr(0, second), signature, point));
  EXPECT_FALSE(is_signed(token.substr(0, second) + "x", signature, point));
}

TEST(PushKey, StaysTheSameOverAFile) {
  std::string directory = "/tmp/tollgate-notify-XXXXXX";
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);
  const std::string file = directory + "/push.pem";
  const Result<PushKey> made = PushKey::in_file(file);
  ASSERT_TRUE(made);
  EXPECT_EQ(os::stamp_of(file)->mode & 0777u, 0600u);
  const Result<PushKey> again = PushKey::in_file(file);
  ASSERT_TRUE(again);
  EXPECT_EQ(made->public_text(), again->public_text());
  ::chmod(file.c_str(), 0644);
  const Result<PushKey> open = PushKey::in_file(file);
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code, "unsafe-secret-file");
  ASSERT_TRUE(os::write_atomically(file, "no key\n"));
  EXPECT_FALSE(PushKey::in_file(file));
  ::unlink(file.c_str());
  ::rmdir(directory.c_str());
}

Order push_order(const std::string& endpoint) {
  Order order;
  order.target = {.name = "phones", .kind = Kind::kPush, .contact = "mailto:a@example.com"};
  order.subscription = kBrowser;
  order.subscription.endpoint = endpoint;
  order.notice = {.question = "0123456789abcdef0123456789abcdef",
                  .title = "web asks to use Bash",
                  .text = "It would run git.",
                  .link = "https://gate/#/question/0123"};
  order.now = 1'700'000'000'000;
  order.notice.expires = order.now + 30'000;
  return order;
}

TEST(PushMessage, HasTheHeadersOfRfc8030) {
  const Result<PushKey> key = PushKey::make();
  const PushParts parts{.key = &*key, .once = new_key(), .salt = std::string(16, 's')};
  const Result<HttpMessage> message =
      message_of(push_order("https://fcm.googleapis.com/fcm/send/x"), parts);
  ASSERT_TRUE(message);
  EXPECT_EQ(message->url, "https://fcm.googleapis.com/fcm/send/x");
  std::map<std::string, std::string> headers(message->headers.begin(), message->headers.end());
  EXPECT_TRUE(headers["Authorization"].starts_with("vapid t="));
  headers.erase("Authorization");
  EXPECT_EQ(headers,
            (std::map<std::string, std::string>{{"Content-Encoding", "aes128gcm"},
                                                {"Content-Type", "application/octet-stream"},
                                                {"TTL", "30"},
                                                {"Urgency", "high"},
                                                {"Topic", "0123456789abcdef0123456789abcdef"}}));
  EXPECT_EQ(message->body.find("git"), std::string::npos);
}

TEST(PushMessage, GoesToPushServicesAlone) {
  const Result<PushKey> key = PushKey::make();
  for (const char* endpoint :
       {"https://127.0.0.1/x", "https://metadata.internal/x",
        "https://fcm.googleapis.com.evil.org/x", "https://evil.org/fcm.googleapis.com",
        "https://user@fcm.googleapis.com/x", "ftp://fcm.googleapis.com/x",
        "https://notify.windows.com/x", ""}) {
    const PushParts parts{.key = &*key, .once = new_key(), .salt = std::string(16, 's')};
    EXPECT_FALSE(message_of(push_order(endpoint), parts)) << endpoint;
  }
  Order order = push_order("https://push.corp.example/x");
  order.target.hosts = {"*.corp.example"};
  const PushParts parts{.key = &*key, .once = new_key(), .salt = std::string(16, 's')};
  EXPECT_TRUE(message_of(order, parts));
}

}  // namespace
}  // namespace tollgate::notify
