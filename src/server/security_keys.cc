#include "server/security_keys.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "approvals/digest.h"
#include "base/base64.h"
#include "json/json.h"
#include "server/routes.h"
#include "webauthn/es256.h"

namespace tollgate::server {
namespace {

using json::Value;

constexpr std::string_view kPrefix = "securityKey:";
constexpr std::size_t kRandomBytes = 32;

Error refused(std::string message) {
  return {.code = "presence-refused",
          .message = std::move(message),
          .hint = "do it again from the gate's own page",
          .where = {}};
}

std::string bytes_in(const Value& value, std::string_view name) {
  return bytes_of_base64url(text_in(value, name)).value_or("");
}

Millis number_in(const Value& value, std::string_view name) {
  const Value* member = value.find(name);
  const std::string text = member == nullptr ? "" : member->number_text();
  Millis out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

store::PutSetting setting_of(const SecurityKey& key) {
  const Value value =
      Value::object({{"id", text_value(key.id())},
                     {"person", text_value(key.person)},
                     {"name", text_value(key.name)},
                     {"rpId", text_value(key.rp_id)},
                     {"point", text_value(base64url(key.key.point))},
                     {"counter", Value::integer(static_cast<std::int64_t>(key.key.counter))},
                     {"created", Value::integer(key.created)},
                     {"used", Value::integer(key.used)}});
  return {std::string(kPrefix) + approvals::sha256(key.key.id), json::write(value)};
}

SecurityKey key_in(const std::string& text) {
  const Result<Value> value = json::parse(text);
  if (!value) return {};
  return {.person = text_in(*value, "person"),
          .name = text_in(*value, "name"),
          .rp_id = text_in(*value, "rpId"),
          .key = {.id = bytes_in(*value, "id"),
                  .point = bytes_in(*value, "point"),
                  .counter = static_cast<std::uint32_t>(number_in(*value, "counter"))},
          .created = number_in(*value, "created"),
          .used = number_in(*value, "used")};
}

store::AppendAudit audit_of(std::string_view act, const SecurityKey& key, const std::string& by,
                            Millis now) {
  store::AuditRow row;
  row.at = now;
  row.kind = "credential";
  row.by = by;
  row.origin = "daemon";
  row.record = Value::object({{"act", text_value(act)},
                              {"key", text_value(key.name)},
                              {"keyId", text_value(key.id())},
                              {"person", text_value(key.person)}});
  return {std::move(row)};
}

}  // namespace

std::string SecurityKey::id() const { return base64url(key.id); }

void SecurityKeys::restore(const std::vector<std::pair<std::string, std::string>>& settings) {
  for (const auto& [name, text] : settings) {
    if (!name.starts_with(kPrefix)) continue;
    // SAFETY: a person whose key cannot be read has one all the same, and cannot touch it.
    const SecurityKey key = key_in(text);
    keys_[key.key.id.empty() ? name : key.key.id] = key;
  }
}

bool SecurityKeys::has(const std::string& person) const {
  return std::ranges::any_of(keys_, [&](const auto& each) { return each.second.person == person; });
}

const SecurityKey* SecurityKeys::find(const std::string& id) const {
  const std::optional<std::string> bytes = bytes_of_base64url(id);
  const auto found = bytes ? keys_.find(*bytes) : keys_.end();
  return found == keys_.end() ? nullptr : &found->second;
}

std::vector<SecurityKey> SecurityKeys::all() const {
  std::vector<SecurityKey> out;
  for (const auto& [id, key] : keys_) out.push_back(key);
  std::ranges::sort(out, {}, &SecurityKey::created);
  return out;
}

Result<std::string> SecurityKeys::challenge(const std::string& person, const std::string& act,
                                            Millis now) {
  const std::string random = random_(kRandomBytes);
  std::string bytes = webauthn::sha256(random + person + "\n" + act);
  if (random.size() != kRandomBytes || bytes.empty())
    return Fail({.code = "random-unavailable",
                 .message = "the system gives no random bytes",
                 .hint = "check that getrandom is not forbidden to this process",
                 .where = {}});
  std::erase_if(challenges_, [now](const auto& each) { return each.second.until <= now; });
  std::vector<std::pair<Millis, std::string>> own;
  for (const auto& [other, challenge] : challenges_)
    if (challenge.person == person) own.emplace_back(challenge.until, other);
  if (own.size() >= kMostChallenges) challenges_.erase(std::ranges::min(own).second);
  challenges_[bytes] = {.person = person, .act = act, .until = now + kChallengeLifetime};
  return bytes;
}

// Whatever it turns out to be for, it is worth nothing afterwards.
Result<std::string> SecurityKeys::spend(const std::string& client_data, const std::string& person,
                                        const std::string& act, Millis now) {
  Result<std::string> bytes = webauthn::challenge_in(client_data);
  if (!bytes) return bytes;
  const auto taken = challenges_.extract(*bytes);
  if (taken.empty() || taken.mapped().until <= now)
    return Fail(refused("it answers a challenge that was spent, is too old, or never was"));
  if (taken.mapped().person != person)
    return Fail(refused("it answers a challenge of somebody else"));
  if (taken.mapped().act != act)
    return Fail(refused("the key was touched for something else than this"));
  return bytes;
}

void SecurityKeys::write(std::vector<store::Change> batch, const Done& done) {
  store_.submit(std::move(batch), store::Durability::kNow, [post = post_, done](Result<void> kept) {
    post([done, kept = std::move(kept)] { done(kept); });
  });
}

void SecurityKeys::add(const std::string& person, const std::string& name, const Value& made,
                       const KeyPlace& place, Millis now, const Done& done) {
  const std::string client_data = bytes_in(made, "clientDataJSON");
  const Result<std::string> challenge = spend(client_data, person, std::string(kRegister), now);
  if (!challenge) return done(Fail(challenge.error()));
  Result<webauthn::PublicKey> key = webauthn::check_registration(
      client_data, bytes_in(made, "attestationObject"),
      {.challenge = *challenge, .origin = place.origin, .rp_id = place.rp_id});
  if (!key) return done(Fail(std::move(key).error()));
  const auto own =
      std::ranges::count_if(keys_, [&](const auto& each) { return each.second.person == person; });
  if (keys_.contains(key->id)) return done(Fail(refused("this key is registered already")));
  if (static_cast<std::size_t>(own) >= kMostKeys)
    return done(Fail(refused("so many keys are registered that no more are taken")));
  const SecurityKey added{
      .person = person, .name = name, .rp_id = place.rp_id, .key = std::move(*key), .created = now};
  write({setting_of(added), audit_of("key-add", added, person, now)},
        [this, added, done](const Result<void>& kept) {
          if (kept) keys_[added.key.id] = added;
          done(kept);
        });
}

void SecurityKeys::remove(const std::string& id, const std::string& by, Millis now,
                          const Done& done) {
  const SecurityKey* found = find(id);
  if (found == nullptr)
    return done(Fail({.code = "unknown-security-key",
                      .message = "there is no security key of that id",
                      .hint = "GET /api/keys lists them",
                      .where = {}}));
  store::PutSetting gone = setting_of(*found);
  gone.text.clear();
  std::vector<store::Change> batch = {std::move(gone), audit_of("key-remove", *found, by, now)};
  // SAFETY: until it is gone its person has it, and no touch of it counts: the counter that a touch
  // writes would bring it back.
  const auto dying = keys_.find(found->key.id);
  const std::string bytes = dying->first;
  const std::string rp_id = std::exchange(dying->second.rp_id, "");
  write(std::move(batch), [this, bytes, rp_id, done](const Result<void>& kept) {
    const auto held = keys_.find(bytes);
    if (kept && held != keys_.end()) keys_.erase(held);
    if (!kept && held != keys_.end() && !rp_id.empty()) held->second.rp_id = rp_id;
    done(kept);
  });
}

Result<SecurityKey> SecurityKeys::touched(const std::string& person, const std::string& act,
                                          const Value& proof, const KeyPlace& place, Millis now) {
  const std::string client_data = bytes_in(proof, "clientDataJSON");
  const Result<std::string> challenge = spend(client_data, person, act, now);
  if (!challenge) return Fail(challenge.error());
  const auto found = keys_.find(bytes_in(proof, "credentialId"));
  if (found == keys_.end() || found->second.person != person)
    return Fail(refused("the key is not registered for this person"));
  SecurityKey& key = found->second;
  if (key.rp_id != place.rp_id)
    return Fail(refused("the key is registered at another address of the gate"));
  const Result<std::uint32_t> counter = webauthn::check_assertion(
      client_data, bytes_in(proof, "authenticatorData"), bytes_in(proof, "signature"), key.key,
      {.challenge = *challenge, .origin = place.origin, .rp_id = place.rp_id});
  if (!counter) return Fail(counter.error());
  key.key.counter = *counter;
  key.used = now;
  write({setting_of(key)}, [](const Result<void>&) {});
  return key;
}

}  // namespace tollgate::server
