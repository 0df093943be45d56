// Cookies and links: how a page logs in, stays so, and leaves.
// SAFETY: a link is spent in the store, in the batch that makes its cookie; two daemons cannot both
// take it.
// SAFETY: a login is kept under the digest of cookie and key together. A browser sends the cookie
// to every port of the host; the key stays with the page that logged in, so a cookie alone finds
// nothing.
#include <algorithm>

#include "approvals/digest.h"
#include "approvals/people_inside.h"

namespace tollgate::approvals {
namespace {

constexpr std::string_view kLinkPrefix = "tgl_";
constexpr std::string_view kCookiePrefix = "tgc_";
constexpr std::string_view kKeyPrefix = "tgk_";
constexpr store::Millis kTellWrong = 60'000;  // LIMIT: one line of wrong logins a minute

// What a page's login is found by. Cookie and key are hexadecimal behind their prefixes, so that no
// other pair makes the same text.
std::string both(std::string_view cookie, std::string_view key) {
  return std::string(cookie) + "." + std::string(key);
}

}  // namespace

Error bad_credential() {
  return {.code = "bad-credential",
          .message = "the credential is missing, unknown, revoked, spent or too old",
          .hint = "log in again",
          .where = {}};
}

store::AuditRow credential_row(const std::string& act, const store::Credential& credential,
                               const std::string& by, store::Millis at) {
  store::AuditRow row;
  row.at = at;
  row.kind = "credential";
  row.by = by;
  row.origin = "daemon";
  row.record = json::Value::object({{"act", json::Value::string(act)},
                                    {"credential", json::Value::string(credential.name)},
                                    {"person", json::Value::string(credential.person)}});
  return row;
}

Result<store::Login> People::Inside::login_of(std::string_view secret, std::string_view prefix,
                                              store::Login::Kind kind, const std::string& from,
                                              store::Millis now) {
  const std::string digest = secret.starts_with(prefix) ? sha256(secret) : std::string();
  const auto found = logins.find(digest);
  if (digest.empty() || found == logins.end() || found->second.kind != kind)
    return Fail(refuse(from, now));
  const store::Login& login = found->second;
  if (login.expires <= now || login.used != 0) return Fail(bad_credential());  // no guess
  return login;
}

// A login is for the credential that it was made for, not for a later one of that name.
const store::Credential* People::Inside::live_of(const store::Login& login,
                                                 store::Millis now) const {
  const store::Credential* credential = live(login.credential, now);
  return credential != nullptr && login.created >= credential->created ? credential : nullptr;
}

Result<Who> People::by_cookie(std::string_view cookie, std::string_view key,
                              const std::string& from, store::Millis now) {
  if (key.empty()) return Fail(bad_credential());  // no guess: there is nothing that it could find
  Result<store::Login> login =
      inside_->login_of(both(cookie, key), kCookiePrefix, store::Login::Kind::kCookie, from, now);
  if (!login) return Fail(std::move(login).error());
  const store::Credential* credential = inside_->live_of(*login, now);
  if (credential == nullptr) return Fail(bad_credential());
  return Who{.credential = *credential, .by_cookie = true};
}

void People::make_link(const std::string& credential, store::Millis now,
                       std::function<void(Result<std::string>)> done, store::Millis lifetime) {
  const store::Credential* found = inside_->live(credential, now);
  if (found == nullptr)
    return done(Fail({.code = "unknown-approver",
                      .message = "there is no credential `" + credential + "`",
                      .hint = "`tollgate approver list` shows the names",
                      .where = {}}));
  Result<std::string> secret = inside_->new_secret(kLinkPrefix);
  if (!secret) return done(Fail(std::move(secret).error()));
  store::Login link;
  link.digest = sha256(*secret);
  link.kind = store::Login::Kind::kLink;
  link.credential = credential;
  link.created = std::max(now, found->created);  // the clock may have gone back a little
  link.expires = now + lifetime;
  inside_->submit({store::PutLogin{link},
                   store::AppendAudit{credential_row("link", *found, found->person, now)}},
                  store::Durability::kNow,
                  [inside = inside_.get(), link, secret = *secret,
                   done = std::move(done)](const Result<void>& result) {
                    if (!result) return done(Fail(result.error()));
                    inside->logins[link.digest] = link;
                    done(secret);
                  });
}

void People::enter_by_link(std::string_view secret, const std::string& from, store::Millis now,
                           std::function<void(Result<Cookie>)> done) {
  Result<store::Login> link =
      inside_->login_of(secret, kLinkPrefix, store::Login::Kind::kLink, from, now);
  if (!link) return done(Fail(std::move(link).error()));
  const store::Credential* credential = inside_->live_of(*link, now);
  if (credential == nullptr) return done(Fail(bad_credential()));
  inside_->enter(*credential, {store::SpendLink{.digest = link->digest, .at = now}}, "link", from,
                 now,
                 [inside = inside_.get(), digest = link->digest, now,
                  done = std::move(done)](Result<Cookie> cookie) {
                   const bool spent = cookie || cookie.error().code == "link-spent";
                   const auto known = inside->logins.find(digest);
                   if (spent && known != inside->logins.end()) known->second.used = now;
                   if (!cookie && spent) return done(Fail(bad_credential()));
                   done(std::move(cookie));
                 });
}

void People::enter_by_secret(std::string_view secret, const std::string& from, store::Millis now,
                             std::function<void(Result<Cookie>)> done) {
  Result<Who> who = inside_->by_secret(secret, from, now);
  if (!who) return done(Fail(std::move(who).error()));
  inside_->enter(who->credential, {}, "secret", from, now, std::move(done));
}

void People::leave(std::string_view cookie, std::string_view key,
                   std::function<void(Result<void>)> done) {
  const auto found = inside_->logins.find(sha256(both(cookie, key)));
  if (found == inside_->logins.end() || found->second.kind != store::Login::Kind::kCookie)
    return done({});
  store::Login over = found->second;
  over.expires = 1;  // long ago
  inside_->logins.erase(found);
  inside_->submit({store::PutLogin{over}}, store::Durability::kNow, std::move(done));
}

void People::Inside::enter(const store::Credential& credential, std::vector<store::Change> batch,
                           const std::string& how, const std::string& from, store::Millis now,
                           std::function<void(Result<Cookie>)> done) {
  Result<std::string> secret = new_secret(kCookiePrefix);
  if (!secret) return done(Fail(std::move(secret).error()));
  Result<std::string> key = new_secret(kKeyPrefix);
  if (!key) return done(Fail(std::move(key).error()));
  store::Login login;
  login.digest = sha256(both(*secret, *key));
  login.credential = credential.name;
  login.created = std::max(now, credential.created);
  login.expires = now + login_lifetime(credential);
  store::AuditRow row = credential_row("login", credential, credential.person, now);
  row.record.set("how", json::Value::string(how));
  row.record.set("from", json::Value::string(from.substr(0, 64)));
  batch.push_back(store::PutLogin{login});
  batch.push_back(store::AppendAudit{std::move(row)});
  Cookie cookie{.value = *secret, .key = *key, .credential = credential};
  submit(std::move(batch), store::Durability::kNow,
         [this, login, cookie = std::move(cookie), now,
          done = std::move(done)](const Result<void>& result) {
           if (!result) return done(Fail(result.error()));
           const store::Credential* still = live(login.credential, now);
           if (still == nullptr || still->digest != cookie.credential.digest) {
             // It was revoked while this was written.
             store::Login over = login;
             over.expires = 1;
             submit({store::PutLogin{over}}, store::Durability::kNow, [](const Result<void>&) {});
             return done(Fail(bad_credential()));
           }
           logins[login.digest] = login;
           done(cookie);
         });
}

// One line says how often and from where, so that guessing cannot fill the disk.
void People::Inside::tell_wrong(store::Millis now) {
  if (wrong == 0 || now - wrong_told < kTellWrong) return;
  store::AuditRow row;
  row.at = now;
  row.kind = "credential";
  row.origin = "daemon";
  row.record =
      json::Value::object({{"act", json::Value::string("wrong login")},
                           {"count", json::Value::integer(static_cast<std::int64_t>(wrong))}});
  json::Value places = json::Value::array();
  for (const std::string& from : wrong_from) places.push(json::Value::string(from));
  row.record.set("from", std::move(places));
  wrong = 0;
  wrong_from.clear();
  wrong_told = now;
  submit({store::AppendAudit{std::move(row)}}, store::Durability::kGrouped,
         [](const Result<void>&) {});
}

}  // namespace tollgate::approvals
