// The inside of people: digests, never secrets; what was guessed wrong since the last line.
// Shared by the source files of people and nobody else.
// INVARIANT: what stands in memory is durable; a secret lives only in the call that made it.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "approvals/guesses.h"
#include "approvals/people.h"

namespace tollgate::approvals {

struct People::Inside : std::enable_shared_from_this<Inside> {
  Inside(store::Store& store_in, Post post_in, Random random_in)
      : store(store_in), post(std::move(post_in)), random(std::move(random_in)) {}

  store::Store& store;
  Post post;
  Random random;
  std::map<std::string, store::Credential> by_name;
  std::map<std::string, std::string> by_digest;  // digest of a secret to the credential's name
  std::map<std::string, store::Login> logins;    // by digest
  std::set<std::string> being_added;
  Guesses guesses;
  std::size_t wrong = 0;  // since the last line of the audit
  std::set<std::string> wrong_from;
  store::Millis wrong_told = 0;
  store::Millis cleaned = 0;

  // A new secret of 256 bits with its prefix. Error: random-unavailable.
  Result<std::string> new_secret(std::string_view prefix) const;
  const store::Credential* live(const std::string& name, store::Millis now) const;
  std::vector<store::Credential> left_behind(const store::Credential& last) const;
  const store::Credential* live_of(const store::Login& login, store::Millis now) const;
  void insert(const store::Credential& credential);
  Error refuse(const std::string& from, store::Millis now);
  Result<Who> by_secret(std::string_view secret, const std::string& from, store::Millis now);
  Result<store::Login> login_of(std::string_view secret, std::string_view prefix,
                                store::Login::Kind kind, const std::string& from,
                                store::Millis now);
  // Logs a credential in: a cookie in the same batch as what proves that it may.
  void enter(const store::Credential& credential, std::vector<store::Change> batch,
             const std::string& how, const std::string& from, store::Millis now,
             std::function<void(Result<Cookie>)> done);
  void submit(std::vector<store::Change> batch, store::Durability durability,
              std::function<void(Result<void>)> then);
  void tell_wrong(store::Millis now);
};

store::AuditRow credential_row(const std::string& act, const store::Credential& credential,
                               const std::string& by, store::Millis at);
Error bad_credential();

}  // namespace tollgate::approvals
