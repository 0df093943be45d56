// Credentials: made, shown once, found by their digest, revoked.
// SAFETY: a secret is looked up by its digest, so how long that takes says nothing about it.
#include "approvals/people.h"

#include <algorithm>

#include "approvals/digest.h"
#include "approvals/people_inside.h"

namespace tollgate::approvals {
namespace {

constexpr std::string_view kSecretPrefix = "tga_";
constexpr std::size_t kSecretBytes = 32;
constexpr store::Millis kClean = 3'600'000;  // how often logins that ended leave the store

}  // namespace

People::People(store::Store& store, Post post, Random random)
    : inside_(std::make_shared<Inside>(store, std::move(post), std::move(random))) {}

void People::restore(const std::vector<store::Credential>& credentials,
                     std::vector<store::Login> logins) {
  for (const store::Credential& credential : credentials) inside_->insert(credential);
  for (store::Login& login : logins)
    if (!login.digest.empty()) inside_->logins[login.digest] = std::move(login);
}

void People::add(NewCredential wanted, const std::string& by, store::Millis now,
                 std::function<void(Result<std::string>)> done) {
  const auto known = inside_->by_name.find(wanted.name);
  const bool taken = known != inside_->by_name.end() && known->second.revoked == 0;
  if (wanted.name.empty() || taken || inside_->being_added.contains(wanted.name))
    return done(Fail({.code = "approver-taken",
                      .message = "there is a credential `" + wanted.name + "` already",
                      .hint = "take another name, or revoke that one first",
                      .where = {}}));
  Result<std::string> secret = inside_->new_secret(kSecretPrefix);
  if (!secret) return done(Fail(std::move(secret).error()));
  store::Credential credential;
  credential.name = wanted.name;
  credential.person = wanted.person.empty() ? wanted.name : wanted.person;
  credential.roles = std::move(wanted.roles);
  credential.approver = wanted.approver;
  credential.is_operator = wanted.is_operator;
  credential.device = std::move(wanted.device);
  credential.digest = sha256(*secret);
  credential.created = now;
  credential.expires = wanted.lifetime > 0 ? now + wanted.lifetime : 0;
  inside_->being_added.insert(credential.name);
  inside_->submit({store::PutCredential{credential},
                   store::AppendAudit{credential_row("add", credential, by, now)}},
                  store::Durability::kNow,
                  [inside = inside_.get(), credential, secret = *secret,
                   done = std::move(done)](const Result<void>& result) {
                    inside->being_added.erase(credential.name);
                    if (!result) return done(Fail(result.error()));
                    inside->insert(credential);
                    done(secret);
                  });
}

void People::revoke(const std::string& name, const std::string& by, store::Millis now,
                    std::function<void(Result<void>)> done) {
  const auto found = inside_->by_name.find(name);
  if (found == inside_->by_name.end() || found->second.revoked != 0)
    return done(Fail({.code = "unknown-approver",
                      .message = "there is no credential `" + name + "`",
                      .hint = "`tollgate approver list` shows the names",
                      .where = {}}));
  std::vector<store::Credential> revoked = {found->second};
  for (const store::Credential& device : inside_->left_behind(found->second))
    revoked.push_back(device);
  std::vector<store::Change> batch;
  for (store::Credential& each : revoked) {
    each.revoked = now;
    batch.emplace_back(store::PutCredential{each});
    batch.emplace_back(store::DropLogins{.credential = each.name});
    batch.emplace_back(store::AppendAudit{credential_row("revoke", each, by, now)});
  }
  inside_->submit(
      std::move(batch), store::Durability::kNow,
      [inside = inside_.get(), revoked, done = std::move(done)](const Result<void>& result) {
        if (!result) return done(result);
        for (const store::Credential& each : revoked) {
          inside->insert(each);
          std::erase_if(inside->logins,
                        [&](const auto& login) { return login.second.credential == each.name; });
        }
        done(result);
      });
}

Result<Who> People::by_secret(std::string_view secret, const std::string& from, store::Millis now) {
  return inside_->by_secret(secret, from, now);
}

std::vector<store::Credential> People::all() const {
  std::vector<store::Credential> credentials;
  for (const auto& [name, credential] : inside_->by_name) credentials.push_back(credential);
  return credentials;
}

bool People::is_logged_in(const std::string& name, store::Millis now) const {
  return std::ranges::any_of(inside_->logins, [&](const auto& each) {
    const store::Login& login = each.second;
    return login.credential == name && login.kind == store::Login::Kind::kCookie &&
           login.expires > now && inside_->live_of(login, now) != nullptr;
  });
}

void People::tick(store::Millis now) {
  inside_->guesses.tick(now);
  inside_->tell_wrong(now);
  std::erase_if(inside_->logins, [now](const auto& login) { return login.second.expires <= now; });
  if (now - inside_->cleaned < kClean) return;
  inside_->cleaned = now;
  inside_->submit({store::DropLogins{.credential = {}, .before = now}}, store::Durability::kGrouped,
                  [](const Result<void>&) {});
}

Principal principal_of(const store::Credential& credential, std::string via) {
  return {.approver = credential.name,
          .person = credential.person,
          .roles = credential.roles,
          .via = std::move(via),
          .session = {}};
}

Principal principal_of(const Who& who, std::string via) {
  Principal out = principal_of(who.credential, std::move(via));
  out.key = who.key;
  return out;
}

// --- inside
// ----------------------------------------------------------------------------------------

Result<std::string> People::Inside::new_secret(std::string_view prefix) const {
  const std::string bytes = random ? random(kSecretBytes) : std::string();
  if (bytes.size() != kSecretBytes)
    return Fail({.code = "random-unavailable",
                 .message = "the system gives no random bytes",
                 .hint = "check that getrandom is not forbidden to this process",
                 .where = {}});
  return std::string(prefix) + hexadecimal(bytes);
}

const store::Credential* People::Inside::live(const std::string& name, store::Millis now) const {
  const auto found = by_name.find(name);
  if (found == by_name.end()) return nullptr;
  const store::Credential& credential = found->second;
  const bool over =
      credential.revoked != 0 || (credential.expires != 0 && credential.expires <= now);
  return over ? nullptr : &credential;
}

// The devices of a person who has no credential but this one: they go with it.
std::vector<store::Credential> People::Inside::left_behind(const store::Credential& last) const {
  std::vector<store::Credential> devices;
  if (!last.device.empty()) return devices;
  for (const auto& [name, each] : by_name) {
    if (each.person != last.person || each.revoked != 0 || name == last.name) continue;
    if (each.device.empty()) return {};
    devices.push_back(each);
  }
  return devices;
}

// The digest of a credential that this one takes the place of opens nothing any more.
void People::Inside::insert(const store::Credential& credential) {
  std::erase_if(by_digest, [&](const auto& one) { return one.second == credential.name; });
  by_name[credential.name] = credential;
  if (credential.revoked == 0 && !credential.digest.empty())
    by_digest[credential.digest] = credential.name;
}

// A wrong secret: counted, unless the place has to wait anyway.
Error People::Inside::refuse(const std::string& from, store::Millis now) {
  if (const store::Millis wait = guesses.wait(from, now); wait > 0)
    return {.code = "too-many-guesses",
            .message = "wrong credentials came too often from this place",
            .hint = "wait " + std::to_string((wait + 999) / 1'000) + " s",
            .where = {}};
  guesses.note_wrong(from, now);
  ++wrong;
  if (wrong_from.size() < 8) wrong_from.insert(from.substr(0, 64));
  return bad_credential();
}

Result<Who> People::Inside::by_secret(std::string_view secret, const std::string& from,
                                      store::Millis now) {
  const std::string digest = secret.starts_with(kSecretPrefix) ? sha256(secret) : std::string();
  const auto found = by_digest.find(digest);
  if (digest.empty() || found == by_digest.end()) return Fail(refuse(from, now));
  const store::Credential* credential = live(found->second, now);
  if (credential == nullptr) return Fail(refuse(from, now));
  return Who{.credential = *credential, .by_cookie = false};
}

void People::Inside::submit(std::vector<store::Change> batch, store::Durability durability,
                            std::function<void(Result<void>)> then) {
  store.submit(
      std::move(batch), durability,
      [weak = weak_from_this(), post_back = post, then = std::move(then)](Result<void> result) {
        post_back([weak, then, result = std::move(result)] {
          if (const auto self = weak.lock()) then(result);
        });
      });
}

}  // namespace tollgate::approvals
